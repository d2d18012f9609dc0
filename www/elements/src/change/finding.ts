/** One finding: what to do, where, the source with a caret; or what was expected and what came. UI.md §3. */

import type {
  Diagnostic,
  Finding as FindingView,
  Json,
  Range,
  SnippetLine,
} from "@holdpoint/core/types";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { inks } from "../base/highlight.js";
import { prose } from "../base/prose.js";
import { ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { hinted, said } from "../text/said.js";
import { styles } from "./finding.styles.js";

/** Longest value that is shown in one piece; the rest is in the details that can be copied. */
const MAX_VALUE_CHARS = 400;

@customElement("hp-finding")
export class Finding extends HpElement {
  static override styles = [ground, styles];
  @property({ attribute: false }) finding?: FindingView | Diagnostic;

  protected override get state(): string {
    return this.finding?.severity ?? "error";
  }

  override render() {
    const finding = this.finding;
    if (!finding) return nothing;
    const test = "test" in finding ? finding.test : undefined;
    const compared =
      "stage" in finding && (finding.expected !== undefined || finding.actual !== undefined);
    const snippet = "snippet" in finding ? finding.snippet : [];
    return html`<div class="finding ${finding.severity === "error" ? "" : "warn"}">
      <p>${test ? named(test, compared) : nothing}${
        test && compared ? nothing : prose(said(finding))
      }</p>
      ${compared ? this.#compared(finding) : nothing}
      ${finding.path ? this.#place(finding, finding.path, snippet) : nothing}
      ${
        finding.hint
          ? html`<p class="help">${prose(t("finding.hint", { hint: hinted(finding) }))}</p>`
          : nothing
      }
    </div>`;
  }

  #compared(finding: FindingView) {
    const expected = written(finding.expected ?? null);
    const actual = written(finding.actual ?? null);
    return html`<div class="vs">
      <span>${t("finding.expected")}</span><span>${marked(expected, actual, "a")}</span>
      <span>${t("finding.was")}</span><span>${marked(actual, expected, "d")}</span>
    </div>`;
  }

  #place(finding: Diagnostic, path: string, snippet: SnippetLine[]) {
    const range = finding.range;
    const open = range
      ? this.#link(path, range)
      : html`<span
          >${finding.pointer ? t("finding.pointer", { pointer: finding.pointer }) : nothing}</span
        >`;
    const label = range
      ? t("finding.source", { path, line: range.start.line, column: range.start.column })
      : path;
    return html`<p class="at"><span class="trunc">${path}</span>${open}</p>
      ${
        snippet.length
          ? html`<pre class="scroll" tabindex="0" role="group" aria-label=${label}>
${snippet.map((line) => source(line))}</pre>`
          : nothing
      }`;
  }

  #link(path: string, range: Range) {
    const { line, column } = range.start;
    return html`<button class="link" @click=${() => this.emit("hp-open-source", { path, range })}>
      ${t("finding.at", { line, column })}<span class="vh"
        >, ${t("finding.open", { path, line })}</span
      >
    </button>`;
  }
}

/** The test, and its message below; where two values are compared they stand instead. */
const named = (test: string, compared: boolean) =>
  html`<span class="strong">${test}</span>${compared ? nothing : html`<br />`}`;

/** A line with its number, and under a marked one its caret. */
function source({ number, text, mark }: SnippetLine) {
  const gutter = String(number).padStart(3);
  const line = html`<span class="ln">${gutter} </span>${inks(text).map((piece) =>
    piece.ink ? html`<span class=${piece.ink}>${piece.text}</span>` : piece.text,
  )}${"\n"}`;
  if (!mark) return line;
  const caret = "^".repeat(Math.max(1, mark.end - mark.start));
  return html`${line}<span class="ln"> </span>${" ".repeat(Math.max(0, mark.start - 1))}<span
      class="car"
      >${caret}</span
    >${"\n"}`;
}

/** JSON in one line, as code writes it. */
function written(value: Json): string {
  const text = write(value);
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)} …` : text;
}

function write(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${write(member)}`,
  );
  return members.length ? `{ ${members.join(", ")} }` : "{}";
}

/** What differs between two values, by their common beginning and end. */
function marked(text: string, other: string, mark: string) {
  let start = 0;
  while (start < text.length && start < other.length && text[start] === other[start]) start += 1;
  let end = 0;
  while (
    end < text.length - start &&
    end < other.length - start &&
    text.at(-1 - end) === other.at(-1 - end)
  )
    end += 1;
  const middle = text.slice(start, text.length - end);
  return html`${text.slice(0, start)}${
    middle ? html`<mark class=${mark}>${middle}</mark>` : nothing
  }${text.slice(text.length - end)}`;
}
