// A browser for a test file, with a context of its own for each page.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startBrowser } from "./browser.ts";

export interface Settings extends BrowserContextOptions {
  /** How long the page may take for anything, in ms. */
  timeout?: number;
  /** The test turns the page's clock. */
  clock?: boolean;
}

/** For the top of a test file: opens pages, and closes them once nothing was thrown in them. */
export function tabs() {
  const thrown = new WeakMap<Page, string[]>();
  let browser: Browser;

  before(
    async () => {
      browser = await startBrowser();
    },
    { timeout: 180_000 },
  );

  after(() => browser?.close());

  return {
    async opened(url: string, { timeout = 120_000, clock, ...settings }: Settings = {}) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        reducedMotion: "reduce",
        serviceWorkers: "block",
        ...settings,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(timeout);
      if (clock) await page.clock.install();
      const errors: string[] = [];
      thrown.set(page, errors);
      page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
      await page.goto(url);
      return page;
    },

    async closed(...pages: Page[]): Promise<void> {
      for (const page of pages) {
        await page.context().close();
        assert.deepEqual(thrown.get(page), []);
      }
    },
  };
}
