// Built-ins over ordinary values and over those at the edges.

import { readFileSync } from "node:fs";
import type { Dice } from "./dice.ts";
import { big, number, small, text } from "./values.ts";

/** Calls with places for values. */
const CALLS = readFileSync(new URL("calls.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("# "));

const PATTERNS = [
  "/a/",
  "/b/g",
  "/[ab]+/gi",
  "/(?<n>a)(b)?/",
  "/^.$/u",
  "/./gu",
  "/./gs",
  "/\\s+/g",
  "/(.)(.)?/y",
  "/$/gm",
  "/\\ud83d/",
  "/\\ud83d/u",
  "/[^a]/gu",
  "/(?=b)/g",
  "/(?<=a)b/g",
  "/(?<!a)b/",
  "/a|ab|abc/",
  "/(a*)*b?/",
  "/(?:)/g",
  "/\\u{1F600}/gu",
  "/x{0,2}/y",
  "/\\bb\\b/i",
  "/(z)((a+)?(b+)?(c))*/",
  "/\\p{L}+/gu",
  "/[\\w-]+/g",
  "/(\\d)\\1/",
  "/\\k<n>(?<n>x)/",
  "/\\0|\\x61|\\cJ/d",
  "/[\\ud83d\\ude00]/gu",
  "/./gv",
  "/^b|X$/gim",
];
const ARRAYS = [
  "[]",
  "[1, 2, 3]",
  "[3, 1, 2, 10]",
  "[, 1, , 2]",
  "[NaN, -0, 0]",
  "['b', 'a', undefined, 'c']",
  "[1, [2, [3, [4]]]]",
  "[undefined, null]",
  "['10', 9, '8', 1e21]",
  "[{ a: 1 }, { a: 2 }]",
  "Array(3)",
  "[...'a\\u{1F600}b']",
  "[true, 'true', 1, '1']",
  "[0.1, 0.2, 0.3, , ]",
  "[1n, 2, '3']",
];
const TYPED = [
  "new Uint8Array([1, 2, 300, -1])",
  "new Int8Array([127, 128, 1.9])",
  "new Float32Array([0.1, NaN, -0])",
  "new Uint8ClampedArray([1.5, 2.5, -3, 999])",
  "new Float64Array(3)",
  "new Int32Array([2147483648, 1e10])",
  "new Uint16Array(new Uint8Array([1, 2, 3]))",
  "new BigInt64Array([1n, -1n])",
  "new Uint32Array([-1, 1])",
  "new Int16Array([5, 3, 9, 1]).subarray(1, 3)",
  "new Uint8Array(new ArrayBuffer(8), 2, 4)",
];
const DATES = [
  "new Date(0)",
  "new Date(NaN)",
  "new Date(1e12)",
  "new Date(Date.UTC(2024, 1, 29))",
  "new Date(-1)",
  "new Date('2024-03-31T23:59:59.999Z')",
  "new Date(8.64e15)",
];
const JSONS = [
  '\'{"a":1,"b":[true,null]}\'',
  "'[1e3,-0,0.10]'",
  "'\"\\\\ud83d\\\\ude00\"'",
  "'{\"__proto__\":1}'",
  '\'{"a":1,"a":2,"1":3}\'',
  "'[1,]'",
  "' 12 '",
  "'01'",
  "'nul'",
  "''",
  '\'{"a":"\\\\u0000"}\'',
];
const FUNCTIONS = [
  "(x) => x",
  "(x, at) => at",
  "(x) => x > 1",
  "(x) => typeof x",
  "(x, at, all) => all.length",
  "(x) => [x]",
  "Boolean",
  "String",
];

/** A call of a built-in; `value` draws what else may stand in it. */
export function builtin(dice: Dice, value: () => string): string {
  const places: Record<string, () => string> = {
    N: () => number(dice),
    S: () => text(dice),
    I: () => small(dice),
    B: () => big(dice),
    V: value,
    R: () => dice.of(PATTERNS),
    A: () => dice.of(ARRAYS),
    T: () => dice.of(TYPED),
    D: () => dice.of(DATES),
    J: () => dice.of(JSONS),
    F: () => dice.of(FUNCTIONS),
    BOOL: () => dice.of(["true", "false"]),
  };
  const call = dice.of(CALLS);
  return call.replace(/\b([NSIBVRATDJF]|BOOL)\b/g, (place) => places[place]?.() ?? place);
}
