// Patterns: nested, with defaults, computed keys, holes and rests; in declarations, parameters and assignments.

import type { Dice } from "./dice.ts";
import { expression, target } from "./expressions.ts";
import type { Scope } from "./scope.ts";

const KEYS = ["a", "b", "c", "x", "0", "length"] as const;

/** Draws what stands at an end of a pattern. */
type End = () => string;

function withDefault(dice: Dice, scope: Scope, depth: number, inner: string): string {
  return dice.chance(35) ? `${inner} = ${expression(dice, scope, depth - 1)}` : inner;
}

function key(dice: Dice, scope: Scope, depth: number): string {
  const name = dice.of(KEYS);
  switch (dice.upTo(5)) {
    case 0:
      return `['${name}']`;
    case 1:
      return dice.chance(50) ? `[${expression(dice, scope, depth - 1)}]` : `[t('${name}')]`;
    case 2:
      return `'${name}'`;
    default:
      return name;
  }
}

function pattern(
  dice: Dice,
  scope: Scope,
  depth: number,
  end: End,
  rest: () => string | null = end,
): string {
  const element = () =>
    withDefault(
      dice,
      scope,
      depth,
      depth > 0 && dice.chance(35) ? pattern(dice, scope, depth - 1, end, rest) : end(),
    );
  if (dice.chance(55)) {
    const members = dice.list(0, 3, () => `${key(dice, scope, depth)}: ${element()}`);
    const name = dice.chance(35) ? rest() : null;
    if (name !== null) members.push(`...${name}`);
    return `{ ${members.join(", ")} }`;
  }
  const items = dice.list(0, 3, () => (dice.chance(12) ? "" : element()));
  if (dice.chance(30)) {
    items.push(
      `...${dice.chance(30) && depth > 0 ? pattern(dice, scope, depth - 1, end, rest) : end()}`,
    );
  } else if (items.at(-1) === "") items.push("");
  return `[${items.join(", ")}]`;
}

/** A pattern that declares names; they are in sight from their place on. */
export function bindingPattern(dice: Dice, scope: Scope, depth: number, mutable: boolean): string {
  return pattern(dice, scope, depth, () => scope.declare(scope.fresh(), mutable));
}

/** A pattern on the left of `=`; in parentheses where a statement would begin with it. */
export function assignmentPattern(dice: Dice, scope: Scope, depth: number): string {
  // The check refuses rests of objects that are no names.
  return pattern(
    dice,
    scope,
    depth,
    () => target(dice, scope, 0),
    () => scope.target(dice),
  );
}

/** Parameters of a function. */
export function parameters(dice: Dice, scope: Scope, depth: number): string {
  // Nothing waits in parameters.
  const { sort } = scope;
  scope.sort = { generator: false, async: false };
  const all = dice.list(0, 3, () => {
    const name = dice.chance(70)
      ? scope.declare(scope.fresh("p"), true)
      : bindingPattern(dice, scope, depth, true);
    return withDefault(dice, scope, depth, name);
  });
  scope.sort = sort;
  if (dice.chance(20)) all.push(`...${scope.declare(scope.fresh("p"), true)}`);
  return all.join(", ");
}
