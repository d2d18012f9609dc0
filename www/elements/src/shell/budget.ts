/**
 * The budget in the bar: two shades, "left". States: ok, warn (over 75 %), critical (over 90 %), out, none. UI.md §3.
 */

import type { Indicator } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { type Amount, again, amount, integer, short } from "../base/format.js";
import { icon } from "../base/icons.js";
import { meters, sheets } from "../base/sheets.js";
import { ground } from "../base/styles.js";
import { has, t } from "../text/index.js";
import "./popover.js";

const own = css`
  .budget {
    display: grid;
    grid-template-columns: auto auto;
    align-items: center;
    gap: 0 var(--s-4);
    border: 0;
    background: none;
    padding: var(--s-2) var(--s-4);
    border-radius: var(--r-2);
    cursor: pointer;
    font-size: var(--t-meta);
    color: var(--text-2);
    min-height: var(--control);
    white-space: nowrap;
  }
  /* A bar that is too short has the amount alone. */
  .budget .word { display: var(--budget-left, inline); }
  .budget .meter { display: var(--budget-left, flex); width: 72px; }
  .budget:hover { background: var(--hover); }
  .budget b { color: var(--text); font-weight: var(--w-strong); }
  .budget b.c-fail { color: var(--fail); }
  .inner { padding: var(--s-5); display: grid; gap: var(--s-4); }
  .big-n {
    font-size: var(--t-figure);
    line-height: var(--l-figure);
    font-weight: var(--w-strong);
    letter-spacing: -.02em;
  }
  .fig3 {
    display: grid;
    grid-template-columns: repeat(3, auto);
    justify-content: space-between;
    font-size: var(--t-small);
  }
  .fig3 dt {
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    display: flex;
    align-items: center;
    gap: var(--s-3);
  }
  .fig3 dd { font-weight: var(--w-strong); }
  .rows { border-top: 1px solid var(--line); }
  @media (max-width: 1023px) { .budget .meter { width: 48px; } }
  @media (max-width: 767px) {
    .budget { grid-template-columns: auto; }
    .budget .meter { width: 100%; }
  }
`;

type Budget = NonNullable<Indicator["budget"]>;

@customElement("hp-budget")
export class BudgetBar extends HpElement {
  static override styles = [ground, sheets, meters, own];
  @property({ attribute: false }) indicator: Indicator | null = null;
  @property({ type: Number }) now = 0;
  @property({ type: Boolean }) open = false;

  protected override get state(): string {
    return this.indicator?.budget ? this.indicator.state : "none";
  }

  override render() {
    const indicator = this.indicator;
    const budget = indicator?.budget;
    if (!indicator || !budget) return nothing;
    const period = word(budget.period);
    const held = budget.held ? t("budget.held", { held: this.#text(budget, budget.held) }) : "";
    return html`<button
        class="budget"
        aria-haspopup="dialog"
        aria-expanded=${this.open}
        aria-label="${t("budget.left_of", {
          left: this.#short(budget),
          limit: this.#text(budget, budget.limit),
          period,
        })}${held}"
        @click=${() => this.emit("hp-open-usage")}
      >
        <span
          ><b class=${indicator.state === "out" || indicator.state === "critical" ? "c-fail" : ""}
            >${this.#short(budget)}</b
          >
          <span class="word">${t("budget.left")}</span></span
        >${this.#meter(budget, "")}
      </button>
      ${this.open ? this.#popover(indicator, budget) : nothing}`;
  }

  #meter(budget: Budget, look: string) {
    const share = (n: number): number =>
      budget.limit > 0 ? Math.min(100, (n / budget.limit) * 100) : 0;
    return html`<span class="meter ${look}" aria-hidden="true"
      ><i class=${share(budget.spent) >= 98 ? "over" : ""} style="width:${share(budget.spent)}%"></i
      ><i class="held" style="width:${share(budget.held)}%"></i
    ></span>`;
  }

  #popover(indicator: Indicator, budget: Budget) {
    const figures: [string, string, number][] = [
      ["", t("budget.spent"), budget.spent],
      ["held", t("budget.held.word"), budget.held],
      ["left", t("cost.left"), budget.remaining],
    ];
    const today: Amount = indicator.today;
    return html`<hp-popover
      .heading=${t("budget.title", { period: word(budget.period) })}
      .anchor=${this.renderRoot.querySelector<HTMLElement>(".budget")}
    >
      <div class="inner">
        <p>
          <span class="big-n">${this.#text(budget, budget.remaining)}</span>
          <span class="meta">${t("budget.left")}</span>
        </p>
        ${this.#meter(budget, "big")}
        <dl class="fig3">
          ${figures.map(
            ([look, label, n]) =>
              html`<div>
                <dt><span class="key ${look}"></span>${label}</dt>
                <dd>${this.#text(budget, n)}</dd>
              </div>`,
          )}
        </dl>
      </div>
      <ul class="rows">
        ${answering(indicator)}
        <li>
          ${icon("check", "c-off")}<span class="grow"
            >${t("budget.used", { cost: amount(today, indicator.currency) })}</span
          >
        </li>
        ${
          indicator.state === "out"
            ? html`<li>${icon("bad", "c-fail")}<span class="grow">${t("budget.out")}</span></li>`
            : nothing
        }
        <li>
          ${icon("clock", "c-off")}<span class="grow"
            >${
              budget.resets_at === null
                ? t("over.never")
                : t("budget.resets", { when: again(budget.resets_at, this.now) })
            }</span
          >
        </li>
        <li>
          ${icon("chart", "c-off")}<a class="grow" href="/usage" data-testid="hp-usage-link"
            >${t("budget.open")}</a
          >
        </li>
      </ul></hp-popover
    >`;
  }

  /** The bar has little room: 3.1M tokens. The whole number is in its name and in the popover. */
  #short(budget: Budget): string {
    return budget.unit === "tokens"
      ? short({ tokens: budget.remaining, cost: 0 }, "")
      : this.#text(budget, budget.remaining);
  }

  #text(budget: Budget, n: number): string {
    if (budget.unit === "cost")
      return amount({ tokens: 0, cost: Math.max(n, 0.000_001) }, this.indicator?.currency ?? "");
    return budget.unit === "tokens" ? t("amount.tokens", { n }) : integer(n);
  }
}

/** Which models answer, and who pays. */
function answering({ model, own_model: own }: Indicator) {
  const where = own ? "rest" : "all";
  const rows = [
    model &&
      t(model.local ? `budget.model.${where}.local` : `budget.model.${where}`, {
        model: model.name,
      }),
    own && t("budget.model.own", { model: own }),
  ];
  return rows.map((row) =>
    row ? html`<li>${icon("chat", "c-off")}<span class="grow">${row}</span></li>` : nothing,
  );
}

function word(period: string): string {
  const key = `period.${period}`;
  return has(key) ? t(key) : period;
}
