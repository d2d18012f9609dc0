/**
 * One of the five texts as a CodeMirror state, and the transactions that Holdpoint makes on it.
 *
 * Works on a bare state as on a view. A change comes as exact replacements and goes in as one transaction with the
 * smallest change set: cursor, scroll and folding stay (script-tool.md §11).
 */
import { history, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import {
  Annotation,
  EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Transaction,
  type TransactionSpec,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutterLineClass,
} from "@codemirror/view";
import { editor, offsets, type Replacement } from "@holdpoint/core/editor";
import { inserted, lineEndings, parts, textOf } from "./line-endings.js";

/** Marks a transaction as the application of a proposal; the value is its `patch_id`. */
export const appliedPatch = Annotation.define<string>();
/** The same under the name that the contract gives it, for whoever listens in the page. */
export const APPLY_EVENT = "holdpoint.apply";

/** A view, or a state that is held without one. */
export interface Target {
  readonly state: EditorState;
  dispatch(...specs: TransactionSpec[]): void;
}

/** A text that is held without a view. */
export class Bare implements Target {
  state: EditorState;
  constructor(text: string, extensions: Extension = []) {
    this.state = EditorState.create({
      doc: editor(text).doc,
      extensions: [document(text), extensions],
    });
  }
  dispatch(...specs: TransactionSpec[]): void {
    this.state = this.state.update(...specs).state;
  }
}

const shade = StateEffect.define<{ from: number; to: number }[]>();
const changedLine = Decoration.line({ class: "cm-applied" });
const changedNumber = new (class extends GutterMarker {
  override elementClass = "cm-applied-n";
})();

/** The lines that the last proposal changed, until the next one. */
const shaded = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let lines = transaction.docChanged ? value.map(transaction.changes) : value;
    for (const effect of transaction.effects) {
      if (!effect.is(shade)) continue;
      const starts = new Set<number>();
      for (const { from, to } of effect.value) {
        for (let at = from; at <= to; ) {
          const line = transaction.newDoc.lineAt(Math.min(at, transaction.newDoc.length));
          starts.add(line.from);
          at = line.to + 1;
        }
      }
      lines = Decoration.set([...starts].sort((a, b) => a - b).map((at) => changedLine.range(at)));
    }
    return lines;
  },
  provide: (own) => [
    EditorView.decorations.from(own),
    gutterLineClass.compute([own], (state) => {
      const marks = new RangeSetBuilder<GutterMarker>();
      for (const at = state.field(own).iter(); at.value; at.next())
        marks.add(at.from, at.from, changedNumber);
      return marks.finish();
    }),
  ],
});

/** What every one of the five needs: breaks as the text has them, history, shades. */
export function document(text: string): Extension {
  return [EditorState.lineSeparator.of("\n"), lineEndings(editor(text)), history(), shaded];
}

/** One transaction that makes the replacements (offsets of the exact text). */
export function replacing(
  state: EditorState,
  all: readonly Replacement[],
  more: { patch?: string; quiet?: boolean } = {},
): TransactionSpec {
  const at = offsets(parts(state));
  let shift = 0;
  const effects: StateEffect<unknown>[] = [];
  const touched: { from: number; to: number }[] = [];
  const changes = all.map(({ from, to, insert }) => {
    const [start, end] = [at.toEditor(from), at.toEditor(to)];
    const { doc, effects: marks } = inserted(state, insert, start + shift);
    effects.push(...marks);
    if (doc)
      touched.push({
        from: start + shift,
        to: start + shift + doc.length - (doc.endsWith("\n") ? 1 : 0),
      });
    shift += doc.length - (end - start);
    return { from: start, to: end, insert: doc };
  });
  const annotations = [
    isolateHistory.of("full"),
    ...(more.patch ? [appliedPatch.of(more.patch)] : []),
  ];
  return {
    changes,
    effects: [...effects, ...(more.quiet ? [] : [shade.of(more.patch ? touched : [])])],
    annotations,
    userEvent: more.patch ? APPLY_EVENT : "input.replace",
  };
}

/** Takes the shades away. */
export const unshade = (target: Target): void => target.dispatch({ effects: shade.of([]) });

/** Steps through the native history, so that what was typed before stays reachable; says whether it moved. */
export function native(target: Target, step: "undo" | "redo"): boolean {
  const command = step === "undo" ? undo : redo;
  return command({
    state: target.state,
    dispatch: (transaction: Transaction) => target.dispatch(transaction as TransactionSpec),
  });
}

export const depth = (state: EditorState, step: "undo" | "redo"): number =>
  step === "undo" ? undoDepth(state) : redoDepth(state);

export { textOf };
