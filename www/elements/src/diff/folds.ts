/** The lines between two places of a file, folded until somebody wants them. Pure. */

import type { Hunk } from "@holdpoint/core/types";
import { noted, type Row, start } from "./lines.js";
import { linesBefore } from "./slices.js";
import type { DiffFile } from "./view.js";

/** Lines of the text before that no place shows, 1-based, the last one included. */
export interface Gap {
  from: number;
  to: number;
  /** What their numbers grow by in the text after. */
  shift: number;
  /** A suggestion left lines of it out, and they stay. */
  stays: boolean;
}

/** The first old line behind a place; of none, the first of the file. */
export const behind = (hunk: Hunk | undefined): number =>
  hunk ? start(hunk, "old") + hunk.old_count : 1;

/**
 * What lies before the i-th place. Where the file begins or ends nothing is between places; only what a suggestion left
 * out is shown there.
 */
export function gapBefore(file: DiffFile, hunks: readonly Hunk[], i: number): Gap | null {
  const [before, after] = [hunks[i - 1], hunks[i]];
  if (file.before === undefined) return null;
  const begin = behind(before);
  const end = after ? start(after, "old") - 1 : linesBefore(file).length;
  const left = (file.marks ?? []).filter(
    ({ look, from, to }) => look === "stays" && from <= end && to >= begin,
  );
  const stays = left.length > 0;
  if ((!before || !after) && !stays) return null;
  const from = before ? begin : Math.min(...left.map((one) => one.from));
  const to = after ? end : Math.min(end, Math.max(...left.map((one) => one.to)));
  const shift = before ? start(before, "new") + before.new_count - begin : 0;
  return to >= from ? { from, to, shift, stays } : null;
}

/** The lines of it, as they stand on both sides. */
export function linesOfGap(file: DiffFile, { from, to, shift }: Gap): Row[] {
  const all = linesBefore(file)
    .slice(from - 1, to)
    .map(
      (text, k): Row => ({
        old: from + k,
        now: from + k + shift,
        line: { kind: "context", text: text.replace(/\r$/, ""), eol: "lf" },
      }),
    );
  return noted(all, file.marks);
}
