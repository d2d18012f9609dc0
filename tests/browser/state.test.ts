// The state of `cargo xtask serve`: for its owner alone, and no key of it is printed or stands in an address.

import assert from "node:assert/strict";
import { lstatSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { edge, stack, withStack } from "./stack.ts";

withStack();

test("what is printed holds no key, and its address opens the page, which asks for one", async () => {
  const { printed, user_token, admin_token, origin } = stack;
  for (const key of [user_token, admin_token]) {
    assert.match(key, /^hp_/);
    assert.ok(!printed.includes(key));
    // Nor a part of it.
    assert.ok(!printed.includes(key.slice(-20)));
  }
  const { url } = JSON.parse(printed) as { url: string };
  assert.equal(url, `${origin}/`);
  assert.match(await (await fetch(url)).text(), /<!doctype html>/i);
});

test("every file and folder of a state is for its owner alone", async () => {
  await edge("GET", "/gateway/v1/indicator");
  await edge("GET", "/api/v1/extensions");
  const entries = readdirSync(stack.state, { recursive: true, withFileTypes: true });
  const paths = [stack.state, ...entries.map((one) => join(one.parentPath, one.name))];
  const open = paths
    .filter((path) => !lstatSync(path).isSymbolicLink() && (lstatSync(path).mode & 0o077) !== 0)
    .map((path) => relative(stack.state, path) || ".");
  assert.deepEqual(open, []);
  assert.ok(paths.some((path) => path.endsWith("tokens.json")));
  assert.ok(
    paths.some((path) => path.endsWith(".sqlite")),
    "databases were made",
  );
});
