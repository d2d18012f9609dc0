/**
 * The budgets: the tightest large, with what was spent, what running calls hold and what is left; the others as rows.
 *
 * Whoever may set them changes a limit, makes one and deletes one here; everybody else can ask for more. UI.md §5.
 */
import type { BudgetShown } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { again, percent } from "../base/format.js";
import { icon } from "../base/icons.js";
import { calls, meters, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { inUnit, kindOf, level, nameOf, ofLimit } from "./amounts.js";
import { budgetForm } from "./budget-form.js";
import { closed } from "./closing.js";
import { form } from "./form.js";
import { levelBadge, meter } from "./meter.js";
import { around } from "./part.js";
import { parts } from "./usage.styles.js";
import type { BudgetsView } from "./view.js";

/** So many of the others are drawn before somebody asks for all. */
const FEW = 6;

const own = css`
  .two { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); }
  .box { padding: var(--s-6) var(--s-5); display: grid; gap: var(--s-5); align-content: start; }
  .c-box { border-inline-start: 1px solid var(--line); min-width: 0; }
  .big {
    font-size: var(--t-figure);
    line-height: var(--l-figure);
    font-weight: var(--w-strong);
    letter-spacing: -.02em;
  }
  .big .quiet { white-space: nowrap; font-size: var(--t-body); font-weight: var(--w-normal); letter-spacing: 0; }
  .fig { display: flex; flex-wrap: wrap; gap: var(--s-4) var(--s-8); font-size: var(--t-small); }
  .fig dt {
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    display: flex;
    align-items: center;
    gap: var(--s-3);
  }
  .fig dd { font-weight: var(--w-strong); }
  .others { border-top: 1px solid var(--line-2); }
  .others > li {
    display: grid;
    grid-template-columns: minmax(0, 3fr) minmax(0, 4fr) auto;
    gap: var(--s-2) var(--s-6);
    align-items: center;
    padding: var(--s-3) var(--s-5);
    min-height: var(--row);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .others > li + li { border-top: 1px solid var(--line); }
  .of { display: flex; align-items: center; gap: var(--s-4); flex-wrap: wrap; }
  .of .meter { width: 96px; flex: none; }
  .set { border-top: 1px solid var(--line-2); }
  .acts { display: flex; gap: var(--s-2); justify-self: end; }
  @media (max-width: 1100px) {
    .two { grid-template-columns: minmax(0, 1fr); }
    .c-box { border: 0; border-top: 1px solid var(--line); }
  }
  @media (max-width: 767px) {
    .others > li { grid-template-columns: minmax(0, 1fr); gap: var(--s-2); padding-block: var(--s-4); }
    .acts { justify-self: start; flex-wrap: wrap; }
    .others .acts { margin-inline-start: calc(-1 * var(--s-4)); }
    .others .btn { min-height: var(--control); }
  }
`;

/** How others name it: refusals, requests and the list of changes. */
const named = ({ id }: BudgetShown) => html`<span translate="no">${id}</span>`;

@customElement("hp-usage-budget")
export class UsageBudget extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, meters, parts, own];
  @property({ attribute: false }) view!: BudgetsView;
  /** Somebody asked for all of them. */
  @state() private whole = false;

  protected override get state(): string {
    const { main, state } = this.view;
    if (state !== "ready") return state;
    return main ? level(main) : "none";
  }

  override render() {
    const { main, others, operator, form: editing } = this.view;
    return html`<section class="sheet" aria-labelledby="h-b">
      <div class="s-h">
        <h2 id="h-b">${main ? this.#title(main) : t("usage.budgets")}</h2>
        ${main ? html`<span class="end meta">${named(main)} · ${this.#resets(main)}</span>` : nothing}
      </div>
      ${around(this.view, t("usage.part.budgets"), main !== null, () =>
        this.emit("hp-usage-again", { part: "budgets" }),
      )}
      <div class="two">
        <div class="box">${main ? this.#main(main) : this.#nobody()}</div>
        <div class="box c-box"><slot></slot></div>
      </div>
      ${
        others.length
          ? html`<ul class="others" aria-label=${t("usage.budgets.others")}>
              ${(this.whole ? others : others.slice(0, FEW)).map((budget) => this.#other(budget))}
            </ul>`
          : nothing
      }
      ${
        !this.whole && others.length > FEW
          ? html`<div class="foot">
              <button class="btn s" @click=${() => (this.whole = true)}>
                ${t("usage.show.n", { n: others.length })}
              </button>
            </div>`
          : nothing
      }
      ${
        operator && !editing
          ? html`<div class="foot">
              <span class="meta">${t("usage.budgets.note")}</span
              ><button
                class="btn s"
                data-testid="hp-budget-new"
                ?disabled=${this.view.offline}
                @click=${() => this.emit("hp-budget-form", { id: null })}
              >
                ${icon("plus", "s")}<span>${t("usage.budget.new")}</span>
              </button>
            </div>`
          : nothing
      }
      ${editing ? html`<div class="set">${form(budgetForm(editing, this.#tell))}</div>` : nothing}
    </section>`;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const before = changed.get("view") as BudgetsView | undefined;
    if (before) closed(this, isOpen(before), isOpen(this.view));
  }

  #tell = (type: string, detail?: object): void => this.emit(type, detail);

  #nobody() {
    if (this.view.state === "loading") return nothing;
    return html`<p class="meta">
      ${t(this.view.operator ? "usage.budget.none.operator" : "usage.budget.none")}
    </p>`;
  }

  #main(budget: BudgetShown) {
    const { currency, running } = this.view;
    const text = (n: number): string => inUnit(n, budget.unit, currency);
    const figures: [string, string, number][] = [
      ["", t("usage.spent"), budget.spent],
      ["held", running > 0 ? t("usage.held.by", { n: running }) : t("usage.held"), budget.held],
      ["left", t("usage.left"), budget.remaining],
      [budget.overrun > 0 ? "over" : "no", t("usage.over"), budget.overrun],
    ];
    return html`<p class="big">
        ${text(budget.spent)}
        <span class="quiet">${t("usage.of", { limit: text(budget.limit) })}</span>
      </p>
      ${meter(budget, "big")}
      <dl class="fig">
        ${figures.map(
          ([look, label, n]) =>
            html`<div>
              <dt>
                ${look === "no" ? nothing : html`<span class="key ${look}"></span>`}${label}
              </dt>
              <dd>${text(n)}</dd>
            </div>`,
        )}
      </dl>
      ${
        budget.granted
          ? html`<p class="meta">${t("usage.granted", { amount: text(budget.granted) })}</p>`
          : nothing
      }
      <p class="meta">${t("usage.budget.how")}</p>
      <div class="flex wrap">${levelBadge(budget)}${this.#acts(budget, "")}</div>`;
  }

  #other(budget: BudgetShown) {
    const { currency } = this.view;
    return html`<li>
      <span
        ><span class="strong">${this.#title(budget)}</span
        ><span class="meta"> · ${named(budget)} · ${this.#resets(budget)}</span></span
      ><span class="of"
        >${meter(budget)}<span
          >${percent(budget.used_permille / 1000)}
          <span class="quiet"
            >${ofLimit(budget, currency)}</span
          ></span
        >${levelBadge(budget)}</span
      >${this.#acts(budget, "quiet")}
    </li>`;
  }

  /** What can be done with a budget: by whom it is set, and by whom it is only used. */
  #acts(budget: BudgetShown, look: string) {
    const { operator, offline } = this.view;
    const name = this.#title(budget);
    if (!operator)
      return html`<span class="acts"
        ><button
          class="btn s ${look}"
          data-testid="hp-ask-more"
          aria-label=${t("usage.ask.of", { name })}
          ?disabled=${offline}
          @click=${() => this.emit("hp-request-form", { budget: budget.id })}
        >
          ${t("over.ask")}
        </button></span
      >`;
    return html`<span class="acts"
      ><button
        class="btn s ${look}"
        data-testid="hp-budget-edit"
        aria-label=${t("usage.budget.edit.of", { name })}
        ?disabled=${offline}
        @click=${() => this.emit("hp-budget-form", { id: budget.id })}
      >
        ${t("usage.budget.edit")}</button
      ><button
        class="btn s quiet danger"
        data-testid="hp-budget-delete"
        aria-label=${t("usage.budget.delete.of", { name })}
        ?disabled=${offline}
        @click=${(event: Event) =>
          this.emit("hp-budget-delete", { id: budget.id, opener: event.currentTarget })}
      >
        ${t("usage.budget.delete")}
      </button></span
    >`;
  }

  #title({ scope, period }: BudgetShown): string {
    const kind = kindOf(scope);
    const when = t(`period.${period}`);
    if (kind === "account") return t("usage.budget.account", { period: when });
    const name = nameOf(scope);
    if (kind === "key") return t("usage.budget.key", { name, period: when });
    return this.view.operator
      ? t("usage.budget.user", { name, period: when })
      : t("budget.title", { period: when });
  }

  #resets({ resets_at }: BudgetShown): string {
    if (resets_at === null) return t("usage.resets.never");
    return t("usage.resets", { when: again(resets_at, this.view.now) });
  }
}

/** Whether something is asked or shown above the rows. */
const isOpen = (view: BudgetsView): boolean => view.form !== null;
