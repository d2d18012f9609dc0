/** The files in an editor with live findings. States: read-only, clean, edited. Mod S saves and checks. UI.md §3. */

import type { BundleCheck, Diagnostic, Files, Range } from "@holdpoint/core/types";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { turned } from "../base/tabs.js";
import "../findings/findings.js";
import { counted, found } from "../findings/view.js";
import { t } from "../text/index.js";
import type { Editor } from "./editor.js";
import { styles } from "./source.styles.js";

@customElement("hp-source")
export class Source extends HpElement {
  static override styles = [ground, buttons, badges, sheets, styles];
  /** The bundle as it was given; edits are compared with it. */
  @property({ attribute: false }) base: Files = {};
  /** The bundle with the person's edits. */
  @property({ attribute: false }) files: Files = {};
  @property({ attribute: false }) check: Pick<BundleCheck, "ok" | "diagnostics"> | null = null;
  @property({ type: Number }) checkedAt = 0;
  @property({ type: Boolean }) readonly = false;
  /** Where to open: a path, and a place in it. */
  @property({ attribute: false }) at: { path: string; range?: Range } | null = null;
  @state() private path = "";
  @query("#editor") private host!: HTMLElement;
  private editor: Editor | null = null;
  private shown = "";

  protected override get state(): string {
    if (this.readonly) return "read-only";
    return this.#edited().length ? "edited" : "clean";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("at") && this.at) this.path = this.at.path;
    if (!(this.path in this.files))
      this.path =
        Object.keys(this.files).find((path) => path.startsWith("src/")) ??
        Object.keys(this.files)[0] ??
        "";
  }

  override render() {
    const paths = Object.keys(this.files);
    return html`<div class="src">
      <div class="ftabs">
        <div role="tablist" aria-label=${t("source.files")} @keydown=${this.#keys}>
          ${paths.map((path) => this.#tab(path))}
        </div>
      </div>
      <div
        id="editor"
        class="code-ed"
        role="tabpanel"
        aria-labelledby="t-${paths.indexOf(this.path)}"
      ></div>
      ${this.check ? this.#findings(this.check) : nothing}
    </div>`;
  }

  #tab(path: string) {
    const selected = path === this.path;
    const edited = this.files[path] !== this.base[path];
    const i = Object.keys(this.files).indexOf(path);
    return html`<button
      role="tab"
      id="t-${i}"
      class="mono"
      aria-selected=${selected}
      aria-controls="editor"
      tabindex=${selected ? 0 : -1}
      @click=${() => (this.path = path)}
    >
      ${path}${
        edited
          ? html`<span class="d2" aria-hidden="true"></span
              ><span class="vh">${t("source.edited")}</span>`
          : nothing
      }
    </button>`;
  }

  #findings(check: Pick<BundleCheck, "diagnostics">) {
    const shown = check.diagnostics.filter((finding) => finding.severity !== "info");
    const errors = shown.some((finding) => finding.severity === "error");
    const words = counted(shown) || t("findings.none");
    return html`<section class="findings" aria-labelledby="h-fi">
      <h3 class="group-h" id="h-fi">
        ${icon(errors ? "bad" : "ok", errors ? "s c-fail" : "s c-pass")}<span>${words}</span>${
          this.checkedAt
            ? html`<span class="end quiet"
                >${t("source.live", { time: time(this.checkedAt) })}</span
              >`
            : nothing
        }
      </h3>
      <div class="list scroll" tabindex="0" role="group" aria-label=${words}>
        <hp-findings
          ?fixes=${!this.readonly}
          .findings=${shown.map(found)}
          @hp-open-source=${this.#goTo}
          @hp-fix=${(event: CustomEvent<{ n: number }>) => {
            const finding = shown[event.detail.n];
            if (finding) this.#mend(finding);
          }}
        ></hp-findings>
      </div>
    </section>`;
  }

  /** A place of a finding is in front here: nobody else is asked. */
  #goTo(event: CustomEvent<{ path: string; range?: Range }>): void {
    event.stopPropagation();
    const { path, range } = event.detail;
    if (range) this.#go(path, range);
    else this.path = path;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    void this.#sync();
  }

  /** The editor is loaded with the first source that is shown; it follows path, files and findings. */
  async #sync(): Promise<void> {
    const { openEditor } = await import("./editor.js");
    if (!this.isConnected) return;
    this.editor ??= openEditor(this.host, this.renderRoot as ShadowRoot, {
      change: (text) => this.#changed(text),
      save: () => this.emit("hp-act", { id: "save" }),
    });
    const text = this.files[this.path] ?? "";
    if (this.shown !== this.path || this.editor.text() !== text) {
      this.editor.show(this.path, text, this.readonly, () =>
        t("source.editor", { path: this.path }),
      );
      this.shown = this.path;
    }
    this.editor.mark(
      (this.check?.diagnostics ?? []).filter((finding) => finding.path === this.path),
    );
    if (this.at?.range && this.at.path === this.path) {
      this.editor.go(this.at.range);
      this.at = null;
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.editor?.close();
    this.editor = null;
    this.shown = "";
  }

  #changed(text: string): void {
    if (this.files[this.path] === text) return;
    this.files = { ...this.files, [this.path]: text };
    this.emit("hp-hand-edit", { files: this.files });
  }

  #mend(finding: Diagnostic): void {
    const path = finding.path ?? "";
    let text = this.files[path];
    for (const fix of finding.fix ?? [])
      if (text !== undefined && "text" in fix) text = replaced(text, fix.range, fix.text);
    if (text === undefined) return;
    this.files = { ...this.files, [path]: text };
    this.emit("hp-hand-edit", { files: this.files });
  }

  #go(path: string, range: Range): void {
    this.path = path;
    this.at = { path, range };
  }

  #edited(): string[] {
    return Object.keys(this.files).filter((path) => this.files[path] !== this.base[path]);
  }

  #keys(event: KeyboardEvent): void {
    const paths = Object.keys(this.files);
    const to = turned(event.key, paths.indexOf(this.path), paths.length);
    const next = to === null ? undefined : paths[to];
    if (next === undefined) return;
    event.preventDefault();
    this.path = next;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('[role="tab"][tabindex="0"]')?.focus(),
    );
  }
}

function replaced(text: string, range: Range, by: string): string {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  const offset = (line: number, column: number): number =>
    (starts[line - 1] ?? text.length) + column - 1;
  return (
    text.slice(0, offset(range.start.line, range.start.column)) +
    by +
    text.slice(offset(range.end.line, range.end.column))
  );
}
