// The whole road in Chromium against workerd: ask, plan, approve, write, check, test, repair, review, install, use.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { ask, installed, opened, replayed } from "./road.mjs";
import { startBrowser, startStack } from "./stack.mjs";

let stack;
let browser;

before(async () => {
  stack = await startStack();
  browser = await startBrowser();
}, { timeout: 180_000 });

after(async () => {
  await browser?.close();
  await stack?.stop();
});

test("the fire-rating panel, through a failing check and a failing test", { timeout: 180_000 }, async () => {
  const page = await opened(browser, stack.url);
  assert.equal(new URL(page.url()).hash, "", "the token left the address bar");

  await ask(page, "Add a panel that shows fire-rating coverage by storey");
  const plan = page.locator("hp-plan-card");
  await plan.waitFor();
  assert.equal(await page.getByTestId("hp-install").count(), 0, "nothing can be installed before review");
  await page.getByTestId("hp-approve").click();

  await page.getByTestId("hp-install").waitFor({ timeout: 120_000 });
  const attempts = page.locator("hp-run-timeline [data-attempt]");
  assert.ok((await attempts.count()) >= 3, "a failed check and a failed test came before");

  await page.getByTestId("hp-install").click();
  const panel = await installed(page);
  await panel.getByText("Ground floor").first().waitFor();

  await page.reload();
  await (await installed(page)).getByText("Ground floor").first().waitFor();
  await replayed(page);
  await page.close();
});
