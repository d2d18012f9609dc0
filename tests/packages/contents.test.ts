// What is packed: built code with its types, modules, licences, a README, and nothing of our machine.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { manifestOf, type Name, ROOT, stranger } from "./stranger.ts";

/** Where a declaration takes something from, if it is no file of its own package. */
const IMPORT = /^(?:im|ex)port\s(?:[\w$*{}\s,]+\sfrom\s)?["']([^"'.][^"']*)["']/gm;

const folder = stranger("core", "elements");
const homeOf = (name: Name): string => join(folder, "node_modules/@holdpoint", name);
const filesOf = (name: Name): string[] =>
  readdirSync(homeOf(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(homeOf(name).length + 1));

for (const name of ["core", "elements"] as const) {
  const files = filesOf(name);
  const texts = files.filter((path) => /\.(js|ts|json|css|md|txt)$/.test(path));

  test(`${name}: a README, both licences, those of others, and no source, test or map`, () => {
    for (const due of ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.md"])
      assert.ok(files.includes(due), `${due} is missing`);
    const odd = files.filter(
      (path) => /\.map$|\.test\.|(^|\/)src\//.test(path) || /(?<!\.d)\.ts$/.test(path),
    );
    assert.deepEqual(odd, []);
  });

  test(`${name}: no file names a place of the machine that packed it, or a source map`, () => {
    for (const path of texts) {
      const text = readFileSync(join(homeOf(name), path), "utf8");
      assert.ok(!text.includes(ROOT.slice(0, -1)), `${path} names the folder of the project`);
      assert.ok(!text.includes("sourceMappingURL"), `${path} names a source map`);
    }
  });

  test(`${name}: may be published, and every door leads to a file and its types`, () => {
    const manifest = manifestOf(homeOf(name));
    assert.equal(manifest.private, undefined);
    for (const [door, ways] of Object.entries(manifest.exports)) {
      for (const way of typeof ways === "string" ? [ways] : Object.values(ways)) {
        const path = way.replace("./", "");
        assert.ok(
          path.includes("*") || existsSync(join(homeOf(name), path)),
          `${door} leads to ${path}, which is not there`,
        );
      }
      if (typeof ways === "object") assert.equal(Object.keys(ways)[0], "types", door);
    }
  });

  test(`${name}: what its code imports stands in the package, or among what it needs`, () => {
    const needed = Object.keys(manifestOf(homeOf(name)).dependencies ?? {});
    const used = new Set<string>();
    for (const path of texts.filter((one) => /\.(js|ts)$/.test(one))) {
      const text = readFileSync(join(homeOf(name), path), "utf8");
      for (const [, from] of text.matchAll(IMPORT)) {
        const [scope, second] = from.split("/");
        if (!from.startsWith("node:"))
          used.add(scope.startsWith("@") ? `${scope}/${second}` : scope);
      }
    }
    assert.deepEqual(
      [...used].filter((one) => !needed.includes(one)),
      [],
    );
  });
}

test("core: the doors know browsers, Node and workerd, and each module is there once", () => {
  const door = manifestOf(homeOf("core")).exports["."];
  assert.deepEqual(Object.keys(door), ["types", "workerd", "node", "browser", "default"]);
  const modules = filesOf("core").filter((path) => path.endsWith(".wasm"));
  assert.deepEqual(modules.map((path) => path.split("/").at(-1)).sort(), [
    "archive_bg.wasm",
    "check-app_bg.wasm",
    "check-crew_bg.wasm",
    "check-extension_bg.wasm",
    "check-script_bg.wasm",
    "core_bg.wasm",
    "crew_bg.wasm",
    "geometry_bg.wasm",
    "ids_bg.wasm",
    "model_bg.wasm",
    "python_bg.wasm",
    "sandbox_bg.wasm",
  ]);
});

test("elements: the standalone files name the licences of what they bring", () => {
  const text = readFileSync(join(homeOf("elements"), "THIRD-PARTY.md"), "utf8");
  for (const name of ["lit-html", "@codemirror/view"])
    assert.match(text, new RegExp(`^## ${name} `, "m"));
});
