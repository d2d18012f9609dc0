/** The texts: one editor, or all five in one column; the empty script; the line that says what the checks say. */

import { FILES, type FileId } from "@holdpoint/core/editor";
import type { Diagnostic } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { buttons, ground } from "../base/styles.js";
import "../findings/findings.js";
import { counted, found } from "../findings/view.js";
import { t } from "../text/index.js";
import type { Editors } from "./editors.js";
import type { ScriptView } from "./view.js";

const own = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
    background: var(--surface);
    flex: 1;
  }
  .texts { flex: 1; min-height: 0; position: relative; }
  .one { position: absolute; inset: 0; }
  .one[hidden] { display: none; }
  .all .texts { overflow: auto; }
  .all .one { position: static; }
  .all .cm-editor { height: auto; max-height: none; }
  .all .name { position: sticky; top: 0; z-index: var(--z-sticky); }
  .name {
    font-weight: var(--w-normal);
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: var(--s-3) var(--pad);
    background: var(--sunken);
    border-block: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
  }
  .all .one:first-child .name { border-top: 0; }
  .name .mono { font-weight: var(--w-strong); }
  .name .meta { color: var(--text-2); }
  .frame { display: flex; flex-direction: column; flex: 1; min-height: 0; }
  .empty {
    position: absolute;
    z-index: var(--z-sticky);
    top: 56px;
    left: 68px;
    right: var(--s-8);
    max-width: 480px;
    display: grid;
    gap: var(--s-6);
    pointer-events: none;
  }
  .empty > * { pointer-events: auto; }
  .empty p { color: var(--text-2); }
  .empty h2 {
    font-size: var(--t-title);
    line-height: var(--l-title);
    letter-spacing: -.01em;
    font-weight: var(--w-strong);
  }
  .five { font-size: var(--t-small); border-block: 1px solid var(--line); }
  .five > div { display: grid; grid-template-columns: 180px 1fr; padding: var(--s-3) 0; }
  .five > div + div { border-top: 1px solid var(--line); }
  .five dd { color: var(--text-2); }
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
    min-width: 0;
  }
  .statusline .end { margin-inline-start: auto; white-space: nowrap; }
  .sep { width: 1px; height: 12px; background: var(--line-2); margin: 0 var(--s-3); }
  .link { min-height: var(--target); }
  .list { border-top: 1px solid var(--line-2); max-height: 180px; overflow: auto; flex: none; }
  @media (max-width: 767px) {
    .hide-n { display: none; }
    .empty { left: var(--s-6); right: var(--s-6); }
    .five > div { grid-template-columns: 160px 1fr; }
  }
  @media (max-height: 480px) { .texts { min-height: 60vh; } }
`;

@customElement("hp-files")
export class FilesPane extends HpElement {
  static override styles = [ground, buttons, sheets, own];
  @property({ attribute: false }) view!: ScriptView;
  @property({ attribute: false }) editors: Editors | null = null;
  @state() private listed = false;

  protected override get state(): string {
    if (this.view.empty) return "empty";
    return this.view.edited.length ? "edited" : "clean";
  }

  override render() {
    const { view } = this;
    const front = view.front === "panel" || view.front === "run" ? "tool.py" : view.front;
    const all = front === "all";
    return html`<div class="frame ${all ? "all" : ""}">
      <div
        class="texts"
        id="texts"
        role=${all ? "group" : "tabpanel"}
        aria-label=${all ? t("script.combined") : front}
        tabindex=${all ? 0 : nothing}
      >
        ${FILES.map(
          (path) =>
            html`<section
              class="one"
              data-path=${path}
              ?hidden=${!all && front !== path}
              aria-label=${path}
            >
              ${
                all
                  ? html`<h2 class="name">
                      <span class="mono">${path}</span
                      ><span class="meta">${t(`script.file.${path}`)}</span>
                    </h2>`
                  : nothing
              }
              <div class="host" data-host=${path} style=${all ? "" : "height:100%"}></div>
            </section>`,
        )}
        ${view.empty && front === "tool.py" ? this.#empty() : nothing}
      </div>
      ${this.#findings()}${this.#status(front)}
    </div>`;
  }

  #empty() {
    return html`<div class="empty">
      <h2>${t("script.empty")}</h2>
      <p>${t("script.empty.text")}</p>
      <dl class="five">
        ${FILES.map(
          (path) =>
            html`<div>
              <dt class="mono">${path}</dt>
              <dd>${t(`script.file.${path}`)}</dd>
            </div>`,
        )}
      </dl>
      <div class="flex wrap">
        <button class="btn" data-testid="hp-sample" @click=${() => this.emit("hp-sample")}>
          ${t("script.empty.sample")}</button
        ><button class="btn quiet" @click=${() => this.editors?.go("tool.py", null)}>
          ${t("script.empty.hand")}
        </button>
      </div>
    </div>`;
  }

  #shown(): Diagnostic[] {
    return this.view.check?.diagnostics.filter((finding) => finding.severity !== "info") ?? [];
  }

  #status(front: FileId | "all") {
    const { check, empty } = this.view;
    const shown = this.#shown();
    const entry = check?.summary.entrypoint;
    return html`<div class="statusline">
      ${!empty && check && shown.length ? this.#found(shown) : this.#nothingFound()}${
        entry && !empty ? entryLine(entry) : nothing
      }<span class="end hide-n">${front === "all" ? nothing : t(kindOf(front))}</span>
    </div>`;
  }

  /** How many errors and hints there are; opens their list. */
  #found(shown: Diagnostic[]) {
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

  #nothingFound() {
    const { check, empty, python } = this.view;
    if (!empty && check && python)
      return html`${icon("ok", "s c-pass")}<span>${t("findings.none")}</span>`;
    const partly = check ? "script.check.partly" : "script.check.off";
    const words = t(empty ? "script.check.nothing" : partly);
    return html`${icon("idle", "s c-off")}<span>${words}</span>`;
  }

  #findings() {
    const shown = this.#shown();
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

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    if (!this.editors) return;
    for (const host of this.renderRoot.querySelectorAll<HTMLElement>("[data-host]"))
      this.editors.mount(host.dataset.host as FileId, host, this.renderRoot as ShadowRoot);
    if (changed.has("view")) for (const path of FILES) this.editors.view(path).requestMeasure();
  }
}

type Entry = NonNullable<NonNullable<ScriptView["check"]>["summary"]["entrypoint"]>;

function entryLine({ name, line }: Entry) {
  const at = line === null ? "" : `, ${t("findings.line", { n: String(line) })}`;
  return html`<span class="sep"></span
    ><span class="trunc">${t("script.check.entry")} <code>${name}</code>${at}</span>`;
}

function kindOf(path: FileId) {
  if (path.endsWith(".py")) return "script.status.python";
  if (path.endsWith(".json")) return "script.status.json";
  return path.endsWith(".md") ? "script.status.markdown" : "script.status.text";
}
