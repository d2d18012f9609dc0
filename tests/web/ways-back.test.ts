// What a newcomer met around the page: what was uninstalled or cleared comes back, a new change is there at the first
// click, a page is whole in one language, and an address that nothing has says so.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { replies } from "./doors.ts";
import { ask, pages, reviewed } from "./edge/extensions.ts";

const { opened, closed, url } = pages();
const ASK = "Make a panel that counts the doors";

async function installed() {
  const { page, edge } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  await page.getByTestId("hp-install").click({ timeout: 120_000 });
  await page.locator("hp-stamp").waitFor();
  assert.deepEqual(edge.missed, [], "nothing is asked of an extension that is new");
  return { page, edge };
}

const toast = (page: Page, text: string) =>
  page.locator("hp-toast").getByText(text, { exact: true }).waitFor();

async function uninstall(page: Page): Promise<void> {
  await page.getByTestId("hp-extensions").click();
  await page.getByTestId("hp-uninstall").click();
  await page.getByTestId("hp-toast-undo").waitFor();
}

test("what was uninstalled comes back from the toast and from the list of changes", async () => {
  const { page, edge } = await installed();
  await uninstall(page);
  await page.getByTestId("hp-toast-undo").click();
  await toast(page, "Door count is installed again");
  assert.equal(edge.history[0]?.cause, "undo");
  await page.keyboard.press("Escape");
  await uninstall(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Earlier changes" }).click();
  const line = page.locator("hp-history li").filter({ hasText: "Uninstalled" }).first();
  await line.getByRole("button", { name: "Undo" }).click();
  await toast(page, "Door count is installed again");
  await closed(page);
});

test("a conversation that was cleared comes back from the toast, and outlives a reload", async () => {
  const { page } = await opened();
  await ask(page, "Paint the doors red");
  const log = page.locator("hp-conversation");
  await log.getByText("Paint the doors red").first().waitFor();
  await page.getByTestId("hp-clear").click();
  await toast(page, "The conversation was cleared");
  assert.equal(await log.count(), 0);
  await page.getByTestId("hp-toast-undo").click();
  await log.getByText("Paint the doors red").first().waitFor();
  await closed(page);
});

test("words that something installed was made from spend no second run, unless a person wants one", async () => {
  const { page, edge } = await installed();
  edge.replies.push(...replies());
  await ask(page, ` ${ASK.toLowerCase()}. `);
  const log = page.locator("hp-conversation");
  await log.getByText("Door count was made from the same words and is installed.").waitFor();
  assert.equal(edge.replies.length, 2, "no model was asked");
  await log.getByRole("button", { name: "Make another one" }).click();
  await page.getByTestId("hp-approve").waitFor();
  assert.equal(edge.replies.length, 1);
  await closed(page);
});

test("a new change is drawn at the first click", async () => {
  const { page } = await installed();
  await page.locator("hp-workbench").getByRole("button", { name: "New change" }).click();
  await page.getByRole("heading", { name: "New change" }).waitFor({ timeout: 20_000 });
  await closed(page);
});

test("a Chinese browser gets the whole page of models in English, and says so", async () => {
  const { page } = await opened({ locale: "zh-CN" });
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  await page.getByRole("button", { name: "EN, language: English" }).waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), /[\u4e00-\u9fff]/);
  await closed(page);
});

test("an address that no page has says so, and names those that there are", async () => {
  const { page } = await opened();
  const answer = await page.goto(url("/nosuchpage"));
  assert.equal(answer?.status(), 404);
  await page.getByRole("heading", { name: "There is no page at /nosuchpage" }).waitFor();
  await page.getByRole("link", { name: "Model" }).waitFor();
  await closed(page);
});
