// How long a person waits for a script beside its own time, in the page of scripts as it is built.
//
// Usage: node --import tsx script-run-bench.ts; writes docs/bench/scripts.md. `--print`: writes nothing.

import { writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import type { Browser, Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { ScriptsEdge } from "./edge/scripts.ts";
import { ofEdge } from "./network.ts";
import "./page.ts";
import { serve } from "./site.ts";

const TABLE = new URL("../../docs/bench/scripts.md", import.meta.url);
const RUNS = 5;
/** So long a person reads what came of a run. */
const READS_MS = 4_000;
const TOOL = "def run(settings, inputs):\n    return sum(range(100_000))\n";
const PATCH =
  "--- a/tool.py\n+++ b/tool.py\n@@ -2,1 +2,1 @@\n-    return sum(range(100_000))\n+    return 7\n";

declare global {
  interface Window {
    /** Milliseconds of the tasks of the page's main thread that took longer than 50. */
    hpLong: number[];
  }
}

let edge: ScriptsEdge;

async function opened(browser: Browser, url: string): Promise<Page> {
  edge = new ScriptsEdge();
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(url);
  await page.waitForSelector('html[data-ready="walk"]');
  await page.locator('.cm-content[data-file="tool.py"]').waitFor();
  await page.evaluate((tool) => {
    const schemas = { "settings_schema.json": "", "input_schema.json": "" };
    window.hpApp.tool.editors.replace({ ...schemas, "entrypoint.txt": "run", "tool.py": tool });
    window.hpApp.look("run");
    window.hpLong = [];
    new PerformanceObserver((list) =>
      window.hpLong.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask" });
  }, TOOL);
  return page;
}

/** What a press on Run takes until its results are there, without the own time of what ran. */
const waited = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { running } = window.hpApp.tool;
    const from = performance.now();
    await running.start();
    const whole = performance.now() - from;
    const { columns } = running.view();
    if (!columns.every(({ state }) => state === "done")) throw new Error(columns[0]?.state);
    return whole - columns.reduce((sum, { ms }) => sum + ms, 0);
  });

/** Of the tasks since it was asked last. */
const longest = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, ...window.hpLong.splice(0)));

async function measured(browser: Browser, url: string): Promise<Record<string, number>> {
  const page = await opened(browser, url);
  const times: Record<string, number> = {};
  times["the first one: Python is fetched, compiled and started"] = await waited(page);
  times["longest task of the page's main thread meanwhile"] = await longest(page);
  times["another one at once"] = await waited(page);
  await page.waitForTimeout(READS_MS);
  times["another one after its result was read"] = await waited(page);
  const again = await longest(page);
  const ops = [{ op: "patch" as const, target_file: "tool.py" as const, patch: PATCH }];
  edge.answers.push({ outcome: "ok", assistant_message: "I change it.", ops });
  await page.evaluate(() => window.hpApp.tool.talking.ask("Answer at once", "edit"));
  await page.getByTestId("hp-proposal").waitFor();
  await page.waitForTimeout(READS_MS);
  // The proposal was drawn meanwhile.
  await longest(page);
  times["now and proposed together"] = await waited(page);
  times["both again at once"] = await waited(page);
  times["longest task of the page's main thread while later ones ran"] = Math.max(
    again,
    await longest(page),
  );
  await page.context().close();
  return times;
}

const walk = await serve("walk", (_, request, response) => {
  response.setHeader("content-security-policy", `${ofEdge("PAGE_POLICY")}; frame-src 'none'`);
  return edge.serve(request, response);
});
const browser = await startBrowser();
const load = loadavg()[0]?.toFixed(2);
const all: Record<string, number>[] = [];
try {
  for (let n = 0; n < RUNS; n += 1) {
    const times = await measured(browser, `${walk.origin}/walk.html`);
    process.stderr.write(`${JSON.stringify(Object.values(times).map(Math.round))}\n`);
    all.push(times);
  }
} finally {
  await browser.close();
  walk.stop();
}
const rows = Object.keys(all[0] ?? {}).map((name) => {
  const times = all.map((one) => one[name] ?? 0).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  return `| ${name} | ${Math.round(median)} | ${Math.round(times.at(-1) ?? 0)} |`;
});
const text = `# Running scripts

Written by \`cargo xtask bench scripts\`: milliseconds from Run until the result is drawn, without the
script's own time, in the built page and one Chromium on ${availableParallelism()} cores (load of the minute
before: ${load}); ${RUNS} fresh pages. A task of the page's main thread of 50 ms or less counts as none.

| run | median | longest |
|---|--:|--:|
${rows.join("\n")}
`;
process.stdout.write(text);
if (!process.argv.includes("--print")) writeFileSync(TABLE, text);
