/**
 * The calls: what each held, spent and gave back, and how it ended; those that run stand first. What was asked and
 * answered is nowhere in it. States: loading, ready, failed. UI.md §3 `hp-ledger`.
 */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { integer, when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { calls, sheets, tables } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { spent as money, used } from "./amounts.js";
import { around } from "./part.js";
import { resultBadge } from "./result.js";
import { parts } from "./usage.styles.js";
import type { CallFilter, CallLine, CallsView } from "./view.js";

const FILTERS: CallFilter[] = ["all", "running", "unfinished"];

const own = css`
  .led td, .led th { white-space: nowrap; }
  .led .tk, .led .md, .led .tm, .led .wt { color: var(--text-2); }
  .led .wh, .led .wt, .led .md { max-width: 220px; overflow: hidden; text-overflow: ellipsis; }
  @media (max-width: 767px) {
    .seg { width: 100%; }
    .seg > * { flex: 1; justify-content: center; min-height: calc(var(--control) - 2px); }
    .led thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden; }
    .led, .led tbody { display: block; }
    .led tr {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr) auto;
      gap: var(--s-2) var(--s-4);
      padding: var(--s-4) var(--s-5);
      border-bottom: 1px solid var(--line);
    }
    .led tbody tr > * { height: auto; padding: 0; border: 0; white-space: normal; max-width: none; }
    .led tbody tr:last-child { border-bottom: 0; }
    .led .tm { order: 1; }
    .led .wh { order: 2; }
    .led .sp { order: 3; }
    .led .wt { order: 4; grid-column: 1 / -1; }
    .led .rs { order: 5; grid-column: 1 / 3; min-width: 0; }
    .led .rs .badge { white-space: normal; }
    .led .hd { order: 6; font-size: var(--t-meta); color: var(--text-2); }
    .led .md, .led .tk, .led .rt { display: none; }
  }
`;

@customElement("hp-ledger")
export class Ledger extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, tables, parts, own];
  @property({ attribute: false }) view!: CallsView;

  protected override get state(): string {
    const { lines, running, state } = this.view;
    return state === "ready" && !lines.length && !running.length ? "empty" : state;
  }

  override render() {
    const { lines, running, state } = this.view;
    const any = lines.length + running.length > 0;
    return html`<section class="sheet" aria-labelledby="h-l">
      <div class="s-h">
        <h2 id="h-l">${t("usage.calls")}</h2>
        ${this.#filters()}
        <button
          class="btn s quiet end"
          data-testid="hp-calls-refresh"
          ?disabled=${this.view.offline || this.view.loading}
          @click=${() => this.emit("hp-refresh")}
        >
          ${icon("again", "s")}<span>${t("usage.refresh")}</span>
        </button>
      </div>
      ${around(this.view, t("usage.part.calls"), any, () =>
        this.emit("hp-usage-again", { part: "calls" }),
      )}
      ${any ? this.#table() : nothing}
      ${!any && state === "ready" ? this.#empty() : nothing}${this.#foot()}
    </section>`;
  }

  #filters() {
    const { show, running, present } = this.view;
    return html`<span class="seg" role="group" aria-label=${t("usage.show")}>
      ${FILTERS.filter((one) => present || one !== "running").map(
        (one) =>
          html`<button
            aria-pressed=${one === show}
            data-testid="hp-show-${one}"
            @click=${() => this.emit("hp-filter", { show: one })}
          >
            ${t(`usage.show.${one}`)}${
              one === "running"
                ? html` <span class="quiet">${integer(running.length)}</span>`
                : nothing
            }
          </button>`,
      )}
    </span>`;
  }

  #empty() {
    const { present, more } = this.view;
    if (more || !present)
      return html`<p class="none">${t(more ? "usage.calls.further" : "usage.sums.none")}</p>`;
    return html`<div class="none stack tight">
      <p class="strong">${t("usage.calls.none")}</p>
      <p>${t("usage.calls.first")}</p>
    </div>`;
  }

  /** Those that run come first: they are the newest. */
  #shown(): CallLine[] {
    const { lines, running, show } = this.view;
    if (show === "running") return running;
    if (show === "all") return [...running, ...lines];
    return lines.filter(({ result }) => result !== "done" && result !== "estimated");
  }

  #table() {
    const shown = this.#shown();
    if (!shown.length) return html`<p class="none">${t(`usage.none.${this.view.show}`)}</p>`;
    return html`<div
      class="scroll"
      tabindex="0"
      role="group"
      aria-label=${t("app.scrolls", { name: t("usage.calls") })}
    >
      <table class="t led">
        <caption class="vh">
          ${t("usage.calls.caption")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t("usage.time")}</th>
            <th scope="col">${t("usage.who")}</th>
            <th scope="col">${t("usage.purpose")}</th>
            <th scope="col">${t("usage.one.model")}</th>
            <th scope="col" class="num">${t("usage.tokens")}</th>
            <th scope="col" class="num">${t("usage.held")}</th>
            <th scope="col" class="num">${t("usage.spent")}</th>
            <th scope="col" class="num">${t("usage.back")}</th>
            <th scope="col">${t("usage.result")}</th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            shown,
            (line) => line.id,
            (line) => this.#row(line),
          )}
        </tbody>
      </table>
    </div>`;
  }

  #row(line: CallLine) {
    const { now } = this.view;
    const held = this.#amount(line, line.held);
    return html`<tr data-call=${line.id}>
      <td class="tm">${when(line.at, now)}</td>
      <th scope="row" class="wh" title=${line.who}><span translate="no">${line.who}</span></th>
      <td class="wt" title=${line.purpose}>${line.purpose}</td>
      <td class="md" title=${line.model}><span translate="no">${line.model}</span></td>
      <td class="num tk">${line.tokens === null ? none() : integer(line.tokens)}</td>
      <td class="num hd">
        ${
          held
            ? html`<span class="hide-n">${held}</span
                ><span class="only-n">${t("usage.held.text", { held })}</span>`
            : none()
        }
      </td>
      <td class="num sp strong">${this.#spent(line)}</td>
      <td class="num rt">${this.#amount(line, line.back) || none()}</td>
      <td class="rs">${resultBadge(line.result)}</td>
    </tr>`;
  }

  #spent(line: CallLine) {
    const { spent, about } = line;
    if (!spent) return none();
    const text = this.#amount(line, spent) || none();
    return about
      ? html`<span aria-hidden="true">≈ </span><span class="vh">${t("usage.about")} </span>${text}`
      : text;
  }

  /** Money in every column of a call that held or cost some; else tokens. */
  #amount({ held, spent }: CallLine, value: Sum | null): string {
    if (!value) return "";
    const priced = held.cost > 0 || (spent?.cost ?? 0) > 0;
    const { currency } = this.view;
    return priced ? money(value.cost, currency) : used({ tokens: value.tokens, cost: 0 }, currency);
  }

  #foot() {
    const { more, loading, show, offline } = this.view;
    return html`<div class="foot">
      ${
        more && show !== "running"
          ? html`<button
              class="btn s"
              data-testid="hp-calls-more"
              ?disabled=${loading || offline}
              @click=${() => this.emit("hp-more", { part: "calls" })}
            >
              ${loading ? icon("spin", "s spin") : nothing}<span>${t("usage.more")}</span>
            </button>`
          : nothing
      }<span class="meta">${t("usage.calls.content")}</span>
    </div>`;
  }
}

type Sum = CallLine["held"];
const none = () => html`<span class="quiet">–</span>`;
