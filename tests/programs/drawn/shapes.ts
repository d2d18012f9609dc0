// Members that come and go on objects in a row of prototypes, while the same places read and write them; sorts.

import type { Dice } from "./dice.ts";

const NAMES = ["a", "b", "length", "x1", "set"] as const;

/** Statements of one of these sorts. */
export function shape(dice: Dice): string {
  return dice.chance(50) ? prototypes(dice) : sort(dice);
}

function prototypes(dice: Dice): string {
  const [p, q] = [dice.of(NAMES), dice.of(NAMES)];
  const steps = dice.list(3, 10, (step) => change(dice, step));
  return `{ const A = { ${p}: 1, ${q}: 'q' }, B = Object.create(A), C = Object.create(B); let s = 0;
const read = (o) => { say(o.${p}, o.${q}); const { ${p}: u = 'none' } = o; say(u); };
const write = (o, v) => { try { o.${p} = v; o.${q} += v; } catch (e) { say(e); } };
${steps.join("\n")}
read(C); write(C, 1); read(B); say(s); }`;
}

function change(dice: Dice, step: number): string {
  const object = dice.of(["A", "B", "C"]);
  const name = dice.of(NAMES);
  switch (dice.upTo(9)) {
    case 0:
      return `delete ${object}.${name};`;
    case 1:
      return `Object.defineProperty(${object}, '${name}',
  { get() { return 'g${step}' + s; }, set(v) { s += v; }, configurable: true });`;
    case 2:
      return `Object.defineProperty(${object}, '${name}',
  { value: ${step}, writable: ${step % 2 === 0}, configurable: true, enumerable: true });`;
    case 3:
      return `write(${object}, ${step});`;
    case 4:
      return `${object}.${name} = ${step}; say(Object.keys(${object}));`;
    case 5:
      return `${dice.of(["Object.freeze", "Object.seal", "Object.preventExtensions"])}(${dice.of(["A", "B", "C"])});`;
    default:
      return `for (let i = 0; i < 3; i++) read(${object});`;
  }
}

function sort(dice: Dice): string {
  const count = dice.upTo(60);
  const by = 1 + dice.upTo(9);
  const compare = dice.of([
    "(x, y) => x.k - y.k",
    "(x, y) => y.k - x.k || x.i - y.i",
    "(x, y) => (x.t < y.t ? -1 : x.t > y.t ? 1 : 0)",
  ]);
  return `{ const rows = Array.from({ length: ${count} }, (_, i) =>
  ({ i, k: (i * 7919) % ${by}, t: 'n' + (i * 31) % 11 }));
say(rows.${dice.of(["sort", "toSorted"])}(${compare}).map((r) => r.i).join());
say([...rows.map((r) => r.t)].sort().join(), [...new Float32Array(rows.map((r) => r.k / 3)).sort()].join()); }`;
}
