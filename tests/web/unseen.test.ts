// Characters that nobody sees, or that turn the direction of a line: whoever signs sees them as signs, in lines, paths
// and names.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { DiffLine } from "@holdpoint/core/types";
import { modules } from "./source.ts";

let unseen: typeof import("../../www/elements/src/base/unseen.ts");
let lines: typeof import("../../www/elements/src/diff/lines.ts");

before(async () => {
  [unseen, lines] = await modules<[typeof unseen, typeof lines]>("base/unseen.ts", "diff/lines.ts");
});

/** The text of a template, with what is marked as a sign in braces. */
function text(value: unknown, inside = false): string {
  if (typeof value === "string") return inside ? `{${value}}` : value;
  if (Array.isArray(value)) return value.map((one) => text(one, inside)).join("");
  const { strings, values } = value as { strings?: string[]; values?: unknown[] };
  const isSign = strings?.join("").includes('class="ctl"') ?? false;
  const children = strings?.[0]?.endsWith("class=") ? values?.slice(1) : values;
  return (children ?? []).map((one) => text(one, isSign)).join("");
}

const drawn = (written: string, more: Partial<DiffLine> = {}, grammar?: "plain" | "script") =>
  text(lines.words({ kind: "insert", text: written, ...more } as DiffLine, grammar));

test("what turns a line round, or hides in it, is a sign", () => {
  const cases: [string, string][] = [
    ["", ""],
    ["plain\tand\r", "plain\tand\r"],
    ["Approve all\u202e.lla tcejeR", "Approve all‹U+202E›.lla tcejeR"],
    ["a\u2066b\u2069\u200ec\u061c", "a‹U+2066›b‹U+2069›‹U+200E›c‹U+061C›"],
    ["zero\u200bwidth\ufeff\u2060", "zero‹U+200B›width‹U+FEFF›‹U+2060›"],
    ["bell\u0007 escape\u001b[2J\u0085", "bell‹U+0007› escape‹U+001B›[2J‹U+0085›"],
    ["tag\u{e0041}", "tag‹U+E0041›"],
  ];
  for (const [written, want] of cases) assert.equal(unseen.visible(written), want);
  for (const plain of ["理赔／北", "שלום", "می‌خواهم", "👩‍💻", "naïve\n"])
    assert.equal(unseen.visible(plain), plain);
});

test("a diff draws them, also in marked words and in code", () => {
  assert.equal(drawn("pay\u202eeciova", {}, "plain"), "pay{U+202E}eciova");
  const marked = drawn("pay \u2067now\u2069", { spans: [[4, 9]] }, "plain");
  assert.equal(marked, "pay {U+2067}now{U+2069}");
  assert.equal(drawn('if (a) // \u202e"x"', {}, "script"), 'if (a) // {U+202E}"x"');
  assert.equal(drawn("whole", {}, "plain"), "whole");
});
