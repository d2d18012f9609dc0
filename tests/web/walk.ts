// Walks through the model page without an edge: a browser for a test file, a context of its own for each walk.

import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { type Site, serve } from "./site.ts";
import { type Settings, tabs } from "./tabs.ts";

/** For the top of a test file: opens pages of the walk, and closes them once nothing was thrown in them. */
export function walks() {
  const { opened, closed } = tabs();
  let site: Site;

  before(
    async () => {
      site = await serve("walk");
    },
    { timeout: 180_000 },
  );

  after(() => site?.stop());

  return {
    closed,
    /** `query` says which page. */
    async opened(query = "", settings: Settings = {}): Promise<Page> {
      const page = await opened(`${site.origin}/walk.html${query}`, {
        timeout: 30_000,
        ...settings,
      });
      await page.waitForSelector('html[data-ready="walk"]');
      return page;
    },
  };
}
