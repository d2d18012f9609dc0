// Walks over an edge in memory: the built page, a browser for a test file, a context of its own for each walk.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { serveWalk } from "./gallery.ts";

const WIDE = { width: 1440, height: 900 };

interface Settings extends BrowserContextOptions {
  /** How long the page may take for anything, in ms. */
  timeout?: number;
}

/** For the top of a test file: opens pages of the walk, and closes them once nothing was thrown in them. */
export function walks(policy?: string) {
  const thrown = new WeakMap<Page, string[]>();
  let walk: Awaited<ReturnType<typeof serveWalk>>;
  let browser: Browser;

  before(
    async () => {
      walk = await serveWalk(policy);
      browser = await startBrowser();
    },
    { timeout: 180_000 },
  );

  after(async () => {
    await browser?.close();
    walk?.stop();
  });

  return {
    /** `query` says which page; `settings` are those of the browser's context. */
    async opened(
      query = "",
      { viewport = WIDE, timeout = 30_000, ...settings }: Settings = {},
    ): Promise<Page> {
      const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...settings });
      const page = await context.newPage();
      page.setDefaultTimeout(timeout);
      const errors: string[] = [];
      thrown.set(page, errors);
      page.on("pageerror", (error: Error) => errors.push(String(error.stack ?? error)));
      await page.goto(`${walk.url}${query}`);
      await page.waitForSelector('html[data-ready="walk"]');
      return page;
    },

    async closed(page: Page): Promise<void> {
      assert.deepEqual(thrown.get(page), []);
      await page.context().close();
    },
  };
}
