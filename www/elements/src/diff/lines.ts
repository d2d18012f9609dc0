/**
 * The lines of a place as a diff draws them: numbered, beside each other, coloured. Pure; every diff of the page uses
 * it.
 */
import type { DiffLine, Hunk } from "@holdpoint/core/types";
import { coloured, type Grammar } from "../base/highlight.js";
import type { Mark } from "./view.js";

/** A line with its number on each side where it stands. */
export interface Row {
  old: number | null;
  now: number | null;
  line: DiffLine;
  note?: Note;
}
/** Why a line has to be looked at. */
export interface Note {
  look: Mark["look"];
  /** Of the lines of one mark: the first says what it is. */
  first: boolean;
  part?: readonly [number, number];
}
/** What stands beside each other. */
export interface Pair {
  left: Row | null;
  right: Row | null;
}

/** The first line of a side; with a count of 0 the engine names the line before. */
export const start = (hunk: Hunk, side: "old" | "new"): number =>
  hunk[`${side}_count`] === 0 ? hunk[`${side}_start`] + 1 : hunk[`${side}_start`];

/** Marked lines say so. Of a line of which a part is replaced the new line has the mark, too. */
export function noted(all: Row[], marks: readonly Mark[] = []): Row[] {
  const top = all.find(({ old }) => old !== null);
  for (const { look, from, to, part } of marks)
    for (const row of all)
      if (row.old !== null && row.old >= from && row.old <= to)
        row.note ??= { look, first: row.old === from || row === top, ...(part ? { part } : {}) };
  for (const { left, right } of marks.some(({ part }) => part) ? pairs(all) : []) {
    const part = left?.note?.part;
    if (!part || !left || !right || right === left) continue;
    const now = partOf(left.line.text, right.line.text, part);
    if (now) right.note = { look: "part", first: false, part: now };
  }
  return all;
}

/**
 * Where the new part of a line stands: what is around the old one is around it. A part of several lines goes to the
 * end.
 */
function partOf(old: string, now: string, [from, to]: readonly [number, number]) {
  if (!now.startsWith(old.slice(0, from))) return null;
  const tail = old.length - to;
  const kept = now.length - tail >= from && now.endsWith(old.slice(to));
  return [from, kept ? now.length - tail : now.length] as const;
}

export function rows(hunk: Hunk): Row[] {
  let old = start(hunk, "old");
  let now = start(hunk, "new");
  return hunk.lines.map((line) => ({
    line,
    old: line.kind === "insert" ? null : old++,
    now: line.kind === "delete" ? null : now++,
  }));
}

/** Deleted lines beside inserted ones, line i with line i, as the engine pairs them; context beside itself. */
export function pairs(all: Row[]): Pair[] {
  const out: Pair[] = [];
  let gone: Row[] = [];
  let come: Row[] = [];
  const flush = (): void => {
    for (let i = 0; i < Math.max(gone.length, come.length); i += 1)
      out.push({ left: gone[i] ?? null, right: come[i] ?? null });
    gone = [];
    come = [];
  };
  for (const row of all) {
    if (row.line.kind === "delete") gone.push(row);
    else if (row.line.kind === "insert") come.push(row);
    else {
      flush();
      out.push({ left: row, right: row });
    }
  }
  flush();
  return out;
}

const looks = { insert: "ins", delete: "del", context: "" };
const signs = { insert: "+", delete: "−", context: "" };
export const lookOf = (line: DiffLine): string => looks[line.kind];
export const sign = (line: DiffLine): string => signs[line.kind];
export const words = (line: DiffLine, grammar?: Grammar, part?: Note["part"]) =>
  coloured(line.text, line.spans ?? [], line.kind === "insert" ? "a" : "d", grammar, part);
