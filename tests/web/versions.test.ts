// Each version stays (UI.md §1.6, §11): a hand edit and what a model wrote are both there after "Make another version",
// can be compared and chosen, and what is signed is the one that is shown; a reload, a stop and a discard keep them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { replies } from "./doors.ts";
import { ask, pages, ready, reviewed } from "./edge/extensions.ts";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";

const install = (page: Page) => page.getByTestId("hp-install");
const print = (page: Page) => install(page).locator(".fp").innerText();
const open = (page: Page) => page.locator('[data-testid="hp-install"]:not([disabled])').waitFor();
const version = (page: Page, letter: string) => page.getByTestId(`hp-choose-${letter}`);
const letters = (page: Page) => page.locator("hp-versions thead label").allInnerTexts();

/** Another bundle for the same plan. */
const other = (mark: string): string =>
  (replies()[1] ?? "").replace("export default", `// ${mark}\nexport default`);

/** A person's own line at the top of the code, saved. */
async function edits(page: Page, line: string): Promise<void> {
  await page.getByRole("button", { name: "Edit source" }).click();
  await page.locator("hp-source").getByText("src/count.js").first().click();
  await page.locator("hp-source .cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type(`${line}\n`);
  await page.getByTestId("hp-save").click();
}

const another = (page: Page) =>
  page.getByRole("button", { name: /^Make (another version|a third)/ }).click();

/** A review of a hand edit, and then another version of the model. */
async function both(page: Page): Promise<{ hand: string; model: string }> {
  await reviewed(page, ASK);
  await open(page);
  await edits(page, "// mine");
  await open(page);
  const hand = await print(page);
  await another(page);
  await version(page, "C").waitFor({ timeout: 120_000 });
  await open(page);
  return { hand, model: await print(page) };
}

test("a hand edit stays beside another version, is chosen, and is what is signed", async () => {
  const { page, edge } = await opened({ replies: [...replies(), other("second")] });
  const { hand, model } = await both(page);
  assert.notEqual(hand, model);
  assert.deepEqual(await letters(page), ["Version A", "Version B", "Version C"]);
  assert.ok(await version(page, "C").isChecked());
  assert.match(await install(page).innerText(), /^Install C/);
  await version(page, "B").check();
  await page.locator("hp-approval").getByText("You install version B").waitFor();
  await open(page);
  assert.equal(await print(page), hand);
  const beside = page.getByTestId("hp-compare-C");
  await beside.locator("summary").first().click();
  await beside.locator("hp-diff").waitFor();
  await beside.getByText("// second").locator("visible=true").first().waitFor();
  await install(page).click();
  await page.locator("hp-stamp").waitFor();
  const signed = edge.installs[0];
  assert.match(signed?.files["src/count.js"] ?? "", /^\/\/ mine/);
  assert.equal(signed?.origin, "hand");
  assert.ok(signed?.result_hash.includes(hand.replace(" ", "").toLowerCase()));
  await closed(page);
});

test("a reload keeps the versions and which one is shown", async () => {
  const { page } = await opened({ replies: [...replies(), other("second")] });
  const { hand } = await both(page);
  await version(page, "B").check();
  await page.locator("hp-approval").getByText("You install version B").waitFor();
  // It can be signed once the device has the choice.
  await open(page);
  await page.reload();
  await ready(page);
  await open(page);
  assert.deepEqual(await letters(page), ["Version A", "Version B", "Version C"]);
  assert.ok(await version(page, "B").isChecked());
  assert.equal(await print(page), hand);
  await closed(page);
});

test("a new fingerprint takes the ticks of the one before it", async () => {
  const { page } = await opened({ replies: [...replies(), other("second")] });
  await reviewed(page, ASK);
  await open(page);
  await another(page);
  await version(page, "B").waitFor({ timeout: 120_000 });
  await open(page);
  const colour = page.getByTestId("hp-grant-viewer.select");
  await colour.uncheck();
  await open(page);
  await version(page, "A").check();
  await page.locator("hp-approval").getByText("You install version A").waitFor();
  assert.ok(await colour.isChecked());
  await closed(page);
});

test("an edit that fails is named while another version is written, and is there to go on with", async () => {
  const { page } = await opened({ replies: [...replies(), other("second")] });
  await reviewed(page, ASK);
  await open(page);
  await edits(page, "const mine = window;");
  const callout = page.locator("hp-workbench [role=alert]");
  await callout.getByText("Your edit is not valid yet").waitFor();
  await page.getByRole("button", { name: "Run again" }).click();
  await version(page, "C").waitFor({ timeout: 120_000 });
  await open(page);
  const facts = page.locator("hp-versions tbody");
  await facts.getByText("no, it does not pass").waitFor();
  await version(page, "B").check();
  await callout.getByText("Your edit is not valid yet").waitFor();
  await page.getByRole("button", { name: "Open the source" }).click();
  await page.locator("hp-source").getByText("src/count.js").first().click();
  await page.locator("hp-source .cm-content").getByText("const mine = window;").waitFor();
  await closed(page);
});

test("what a person discards or stops can be chosen again", async () => {
  const { page } = await opened({ replies: [...replies(), other("second")] });
  const { hand } = await both(page);
  await page.getByTestId("hp-discard").click();
  await page.locator("hp-versions").getByText("Kept").waitFor();
  await version(page, "B").check();
  await open(page);
  assert.equal(await print(page), hand);
  await closed(page);
});

test("while another version is written, what stays is named with its fingerprint", async () => {
  const { page, edge } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  await open(page);
  await edits(page, "// mine");
  await open(page);
  const hand = await print(page);
  // The model never answers: the run goes on.
  edge.replies.push("");
  await another(page);
  await page.locator("hp-workbench").getByText(`Version B ${hand} (you)`).waitFor();
  await closed(page);
});

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [1440, 390])
    test(`versions side by side, ${width} px, ${colorScheme}: axe, keyboard, no sideways scroll`, async () => {
      const { page } = await opened({
        replies: [...replies(), other("second")],
        viewport: { width, height: width === 390 ? 844 : 900 },
        colorScheme,
      });
      if (width === 390) await page.getByRole("button", { name: /^Change/ }).click();
      await ask(page, ASK);
      await page.getByTestId("hp-approve").click();
      if (width === 1440) await open(page);
      await install(page).waitFor({ timeout: 120_000 });
      if (width === 390) await page.locator("hp-approval .more").click();
      await page.getByText("Make another version").last().click();
      await version(page, "B").waitFor({ timeout: 120_000 });
      await version(page, "B").focus();
      await page.keyboard.press("ArrowLeft");
      // A narrow foot has no room for the name of the version.
      if (width === 1440) await page.locator("hp-approval").getByText("version A").waitFor();
      else await page.locator('[data-testid="hp-choose-A"]:checked').waitFor();
      assert.ok(await version(page, "A").isChecked());
      const focus = await page.evaluate(() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at?.id;
      });
      assert.equal(focus, "v-A", "the focus stays with the choice");
      assert.deepEqual(await violations(page), []);
      assert.equal(await sideways(page), false);
      const shots = process.env.HOLDPOINT_SHOTS;
      if (shots) await page.screenshot({ path: `${shots}/versions-${width}-${colorScheme}.png` });
      await closed(page);
    });
