/** Two outcomes side by side: which outputs differ, and in which of their lines. */
import type { Output, RunOutcome } from "./outcome.ts";

/** The lines of a text, or rows of a table, that one side has and the other has not. */
export interface OutputDifference {
  /** It differs, or the other side has none of this name and kind. */
  differs: boolean;
  lines: ReadonlySet<number>;
}

/** For each side: one entry an output, and the lines that were printed. */
export interface Differences {
  same: boolean;
  left: { outputs: OutputDifference[]; printed: OutputDifference };
  right: { outputs: OutputDifference[]; printed: OutputDifference };
}

/** Hunks of a diff as the engine gives them, without context. */
export type DiffOf = (
  before: string,
  after: string,
) => { old_start: number; old_count: number; new_start: number; new_count: number }[];

const equal: OutputDifference = { differs: false, lines: new Set() };
const alone: OutputDifference = { differs: true, lines: new Set() };

/** An output as lines, one a row. */
function linesOf(output: Output): string {
  if (output.is === "text") return output.text;
  if (output.is === "file") return "";
  return output.rows.map((row) => JSON.stringify(row)).join("\n");
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function range(start: number, count: number): number[] {
  // A hunk without lines of a side names the line before it.
  return Array.from({ length: count }, (_, i) => start - 1 + i);
}

function texts(before: string, after: string, diff: DiffOf): [OutputDifference, OutputDifference] {
  if (before === after) return [equal, equal];
  const hunks = diff(before, after);
  const of = (pick: (hunk: (typeof hunks)[number]) => number[]): OutputDifference => ({
    differs: true,
    lines: new Set(hunks.flatMap(pick)),
  });
  return [
    of((hunk) => range(hunk.old_start, hunk.old_count)),
    of((hunk) => range(hunk.new_start, hunk.new_count)),
  ];
}

function outputs(a: Output, b: Output, diff: DiffOf): [OutputDifference, OutputDifference] {
  if (a.is === "file" && b.is === "file")
    return sameBytes(a.bytes, b.bytes) ? [equal, equal] : [alone, alone];
  if (a.is === "table" && b.is === "table" && String(a.columns) !== String(b.columns)) {
    const [left, right] = texts(linesOf(a), linesOf(b), diff);
    return [
      { ...left, differs: true },
      { ...right, differs: true },
    ];
  }
  return texts(linesOf(a), linesOf(b), diff);
}

/** Outputs are paired by kind and name, the first with the first. */
export function differences(left: RunOutcome, right: RunOutcome, diff: DiffOf): Differences {
  const key = ({ is, name }: Output) => `${is} ${name}`;
  const taken = new Set<number>();
  const rights: OutputDifference[] = right.outputs.map(() => alone);
  const lefts = left.outputs.map((one): OutputDifference => {
    const at = right.outputs.findIndex((other, i) => !taken.has(i) && key(other) === key(one));
    const other = right.outputs[at];
    if (!other) return alone;
    taken.add(at);
    const [mine, theirs] = outputs(one, other, diff);
    rights[at] = theirs;
    return mine;
  });
  const [before, after] = texts(left.printed, right.printed, diff);
  const same =
    left.end === right.end &&
    !before.differs &&
    [...lefts, ...rights].every(({ differs }) => !differs) &&
    left.problem?.kind === right.problem?.kind &&
    left.problem?.message === right.problem?.message;
  return {
    same,
    left: { outputs: lefts, printed: before },
    right: { outputs: rights, printed: after },
  };
}
