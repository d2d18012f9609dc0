/** What a diff shows, and what can be said about its places. */

import type { FileDiff, TextDiff } from "@holdpoint/core/types";

/** A file that differs. With the text `before` the lines between two places can be unfolded. */
export interface DiffFile {
  path: string;
  /** Null where the texts are too large to compare. */
  diff: TextDiff | null;
  /** Without it a file that has both sides. */
  status?: FileDiff["status"];
  before?: string;
  marks?: readonly Mark[];
}

/** Lines before the change that a person has to look at: 1-based, the last one included. */
export interface Mark {
  /**
   * What is to be seen: a part of the line is replaced, left-out lines stay, a new line is almost this one, these stand
   * there already.
   */
  look: "part" | "stays" | "copy" | "there";
  from: number;
  to: number;
  /** The part of the line, [start, end) in UTF-16 code units. */
  part?: readonly [number, number];
}

/** What a place has to say: the badge beside its number. */
export interface Remark {
  path: string | null;
  hunk: string | null;
  short: string;
}

/** What can be said about a place: taken or left, mine or theirs, or nothing. */
export type Choosing = "take" | "mine" | "none";

/** What a model can be asked of a place: to explain it, also to make it otherwise, or nothing. */
export type Asking = "" | "explain" | "redo";

/** Whether a file has an old side and a new one. */
export const hasBoth = ({ status = "modified" }: DiffFile): boolean =>
  status === "modified" || status === "renamed";

/** Places of all files. */
export const placesOf = (files: readonly DiffFile[]): number =>
  files.reduce((sum, file) => sum + (file.diff?.hunks.length ?? 0), 0);

/** Lines added and deleted in all files. */
export function linesOf(files: readonly DiffFile[]): { added: number; deleted: number } {
  const sum = { added: 0, deleted: 0 };
  for (const { diff } of files) {
    sum.added += diff?.stats.added ?? 0;
    sum.deleted += diff?.stats.deleted ?? 0;
  }
  return sum;
}

/** What a key decides about the change in focus; T and L are older names of A and R. */
export const DECIDES: Readonly<Record<string, boolean>> = { a: true, t: true, r: false, l: false };
