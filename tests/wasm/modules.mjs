// The page's modules in Node: the facade, and the sandbox in a worker thread that is ended at its limits.

import { existsSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

import * as core from "../../www/core/wasm/core/core.js";

const WASM = new URL("../../www/core/wasm/", import.meta.url);
const FIXTURES = new URL("../../fixtures/ifc/", import.meta.url);
const WALL_MS = 2_500;
/** Reading a model and starting are no part of a call. */
const START_MS = 30_000;
/** The engine keeps some memory of every call: a worker is replaced after so many. */
const MAX_CALLS = 32;

/** Loads `wasm-core`. */
export async function loadModules() {
  core.initSync({ module: readFileSync(new URL("core/core_bg.wasm", WASM)) });
}

/** A facade method. */
export function call(method, input) {
  return JSON.parse(core.call(method, JSON.stringify(input)));
}

let worker;
let calls = 0;

/** `bundle.test`: prepare in core, run in the sandbox, judge in core. */
export async function bundleTest(input) {
  const prepared = JSON.parse(core.prepare_tests(JSON.stringify(input)));
  if (!prepared.plan) return prepared.answer ?? prepared;
  const outcomes = [];
  for (const run of prepared.plan.runs) outcomes.push(await outcome(run));
  return JSON.parse(core.judge_tests(JSON.stringify(prepared.plan), JSON.stringify(outcomes)));
}

/** Ends the sandbox's thread. */
export function end() {
  void worker?.terminate();
  worker = undefined;
}

async function outcome(run) {
  const file = new URL(`${run.fixture}.ifc`, FIXTURES);
  if (!existsSync(file)) {
    return { failure: { code: "FIXTURE_FAILED", message: `The fixture \`${run.fixture}\` cannot be built here.` } };
  }
  if (calls++ % MAX_CALLS === 0) end();
  worker ??= new Worker(new URL("./sandbox-thread.mjs", import.meta.url));
  return new Promise((resolve) => {
    let clock = setTimeout(() => done({ failure: { code: "SANDBOX_FAULT", message: "It did not start." } }, true), START_MS);
    const done = (answer, lost) => {
      clearTimeout(clock);
      worker.removeAllListeners("message").removeAllListeners("error");
      if (lost) end();
      resolve(answer);
    };
    worker.on("message", ({ started, outcome: answer, lost }) => {
      clearTimeout(clock);
      if (started) clock = setTimeout(() => done({ failure: { code: "TIMEOUT", message: "The call ran too long." } }, true), WALL_MS);
      else done(answer, lost);
    });
    worker.on("error", (error) => done({ failure: { code: error instanceof RangeError ? "STACK" : "MEMORY", message: String(error) } }, true));
    worker.postMessage({ run, model: readFileSync(file) });
  });
}
