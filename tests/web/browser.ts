// The browser that looks at a built page.

import { type Browser, type BrowserContext, chromium } from "playwright-core";

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
/** Tests hand over files as an input of a page takes them: of the browser's own picker a test knows nothing. */
const NO_PICKER = "delete globalThis.showOpenFilePicker;";

/**
 * Ms by which every message to a worker is late, as on a slow machine: what a test reads too early shows (see
 * CONTRIBUTING.md).
 */
const SLOW_MS = Number(process.env.HOLDPOINT_SLOW_MS ?? 0);
const slowed = (ms: number) => {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...message: unknown[]) {
    setTimeout(() => Reflect.apply(post, this, message), ms);
  };
};

/** So many times slower pages run, to find tests that race; `HOLDPOINT_SLOW_CPU=6`. */
const SLOW_CPU = Number(process.env.HOLDPOINT_SLOW_CPU ?? 1);
function throttled(context: BrowserContext): void {
  const bare = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await bare();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW_CPU });
    return page;
  };
}

/** A headless Chromium that asks nobody for anything. Functions of a test can run in its pages. */
export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.HOLDPOINT_CHROMIUM ?? "/usr/bin/chromium",
    args: CHROMIUM_FLAGS,
  });
  const bare = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await bare(options);
    await context.addInitScript(`${NAMES} ${NO_PICKER}`);
    if (SLOW_MS > 0) await context.addInitScript(slowed, SLOW_MS);
    if (SLOW_CPU > 1) throttled(context);
    return context;
  };
  return browser;
}
