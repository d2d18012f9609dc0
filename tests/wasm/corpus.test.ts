// The same cases through Wasm: every answer equals the native one, byte for byte.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";

import {
  bundleTest,
  call,
  diff,
  end,
  isMissing,
  isOfPage,
  loadModules,
  type Value,
} from "./modules.ts";

const NATIVE = new URL("../../target/corpus-native.jsonl", import.meta.url);

/**
 * What differs between hosts and is no part of a verdict: how much memory a run took, the words in which a host says
 * how it ended one, and which kinds a host has, which a module of the page says of its own.
 */
function comparable(answer: Value): string {
  // Memory is counted in bytes of the machine, so what was done until there was none differs, too.
  const aside = ["peak_bytes", "message"];
  if (JSON.stringify(answer).includes('"TEST_MEMORY"')) aside.push("fuel");
  const { details, code } = (answer.error ?? {}) as { code?: string; details?: Value };
  if (code === "INVALID_INPUT" && details?.pointer === "/kind") aside.push("known");
  return JSON.stringify(answer, (key, value) => (aside.includes(key) ? undefined : value));
}

/** A case, and what the native facade answered. */
interface Row {
  id: string;
  method: string;
  input: Value;
  answer: Value;
}

const rows = readFileSync(NATIVE, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line): Row => JSON.parse(line));
loadModules();
after(end);

const known = rows.filter((row) => !isMissing(row.answer));
const methods = [...new Set(known.map((row) => row.method))];

test("model access and its budgets are in no module of the page", () => {
  const absent = methods.filter((method) => !isOfPage(method));
  assert.ok(absent.includes("budget.simulate"));
  const ofGateway = /^(budget|gateway|key|price|redact|route|sse|url|usage)\./;
  assert.deepEqual(
    absent.filter((method) => !ofGateway.test(method)),
    [],
  );
});

for (const method of methods.filter(isOfPage)) {
  test(`${method} answers in Wasm as it does natively`, { timeout: 120_000 }, async () => {
    for (const { id, input, answer } of rows.filter((row) => row.method === method)) {
      const wasm = method === "bundle.test" ? await bundleTest(input) : call(method, input);
      assert.equal(comparable(wasm), comparable(answer), id);
    }
  });
}

test("a diff of texts as they are is text.diff, byte for byte", () => {
  interface Texts {
    before: string;
    after: string;
    context?: number;
  }
  const wellFormed = ({ before, after, context = 3, path }: Value): boolean =>
    typeof before === "string" &&
    typeof after === "string" &&
    Number.isInteger(context) &&
    Number(context) >= 0 &&
    path === undefined;
  const inputs = rows
    .filter((row) => row.method === "text.diff" && wellFormed(row.input))
    .map((row) => row.input as unknown as Texts);
  assert.ok(inputs.length > 0);
  inputs.push(
    { before: "å\u{1f600}\n", after: "å\u{1f600}\r\nb" },
    { before: "a", after: "a", context: 1_000 },
  );
  for (const { before, after, context } of inputs) {
    const given = { before, after, ...(context === undefined ? {} : { context }) };
    assert.equal(
      diff(before, after, context ?? 3),
      JSON.stringify(call("text.diff", given)),
      JSON.stringify(given),
    );
  }
  // A surrogate without its partner is no text.
  assert.equal(JSON.parse(diff("", "\ud800", 3)).hunks[0].lines[0].text, "\ufffd");
});
