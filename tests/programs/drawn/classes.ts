// Classes: fields, private names, accessors, static members and blocks, heritage.

import type { Dice } from "./dice.ts";
import { expression } from "./expressions.ts";
import { body } from "./functions.ts";
import { parameters } from "./patterns.ts";
import type { Scope } from "./scope.ts";
import { statements } from "./statements.ts";

const NAMES = ["a", "b", "c", "x", "'k y'", "0"] as const;

/** From the heritage on: what follows `class NAME`. */
export function classBody(dice: Dice, scope: Scope, depth: number): string {
  const derived = dice.chance(35);
  const number = scope.fresh("");
  const privates = dice.list(0, 2, (index) => `#q${number}${index}`);
  const around = scope.block({ privates: [...scope.privates, ...privates] });
  const members = privates.map((name) => privateMember(dice, around, depth, name));
  members.push(...dice.list(0, 4, () => member(dice, around, depth)));
  if (dice.chance(50)) members.push(constructorOf(dice, around, depth, derived));
  return `${derived ? "extends K " : ""}{ ${members.join(" ")} }`;
}

function inside(scope: Scope, generator = false, async = false): Scope {
  return scope.body({ generator, async }, false, true);
}

function value(dice: Dice, scope: Scope, depth: number): string {
  const place = inside(scope);
  place.has = { this: true, super: false, arguments: false };
  return expression(dice, place, depth - 1);
}

function privateMember(dice: Dice, scope: Scope, depth: number, name: string): string {
  const fixed = dice.chance(25) ? "static " : "";
  switch (dice.upTo(4)) {
    case 0:
      return `${fixed}${name}() ${body(dice, inside(scope), depth - 1)}`;
    case 1: {
      // Beside no setter V8 throws before it asks the getter of a private name that is changed.
      const [place, set] = [inside(scope), inside(scope)];
      const given = set.declare(set.fresh("p"), true);
      return `${fixed}get ${name}() ${body(dice, place, depth - 1)}
${fixed}set ${name}(${given}) ${body(dice, set, depth - 1)}`;
    }
    case 2:
      return `${fixed}${name};`;
    default:
      return `${fixed}${name} = ${value(dice, scope, depth)};`;
  }
}

function member(dice: Dice, scope: Scope, depth: number): string {
  const fixed = dice.chance(30) ? "static " : "";
  const name = dice.chance(15) ? `[t(${expression(dice, scope, 0)})]` : dice.of(NAMES);
  switch (dice.upTo(8)) {
    case 0: {
      const place = inside(scope);
      const given = parameters(dice, place, depth - 1);
      return `${fixed}${name}(${given}) ${body(dice, place, depth - 1)}`;
    }
    case 1:
      return `${fixed}get ${name}() ${body(dice, inside(scope), depth - 1)}`;
    case 2: {
      const place = inside(scope);
      const given = place.declare(place.fresh("p"), true);
      return `${fixed}set ${name}(${given}) ${body(dice, place, depth - 1)}`;
    }
    case 3:
      return `${fixed}*${name}() ${body(dice, inside(scope, true), depth - 1)}`;
    case 4: {
      const place = inside(scope);
      place.has = { this: true, super: true, arguments: false };
      place.inFunction = false;
      return `static { ${statements(dice, place, depth - 1, 2)} }`;
    }
    case 5:
      return `${fixed}${name};`;
    default:
      return `${fixed}${name} = ${value(dice, scope, depth)};`;
  }
}

function constructorOf(dice: Dice, scope: Scope, depth: number, derived: boolean): string {
  const place = inside(scope);
  const given = parameters(dice, place, depth - 1);
  const before = place.block({ has: { this: false, super: false, arguments: true } });
  const first = derived ? `super(${expression(dice, before, 1)});` : "";
  return `constructor(${given}) { ${first} ${statements(dice, place, depth - 1, 2)} }`;
}
