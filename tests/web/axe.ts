// What axe has to say of a page as it is drawn.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import "./page.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Its violations, each with the element that it met first. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const answer = await window.axe.run(document, {
      resultTypes: ["violations"],
      // Styles of other origins, and frames: a page of ours has none that axe could read.
      preload: false,
      iframes: false,
    });
    return answer.violations.map((one) => `${one.id}: ${one.nodes[0]?.html.slice(0, 160)}`);
  });
}

/** Whether it scrolls sideways. */
export const sideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
