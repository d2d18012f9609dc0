// How long the main thread of the whole page is busy with a large model.

import type { Browser, Page } from "playwright-core";
import "./page.ts";

/** What comes of an act late is counted with it for so long. */
const AFTER_MS = 1_500;
const SCROLLS = 40;

export interface Busy {
  name: string;
  /** Milliseconds of the longest task on the clock, and of the one that took most of the processor. */
  longest: number;
  onProcessor: number;
}

/** What a trace tells of a task; times are microseconds. */
interface Traced {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Tasks of the main threads of pages. */
function tasksOf(trace: Buffer): Traced[] {
  const { traceEvents }: { traceEvents: Traced[] } = JSON.parse(trace.toString());
  const named = traceEvents.filter(({ name, ph }) => ph === "M" && name === "thread_name");
  const main = named.filter(({ args }) => args?.name === "CrRendererMain");
  const keys = new Set(main.map(({ pid, tid }) => `${pid} ${tid}`));
  return traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith("RunTask") && keys.has(`${pid} ${tid}`),
  );
}

/** Opens a file, then does what people do with it. */
export async function busy(
  browser: Browser,
  page: string,
  file: string,
  elements: number,
): Promise<Busy[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const at = await context.newPage();
  at.setDefaultTimeout(180_000);
  await at.goto(page);
  await at.waitForSelector('html[data-ready="walk"]');
  await at.locator("hp-elements [data-row]").first().waitFor();
  const all: Busy[] = [];
  const during = async (name: string, act: () => Promise<void>): Promise<void> => {
    await browser.startTracing(at, { categories: ["toplevel"] });
    await act();
    await at.waitForTimeout(AFTER_MS);
    const tasks = tasksOf(await browser.stopTracing());
    const most = (of: (task: Traced) => number | undefined): number =>
      tasks.reduce((longest, task) => Math.max(longest, of(task) ?? 0), 0) / 1_000;
    all.push({ name, longest: most(({ dur }) => dur), onProcessor: most(({ tdur }) => tdur) });
    process.stderr.write(`${JSON.stringify(all.at(-1))}\n`);
  };
  await during("opening", async () => {
    await at.evaluate(
      async (url) => window.hpTake("many.ifc", await (await fetch(url)).blob()),
      file,
    );
    await listed(at, elements);
  });
  await during("scrolling", () => scrolled(at));
  await during("searching, every value read for the first time", () => searched(at, "ei 30"));
  await during("searching again", () => searched(at, "wall 4242"));
  await during("clearing the search", async () => {
    await at.locator("hp-find input").fill("");
    await listed(at, elements);
  });
  await during("sorting by name, downwards", () =>
    at.locator("hp-elements [role=columnheader] .th").nth(1).click(),
  );
  await during("selecting all", async () => {
    await at.locator("hp-elements [data-row]").first().click();
    await at.keyboard.press("Control+a");
    await at.locator("hp-properties .vlink").first().waitFor();
  });
  await context.close();
  return all;
}

const listed = (at: Page, elements: number): Promise<void> =>
  at
    .locator("hp-elements .statusline")
    .getByText(new RegExp(`of ${elements.toLocaleString("en").replace(/\D/g, "\\D")} elements`))
    .waitFor();

async function searched(at: Page, words: string): Promise<void> {
  const field = at.locator("hp-find input");
  await field.fill("");
  await field.pressSequentially(words, { delay: 60 });
  await at.locator("hp-find [role=option]").first().waitFor();
}

const scrolled = (at: Page): Promise<void> =>
  at.locator("hp-elements .m-scroll").evaluate(async (scroller, steps) => {
    for (let step = 1; step <= steps; step += 1) {
      scroller.scrollTop = (scroller.scrollHeight * step) / (steps + 1);
      await new Promise(requestAnimationFrame);
    }
  }, SCROLLS);
