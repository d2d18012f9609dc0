// The page's modules in Node: the facade, and the sandbox in a worker thread that is ended at its limits.

import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

import * as core from "../../www/core/wasm/core/core.js";

const WASM = new URL("../../www/core/wasm/", import.meta.url);
const FIXTURES = new URL("../../fixtures/ifc/", import.meta.url);
const WALL_MS = 2_500;

/** Loads `wasm-core`. */
export async function loadModules() {
  core.initSync({ module: readFileSync(new URL("core/core_bg.wasm", WASM)) });
}

/** A facade method. */
export function call(method, input) {
  return JSON.parse(core.call(method, JSON.stringify(input)));
}

let worker;

/** `bundle.test`: prepare in core, run in the sandbox, judge in core. */
export async function bundleTest(input) {
  const prepared = JSON.parse(core.prepare_tests(JSON.stringify(input)));
  if (!prepared.plan) return prepared.answer ?? prepared;
  const outcomes = [];
  for (const run of prepared.plan.runs) outcomes.push(await outcome(run));
  return JSON.parse(core.judge_tests(JSON.stringify(prepared.plan), JSON.stringify(outcomes)));
}

async function outcome(run) {
  worker ??= new Worker(new URL("./sandbox-thread.mjs", import.meta.url));
  worker.unref();
  const model = run.fixture ? readFileSync(new URL(`${run.fixture}.ifc`, FIXTURES)) : undefined;
  return new Promise((resolve) => {
    const done = (failure) => {
      clearTimeout(clock);
      worker.removeAllListeners();
      resolve(failure);
    };
    const end = (code, message) => {
      void worker.terminate();
      worker = undefined;
      done({ failure: { code, message } });
    };
    let clock;
    worker.on("message", (message) => {
      if (message.started) clock = setTimeout(() => end("TIMEOUT", "The call ran too long."), WALL_MS);
      else done(message.outcome);
    });
    worker.on("error", (error) => end(error instanceof RangeError ? "STACK" : "MEMORY", String(error)));
    worker.postMessage({ run, model });
  });
}
