/** Earlier changes and the installed extensions; two of one extension ticked to compare, and what differs. UI.md §3. */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { fingerprint, when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { spoken } from "../text/spoken.js";
import "../diff/diff.js";
import { type ChangeLine, comparable, type HistoryView } from "./compare.js";

const own = css`
  .hist > li {
    display: grid;
    grid-template-columns: 16px 20px minmax(0, 1fr) auto;
    gap: 0 var(--s-4);
    padding: var(--s-4) var(--s-5);
    align-items: start;
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .hist > li + li { border-top: 1px solid var(--line); }
  .hist .check { margin-top: 1px; }
  .no { color: var(--text-3); text-align: end; }
  .hw { display: grid; gap: var(--s-1); min-width: 0; }
  .sub { color: var(--text-2); font-size: var(--t-meta); line-height: var(--l-meta); }
  .sg {
    display: flex;
    gap: var(--s-2) var(--s-5);
    flex-wrap: wrap;
    align-items: center;
    margin-top: var(--s-1);
  }
  .ha { display: flex; gap: var(--s-2); justify-content: flex-end; }
  .hr { grid-column: 3 / -1; text-align: end; margin-top: var(--s-2); }
  .lbl { margin-bottom: var(--s-2); }
  .stack { gap: var(--s-8); }
  .stack.tight { gap: var(--s-2); }
  @media (max-width: 767px) {
    .hist > li { grid-template-columns: 16px 20px minmax(0, 1fr); }
    .ha { grid-column: 3; justify-content: flex-start; margin-top: var(--s-3); }
    .hr { text-align: start; }
    .hide-n { display: none; }
  }
`;

@customElement("hp-history")
export class History extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, own];
  @property({ attribute: false }) view: HistoryView = {
    extensions: [],
    changes: [],
    now: 0,
    compared: null,
  };
  @property({ attribute: false }) chosen: string[] = [];

  protected override get state(): string {
    if (this.view.compared) return "compared";
    return this.view.changes.length ? "list" : "empty";
  }

  override render() {
    const { extensions, changes, compared } = this.view;
    if (compared) return this.#compared(compared);
    return html`<div class="stack">
      <section class="stack tight" aria-labelledby="h1">
        <h3 id="h1" class="meta strong lbl">${t("history.extensions")}</h3>
        ${
          extensions.length
            ? html`<ul class="sheet rows">
                ${extensions.map((one) => this.#extension(one))}
              </ul>`
            : html`<p class="meta">${t("history.none")}</p>`
        }
      </section>
      <section class="stack tight" aria-labelledby="h2">
        <h3 id="h2" class="meta strong lbl">${t("history.changes")}</h3>
        ${
          changes.length
            ? html`<ol class="sheet hist">
                  ${changes.map((change) => this.#change(change))}
                </ol>
                <p class="meta quiet">${t("history.note")}</p>`
            : html`<p class="meta">${t("history.no_changes")}</p>`
        }
      </section>
    </div>`;
  }

  #compared({ pair: { from, to }, files }: NonNullable<HistoryView["compared"]>) {
    const heading = t("history.compared", { from, to });
    return files.length
      ? html`<hp-diff .files=${files} .heading=${heading} choosing="none"></hp-diff>`
      : html`<section class="stack tight">
          <h3 class="strong">${heading}</h3>
          <p class="meta">${t("history.same")}</p>
        </section>`;
  }

  #extension({ record, name, stored }: HistoryView["extensions"][number]) {
    const action = record.enabled ? "disable" : "enable";
    return html`<li class=${record.enabled ? "" : "c-off"}>
      ${icon("panel", "c-off")}<span class="grow"
        ><span class="strong">${name}</span><br /><span class="sub"
          >${record.version}${stored ? nothing : ` · ${t("ext.stored")}`}${
            record.enabled
              ? nothing
              : ` · ${record.reason ? t("ext.off.why", { reason: spoken(record.reason) }) : t("ext.off")}`
          }</span
        ></span
      >
      <span class="fp-chip hide-n">${fingerprint(record.content_hash)}</span>
      <button
        class="btn quiet s"
        @click=${() => this.emit("hp-extension", { id: record.id, action })}
      >
        ${t(`ext.${action}`)}
      </button>
    </li>`;
  }

  #change(change: ChangeLine) {
    const chosen = this.chosen.includes(change.id);
    const ticks = comparable(this.view.changes, change);
    return html`<li>
      ${
        ticks
          ? html`<input
              class="check"
              type="checkbox"
              id="v-${change.id}"
              .checked=${chosen}
              aria-label=${t("history.tick", { n: change.number })}
              @change=${() => this.#tick(change.id)}
            />`
          : html`<span></span>`
      }
      <label for=${ticks ? `v-${change.id}` : nothing} class="no">${change.number}</label>
      <div class="hw">
        <span class="strong">${change.title}</span><span class="sub">${change.sub}</span>
        <span class="sub sg"
          >${
            change.signed
              ? html`<span class="c-pass"
                  >${icon("check", "s")}
                  ${t("history.signed", { when: when(change.at, this.view.now) })}</span
                >`
              : html`<span>${when(change.at, this.view.now)}</span>
                  <span>${t("history.unsigned")}</span>`
          }
          ${
            change.result_hash
              ? html`<span class="fp-chip">${fingerprint(change.result_hash)}</span>`
              : nothing
          }</span
        >
      </div>
      <div class="ha">
        ${
          change.undo
            ? html`<button
                class="btn s"
                data-testid="hp-${change.undo}"
                ?disabled=${change.blocked !== undefined}
                aria-describedby=${change.blocked ? `w-${change.id}` : nothing}
                @click=${() => this.emit(`hp-${change.undo}`, { id: change.id })}
              >
                ${icon(change.undo, "s")}<span>${t(`history.${change.undo}`)}</span>
              </button>`
            : nothing
        }<button class="btn quiet s" @click=${() => this.emit("hp-open-change", { id: change.id })}
          >${t("history.open")}<span class="vh"> ${change.title}</span></button
        >
      </div>
      ${
        change.blocked ? html`<p class="sub hr" id="w-${change.id}">${change.blocked}</p>` : nothing
      }
    </li>`;
  }

  #tick(id: string): void {
    const chosen = this.chosen.includes(id)
      ? this.chosen.filter((other) => other !== id)
      : [...this.chosen.slice(-1), id];
    this.emit("hp-chosen", { ids: chosen });
  }
}
