// Draws programs and runs them here: `main.ts FIRST COUNT` writes one line of JSON a program, `{seed, source, answer}`.
// `answer` is `{value}` or `{threw}`, or null where Node itself gave none in time.

import { Worker } from "node:worker_threads";
import { program } from "./program.ts";

/** Programs of one worker: modules stay in its memory. */
const PROGRAMS = 250;
const LATE_MS = 4_000;
const MEGABYTES = 512;

/** Runs modules, one after the other. The text of a function is that of a native one, as it is in the sandbox. */
const RUNNER = `
const { parentPort } = require('node:worker_threads');
Function.prototype.toString = function toString() { return 'function ' + this.name + '() { [native code] }'; };
process.on('unhandledRejection', () => {});
parentPort.on('message', async (source) => {
  try {
    const module = await import('data:text/javascript,' + encodeURIComponent(source));
    const value = await (typeof module.default === 'function' ? module.default : module.run)();
    parentPort.postMessage({ value: JSON.parse(JSON.stringify(value) ?? 'null') });
  } catch (error) {
    parentPort.postMessage({ threw: String(error?.name), message: String(error?.message) });
  }
});`;

type Answer = { value: unknown } | { threw: string; message: string };

function start(): Worker {
  return new Worker(RUNNER, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  });
}

function ask(worker: Worker, source: string): Promise<Answer | null> {
  return new Promise((resolve) => {
    const lost = () => done(null);
    const clock = setTimeout(lost, LATE_MS);
    const done = (answer: Answer | null) => {
      clearTimeout(clock);
      worker.off("message", done).off("error", lost).off("exit", lost);
      resolve(answer);
    };
    worker.on("message", done).on("error", lost).on("exit", lost);
    worker.postMessage(source);
  });
}

const [first = 0, count = 10] = process.argv.slice(2).map(Number);
let worker = start();
for (let seed = first; seed < first + count; seed += 1) {
  const source = program(seed);
  const answer = await ask(worker, source);
  if (answer === null || seed % PROGRAMS === 0) {
    await worker.terminate();
    worker = start();
  }
  // Half a pair of UTF-16 is no text in Rust; the sandbox gives the replacement character in its place.
  const text = (_: string, value: unknown) =>
    typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value;
  process.stdout.write(`${JSON.stringify({ seed, source, answer }, text)}\n`);
}
await worker.terminate();
