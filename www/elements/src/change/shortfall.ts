/**
 * What is missing where a budget refuses, when it comes back, and what helps. Pure. UI.md §5, §11.
 *
 * The refusal of a call names its budget; before a call the quote does. What that budget has by now is in the purse:
 * what was granted since lets the change go on.
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
  /** By now it fits: more was granted, or the budget began anew. */
  fits: boolean;
  granted: Amount | null;
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
    ...{ held: false, fits: false, granted: null },
    ask: purse?.budget ? moreAt(purse.budget) : "",
  };
  if (run?.state === "gate" && quote && !quote.fits) {
    const need = { tokens: quote.tokens.max, cost: quote.cost.max };
    return { ...mine, need, ask: moreFor(quote) };
  }
  if (run?.reason !== "tokens") return null;
  // Nobody knows which budget it was, so none is named.
  if (!problem)
    return purse && run.attempts.length === 0
      ? { ...mine, ...{ need: null, left: null, limit: null, resetsAt: null }, ask: moreAt("") }
      : null;
  if (!problem.code.startsWith("BUDGET_")) return null;
  const { budget: id, unit, need, remaining, limit: most, resets_at: at } = problem.details ?? {};
  const counted = unit === "requests";
  const now = [purse, ...(purse?.others ?? [])].find((one) => one?.budget === id);
  const limit = counted ? null : (now?.limit ?? amountOf(unit, most) ?? mine.limit);
  // It may be another budget than those that are known, whose period nobody says.
  const same = limit?.tokens === mine.limit?.tokens && limit?.cost === mine.limit?.cost;
  const needed = amountOf(unit, need);
  const known = id === undefined ? purse : now;
  return {
    need: needed,
    left: counted ? null : (now?.left ?? amountOf(unit, remaining) ?? mine.left),
    limit,
    period: now?.period ?? (same ? mine.period : ""),
    resetsAt: typeof at === "number" ? at : mine.resetsAt,
    held: problem.code === "BUDGET_HELD",
    fits: needed !== null && known != null && within(needed, known.left),
    granted: now?.granted ?? null,
    ask: moreAfter(problem),
  };
}

const within = (need: Amount, left: Amount): boolean =>
  need.cost > 0 ? left.cost >= need.cost : left.tokens >= need.tokens;

/** Whether asking again can end otherwise: nothing refused it, there is room, or nobody knows how much it needs. */
export function roomAgain(view: ChangeView): boolean {
  const short = shortfallOf(view);
  return !short || short.held || short.fits || (!view.problem && !short.need);
}

/** What is missing, in one sentence. */
export function missing(short: Shortfall, currency: string): string {
  const { need, left, limit, period, held, fits, granted } = short;
  if (held) return t("over.held");
  if (!left || !limit) return t("over.unknown");
  const word = `period.${period}`;
  const said = {
    need: need ? amount(need, currency) : "",
    left: left.cost > 0 || left.tokens > 0 ? amount(left, currency) : t("over.nothing"),
    limit: amount(limit, currency),
    period: has(word) ? t(word) : "",
  };
  if (!fits) return t(need ? "over.missing" : "over.missing.unknown", said).replace(GAP, "$1");
  const more = granted && (granted.tokens || granted.cost) ? amount(granted, currency) : "";
  const fitting = t("over.fits", said).replace(GAP, "$1");
  return more ? `${t("over.granted", { more })} ${fitting}` : fitting;
}

/** Where a word of a sentence is not known. */
const GAP = / +([.,])/g;

/** When it comes back and what else helps, as rows of a list of facts. */
export function waysOn(
  { resetsAt, held, fits, ask }: Shortfall,
  now: number,
): TemplateResult | typeof nothing {
  if (held || fits) return nothing;
  return html`<dt>${t("over.resets")}</dt>
    <dd>${resetsAt === null ? t("over.never") : again(resetsAt, now)}</dd>
    <dt>${t("word.helps")}</dt>
    <dd>${moreHelps(ask)}</dd>`;
}
