/**
 * The difference of two texts, whatever their size: short ones at once, long ones in a Web Worker.
 *
 * Invariant: one answer a question, also when the worker ends; null where the engine does not compare texts of that
 * size.
 */

import type { Core, DiffLine, Hunk, TextDiff } from "../types.ts";

export interface ToCompare {
  id: number;
  before: string;
  after: string;
}
/** Lines of one place; those of a place come in order. */
export interface Piece {
  hunk: number;
  lines: DiffLine[];
}
export type Compared = { id: number } & (
  | { is: "heads"; heads: Omit<Hunk, "lines">[]; stats: TextDiff["stats"] }
  | { is: "pieces"; pieces: Piece[] }
  | { is: "end" }
  | { is: "none" }
);
export type Diffs = (before: string, after: string) => Promise<TextDiff | null>;

/** Together so many characters are compared within a frame. */
const SHORT_CHARS = 60_000;

/** A question in the worker, and its answer as far as it was told. */
interface Waiting {
  diff: TextDiff | null;
  done(diff: TextDiff | null): void;
}

/** Compares with an engine that is loaded; the worker has one of its own, once it is needed. */
export function createDiffs(core: Pick<Core, "textDiff">): Diffs {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let asked = 0;
  const start = (): Worker => {
    const made = new Worker(new URL("./diff-worker.ts", import.meta.url), { type: "module" });
    made.onmessage = ({ data }: MessageEvent<Compared>) => {
      const one = waiting.get(data.id);
      if (!one || !heard(one, data)) return;
      waiting.delete(data.id);
      one.done(one.diff);
    };
    made.onerror = () => {
      worker = null;
      made.terminate();
      for (const { done } of waiting.values()) done(null);
      waiting.clear();
    };
    return made;
  };
  return async (before, after) => {
    if (before.length + after.length < SHORT_CHARS) return compared(core, before, after);
    worker ??= start();
    const mine = worker;
    asked += 1;
    const id = asked;
    return new Promise((done) => {
      waiting.set(id, { diff: null, done });
      mine.postMessage({ id, before, after } satisfies ToCompare);
    });
  };
}

/** Notes what was told; true when that was all. */
function heard(one: Waiting, told: Compared): boolean {
  if (told.is === "heads") {
    const hunks = told.heads.map((head): Hunk => ({ ...head, lines: [] }));
    one.diff = { hunks, stats: told.stats, unified: "" };
  }
  if (told.is === "pieces")
    for (const { hunk, lines } of told.pieces) one.diff?.hunks[hunk]?.lines.push(...lines);
  return told.is === "end" || told.is === "none";
}

function compared(core: Pick<Core, "textDiff">, before: string, after: string): TextDiff | null {
  try {
    return core.textDiff(before, after);
  } catch (error) {
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
    return null;
  }
}
