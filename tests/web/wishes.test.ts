// Standing wishes (authoring.md §4 "overlay"): written once, seen at a plan, and part of every prompt from then on.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { replies } from "./doors.ts";
import { ask, pages, ready } from "./edge/extensions.ts";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";
const WISH = "Texts in Swedish.";

async function wishes(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Standing wishes" }).click();
  await page.locator("hp-wishes textarea").waitFor();
}

async function keep(page: Page, text: string): Promise<void> {
  await wishes(page);
  await page.locator("hp-wishes textarea").fill(text);
  await page.getByTestId("hp-wishes-keep").click();
  await page.locator("hp-wishes").waitFor({ state: "detached" });
}

test("what is kept goes with the prompt, is named at the plan, and outlives a reload", async () => {
  const { page, edge } = await opened({ replies: replies() });
  await keep(page, WISH);
  await page.reload();
  await ready(page);
  await ask(page, ASK);
  await page.getByText("Asked with your standing wishes.").waitFor();
  assert.match(edge.heard[0] ?? "", /WISHES[\s\S]*Texts in Swedish\./);
  await page.getByRole("button", { name: "See them" }).click();
  assert.equal(await page.locator("hp-wishes textarea").inputValue(), WISH);
  await page.locator("hp-approval").getByRole("button", { name: "Back" }).click();
  await page.getByTestId("hp-approve").waitFor();
  await closed(page);
});

test("without wishes nothing goes along, and what is not kept is let go", async () => {
  const { page, edge } = await opened({ replies: replies() });
  await wishes(page);
  assert.ok(await page.getByTestId("hp-wishes-keep").isDisabled(), "there is nothing new to keep");
  await page.locator("hp-wishes textarea").fill(WISH);
  await page.locator("hp-approval").getByRole("button", { name: "Back" }).click();
  await ask(page, ASK);
  await page.getByTestId("hp-approve").waitFor();
  assert.doesNotMatch(edge.heard[0] ?? "", /WISHES/);
  assert.equal(await page.getByText("Asked with your standing wishes.").count(), 0);
  await closed(page);
});

test("on a narrow page they are written without sideways scroll", async () => {
  const { page } = await opened({ viewport: { width: 390, height: 844 } });
  await wishes(page);
  assert.equal(await sideways(page), false);
  assert.deepEqual(await violations(page), []);
  await closed(page);
});

test("they leave when a person goes on elsewhere", async () => {
  const { page } = await opened();
  for (const name of ["Earlier changes", "New change"]) {
    await wishes(page);
    await page.getByRole("button", { name }).first().click();
    await page.locator("hp-wishes").waitFor({ state: "detached" });
  }
  await closed(page);
});
