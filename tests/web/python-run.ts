// Scripts that run, in a Chromium page without the product around it: the runner as it is, the interpreter as npm has
// it, served with the content policy of the edge.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Job, RunLimits, RunOutcome } from "@holdpoint/core/python-run";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { ofEdge } from "./network.ts";
import { becomes } from "./page.ts";

export const SITE = "http://run.test";
const CORE = fileURLToPath(new URL("../../www/core/src", import.meta.url));
const { resolve } = createRequire(new URL("../../www/app/package.json", import.meta.url));
const FILES: Record<string, string> = {
  "/python/glue": "pyodide.asm.js",
  "/python/loader": "pyodide.js",
  "/python/wasm": "pyodide.asm.wasm",
  "/python/library": "python_stdlib.zip",
};

/** What a test asks for; a file is a text. */
export interface Asked extends Partial<Omit<Job, "files">> {
  text: string;
  files?: Record<string, string>;
  limits?: Partial<RunLimits>;
  /** Stopped so many ms after its entry point was called. */
  stopMs?: number;
  /** Stopped as soon as it was asked for. */
  stopNow?: boolean;
}
type Came = RunOutcome & { heard: string[] };
declare global {
  interface Window {
    hpRun(asked: Asked): Promise<Came>;
    /** Nobody is about to run anything. */
    hpRest(): void;
    hpLoaded: number[];
  }
}

const PAGE = `
  import { PythonRunner, RUN_LIMITS } from "./python-run/index.ts";
  const bytes = async (name) => (await fetch("/python/" + name)).arrayBuffer();
  const text = async (name) => (await fetch("/python/" + name)).text();
  window.hpLoaded = [];
  const load = async (progress) => {
    const scripts = [await text("glue"), await text("loader")];
    const all = { scripts, wasm: await bytes("wasm"), library: await bytes("library") };
    progress(all.wasm.byteLength);
    return all;
  };
  const runners = new Map();
  window.hpRest = () => runners.forEach((runner) => runner.rest());
  window.hpRun = async ({ limits = {}, files = {}, stopMs, stopNow, ...job }) => {
    const key = JSON.stringify(limits);
    if (!runners.has(key)) runners.set(key, new PythonRunner(load, { ...RUN_LIMITS, ...limits }));
    const runner = runners.get(key);
    await runner.prepare((n) => window.hpLoaded.push(n));
    const heard = [];
    const asked = { entry: "run", settings: {}, inputs: {}, ...job,
      files: Object.entries(files).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) })) };
    const running = runner.run(asked, {
      began: () => { heard.push("began"); if (stopMs !== undefined) setTimeout(running.stop, stopMs); },
      printed: (text) => heard.push(text),
    });
    if (stopNow) running.stop();
    const outcome = await running.outcome;
    const outputs = outcome.outputs.map((one) =>
      one.is === "file" ? { ...one, bytes: [...one.bytes] } : one,
    );
    return { ...outcome, heard, outputs };
  };
`;

/** A page that runs scripts; \`asked\` hears every address that anything in it asks for. */
export async function runner(browser: Browser): Promise<{
  page: Page;
  run(asked: Asked): Promise<Came>;
  asked: string[];
  /** Waits until so many interpreters are there; how many are. */
  workers(n: number): Promise<number>;
}> {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: CORE, loader: "ts" },
    bundle: true,
    minify: true,
    format: "iife",
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  const headers = { "content-security-policy": `${ofEdge("PAGE_POLICY")}; frame-src 'none'` };
  const context = await browser.newContext();
  const asked: string[] = [];
  await context.route(/.*/, (route) => {
    const { pathname, origin } = new URL(route.request().url());
    asked.push(route.request().url());
    if (origin !== SITE) return route.abort();
    if (pathname === "/")
      return route.fulfill({
        headers,
        contentType: "text/html",
        body: "<!doctype html><script src=/run.js></script>",
      });
    if (pathname === "/run.js")
      return route.fulfill({ headers, contentType: "text/javascript", body: script });
    const file = FILES[pathname];
    if (!file) return route.fulfill({ status: 404 });
    return route.fulfill({ headers, body: readFileSync(resolve(`pyodide/${file}`)) });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(180_000);
  await page.goto(`${SITE}/`);
  return {
    page,
    asked,
    run: (what) => page.evaluate((what) => window.hpRun(what), what),
    workers: (n) =>
      becomes(
        () => page.workers().length,
        (now) => now === n,
      ),
  };
}
