/**
 * The five editors of a tool: one CodeMirror view a file, alive as long as the tool is open, mounted where they are
 * shown.
 *
 * Owns the texts of the page. Nobody beside this folder knows CodeMirror. Offsets that leave here are of the exact
 * text.
 */
import {
  defaultKeymap,
  historyKeymap,
  indentLess,
  indentMore,
  redo,
  undo,
} from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import {
  EXPLICIT_LOCATION_MS,
  editor,
  FILES,
  type FileId,
  type Location,
  offsets,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import type { Diagnostic, Range } from "@holdpoint/core/types";
import { tags } from "@lezer/highlight";
import { inks, look } from "../change/editor.js";
import { onLanguage } from "../text/index.js";
import { phrases } from "../text/phrases.js";
import { document as documentOf, replacing, textOf } from "./document.js";
import { type ChangesOf, Groups, type Texts } from "./group.js";
import { parts } from "./line-endings.js";

export interface EditorEvents {
  /** A text changed, by a hand or by a step. */
  changed(path: FileId): void;
  save(): void;
  /** The native step would be the group's own: it is taken in all its files, or refused with the reason. */
  step(step: "undo" | "redo"): void;
  focused(path: FileId): void;
  /** A selection was made or left. */
  pointed(): void;
}

export interface EditorSetup {
  files: VirtualFiles;
  changes: ChangesOf;
  label: (path: FileId) => string;
  on: EditorEvents;
}

const TAB_PYTHON = 4;
const TAB_DATA = 2;

/** As the diff has it: only what a program reserves, says or counts has an ink. */
const pythonInks = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null, tags.operatorKeyword], color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-str)" },
  { tag: tags.number, color: "var(--code-num)" },
  { tag: tags.comment, color: "var(--code-com)" },
]);
const jsonInks = HighlightStyle.define([
  { tag: [tags.string, tags.propertyName], color: "var(--code-str)" },
  { tag: tags.number, color: "var(--code-num)" },
  { tag: [tags.bool, tags.null], color: "var(--code-key)" },
]);
function inksOf(path: FileId): HighlightStyle {
  if (path.endsWith(".py")) return pythonInks;
  return path.endsWith(".json") ? jsonInks : inks;
}

/** What a browser's own menu asks for. */
const STEPS: Record<string, "undo" | "redo"> = { historyUndo: "undo", historyRedo: "redo" };

const paper = EditorView.theme({
  ".cm-scroller": { padding: "var(--s-4) 0" },
  ".cm-gutters": { paddingInlineStart: "0" },
  ".cm-lineNumbers .cm-gutterElement": { paddingInlineEnd: "2px", minWidth: "38px" },
  ".cm-foldGutter .cm-gutterElement": { width: "14px", paddingInlineStart: "2px" },
  ".cm-scroller .cm-content": { padding: "0" },
  ".cm-line": { paddingInlineEnd: "16px" },
  ".cm-applied, .cm-applied-n": { backgroundColor: "var(--diff-add)" },
  ".cm-lineNumbers .cm-applied-n": { boxShadow: "inset 3px 0 0 var(--pass-fill)" },
  "&:not(.cm-focused) .cm-activeLine:not(.cm-applied), &:not(.cm-focused) .cm-activeLineGutter:not(.cm-applied-n)":
    { backgroundColor: "transparent" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--sunken)",
    border: "1px solid var(--line-2)",
    color: "var(--text-2)",
  },
});

function language(path: FileId): Extension {
  if (path.endsWith(".py")) return python();
  if (path.endsWith(".json")) return json();
  return path.endsWith(".md") ? markdown() : [];
}

export class Editors {
  readonly groups: Groups;
  readonly #views = new Map<FileId, EditorView>();
  readonly #lock = new Compartment();
  readonly #pointed = new Map<FileId, number>();
  readonly #said = new Map<FileId, string>();
  readonly #unheard: () => void;
  #locked = false;

  constructor(private readonly setup: EditorSetup) {
    this.groups = new Groups((path) => this.view(path), setup.changes);
    for (const path of FILES)
      this.#views.set(path, new EditorView({ state: this.#state(path, setup.files[path]) }));
    // An empty step draws the names and words of the editor anew.
    this.#unheard = onLanguage(() => {
      for (const view of this.#views.values()) view.dispatch({});
    });
  }

  view(path: FileId): EditorView {
    const view = this.#views.get(path);
    if (!view) throw new Error(`no editor for ${path}`);
    return view;
  }

  /** The exact text; kept until it changes, since it is asked for often. */
  text(path: FileId): string {
    let text = this.#said.get(path);
    if (text === undefined) {
      text = textOf(this.view(path).state);
      this.#said.set(path, text);
    }
    return text;
  }

  texts(): VirtualFiles {
    return Object.fromEntries(FILES.map((path) => [path, this.text(path)])) as VirtualFiles;
  }

  /** Puts a view where it is shown; the page moves it, it never makes another. */
  mount(path: FileId, parent: HTMLElement, root: ShadowRoot): void {
    const view = this.view(path);
    if (view.dom.parentElement === parent) return;
    parent.append(view.dom);
    view.setRoot(root);
    view.requestMeasure();
  }

  /** Texts that came from elsewhere (another tab, a restore): smallest changes, one native step each. */
  replace(texts: Texts): void {
    for (const path of FILES) {
      const text = texts[path];
      if (text === undefined || text === this.text(path)) continue;
      const view = this.view(path);
      view.dispatch(replacing(view.state, this.setup.changes(this.text(path), text)));
    }
  }

  /** No input while an answer is waited for; reading, selecting and copying go on. */
  lock(locked: boolean): void {
    if (locked === this.#locked) return;
    this.#locked = locked;
    for (const view of this.#views.values())
      view.dispatch({ effects: this.#lock.reconfigure(EditorState.readOnly.of(locked)) });
  }

  /** Where the person points in a file: a selection as it stands, a cursor only if it was put there lately (§5). */
  location(path: FileId, now = Date.now()): Location {
    const { state, dom } = this.view(path);
    if (!dom.isConnected) return {};
    const { from, to, head, empty } = state.selection.main;
    const at = offsets(parts(state));
    if (!empty)
      return {
        selection: { from: at.toExact(from), to: at.toExact(to) },
        cursor: { pos: at.toExact(head) },
      };
    const pointed = this.#pointed.get(path);
    return pointed !== undefined && now - pointed <= EXPLICIT_LOCATION_MS
      ? { cursor: { pos: at.toExact(head) } }
      : {};
  }

  /** The lines of a selection, for the page to say what goes along. */
  selected(path: FileId): { from: number; to: number } | null {
    const { doc, selection } = this.view(path).state;
    if (selection.main.empty) return null;
    return {
      from: doc.lineAt(selection.main.from).number,
      to: doc.lineAt(selection.main.to).number,
    };
  }

  /** Findings stand under their places. */
  mark(findings: readonly Diagnostic[]): void {
    for (const [path, view] of this.#views) {
      const marks = findings.flatMap((finding): Mark[] => {
        if (finding.path !== path || !finding.range) return [];
        const from = this.#offset(view, finding.range.start);
        return [
          {
            from,
            to: Math.max(from, this.#offset(view, finding.range.end)),
            severity: finding.severity,
            message: finding.message,
          },
        ];
      });
      view.dispatch(setDiagnostics(view.state, marks));
    }
  }

  go(path: FileId, range: Range | null): void {
    const view = this.view(path);
    const at = range ? this.#offset(view, range.start) : view.state.selection.main.head;
    view.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y: "center" }),
    });
    view.focus();
  }

  /** Brings the first line that is not as it was into sight, once its file is in front. Focus and selection stay. */
  reveal(path: FileId, before: string): void {
    const lines = before.split(/\r\n|\r|\n/);
    requestAnimationFrame(() => {
      const view = this.view(path);
      const { doc } = view.state;
      let n = 1;
      while (n < doc.lines && doc.line(n).text === lines[n - 1]) n += 1;
      view.dispatch({ effects: EditorView.scrollIntoView(doc.line(n).from, { y: "center" }) });
    });
  }

  close(): void {
    this.#unheard();
    for (const view of this.#views.values()) view.destroy();
  }

  #offset(view: EditorView, at: { line: number; column: number }): number {
    const { doc } = view.state;
    const line = doc.line(Math.min(Math.max(1, at.line), doc.lines));
    return Math.min(line.from + at.column - 1, line.to);
  }

  #state(path: FileId, text: string): EditorState {
    const { on, label } = this.setup;
    const unit = path.endsWith(".py") ? TAB_PYTHON : TAB_DATA;
    const step =
      (name: "undo" | "redo") =>
      (view: EditorView): boolean => {
        if (!this.groups.owns(path, name)) return (name === "undo" ? undo : redo)(view);
        on.step(name);
        return true;
      };
    const save = (): boolean => {
      on.save();
      return true;
    };
    const keys = keymap.of([
      { key: "Mod-s", preventDefault: true, run: save },
      { key: "Mod-z", preventDefault: true, run: step("undo"), shift: step("redo") },
      { key: "Mod-y", preventDefault: true, run: step("redo") },
      // Tab leaves the editor: nobody is caught in it.
      { key: "Mod-]", run: indentMore },
      { key: "Mod-[", run: indentLess },
      ...foldKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]);
    const native = EditorView.domEventHandlers({
      beforeinput: (event, view) => {
        const name = STEPS[event.inputType];
        if (!name) return false;
        event.preventDefault();
        return step(name)(view);
      },
      pointerdown: () => void this.#pointed.set(path, Date.now()),
      keydown: () => void this.#pointed.set(path, Date.now()),
      focus: () => on.focused(path),
    });
    return EditorState.create({
      doc: editor(text).doc,
      extensions: [
        Prec.highest([keys, native]),
        documentOf(text),
        this.#lock.of(EditorState.readOnly.of(this.#locked)),
        EditorState.tabSize.of(unit),
        indentUnit.of(" ".repeat(unit)),
        lineNumbers(),
        foldGutter(),
        highlightSpecialChars(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        look,
        paper,
        language(path),
        syntaxHighlighting(inksOf(path)),
        EditorState.phrases.of(phrases),
        EditorView.contentAttributes.of(() => ({
          "aria-label": label(path),
          "data-file": path,
          tabindex: "0",
        })),
        EditorView.updateListener.of((update) => {
          if (update.docChanged || update.transactions.some((one) => one.effects.length > 0))
            this.#said.delete(path);
          if (update.docChanged) on.changed(path);
          else if (
            update.selectionSet &&
            update.state.selection.main.empty !== update.startState.selection.main.empty
          )
            on.pointed();
        }),
      ],
    });
  }
}
