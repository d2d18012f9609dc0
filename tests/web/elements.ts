// Elements of ours in a bare document: no page and no engine around them.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build } from "vite";
import { startBrowser } from "./browser.ts";

const root = fileURLToPath(new URL("../../www/app", import.meta.url));
const ENTRY = "virtual:elements";

/** Modules of `www/elements/src`, as one script. */
async function bundled(paths: string[]): Promise<string> {
  const from = (path: string) =>
    fileURLToPath(new URL(`../../www/elements/src/${path}`, import.meta.url));
  const entry = paths.map((path) => `import ${JSON.stringify(from(path))};`).join("\n");
  const built = await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === ENTRY ? `\0${ENTRY}` : null),
        load: (id) => (id === `\0${ENTRY}` ? entry : null),
      },
    ],
    build: {
      write: false,
      minify: false,
      target: "es2022",
      rollupOptions: { input: ENTRY, output: { format: "iife", inlineDynamicImports: true } },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (!first || !("output" in first)) throw new Error("nothing was built");
  return first.output.map((one) => (one.type === "chunk" ? one.code : "")).join("\n");
}

/** A browser with those elements; each page begins with `markup`. */
export async function openElements(paths: string[]) {
  const script = await bundled(paths);
  const browser = await startBrowser();
  return {
    opened: async (markup: string, width = 900): Promise<Page> => {
      const viewport = { width, height: 700 };
      const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      await page.setContent(`<!doctype html><title>Elements</title><body>${markup}</body>`);
      await page.addScriptTag({ content: script });
      return page;
    },
    stop: () => browser.close(),
  };
}

/** The longest that a second click of a double click is late; a slow machine makes it later than it was asked for. */
const TWICE_MS = 450;

/** Clicks twice at a place; false where the second click came too late to be one. */
export async function twice(page: Page, x: number, y: number, gap: number): Promise<boolean> {
  await page.evaluate(() => {
    const at: number[] = [];
    Object.assign(window, { at });
    const note = (event: Event) => at.push(event.timeStamp);
    window.addEventListener("pointerup", note, { capture: true });
  });
  if (gap === 0) await page.mouse.dblclick(x, y);
  else {
    await page.mouse.click(x, y);
    await page.waitForTimeout(Math.max(0, gap - 20));
    await page.mouse.click(x, y);
  }
  const [first = 0, second = 0] = await page.evaluate(
    () => (window as unknown as { at: number[] }).at,
  );
  return second - first < TWICE_MS;
}

/** Does it again where a slow machine was too slow for it. */
export async function late(act: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 8; i += 1) if (await act()) return;
  throw new Error("this machine is too slow for two clicks");
}
