// What a task asks of the page of an app, step by step in Chromium (app-builder.md §13 "page").
import { readFileSync } from "node:fs";
import type { Browser, Download, Page } from "playwright-core";

/** How long a page may take for one step. */
const STEP_MS = 10_000;
const QUIET = { waitUntil: "networkidle" } as const;

/** Waits until a page that was loaded has drawn itself and has nothing left to do: keys are heard from then on. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => document.body.innerText.trim() !== "");
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
}

type Step = (page: Page, asked: never, base: string) => Promise<unknown>;

interface Count {
  selector: string;
  count?: number;
  at_least?: number;
}

interface Downloaded {
  name: string;
  regex: string;
}

/** What was downloaded of a page, oldest first. */
const downloads = new WeakMap<Page, Download[]>();

/** Waits until a question is answered with yes. */
async function until(page: Page, holds: () => Promise<boolean>, said: () => Promise<string>) {
  const end = Date.now() + STEP_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(await said());
    await page.waitForTimeout(50);
  }
}

const words = (page: Page) => page.locator("body").innerText();

const STEPS: Record<string, Step> = {
  goto: async (page, route: string, base) => {
    await page.goto(new URL(route, base).href, QUIET);
    await drawn(page);
  },
  click: (page, selector: string) => page.locator(selector).click(),
  type: (page, { into, text }: { into: string; text: string }) => typed(page, into, text),
  press: (page, key: string) => page.keyboard.press(key),
  reload: async (page) => {
    await page.reload(QUIET);
    await drawn(page);
  },
  expect_text: (page, text: string) =>
    until(
      page,
      async () => (await words(page)).includes(text),
      async () => `the page does not say it; it says: ${await words(page)}`,
    ),
  expect_no_text: (page, text: string) =>
    until(
      page,
      async () => !(await words(page)).includes(text),
      async () => "the page says it",
    ),
  expect_count: (page, { selector, count, at_least = 0 }: Count) => {
    const found = () => page.locator(selector).count();
    const fits = (number: number) => (count === undefined ? number >= at_least : number === count);
    return until(
      page,
      async () => fits(await found()),
      async () => `there are ${await found()}`,
    );
  },
  expect_download: async (page, { name, regex }: Downloaded) => {
    const files = downloads.get(page) ?? [];
    await until(
      page,
      async () => files.length > 0,
      async () => "nothing was downloaded",
    );
    const file = files.shift();
    if (file?.suggestedFilename() !== name)
      throw new Error(`the file is called ${file?.suggestedFilename()}`);
    if (!new RegExp(regex).test(readFileSync(await file.path(), "utf8")))
      throw new Error("the file holds something else");
  },
};

/** Fills a field as somebody would: a line's end is the key Enter; a field of a date takes a date at once. */
async function typed(page: Page, into: string, text: string): Promise<void> {
  const field = page.locator(into);
  if ((await field.getAttribute("type")) === "date") return field.fill(text);
  await field.click();
  for (const [at, line] of text.split("\n").entries()) {
    if (at > 0) await page.keyboard.press("Enter");
    await page.keyboard.type(line);
  }
}

/** Walks the steps; answers what did not hold, which ends the walk. */
export async function walk(
  browser: Browser,
  base: string,
  steps: Record<string, unknown>[],
): Promise<string[]> {
  const context = await browser.newContext({ acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  const files: Download[] = [];
  downloads.set(page, files);
  page.on("download", (file) => files.push(file));
  const thrown: string[] = [];
  page.on("pageerror", (error) => thrown.push(`the page threw: ${error.message}`));
  try {
    for (const step of steps) {
      const [[name = "", asked] = []] = Object.entries(step);
      const take = STEPS[name];
      if (!take) return [`there is no step ${name}`];
      try {
        await take(page, asked as never, base);
      } catch (error) {
        const [line] = String(error instanceof Error ? error.message : error).split("\n");
        return [...thrown, `${name} ${JSON.stringify(asked)}: ${line}`];
      }
    }
    return thrown;
  } finally {
    await context.close();
  }
}
