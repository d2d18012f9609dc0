// Walks over an edge in memory: the built page, a browser for a test file, a context of its own for each walk.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { startBrowser } from "./browser.mjs";
import { serveWalk } from "./gallery.mjs";

const WIDE = { width: 1440, height: 900 };

/** For the top of a test file: opens pages of the walk, and closes them once nothing was thrown in them. */
export function walks() {
  const thrown = new WeakMap();
  let walk, browser;

  before(
    async () => {
      walk = await serveWalk();
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
    async opened(query = "", { viewport = WIDE, timeout = 30_000, ...settings } = {}) {
      const page = await (
        await browser.newContext({ viewport, reducedMotion: "reduce", ...settings })
      ).newPage();
      page.setDefaultTimeout(timeout);
      const errors = [];
      thrown.set(page, errors);
      page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
      await page.goto(`${walk.url}${query}`);
      await page.waitForSelector('html[data-ready="walk"]');
      return page;
    },

    async closed(page) {
      assert.deepEqual(thrown.get(page), []);
      await page.context().close();
    },
  };
}
