/** The usage page: budgets, days, people and models, calls, keys, requests and changes. It draws a `UsagePageView`. */
import { badges, buttons, format, forms, ground, icon, t } from "@holdpoint/elements";
import "@holdpoint/elements/usage/budget";
import "@holdpoint/elements/usage/changes";
import "@holdpoint/elements/usage/chart";
import "@holdpoint/elements/usage/keys";
import "@holdpoint/elements/usage/ledger";
import "@holdpoint/elements/usage/requests";
import "@holdpoint/elements/usage/sums";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { bar } from "../../bar.styles.js";
import { PageElement, type Tab } from "../../page-element.js";
import { pageLinksStyle } from "../../page-links.js";
import { frame } from "../../panes.styles.js";
import { layout } from "./page.styles.js";
import type { UsagePageView } from "./page-view.js";

@customElement("hp-usage-page")
export class UsagePage extends PageElement<UsagePageView> {
  static override styles = [ground, buttons, badges, forms, bar, frame, layout, pageLinksStyle];

  protected override get state(): string {
    if (this.view.signIn) return "sign-in";
    return this.view.question ? "question" : "usage";
  }

  override render() {
    const { view } = this;
    if (view.signIn) return html`${this.#top(view)}${this.signIn(view.signIn)}`;
    const asked = view.question !== null;
    return html`${this.#top(view)}
      <div>${this.offline("", t("usage.offline.text"))}${this.problem()}</div>
      ${asked ? html`<hp-question .view=${view.question}></hp-question>` : nothing}
      ${this.#main(view, asked)}${asked ? html`<div></div>` : this.#tabs(view)}
      ${this.menu()}${this.toast()}`;
  }

  #top(view: UsagePageView) {
    const doc =
      view.account || view.operator
        ? html`<div class="doc">
            ${
              view.account
                ? html`<span class="strong trunc" translate="no" title=${view.account}>${view.account}</span>`
                : nothing
            }${view.operator ? html`<span class="badge plain">${t("usage.operator")}</span>` : nothing}
          </div>`
        : nothing;
    return this.bar("usage", doc, this.budget(view.budgetOpen, "budget"));
  }

  #main(view: UsagePageView, hidden: boolean) {
    return html`<main class="app u" id="main" tabindex="-1" ?hidden=${hidden}>
      <div class="u-in" data-pane=${view.pane}>
        ${this.#head(view)}
        <div data-in="usage" data-f6>
          <hp-usage-budget .view=${view.budgets}
            ><hp-usage-chart .view=${view.chart}></hp-usage-chart
          ></hp-usage-budget>
        </div>
        <div class="u-two" data-in="people" data-f6>
          <hp-usage-sums data-testid="hp-sums" .view=${view.sums}></hp-usage-sums
          ><hp-usage-sums data-testid="hp-models" .view=${view.models}></hp-usage-sums>
        </div>
        ${this.#speed(view)}
        <div data-in="calls" data-f6><hp-ledger .view=${view.calls}></hp-ledger></div>
        ${
          view.keys
            ? html`<div data-in="keys" data-f6><hp-keys .view=${view.keys}></hp-keys></div>`
            : nothing
        }
        <div data-in="usage" data-f6>
          <hp-budget-requests .view=${view.requests}></hp-budget-requests>
        </div>
        ${
          view.changes
            ? html`<div data-in="keys" data-f6><hp-usage-changes .view=${view.changes}></hp-usage-changes></div>`
            : nothing
        }
      </div>
    </main>`;
  }

  #head({ account, operator, months, month, saving, calls, offline }: UsagePageView) {
    return html`<div class="u-head">
      <div>
        <h1>${t("app.page.usage")}</h1>
        <p class="meta">${whose(account, operator)}</p>
      </div>
      <div class="tools">
        <label class="month"
          ><span class="meta">${t("usage.month")}</span
          ><select
            class="input select"
            data-testid="hp-month"
            @change=${(event: Event) =>
              this.emit("hp-month", { month: (event.target as HTMLSelectElement).value })}
          >
            ${months.map(
              ({ id, name }) =>
                html`<option value=${id} ?selected=${id === month}>${name}</option>`,
            )}
          </select></label
        >${
          saving === null
            ? html`<button
                class="btn"
                data-testid="hp-csv"
                ?disabled=${offline || !calls.lines.length}
                @click=${() => this.emit("hp-csv")}
              >
                ${icon("down", "s")}<span>${t("usage.csv")}</span>
              </button>`
            : html`<span class="meta" role="status"
                  >${icon("spin", "s spin")} ${t("usage.csv.rows", { n: saving })}</span
                ><button class="btn" data-testid="hp-csv-stop" @click=${() => this.emit("hp-csv-stop")}>
                  ${t("app.cancel")}
                </button>`
        }
      </div>
    </div>`;
  }

  /** How long calls took: the middle one, and the one that 95 of 100 are faster than. */
  #speed({ speed }: UsagePageView) {
    if (!speed) return nothing;
    const both = ({ p50, p95 }: { p50: number; p95: number }) => ({
      p50: format.elapsed(p50),
      p95: format.elapsed(p95),
    });
    return html`<p class="meta speed" data-in="people" data-testid="hp-speed">
      ${speed.first ? t("usage.speed.first", both(speed.first)) : nothing}
      ${t("usage.speed.total", both(speed.total))}
      <span class="quiet">${t("usage.speed.of", { n: speed.rows })}</span>
    </p>`;
  }

  #tabs({ pane, operator, keys }: UsagePageView) {
    const tabs: Tab[] = [
      { id: "usage", mark: "chart", label: t("app.page.usage") },
      { id: "people", mark: "user", label: t(operator ? "usage.by.user" : "usage.by.model") },
      { id: "calls", mark: "rows", label: t("usage.calls") },
    ];
    if (keys) tabs.push({ id: "keys", mark: "key", label: t("usage.keys") });
    return this.tabs(tabs, pane);
  }

  /** This page has no keys of its own. */
  protected override pressed(): void {}

  /** Brings a part into view. */
  async open(tag: "hp-budget-requests"): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector(tag)?.scrollIntoView({ block: "nearest" });
  }

  /** Another pane begins at its top. */
  top(): void {
    this.renderRoot.querySelector(".u")?.scrollTo({ top: 0 });
  }

  /** After a question the focus goes back to what asked it. */
  async focusAgain(opener: HTMLElement | null): Promise<void> {
    await Promise.resolve();
    await this.updateComplete;
    if (opener?.isConnected) opener.focus();
    else this.skip();
  }
}

/** Whose calls are shown; nothing while that is not known. */
function whose(account: string, operator: boolean | null): string {
  if (operator === null) return "";
  if (!operator) return t("usage.account.own");
  return account ? t("usage.account.all", { account }) : t("usage.all.people");
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-usage-page": UsagePage;
  }
}
