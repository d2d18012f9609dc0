// Functions of every sort.

import type { Dice } from "./dice.ts";
import { expression } from "./expressions.ts";
import { parameters } from "./patterns.ts";
import type { Scope, Sort } from "./scope.ts";
import { statements } from "./statements.ts";

const PLAIN: Sort = { generator: false, async: false };

/** A body between braces. */
export function body(dice: Dice, inside: Scope, depth: number): string {
  const first = "if (!more()) return 'enough';";
  const last = dice.chance(60) ? ` return ${expression(dice, inside, depth)};` : "";
  return `{ ${first} ${statements(dice, inside, depth, 2)}${last} }`;
}

export function arrow(dice: Dice, scope: Scope, depth: number, sort = PLAIN): string {
  const inside = scope.body(sort, true);
  const given = `${sort.async ? "async " : ""}(${parameters(dice, inside, depth - 1)})`;
  if (dice.chance(60)) {
    const answer = expression(dice, inside, depth - 1);
    return `${given} => ${answer.startsWith("{") ? `(${answer})` : answer}`;
  }
  return `${given} => ${body(dice, inside, depth - 1)}`;
}

export function functionExpression(dice: Dice, scope: Scope, depth: number): string {
  const inside = scope.body(PLAIN, false);
  const name = dice.chance(40) ? inside.declare(inside.fresh("f"), false) : "";
  const given = parameters(dice, inside, depth - 1);
  return `function ${name}(${given}) ${body(dice, inside, depth - 1)}`;
}

/** Draws which sort a declared function is. */
export function drawnSort(dice: Dice): Sort {
  return { generator: dice.chance(35), async: dice.chance(25) };
}

/** How a function of that sort begins. */
export function opening({ generator, async }: Sort): string {
  return `${async ? "async " : ""}function${generator ? "*" : ""}`;
}
