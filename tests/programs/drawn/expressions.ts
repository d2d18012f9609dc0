// Expressions: every operator, with effects at every position.

import { builtin } from "./builtins.ts";
import { classBody } from "./classes.ts";
import type { Dice } from "./dice.ts";
import { arrow, functionExpression } from "./functions.ts";
import { assignmentPattern } from "./patterns.ts";
import type { Scope } from "./scope.ts";
import { literal, NUMBERS, text } from "./values.ts";

/** How tightly an expression holds together; a looser one stands in parentheses. */
const COMMA = 0;
const ASSIGNMENT = 1;
const CONDITIONAL = 2;
const COALESCE = 3;
const OR = 4;
const AND = 5;
const BIT_OR = 6;
const UNARY = 15;
const POSTFIX = 16;
const MEMBER = 18;
const PRIMARY = 20;

interface Part {
  source: string;
  level: number;
}

/** Binary operators and their levels; `**` binds from the right. */
const BINARY: readonly (readonly [string, number])[] = [
  ["|", 6],
  ["^", 7],
  ["&", 8],
  ["==", 9],
  ["!=", 9],
  ["===", 9],
  ["!==", 9],
  ["<", 10],
  [">", 10],
  ["<=", 10],
  [">=", 10],
  ["in", 10],
  ["instanceof", 10],
  ["<<", 11],
  [">>", 11],
  [">>>", 11],
  ["+", 12],
  ["+", 12],
  ["-", 12],
  ["*", 13],
  ["/", 13],
  ["%", 13],
  ["**", 14],
];
const COMPOUND = "= += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ??=".split(" ");
const KEYS = ["a", "b", "c", "x", "length", "0", "1", "size", "k y"] as const;
const PLAIN_KEYS = ["a", "b", "c", "x", "length", "size"] as const;

/** An expression as it stands between commas. */
export function expression(dice: Dice, scope: Scope, depth: number): string {
  return within(part(dice, scope, depth), ASSIGNMENT);
}

/** An expression as a statement may begin with it. */
export function statementExpression(dice: Dice, scope: Scope, depth: number): string {
  const { source } = part(dice, scope, depth);
  return /^(\{|function|class|async|let\b)/.test(source) ? `(${source})` : source;
}

/** A condition of a loop or a branch. */
export function condition(dice: Dice, scope: Scope, depth: number): string {
  if (dice.chance(40)) {
    const [left, right] = [compared(dice, scope, depth), compared(dice, scope, depth)];
    return `${left} ${dice.of(["<", ">", "<=", ">=", "===", "!="])} ${right}`;
  }
  return expression(dice, scope, depth);
}

/** An operand of a comparison. Beside a BigInt V8 takes every object for a number, whatever text it makes. */
function compared(dice: Dice, scope: Scope, depth: number): string {
  return operand(dice, scope, depth, 11).replace(/^\(?-?\w+n\)?$/, (big) => `Number(${big})`);
}

/** What an operand may look like: at least this tight, else in parentheses. */
export function operand(dice: Dice, scope: Scope, depth: number, level: number): string {
  return within(part(dice, scope, depth), level);
}

function within({ source, level }: Part, least: number): string {
  return level < least ? `(${source})` : source;
}

/** A key of an object or a member, as it stands behind a dot or in brackets. */
function access(dice: Dice, scope: Scope, depth: number): string {
  if (dice.chance(60)) return `.${dice.of(PLAIN_KEYS)}`;
  return `[${dice.chance(50) ? `'${dice.of(KEYS)}'` : expression(dice, scope, depth - 1)}]`;
}

/** The base of a member. */
function base(dice: Dice, scope: Scope, depth: number): string {
  const name = scope.name(dice);
  if (name !== null && dice.chance(70)) return name;
  // Members of names of the language are never written, and the check says so.
  return operand(dice, scope, depth - 1, MEMBER).replace(/^(undefined|NaN|Infinity)$/, "null");
}

function member(dice: Dice, scope: Scope, depth: number): string {
  return own(dice, scope) ?? base(dice, scope, depth) + access(dice, scope, depth);
}

/** A member of `this` or of the class above, where they are. */
function own(dice: Dice, scope: Scope): string | null {
  if (!scope.has.this || dice.chance(60)) return null;
  if (scope.privates.length > 0 && dice.chance(40)) return `this.${dice.of(scope.privates)}`;
  if (scope.has.super && dice.chance(20)) return `super.${dice.of(PLAIN_KEYS)}`;
  return `this.${dice.of(PLAIN_KEYS)}`;
}

/** What may be assigned to: a name or a member. */
export function target(dice: Dice, scope: Scope, depth: number): string {
  const name = scope.target(dice);
  return name !== null && dice.chance(70) ? name : member(dice, scope, depth);
}

/** What may be read and assigned to. Its keys are texts: V8 makes a key of an object twice. */
function updated(dice: Dice, scope: Scope, depth: number): string {
  return target(dice, scope, depth).replace(/\[([^[\]]*)\]$/, (_, key) => `[\`\${${key}}\`]`);
}

function callArguments(dice: Dice, scope: Scope, depth: number): string {
  const one = () =>
    dice.chance(12)
      ? `...${dice.chance(60) ? `[${expression(dice, scope, depth - 1)}]` : expression(dice, scope, depth - 1)}`
      : expression(dice, scope, depth - 1);
  return dice.list(0, 3, one).join(", ");
}

export function array(dice: Dice, scope: Scope, depth: number): string {
  const items = dice.list(0, 4, () => {
    if (dice.chance(8)) return "";
    const item = expression(dice, scope, depth - 1);
    return dice.chance(8) ? `...[${item}]` : item;
  });
  return `[${items.join(", ")}]`;
}

export function object(dice: Dice, scope: Scope, depth: number): string {
  const members = dice.list(0, 4, () => {
    const key = dice.of(KEYS);
    const name = /^[a-z]+$/.test(key) ? key : `'${key}'`;
    const value = () => expression(dice, scope, depth - 1);
    const inside = scope.body({ generator: false, async: false }, false, true);
    switch (dice.upTo(12)) {
      case 0:
        return `[${value()}]: ${value()}`;
      case 1:
        return `...${value()}`;
      case 2:
        return `get ${name}() { say('get ${key}'); return ${expression(dice, inside, depth - 1)}; }`;
      case 3: {
        const given = inside.declare(inside.fresh("p"), true);
        return `set ${name}(${given}) { say('set ${key}'); ${statementExpression(dice, inside, depth - 1)}; }`;
      }
      case 4:
        return `${name}(p0) { return ${expression(dice, inside, depth - 1)}; }`;
      case 5: {
        const named = scope.name(dice);
        return named ?? `${name}: ${value()}`;
      }
      default:
        return `${name}: ${value()}`;
    }
  });
  // Behind a spread V8 puts accessors, and keys that come twice, where they do not belong.
  const keys = members.map((own) => own.match(/^([gs]et )?('[^']*'|\w+)/)?.[0]);
  const odd = keys.some((key, at) => key && (/^[gs]et /.test(key) || keys.indexOf(key) < at));
  const kept = members.filter((own) => !odd || !own.startsWith("..."));
  return `{ ${kept.join(", ")} }`;
}

function template(dice: Dice, scope: Scope, depth: number): string {
  const parts = dice.list(
    1,
    3,
    () => `${dice.of(["", "a", " ", "\\n", "\\u{41}"])}\${${expression(dice, scope, depth - 1)}}`,
  );
  return `\`${parts.join("")}${dice.of(["", "z"])}\``;
}

function leaf(dice: Dice, scope: Scope): Part {
  const name = scope.name(dice);
  if (name !== null && dice.chance(65)) return { source: name, level: PRIMARY };
  if (scope.has.arguments && dice.chance(8)) return { source: "arguments[0]", level: MEMBER };
  const source = literal(dice);
  // A dot behind a number would be its own.
  const level = /^\d/.test(source) ? POSTFIX : PRIMARY;
  return { source, level: source.startsWith("-") ? UNARY : level };
}

function binary(dice: Dice, scope: Scope, depth: number): Part {
  const [operator, level] = dice.of(BINARY);
  const power = operator === "**";
  const name = scope.name(dice);
  // A plain name on the left of what changes it is where engines that keep names in registers go wrong.
  const compares = /^[<>]=?$/.test(operator);
  const side = (least: number) =>
    compares ? compared(dice, scope, depth - 1) : operand(dice, scope, depth - 1, least);
  const left = name !== null && dice.chance(40) ? name : side(power ? POSTFIX : level);
  let right = side(power ? level : level + 1);
  if (operator === "in" && dice.chance(70)) right = object(dice, scope, depth - 1);
  if (operator === "instanceof" && dice.chance(80))
    right = dice.of(["Object", "Array", "Error", "K"]);
  return { source: `${left} ${operator} ${right}`, level };
}

function chain(dice: Dice, scope: Scope, depth: number): Part {
  let source = base(dice, scope, depth);
  for (const _ of dice.list(1, 3, () => 0)) {
    const link = dice.upTo(5);
    const mark = dice.chance(60) ? "?." : "";
    const inside = () => expression(dice, scope, depth - 2);
    if (link === 0) source += `${mark}(${inside()})`;
    else if (link === 1) source += `${mark}[${inside()}]`;
    else source += `${mark || "."}${dice.of(PLAIN_KEYS)}`;
  }
  return { source, level: 17 };
}

function unary(dice: Dice, scope: Scope, depth: number): Part {
  const operator = dice.of(["+", "-", "!", "~", "typeof ", "void ", "delete "]);
  if (operator === "delete ") {
    const name = scope.name(dice);
    const of = name ?? object(dice, scope, 1);
    return {
      source: `delete ${name === null ? `(${of})` : of}${access(dice, scope, depth)}`,
      level: UNARY,
    };
  }
  const inner = operand(dice, scope, depth - 1, UNARY);
  return { source: operator + (/^[+-]/.test(inner) ? `(${inner})` : inner), level: UNARY };
}

function assignment(dice: Dice, scope: Scope, depth: number): Part {
  const value = expression(dice, scope, depth - 1);
  if (dice.chance(15)) {
    return { source: `${assignmentPattern(dice, scope, depth - 1)} = ${value}`, level: ASSIGNMENT };
  }
  const operator = dice.chance(40) ? "=" : dice.of(COMPOUND);
  const changed = operator === "=" ? target : updated;
  return { source: `${changed(dice, scope, depth - 1)} ${operator} ${value}`, level: ASSIGNMENT };
}

function update(dice: Dice, scope: Scope, depth: number): Part {
  const operator = dice.of(["++", "--"]);
  const changed = updated(dice, scope, depth - 1);
  return dice.chance(50)
    ? { source: operator + changed, level: UNARY }
    : { source: changed + operator, level: POSTFIX };
}

function call(dice: Dice, scope: Scope, depth: number): Part {
  const given = callArguments(dice, scope, depth);
  switch (dice.upTo(7)) {
    case 0:
      return { source: `${member(dice, scope, depth)}(${given})`, level: MEMBER };
    case 1:
      return { source: `(${arrow(dice, scope, depth - 1)})(${given})`, level: MEMBER };
    case 2:
      return { source: `(${functionExpression(dice, scope, depth - 1)})(${given})`, level: MEMBER };
    case 3:
      return { source: `new K(${given})`, level: MEMBER };
    case 4: {
      const tag = dice.chance(80) ? "tag" : `(${scope.name(dice) ?? "tag"})`;
      return { source: tag + template(dice, scope, depth), level: MEMBER };
    }
    default: {
      const name = scope.name(dice);
      return { source: `${dice.chance(60) ? "say" : (name ?? "say")}(${given})`, level: MEMBER };
    }
  }
}

function waiting(dice: Dice, scope: Scope, depth: number): Part {
  const inner = expression(dice, scope, depth - 1);
  if (scope.sort.generator && (!scope.sort.async || dice.chance(50))) {
    // What `throw` gives where the items of an async generator cannot throw differs between editions of the language.
    const items = scope.sort.async ? `(async function* () { yield ${inner}; })()` : `[${inner}]`;
    const all = dice.chance(20) ? `yield* ${items}` : `yield ${inner}`;
    return { source: all, level: ASSIGNMENT };
  }
  if (dice.chance(30)) {
    const waits = arrow(dice, scope, depth - 1, { generator: false, async: true });
    return { source: `await (${waits})(${callArguments(dice, scope, depth)})`, level: UNARY };
  }
  return { source: `await ${operand(dice, scope, depth - 1, UNARY)}`, level: UNARY };
}

function part(dice: Dice, scope: Scope, depth: number): Part {
  if (depth <= 0) return leaf(dice, scope);
  const next = () => expression(dice, scope, depth - 1);
  const sort = dice.upTo(100);
  if (sort < 8) return leaf(dice, scope);
  if (sort < 14) return { source: `t(${next()})`, level: MEMBER };
  if (sort < 34) return binary(dice, scope, depth);
  if (sort < 40) return logical(dice, scope, depth);
  if (sort < 43) {
    const test = operand(dice, scope, depth - 1, COALESCE);
    return { source: `${test} ? ${next()} : ${next()}`, level: CONDITIONAL };
  }
  if (sort < 48) return unary(dice, scope, depth);
  if (sort < 55) return update(dice, scope, depth);
  if (sort < 68) return assignment(dice, scope, depth);
  if (sort < 71) return { source: `${next()}, ${next()}`, level: COMMA };
  if (sort < 75) return { source: member(dice, scope, depth), level: MEMBER };
  if (sort < 78) return chain(dice, scope, depth);
  if (sort < 83) return call(dice, scope, depth);
  if (sort < 86) return { source: template(dice, scope, depth), level: PRIMARY };
  if (sort < 89) return { source: array(dice, scope, depth), level: PRIMARY };
  if (sort < 92) return { source: object(dice, scope, depth), level: PRIMARY };
  if (sort < 94) return { source: arrow(dice, scope, depth - 1), level: ASSIGNMENT };
  if (sort < 95) return { source: `class ${classBody(dice, scope, depth - 1)}`, level: PRIMARY };
  if (sort < 97 && (scope.sort.generator || scope.sort.async)) return waiting(dice, scope, depth);
  if (sort < 98 && scope.privates.length > 0) {
    return {
      source: `${dice.of(scope.privates)} in ${dice.of([scope.has.this ? "this" : "[]", "K", "{}"])}`,
      level: 10,
    };
  }
  return { source: builtin(dice, () => simple(dice, scope)), level: MEMBER };
}

/** A value for a built-in: a name or a literal. */
function simple(dice: Dice, scope: Scope): string {
  const name = scope.name(dice);
  if (name !== null && dice.chance(20)) return name;
  return dice.chance(50) ? dice.of(NUMBERS) : text(dice);
}

function logical(dice: Dice, scope: Scope, depth: number): Part {
  const [operator, level] = dice.of([
    ["&&", AND],
    ["||", OR],
    ["??", COALESCE],
  ] as const);
  const least = operator === "??" ? BIT_OR : level;
  const left = operand(dice, scope, depth - 1, least);
  const right = operand(dice, scope, depth - 1, least + 1);
  return { source: `${left} ${operator} ${right}`, level };
}
