// What a plan says after an edit: what was taken out, and what a person named; and what a review says of a result.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type {
  Diagnostic,
  Plan,
  PlanContribution,
  RunView,
  VersionView,
} from "@holdpoint/core/types";
import type { VersionTrial } from "../../www/elements/src/change/versions-view.ts";
import { modules } from "./source.ts";

let edit: typeof import("../../www/elements/src/change/plan-edit.ts");
let conforms: typeof import("../../www/elements/src/review/conforms.ts");
let texts: typeof import("../../www/elements/src/text/index.ts");
let versions: typeof import("../../www/elements/src/change/versions-view.ts");

before(async () => {
  [edit, conforms, texts, versions] = await modules<
    [typeof edit, typeof conforms, typeof texts, typeof versions]
  >("change/plan-edit.ts", "review/conforms.ts", "text/index.ts", "change/versions-view.ts");
});

const command = (id: string, label: string): PlanContribution => ({ kind: "command", id, label });
const proposed: Plan = {
  summary: "Doors",
  rationale: "Counts them.",
  contributions: [
    command("doors.count", "Count doors"),
    command("doors.list", "List doors"),
    { kind: "toolbar", id: "b", label: "List", slot: "toolbar.right", command: "doors.list" },
    { kind: "dock", id: "p", label: "Doors", slot: "dock.right", widget: "widgets/doors.json" },
  ],
  capabilities: ["model.read"],
  triggers: ["onModelLoad"],
  widgets: [{ path: "widgets/doors.json", description: "A table" }],
  tests: [
    { name: "counts", fixture: "house-small", contribution: "doors.count", assertionSummary: "7" },
    { name: "lists", fixture: "house-small", contribution: "doors.list", assertionSummary: "7" },
  ],
};
const part = (at: number): PlanContribution => {
  const found = proposed.contributions[at];
  assert.ok(found);
  return found;
};
const noted = (plan: Plan, of = proposed): Plan => edit.noted(plan, of);

test("what is taken out is named with all that went with it, and what comes back is not", () => {
  const without = noted(edit.withoutPart(proposed, part(1)));
  assert.deepEqual(without.declined, [
    { kind: "command", id: "doors.list" },
    { kind: "test", id: "lists" },
  ]);
  const more = noted(edit.toggledTrigger(without, proposed, "onModelLoad"));
  assert.deepEqual(more.declined?.at(-1), { kind: "trigger", id: "onModelLoad" });
  const back = noted(edit.withPart(without, proposed, part(1)));
  assert.deepEqual(back, proposed);
  assert.deepEqual(Object.keys(back), Object.keys(proposed), "no empty list stays behind");
});

test("what was out before another plan stays out, unless that plan has it again", () => {
  const gone = { kind: "lens" as const, id: "doors.lens" };
  const next = { ...proposed, declined: [gone, { kind: "test" as const, id: "counts" }] };
  assert.deepEqual(noted(next, next).declined, [gone]);
  assert.deepEqual(noted(edit.withoutPart(next, part(1)), next).declined, [
    gone,
    { kind: "command", id: "doors.list" },
    { kind: "test", id: "lists" },
  ]);
});

test("a label that a person wrote is pinned, and one that is the model's again is not", () => {
  const renamed = structuredClone(proposed);
  edit.setText(renamed, "/contributions/3/label", "Mine");
  const plan = noted(renamed);
  assert.deepEqual(plan.contributions[3], { ...part(3), label: "Mine", labelPinned: true });
  assert.ok(plan.contributions.slice(0, 3).every((one) => one.labelPinned === undefined));
  const back = structuredClone(plan);
  edit.setText(back, "/contributions/3/label", "Doors");
  assert.deepEqual(noted(back), proposed);
});

test("a button is called what its command is called: both get the name that is written at one of them", () => {
  for (const at of [1, 2]) {
    const renamed = structuredClone(proposed);
    edit.setText(renamed, `/contributions/${at}/label`, "All doors");
    const labels = noted(renamed).contributions.map((one) => [one.label, one.labelPinned]);
    assert.deepEqual(labels, [
      ["Count doors", undefined],
      ["All doors", true],
      ["All doors", true],
      ["Doors", undefined],
    ]);
  }
});

const finding = (code: string, args: object, pointer = ""): Diagnostic =>
  ({ code, severity: "error", message: code, path: "manifest.json", pointer, args }) as Diagnostic;

test("a review says that it is as in the plan, or each difference by name", () => {
  const none = [finding("CAPABILITY_UNUSED", {})];
  assert.equal(conforms.conforms(none, proposed), "as in the plan");
  assert.equal(conforms.conforms(none, null), "", "nobody planned it");
  const found = [
    finding("PLAN_EXTRA_CONTRIBUTION", { kind: "command", id: "x" }, "/contributes/commands/0"),
    finding("PLAN_EXTRA_CONTRIBUTION", { kind: "command", id: "x", case: "DECLINED" }),
    finding("PLAN_CONTRIBUTION_CHANGED", { kind: "dock", id: "p", name: "slot" }),
    finding("PLAN_CONTRIBUTION_CHANGED", { kind: "dock", id: "p", name: "title", case: "TITLE" }),
    finding("PLAN_MISSING_CONTRIBUTION", { kind: "command", id: "doors.count" }),
    finding("PLAN_EXTRA_TEST", { name: "lists" }),
    finding("PLAN_TEST_CHANGED", { name: "counts", fixture: "office-fire" }),
    finding("PLAN_SOMETHING_NEW", {}),
  ];
  assert.equal(conforms.conforms(found, proposed), "8 differences from the plan");
  const manifest = { contributes: { commands: [{ id: "x", title: "Ex" }] } } as never;
  const said = conforms.differences([...none, ...found]);
  const words = () => said.map((one) => conforms.difference(one, { plan: proposed, manifest }));
  assert.deepEqual(words(), [
    "Not planned: the command “Ex”",
    "Taken out by you, and there: the command “x”",
    "At another place than planned: the panel “Doors”",
    "Called something else than you wrote: the panel “Doors”",
    "Planned, and not there: the command “Count doors”",
    "Taken out by you, and there: the test “lists”",
    "Tested on another model than planned: “counts”, planned was the office with fire ratings",
    "PLAN_SOMETHING_NEW",
  ]);
  texts.setLanguage("sv");
  const other = words();
  texts.setLanguage("en");
  assert.ok(
    other.slice(0, -1).every((text, at) => text !== words()[at]),
    String(other),
  );
});

test("versions have letters, and what differs is told apart from what does not", () => {
  const letters = [0, 25, 26, 27, 52].map((at) => versions.letter(at));
  assert.deepEqual(letters, ["A", "Z", "AA", "AB", "BA"]);
  const one = (more: Partial<VersionView>): VersionView => ({
    result_hash: `sha256:${"0".repeat(64)}`,
    number: 0,
    at: 0,
    ok: true,
    shown: false,
    passed: 1,
    tests: 1,
    attempts: 1,
    autofixes: 0,
    differences: [],
    files: { "a.js": "1\n2\n" },
    ...more,
  });
  const both = [one({}), one({ number: "hand", shown: true, files: { "a.js": "1\n2\n3" } })];
  assert.equal(versions.shownLetter(both), "B");
  assert.equal(versions.shownLetter([one({ shown: true })]), "", "one alone has none");
  const none = { diffs: {}, trials: {}, asked: {}, spent: {}, beside: null, currency: "" };
  const rows = versions.factRows({ ...none, versions: both, plan: null, attempts_max: 5 });
  const differing = rows.filter((row) => !row.same).map((row) => row.label);
  assert.deepEqual(differing, ["Written by", "Size"]);
});

test("of each version stands what it may, against the plan and the others, and how it ran here", () => {
  const one = (result_hash: string, shown: boolean): VersionView => ({
    ...{ result_hash, shown, number: 0, at: 0, ok: true, passed: 1, tests: 1, attempts: 2 },
    ...{ autofixes: 0, differences: [], files: {} },
  });
  const may = (capability: string) => ({
    ...{ capability, declared: capability },
    sentence: `May ${capability}.`,
  });
  const trial = (more: Partial<VersionTrial>): VersionTrial => ({
    ...{ print: "sha256:b", granted: ["read"], state: "ran", ms: 312, ...more },
  });
  const facts = (trials: Record<string, VersionTrial>, planned: string[]) => {
    const capabilities = planned.map(may);
    const plan = { approved: true, plan: proposed, capabilities } as unknown as RunView["plan"];
    const rows = versions.factRows({
      ...{ versions: [one("sha256:a", false), one("sha256:b", true)], plan, trials },
      ...{ attempts_max: 3, diffs: {}, beside: "sha256:a", currency: "" },
      spent: { "sha256:a": { tokens: 61_000, cost: 0 } },
      asked: { "sha256:a": [may("read"), may("select")], "sha256:b": [may("read")] },
    });
    return (label: string) => {
      const row = rows.find((other) => other.label === label);
      return row && [...row.cells.map((cell) => cell.join(", ")), row.same];
    };
  };
  const none = facts({}, ["read", "select"]);
  assert.deepEqual(none("It may"), ["as in the plan", "1 permission, without “May select”", false]);
  assert.deepEqual(none("Attempts"), ["2 of 3 attempts", "2 of 3 attempts", true]);
  assert.deepEqual(none("Cost"), ["61,000 tokens", "not known", false]);
  assert.equal(none("On this model"), undefined, "no model is open");
  const ran = facts({ "sha256:a": trial({}), "sha256:b": trial({ ms: 204 }) }, ["read"]);
  assert.deepEqual(ran("It may"), ["as in the plan", "as in the plan", true]);
  assert.deepEqual(ran("On this model"), ["0.3 s", "0.2 s", true]);
  const stopped = facts({ "sha256:a": trial({ state: "stopped" }), "sha256:b": trial({}) }, []);
  assert.deepEqual(stopped("On this model"), ["it stopped", "0.3 s", false]);
});

test("with a part is offered what only it needs and what it feeds, and nothing that others need", () => {
  const needs = (capability: string, ...needed_by: string[]) =>
    ({ capability, risk: "green", sentence: capability, needed_by }) as never;
  const full: Plan = {
    ...proposed,
    contributions: [
      ...proposed.contributions,
      { kind: "exporter", id: "csv", label: "CSV", format: "csv" },
    ],
    capabilities: ["model.read", "export.create:csv"],
  };
  const planned = [needs("model.read"), needs("export.create:csv", "/contributions/4")];
  const csv = full.contributions[4];
  assert.ok(csv);
  const names = ({ parts, permissions }: ReturnType<typeof edit.hanging>) => [
    parts.map((one) => one.id),
    permissions.map((one) => one.capability),
  ];
  const now = [needs("model.read"), needs("export.create:csv")];
  const hangs = (plan: Plan, one: PlanContribution) =>
    names(edit.hanging(plan, full, one, { now, planned }));
  const without = edit.withoutPart(full, csv);
  assert.deepEqual(hangs(without, csv), [[], ["export.create:csv"]], "commands read the model too");
  const noList = edit.withoutPart(without, part(1));
  assert.deepEqual(hangs(noList, part(1)), [["b"], ["export.create:csv"]], "its button");
  const none = edit.withoutPart(noList, part(0));
  assert.deepEqual(
    hangs(none, part(0)),
    [["p"], ["model.read", "export.create:csv"]],
    "the panel that no command feeds, and all permissions once no code is left",
  );
});
