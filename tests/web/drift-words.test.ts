// What the notice of a new SDK says, without a page.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { DriftLine } from "../../www/elements/src/change/drift-view.ts";
import { modules } from "./source.ts";

let drift: typeof import("../../www/elements/src/change/drift-view.ts");

before(async () => {
  [drift] = await modules<[typeof drift]>("change/drift-view.ts");
});

const line = (more: Partial<DriftLine>): DriftLine => ({
  ...{ id: "a.b", name: "Doors", version: "0.1.0", outcome: "ok", passed: 1, tests: 1 },
  ...{ finding: null, causes: [], next: null, range: "", left: false, most: "" },
  ...more,
});
const cause = (kind: "breaking" | "behaviour" | "added") => ({
  entry: { version: "2.5.0", kind, members: ["bim.query"], summary: "", migration: "" },
  sites: [],
});
const said = (lines: DriftLine[]) => drift.driftNotice({ sdk: "2.5.0", lines });

test("where everything works, or is left off, nobody is told", () => {
  assert.equal(said([]), null);
  assert.equal(said([line({}), line({ outcome: "unknown" })]), null);
  assert.equal(said([line({ outcome: "broken", left: true }), line({})]), null);
});

test("one that the changelog touches needs a tweak; an addition breaks nothing", () => {
  for (const kind of ["breaking", "behaviour"] as const)
    assert.deepEqual(said([line({ outcome: "broken", causes: [cause(kind)] })]), {
      heading: "Doors needs a tweak for SDK 2.5.0. Repair now?",
      also: "",
    });
  for (const causes of [[], [cause("added")]])
    assert.equal(
      said([line({ outcome: "broken", causes })])?.heading,
      "Doors does not work with SDK 2.5.0.",
    );
});

test("several at once make one notice, which counts them all", () => {
  const lines = [
    line({ outcome: "broken" }),
    line({ outcome: "broken", left: true }),
    line({ outcome: "range_only" }),
    line({}),
    line({ outcome: "unknown" }),
  ];
  assert.deepEqual(said(lines), {
    heading: "Holdpoint has SDK 2.5.0 now.",
    also: "5 extensions were tried again: 2 work, 1 needs a new version, 2 are switched off.",
  });
});
