// The gallery of states, and the walks, behind a local address.

import type { Page } from "playwright-core";
import "./page.ts";
import { serve } from "./site.ts";

/** The script editor over an edge in memory. */
export async function serveWalk() {
  const { origin, stop } = await serve("walk");
  return { url: `${origin}/walk.html`, stop };
}

/** The gallery; `show` brings an open page to a state. */
export async function serveGallery() {
  const { origin, stop } = await serve("gallery");
  return {
    url: (state: string, theme: string, lang = "en") =>
      `${origin}/gallery.html?state=${state}&theme=${theme}&lang=${lang}`,
    show: async (page: Page, state: string, theme: string, lang = "en") => {
      const what: [string, string, string] = [state, theme, lang];
      await page.evaluate((it) => window.hpShow(...it), what);
      await page.waitForSelector(`html[data-ready="${state}"]`);
      if (state === "source") await page.locator(".cm-content").waitFor();
    },
    stop,
  };
}
