// Steps of a walk, as a person takes them.

import assert from "node:assert/strict";

/** A fresh person at the page, with the sample open. Every message of the console is an error of ours. */
export async function opened(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("pageerror", (error) => assert.fail(`the page threw: ${error}`));
  await page.goto(url);
  await page.locator("hp-elements [role=row]").nth(5).waitFor({ timeout: 60_000 });
  return page;
}

/** Asks in the composer. */
export async function ask(page, text) {
  await page.locator("hp-composer textarea").fill(text);
  await page.getByTestId("hp-send").click();
}

/** The panel of an installed extension. */
export async function installed(page) {
  const panel = page.locator("hp-widget-panel");
  await panel.waitFor({ timeout: 60_000 });
  return panel;
}
