// Steps of a walk, as a person takes them, and what the page keeps of it.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { RunView } from "@holdpoint/core/types";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

const OPEN_MS = 60_000;
const RUN_MS = 90_000;
const HOLDPOINT =
  process.env.HOLDPOINT ?? fileURLToPath(new URL("../../target/debug/holdpoint", import.meta.url));

/** What of a kept change is folded again. */
interface StoredRun {
  base: object;
  events: object[];
}

/** Errors that a page threw; a test ends with `assert.deepEqual(thrown.get(page), [])`. */
export const thrown = new WeakMap<Page, string[]>();

/** A fresh person at the page, with the sample open. */
export async function opened(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const errors: string[] = [];
  thrown.set(page, errors);
  page.on("pageerror", (error: Error) => errors.push(String(error.stack ?? error)));
  await page.goto(url);
  await rows(page);
  return page;
}

/** The rows of the open model are drawn (a narrow page shows them in another pane). */
export function rows(page: Page): Promise<void> {
  return page
    .locator("hp-elements [data-row]")
    .nth(3)
    .waitFor({ state: "attached", timeout: OPEN_MS });
}

/** Asks in the composer. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.locator("hp-composer textarea").fill(text);
  await page.getByTestId("hp-send").click();
}

/** From the words to the review: asks, approves the plan as it is, waits for the bundle that passes. */
export async function reviewed(page: Page, text: string) {
  await ask(page, text);
  await page.getByTestId("hp-approve").click();
  await page.getByTestId("hp-install").waitFor({ timeout: RUN_MS });
}

/**
 * Signs what stands in the review. The preview shows panels already: only the stamp says that they are installed, also
 * where a narrow page shows another pane by then.
 */
export async function signed(page: Page): Promise<void> {
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor({ state: "attached", timeout: RUN_MS });
}

/** The panel of an installed extension, once it shows `words`. */
export async function panel(page: Page, words: string | RegExp): Promise<Locator> {
  const found = page.locator("hp-widget-panel");
  await found.getByText(words).first().waitFor({ timeout: RUN_MS });
  return found;
}

/** What the device keeps under a key. */
export function stored<T>(page: Page, area: string, key: string): Promise<T> {
  return page.evaluate(
    ([name, at]) =>
      new Promise<T>((resolve, reject) => {
        const request = indexedDB.open(`holdpoint ${localStorage.getItem("holdpoint.last")}`);
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const read = request.result.transaction(name).objectStore(name).get(at);
          read.onsuccess = () => {
            request.result.close();
            resolve(read.result ?? null);
          };
          read.onerror = () => reject(read.error);
        };
      }),
    [area, key],
  );
}

/** The event log of a change, folded again by the command line. */
export async function replayed(page: Page, change = "1"): Promise<RunView> {
  const { base, events } = await stored<StoredRun>(page, "runs", change);
  const input = JSON.stringify({ kind: "ifc-extension", base, events });
  return JSON.parse(
    execFileSync(HOLDPOINT, ["call", "run.replay"], { input, maxBuffer: 1 << 26 }).toString(),
  );
}
