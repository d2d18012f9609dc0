/**
 * The texts of an app: one CodeMirror view, and a state for each file that was looked at.
 *
 * Owns the texts of the page, as they are stored: line breaks stay what they are. A file that nobody opened is a text
 * and nothing more, so that an app of hundreds of files opens at once.
 */
import { defaultKeymap, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { editor, type Replacement } from "@holdpoint/core/editor";
import type { Diagnostic, Files, Range } from "@holdpoint/core/types";
import { inks, look } from "../change/editor.js";
import { document as documentOf, replacing, textOf } from "../script/document.js";
import { onLanguage } from "../text/index.js";
import { phrases } from "../text/phrases.js";
import { said } from "../text/said.js";

const UNIT = 2;

export interface AppEditorSetup {
  /** The smallest replacements between two texts. */
  changes(before: string, after: string): Replacement[];
  label(path: string): string;
  changed(path: string): void;
  save(): void;
}

export class AppEditors {
  /** Texts of files that nobody looked at. */
  readonly #texts = new Map<string, string>();
  readonly #states = new Map<string, EditorState>();
  readonly #lock = new Compartment();
  readonly #view: EditorView;
  readonly #unheard: () => void;
  #open: string | null = null;
  #locked = false;
  #findings: readonly Diagnostic[] = [];

  constructor(
    files: Files,
    private readonly setup: AppEditorSetup,
  ) {
    for (const [path, text] of Object.entries(files)) this.#texts.set(path, text);
    this.#view = new EditorView();
    // An empty step draws the names and words of the editor anew.
    this.#unheard = onLanguage(() => this.#view.dispatch({}));
  }

  get paths(): string[] {
    return [...new Set([...this.#texts.keys(), ...this.#states.keys()])].sort();
  }

  get open(): string | null {
    return this.#open;
  }

  has(path: string): boolean {
    return this.#texts.has(path) || this.#states.has(path);
  }

  /** The exact text; empty where there is no such file. */
  text(path: string): string {
    const state = path === this.#open ? this.#view.state : this.#states.get(path);
    return state ? textOf(state) : (this.#texts.get(path) ?? "");
  }

  texts(): Files {
    return Object.fromEntries(this.paths.map((path) => [path, this.text(path)]));
  }

  /** Brings a file to the front; where it was left, it goes on. */
  show(path: string): void {
    if (path === this.#open || !this.has(path)) return;
    if (this.#open !== null) this.#states.set(this.#open, this.#view.state);
    this.#view.setState(this.#stateOf(path));
    this.#open = path;
    this.#relock();
    this.#marked();
  }

  /** Puts the view where it is shown; the page moves it, it never makes another. */
  mount(parent: HTMLElement, root: ShadowRoot): void {
    if (this.#view.dom.parentElement === parent) return;
    parent.append(this.#view.dom);
    this.#view.setRoot(root);
    this.#view.requestMeasure();
  }

  /** Files that came from elsewhere: what differs is changed by the smallest steps, what is gone goes. */
  replace(files: Files): void {
    for (const path of this.paths) if (!(path in files)) this.remove(path);
    for (const [path, text] of Object.entries(files)) this.put(path, text);
  }

  put(path: string, text: string): void {
    if (this.has(path) && this.text(path) === text) return;
    if (path === this.#open) {
      const { state } = this.#view;
      this.#view.dispatch(replacing(state, this.setup.changes(textOf(state), text)));
      return;
    }
    const state = this.#states.get(path);
    if (!state) {
      this.#texts.set(path, text);
      return;
    }
    const spec = replacing(state, this.setup.changes(textOf(state), text));
    this.#states.set(path, state.update(spec).state);
  }

  remove(path: string): void {
    this.#texts.delete(path);
    this.#states.delete(path);
    if (path !== this.#open) return;
    this.#open = null;
    this.#view.setState(EditorState.create({ doc: "" }));
  }

  /** No input while an answer is waited for; reading, selecting and copying go on. */
  lock(locked: boolean): void {
    this.#locked = locked;
    this.#relock();
  }

  /** Findings stand under their places. */
  mark(findings: readonly Diagnostic[]): void {
    this.#findings = findings;
    this.#marked();
  }

  go(path: string, range: Range | null): void {
    this.show(path);
    if (this.#open !== path) return;
    const at = range ? this.#offset(range.start) : this.#view.state.selection.main.head;
    this.#view.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y: "center" }),
    });
    this.#view.focus();
  }

  close(): void {
    this.#unheard();
    this.#view.destroy();
  }

  #relock(): void {
    if (this.#open === null) return;
    const readonly = EditorState.readOnly.of(this.#locked);
    this.#view.dispatch({ effects: this.#lock.reconfigure(readonly) });
  }

  #marked(): void {
    const marks = this.#findings.flatMap((finding): Mark[] => {
      if (finding.path !== this.#open || !finding.range) return [];
      const from = this.#offset(finding.range.start);
      const to = Math.max(from, this.#offset(finding.range.end));
      return [{ from, to, severity: finding.severity, message: said(finding) }];
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  #offset(at: { line: number; column: number }): number {
    const { doc } = this.#view.state;
    const line = doc.line(Math.min(Math.max(1, at.line), doc.lines));
    return Math.min(line.from + at.column - 1, line.to);
  }

  #stateOf(path: string): EditorState {
    const known = this.#states.get(path);
    if (known) return known;
    const text = this.#texts.get(path) ?? "";
    this.#texts.delete(path);
    const made = EditorState.create({ doc: editor(text).doc, extensions: this.#parts(path, text) });
    this.#states.set(path, made);
    return made;
  }

  #parts(path: string, text: string): Extension[] {
    const { setup } = this;
    const save = (): boolean => {
      setup.save();
      return true;
    };
    return [
      Prec.highest(
        keymap.of([
          { key: "Mod-s", preventDefault: true, run: save },
          // Tab leaves the editor: nobody is caught in it.
          { key: "Mod-]", run: indentMore },
          { key: "Mod-[", run: indentLess },
          ...foldKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
      ),
      documentOf(text),
      this.#lock.of(EditorState.readOnly.of(this.#locked)),
      EditorState.tabSize.of(UNIT),
      indentUnit.of(" ".repeat(UNIT)),
      lineNumbers(),
      foldGutter(),
      lintGutter(),
      highlightSpecialChars(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      look,
      language(path),
      syntaxHighlighting(inks),
      EditorState.phrases.of(phrases),
      EditorView.contentAttributes.of(() => ({
        "aria-label": setup.label(path),
        "data-file": path,
        tabindex: "0",
      })),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) setup.changed(path);
      }),
    ];
  }
}

function language(path: string): Extension {
  if (path.endsWith(".json")) return json();
  if (path.endsWith(".md")) return markdown();
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  return javascript({ jsx: /x$/.test(path), typescript: /\.[cm]?tsx?$/.test(path) });
}
