/**
 * Line endings of a text that CodeMirror counts as one unit a break (script-tool.md §5).
 *
 * The document holds LF alone; this field remembers which breaks of the stored text differ from its dominant ending,
 * through edits, undo and redo. A break that is typed takes the dominant ending.
 */
import { invertedEffects } from "@codemirror/commands";
import {
  type EditorState,
  type Extension,
  MapMode,
  RangeSet,
  RangeValue,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { type Break, type EditorText, editor, exact } from "@holdpoint/core/editor";

class OddBreak extends RangeValue {
  override startSide = 1;
  override endSide = -1;
}

const ODD = new OddBreak();

interface Endings {
  dominant: Break;
  odd: RangeSet<OddBreak>;
}

/** Sets or takes away the mark of the break at `at`, in the new document. */
export const markOdd = StateEffect.define<{ at: number; on: boolean }>({
  map: ({ at, on }, changes) => ({ at: changes.mapPos(at, 1), on }),
});

const rangeSet = (positions: readonly number[]): RangeSet<OddBreak> =>
  RangeSet.of(positions.map((at) => ODD.range(at, at + 1)));

const field = StateField.define<Endings>({
  create: () => ({ dominant: "\n", odd: RangeSet.empty }),
  update(value, transaction) {
    let odd = transaction.docChanged ? value.odd.map(transaction.changes) : value.odd;
    for (const effect of transaction.effects) {
      if (!effect.is(markOdd)) continue;
      const { at, on } = effect.value;
      const is = marked(odd, at);
      if (on && !is && transaction.newDoc.sliceString(at, at + 1) === "\n")
        odd = odd.update({ add: [ODD.range(at, at + 1)] });
      if (!on && is)
        odd = odd.update({ filterFrom: at, filterTo: at + 1, filter: (from) => from !== at });
    }
    return odd === value.odd ? value : { dominant: value.dominant, odd };
  },
});

function marked(odd: RangeSet<OddBreak>, at: number): boolean {
  let found = false;
  odd.between(at, at, (from) => {
    if (from === at) found = true;
  });
  return found;
}

/** What undo must put back: marks of breaks that a change takes away, and marks that effects moved. */
const inverse = invertedEffects.of((transaction) => {
  const before = transaction.startState.field(field).odd;
  const effects: StateEffect<unknown>[] = [];
  transaction.changes.iterChangedRanges((from, to) =>
    before.between(from, to, (at) => {
      if (at >= from && at < to) effects.push(markOdd.of({ at, on: true }));
    }),
  );
  for (const effect of transaction.effects) {
    if (!effect.is(markOdd)) continue;
    const at = transaction.changes.invertedDesc.mapPos(effect.value.at, 1, MapMode.TrackAfter);
    if (at !== null) effects.push(markOdd.of({ at, on: marked(before, at) }));
  }
  return effects;
});

/** The field, filled for a text that was taken apart. */
export function lineEndings(text: EditorText): Extension {
  return [field.init(() => ({ dominant: text.dominant, odd: rangeSet(text.odd) })), inverse];
}

/** The state as a text with its endings. */
export function parts(state: EditorState): EditorText {
  const { dominant, odd } = state.field(field);
  const positions: number[] = [];
  odd.between(0, state.doc.length, (from) => void positions.push(from));
  return { doc: state.sliceDoc(), dominant, odd: positions };
}

/** The exact text of a state. */
export const textOf = (state: EditorState): string => exact(parts(state));

/** An inserted text without its CRs, and the effects that keep them: `at` is where it stands in the new document. */
export function inserted(
  state: EditorState,
  text: string,
  at: number,
): { doc: string; effects: StateEffect<unknown>[] } {
  const { dominant } = state.field(field);
  const { doc, dominant: own, odd: places } = editor(text);
  const odd = own === "\n" ? "\r\n" : "\n";
  const other = new Set(places);
  const effects: StateEffect<unknown>[] = [];
  for (let i = doc.indexOf("\n"); i !== -1; i = doc.indexOf("\n", i + 1)) {
    const ending = other.has(i) ? odd : own;
    if (ending !== dominant) effects.push(markOdd.of({ at: at + i, on: true }));
  }
  return { doc, effects };
}
