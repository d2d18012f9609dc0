// Two versions of one plan run side by side on the open model (UI.md §11): only the one that is signed touches the
// page, and choosing the other one swaps what is signed without running anything again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { WidgetPanel } from "../../www/elements/src/dock/widget-panel.ts";
import { sideways, violations } from "./axe.ts";
import { replies } from "./doors.ts";
import { ask, pages, ready, reviewed } from "./edge/extensions.ts";
import { focusOn } from "./page.ts";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";
const [RED, BLUE] = ["#C0392B", "#2040C0"];
/** A model that no test of the extension runs on. */
const OFFICE = fileURLToPath(new URL("../../fixtures/ifc/office-fire.ifc", import.meta.url));

/** Another bundle for the same plan. */
const blue = (replies()[1] ?? "").replace(RED, BLUE);

const side = (page: Page, letter: string) => page.locator(`[data-version="${letter}"]`);
const panel = (page: Page, letter: string) => side(page, letter).locator("hp-widget-panel");
const version = (page: Page, letter: string) => page.getByTestId(`hp-choose-${letter}`);
const install = (page: Page) => page.getByTestId("hp-install");
const signs = (page: Page) => page.locator('[data-testid="hp-install"]:not([disabled])').waitFor();
const foot = (page: Page) => page.locator("hp-approval");
const colour = (page: Page, hex: string) => page.locator(`hp-elements [style*="${hex}" i]`);
const ran = (page: Page, letter: string) =>
  panel(page, letter)
    .getByText(/^\d+[.]\d s · \d/)
    .waitFor();
/** The names of the trials that the two panels show. */
const trials = (page: Page) =>
  page
    .locator("[data-version] hp-widget-panel")
    .evaluateAll((all) => all.map((one) => (one as WidgetPanel).view?.dock));

/** A review, and then another version. */
async function both(page: Page): Promise<void> {
  await reviewed(page, ASK);
  await signs(page);
  await foot(page).getByRole("button", { name: "Make another version" }).click();
  await version(page, "B").waitFor({ timeout: 120_000 });
  await ran(page, "A");
  await ran(page, "B");
}

test("both run, the one that is signed alone colours, and choosing the other runs nothing again", async () => {
  const { page, edge } = await opened({ replies: [...replies(), blue] });
  await both(page);
  for (const letter of ["A", "B"]) {
    await panel(page, letter).getByRole("heading", { name: "7" }).waitFor();
    await panel(page, letter).getByText("Selected 7 elements").waitFor();
  }
  const print = (letter: string) => panel(page, letter).locator(".fp-chip").innerText();
  await signs(page);
  assert.match(await install(page).innerText(), /^Install B/);
  assert.equal(await install(page).locator(".fp").innerText(), await print("B"));
  const facts = page.locator("hp-versions tbody tr", { hasText: "Fingerprint" }).locator("td");
  assert.deepEqual(await facts.allInnerTexts(), [await print("A"), await print("B")]);
  assert.ok(await page.locator("section.mid").isHidden(), "the model gives way");
  const before = await trials(page);
  await version(page, "A").check();
  await foot(page).getByText("You install version A").waitFor();
  await signs(page);
  assert.deepEqual(await trials(page), before);
  assert.equal(await install(page).locator(".fp").innerText(), await print("A"));
  await panel(page, "A").getByRole("button", { name: "Close the preview" }).click();
  await colour(page, RED).first().waitFor();
  assert.equal(await colour(page, BLUE).count(), 0);
  await install(page).click();
  await page.locator("hp-stamp").waitFor();
  assert.match(edge.installs[0]?.files["src/count.js"] ?? "", new RegExp(RED));
  await closed(page);
});

test("closing brings the model back as it was, and the previews come again as they were", async () => {
  const { page } = await opened({ replies: [...replies(), blue] });
  const search = page.locator("hp-find input");
  await search.fill("IfcDoor");
  await both(page);
  const before = await trials(page);
  await panel(page, "B").getByRole("button", { name: "Close the preview" }).click();
  await page.waitForFunction(() => document.activeElement !== document.body);
  await search.waitFor();
  assert.equal(await search.inputValue(), "IfcDoor");
  await colour(page, BLUE).first().waitFor();
  assert.equal(await side(page, "A").count(), 0);
  await foot(page).getByRole("button", { name: "Preview", exact: true }).click();
  await panel(page, "A").getByRole("heading", { name: "7" }).waitFor();
  assert.deepEqual(await trials(page), before);
  await foot(page).getByRole("button", { name: "Discard both" }).click();
  await side(page, "A").waitFor({ state: "detached" });
  await search.waitFor();
  assert.equal(await colour(page, BLUE).count(), 0);
  await closed(page);
});

test("each runs again by itself, and after a reload both run again", async () => {
  const { page } = await opened({ replies: [...replies(), blue] });
  await both(page);
  const [a, b] = await trials(page);
  await panel(page, "A").getByRole("button", { name: "Run the preview again" }).click();
  await page.waitForFunction((last) => {
    const root = document.querySelector("#page")?.shadowRoot;
    const one = root?.querySelector<WidgetPanel>('[data-version="A"] hp-widget-panel');
    return one?.view?.dock !== last && one?.view?.busy === false;
  }, a);
  assert.equal((await trials(page))[1], b);
  await version(page, "A").check();
  await foot(page).getByText("You install version A").waitFor();
  await page.reload();
  await ready(page);
  await ran(page, "A");
  await ran(page, "B");
  assert.ok(await version(page, "A").isChecked());
  await signs(page);
  await panel(page, "A").getByRole("button", { name: "Close the preview" }).click();
  await colour(page, RED).first().waitFor();
  await closed(page);
});

test("one that stops says so in its own panel, and leaves the signature of the other open", async () => {
  const stopping = blue.replace(
    "  return { doors:",
    '  if (ctx.bim.query.count("IfcDoor") > 7) null.name;\n  return { doors:',
  );
  const { page } = await opened({ replies: [...replies(), stopping] });
  const picks = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open another model" }).first().click();
  await (await picks).setFiles(OFFICE);
  await page.getByText("office-fire.ifc").first().waitFor();
  await both(page);
  const stopped = panel(page, "B").getByText("It stopped on this model");
  await stopped.waitFor();
  const tick = page.getByRole("checkbox", { name: /^I saw that it stops on/ });
  await tick.waitFor();
  assert.ok(await install(page).isDisabled());
  await version(page, "A").check();
  await signs(page);
  assert.match(await install(page).innerText(), /^Install A/);
  assert.equal(await tick.count(), 0);
  await stopped.waitFor();
  // The source that would open is that of version A.
  assert.equal(await panel(page, "B").getByRole("button", { name: "Edit source" }).count(), 0);
  await page.locator("hp-versions tbody").getByText("it stopped").waitFor();
  await closed(page);
});

test("of three versions a person picks which one runs beside the one that is shown", async () => {
  const green = blue.replace(BLUE, "#20C040");
  const { page } = await opened({ replies: [...replies(), blue, green] });
  await both(page);
  await foot(page).getByRole("button", { name: "Make a third" }).click();
  await version(page, "C").waitFor({ timeout: 120_000 });
  await ran(page, "C");
  await ran(page, "B");
  assert.equal(await side(page, "A").count(), 0);
  await foot(page).getByRole("button", { name: "Make another version" }).waitFor();
  await foot(page).getByRole("button", { name: "Discard all" }).waitFor();
  const [, c] = await trials(page);
  await page.locator("hp-versions").getByRole("button", { name: "Run beside" }).click();
  await ran(page, "A");
  assert.equal(await side(page, "B").count(), 0);
  assert.equal((await trials(page))[1], c, "the one that is shown goes on");
  await closed(page);
});

test("a permission that one of them does without is named, and the list below is of the one shown", async () => {
  const less = (replies()[1] ?? "")
    .replace(/,\s*"viewer.select"/, "")
    .replace(/ {2}if \(ctx.can\("viewer.select"\).*\n/, "")
    .replace('ctx.can("viewer.select")', "false");
  const { page } = await opened({ replies: [...replies(), less] });
  await both(page);
  const may = page.locator("hp-versions tbody tr", { hasText: "It may" }).locator("td");
  const [a, b] = await may.allInnerTexts();
  assert.equal(a, "as in the plan");
  assert.match(b ?? "", /^2 permissions\s+without “.+”$/);
  await page.getByRole("heading", { name: "Version B may" }).waitFor();
  await version(page, "A").check();
  await page.getByRole("heading", { name: "Version A may" }).waitFor();
  await closed(page);
});

test("what each cost stands among their facts, and stays after a reload", async () => {
  const { page, edge } = await opened({ replies: [...replies(), blue] });
  edge.account.spent_tokens = 12_000;
  await reviewed(page, ASK);
  await signs(page);
  edge.account = { ...edge.account, id: "run_2", spent_tokens: 34_000 };
  await foot(page).getByRole("button", { name: "Make another version" }).click();
  const cost = page.locator("hp-versions tbody tr", { hasText: "Cost" }).locator("td");
  await cost.getByText("34,000 tokens").waitFor();
  assert.deepEqual(await cost.allInnerTexts(), ["12,000 tokens", "34,000 tokens"]);
  await page.reload();
  await ready(page);
  await cost.getByText("34,000 tokens").waitFor();
  assert.deepEqual(await cost.allInnerTexts(), ["12,000 tokens", "34,000 tokens"]);
  await closed(page);
});

test("F6 goes through both panels, and axe finds nothing", async () => {
  const { page } = await opened({ replies: [...replies(), blue] });
  await both(page);
  const at = async (): Promise<string> => {
    for (const name of ["A", "B"])
      if (await side(page, name).evaluate((pane) => pane.matches(":focus-within"))) return name;
    return "";
  };
  const seen: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    await page.keyboard.press("F6");
    seen.push(await at());
  }
  assert.match(seen.join(" "), /A B/);
  assert.deepEqual(await violations(page), []);
  await closed(page);
});

test("a narrow page turns between them, with the one that is signed in front", async () => {
  const viewport = { width: 390, height: 844 };
  const { page } = await opened({ viewport, replies: [...replies(), blue] });
  await page.getByRole("button", { name: /^Change/ }).click();
  await ask(page, ASK);
  await page.getByTestId("hp-approve").click();
  await install(page).waitFor({ timeout: 120_000 });
  await foot(page).locator(".more").click();
  await page.getByText("Make another version").last().click();
  await version(page, "B").waitFor({ timeout: 120_000 });
  await foot(page).getByText("See it on your model before you sign.").waitFor();
  assert.ok(await install(page).isDisabled());
  await foot(page).getByRole("button", { name: "Preview", exact: true }).first().click();
  await panel(page, "B").getByRole("heading", { name: "7" }).waitFor();
  assert.ok(await side(page, "A").isHidden());
  assert.deepEqual(await violations(page), []);
  assert.equal(await sideways(page), false);
  const tab = (letter: string) => page.getByRole("tab", { name: `Version ${letter}` });
  await tab("B").focus();
  await page.keyboard.press("ArrowLeft");
  await panel(page, "A").getByRole("heading", { name: "7" }).waitFor();
  await focusOn(tab("A"));
  assert.ok(await side(page, "B").isHidden());
  await page.getByRole("button", { name: /^Change/ }).click();
  await signs(page);
  assert.match(await install(page).innerText(), /^Install B/);
  assert.deepEqual(await violations(page), []);
  assert.equal(await sideways(page), false);
  await closed(page);
});
