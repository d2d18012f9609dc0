// What a run will likely cost is said from what the runs so far did, or not at all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { likely } from "../../www/app/src/pages/model/likely.ts";

const most = { tokens: 100_000, cost: 500_000 };
const run = (tokens: number, currency = "USD", cause = "install") => ({
  cause,
  spent: { tokens, cost: tokens * 5, currency },
});
const runs = (...tokens: number[]) => tokens.map((one) => run(one));
const free = { ...run(0), spent: null };

const cases: [string, Parameters<typeof likely>[0], number | null][] = [
  ["no run yet", [], null],
  ["two runs say nothing", runs(10_000, 12_000), null],
  ["edits and imports were no runs", [...runs(10_000, 12_000), free, run(0)], null],
  ["steps back were no runs", [...runs(10_000, 12_000), run(9_000, "USD", "undo")], null],
  ["three: the one in the middle", runs(40_000, 10_000, 12_000), 12_000],
  ["four: the larger one of the two in the middle", runs(9_000, 40_000, 10_000, 12_000), 12_000],
  [
    "one that went wrong does not count for more",
    runs(9_000, 99_000, 10_000, 99_999, 11_000),
    11_000,
  ],
  [
    "only the newest twenty",
    [...runs(...Array(20).fill(8_000)), ...runs(...Array(60).fill(50_000))],
    8_000,
  ],
  [
    "runs that are counted otherwise",
    [run(5_000, ""), run(5_000, "EUR"), ...runs(7_000, 8_000)],
    null,
  ],
  ["beside enough of its own", [run(5_000, "EUR"), ...runs(7_000, 8_000, 9_000)], 8_000],
  ["never more than is held", runs(150_000, 160_000, 170_000), 100_000],
];
for (const [title, history, tokens] of cases)
  test(title, () => {
    const want = tokens === null ? null : { tokens, cost: tokens * 5 };
    assert.deepEqual(likely(history, "USD", most), want);
  });
