/** An asset: its text, who cites it, its path; a new path is a move. UI.md §12. */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { HpElement } from "../base/element.js";
import { bytes } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { said } from "../text/said.js";
import { checkedBadge } from "./checked.js";
import "./conflict.js";
import { fields, panes, viewBar } from "./crew.styles.js";
import "./edit-foot.js";
import { going } from "./going.js";
import { stepButton } from "./steps.js";
import "./text-editor.js";
import type { AssetView } from "./view.js";

/** crew-package.md §2. */
const MAX = { bytes: 262_144, all: 2_097_152, count: 200 };

const own = css`
  .pane > hp-crew-text { flex: 1; }
  .body { flex: 1; min-height: 0; overflow: auto; }
  .group-h {
    padding: var(--s-3) var(--pad);
    background: var(--sunken);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-strong);
    color: var(--text-2);
  }
  .rows { border-bottom: 1px solid var(--line); }
  .rows > li { padding-inline: var(--pad); }
  .kv { font-size: var(--t-small); line-height: var(--l-small); }
  .kv > div {
    display: grid;
    grid-template-columns: 88px minmax(0, 1fr);
    gap: var(--s-4);
    padding: 5px var(--pad);
    align-items: baseline;
    border-bottom: 1px solid var(--line);
  }
  .kv dt { color: var(--text-2); }
  .kv dd { overflow-wrap: anywhere; }
  .note { padding: var(--s-4) var(--pad); }
  .none { padding: var(--s-4) var(--pad); color: var(--text-2); font-size: var(--t-small); }
  .statusline {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    padding: var(--s-2) var(--pad);
    border-top: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    min-height: 28px;
    flex: none;
  }
  .statusline .end { margin-inline-start: auto; }
  .statusline .sep { width: 1px; height: 12px; background: var(--line-2); margin: 0 var(--s-3); }
  .msgs { padding: var(--s-3) var(--pad); }
  @media (max-width: 979px) {
    :host { overflow: auto; }
    .both { flex: none; }
    .pane > hp-crew-text { min-height: 300px; }
    .statusline .end { display: none; }
    hp-crew-foot { position: sticky; bottom: 0; z-index: var(--z-sticky); }
  }
  @media (max-height: 480px) { hp-crew-foot { position: static; } }
`;

@customElement("hp-crew-asset")
export class CrewAsset extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, fields, viewBar, panes, own];
  @property({ attribute: false }) view!: AssetView;

  protected override get state(): string {
    return this.view.foot.state;
  }

  override render() {
    return html`${this.#bar()}
      <div class="both">
        <section class="pane" data-f6 aria-label=${t("crew.asset.text")}>${this.#text()}</section>
        <section class="pane" data-f6 aria-label=${t("crew.asset.about")}>
          <div
            class="body scroll"
            tabindex="0"
            role="group"
            aria-label=${t("app.scrolls", { name: t("crew.asset.about") })}
          >
            ${
              this.view.conflict
                ? html`<div class="note">
                    <hp-crew-conflict .view=${this.view.conflict}></hp-crew-conflict>
                  </div>`
                : nothing
            }${this.#cited()}${this.#file()}
          </div>
          <hp-crew-foot .view=${this.view.foot}>
            <button
              class="btn quiet danger"
              data-testid="hp-delete-asset"
              @click=${() => this.emit("hp-delete-asset", { path: this.view.path })}
            >
              ${t("crew.delete")}
            </button>
          </hp-crew-foot>
        </section>
      </div>`;
  }

  #bar() {
    const { package: back, path, check, undo, redo, versions, improve } = this.view;
    return html`<div class="vbar">
      <a class="crumb" href=${back.href} translate="no" @click=${(event: MouseEvent) => going(event, back.href, this)}
        >${back.name}</a
      ><span class="sep" aria-hidden="true"></span>
      <h1 class="mono" translate="no">${path}</h1>
      ${checkedBadge(check)}
      <div class="end">
        ${stepButton(this, "undo", undo)}${stepButton(this, "redo", redo)}<a
          class="btn quiet icon"
          href=${versions}
          aria-label=${t("crew.tab.versions")}
          @click=${(event: MouseEvent) => going(event, versions, this)}
          >${icon("history")}</a
        ><a class="btn" href=${improve}>${t("crew.improve.ai")}</a>
      </div>
    </div>`;
  }

  #text() {
    const { path, text, binary, findings, kind, bytes: size } = this.view;
    if (binary) return html`<p class="none" role="status">${t("crew.asset.binary.text")}</p>`;
    const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
    return html`${
      findings.length
        ? html`<div class="msgs">
              ${findings.map(
                (one) =>
                  html`<p class="msg ${one.severity === "error" ? "bad" : ""}" data-code=${one.code}>
                    ${icon(one.severity === "error" ? "bad" : "med", "s")}<span
                      >${prose(said(one))}</span
                    >
                  </p>`,
              )}
            </div>`
        : nothing
    }<hp-crew-text
        .text=${text}
        .path=${path}
        .label=${path}
        .findings=${findings}
      ></hp-crew-text>
      <div class="statusline">
        <span>${t("crew.asset.lines", { kind, n: lines })}</span><span class="sep"></span
        ><span>${t("crew.asset.size.of", { size: bytes(size), max: bytes(MAX.bytes) })}</span
        ><span class="end"
          >${t("crew.asset.mount")} <span class="mono" translate="no">@pkg/${path}</span></span
        >
      </div>`;
  }

  #cited() {
    const { cited } = this.view;
    return html`<h2 class="group-h">${t("crew.asset.cited")}</h2>
      ${cited.length ? nothing : html`<p class="none">${t("crew.asset.cited.none")}</p>`}
      <ul class="rows">
        ${cited.map(
          ({ title, workflow, href, inputs, line }) =>
            html`<li>
              <div>
                <p>
                  <a href=${href} translate="no" @click=${(event: MouseEvent) => going(event, href, this)}
                    >${title}</a
                  >
                  <span class="quiet">${t(inputs ? "crew.asset.inputs" : "crew.asset.line", { n: line })}</span>
                </p>
                <p class="sub" translate="no">${workflow}</p>
              </div>
            </li>`,
        )}
      </ul>`;
  }

  #file() {
    const { name, nameFault, kind, bytes: size, all } = this.view;
    const facts: [string, string][] = [
      [t("crew.asset.kind.word"), kind],
      [t("crew.size"), t("crew.asset.size.of", { size: bytes(size), max: bytes(MAX.bytes) })],
      [
        t("crew.asset.all"),
        t("crew.asset.all.of", {
          size: bytes(all.bytes),
          max: bytes(MAX.all),
          n: all.count,
          count: MAX.count,
        }),
      ],
    ];
    return html`<h2 class="group-h">${t("crew.asset.file")}</h2>
      <dl class="kv">
        <div>
          <dt>${t("crew.asset.path")}</dt>
          <dd>
            <label class="vh" for="path">${t("crew.asset.path")}</label
            ><input
              class="input mono"
              id="path"
              translate="no"
              .value=${live(name)}
              aria-invalid=${nameFault !== ""}
              aria-describedby="move"
              @input=${(event: Event) =>
                this.emit("hp-asset-path", { path: (event.target as HTMLInputElement).value })}
            />${
              nameFault
                ? html`<p class="msg bad" role="alert">${icon("bad", "s")}<span>${nameFault}</span></p>`
                : nothing
            }
          </dd>
        </div>
        ${facts.map(([what, value]) => html`<div><dt>${what}</dt><dd>${value}</dd></div>`)}
      </dl>
      <p class="meta note" id="move">${t("crew.asset.move")}</p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-asset": CrewAsset;
  }
}
