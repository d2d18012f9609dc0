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
      page.setDefaultTimeout(10_000);
      await page.setContent(`<!doctype html><title>Elements</title><body>${markup}</body>`);
      await page.addScriptTag({ content: script });
      return page;
    },
    stop: () => browser.close(),
  };
}
