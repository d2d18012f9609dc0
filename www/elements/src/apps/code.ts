/** A file of an app in its editor, what the checks say of it, and the save. UI.md §13 `hp-code`. */

import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { bytes as inBytes } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import "../findings/findings.js";
import { counted, found } from "../findings/view.js";
import { t } from "../text/index.js";
import { refusal } from "../text/refusal.js";
import type { AppEditors } from "./editors.js";
import type { CodeView } from "./view.js";

const own = css`
  :host { display: flex; flex-direction: column; flex: 1; min-height: 0; min-width: 0; background: var(--surface); }
  .head {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    min-height: 40px;
    padding: var(--s-2) var(--s-4) var(--s-2) var(--pad);
    border-bottom: 1px solid var(--line);
    flex: none;
  }
  .head .mono { font-size: var(--t-meta); font-weight: var(--w-strong); }
  .end { margin-inline-start: auto; display: flex; gap: var(--s-3); align-items: center; }
  .host { flex: 1; min-height: 0; position: relative; }
  .host[hidden] { display: none; }
  .none { flex: 1; padding: var(--s-7) var(--pad); color: var(--text-2); }
  .under {
    padding: var(--s-5);
    border-top: 1px solid var(--line-2);
    background: var(--canvas);
    max-height: 50%;
    overflow: auto;
  }
  .list { max-height: 200px; border-top: 1px solid var(--line); }
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
  @media (max-width: 767px) {
    .hide-n { display: none; }
    .head { flex-wrap: wrap; }
  }
`;

@customElement("hp-code")
export class Code extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, own];
  @property({ attribute: false }) view!: CodeView;
  @property({ attribute: false }) editors: AppEditors | null = null;
  @state() private listed = false;

  protected override get state(): string {
    const { saving, refused, edited } = this.view;
    if (saving) return "saving";
    if (refused) return "refused";
    return edited.length ? "edited" : "clean";
  }

  override render() {
    const { view } = this;
    return html`${this.#head(view)}
      <div class="host" id="host" ?hidden=${view.open === null || view.bytes !== null}></div>
      ${
        view.bytes === null
          ? nothing
          : html`<p class="none" data-testid="hp-binary">
              ${t("apps.code.binary", { size: inBytes(view.bytes) })}
            </p>`
      }
      ${view.open === null ? html`<p class="none">${t("apps.code.none")}</p>` : nothing}
      ${view.refused ? this.#refused(view) : nothing}${this.#findings(view)}${this.#status(view)}`;
  }

  #head(view: CodeView) {
    const { open, edited, saving, off } = view;
    const dirty = edited.length > 0;
    return html`<div class="head">
      <span class="mono trunc" translate="no">${open ?? ""}</span>
      <div class="end">
        ${
          open !== null
            ? html`<button
                class="btn quiet icon s"
                aria-label=${t("apps.code.remove", { path: open })}
                title=${t("apps.code.remove", { path: open })}
                ?disabled=${saving}
                @click=${() => this.emit("hp-remove-file", { path: open })}
              >
                ${icon("trash")}
              </button>`
            : nothing
        }${
          dirty
            ? html`<button
                class="btn quiet s"
                ?disabled=${saving}
                @click=${() => this.emit("hp-drop-edits")}
              >
                ${t("apps.code.drop")}
              </button>`
            : nothing
        }<button
          class="btn s ${dirty && !off && !saving ? "primary" : ""}"
          data-testid="hp-save"
          ?disabled=${!dirty || saving || off !== ""}
          aria-describedby="save-why"
          @click=${() => this.emit("hp-save")}
        >
          ${saving ? icon("spin", "s spin") : nothing}<span
            >${t(saving ? "apps.code.saving" : `apps.code.save.${view.gate}`)}</span
          >
        </button>
      </div>
    </div>`;
  }

  /** The last save did not pass: the text is kept, the draft is as it was. */
  #refused({ refused, gate }: CodeView) {
    if (!refused) return nothing;
    return html`<section class="under" aria-labelledby="h-sf">
      <div class="call fail" role="alert" data-testid="hp-save-refused">
        <h3 id="h-sf">${t(`apps.save.refused.${gate}`)}</h3>
        <dl class="w3">
          <dt>${t("word.what")}</dt>
          <dd>${prose(refusal(refused.error))}</dd>
          <dt>${t("word.kept")}</dt>
          <dd>${t("apps.save.kept")}</dd>
        </dl>
        ${
          refused.findings.length
            ? html`<hp-findings .findings=${refused.findings.map(found)}></hp-findings>
                <p class="flex wrap acts-c">
                  <button
                    class="btn s"
                    data-testid="hp-repair"
                    @click=${() => this.emit("hp-repair", { findings: refused.findings })}
                  >
                    ${icon("chat", "s")}<span>${t("apps.repair")}</span>
                  </button>
                </p>`
            : nothing
        }
      </div>
    </section>`;
  }

  #shown({ findings }: CodeView) {
    return findings.filter((finding) => finding.severity !== "info");
  }

  #findings(view: CodeView) {
    const shown = this.#shown(view);
    if (!this.listed || !shown.length) return nothing;
    return html`<div
      class="list scroll"
      id="found"
      tabindex="0"
      role="group"
      aria-label=${t("findings.list")}
    >
      <hp-findings .findings=${shown.map(found)}></hp-findings>
    </div>`;
  }

  #status(view: CodeView) {
    const shown = this.#shown(view);
    const { next, edited, off, gate } = view;
    const will = edited.length
      ? t(`apps.code.will.${gate}`, { n: String(next) })
      : t("apps.code.clean");
    return html`<div class="statusline">
      ${shown.length ? this.#found(shown) : standing(view)}<span
        class="end ${off ? "" : "hide-n"}"
        id="save-why"
        >${off || will}</span
      >
    </div>`;
  }

  #found(shown: CodeView["findings"]) {
    const errors = shown.some((finding) => finding.severity === "error");
    return html`${icon(errors ? "bad" : "info", errors ? "s c-fail" : "s c-off")}<button
        class="link"
        aria-expanded=${this.listed}
        aria-controls="found"
        @click=${() => (this.listed = !this.listed)}
      >
        ${counted(shown)}
      </button>`;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const host = this.renderRoot.querySelector<HTMLElement>("#host");
    if (host) this.editors?.mount(host, this.renderRoot as ShadowRoot);
  }
}

/** What is known of text in which the page itself finds nothing: the last save may have found something. */
function standing({ refused, checked }: CodeView) {
  if (refused)
    return refused.findings.length
      ? html`${icon("bad", "s c-fail")}<span>${counted(refused.findings)}</span>`
      : nothing;
  return checked
    ? html`${icon("ok", "s c-pass")}<span>${t("findings.none")}</span>`
    : html`${icon("idle", "s c-off")}<span>${t("apps.code.unchecked")}</span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-code": Code;
  }
}
