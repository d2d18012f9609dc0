// The page's modules in Node: the facade in its modules, the Python grammar, and the sandbox in a worker thread
// that is ended at its limits.

import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Json } from "@holdpoint/core/types";

import * as archive from "../../www/core/wasm/archive/archive.js";
import * as checkApp from "../../www/core/wasm/check-app/check-app.js";
import * as checkCrew from "../../www/core/wasm/check-crew/check-crew.js";
import * as checkExtension from "../../www/core/wasm/check-extension/check-extension.js";
import * as checkScript from "../../www/core/wasm/check-script/check-script.js";
import * as core from "../../www/core/wasm/core/core.js";
import * as crew from "../../www/core/wasm/crew/crew.js";
import * as python from "../../www/core/wasm/python/python.js";

/** The checks of each kind. */
export const CHECKS: Record<string, { call(method: string, input: Uint8Array): string }> = {
  "ifc-extension": checkExtension,
  "script-tool": checkScript,
  "crew-package": checkCrew,
  "vite-app": checkApp,
};
const WASM = new URL("../../www/core/wasm/", import.meta.url);
/** The code of a worker thread that runs a module of the tests. Node 20 gives their compiler to no thread: it asks. */
export const threadOf = (module: string): string => `import("tsx/esm/api").then(({ register }) => {
  register();
  return import(${JSON.stringify(new URL(module, import.meta.url))});
});`;
/** The sandbox's thread. */
const THREAD = threadOf("./sandbox-thread.ts");
/** What is compared ends by its fuel: a clock differs between machines, and ends only what hangs. */
const WALL_MS = 60_000;
/** Reading a model and starting are no part of a call. */
const START_MS = 30_000;
/** The engine keeps some memory of every call: a worker is replaced after so many. */
const MAX_CALLS = 32;

/** An input or an answer of the facade. */
export type Value = Record<string, Json>;
/** A run of `bundle.test` as the check prepared it. */
export interface Run {
  fixture: string;
  /** Of a synthetic fixture. */
  content?: Json;
  /** What builds the fixture. */
  builder?: Json;
  program: Json;
}
/** What the sandbox's thread says. */
export interface Said {
  started?: true;
  outcome?: Value;
  /** The module is not to be used any more. */
  lost?: boolean;
}
interface Prepared extends Value {
  answer: Value;
  plan: Value & { runs: (Value & Run)[] };
}

/** Loads the modules in which methods of the facade are. */
export function loadModules(): void {
  const file = (name: string) => ({
    module: readFileSync(new URL(`${name}/${name}_bg.wasm`, WASM)),
  });
  core.initSync(file("core"));
  checkExtension.initSync(file("check-extension"));
  checkScript.initSync(file("check-script"));
  checkCrew.initSync(file("check-crew"));
  checkApp.initSync(file("check-app"));
  crew.initSync(file("crew"));
  archive.initSync(file("archive"));
  python.initSync(file("python"));
}

const encoder = new TextEncoder();
const utf8 = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));
const codeOf = (answer: Value): Json | undefined => (answer.error as Value | undefined)?.code;
/** Whether nobody has the method that was called. */
export const isMissing = (answer: Value): boolean => codeOf(answer) === "UNKNOWN_METHOD";

/** A facade method, of the module that has it. */
export function call(method: string, input: Value): Value {
  if (method === "python.facts") return JSON.parse(python.facts(JSON.stringify(input)));
  const light: Value = JSON.parse(core.call(method, JSON.stringify(input)));
  if (!isMissing(light)) return light;
  const drawn: Value = JSON.parse(crew.call(method, utf8(input)));
  if (!isMissing(drawn)) return drawn;
  const packed: Value = JSON.parse(archive.call(method, utf8(input)));
  if (!isMissing(packed)) return packed;
  return checked(method, method === "bundle.check" ? withFacts(input) : input);
}

/** A method of the checks: of the kind that the input names, and of another one where that kind has no such method. */
function checked(method: string, input: Value): Value {
  const bytes = utf8(input);
  const own = CHECKS[String(input?.kind)];
  let answer: Value = {};
  for (const check of [...(own ? [own] : []), ...Object.values(CHECKS)]) {
    answer = JSON.parse(check.call(method, bytes));
    if (!isMissing(answer)) break;
  }
  return answer;
}

/** Whether a module of the page has the method: model access is the edge's. */
export const isOfPage = (method: string): boolean =>
  method === "bundle.test" || !isMissing(call(method, {}));

/** `text.diff` of two texts that do not pass within JSON: its answer's text. */
export const diff = core.diff;

/** `bundle.check` of a script: the grammar first, its answer goes to the check. An error answer is no fact. */
function withFacts(input: Value): Value {
  const { kind, files, options } = (input ?? {}) as {
    kind?: Json;
    files?: Value;
    options?: Value;
  };
  const text = kind === "script-tool" ? files?.["tool.py"] : undefined;
  if (typeof text !== "string" || options?.python_facts) return input;
  const facts = call("python.facts", { text });
  return codeOf(facts) ? input : { ...input, options: { ...options, python_facts: facts } };
}

let worker: Worker | undefined;
let calls = 0;

/** `bundle.test`: prepare in check, run in the sandbox, judge in check. */
export async function bundleTest(input: Value): Promise<Value> {
  const prepared = checked("tests.prepare", input) as Partial<Prepared>;
  if (!prepared.plan) return prepared.answer ?? (prepared as Value);
  const outcomes: Value[] = [];
  for (const run of prepared.plan.runs) outcomes.push(await outcome(run));
  return checked("tests.judge", { plan: prepared.plan, outcomes });
}

/** Ends the sandbox's thread. */
export function end(): void {
  void worker?.terminate();
  worker = undefined;
}

async function outcome(run: Run): Promise<Value> {
  if (calls % MAX_CALLS === 0) end();
  calls += 1;
  const thread = worker ?? new Worker(THREAD, { eval: true });
  worker = thread;
  return new Promise((resolve) => {
    let clock = setTimeout(
      () => done({ failure: { code: "SANDBOX_FAULT", message: "It did not start." } }, true),
      START_MS,
    );
    const done = (answer: Value, lost = false) => {
      clearTimeout(clock);
      thread.removeAllListeners("message").removeAllListeners("error");
      if (lost) end();
      resolve(answer);
    };
    thread.on("message", ({ started, outcome: answer, lost }: Said) => {
      clearTimeout(clock);
      if (started)
        clock = setTimeout(
          () => done({ failure: { code: "TIMEOUT", message: "The call ran too long." } }, true),
          WALL_MS,
        );
      else done(answer ?? {}, lost);
    });
    thread.on("error", (error) =>
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
    thread.postMessage(run);
  });
}
