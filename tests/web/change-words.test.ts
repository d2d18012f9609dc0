// How a change is told: in the words that its person asked with, and with two contents of one version told apart.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { RunView } from "@holdpoint/core/types";
import { modules, pageModules } from "./source.ts";

let lines: typeof import("../../www/app/src/pages/model/change-lines.ts");
let compare: typeof import("../../www/elements/src/change/compare.ts");

before(async () => {
  [lines] = await pageModules<[typeof lines]>("pages/model/change-lines.ts");
  [compare] = await modules<[typeof compare]>("change/compare.ts");
});

test("a request is shown in the words of its person, on the sheet too, and others stay as they are", () => {
  const request = "Make a tool: Hur många dörrar?";
  const run = {
    request,
    state: "gate",
    sheet: [
      { is: "asked", at: 1, text: request },
      { is: "adjusted", at: 2, text: request },
      { is: "asked", at: 3, text: "Something else" },
    ],
  } as unknown as RunView;
  const shown = lines.worded(run, "Hur många dörrar?");
  assert.equal(shown.request, "Hur många dörrar?");
  assert.deepEqual(
    shown.sheet.map((entry) => "text" in entry && entry.text),
    ["Hur många dörrar?", request, "Something else"],
  );
  assert.equal(run.request, request, "what the model was asked is not changed");
  assert.equal(lines.worded(run, null), run);
});

test("no arrow stands between equal versions", () => {
  const said = (from: string | null, to: string, base: string | null, result: string) =>
    compare.versionSaid(from, to, { base_hash: base, result_hash: result });
  assert.equal(said(null, "0.1.0", null, "b"), "New → 0.1.0");
  assert.equal(said("0.1.0", "0.2.0", "a", "b"), "0.1.0 → 0.2.0");
  assert.equal(said("0.1.0", "0.1.0", "a", "b"), "0.1.0, other files");
  assert.equal(said("0.1.0", "0.1.0", "a", "a"), "0.1.0, as before");
});
