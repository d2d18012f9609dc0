// Walks over an edge in memory: the built page, a browser for a test file, a context of its own for each walk.

import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { serveWalk } from "./gallery.ts";
import { type Settings, tabs } from "./tabs.ts";

/** For the top of a test file: opens pages of the walk, and closes them once nothing was thrown in them. */
export function walks(policy?: string) {
  const { opened, closed } = tabs();
  let walk: Awaited<ReturnType<typeof serveWalk>>;

  before(
    async () => {
      walk = await serveWalk(policy);
    },
    { timeout: 180_000 },
  );

  after(() => walk?.stop());

  return {
    closed,
    /** `query` says which page. */
    async opened(query = "", settings: Settings = {}): Promise<Page> {
      const page = await opened(`${walk.url}${query}`, { timeout: 30_000, ...settings });
      await page.waitForSelector('html[data-ready="walk"]');
      return page;
    },
  };
}
