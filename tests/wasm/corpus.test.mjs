// The same cases through Wasm: every answer equals the native one, byte for byte.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";

import { bundleTest, call, end, loadModules } from "./modules.mjs";

const NATIVE = new URL("../../target/corpus-native.jsonl", import.meta.url);

/**
 * What differs between hosts and is no part of a verdict: how much memory a run took, and the words in which a host says
 * how it ended one.
 */
function comparable(answer) {
  return JSON.stringify(answer, (key, value) => (key === "peak_bytes" || key === "message" ? undefined : value));
}

const rows = readFileSync(NATIVE, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
await loadModules();
after(end);

for (const method of new Set(rows.map((row) => row.method))) {
  test(`${method} answers in Wasm as it does natively`, { timeout: 120_000 }, async () => {
    for (const { id, input, answer } of rows.filter((row) => row.method === method)) {
      const wasm = method === "bundle.test" ? await bundleTest(input) : call(method, input);
      assert.equal(comparable(wasm), comparable(answer), id);
    }
  });
}
