// The built workbench in a browser over an edge in memory.

import type { IncomingMessage } from "node:http";
import { after, before } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { CrewEdge } from "./crew-edge.ts";
import { type Site, serve } from "./site.ts";

export const WIDE = { width: 1440, height: 900 };
const ABOUT = "targetType=workflow&targetId=1&workflowId=1&source=builder";

async function read(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? undefined : JSON.parse(text);
}

interface Opening extends BrowserContextOptions {
  query?: string;
  /** What the edge has before the page comes. */
  given?: (edge: CrewEdge) => void;
}

/** For the top of a test file: workbenches over an edge of their own, closed once nothing was thrown in them. */
export function benches() {
  const thrown = new WeakMap<Page, string[]>();
  let site: Site;
  let browser: Browser;
  let edge: CrewEdge;

  before(
    async () => {
      site = await serve("page", async (path, request, response) => {
        const { search } = new URL(request.url ?? "/", "http://localhost");
        if (/^\/(gateway|v1|api)\//.test(path)) {
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify({ budget: null, state: "ok", today: {}, data: [] }));
          return true;
        }
        const body = await read(request);
        return edge.answer(path, search, request, response, body);
      });
      browser = await startBrowser();
    },
    { timeout: 180_000 },
  );

  after(async () => {
    await browser?.close();
    site?.stop();
  });

  return {
    /** A fresh person at a workbench over a fresh edge. */
    async opened({ query = ABOUT, given, viewport = WIDE, ...settings }: Opening = {}) {
      edge = new CrewEdge();
      given?.(edge);
      const context = await browser.newContext({
        viewport,
        reducedMotion: "reduce",
        serviceWorkers: "block",
        ...settings,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      const errors: string[] = [];
      thrown.set(page, errors);
      page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
      await page.goto(`${site.origin}/builder/prj_1/ai-workbench?${query}#token=hp_web`);
      await page.locator("hp-workbench-page").waitFor();
      return { page, edge };
    },

    async closed(page: Page): Promise<void> {
      const errors = thrown.get(page) ?? [];
      await page.context().close();
      if (errors.length) throw new Error(errors.join("\n"));
    },
  };
}

/** Asks in the composer. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.getByTestId("wb-composer").locator("textarea").fill(text);
  await page.getByTestId("wb-send").click();
}
