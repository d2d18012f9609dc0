// No text ends the stack of the grammar's module: what it costs is counted before it is read (crates/python nesting).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";

import * as python from "../../www/core/wasm/python/python.js";

const WASM = new URL("../../www/core/wasm/python/python_bg.wasm", import.meta.url);
const SCRIPT = new URL("../../crates/python/tests/scripts/modern.py", import.meta.url);
const SEED = 20;
const TEXTS = 300;

const facts = (text: string): unknown => JSON.parse(python.facts(JSON.stringify({ text })));
const blocks = (head: string, n: number): string =>
  Array.from({ length: n }, (_, at) => `${" ".repeat(at)}${head}\n`).join("") + " ".repeat(n);

/** Towers of n levels. */
const TOWERS: Record<string, (n: number) => string> = {
  brackets: (n) => `x = ${"(".repeat(n)}1${")".repeat(n)}`,
  calls: (n) => `x = ${"f(a=".repeat(n)}1${")".repeat(n)}`,
  comprehensions: (n) => `x = ${"[a for a in ".repeat(n)}b${"]".repeat(n)}`,
  signs: (n) => `x = ${"-".repeat(n)}1`,
  stars: (n) => `print(${"*".repeat(n)}1)`,
  powers: (n) => `x = ${"a ** ".repeat(n)}1`,
  conditions: (n) => `x = ${"1 if a else ".repeat(n)}1`,
  lambdas: (n) => `x = ${"lambda a=1: ".repeat(n)}1`,
  sums: (n) => `x = ${"a + ".repeat(n)}1`,
  members: (n) => `x = a${".b()".repeat(n)}`,
  texts: (n) => `x = ${"f'{".repeat(n)}1${"}'".repeat(n)}`,
  patterns: (n) => `match x:\n case ${"A(b=[".repeat(n)}a${"])".repeat(n)}: pass`,
  all: (n) =>
    `x = ${"a or b and not c == d | e ^ f & g << h + i * -j ** (".repeat(n)}1${")".repeat(n)}`,
  classes: (n) => `${blocks("class A:", Math.min(n, 700))}x = ${"f(".repeat(n)}1${")".repeat(n)}`,
  functions: (n) =>
    `${blocks("async def f():", Math.min(n, 99))}return ${"f(".repeat(n)}1${")".repeat(n)}`,
  // What no program has.
  open: (n) => `x = ${"lambda a= in \n  ".repeat(n)}`,
  operators: (n) => `x = ${"| lambda: ".repeat(n)}`,
  yields: (n) => `x = ${"yield from a, ".repeat(n)}`,
  keywords: (n) => `x = ${"del if a else ".repeat(n)}`,
  hidden: (n) => `(\n${blocks("if x: # (", Math.min(n, 700))}pass`,
};

const PIECES = [
  ..."([{)]}-~.,:=|@;*1a\n".split(""),
  ..."f( a[ {1: **".split(" "),
  ..."not |await |lambda: |lambda a=| if a else | if | else | + | or | is not | in |:=".split("|"),
  ..."f'{|}'|yield from |async | for b in c |\n  |if x:\n|def f(|class A(|return |global a|except |\\\n".split(
    "|",
  ),
];

before(() => {
  python.initSync({ module: readFileSync(WASM) });
  // Compiled once more for speed, functions need another stack.
  const script = readFileSync(SCRIPT, "utf8");
  for (let at = 0; at < 300; at += 1) facts(script);
});

for (const [name, tower] of Object.entries(TOWERS)) {
  test(`towers of ${name}`, () => {
    for (const n of [20, 23, 47, 66, 99, 123, 200, 320, 640, 800, 1_066, 2_000, 6_000]) {
      assert.doesNotThrow(() => facts(tower(n)), `${n}`);
    }
  });
}

test("scraps in any order", () => {
  let state = SEED;
  const below = (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % n;
  };
  const piece = (): string => PIECES[below(PIECES.length)] ?? "";
  const part = (): string => {
    const unit = Array.from({ length: 1 + below(4) }, piece).join("");
    return unit.repeat([1, 3, 50, 319, 1_000, 3_000][below(6)] ?? 1);
  };
  for (let at = 0; at < TEXTS; at += 1) {
    const text = `x = ${Array.from({ length: 1 + below(4) }, part).join("")}`;
    assert.doesNotThrow(() => facts(text), JSON.stringify(text.slice(0, 200)));
  }
});
