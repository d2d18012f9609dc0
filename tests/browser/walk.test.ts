// The whole road in Chromium against workerd: ask, plan, approve, write, check, test, repair, review, install, use.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { ask, opened, panel, replayed, reviewed, rows, signed, thrown } from "./road.ts";
import { browser, stack, withStack } from "./stack.ts";

const FIRE = "Add a panel that shows fire-rating coverage by storey";
const STORED_CSV =
  "Storey,Rated,Walls,Share %\nGround floor,3,7,43\nFirst floor,1,6,17\nRoof,0,0,0\n";

withStack();

test("the fire-rating panel, through a failing check and a failing test, into the dock and out again", {
  timeout: 180_000,
}, async () => {
  const page = await opened(browser, stack.url);
  assert.equal(new URL(page.url()).hash, "", "the token left the address bar");

  await ask(page, FIRE);
  await page.getByTestId("hp-approve").waitFor();
  assert.equal(
    await page.getByTestId("hp-install").count(),
    0,
    "nothing can be installed before review",
  );

  // The plan is edited before it is approved, and taken back.
  const slot = page.locator("hp-plan-card select").first();
  const before = await slot.inputValue();
  await slot.selectOption("dock.left");
  await page.locator("hp-plan-card").getByTestId("hp-undo").click();
  await page.locator("hp-plan-card").getByTestId("hp-undo").waitFor({ state: "detached" });
  assert.equal(await slot.inputValue(), before);
  await slot.selectOption("dock.left");
  await page.locator("hp-plan-card").getByTestId("hp-undo").waitFor();
  await page.getByTestId("hp-approve").click();

  await page.getByTestId("hp-install").waitFor({ timeout: 120_000 });
  assert.equal((await replayed(page)).state, "review", "the log alone leads to the review");
  await page.locator("hp-workbench summary").filter({ hasText: "run" }).last().click();
  const attempts = page.locator("hp-run-timeline");
  await attempts.getByText("Attempt 3").waitFor();
  await attempts
    .locator('[data-attempt="0"]')
    .getByText(/Check found \d+ error/)
    .waitFor();
  await attempts
    .locator('[data-attempt="1"]')
    .getByText(/tests? failed/)
    .first()
    .waitFor();

  await signed(page);
  const dock = await panel(page, "4 of 13 walls have a fire rating");
  assert.equal(
    await dock.locator("table").first().locator("tbody tr").count(),
    3,
    "a row for each storey",
  );
  await dock.getByText("Share of rated walls").first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dock.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "fire-rating-coverage.csv");
  assert.equal(readFileSync(await download.path(), "utf8"), STORED_CSV);
  assert.equal((await replayed(page)).state, "installed", "the log alone leads to the end");

  await page.reload();
  await rows(page);
  await panel(page, "4 of 13 walls have a fire rating");

  await page.getByTestId("hp-extensions").click();
  await page.locator("hp-extensions").getByTestId("hp-uninstall").click();
  await page.locator("hp-widget-panel").getByText("4 of 13").waitFor({ state: "detached" });
  await page.reload();
  await rows(page);
  assert.equal(
    await page.locator("hp-widget-panel").getByText("4 of 13").count(),
    0,
    "it does not come back",
  );
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});

test("a button of the toolbar selects in the model; undo takes it back and redo brings it again", {
  timeout: 120_000,
}, async () => {
  const page = await opened(browser, stack.url);
  await reviewed(page, "Make a button that selects external walls without a U-value");
  await signed(page);
  const button = page
    .getByRole("toolbar")
    .getByRole("button", { name: "Select external walls without a U-value" });
  await button.click();
  await page.locator("hp-toast").getByText("8 external walls have no U-value").waitFor();

  await page.locator("hp-workbench").getByTestId("hp-undo").click();
  await button.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Earlier changes" }).click();
  await page.getByTestId("hp-redo").click();
  await button.waitFor();
  await page.reload();
  await rows(page);
  await button.waitFor();
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});

test("on a narrow screen the same road ends in the panels' pane", {
  timeout: 120_000,
}, async () => {
  const page = await opened(browser, stack.url, { viewport: { width: 390, height: 844 } });
  await reviewed(page, "Make a panel with a form that finds elements by type and name");
  // Nobody signs what has not stood before his eyes: here it has a pane of its own.
  const foot = page.locator("hp-approval");
  await foot.getByText("See it on your model before you sign.").waitFor();
  await foot.getByRole("button", { name: "Preview", exact: true }).click();
  await panel(page, "Choose a type, or write a part of a name.");
  await page.getByRole("button", { name: /^Change/ }).click();
  await signed(page);
  const dock = await panel(page, "Choose a type, or write a part of a name.");
  await dock.getByLabel("Type").selectOption({ label: "Doors" });
  await dock.getByLabel("Name contains").fill("door f");
  await dock.getByRole("button", { name: "Find and select" }).click();
  await dock.getByText("3 found and selected").waitFor();
  assert.equal(
    await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
    false,
    "it scrolls sideways",
  );
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});

test("a question gets its answer, which becomes a tool; a request that nobody knows starts no attempt", {
  timeout: 120_000,
}, async () => {
  const page = await opened(browser, stack.url);
  await ask(page, "How many doors are there?");
  const answer = page.locator("hp-answer");
  await answer.getByText(/The model has \d+ doors\./).waitFor({ timeout: 120_000 });
  await page.getByTestId("hp-make").click();
  await page.getByTestId("hp-promote-go").click();
  await page.locator("hp-review").getByText("not tested").waitFor({ timeout: 120_000 });
  await page.locator('[data-testid="hp-install"]:not([disabled])').click();
  await page.locator("hp-stamp").waitFor();
  // The project has it as what it is.
  await page.reload();
  await page.locator("hp-stamp").waitFor({ timeout: 120_000 });
  await page.locator("hp-workbench").getByRole("button", { name: "New change" }).click();
  await ask(page, "Make a tool that faxes the door list");
  const chat = page.locator("hp-conversation");
  await chat.getByText("This request is not among them").waitFor({ timeout: 120_000 });
  assert.equal(await page.locator("hp-run-timeline").count(), 0);
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});

test("a run that never gets there stops, says why, and installs nothing", {
  timeout: 120_000,
}, async () => {
  const page = await opened(browser, stack.url);
  const lost: [string, RegExp][] = [
    ["Make a button that measures the escape routes", /5 attempts|same result/],
    ["Make a button to print all the drawings", /answered in words/],
  ];
  for (const [words, said] of lost) {
    await ask(page, words);
    await page.getByTestId("hp-approve").click();
    const callout = page.locator("hp-workbench [role=alert]");
    await callout.waitFor({ timeout: 120_000 });
    assert.match(await callout.innerText(), said);
    assert.match(await callout.innerText(), /Nothing was installed|as before/);
    assert.equal(await page.getByTestId("hp-install").count(), 0);
  }
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});
