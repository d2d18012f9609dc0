// Nothing is lost (UI.md §1.6): the column stays after an undo, a plan can be approved whatever is unticked, and an
// edit that fails its check is still there.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { plan, replies } from "./doors.ts";
import { ask, pages, ready, reviewed, signed } from "./edge/extensions.ts";
import { focusOn } from "./page.ts";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";

/** Where the column of the change stands. */
const column = (page: Page) => page.locator("section.work").boundingBox();

for (const width of [1440, 1000])
  test(`after an undo the column of the change stands where it stood before the install, ${width} px`, async () => {
    const { page } = await opened({ viewport: { width, height: 900 }, replies: replies() });
    const before = await column(page);
    await reviewed(page, ASK);
    await page.getByTestId("hp-install").click();
    await page.locator("hp-stamp").waitFor();
    await page.locator("hp-workbench").getByTestId("hp-undo").click();
    await page.locator("hp-stamp").waitFor({ state: "detached" });
    await page.locator("hp-toast").getByText("Door count").waitFor();
    assert.deepEqual(await column(page), before);
    await closed(page);
  });

test("a change that comes back after a reload leaves the focus where a person has it", async () => {
  const { page } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  await signed(page);
  let allow = () => {};
  const allowed = new Promise<void>((resolve) => {
    allow = resolve;
  });
  // Changes are read once the checks are there.
  await page.route(/check[^/]*\.wasm/, async (route) => {
    await allowed;
    await route.continue();
  });
  await page.reload();
  await ready(page);
  const commands = page.getByTestId("hp-commands");
  await commands.focus();
  allow();
  await page.locator("hp-stamp").waitFor();
  await page.locator("hp-widget-panel").getByText("7").first().waitFor();
  await focusOn(commands);
  await closed(page);
});

/** A second command with a test and a button of its own. */
const second = {
  ...plan,
  contributions: [
    ...plan.contributions,
    { kind: "command", id: "doors.list", label: "List doors" },
    {
      kind: "toolbar",
      id: "doors.button",
      label: "Doors",
      slot: "toolbar.right",
      command: "doors.list",
    },
  ],
  tests: [
    ...plan.tests,
    {
      name: "lists",
      fixture: "house-small",
      contribution: "doors.list",
      assertionSummary: "7 rows",
    },
  ],
};
const planned = (value: object) => [`\`\`\`hp:plan\n${JSON.stringify(value)}\n\`\`\`\n`];
const part = (page: Page, name: string) =>
  page.locator("hp-plan-card").getByRole("checkbox", { name: new RegExp(`^${name}`) });

test("a part that is unticked takes its test with it, and the plan can be approved", async () => {
  const { page } = await opened({ replies: planned(second) });
  await ask(page, ASK);
  await page.getByTestId("hp-approve").waitFor();
  await part(page, "Toolbar button Doors").uncheck();
  await part(page, "Command List doors").uncheck();
  await page.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();
  const test = part(page, "7 rows");
  assert.equal(await test.isChecked(), false, "it stays on the card, struck through");
  await part(page, "Command List doors").check();
  await page.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();
  assert.ok(await test.isChecked(), "it comes back with its part");
  await closed(page);
});

test("what keeps a plan from being approved is named at the foot, which leads to it", async () => {
  const { page } = await opened({ replies: planned(second) });
  await ask(page, ASK);
  await page.getByTestId("hp-approve").waitFor();
  await part(page, "Command List doors").uncheck();
  const foot = page.locator("hp-approval");
  await foot.getByText("Plan the command").waitFor();
  await page.setViewportSize({ width: 1440, height: 420 });
  await foot.getByRole("button", { name: "Show" }).click();
  const row = page.locator("hp-plan-card .row-finding");
  await focusOn(row);
  const box = await row.boundingBox();
  const end = await foot.boundingBox();
  assert.ok(box && end && box.y + box.height <= end.y, "it is in sight above the foot");
  await closed(page);
});

test("a test can be taken out, and then the part that it tested says so", async () => {
  const { page } = await opened({ replies: planned(second) });
  await ask(page, ASK);
  await page.getByTestId("hp-approve").waitFor();
  await part(page, "7 rows").uncheck();
  await page.locator("hp-plan-card li").filter({ hasText: "Plan a test that runs" }).waitFor();
  assert.ok(await page.getByTestId("hp-approve").isDisabled());
  await part(page, "7 rows").check();
  await page.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();
  await closed(page);
});

/** From now on the run's worker hears of what a person does late, as on a busy device. */
const hearsLate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, message: { do?: string }) {
      const late = message.do === "send" ? 1_500 : 0;
      setTimeout(() => post.call(this, message), late);
    };
  });

test("while an edit of the plan is on its way to the run, the plan before it cannot be approved", async () => {
  const { page } = await opened({ replies: planned(second) });
  await ask(page, ASK);
  await page.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();
  await hearsLate(page);
  await part(page, "Toolbar button Doors").uncheck();
  assert.ok(await page.getByTestId("hp-approve").isDisabled());
  await page.locator("hp-approval").getByText("Checking what is shown.").waitFor({ timeout: 500 });
  // The next edit goes on from this one.
  await part(page, "Command List doors").uncheck();
  await page.locator('[data-testid="hp-approve"]:not([disabled])').waitFor();
  assert.equal(await part(page, "Toolbar button Doors").isChecked(), false);
  assert.equal(await part(page, "Command List doors").isChecked(), false);
  await closed(page);
});

/** The text of the open file in the editor. */
const text = (page: Page) => page.locator("hp-source .cm-content").innerText();
const openSource = async (page: Page) => {
  await page.getByRole("button", { name: "Open the source" }).click();
  await page.locator("hp-source").getByText("src/count.js").first().click();
  await page.locator("hp-source .cm-content").getByText("export default").first().waitFor();
};

test("a hand edit that fails its check is what the source shows, also after a reload", async () => {
  const { page } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  await page.getByRole("button", { name: "Edit source" }).click();
  await page.locator("hp-source").getByText("src/count.js").first().click();
  await page.locator("hp-source .cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("const mine = window;\n");
  await page.getByTestId("hp-save").click();
  const callout = page.locator("hp-workbench [role=alert]");
  await callout.getByText("Your edit is not valid yet").waitFor();
  assert.match(await callout.innerText(), /`?ctx`?: there is no `?window`?/);
  assert.match(await callout.innerText(), /Your edit, as you wrote it/);
  await openSource(page);
  assert.match(await text(page), /^const mine = window;/);
  await page.reload();
  await ready(page);
  await openSource(page);
  assert.match(await text(page), /^const mine = window;/);
  // It is mended from there, and what is reviewed is the edit.
  await page.locator("hp-source .cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.type("const mine = 1;");
  await page.getByTestId("hp-save").click();
  await page.getByTestId("hp-install").waitFor();
  await closed(page);
});

test("dropping an edit that failed leads back to the review of what passed", async () => {
  const { page } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  const print = await page.getByTestId("hp-install").locator(".fp").innerText();
  await page.getByRole("button", { name: "Edit source" }).click();
  await page.locator("hp-source").getByText("src/count.js").first().click();
  await page.locator("hp-source .cm-content").click();
  await page.keyboard.type("window;");
  await page.getByTestId("hp-save").click();
  await page.getByRole("button", { name: "Open the source" }).click();
  await page.getByRole("button", { name: "Drop my edits" }).click();
  await page.locator('[data-testid="hp-install"]:not([disabled])').waitFor();
  assert.equal(await page.getByTestId("hp-install").locator(".fp").innerText(), print);
  await closed(page);
});

test("while an edit is on its way to the run, the bundle before it cannot be signed", async () => {
  const { page, edge } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  await hearsLate(page);
  await page.getByRole("button", { name: "Edit source" }).click();
  await page.locator("hp-source").getByText("src/count.js").first().click();
  await page.locator("hp-source .cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// mine\n");
  await page.getByTestId("hp-save").click();
  await page.getByText("Checking what is shown.").waitFor();
  assert.ok(await page.getByTestId("hp-install").isDisabled());
  await page.locator('[data-testid="hp-install"]:not([disabled])').waitFor();
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  assert.match(edge.installs[0].files["src/count.js"], /^\/\/ mine/);
  await closed(page);
});

test("what was said without a change and what stands in the composer are there after a reload", async () => {
  const { page } = await opened();
  const field = page.locator("hp-composer textarea");
  const answer = page.getByRole("button", { name: "Make a tool" });
  await ask(page, "Paint the doors red");
  await answer.waitFor();
  await field.fill("And how many");
  for (const again of ["once", "twice"]) {
    await page.reload();
    await ready(page);
    await answer.waitFor();
    assert.equal(await field.inputValue(), "And how many", again);
  }
  await closed(page);
});

test("a request that could not be asked stays in the field, and is asked again from there", async () => {
  const { page } = await opened({ replies: replies() });
  await page.route(/check.*\.wasm/, (route) => route.abort());
  await page.reload();
  await ready(page);
  await ask(page, ASK);
  await page.locator("hp-notice").getByText("Nothing was asked.").waitFor();
  assert.equal(await page.locator("hp-composer textarea").inputValue(), ASK);
  assert.ok(await page.getByTestId("hp-send").isEnabled());
  await page.unroute(/check.*\.wasm/);
  await page.getByTestId("hp-send").click();
  await page.getByTestId("hp-approve").waitFor({ timeout: 120_000 });
  await closed(page);
});
