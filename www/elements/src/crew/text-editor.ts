/**
 * The text of a step or an asset in CodeMirror, byte for byte: line ends stay as they are, also where they differ.
 *
 * `text` is what the host has; while it is what stands here, cursor and history stay. Emits `hp-text`.
 */
import { defaultKeymap, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { editor } from "@holdpoint/core/editor";
import type { Diagnostic } from "@holdpoint/core/types";
import { tags } from "@lezer/highlight";
import { css, html, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { ground } from "../base/styles.js";
import { inks, look } from "../change/editor.js";
import { document as documentOf, textOf } from "../script/document.js";
import { phrases } from "../text/phrases.js";
import { said } from "../text/said.js";

/** Headings as keys, code as text. */
const prose = HighlightStyle.define([
  { tag: tags.heading, color: "var(--code-key)" },
  { tag: [tags.monospace, tags.link, tags.url], color: "var(--code-str)" },
  { tag: tags.comment, color: "var(--code-com)" },
]);

const own = css`
  :host { display: block; min-height: 0; }
  .ed { height: 100%; }
`;

@customElement("hp-crew-text")
export class CrewText extends HpElement {
  static override styles = [ground, own];
  @property() text = "";
  @property() path = "";
  @property() label = "";
  @property({ attribute: false }) findings: readonly Diagnostic[] = [];
  /** The line of the file that is the first one here. */
  @property({ type: Number }) firstLine = 1;
  @property({ type: Boolean }) readonly = false;
  #view: EditorView | null = null;
  #open = "";
  #fixed = new Compartment();

  override render() {
    return html`<div class="ed"></div>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#view ??= new EditorView({
      parent: this.renderRoot.querySelector(".ed") as HTMLElement,
      root: this.shadowRoot as ShadowRoot,
    });
    // What was typed here comes back as the host's text: nothing is to be done.
    if (this.#open !== this.path || textOf(this.#view.state) !== this.text) this.#show();
    if (changed.has("readonly"))
      this.#view.dispatch({
        effects: this.#fixed.reconfigure(EditorState.readOnly.of(this.readonly)),
      });
    if (changed.has("findings") || changed.has("firstLine") || changed.has("text")) this.#mark();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#view?.destroy();
    this.#view = null;
    this.#open = "";
  }

  #show(): void {
    this.#open = this.path;
    const isJson = this.path.endsWith(".json");
    this.#view?.setState(
      EditorState.create({
        doc: editor(this.text).doc,
        extensions: [
          documentOf(this.text),
          lineNumbers(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          look,
          isJson ? json() : markdown(),
          syntaxHighlighting(isJson ? inks : prose),
          this.#fixed.of(EditorState.readOnly.of(this.readonly)),
          EditorState.phrases.of(phrases),
          EditorView.contentAttributes.of(() => ({ "aria-label": this.label, tabindex: "0" })),
          // Tab leaves the editor: nobody is caught in it.
          keymap.of([
            { key: "Mod-s", preventDefault: true, run: () => this.#save() },
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) this.emit("hp-text", { text: textOf(update.state) });
          }),
        ],
      }),
    );
  }

  #save(): boolean {
    this.emit("hp-save");
    return true;
  }

  #mark(): void {
    const view = this.#view;
    if (!view) return;
    const { doc } = view.state;
    const offset = (line: number, column: number): number => {
      const at = doc.line(Math.min(Math.max(1, line - this.firstLine + 1), doc.lines));
      return Math.min(at.from + column - 1, at.to);
    };
    const marks = this.findings.flatMap((finding): Mark[] => {
      const { range } = finding;
      if (!range || range.end.line < this.firstLine) return [];
      const from = offset(range.start.line, range.start.column);
      const to = Math.max(from, offset(range.end.line, range.end.column));
      return [{ from, to, severity: finding.severity, message: said(finding) }];
    });
    view.dispatch(setDiagnostics(view.state, marks));
  }

  /** Puts the cursor on a line of the file. */
  go(line: number): void {
    const view = this.#view;
    if (!view) return;
    const at = view.state.doc.line(
      Math.min(Math.max(1, line - this.firstLine + 1), view.state.doc.lines),
    );
    view.dispatch({
      selection: { anchor: at.from },
      effects: EditorView.scrollIntoView(at.from, { y: "center" }),
    });
    view.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-text": CrewText;
  }
}
