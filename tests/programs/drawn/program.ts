// A whole program: sections of drawn statements, with what they report by.

import { builtin } from "./builtins.ts";
import { Dice } from "./dice.ts";
import { expression } from "./expressions.ts";
import { Scope } from "./scope.ts";
import { shape } from "./shapes.ts";
import { statements } from "./statements.ts";
import { literal } from "./values.ts";

/** What every program begins with. `say` writes values to the log so that nothing of them is lost. */
const PRELUDE = `const log = [];
let steps = 0;
let kept = [];
const more = () => { steps += 1; return steps < 40; };
const keep = (f) => { if (kept.length < 20) kept.push(f); };
const member = (x, key, depth) => {
  const own = Object.getOwnPropertyDescriptor(x, key);
  return own.get || own.set ? (own.get ? 'get' : '') + (own.set ? 'set' : '') : show(own.value, depth + 1);
};
const show = (x, depth = 0) => {
  if (typeof x === 'string') return JSON.stringify(x.length > 60 ? x.slice(0, 60) + x.length : x);
  if (typeof x === 'bigint') return x + 'n';
  if (typeof x === 'symbol') return 'symbol ' + x.description;
  if (typeof x === 'function') return 'function ' + x.name + ' ' + x.length + (depth < 2 ? members(x, depth) : '');
  if (Object.is(x, -0)) return '-0';
  // Powers are exact to some digits only.
  if (typeof x === 'number') return String(Number.isSafeInteger(x) ? x : Number(x.toPrecision(12)));
  if (typeof x !== 'object' || x === null) return String(x);
  if (x instanceof Error) return x.name + (x.message === 'own' ? '!' : '');
  if (depth > 2) return '...';
  if (x instanceof Map || x instanceof Set) return x.size + show([...x], depth + 1);
  if (x instanceof RegExp || x instanceof Promise) return 'other';
  if (x instanceof Date) return 'date ' + x.getTime();
  return (Array.isArray(x) ? 'array ' + x.length : '') + members(x, depth);
};
const members = (x, depth) =>
  '{' + Object.keys(x).slice(0, 12).map((key) => key + ':' + member(x, key, depth)).join() + '}';
const say = (...all) => {
  if (log.length < 150) log.push(all.map((x) => show(x)).join(' '));
  return all[0];
};
const t = (x) => say(x);
const plain = (e) => (e instanceof Error ? { name: e.name } : e);
const tag = (parts, ...values) => { say(parts, parts.raw, Object.isFrozen(parts), ...values); return parts; };
class K { constructor(...all) { this.all = all; this.a = all[0]; }
  get x() { say('K.x'); return this.a; }
  set x(v) { say('K.x=', v); this.a = v; } b() { return this.a; } static c = 5; }
const watched = (n) => {
  let at = 0;
  return {
    get a() { say('a'); return n; }, set a(v) { say('a=', v); },
    get b() { say('b'); return { x: n, a: [n] }; }, c: [n, 2], x: n, length: 2,
    [Symbol.iterator]() { say('iterator'); return {
      next() {
        say('next'); at += 1;
        return { value: { a: at, b: [at], x: 0 }, get done() { say('done'); return at > 3; } };
      },
      return(v) { say('return', v); return {}; },
    }; },
    toString() { say('toString'); return 'w'; }, valueOf() { say('valueOf'); return n; },
  };
};
const drive = (it, ways) => { for (const way of ways) { try { say(it[way]('sent')); } catch (e) { say('out', e); } } };
const driveAsync = async (it, ways) => {
  for (const way of ways) { try { say(await it[way]('sent')); } catch (e) { say('out', e); } } };
const closures = () => {
  for (const f of kept) { try { say(f()); } catch (e) { say('kept', e); } } kept = []; steps = 0; };
`;

/** How a section is called. */
const SECTIONS = [
  { sort: { generator: false, async: false }, opens: "(() => {", closes: "})()" },
  { sort: { generator: false, async: false }, opens: "(() => {", closes: "})()" },
  { sort: { generator: false, async: true }, opens: "await (async () => {", closes: "})()" },
  {
    sort: { generator: true, async: false },
    opens: "drive((function* () {",
    closes: "})(), ['next', 'next', 'next', 'return'])",
  },
  {
    sort: { generator: true, async: true },
    opens: "await driveAsync((async function* () {",
    closes: "})(), ['next', 'next', 'next', 'throw'])",
  },
] as const;

/** The program of a seed: a module whose default export answers a log of what it saw. */
export function program(seed: number): string {
  const dice = new Dice(seed);
  const counter = { next: 0 };
  const sections = dice.list(2, 4, () => section(dice, counter));
  const body = sections.join("\n");
  return `${PRELUDE}export default async () => {\n${body}\nreturn log;\n};\n`;
}

function section(dice: Dice, counter: { next: number }): string {
  const inner = inside(dice, counter);
  return `try {\n${inner}\n} catch (e) { say('thrown', e); }\nclosures();`;
}

function inside(dice: Dice, counter: { next: number }): string {
  const sort = dice.upTo(10);
  if (sort === 0) return shape(dice);
  if (sort < 3) {
    const calls = dice.list(
      3,
      8,
      () => `try { say(${builtin(dice, () => literal(dice))}); } catch (e) { say(e); }`,
    );
    return calls.join("\n");
  }
  const { sort: written, opens, closes } = dice.of(SECTIONS);
  const scope = new Scope(counter).body(written, true);
  // Names that nothing captures, and some that something does.
  const names = dice.list(2, 4, () => {
    const name = scope.fresh();
    const line = `let ${name} = ${expression(dice, scope, 1)};`;
    scope.declare(name, true);
    return dice.chance(25) ? `${line} keep(() => ${name});` : line;
  });
  const lines = dice.list(3, 7, () => statements(dice, scope, 1 + dice.upTo(3), 1));
  return `say(${opens}\n${[...names, ...lines].join("\n")}\nsay(${scope.name(dice) ?? "0"});\n${closes});`;
}
