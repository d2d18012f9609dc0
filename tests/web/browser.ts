// The browser that looks at a built page.

import { type Browser, chromium } from "playwright-core";

const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--enable-unsafe-swiftshader",
];
/** What the tests' compiler wraps around functions that have a name; a page knows no such helper. */
const NAMES = "globalThis.__name = (what) => what;";

/** A headless Chromium that asks nobody for anything. Functions of a test can run in its pages. */
export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.HOLDPOINT_CHROMIUM ?? "/usr/bin/chromium",
    args: CHROMIUM_FLAGS,
  });
  const bare = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await bare(options);
    await context.addInitScript(NAMES);
    return context;
  };
  return browser;
}
