// What a proposal of an app shows beside its files: the behaviours that it brings, keeps and loses, and in what its
// words and the change differ.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Diagnostic } from "@holdpoint/core/types";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { type AppsEdge, apps } from "./edge/apps.ts";

const { opened, closed } = apps();

const behaviour = (name: string, says: string, change: "new" | "kept" | "lost") => ({
  ...{ path: `src/behaviours/${name}.test.tsx`, says, change },
});
const RED = behaviour("red", "A late snag is red.", "new");
const SORTED = behaviour("sorted", "Snags are sorted by day.", "kept");
const TITLED = behaviour("titled", "A snag without a title is not added.", "lost");
const LOST: Diagnostic = {
  ...{ code: "BEHAVIOUR_LOST", path: TITLED.path },
  severity: "warning",
  message: `Look at this behaviour: \`${TITLED.says}\` was approved, and nothing tests it any more.`,
  args: { case: "NO_CASE", name: TITLED.says },
};

/** The proposal that a run hands in. */
async function proposed(result: AppsEdge["result"]): Promise<Page> {
  const { page, edge } = await opened();
  edge.result = { build: null, ...result };
  await page.getByTestId("hp-ask").fill("Two");
  await page.getByTestId("hp-send").click();
  (await edge.begun()).end("succeeded", "cs_1");
  await page.getByTestId("hp-apply").waitFor();
  return page;
}

test("behaviours are named: new ones with what approving means, kept ones when they are asked for", async () => {
  const page = await proposed({ behaviours: [RED, SORTED] });
  const list = page.getByTestId("hp-behaviours");
  await list.getByText(RED.says).waitFor();
  assert.equal(await list.getByText("every later change is tested with them").count(), 1);
  assert.equal(await list.getByText(SORTED.says).isVisible(), false);
  await list.getByText("1 stays as approved").click();
  await list.getByText(SORTED.says).waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), false, "nothing is to be ticked");
  assert.deepEqual(await violations(page), []);
  assert.equal(await sideways(page), false);
  await closed(page);
});

test("a behaviour that is lost is named and wants a tick; without behaviours nothing is said of them", async () => {
  const page = await proposed({
    behaviours: [TITLED],
    diagnostics: [LOST],
    confirm_token: "sha256:c",
  });
  await page.locator('[data-change="lost"]').getByText(TITLED.says).waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  await page.getByTestId("hp-confirm").getByText("was approved").waitFor();
  await page.getByTestId("hp-confirm-tick").check();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), false);
  await closed(page);
  const plain = await proposed({});
  assert.equal(await plain.getByTestId("hp-behaviours").count(), 0);
  await closed(plain);
});

test("what the words say and the change does not stands beside them and leads to the file", async () => {
  const page = await proposed({
    summary: "I changed due.ts and Bar.tsx.",
    claims: [
      {
        ...{ code: "SUMMARY_CLAIMS_UNCHANGED", args: { name: "Bar.tsx" } },
        severity: "warning",
        message: "Look at `Bar.tsx`: the summary says that it changes, and it does not.",
      },
      {
        ...{ code: "SUMMARY_OMITS_CHANGE", path: "src/lib/due.ts" },
        severity: "warning",
        args: { object: "src/lib/due.ts" },
        message: "Look at `src/lib/due.ts`: it changes, and the summary does not say so.",
      },
    ],
  });
  const claims = page.getByTestId("hp-claims");
  await claims.getByText("Said, not done").waitFor();
  await claims.getByText("“I changed due.ts and Bar.tsx.”").waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), false);
  await claims.getByRole("button", { name: "Changes src/lib/due.ts" }).click();
  await page.locator(".hunk:focus").waitFor();
  assert.deepEqual(await violations(page), []);
  await closed(page);
});
