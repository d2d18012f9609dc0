// The sheet of an extension as a conversation, without a page: what differs between plans, and which rows entries make.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Plan, SheetEntry } from "@holdpoint/core/types";
import type { LogChange, LogRow } from "../../www/elements/src/change/log-view.ts";
import type { PlanRow } from "../../www/elements/src/change/plan-diff.ts";
import { modules } from "./source.ts";

let diff: typeof import("../../www/elements/src/change/plan-diff.ts");
let log: typeof import("../../www/elements/src/change/log-view.ts");

before(async () => {
  [diff, log] = await modules<[typeof diff, typeof log]>(
    "change/plan-diff.ts",
    "change/log-view.ts",
  );
});

const plan = (more: Partial<Plan> = {}): Plan => ({
  summary: "Counts walls and curtain walls",
  rationale: "",
  contributions: [{ kind: "command", id: "a.count", label: "Count" }],
  capabilities: ["model.read"],
  triggers: [],
  widgets: [],
  tests: [
    { name: "counts", fixture: "house-small", contribution: "a.count", assertionSummary: "7" },
  ],
  ...more,
});
const says = (capability: string): string => `May ${capability}`;
const drawn = ({ sign, kind, parts }: PlanRow): string => {
  const words = parts.map(({ text, marked }) => (marked ? `[${text}]` : text)).join("");
  return `${{ add: "+", del: "-", eq: "=" }[sign]} ${kind} ${words}`;
};
const between = (before: Plan, after: Plan): string[] =>
  diff.planDiff(before, after, says).map(drawn);

test("a row that changed stands twice, its words marked; what came and went stands once", () => {
  const after = plan({
    summary: "Counts walls, no curtain walls",
    capabilities: ["viewer.select"],
    tests: [
      ...plan().tests,
      { name: "none", fixture: "house-small", contribution: "a.count", assertionSummary: "0" },
    ],
  });
  assert.deepEqual(between(plan(), after), [
    "- summary Counts [walls and ]curtain walls",
    "+ summary Counts [walls, no ]curtain walls",
    "+ permission May viewer.select",
    "- permission May model.read",
    "+ test 0",
  ]);
  const counted = diff.counts(diff.planDiff(plan(), after, says));
  assert.deepEqual(counted, { changed: 1, added: 2, removed: 1, permissions: true });
});

test("words that only came or only went are marked at their place", () => {
  const label = (text: string) =>
    plan({ contributions: [{ kind: "command", id: "a.count", label: text }] });
  const cases: [string, string, string[]][] = [
    ["Count", "Count", []],
    ["Count", "Count doors", ["- part [Count]", "+ part [Count doors]"]],
    ["a b c", "a c", ["- part a [b ]c", "+ part a []c"]],
    ["a a", "a a a", ["- part a [a]", "+ part a [a a]"]],
    ["x", "y", ["- part [x]", "+ part [y]"]],
  ];
  for (const [from, to, want] of cases) {
    const rows = diff.planDiff(label(from), label(to), says);
    const text = (sign: string) =>
      rows
        .filter((row) => row.sign === sign)
        .map((row) => row.parts.map((part) => part.text).join(""));
    assert.deepEqual(text("del"), from === to ? [] : [from]);
    assert.deepEqual(text("add"), from === to ? [] : [to]);
    if (want.length) assert.equal(diff.counts(rows).changed, 1, `${from} to ${to}`);
  }
  assert.deepEqual(between(plan(), plan()), []);
});

test("a plan that names another place, trigger, panel or note says so", () => {
  const dock = (slot: string) => ({
    kind: "dock" as const,
    id: "a.panel",
    label: "Panel",
    slot,
    widget: "w.json",
  });
  const from = plan({ contributions: [dock("dock.right")], notes: "Walls only" });
  const to = plan({ contributions: [dock("dock.left")], triggers: ["onModelLoad"] });
  assert.deepEqual(between(from, to), [
    "- part Panel [(dock.right)]",
    "+ part Panel [(dock.left)]",
    "+ trigger onModelLoad",
    "- notes Walls only",
  ]);
});

const attempt = (number: number | null, ok: boolean): SheetEntry => ({
  is: "attempt",
  at: 9,
  number,
  ok,
  ms: 1_000,
  passed: 0,
  tests: 0,
  finding: null,
});
const word = (row: LogRow): string => {
  if (row.is === "plan") return `plan ${row.number}${row.approved ? " signed" : ""}`;
  if (row.is === "run") return `run ${row.attempts.length} ${row.ms}${row.spent ? " spent" : ""}`;
  if (row.is === "asked") return `asked${row.goesOn ? " on" : ""}`;
  if (row.is === "adjusted") return `adjusted ${row.diff?.rows.length ?? "-"}`;
  return row.is;
};

test("plans are counted on over changes, attempts of a run stand together, and its cost stands at the last", () => {
  const first: LogChange = {
    number: 7,
    spent: { tokens: 1, cost: 2, currency: "USD" },
    entries: [
      { is: "asked", at: 1, text: "a panel" },
      { is: "plan", at: 2, plan: plan(), plan_hash: "1", edited: false },
      { is: "adjusted", at: 3, text: "no curtain walls" },
      { is: "plan", at: 4, plan: plan({ summary: "Other" }), plan_hash: "2", edited: false },
      { is: "plan", at: 5, plan: plan({ summary: "Mine" }), plan_hash: "3", edited: true },
      { is: "approved", at: 6, plan_hash: "3" },
      attempt(0, false),
      attempt(1, true),
      { is: "another", at: 8 },
      attempt(0, true),
      attempt(null, true),
    ],
    signed: { at: 10, version: "0.1.0", print: "x", granted: 1 },
  };
  const { rows, after } = log.logRows(first, log.NOTHING, says);
  assert.deepEqual(rows.map(word), [
    "asked",
    "plan 1",
    "adjusted 2",
    "plan 2",
    "edited",
    "plan 3 signed",
    "run 2 2000",
    "another",
    "run 2 2000 spent",
    "signed",
  ]);
  const next: LogChange = {
    number: 8,
    spent: null,
    entries: [
      { is: "asked", at: 11, text: "area too" },
      { is: "plan", at: 12, plan: plan(), plan_hash: "4", edited: false },
    ],
    signed: null,
  };
  assert.deepEqual(log.logRows(next, after, says).rows.map(word), ["asked on", "plan 4"]);
});
