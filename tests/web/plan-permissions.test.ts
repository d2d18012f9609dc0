// What a newcomer met at the plan: a permission that a part needs has no tick, one that the model planned its code with
// leads to another plan and not into a run that cannot end well, and what a part leaves behind is offered to go too.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { plan, replies } from "./doors.ts";
import { ask, pages, ready } from "./edge/extensions.ts";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";

const fence = (value: object): string => `\`\`\`hp:plan\n${JSON.stringify(value)}\n\`\`\`\n`;
const withExport = {
  ...plan,
  contributions: [
    ...plan.contributions,
    { kind: "exporter", id: "doors.csv", label: "Doors as CSV", format: "csv" },
    {
      kind: "toolbar",
      id: "doors.button",
      label: "Count",
      slot: "toolbar.right",
      command: "doors.count",
    },
  ],
  capabilities: [...plan.capabilities, "export.create:csv"],
  tests: [
    ...plan.tests,
    {
      name: "csv",
      fixture: "house-small",
      contribution: "doors.csv",
      assertionSummary: "7 lines",
    },
  ],
};

const card = (page: Page) => page.locator("hp-plan-card");
const box = (page: Page, name: string) =>
  card(page).getByRole("checkbox", { name: new RegExp(`^${name}`) });
const row = (page: Page, text: string) => card(page).locator("li").filter({ hasText: text });
const approves = (page: Page) =>
  page.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();

async function planned(texts: string[]) {
  const { page, edge } = await opened({ replies: texts });
  await ask(page, ASK);
  await approves(page);
  return { page, edge };
}

test("a permission that a part of the plan needs has no tick and names the part", async () => {
  const { page } = await planned([fence(withExport)]);
  const csv = row(page, "CSV files");
  await csv.getByText("needed by Export Doors as CSV").waitFor();
  assert.equal(await csv.getByRole("checkbox").count(), 0);
  await box(page, "Export Doors as CSV").uncheck();
  await box(page, "Save CSV files").waitFor();
  await closed(page);
});

test("a permission that the model planned its code with is taken out by another plan", async () => {
  const without = { ...plan, capabilities: ["model.read", "viewer.colorize"] };
  const { page } = await planned([...replies().slice(0, 1), fence(without)]);
  const select = row(page, "what is selected");
  await select.getByRole("checkbox").uncheck();
  await select.getByText("The model planned its code with this").waitFor();
  assert.doesNotMatch(await select.innerText(), /viewer\.select/, "in words, and not as an id");
  assert.ok(await page.getByTestId("hp-approve").isDisabled());
  await page.reload();
  await ready(page);
  await select.getByText("The model planned its code with this").waitFor();
  assert.doesNotMatch(await select.innerText(), /viewer\.select/, "also after a reload");
  await select.getByRole("button", { name: "Ask for a plan without it" }).click();
  const field = page.locator("hp-composer textarea");
  assert.match(await field.inputValue(), /Do without this permission: .*selected/);
  await page.keyboard.press("Enter");
  await approves(page);
  assert.equal(await row(page, "what is selected").count(), 0);
  await closed(page);
});

test("what a part leaves behind is offered to go with it", async () => {
  const { page } = await planned([fence(withExport)]);
  await box(page, "Export Doors as CSV").uncheck();
  const exported = row(page, "Export Doors as CSV");
  await exported.getByRole("button", { name: /CSV files/ }).click();
  await approves(page);
  assert.equal(await box(page, "Save CSV files").isChecked(), false);
  assert.equal(await box(page, "7 lines").isChecked(), false, "its test went too");
  await box(page, "Command Count doors").uncheck();
  await row(page, "Command Count doors")
    .getByRole("button", { name: "Toolbar button Count" })
    .click();
  assert.equal(await box(page, "Toolbar button Count").isChecked(), false);
  await closed(page);
});
