// The sandbox's own worker in a Chromium page, without the product around it: programs in, outcomes out. Where the
// engine is lost or late the page ends the worker and starts another one, as the product does.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json } from "@holdpoint/core/types";
import type { Browser, Page } from "playwright-core";
import { transformWithEsbuild } from "vite";

const SITE = "http://sandbox.test";
const CORE = new URL("../../www/core/", import.meta.url);
const MODEL = new URL("../../fixtures/ifc/house-small.ifc", import.meta.url);
/** The engine keeps some memory of every realm: a worker is replaced after so many. */
const MAX_REALMS = 32;

/** What a compiler of TypeScript wraps around functions that have a name; a page knows no such helper. */
const NAMES = "globalThis.__name = (what) => what;";

/** What a program came to. */
export interface Outcome {
  value?: Json;
  failure?: { code: string; message: string } | null;
  usage?: { fuel: number; peak_bytes: number };
  effects?: { storage?: Json };
}
/** A program and how it ended. */
export interface Ran {
  outcome: Outcome;
  /** Whether the worker was ended behind it. */
  lost: boolean;
  ms: number;
}

/** A page that runs programs. */
export interface SandboxPage {
  page: Page;
  /** Each on its own after the other; `wall` in milliseconds. */
  run(programs: Json[], wall: number): Promise<Ran[]>;
  close(): Promise<void>;
}

/** Runs in the page. */
function install(maxRealms: number) {
  const pending = WebAssembly.compileStreaming(fetch("/wasm/sandbox/sandbox_bg.wasm"));
  const model = fetch("/model.ifc").then((answer) => answer.arrayBuffer());
  let worker: Worker | null = null;
  let realms = 0;
  const end = () => {
    worker?.terminate();
    worker = null;
  };
  const ask = (asked: Worker, message: unknown, wall: number): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      const clock = setTimeout(() => resolve({ type: "trapped", code: "TIMEOUT" }), wall);
      const done = (answer: Record<string, unknown>) => {
        clearTimeout(clock);
        resolve(answer);
      };
      asked.onmessage = ({ data }) => done(data);
      asked.onerror = ({ message: code }) => done({ type: "trapped", code });
      asked.postMessage(message);
    });
  const started = async () => {
    if (realms >= maxRealms) end();
    realms += 1;
    if (worker) return worker;
    realms = 1;
    worker = new Worker("/src/sandbox/worker.ts", { type: "module" });
    const bytes = new Uint8Array(await model);
    await ask(worker, { type: "start", module: await pending }, 60_000);
    await ask(worker, { type: "open", key: "m", name: "house-small.ifc", bytes }, 60_000);
    return worker;
  };
  const run = async (program: unknown, wall: number) => {
    const begun = performance.now();
    const message = { type: "run", key: "m", program: JSON.stringify(program) };
    const answer = await ask(await started(), message, wall);
    const ms = performance.now() - begun;
    if (answer.type === "ran") return { outcome: answer.outcome, lost: false, ms };
    end();
    return {
      outcome: { failure: { code: answer.code, message: answer.message } },
      lost: true,
      ms,
    };
  };
  Object.assign(window, { runProgram: run });
}

/** Opens a page of a sandbox. */
export async function sandboxPage(browser: Browser): Promise<SandboxPage> {
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript(NAMES);
  await page.route(`${SITE}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === "/") return route.fulfill({ contentType: "text/html", body: "<!doctype html>" });
    if (path === "/model.ifc") return route.fulfill({ body: readFileSync(MODEL) });
    const file = new URL(`.${path}`, CORE);
    if (path.endsWith(".wasm")) {
      return route.fulfill({ contentType: "application/wasm", body: readFileSync(file) });
    }
    const text = readFileSync(file, "utf8");
    const { code } = path.endsWith(".ts")
      ? await transformWithEsbuild(text, fileURLToPath(file))
      : { code: text };
    return route.fulfill({ contentType: "text/javascript", body: code });
  });
  await page.goto(`${SITE}/`);
  await page.evaluate(install, MAX_REALMS);
  return {
    page,
    run: async (programs, wall) => {
      const ran = await page.evaluate(
        async ({ text, wall }) => {
          type Run = (program: unknown, wall: number) => Promise<unknown>;
          const { runProgram } = window as unknown as { runProgram: Run };
          const all: unknown[] = [];
          for (const program of JSON.parse(text)) all.push(await runProgram(program, wall));
          return JSON.stringify(all);
        },
        { text: JSON.stringify(programs), wall },
      );
      return JSON.parse(ran);
    },
    close: () => page.context().close(),
  };
}
