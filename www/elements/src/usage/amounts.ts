/** Amounts in the unit of a budget, as they are read and as they are written into a field. */
import { readNumber, writeNumber } from "@holdpoint/core/numbers";
import type { BudgetShown, Unit } from "@holdpoint/core/types";
import { compact, decimal, money, roundMoney, short } from "../base/format.js";
import { locale, type TextKey, t } from "../text/index.js";

const MICROS = 1_000_000;
/** Less money than this is not nothing. */
const SMALLEST = 10_000;

/** Money as it is read; what is less than a cent says so. */
export function spent(micros: number, currency: string): string {
  if (micros > 0 && micros < SMALLEST) return t("usage.less", { money: money(SMALLEST, currency) });
  return money(micros, currency);
}

/** Money where there is some, else tokens, else nothing. */
export function used(value: { tokens: number; cost: number }, currency: string): string {
  if (value.cost > 0) return spent(value.cost, currency);
  return value.tokens > 0 ? short(value, currency) : "";
}

/** An amount of a budget. */
export function inUnit(n: number, unit: Unit, currency: string): string {
  if (unit === "cost") return spent(n, currency);
  return unit === "tokens" ? t("amount.tokens", { n }) : t("usage.calls.n", { n });
}

/** The same where room is short. */
export function shortly(n: number, unit: Unit, currency: string): string {
  return unit === "cost" ? roundMoney(n, currency) : compact(n);
}

/** Of $50, of 5M tokens. */
export function ofLimit({ limit, unit }: BudgetShown, currency: string): string {
  const text = t("usage.of.short", { limit: shortly(limit, unit, currency) });
  return unit === "cost" ? text : `${text} ${t(`usage.unit.${unit}`)}`;
}

/** An amount as a field holds it: money with its decimals. */
export const written = (n: number, unit: Unit): string =>
  writeNumber(unit === "cost" ? n / MICROS : n, locale().numbers);

/** What stands in a field, in the unit; null where that is no amount. */
export function read(text: string, unit: Unit): number | null {
  const said = readNumber(text, locale().numbers, unit !== "cost");
  if ("problem" in said || said.value < 0) return null;
  const exact = said.value * (unit === "cost" ? MICROS : 1);
  const n = Math.round(exact);
  // Less than a millionth of the currency is not counted, and not rounded either.
  return Number.isSafeInteger(n) && Math.abs(exact - n) < 0.001 ? n : null;
}

/** Why what stands in a field is not taken, in a sentence; empty where it is. `otherwise` where it is no number. */
export function unread(text: string, unit: Unit, otherwise: TextKey): string {
  if (read(text, unit) !== null) return "";
  const said = readNumber(text, locale().numbers, unit !== "cost");
  const problem = "problem" in said ? said.problem : "number";
  if (problem === "number") return t(otherwise);
  return t(
    `usage.wrong.${problem}`,
    problem === "unclear" ? { like: decimal(1_234.5) } : { n: 115_000 },
  );
}

/** For whom a budget counts: `user:anna` is anna. */
export const nameOf = (scope: string): string => scope.slice(scope.indexOf(":") + 1);
export function kindOf(scope: string): "account" | "user" | "key" {
  if (scope.startsWith("user:")) return "user";
  return scope.startsWith("key:") ? "key" : "account";
}

/** How much of a budget is used, in thousandths, as one word. */
export function level(budget: BudgetShown): "ok" | "warn" | "critical" | "out" {
  if (budget.remaining === 0) return "out";
  if (budget.used_permille >= 900) return "critical";
  return budget.used_permille >= 750 ? "warn" : "ok";
}
