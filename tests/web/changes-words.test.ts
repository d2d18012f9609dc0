// What a newcomer met around a change: words for a plan stay with the plan, each end says how it ended, what was spent
// outlives a reload, and a change goes on in one tab.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { replies } from "./doors.ts";
import { ask, pages, ready, reviewed } from "./edge/extensions.ts";
import { focusOn } from "./page.ts";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";

const field = (page: Page) => page.locator("hp-composer textarea");
const planned = async (page: Page) => {
  await ask(page, ASK);
  await page.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();
};

test("who asks for other words has the focus in the field, and they stay with the plan", async () => {
  const { page } = await opened({ replies: replies() });
  await planned(page);
  const adjust = page.getByRole("button", { name: "Adjust in words" });
  await adjust.click();
  await focusOn(field(page));
  await page.keyboard.type("Put it on the left");
  assert.equal(await field(page).inputValue(), "Put it on the left");
  await page.locator("hp-composer").getByRole("button", { name: "Cancel" }).click();
  await page.getByTestId("hp-approve").click();
  await page.getByTestId("hp-install").click({ timeout: 120_000 });
  await page.locator("hp-stamp").waitFor();
  assert.equal(await field(page).inputValue(), "", "nothing of it is in the next request");
  await closed(page);
});

test("a plan that is cancelled and a result that is discarded do not say the same", async () => {
  const { page } = await opened({ replies: [...replies().slice(0, 1), ...replies()] });
  await planned(page);
  await page.locator("hp-approval").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Plan cancelled by you" }).waitFor();
  await reviewed(page, ASK);
  await page.getByTestId("hp-discard").click();
  await page.getByRole("heading", { name: "Discarded by you" }).waitFor();
  await page.getByRole("button", { name: "Earlier changes" }).click();
  const list = page.locator("hp-history");
  await list.getByText("Discarded by you").waitFor();
  await list.getByText("Plan cancelled by you").waitFor();
  await closed(page);
});

test("what was spent is there after a reload", async () => {
  const { page, edge } = await opened({ replies: replies() });
  Object.assign(edge.account, { spent_tokens: 1_234, returned_tokens: 498_766 });
  await reviewed(page, ASK);
  const facts = page.locator("section").filter({ hasText: "came back" }).last();
  await facts.getByText("1,234").waitFor();
  await page.reload();
  await ready(page);
  await facts.getByText("1,234").waitFor();
  await closed(page);
});

test("a change goes on in one tab: the other one says so, and takes it over when asked", async () => {
  const { page } = await opened({ replies: replies() });
  await planned(page);
  const second = await page.context().newPage();
  await second.goto(`${new URL(page.url()).origin}/#token=hp_web`);
  await ready(second);
  const notice = second.getByRole("heading", { name: "Change 1 is open in another tab" });
  await notice.waitFor();
  assert.equal(await second.getByTestId("hp-approve").count(), 0);
  await second.getByRole("button", { name: "Go on here" }).click();
  await second.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();
  await page.getByRole("heading", { name: "Change 1 is open in another tab" }).waitFor();
  assert.equal(await page.getByTestId("hp-approve").count(), 0, "it can be approved once");
  await second.getByTestId("hp-approve").click();
  await second.locator('[data-testid="hp-install"]:not([disabled])').click({ timeout: 120_000 });
  await second.locator("hp-stamp").waitFor();
  // What stands in another tab is what this one comes back to.
  await page.getByRole("button", { name: "Earlier changes" }).click();
  await page.getByRole("button", { name: "Back" }).click();
  // A change that the first tab begins is another one, and leaves that one signed.
  await ask(page, ASK);
  await page.getByRole("heading", { name: "Change 2" }).waitFor();
  await page.getByRole("button", { name: "Earlier changes" }).click();
  await page.locator("hp-history").getByText("Door count 0.1.0").first().waitFor();
  await closed(page);
});

test("a change that is open in another tab is still so after a reload", async () => {
  const { page } = await opened({ replies: replies() });
  await planned(page);
  const second = await page.context().newPage();
  await second.goto(`${new URL(page.url()).origin}/#token=hp_web`);
  await ready(second);
  const notice = second.getByRole("heading", { name: "Change 1 is open in another tab" });
  await notice.waitFor();
  await second.getByRole("button", { name: "Earlier changes" }).click();
  await second
    .locator("hp-history")
    .getByRole("button", { name: /Make a panel/ })
    .first()
    .click();
  await notice.waitFor();
  await second.reload();
  await ready(second);
  await notice.waitFor();
  await page.reload();
  await ready(page);
  await closed(page);
});

/** A second tab of the same person, with the sample open. */
async function beside(page: Page): Promise<Page> {
  const second = await page.context().newPage();
  await second.goto(`${new URL(page.url()).origin}/#token=hp_web`);
  await ready(second);
  return second;
}

test("without locks too, a stale tab neither overwrites what another one signed nor asks the model again", async () => {
  const { page, edge } = await opened({ replies: [...replies(), "Not again."] });
  await page.context().addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "locks");
  });
  await page.reload();
  await ready(page);
  await planned(page);
  const second = await beside(page);
  await second.locator('[data-testid="hp-approve"]:not([disabled])').click();
  await second.locator('[data-testid="hp-install"]:not([disabled])').click({ timeout: 120_000 });
  await second.locator("hp-stamp").waitFor();
  // The first tab still shows the plan.
  await page.getByTestId("hp-approve").click();
  await page.getByRole("heading", { name: "Change 1 is open in another tab" }).waitFor();
  assert.deepEqual([edge.installs.length, edge.replies], [1, ["Not again."]]);
  for (const tab of [page, second]) {
    await tab.reload();
    await ready(tab);
    await tab.getByRole("button", { name: "Earlier changes" }).click();
    await tab.locator("hp-history").getByText("Door count 0.1.0").first().waitFor();
  }
  await closed(page);
});

test("each tab comes back to its own change, whatever another one has in front or puts away", async () => {
  const { page } = await opened({ replies: [...replies(), ...replies("0.2.0")] });
  await planned(page);
  const second = await beside(page);
  await second.getByRole("heading", { name: "Change 1 is open in another tab" }).waitFor();
  await ask(second, "Make another panel that counts the doors");
  await second.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();
  await page.reload();
  await ready(page);
  await page.getByRole("heading", { name: "Change 1" }).first().waitFor();
  await page.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();
  await second.reload();
  await ready(second);
  await second.getByRole("heading", { name: "Change 2" }).first().waitFor();
  await second.locator("hp-approval").getByRole("button", { name: "Cancel" }).click();
  await second.getByRole("heading", { name: "Plan cancelled by you" }).waitFor();
  await second.close();
  await page.reload();
  await ready(page);
  await page.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();
  await closed(page);
});

test("changes that two tabs begin at the same time are two", async () => {
  const { page } = await opened({ replies: [...replies().slice(0, 1), ...replies().slice(0, 1)] });
  const second = await beside(page);
  await Promise.all([planned(page), planned(second)]);
  await page.getByRole("button", { name: "Earlier changes" }).click();
  const rows = page.locator("hp-history").getByRole("button", { name: /Make a panel/ });
  await rows.nth(1).waitFor();
  assert.equal(await rows.count(), 2);
  await closed(page);
});
