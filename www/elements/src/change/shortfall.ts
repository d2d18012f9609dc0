/**
 * What is missing where a budget refuses, when it comes back, and what helps. Pure. UI.md §5, §11.
 *
 * The refusal of a call names its budget; before a call the quote does. After a reload only the purse is known.
 */
import { html, nothing, type TemplateResult } from "lit";
import { type Amount, again, amount } from "../base/format.js";
import { moreAfter, moreAt, moreFor, moreHelps } from "../shell/ask-more.js";
import { has, t } from "../text/index.js";
import type { ChangeView } from "./view.js";

/** What is missing, of which budget. */
export interface Shortfall {
  /** What it needs at most; null where nobody said. */
  need: Amount | null;
  left: Amount | null;
  limit: Amount | null;
  /** The word of its period, or nothing. */
  period: string;
  resetsAt: number | null;
  /** Running calls hold it: it comes back when they end. */
  held: boolean;
  /** Where more of the budget is asked for, or nothing. */
  ask: string;
}

const amountOf = (unit: unknown, n: unknown): Amount | null => {
  // Of a budget of calls there is no amount to tell.
  if (typeof n !== "number" || unit === "requests") return null;
  return unit === "cost" ? { tokens: 0, cost: n } : { tokens: n, cost: 0 };
};

/** Null where no budget refused. */
export function shortfallOf({ quote, problem, purse, run }: ChangeView): Shortfall | null {
  const mine = {
    left: purse?.left ?? null,
    limit: purse?.limit ?? null,
    period: purse?.period ?? "",
    resetsAt: purse?.resets_at ?? null,
    held: false,
    ask: purse?.budget ? moreAt(purse.budget) : "",
  };
  if (run?.state === "gate" && quote && !quote.fits) {
    const need = { tokens: quote.tokens.max, cost: quote.cost.max };
    return { ...mine, need, ask: moreFor(quote) };
  }
  if (run?.reason !== "tokens") return null;
  if (!problem) return purse && run.attempts.length === 0 ? { ...mine, need: null } : null;
  if (!problem.code.startsWith("BUDGET_")) return null;
  const { unit, need, remaining, limit: most, resets_at: at } = problem.details ?? {};
  const counted = unit === "requests";
  const limit = counted ? null : (amountOf(unit, most) ?? mine.limit);
  // It may be another budget than the one in the bar, whose period nobody says.
  const same = limit?.tokens === mine.limit?.tokens && limit?.cost === mine.limit?.cost;
  return {
    need: amountOf(unit, need),
    left: counted ? null : (amountOf(unit, remaining) ?? mine.left),
    limit,
    period: same ? mine.period : "",
    resetsAt: typeof at === "number" ? at : mine.resetsAt,
    held: problem.code === "BUDGET_HELD",
    ask: moreAfter(problem),
  };
}

/** Whether asking again can end otherwise: nothing refused it, or there is room by now. */
export function roomAgain(view: ChangeView): boolean {
  const short = shortfallOf(view);
  if (!short || short.held) return true;
  const left = view.purse?.left;
  if (!short.need || !left) return false;
  return short.need.cost > 0 ? left.cost >= short.need.cost : left.tokens >= short.need.tokens;
}

/** What is missing, in one sentence. */
export function missing({ need, left, limit, period, held }: Shortfall, currency: string): string {
  if (held) return t("over.held");
  if (!left || !limit) return t("over.unknown");
  const word = `period.${period}`;
  const said = {
    need: need ? amount(need, currency) : "",
    left: left.cost > 0 || left.tokens > 0 ? amount(left, currency) : t("over.nothing"),
    limit: amount(limit, currency),
    period: has(word) ? t(word) : "",
  };
  return t(need ? "over.missing" : "over.missing.unknown", said).replace(/ +([.,])/g, "$1");
}

/** When it comes back and what else helps, as rows of a list of facts. */
export function waysOn(
  { resetsAt, held, ask }: Shortfall,
  now: number,
): TemplateResult | typeof nothing {
  if (held) return nothing;
  return html`<dt>${t("over.resets")}</dt>
    <dd>${resetsAt === null ? t("over.never") : again(resetsAt, now)}</dd>
    <dt>${t("word.helps")}</dt>
    <dd>${moreHelps(ask)}</dd>`;
}
