// The road by keyboard alone: nothing on it needs a pointer, and no signature is given by accident.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { opened, panel, thrown } from "./road.ts";
import { browser, stack, withStack } from "./stack.ts";

/** More Tab presses than the page has stops. */
const STOPS = 80;

withStack();

/** The focused element, through shadow roots: its role, name and test id. */
const focused = (page: Page) =>
  page.evaluate(() => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return {
      tag: node?.tagName ?? "",
      id: node instanceof HTMLElement ? (node.dataset.testid ?? "") : "",
      text: node?.textContent?.trim() ?? "",
    };
  });

type Focused = Awaited<ReturnType<typeof focused>>;

async function tabTo(page: Page, found: (at: Focused) => boolean) {
  for (let i = 0; i < STOPS; i += 1) {
    await page.keyboard.press("Tab");
    if (found(await focused(page))) return;
  }
  assert.fail("Tab does not lead there");
}

async function sign(page: Page, id: string, screen: string) {
  await page.locator(`[data-testid="${id}"]:not([disabled])`).waitFor({ timeout: 120_000 });
  assert.notEqual((await focused(page)).id, id, "focus is not put on the signature");
  await page.keyboard.press("Control+Enter");
  assert.equal((await focused(page)).id, id);
  assert.equal(
    await page.locator("hp-workbench").getAttribute("data-state"),
    screen,
    "focus alone signs nothing",
  );
  await page.keyboard.press("Enter");
}

test("ask, approve, install and use the panel without a pointer", {
  timeout: 150_000,
}, async () => {
  const page = await opened(browser, stack.url);
  await tabTo(page, ({ id }) => id === "hp-ask");
  await page.keyboard.type("Add a panel that shows fire-rating coverage by storey");
  await page.keyboard.press("Enter");
  await sign(page, "hp-approve", "plan");
  await sign(page, "hp-install", "review");
  // The preview showed the same words: from here on they are the installed panel's.
  await page.locator("hp-stamp").waitFor();
  await page
    .locator("hp-widget-panel")
    .getByText("Preview", { exact: true })
    .waitFor({ state: "detached" });
  await panel(page, "4 of 13 walls have a fire rating");

  await tabTo(page, ({ text }) => text === "Export CSV");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.keyboard.press("Enter"),
  ]);
  assert.equal(download.suggestedFilename(), "fire-rating-coverage.csv");

  await tabTo(page, ({ id }) => id === "hp-undo");
  await page.keyboard.press("Enter");
  await page.locator("hp-widget-panel").getByText("4 of 13").waitFor({ state: "detached" });
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});

test("an app is made, changed by asking, applied and published without a pointer", {
  timeout: 600_000,
}, async () => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(180_000);
  const errors: string[] = [];
  page.on("pageerror", (error: Error) => errors.push(String(error.stack ?? error)));
  await page.goto(`${stack.origin}/apps#token=${stack.user_token}`);
  await page.getByTestId("hp-app-name").waitFor();
  await tabTo(page, ({ id }) => id === "hp-app-name");
  await page.keyboard.type(`By keys ${crypto.randomUUID().slice(0, 8)}`);
  await tabTo(page, ({ id }) => id.startsWith("hp-template-"));
  while ((await focused(page)).id !== "hp-template-blank-react")
    await page.keyboard.press("ArrowDown");
  await tabTo(page, ({ id }) => id === "hp-create");
  await page.keyboard.press("Enter");
  const built = page.locator('[data-testid="hp-build-badge"][data-phase="succeeded"]');
  await built.waitFor();

  await tabTo(page, ({ id }) => id === "hp-ask");
  await page.keyboard.type('Make the heading say "Allotment club", and add a counter button.');
  await page.keyboard.press("Enter");
  await page.locator('[data-testid="hp-apply"]:not([disabled])').waitFor();
  assert.notEqual((await focused(page)).id, "hp-apply", "focus is not put on the signature");
  await tabTo(page, ({ id }) => id === "hp-apply");
  await page.keyboard.press("Enter");
  await page.getByTestId("hp-draft").getByText("2").waitFor();
  await built.waitFor();

  await tabTo(page, ({ id }) => id === "hp-part-publish");
  await page.keyboard.press("Enter");
  await page.locator('[data-testid="hp-publish"]:not([disabled])').waitFor();
  await tabTo(page, ({ id }) => id === "hp-publish");
  await page.keyboard.press("Enter");
  await page.getByTestId("hp-address").waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
