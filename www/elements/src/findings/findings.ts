/**
 * A list of findings. `line`: a sentence under what it is about; `row`: with its place, which leads there; `full`: with
 * its source and a caret, with expected and was, or with two texts; `coded`: with what helps, its code and its place to
 * be copied. What is new is marked; a long list is folded.
 * UI.md §3.
 */
import type { SnippetLine } from "@holdpoint/core/types";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { inks } from "../base/highlight.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import "../shell/copy.js";
import { t } from "../text/index.js";
import { styles } from "./findings.styles.js";
import { marked, written } from "./values.js";
import type { Found } from "./view.js";

/** So many are shown before a person asks for the rest. */
const SHOWN = 20;

@customElement("hp-findings")
export class Findings extends HpElement {
  static override styles = [ground, buttons, badges, sheets, styles];
  @property({ attribute: false }) findings: readonly Found[] = [];
  @property() look: "line" | "row" | "full" | "coded" = "row";
  /** Offers what a check knows to fix. */
  @property({ type: Boolean }) fixes = false;
  /** Whether a place leads to the file as it is; not where it is of a file as it would be. */
  @property({ attribute: false }) links = true;
  @state() private whole = false;

  protected override get state(): string {
    if (!this.findings.length) return "empty";
    return this.findings.some((one) => one.severity === "error") ? "error" : "hint";
  }

  override render() {
    const { findings, look } = this;
    const shown = this.whole ? findings : findings.slice(0, SHOWN);
    const rest = findings.length - shown.length;
    const list = {
      line: () => shown.map((one) => line(one)),
      row: () => html`<ul class="rows">${shown.map((one, n) => this.#row(one, n))}</ul>`,
      full: () => html`<ul class="boxes">${shown.map((one) => this.#full(one))}</ul>`,
      coded: () => html`<ul class="err">${shown.map(coded)}</ul>`,
    };
    return html`${list[look]()}${rest > 0 ? this.#more(rest) : nothing}`;
  }

  #more(n: number) {
    return html`<button class="btn s quiet more" @click=${() => (this.whole = true)}>
      ${t("findings.more", { n })}
    </button>`;
  }

  #row(one: Found, n: number) {
    return html`<li data-code=${one.code}>
      ${mark(one)}
      <div class="grow">
        ${prose(one.text)}${one.place ? html`<div class="sub">${this.#place(one)}</div>` : nothing}
      </div>
      ${one.fresh && this.#mixed ? html`<span class="badge plain">${t("findings.new")}</span>` : nothing}${
        this.fixes && one.fixable
          ? html`<button class="btn s" @click=${() => this.emit("hp-fix", { n })}>
              ${t("findings.fix")}
            </button>`
          : nothing
      }
    </li>`;
  }

  /** Where everything is new, the heading says so. */
  get #mixed(): boolean {
    return !this.findings.every((one) => one.fresh);
  }

  #full(one: Found) {
    const { test, compared, snippet, texts, hint } = one;
    return html`<li
      class="finding ${one.severity === "error" ? "" : "warn"}"
      data-code=${one.code}
    >
      <div class="what">
        ${icon(one.severity === "error" ? "bad" : "info", "s")}<p>
          ${test ? named(test, compared !== null) : nothing}${
            test && compared ? nothing : prose(one.text)
          }
        </p>
      </div>
      ${compared ? versus(written(compared.expected), written(compared.actual)) : nothing}
      ${one.place ? this.#at(one) : nothing}${
        snippet.length
          ? html`<pre class="scroll" tabindex="0" role="group" aria-label=${one.place}>
${snippet.map((piece) => source(piece))}</pre>`
          : nothing
      }
      ${texts.length ? html`<div class="two">${texts.map(side)}</div>` : nothing}
      ${hint ? html`<p class="help">${prose(hint)}</p>` : nothing}
    </li>`;
  }

  #at(one: Found) {
    const { path, range } = one;
    const inside = one.pointer ? t("finding.pointer", { pointer: one.pointer }) : one.near;
    if (!range && !one.pointer)
      return html`<p class="at words"><span>${prose(one.place)}</span><span>${inside}</span></p>`;
    return html`<p class="at">
      <span class="trunc">${path}</span>${range ? this.#link(one) : html`<span>${inside}</span>`}
    </p>`;
  }

  /** Leads to the line and the column. */
  #link(one: Found) {
    const { line = 0, column = 0 } = one.range?.start ?? {};
    return html`<button class="link" @click=${() => this.#open(one)}>
      ${t("finding.at", { line, column })}<span class="vh"
        >, ${t("finding.open", { path: one.path, line })}</span
      >
    </button>`;
  }

  /** Leads to the file, and to the line where there is one. */
  #place(one: Found) {
    if (!one.path || !this.links) return one.place;
    return html`<button class="link" @click=${() => this.#open(one)}>${one.place}</button>`;
  }

  #open({ path, range }: Found): void {
    this.emit("hp-open-source", range ? { path, range } : { path });
  }

  /** Brings the first finding with what helps into sight. */
  showFirst(): void {
    this.renderRoot.querySelector(".err > li")?.scrollIntoView({ block: "nearest" });
  }

  /** Brings the first error into sight, and the focus to it; false where there is none. */
  showError(): boolean {
    const first = this.renderRoot.querySelector<HTMLElement>(".row-finding.c-fail");
    first?.scrollIntoView({ block: "center" });
    first?.focus({ preventScroll: true });
    return first !== null;
  }
}

const coded = (one: Found) =>
  html`<li data-code=${one.code} tabindex="-1">
    ${mark(one)}
    <p class="strong">${prose(one.text)}</p>
    ${one.hint ? html`<p>${prose(one.hint)}</p>` : nothing}
    <p class="codes">
      <span>${one.code}</span>${one.place ? html`<span>${one.place}</span>` : nothing}<hp-copy
        .text=${`${one.code} ${one.place}`.trim()}
      ></hp-copy>
    </p>
  </li>`;

const mark = ({ severity }: Found) =>
  severity === "error" ? icon("bad", "c-fail") : icon("info", "c-off");

const line = (one: Found) =>
  html`<p
    class="row-finding ${one.severity === "error" ? "c-fail" : "c-off"}"
    data-code=${one.code}
    tabindex="-1"
  >
    ${icon(one.severity === "error" ? "bad" : "info", "s")}<span>${prose(one.text)}</span>
  </p>`;

/** The test, and its message below; where two values are compared they stand instead. */
const named = (test: string, compared: boolean) =>
  html`<span class="strong">${test}</span>${compared ? nothing : html`<br />`}`;

const versus = (expected: string, actual: string) =>
  html`<div class="vs">
    <span>${t("finding.expected")}</span><span>${marked(expected, actual, "a")}</span>
    <span>${t("finding.was")}</span><span>${marked(actual, expected, "d")}</span>
  </div>`;

const side = ({ label, text }: Found["texts"][number]) =>
  html`<div>
    <p>${label}</p>
    <pre tabindex="0" role="group" aria-label=${label}>${text}</pre>
  </div>`;

/** A line with its number, and under a marked one its caret. */
function source({ number, text, mark: at }: SnippetLine) {
  const gutter = String(number).padStart(3);
  const shown = html`<span class="ln">${gutter} </span>${inks(text).map((piece) =>
    piece.ink ? html`<span class=${piece.ink}>${piece.text}</span>` : piece.text,
  )}${"\n"}`;
  if (!at) return shown;
  const caret = "^".repeat(Math.max(1, at.end - at.start));
  return html`${shown}<span class="ln"> </span>${" ".repeat(Math.max(0, at.start - 1))}<span
      class="car"
      >${caret}</span
    >${"\n"}`;
}
