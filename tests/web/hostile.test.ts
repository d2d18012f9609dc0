// Hostile programs in Chromium: each ends with the code that it has natively, and the next one finds nothing of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Json } from "@holdpoint/core/types";
import type { Browser } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { type Outcome, type Ran, type SandboxPage, sandboxPage } from "./sandbox.ts";

/** What the native suite kept (`hostile::each_ends_as_it_must`). */
const NATIVE = new URL("../../target/sandbox-native.jsonl", import.meta.url);
/** `WALL_MS` of a test (ifc-sdk.md §6.2). */
const WALL_MS = 2_500;
/** Where another limit comes first: no machine is so slow that the clock decides. */
const WIDE_MS = 30_000;
const FAULTS = Number(process.env.HOLDPOINT_FAULTS ?? 1_000);

interface Row {
  class: string;
  title: string;
  program: { modules: Record<string, string> } & Record<string, Json>;
  outcome: Outcome;
}

const rows = readFileSync(NATIVE, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line): Row => JSON.parse(line));
const codeOf = ({ failure }: Outcome): string => failure?.code ?? "OK";

let browser: Browser;
let sandbox: SandboxPage;
before(async () => {
  browser = await startBrowser();
  sandbox = await sandboxPage(browser);
});
after(() => browser.close());

/** What is the same on every machine: memory is counted in its own words, and what was lost counts nothing. */
function comparable({ value = null, failure, usage }: Outcome, counted: boolean): Json {
  const code = failure?.code ?? "OK";
  const fuel = counted && code !== "MEMORY" ? (usage?.fuel ?? 0) : 0;
  return { code, value, fuel };
}

for (const name of [...new Set(rows.map((row) => row.class))]) {
  test(`hostile programs end in Chromium as they do natively: ${name}`, {
    timeout: 240_000,
  }, async () => {
    const own = rows.filter((row) => row.class === name);
    const ran: Ran[] = [];
    for (const { program, outcome } of own) {
      const wall = codeOf(outcome) === "TIMEOUT" ? WALL_MS : WIDE_MS;
      ran.push(...(await sandbox.run([program], wall)));
    }
    const wrong: Json[] = [];
    own.forEach(({ title, outcome }, index) => {
      const { outcome: had, lost, ms } = ran[index] ?? { outcome: {}, lost: true, ms: 0 };
      // A native process that ended counted nothing either.
      const counted = !lost && (outcome.usage?.fuel ?? 0) > 0;
      const [have, want] = [comparable(had, counted), comparable(outcome, counted)];
      if (JSON.stringify(have) !== JSON.stringify(want)) {
        wrong.push({ title, have, want, ms: Math.round(ms), says: had.failure?.message ?? "" });
      }
      assert.doesNotMatch(had.failure?.message ?? "", /\.rs\b|\/rustc\//, title);
    });
    assert.deepEqual(wrong, []);
  });
}

test("a thousand faults in a row, and the call after each of them works", {
  timeout: 600_000,
}, async () => {
  const [first] = rows;
  assert.ok(first);
  // Names of the metering are the same in every module that has none of its own.
  const bare = (source: string): Json => ({
    ...first.program,
    modules: { "src/a.js": source },
  });
  const faults: [string, Json][] = [
    ["FUEL", bare("export default () => [].unshift.call({ length: 2 ** 52 }, 1);")],
    ["STACK", bare("const f = () => ($0e(1), f() + 1); export default () => f();")],
    ["MEMORY", bare("export default () => 'x'.repeat(1 << 29);")],
    // The allocator's own limit: the instance is lost.
    [
      "MEMORY",
      bare("export default () => JSON.stringify(Array(64).fill('x'.repeat(1 << 22))).length;"),
    ],
  ];
  const honest = bare("export default () => 'works';");
  let [ended, works, workers] = [0, 0, 0];
  for (let number = 0; number < FAULTS; number += 1) {
    const [wanted, fault] = faults[number % faults.length] ?? ["", null];
    const [broken, next] = await sandbox.run([fault, honest], WALL_MS);
    assert.equal(codeOf(broken?.outcome ?? {}), wanted, `fault ${number}`);
    ended += 1;
    workers += broken?.lost ? 1 : 0;
    works += next?.outcome.value === "works" && !next.lost ? 1 : 0;
  }
  assert.deepEqual({ ended, works }, { ended: FAULTS, works: FAULTS });
  assert.ok(workers >= FAULTS / faults.length, `${workers} workers were lost`);
});
