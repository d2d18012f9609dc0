// English and Swedish: the browser chooses, the person switches without loading again, the device remembers.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { opened, rows, thrown } from "./road.ts";
import { browser, stack, withStack } from "./stack.ts";

withStack();

declare global {
  interface Window {
    /** Set by a test: gone when the page is loaded again. */
    stays?: boolean;
  }
}

const language = (page: Page) => page.evaluate(() => document.documentElement.lang);
const words = (page: Page) => page.locator("hp-workbench h3").first().innerText();

test("the browser's language is spoken; the switch changes every word in place, and a reload keeps it", {
  timeout: 120_000,
}, async () => {
  const page = await opened(browser, stack.url, { locale: "sv-SE" });
  assert.equal(await language(page), "sv");
  assert.equal(await words(page), "Vad ska visaren göra?");
  assert.equal(await page.locator(".skip").innerText(), "Hoppa till huvuddelen");

  await page.locator("hp-composer textarea").fill("ett utkast");
  await page.evaluate(() => {
    window.stays = true;
  });
  await page.getByTestId("hp-language").click();
  await page.getByText("What should the viewer do?").waitFor();
  assert.equal(await language(page), "en");
  assert.equal(await page.locator(".skip").textContent(), "Skip to the main part");
  assert.equal(
    await page.locator("hp-composer textarea").inputValue(),
    "ett utkast",
    "a draft is kept",
  );
  assert.equal(await page.evaluate(() => window.stays), true, "nothing was loaded again");

  await page.reload();
  await rows(page);
  assert.equal(await language(page), "en", "the device remembers, whatever the browser asks for");
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});

test("another language than these is answered in English, and the account menu switches too", {
  timeout: 120_000,
}, async () => {
  const page = await opened(browser, stack.url, {
    locale: "de-DE",
    viewport: { width: 390, height: 844 },
  });
  assert.equal(await language(page), "en");
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Language" }).click();
  await page.getByText("Vad ska visaren göra?").waitFor();
  assert.equal(await language(page), "sv");
  await page.context().close();
});

test("an example is asked in Swedish and leads to a plan", { timeout: 120_000 }, async () => {
  const page = await opened(browser, stack.url, { locale: "sv-SE" });
  await page.getByRole("button", { name: /brandklassade väggar per våning/ }).click();
  await page.getByTestId("hp-send").click();
  const sign = page.getByTestId("hp-approve");
  await sign.waitFor({ timeout: 120_000 });
  assert.match(await sign.innerText(), /^Godkänn planen/);
  const card = page.locator("hp-plan-card");
  await card.getByText("Läsa modellen: element, egenskaper, mängder och struktur").waitFor();
  await card.getByText("Medelrisk").first().waitFor();
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});
