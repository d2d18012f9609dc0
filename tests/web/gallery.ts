// The gallery of states, and the walks, behind a local address.

import type { Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import "./page.ts";
import { serve } from "./site.ts";

/** How the gallery is looked at; by default as wide as a desk, light, in English. */
export interface Look {
  width?: number;
  theme?: string;
  lang?: string;
}

/** The gallery and a browser that looks at it. */
export async function openGallery() {
  const gallery = await serveGallery();
  const browser = await startBrowser();
  return {
    browser,
    ...gallery,
    /** A page of its own at a state. */
    opened: async (state: string, { width = 1440, theme = "light", lang = "en" }: Look = {}) => {
      const viewport = { width, height: width < 500 ? 844 : 900 };
      const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      await page.goto(gallery.url(state, theme, lang));
      await page.waitForSelector(`html[data-ready="${state}"]`);
      return page;
    },
    stop: async () => {
      await browser.close();
      gallery.stop();
    },
  };
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
