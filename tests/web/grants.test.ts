// Permissions in review (UI.md §5): what is needed is locked and says by whom; an optional one changes the
// fingerprint, and the tests run again without it; what was taken away stays off.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CapabilityUse, SandboxClient, TestResult } from "@holdpoint/core/types";
import type { Page } from "playwright-core";
import { expectsSelection, replies, selects } from "./doors.ts";
import { pages, reviewed, reviewedAgain } from "./edge/extensions.ts";
import { pageModules } from "./source.ts";

type GrantsModule = typeof import("../../www/app/src/pages/model/grants.ts");
const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";

const fingerprint = async (page: Page) => {
  const print = await page.getByTestId("hp-install").locator(".fp").innerText();
  assert.equal(await page.locator("hp-workbench dd.mono").first().innerText(), print);
  return print;
};
/** Until the signature can be given. */
const waits = (page: Page) => page.locator('[data-testid="hp-install"]:not([disabled])').waitFor();

test("a permission that the code needs has no tick and says where it is needed", async () => {
  const { page } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  const row = page.getByTestId("hp-grant-model.read");
  assert.equal(await row.getByRole("checkbox").count(), 0);
  assert.match(await row.innerText(), /needed:\s[\s\S]*needed by\s+src\/count\.js, line 2/);
  await closed(page);
});

test("an optional one that is unticked changes the fingerprint and runs the tests with exactly the rest", async () => {
  const { page, edge } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  const whole = await fingerprint(page);
  const select = page.getByTestId("hp-grant-viewer.select");
  assert.ok(await select.isChecked());
  await select.uncheck();
  await page.locator("hp-test-list").getByText("without what is left out").waitFor();
  await waits(page);
  assert.notEqual(await fingerprint(page), whole);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  assert.deepEqual(edge.installs[0].granted.sort(), ["model.read", "viewer.colorize"]);
  await closed(page);
});

test("one that a test needs comes back, locked, with the test that failed without it", async () => {
  const { page, edge } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  const whole = await fingerprint(page);
  const row = page.getByTestId("hp-grant-viewer.colorize");
  await row.click();
  await row.getByText("needed by the test “colours”").waitFor();
  assert.equal(await row.getByRole("checkbox").count(), 0);
  assert.ok(await row.evaluate((li) => li.matches(":focus")), "the focus stays at the row");
  await waits(page);
  assert.equal(await fingerprint(page), whole);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  assert.equal(edge.installs[0].granted.length, 3);
  await closed(page);
});

test("one whose effect a test expects is locked from the start", async () => {
  const { page } = await opened({ replies: replies("0.1.0", expectsSelection) });
  await reviewed(page, ASK);
  const row = page.getByTestId("hp-grant-viewer.select");
  await row.getByText("needed by the test “selects”").waitFor();
  assert.equal(await row.getByRole("checkbox").count(), 0);
  await closed(page);
});

test("while the tests run again nothing can be signed", async () => {
  const { page } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  const closedMeanwhile = page.evaluate(
    () =>
      new Promise<unknown[]>((resolve) => {
        const column = document.querySelector("hp-page")?.shadowRoot?.querySelector("hp-workbench");
        column?.addEventListener("hp-grants", () =>
          requestAnimationFrame(() => {
            const foot = column.shadowRoot?.querySelector("hp-approval")?.shadowRoot;
            const main = foot?.querySelector<HTMLButtonElement>("#main");
            resolve([main?.disabled, foot?.querySelector<HTMLElement>("#why")?.innerText]);
          }),
        );
      }),
  );
  await page.getByTestId("hp-grant-viewer.select").uncheck();
  assert.deepEqual(await closedMeanwhile, [
    true,
    "The tests run again, with exactly what is ticked.",
  ]);
  await waits(page);
  await closed(page);
});

test("a right that was taken away stays off in the next version, and ticking it asks for it as new", async () => {
  const { page, edge } = await opened({ replies: [...replies(), ...replies("0.2.0")] });
  await reviewed(page, ASK);
  await page.getByTestId("hp-grant-viewer.select").uncheck();
  await waits(page);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  await reviewedAgain(page, ASK);
  await waits(page);
  const select = page.getByTestId("hp-grant-viewer.select");
  assert.equal(await select.isChecked(), false);
  const review = page.locator("hp-capability-review");
  await review.getByText("You had taken it away").waitFor();
  assert.equal(await review.getByText("New", { exact: true }).count(), 1);
  await select.check();
  await waits(page);
  // The stamp of the first version may still stand there: only the answer says that the second one is installed.
  const installed = page.waitForResponse((it) => it.request().method() === "POST" && it.ok());
  await page.getByTestId("hp-install").click();
  await installed;
  const [, second] = edge.installs;
  assert.equal(second.granted.length, 3);
  assert.ok(second.confirm_token, "what is new again wants a look");
  await closed(page);
});

test("one that was taken away and that a test of the next version needs comes back, locked and new", async () => {
  const { page } = await opened({ replies: [...replies(), ...replies("0.2.0", selects)] });
  await reviewed(page, ASK);
  await page.getByTestId("hp-grant-viewer.select").uncheck();
  await waits(page);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  await reviewedAgain(page, ASK);
  const row = page.getByTestId("hp-grant-viewer.select");
  await row.getByText("needed by the test “selects”").waitFor();
  await row.getByText("New", { exact: true }).waitFor();
  await waits(page);
  await closed(page);
});

const use = (capability: string, required = false): CapabilityUse => ({
  capability,
  declared: capability,
  risk: "green",
  sentence: "",
  required,
  places: [],
});
/** Grants over a sandbox that answers when it is told to. */
async function ticking(taken: string[] = []) {
  const [{ Grants }] = await pageModules<[GrantsModule]>("pages/model/grants.ts");
  const uses = [use("a", true), use("b"), use("c")];
  const usage = { fuel: 0, peak_bytes: 0 };
  const tests: TestResult[] = [{ name: "t", ok: true, diagnostics: [] }];
  const runs: { granted?: string[]; ends(ok: boolean): void; reject(error: Error): void }[] = [];
  const sandbox: Pick<SandboxClient, "test"> = {
    test: (_files, _each, granted) =>
      new Promise((resolve, reject) => {
        const ends = (ok: boolean) => {
          const tests = [{ name: "t", ok, diagnostics: [], logs: [], usage }];
          resolve({ ok, checked: true, tests, diagnostics: [], usage });
        };
        runs.push({ granted, ends, reject });
      }),
  };
  const bundle = () => ({ files: {}, uses, tests, added: taken, taken });
  return { grants: new Grants(bundle, sandbox, () => undefined), runs };
}

test("what has not run with what is ticked is never shown as passed", async () => {
  const { grants, runs } = await ticking(["b"]);
  assert.deepEqual(grants.view.granted, ["a", "c"]);
  assert.deepEqual(grants.view.running, { done: 0, total: 1 });
  const run = grants.run();
  runs[0].ends(true);
  await run;
  assert.equal(grants.view.running, null);
});

test("only the last tick decides, and a sandbox that fails leaves nothing out", async () => {
  const { grants, runs } = await ticking();
  const first = grants.tick(["a", "c"]);
  const second = grants.tick(["a"]);
  runs[0].ends(false);
  await first;
  assert.deepEqual(grants.view.granted, ["a"]);
  assert.deepEqual(grants.view.needing, {});
  runs[1].ends(true);
  await second;
  assert.deepEqual([grants.view.granted, grants.view.running], [["a"], null]);
  const third = grants.tick(["b"]);
  assert.deepEqual(runs[2].granted, ["a", "b"], "what is needed cannot be left out");
  runs[2].reject(new Error("it did not start"));
  await third;
  assert.deepEqual([grants.view.granted, grants.view.fault], [["a"], true]);
});
