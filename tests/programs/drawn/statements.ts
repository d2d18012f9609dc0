// Statements: declarations, loops, jumps and every way that a block may end.

import { classBody } from "./classes.ts";
import type { Dice } from "./dice.ts";
import { array, condition, expression, statementExpression, target } from "./expressions.ts";
import { body, drawnSort, opening } from "./functions.ts";
import { assignmentPattern, bindingPattern, parameters } from "./patterns.ts";
import type { Scope, Sort } from "./scope.ts";

/** The first statement of every body that may repeat: it ends what would not end. */
const BOUND = "if (!more()) break;";

/** Up to `most` statements. */
export function statements(dice: Dice, scope: Scope, depth: number, most: number): string {
  return dice.list(1, most, () => statement(dice, scope, depth)).join(" ");
}

/** A block of its own. */
function block(dice: Dice, scope: Scope, depth: number, change: Partial<Scope> = {}): string {
  return `{ ${statements(dice, scope.block(change), depth - 1, 3)} }`;
}

export function statement(dice: Dice, scope: Scope, depth: number): string {
  if (depth <= 0) return plain(dice, scope, depth);
  const sort = dice.upTo(100);
  if (sort < 22) return plain(dice, scope, depth);
  if (sort < 40) return declaration(dice, scope, depth);
  if (sort < 48) return branch(dice, scope, depth);
  if (sort < 62) return loop(dice, scope, depth);
  if (sort < 66) return labelled(dice, scope, depth);
  if (sort < 70) return choice(dice, scope, depth);
  if (sort < 82) return attempt(dice, scope, depth);
  if (sort < 88) return jump(dice, scope);
  if (sort < 94) return declaredFunction(dice, scope, depth);
  if (sort < 98) return declaredClass(dice, scope, depth);
  return block(dice, scope, depth);
}

function plain(dice: Dice, scope: Scope, depth: number): string {
  const reach = Math.max(depth, 1);
  if (dice.chance(55)) return `say(${expression(dice, scope, reach)});`;
  return `${statementExpression(dice, scope, reach)};`;
}

function declaration(dice: Dice, scope: Scope, depth: number): string {
  const word = dice.of(["let", "let", "const", "var"]);
  const mutable = word !== "const";
  if (dice.chance(30)) {
    const value = dice.chance(60) ? whole(dice, scope, depth) : expression(dice, scope, depth);
    return `${word} ${bindingPattern(dice, scope, depth - 1, mutable)} = ${value};`;
  }
  const value = expression(dice, scope, depth);
  const name = scope.fresh();
  // What a closure holds is kept elsewhere than what none holds.
  const held = dice.chance(35) ? ` keep(() => ${name});` : "";
  scope.declare(name, mutable);
  if (mutable && dice.chance(10)) return `${word} ${name};${held}`;
  return `${word} ${name} = ${value};${held}`;
}

/** A value that has the members which patterns ask for. */
function whole(dice: Dice, scope: Scope, depth: number): string {
  const inner = () => expression(dice, scope, depth - 1);
  return dice.of([
    () => `{ a: ${inner()}, b: { x: ${inner()}, a: [${inner()}] }, c: [${inner()}, 2], x: 1 }`,
    () => `[${inner()}, [${inner()}, 2], { a: ${inner()}, b: 3 }]`,
    () => array(dice, scope, depth),
    () => `watched(${inner()})`,
  ])();
}

function branch(dice: Dice, scope: Scope, depth: number): string {
  const bare = dice.chance(25);
  const inner = () =>
    bare ? `say(${expression(dice, scope, depth - 1)});` : block(dice, scope, depth);
  const other = dice.chance(50) ? ` else ${inner()}` : "";
  return `if (${condition(dice, scope, depth - 1)}) ${inner()}${other}`;
}

function loop(dice: Dice, scope: Scope, depth: number): string {
  const label = dice.chance(30) ? scope.fresh("l") : null;
  const labels = label === null ? scope.labels : [...scope.labels, { label, loop: true }];
  const inside = scope.block({ inLoop: true, labels });
  return (label === null ? "" : `${label}: `) + loopItself(dice, inside, depth - 1);
}

function loopItself(dice: Dice, inside: Scope, depth: number): string {
  const own = () => `{ ${BOUND} ${statements(dice, inside.block(), depth, 3)} }`;
  const test = () => condition(dice, inside, depth);
  switch (dice.upTo(6)) {
    case 0:
      return `while (${test()}) ${own()}`;
    case 1: {
      const repeated = own();
      return `do ${repeated} while (${test()});`;
    }
    case 2:
      return forParts(dice, inside, depth, own);
    case 3: {
      const over = expression(dice, inside, depth);
      return `for (${each(dice, inside, depth)} in ${over}) ${own()}`;
    }
    default: {
      const waits = inside.sort.async && dice.chance(25);
      const items = dice.of([
        () => whole(dice, inside, depth),
        () => array(dice, inside, depth),
        () => `watched(${dice.upTo(4)})`,
        () => expression(dice, inside, depth),
      ])();
      return `for ${waits ? "await " : ""}(${each(dice, inside, depth)} of ${items}) ${own()}`;
    }
  }
}

function forParts(dice: Dice, inside: Scope, depth: number, own: () => string): string {
  const names = [inside.fresh("i"), inside.fresh("i")].slice(0, 1 + dice.upTo(2));
  const begins = names.map((name) => `${name} = ${dice.upTo(3)}`);
  for (const name of names) inside.declare(name, true);
  const first = names[0] ?? "";
  const test = dice.chance(60) ? `${first} < ${dice.upTo(5)}` : condition(dice, inside, depth);
  const next = dice.chance(60) ? `${first}++` : expression(dice, inside, depth);
  const held = dice.chance(40) ? `keep(() => ${first});` : "";
  const repeated = own().replace(BOUND, `${BOUND} ${held}`);
  return `for (${dice.of(["let", "let", "var"])} ${begins.join(", ")}; ${test}; ${next}) ${repeated}`;
}

/** What a loop over items declares or assigns. */
function each(dice: Dice, inside: Scope, depth: number): string {
  const word = dice.of(["let", "const", "var", ""]);
  if (word === "") {
    return dice.chance(70) ? target(dice, inside, 0) : assignmentPattern(dice, inside, depth);
  }
  const mutable = word !== "const";
  if (dice.chance(60)) return `${word} ${inside.declare(inside.fresh(), mutable)}`;
  return `${word} ${bindingPattern(dice, inside, depth, mutable)}`;
}

function labelled(dice: Dice, scope: Scope, depth: number): string {
  const label = scope.fresh("l");
  return `${label}: ${block(dice, scope, depth, { labels: [...scope.labels, { label, loop: false }] })}`;
}

function choice(dice: Dice, scope: Scope, depth: number): string {
  const inside = scope.block({ inSwitch: true });
  const on = expression(dice, scope, depth - 1);
  const cases = dice.list(1, 4, () => {
    const test = dice.chance(15) ? null : expression(dice, scope, 1);
    // A name of one case stays unknown to the others.
    const own = dice.chance(20) ? "" : statements(dice, inside.block(), depth - 1, 2);
    const lines = `${own}${dice.chance(50) ? " break;" : ""}`;
    return { test, lines: dice.chance(30) ? lines : `{ ${lines} }` };
  });
  const others = cases.findIndex(({ test }) => test === null);
  const written = cases.filter(({ test }, index) => test !== null || index === others);
  const all = written.map(
    ({ test, lines }) => `${test === null ? "default" : `case ${test}`}: ${lines}`,
  );
  return `switch (${on}) { ${all.join(" ")} }`;
}

function attempt(dice: Dice, scope: Scope, depth: number): string {
  // The check refuses most that leaves a `try` inside a `finally`.
  if (scope.inFinally && dice.chance(70)) {
    const own = scope.body({ generator: false, async: false }, true);
    return `(() => { if (!more()) return 'enough'; ${attempt(dice, own, depth)} })();`;
  }
  const tried = block(dice, scope, depth);
  const way = dice.upTo(3);
  const inside = scope.block();
  // What an engine says of an error is its own: the name is kept.
  const [caught, first] = dice.of([
    () => ["", ""],
    () => {
      const name = inside.declare(inside.fresh("e"), true);
      return [`(${name})`, `${name} = plain(${name}); `];
    },
    () => [`({ name: ${inside.declare(inside.fresh("e"), true)} = 'none' })`, ""],
  ])();
  const handler = () => ` catch ${caught} { ${first}${statements(dice, inside, depth - 1, 2)} }`;
  const last = () => ` finally ${block(dice, scope, depth, { inFinally: true })}`;
  return `try ${tried}${way === 1 ? "" : handler()}${way === 0 ? "" : last()}`;
}

function jump(dice: Dice, scope: Scope): string {
  const ways: string[] = [`throw ${expression(dice, scope, 1)};`, "throw new RangeError('own');"];
  if (scope.inFunction) ways.push(`return ${expression(dice, scope, 1)};`, "return;");
  if (scope.inLoop) ways.push("break;", "continue;", "continue;");
  else if (scope.inSwitch) ways.push("break;");
  for (const { label, loop } of scope.labels) {
    ways.push(`break ${label};`);
    if (loop) ways.push(`continue ${label};`);
  }
  // Most jumps depend on something, so that the statements behind them are reached too.
  return `if (${condition(dice, scope, 1)}) ${dice.of(ways)}`;
}

function declaredFunction(dice: Dice, scope: Scope, depth: number): string {
  const sort = drawnSort(dice);
  const name = scope.fresh("f");
  // What an async function throws must be waited for: nobody else may call it.
  if (sort.generator || !sort.async) scope.declare(name, false);
  const inside = scope.body(sort, false);
  const given = parameters(dice, inside, depth - 1);
  const written = `${opening(sort)} ${name}(${given}) ${body(dice, inside, depth - 1)}`;
  return dice.chance(25)
    ? `${use(dice, scope, name, sort)} ${written}`
    : `${written} ${use(dice, scope, name, sort)}`;
}

/** Calls a declared function, and asks a generator for what it gives. */
function use(dice: Dice, scope: Scope, name: string, { generator, async }: Sort): string {
  const given = dice.list(0, 3, () => expression(dice, scope, 1)).join(", ");
  const waits = scope.sort.async;
  if (!generator) {
    if (!async) return `say(${name}(${given}));`;
    return waits ? `say(await ${name}(${given}));` : "";
  }
  const asked = dice.list(0, 4, () =>
    dice.of(["'next'", "'next'", "'next'", "'return'", "'throw'"]),
  );
  if (async) return waits ? `await driveAsync(${name}(${given}), [${asked}]);` : "";
  return dice.chance(60) ? `drive(${name}(${given}), [${asked}]);` : `say([...${name}(${given})]);`;
}

function declaredClass(dice: Dice, scope: Scope, depth: number): string {
  const name = scope.fresh("C");
  const written = classBody(dice, scope, depth - 1);
  scope.declare(name, false);
  const given = dice.list(0, 2, () => expression(dice, scope, 1)).join(", ");
  return `class ${name} ${written} say(new ${name}(${given})); say(${name});`;
}
