/**
 * What was written from one plan, side by side: each has its fingerprint, what differs is strong, and any can be
 * chosen. UI.md §3 "hp-versions", §11 "Versions".
 */
import type { VersionView } from "@holdpoint/core/types";
import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { sheets, tables } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import "../diff/diff.js";
import { t } from "../text/index.js";
import { factRows, letter, type VersionsView } from "./versions-view.js";

const own = css`
  .wide { overflow-x: auto; overscroll-behavior: contain; }
  .vers { table-layout: fixed; min-width: calc(9em + var(--n) * 9.5em); }
  .vers .c-l { width: 8.5em; }
  .vers thead :is(th, td) {
    background: var(--sunken);
    border-bottom: 1px solid var(--line-2);
    vertical-align: top;
    padding-block: var(--s-4);
    white-space: normal;
  }
  .vers thead th { color: var(--text); font-size: var(--t-small); font-weight: var(--w-strong); }
  .vers label { display: flex; gap: var(--s-3); align-items: center; cursor: pointer; }
  .vers .side { margin: var(--s-2) 0 0 24px; font-weight: var(--w-normal); }
  .vers tbody th {
    font-weight: var(--w-normal);
    color: var(--text-2);
    text-align: start;
    white-space: normal;
  }
  .vers tbody td { height: var(--row); padding-block: var(--s-3); overflow-wrap: anywhere; }
  .vers td + td, .vers th + :is(td, th), .vers td + th {
    border-inline-start: 1px solid var(--line);
  }
  .vers .on { background: var(--selected); }
  .vers .df td { font-weight: var(--w-strong); }
  .vers td ul { display: grid; gap: var(--s-2); }
  .sheet { container-type: inline-size; }
  /* Two stand beside each other also where there is no room for a third column: what a row says stands above. */
  @container (max-width: 420px) {
    .vers.two, .vers.two > :is(thead, tbody) { display: block; min-width: 0; }
    .vers.two tr { display: grid; grid-template-columns: 1fr 1fr; border-bottom: 1px solid var(--line); }
    .vers.two :is(th, td) { height: auto; border: 0; }
    .vers.two tbody th { grid-column: 1 / -1; padding-block: var(--s-3) 0; font-size: var(--t-meta); }
    .vers.two tbody td { margin-block: 0 var(--s-3); padding-block: 0; background: none; }
    .vers.two td + td { border-inline-start: 1px solid var(--line); }
    .vers.two thead td { display: none; }
  }
  details { border-top: 1px solid var(--line); }
  .inner { padding: 0 var(--s-5) var(--s-5); }
`;

@customElement("hp-versions")
export class Versions extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, tables, own];
  @property({ attribute: false }) view?: VersionsView;
  /** None of them is looked at: what was written before something else went wrong or ended. */
  @property({ type: Boolean }) kept = false;
  /** A choice is on its way, or what is shown is not settled. */
  @property({ type: Boolean }) busy = false;

  /** What a person chose and the page does not show yet; the choice keeps the focus meanwhile. */
  #picked: string | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const shown = this.view?.versions.find((one) => one.shown);
    const isDecided = changed.has("busy") && !this.busy;
    if (isDecided || (shown?.result_hash === this.#picked && !this.kept)) this.#picked = null;
  }

  #pick(hash: string): void {
    if (!this.busy) {
      this.#picked = hash;
      this.emit("hp-choose", { result_hash: hash });
    }
    this.requestUpdate();
  }

  protected override get state(): string {
    return this.kept ? "kept" : "chosen";
  }

  override render() {
    const { view } = this;
    if (!view?.versions.length) return nothing;
    const n = view.versions.length;
    return html`<section class="sheet" aria-labelledby="h">
      <div class="s-h">
        <h3 id="h">${t(this.kept ? "versions.kept" : "versions.title")}</h3>
        <span class="meta">${this.kept ? kept(view) : t("versions.text", { n })}</span>
      </div>
      <div
        class="wide"
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name: t("versions.title") })}
      >
        ${this.#table(view)}
      </div>
      ${this.#diffs(view)}
    </section>`;
  }

  #table(view: VersionsView) {
    const { versions } = view;
    const on = (index: number) => (versions[index]?.shown && !this.kept ? "on" : "");
    return html`<table class="t vers ${versions.length === 2 ? "two" : ""}" style="--n:${versions.length}">
      <caption class="vh">${t("versions.title")}</caption>
      <colgroup>
        <col class="c-l" />
        ${versions.map(() => html`<col />`)}
      </colgroup>
      <thead>
        <tr>
          <td><span class="vh">${t("versions.fact")}</span></td>
          ${versions.map((one, i) => this.#head(one, i, on(i), view))}
        </tr>
      </thead>
      <tbody>
        ${factRows(view).map(
          (row) =>
            html`<tr class=${row.same ? "same" : "df"}>
              <th scope="row">${row.label}</th>
              ${row.cells.map(
                (cell, i) =>
                  html`<td class="${on(i)} ${row.mono ? "mono" : ""}">${words(cell)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #head(one: VersionView, index: number, on: string, view: VersionsView) {
    const id = letter(index);
    return html`<th scope="col" class=${on}>
      <label for="v-${id}"
        ><input
          type="radio"
          class="radio"
          name="version"
          id="v-${id}"
          data-testid="hp-choose-${id}"
          .checked=${live(this.#picked ? this.#picked === one.result_hash : on !== "")}
          aria-disabled=${this.busy}
          @change=${() => this.#pick(one.result_hash)}
        /><span>${t("versions.name", { letter: id })}</span></label
      >${this.#beside(one, id, view)}
    </th>`;
  }

  /** Of more than two, which one stands beside the one that is shown. */
  #beside({ result_hash, ok, shown }: VersionView, id: string, view: VersionsView) {
    const several = view.versions.filter((one) => one.ok).length > 2;
    if (!several || !ok || shown || this.kept) return nothing;
    if (result_hash === view.beside)
      return html`<div class="side meta">${t("versions.beside")}</div>`;
    return html`<div class="side">
      <button
        class="link"
        aria-describedby="v-${id}"
        @click=${() => this.emit("hp-beside", { result_hash })}
      >
        ${t("versions.beside.pick")}
      </button>
    </div>`;
  }

  /** Of each other version: the code of both. */
  #diffs({ versions, diffs }: VersionsView) {
    const shown = versions.findIndex((one) => one.shown);
    if (this.kept || shown < 0) return nothing;
    return versions.map((one, index) => {
      const files = diffs[one.result_hash];
      if (index === shown || !files) return nothing;
      const [from, to] = [letter(index), letter(shown)];
      return html`<details class="fold" data-testid="hp-compare-${from}">
        <summary>
          ${icon("cr", "s tw")}<span class="strong">${t("versions.compare", { from, to })}</span
          ><span class="meta">${files.length ? t("review.files", { n: files.length }) : t("versions.same")}</span>
        </summary>
        <div class="inner">
          ${files.length ? html`<hp-diff .files=${files}></hp-diff>` : nothing}
        </div>
      </details>`;
    });
  }
}

/** What can be done with what was written before something else went wrong or ended. */
const kept = ({ versions }: VersionsView): string =>
  t(versions.some((one) => one.ok) ? "versions.kept.text" : "versions.kept.none");

function words(cell: string[]) {
  if (cell.length < 2) return cell[0] ?? "";
  return html`<ul>
    ${cell.map((one) => html`<li>${one}</li>`)}
  </ul>`;
}
