// Places of what was built and of binary files, as the page of apps finds them (app-builder.md §7, vite-app.md §1).
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf, isText, pointerText, publicPath } from "../../www/app/src/pages/apps/binary.ts";
import { Sources } from "../../www/app/src/pages/apps/sources.ts";

/** A map of two lines: the first from a file of the project, the second from a package. */
const MAP = {
  version: 3,
  sources: ["../../src/parts/Due list.tsx", "../../node_modules/react/index.js"],
  names: [],
  // Line 1: column 0 is line 1 of the first source, column 10 its line 12. Line 2: column 0 is line 1 of the second.
  mappings: "AAAA,UAWA;ACXA",
};
const error = (line: number, column: number, asset = "assets/index-1.js") => ({
  ...{ message: "x", count: 1 },
  ...{ asset, line, column },
});

test("an error is found in the file that it was built from", async () => {
  const asked: string[] = [];
  const sources = new Sources(async (revision, asset) => {
    asked.push(`${revision} ${asset}`);
    return MAP;
  });
  const path = "src/parts/Due list.tsx";
  assert.deepEqual(await sources.of("rev_1", error(1, 1)), { path, line: 1 });
  assert.deepEqual(await sources.of("rev_1", error(1, 11)), { path, line: 12 });
  assert.deepEqual(asked, ["rev_1 assets/index-1.js"], "a map is read once");
  assert.equal(await sources.of("rev_1", error(2, 1)), null, "a package is no file of the project");
  assert.equal(await sources.of("rev_1", error(9, 1)), null);
  assert.equal(await sources.of("rev_1", error(0, 0)), null);
  assert.equal(await sources.of("rev_1", error(1, 1, "")), null);
  await sources.of("rev_2", error(1, 1));
  assert.equal(asked.length, 2);
});

test("without a map, or with one that is none, nobody knows the source", async () => {
  const none = new Sources(() => Promise.reject(new Error("404")));
  assert.equal(await none.of("rev_1", error(1, 1)), null);
  const odd = new Sources(async () => ({ hello: "world" }));
  assert.equal(await odd.of("rev_1", error(1, 1)), null);
  const away = { ...MAP, sources: ["https://elsewhere.example/a.js", "x"] };
  assert.equal(await new Sources(async () => away).of("rev_1", error(1, 1)), null);
});

test("a binary file is one line that names its bytes", () => {
  const hash = `sha256:${"0a".repeat(32)}`;
  assert.equal(bytesOf(pointerText(hash, 812)), 812);
  for (const text of ["", "x", pointerText(hash, 0), `${pointerText(hash, 1)}x`])
    assert.equal(bytesOf(text), null, text);
});

test("an upload gets a name that a project may have", () => {
  for (const [name, path] of [
    ["Logo.PNG", "public/Logo.png"],
    ["my photo (2).jpeg", "public/my-photo-2.jpeg"],
    ["Übersicht.svg", "public/Übersicht.svg"],
    ["../../etc/passwd.png", "public/etc-passwd.png"],
    ["….png", "public/file.png"],
    [".png", "public/png"],
  ] as const)
    assert.equal(publicPath(name), path);
  assert.deepEqual(["a.svg", "a.CSV", "a.png", "svg"].map(isText), [true, true, false, false]);
});
