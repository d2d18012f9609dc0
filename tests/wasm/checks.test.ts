// Each check module knows its own kind: whatever another one has is refused in words, and nothing traps.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CHECKS, loadModules, type Value } from "./modules.ts";

/** A method that one kind has alone. */
const OWN: Record<string, string> = {
  "ifc-extension": "tests.prepare",
  "script-tool": "editops.parse",
  "crew-package": "crew.paths",
  "vite-app": "mentions.resolve",
};

loadModules();
const encoder = new TextEncoder();

for (const [kind, module] of Object.entries(CHECKS)) {
  const codeOf = (method: string, input: Value): unknown => {
    const answer = JSON.parse(module.call(method, encoder.encode(JSON.stringify(input))));
    return answer.error?.code ?? null;
  };

  test(`the module of ${kind} checks its own bundles and no others`, () => {
    for (const other of [...Object.keys(CHECKS), "no-such-kind"]) {
      const expected = other === kind ? null : "INVALID_INPUT";
      assert.equal(codeOf("bundle.check", { kind: other, files: {} }), expected, other);
      // A method that several kinds have asks for its kind, where this module has it at all.
      const refusals = ["INVALID_INPUT", "UNKNOWN_METHOD"];
      if (other !== kind)
        assert.ok(refusals.includes(String(codeOf("prompt.compose", { kind: other }))), other);
    }
  });

  test(`the module of ${kind} has no method of another kind`, () => {
    for (const [owner, method] of Object.entries(OWN)) {
      const missing = codeOf(method, { kind: owner, files: {} }) === "UNKNOWN_METHOD";
      assert.equal(missing, owner !== kind, method);
    }
  });
}
