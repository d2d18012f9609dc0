// The page's modules in Node: the facade in its two modules, the Python grammar, and the sandbox in a worker thread that is ended at its limits.

import { existsSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

import * as check from "../../www/core/wasm/check/check.js";
import * as core from "../../www/core/wasm/core/core.js";
import * as python from "../../www/core/wasm/python/python.js";

const WASM = new URL("../../www/core/wasm/", import.meta.url);
const FIXTURES = new URL("../../fixtures/ifc/", import.meta.url);
const WALL_MS = 2_500;
/** Reading a model and starting are no part of a call. */
const START_MS = 30_000;
/** The engine keeps some memory of every call: a worker is replaced after so many. */
const MAX_CALLS = 32;

/** Loads `wasm-core`, `wasm-check` and `wasm-python`. */
export async function loadModules() {
  core.initSync({ module: readFileSync(new URL("core/core_bg.wasm", WASM)) });
  check.initSync({ module: readFileSync(new URL("check/check_bg.wasm", WASM)) });
  python.initSync({ module: readFileSync(new URL("python/python_bg.wasm", WASM)) });
}

const encoder = new TextEncoder();
const utf8 = (value) => encoder.encode(JSON.stringify(value));
const isMissing = (answer) => answer.error?.code === "UNKNOWN_METHOD";

/** A facade method, of the module that has it. */
export function call(method, input) {
  if (method === "python.facts") return JSON.parse(python.facts(JSON.stringify(input)));
  const light = JSON.parse(core.call(method, JSON.stringify(input)));
  if (!isMissing(light)) return light;
  return JSON.parse(check.call(method, utf8(method === "bundle.check" ? withFacts(input) : input)));
}

/** Whether a module of the page has the method: model access is the edge's. */
export const isOfPage = (method) => method === "bundle.test" || !isMissing(call(method, {}));

/** `text.diff` of two texts that do not pass within JSON: its answer's text. */
export const diff = core.diff;

/** `bundle.check` of a script: the grammar first, its answer goes to the check. An error answer is no fact. */
function withFacts(input) {
  const text = input?.kind === "script-tool" ? input.files?.["tool.py"] : undefined;
  if (typeof text !== "string" || input.options?.python_facts) return input;
  const facts = call("python.facts", { text });
  return facts.error?.code
    ? input
    : { ...input, options: { ...input.options, python_facts: facts } };
}

let worker;
let calls = 0;

/** `bundle.test`: prepare in check, run in the sandbox, judge in check. */
export async function bundleTest(input) {
  const prepared = JSON.parse(check.prepare_tests(utf8(input)));
  if (!prepared.plan) return prepared.answer ?? prepared;
  const outcomes = [];
  for (const run of prepared.plan.runs) outcomes.push(await outcome(run));
  return JSON.parse(check.judge_tests(utf8(prepared.plan), utf8(outcomes)));
}

/** Ends the sandbox's thread. */
export function end() {
  void worker?.terminate();
  worker = undefined;
}

async function outcome(run) {
  const file = new URL(`${run.fixture}.ifc`, FIXTURES);
  if (!existsSync(file)) {
    return {
      failure: {
        code: "FIXTURE_FAILED",
        message: `The fixture \`${run.fixture}\` cannot be built here.`,
      },
    };
  }
  if (calls++ % MAX_CALLS === 0) end();
  worker ??= new Worker(new URL("./sandbox-thread.mjs", import.meta.url));
  return new Promise((resolve) => {
    let clock = setTimeout(
      () => done({ failure: { code: "SANDBOX_FAULT", message: "It did not start." } }, true),
      START_MS,
    );
    const done = (answer, lost) => {
      clearTimeout(clock);
      worker.removeAllListeners("message").removeAllListeners("error");
      if (lost) end();
      resolve(answer);
    };
    worker.on("message", ({ started, outcome: answer, lost }) => {
      clearTimeout(clock);
      if (started)
        clock = setTimeout(
          () => done({ failure: { code: "TIMEOUT", message: "The call ran too long." } }, true),
          WALL_MS,
        );
      else done(answer, lost);
    });
    worker.on("error", (error) =>
      done(
        {
          failure: {
            code: error instanceof RangeError ? "STACK" : "MEMORY",
            message: String(error),
          },
        },
        true,
      ),
    );
    worker.postMessage({ run, model: readFileSync(file) });
  });
}
