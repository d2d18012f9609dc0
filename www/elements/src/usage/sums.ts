/** What calls used, summed by person, key, tag or model, with the budgets of people and keys. UI.md §2 "Usage". */
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { compact, integer, percent } from "../base/format.js";
import { calls, meters, sheets, tables } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { ofLimit, shortly, used } from "./amounts.js";
import { levelBadge, meter } from "./meter.js";
import { around } from "./part.js";
import { parts } from "./usage.styles.js";
import type { Grouping, SumLine, SumsView } from "./view.js";

/** So many rows are drawn before somebody asks for all. */
const FEW = 12;

const own = css`
  .of .meter { display: inline-flex; width: 72px; vertical-align: middle; margin-inline-end: var(--s-3); }
  .of, .st { white-space: nowrap; }
  th .sub { display: block; font-weight: var(--w-normal); color: var(--text-2); font-size: var(--t-meta); }
  .sheet { container-type: inline-size; }
  @container (max-width: 640px) {
    .of .meter { width: 44px; }
    .t :is(th, td):not(:first-child) { padding-inline-start: var(--s-3); }
    .t :is(th, td):not(:last-child) { padding-inline-end: var(--s-3); }
  }
  @media (max-width: 767px) {
    .of .meter { width: 44px; }
    .seg > * { min-height: calc(var(--control) - 2px); }
  }
`;

@customElement("hp-usage-sums")
export class UsageSums extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, tables, meters, parts, own];
  @property({ attribute: false }) view!: SumsView;
  /** Somebody asked for all rows. */
  @state() private whole = false;

  protected override get state(): string {
    const { lines, state } = this.view;
    return state === "ready" && !lines.length ? "empty" : state;
  }

  override render() {
    const { by, choices, lines, state, cut } = this.view;
    const part = by === "model" ? "models" : "sums";
    return html`<section class="sheet" aria-labelledby="h-s">
      <div class="s-h">
        <h2 id="h-s">${t(by === "key" ? "usage.sums.key" : `usage.by.${by}`)}</h2>
        ${choices.length > 1 ? this.#choice(choices, by) : nothing}
      </div>
      ${around(this.view, t(`usage.part.${by}`), lines.length > 0, () =>
        this.emit("hp-usage-again", { part }),
      )}
      ${lines.length ? this.#table() : nothing}
      ${!lines.length && state === "ready" ? html`<p class="none">${t("usage.sums.none")}</p>` : nothing}
      ${
        !this.whole && lines.length > FEW
          ? html`<div class="foot">
              <button class="btn s" @click=${() => (this.whole = true)}>
                ${t("usage.show.n", { n: lines.length })}
              </button>
            </div>`
          : nothing
      }
      ${cut ? html`<p class="foot meta">${t("usage.sums.cut", { n: lines.length })}</p>` : nothing}
    </section>`;
  }

  #choice(choices: readonly Grouping[], by: Grouping) {
    return html`<span class="seg end" role="group" aria-label=${t("usage.by")}>
      ${choices.map(
        (one) =>
          html`<button
            aria-pressed=${one === by}
            data-testid="hp-by-${one}"
            @click=${() => this.emit("hp-group", { by: one })}
          >
            ${t(`usage.by.${one}`)}
          </button>`,
      )}
    </span>`;
  }

  #table() {
    const { by, lines, totals, currency } = this.view;
    const budgets = by === "user" || by === "key";
    const name = t(`usage.by.${by}`);
    return html`<div
      class="scroll"
      tabindex="0"
      role="group"
      aria-label=${t("app.scrolls", { name })}
    ><table class="t">
      <caption class="vh">
        ${t(`usage.by.${by}`)}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t(`usage.one.${by}`)}</th>
          ${
            budgets
              ? html`<th scope="col" class="num">${t("usage.spent")}</th>
                  <th scope="col" class="num hide-n">${t("usage.held")}</th>
                  <th scope="col">${t("usage.of_budget")}</th>
                  <th scope="col" class="hide-n">${t("usage.state")}</th>`
              : html`<th scope="col" class="num">${t("usage.calls")}</th>
                  <th scope="col" class="num hide-n">${t("usage.tokens")}</th>
                  <th scope="col" class="num hide-n">${t("usage.cached")}</th>
                  <th scope="col" class="num">${t("usage.spent")}</th>`
          }
        </tr>
      </thead>
      <tbody>
        ${repeat(
          this.whole ? lines : lines.slice(0, FEW),
          (line) => line.id,
          (line) => (budgets ? this.#budgeted(line) : this.#counted(line)),
        )}
      </tbody>
      ${
        totals
          ? html`<tfoot>
              <tr>
                <th scope="row">${t("usage.all")}</th>
                ${
                  budgets
                    ? html`<td class="num">${used(totals, currency) || none()}</td>
                        <td class="hide-n"></td>
                        <td></td>
                        <td class="hide-n"></td>`
                    : html`<td class="num">${integer(totals.requests)}</td>
                        <td class="num hide-n">${compact(totals.tokens)}</td>
                        <td class="num hide-n">${share(totals.cached)}</td>
                        <td class="num">${used(totals, currency) || none()}</td>`
                }
              </tr>
            </tfoot>`
          : nothing
      }
    </table></div>`;
  }

  #budgeted(line: SumLine) {
    const { currency } = this.view;
    const { budget } = line;
    const held = budget && budget.held > 0 ? shortly(budget.held, budget.unit, currency) : none();
    return html`<tr>
      ${this.#name(line)}
      <td class="num">${used(line, currency) || none()}</td>
      <td class="num hide-n">${held}</td>
      <td class="of">
        ${
          budget
            ? html`${meter(budget)}${percent(budget.used_permille / 1000)}
                <span class="quiet"
                  >${ofLimit(budget, currency)}</span
                >`
            : none()
        }
      </td>
      <td class="st hide-n">${budget ? levelBadge(budget, true) : none()}</td>
    </tr>`;
  }

  #counted(line: SumLine) {
    const { currency } = this.view;
    return html`<tr>
      ${this.#name(line)}
      <td class="num">${integer(line.requests)}</td>
      <td class="num hide-n">${compact(line.tokens)}</td>
      <td class="num hide-n">${share(line.cached)}</td>
      <td class="num">${used(line, currency) || none()}</td>
    </tr>`;
  }

  #name({ name }: SumLine) {
    return html`<th scope="row"><span translate="no">${name}</span></th>`;
  }
}

const none = () => html`<span class="quiet">–</span>`;
const share = (value: number | null) => (value === null ? none() : percent(value));
