/** Money before and during a run: likely and at most, or spent and held. Tokens where no price is set. UI.md §5. */

import type { GatewayRun, Quote } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { type Amount, amount } from "../base/format.js";
import { meters, sheets } from "../base/sheets.js";
import { ground } from "../base/styles.js";
import { t } from "../text/index.js";

/** What the person has to spend; null without a budget. */
export interface Purse {
  /** The id of the budget. */
  budget?: string;
  currency: string;
  left: Amount;
  limit: Amount;
  period: string;
  resets_at: number | null;
  /** What running extensions add to it. */
  granted?: Amount;
  /** The budgets beside the tightest. */
  others?: readonly Purse[];
}

const own = css`
  .cost {
    display: grid;
    gap: var(--s-3);
    padding: var(--s-5);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .fig { display: flex; flex-wrap: wrap; gap: var(--s-2) var(--s-7); }
  .fig > div { display: grid; }
  .fig dt {
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    display: flex;
    align-items: center;
    gap: var(--s-3);
  }
  .fig dd { font-weight: var(--w-strong); }
  .fig dd .quiet { font-weight: var(--w-normal); }
`;

/** A quote, and what the runs so far make likely; null where they are too few. */
export interface Priced extends Quote {
  likely: Amount | null;
}

@customElement("hp-cost")
export class Cost extends HpElement {
  static override styles = [ground, sheets, meters, own];
  @property({ attribute: false }) quote: Priced | null = null;
  @property({ attribute: false }) run: GatewayRun | null = null;
  @property({ attribute: false }) purse: Purse | null = null;

  protected override get state(): string {
    if (this.run) return this.run.state;
    return this.quote && !this.quote.fits ? "over" : "quoted";
  }

  override render() {
    if (this.run) return this.#running(this.run);
    return this.quote ? this.#quoted(this.quote) : nothing;
  }

  #quoted(quote: Priced) {
    const currency = this.purse?.currency ?? "";
    const low = quote.likely;
    const high: Amount = { tokens: quote.tokens.max, cost: quote.cost.max };
    const likely = low && amount(low, currency);
    const most = amount(high, currency);
    const share = low ? ratio(low, high) : 0;
    const bar = likely ? t("cost.bar.quote", { likely, most }) : t("cost.bar.most", { most });
    const left = this.purse ? amount(this.purse.left, currency) : null;
    return html`<section class="sheet" aria-label=${t("cost.label")}>
      <div class="cost">
        <dl class="fig">
          ${
            low
              ? html`<div>
                  <dt><span class="key"></span>${t("cost.likely")}</dt>
                  <dd>${likely}${this.#tokens(low)}</dd>
                </div>`
              : nothing
          }
          <div>
            <dt><span class="key held"></span>${t("cost.most")}</dt>
            <dd>${most}${this.#tokens(high)}</dd>
          </div>
        </dl>
        <div class="meter" role="img" aria-label=${bar}>
          <i style="width:${share}%"></i><i class="held" style="width:${100 - share}%"></i>
        </div>
        <p class="meta">
          ${left ? t("cost.holds", { most, left }) : t("cost.holds.plain", { most })}
        </p>
      </div>
    </section>`;
  }

  #running(run: GatewayRun) {
    const currency = this.purse?.currency ?? "";
    const spent = amount(
      { tokens: run.spent_tokens, cost: run.spent_cost },
      run.cost > 0 ? currency : "",
    );
    const held = amount(heldOf(run), currency);
    const share = ratio({ tokens: run.spent_tokens, cost: run.spent_cost }, run);
    return html`<section class="sheet" aria-label=${t("cost.label")}>
      <div class="cost">
        <dl class="fig">
          <div>
            <dt><span class="key"></span>${t("cost.spent")}</dt>
            <dd>${spent}</dd>
          </div>
          <div>
            <dt><span class="key held"></span>${t("cost.held")}</dt>
            <dd>${held}</dd>
          </div>
          <div>
            <dt>${t("cost.of")}</dt>
            <dd>${amount(run, currency)}</dd>
          </div>
        </dl>
        <div class="meter" role="img" aria-label=${t("cost.bar.run", { spent, held })}>
          <i style="width:${share}%"></i><i class="held" style="width:${100 - share}%"></i>
        </div>
      </div>
    </section>`;
  }

  /** Beside money, the tokens; without a price, that the price is unknown. */
  #tokens(value: Amount) {
    const text = value.cost > 0 ? t("amount.tokens", { n: value.tokens }) : t("cost.unpriced");
    return html` <span class="quiet">· ${text}</span>`;
  }
}

/** What is set aside still, for the call that runs and for those to come: what is left is without the former. */
export const heldOf = (run: GatewayRun): Amount => ({
  tokens: Math.max(0, run.tokens - run.spent_tokens - run.returned_tokens),
  cost: Math.max(0, run.cost - run.spent_cost - run.returned_cost),
});

function ratio(part: Amount, whole: Amount): number {
  const [a, b] = whole.cost > 0 ? [part.cost, whole.cost] : [part.tokens, whole.tokens];
  return b > 0 ? Math.min(100, Math.round((a / b) * 100)) : 0;
}
