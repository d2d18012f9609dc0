/**
 * CodeMirror behind four verbs: show, mark, go, close. Loaded with the first source that is shown.
 *
 * Beside the script editor nobody else imports CodeMirror. Offsets are CodeMirror's own; places outside are 1-based
 * lines and UTF-16 columns.
 */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { Diagnostic, Range } from "@holdpoint/core/types";
import { tags } from "@lezer/highlight";
import { phrases } from "../text/phrases.js";
import { said } from "../text/said.js";

export interface Editor {
  text(): string;
  /** `label` is asked for again whenever the editor is drawn. */
  show(path: string, text: string, readonly: boolean, label: () => string): void;
  mark(findings: Diagnostic[]): void;
  go(range: Range): void;
  close(): void;
}

/** Four inks, no rainbow. */
export const inks = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.atom, tags.null, tags.bool, tags.propertyName],
    color: "var(--code-key)",
  },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-str)" },
  { tag: tags.number, color: "var(--code-num)" },
  { tag: tags.comment, color: "var(--code-com)" },
]);

/** Paper, lines and selection of every editor. */
export const look = EditorView.theme({
  "&": {
    height: "100%",
    fontSize: "var(--t-small)",
    color: "var(--code)",
    backgroundColor: "var(--surface)",
  },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.25rem", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--text-3)",
    border: "0",
    paddingInlineStart: "8px",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selected) !important",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--line-2)",
  },
  ".cm-diagnostic": { fontFamily: "var(--font)" },
});

function language(path: string): Extension {
  if (path.endsWith(".json")) return json();
  return path.endsWith(".md") ? markdown() : javascript();
}

export function openEditor(
  parent: HTMLElement,
  root: ShadowRoot,
  on: { change(text: string): void; save(): void },
): Editor {
  const view = new EditorView({ parent, root });
  let telling = true;
  const save = (): boolean => {
    on.save();
    return true;
  };
  const extensions = (path: string, readonly: boolean, label: () => string): Extension[] => [
    lineNumbers(),
    history(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    lintGutter(),
    look,
    language(path),
    syntaxHighlighting(inks),
    EditorState.readOnly.of(readonly),
    EditorState.phrases.of(phrases),
    EditorView.contentAttributes.of(() => ({ "aria-label": label(), tabindex: "0" })),
    // Tab leaves the editor: nobody is caught in it.
    keymap.of([
      { key: "Mod-s", preventDefault: true, run: save },
      ...defaultKeymap,
      ...historyKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && telling) on.change(update.state.doc.toString());
    }),
  ];
  return {
    text: () => view.state.doc.toString(),
    show(path, text, readonly, label) {
      telling = false;
      view.setState(
        EditorState.create({ doc: text, extensions: extensions(path, readonly, label) }),
      );
      telling = true;
    },
    mark(findings) {
      const doc = view.state.doc;
      const offset = (line: number, column: number): number => {
        const at = doc.line(Math.min(Math.max(1, line), doc.lines));
        return Math.min(at.from + column - 1, at.to);
      };
      const marks = findings.flatMap((finding): Mark[] => {
        if (!finding.range) return [];
        const from = offset(finding.range.start.line, finding.range.start.column);
        const to = Math.max(from, offset(finding.range.end.line, finding.range.end.column));
        return [{ from, to, severity: finding.severity, message: said(finding) }];
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
    go(range) {
      const line = view.state.doc.line(Math.min(range.start.line, view.state.doc.lines));
      const at = Math.min(line.from + range.start.column - 1, line.to);
      view.dispatch({
        selection: { anchor: at },
        effects: EditorView.scrollIntoView(at, { y: "center" }),
      });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
