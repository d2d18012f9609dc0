// Questions to a check module of the page, in time on the processor.
//
// Usage: node questions.mjs MODULE INPUTS.json, a list of lists of `{name, questions[] {method, input}}`. Prints the same lists of
// `{name, median, bytes}`. The first list is measured as often as it takes, the second a few times.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [module, inputs] = process.argv.slice(2);
const WASM = resolve("www/core/wasm", module);
const WARM_MS = 700;
const TIME_MS = 3_000;
const RUNS = 101;
const FEW_RUNS = 3;

const check = await import(pathToFileURL(join(WASM, `${module}.js`)));
check.initSync({ module: readFileSync(join(WASM, `${module}_bg.wasm`)) });
const utf8 = new TextEncoder();

/** Milliseconds that this process has been on a processor. */
function onProcessor() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function measured({ name, questions }, warmMs, runs) {
  const asked = questions.map(({ method, input }) => [method, utf8.encode(JSON.stringify(input))]);
  let bytes = 0;
  const ask = () => {
    bytes = 0;
    for (const [method, input] of asked) bytes += check.call(method, input).length;
  };
  const warmed = performance.now() + warmMs;
  while (performance.now() < warmed) ask();
  const times = [];
  const begun = performance.now();
  while (times.length < runs && (times.length < 3 || performance.now() - begun < TIME_MS)) {
    const started = onProcessor();
    ask();
    times.push(onProcessor() - started);
  }
  const median = times.sort((one, other) => one - other)[Math.floor(times.length / 2)];
  return { name, median, bytes };
}

const [promised, hostile] = JSON.parse(readFileSync(inputs, "utf8"));
const often = promised.map((input) => measured(input, WARM_MS, RUNS));
const seldom = hostile.map((input) => measured(input, 0, FEW_RUNS));
console.log(JSON.stringify([often, seldom]));
