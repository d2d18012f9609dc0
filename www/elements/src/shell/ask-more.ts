/** The way from a refusal for want of budget to the form that asks for more of it: one on every page. UI.md §11. */
import type { Quote } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { again } from "../base/format.js";
import { t } from "../text/index.js";
import type { Failing } from "../text/refusal.js";

/** Where more of a budget is asked for; `amount` in its unit, where somebody knows what is missing. */
export const moreAt = (budget: string, amount = 0): string =>
  `/usage?budget=${encodeURIComponent(budget)}${amount > 0 ? `&ask=${amount}` : ""}`;

/**
 * What is asked for where `missing` is missing: at least a tenth more, rounded up to two digits. The next request is
 * rarely as large as the last one. A few whole things are asked for as they are.
 */
export function withRoom(missing: number): number {
  const wanted = Math.ceil(missing * 1.1);
  if (missing < 10) return missing;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(wanted)) - 1);
  return Math.ceil(wanted / step) * step;
}

/** Refusals of a budget that does not have room again by itself in a moment. */
const SPENT: readonly string[] = ["BUDGET_EXHAUSTED", "BUDGET_EXCEEDED"];

/** Where a refusal says that more is asked for, on our own page. What was kept of it may be the code alone. */
export function moreAfter(refused: Failing | null): string {
  const at = (refused?.details as { extension_url?: unknown } | null | undefined)?.extension_url;
  if (typeof at === "string" && at.startsWith("/usage?")) return at;
  return refused && SPENT.includes(refused.code) ? moreAt("") : "";
}

/** The same for a quote that does not fit. What running calls hold comes back, and is not asked for. */
export function moreFor({ fits, tokens, cost, budget }: Quote): string {
  if (fits || !budget) return "";
  const need = { tokens: tokens.max, cost: cost.max, requests: 1 }[budget.unit];
  const missing = budget.spent + budget.overrun + need - budget.limit;
  return missing > 0 ? moreAt(budget.id, missing + budget.held) : "";
}

/** The link itself; nothing where nowhere is more to be asked for. */
export const askMore = (at: string): TemplateResult | typeof nothing =>
  at ? html`<a href=${at} data-testid="hp-ask-more">${t("over.ask")}</a>` : nothing;

/** What helps where a budget refused, in words that end in the link. */
export const moreHelps = (at: string): TemplateResult => html`${t("over.helps")} ${askMore(at)}`;

/** The same as a row of a list of facts. */
export const moreRow = (at: string): TemplateResult | typeof nothing =>
  at
    ? html`<dt>${t("word.helps")}</dt>
        <dd>${moreHelps(at)}</dd>`
    : nothing;

/** When the budget that refused has room again, as a row of a list of facts. */
export function resetsRow(refused: Failing | null, now: number): TemplateResult | typeof nothing {
  const at = (refused?.details as { resets_at?: unknown } | null | undefined)?.resets_at;
  if (typeof at !== "number") return nothing;
  return html`<dt>${t("over.resets")}</dt>
    <dd>${again(at, now)}</dd>`;
}
