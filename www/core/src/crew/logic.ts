/**
 * The condition of an edge (JSON-Logic, crew-package.md §3) as people read it, and as three fields where it compares a
 * variable with a value. Pure; what an edge does with it is the runtime's matter.
 */
import { isRecord } from "./package.ts";

/** Comparisons that have fields. */
export const COMPARISONS = ["==", "!=", ">", ">=", "<", "<="] as const;
export type ComparisonSign = (typeof COMPARISONS)[number];

type Literal = string | number | boolean | null;

/** A variable compared with a value that does not change. */
export interface Comparison {
  variable: string;
  sign: ComparisonSign;
  value: Literal;
}

/** How tightly an operator binds; what binds less stands in brackets. */
const BINDS: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  ...{ "==": 3, "===": 3, "!=": 3, "!==": 3, in: 3 },
  ...{ ">": 3, ">=": 3, "<": 3, "<=": 3 },
  ...{ "+": 4, "-": 4 },
  ...{ "*": 5, "/": 5, "%": 5 },
};
/** What is deeper than this is not shown. */
const DEEPEST = 32;

/** The rule in the order of a formula: `loss - excess > 5000`. */
export function formula(rule: unknown): string {
  return said(rule, 0, 0);
}

function said(rule: unknown, around: number, depth: number): string {
  if (depth > DEEPEST) return "…";
  const [operator, parts] = applied(rule) ?? [];
  if (operator === undefined || parts === undefined) return JSON.stringify(rule);
  if (operator === "var") return named(parts) ?? JSON.stringify(rule);
  const each = (binds: number): string[] => parts.map((one) => said(one, binds, depth + 1));
  if (operator === "!" && parts.length === 1) return `not ${said(parts[0], 6, depth + 1)}`;
  const binds = BINDS[operator];
  if (binds === undefined || parts.length < 2) return `${operator}(${each(0).join(", ")})`;
  const text = each(binds + 0.5).join(` ${operator} `);
  return binds < around ? `(${text})` : text;
}

/** An operator and what it is applied to; null where a value stands for itself. */
function applied(rule: unknown): [string, unknown[]] | null {
  const entries = isRecord(rule) ? Object.entries(rule) : [];
  const [first] = entries;
  if (!first || entries.length !== 1) return null;
  const [operator, value] = first;
  return [operator, Array.isArray(value) ? value : [value]];
}

function named(parts: readonly unknown[]): string | null {
  const [name] = parts;
  return typeof name === "string" && name !== "" ? name : null;
}

/** The rule as a comparison; null where it is more than one. */
export function comparison(rule: unknown): Comparison | null {
  const [operator, parts = []] = applied(rule) ?? [];
  const sign = COMPARISONS.find((one) => one === operator);
  const [left, value] = parts;
  const [is, name = []] = applied(left) ?? [];
  const variable = is === "var" && name.length === 1 ? named(name) : null;
  if (!sign || parts.length !== 2 || variable === null || !isLiteral(value)) return null;
  return { variable, sign, value };
}

export const comparisonRule = ({ variable, sign, value }: Comparison): Record<string, unknown> => ({
  [sign]: [{ var: variable }, value],
});

const isLiteral = (value: unknown): value is Literal =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

/** What a person wrote as a value: a number, true, false, null, or the text itself. Quotes make anything a text. */
export function literal(text: string): Literal {
  const plain = text.trim();
  try {
    const value: unknown = JSON.parse(plain);
    return isLiteral(value) ? value : plain;
  } catch {
    return plain;
  }
}

/** The same, as it is written: a text that reads as something else has quotes. */
export const literalText = (value: Literal): string =>
  typeof value === "string" && literal(value) === value ? value : JSON.stringify(value);

/** The variables that a rule reads, up to the first dot of each. */
export function variablesOf(rule: unknown): string[] {
  const out = new Set<string>();
  const open: unknown[] = [rule];
  for (let one = open.pop(); open.length > 0 || one !== undefined; one = open.pop()) {
    const [operator, parts] = applied(one) ?? [];
    const name = operator === "var" && parts ? named(parts) : null;
    if (name !== null) out.add(name.split(".")[0] ?? name);
    if (Array.isArray(one)) open.push(...one);
    else if (isRecord(one)) open.push(...Object.values(one));
  }
  return [...out];
}
