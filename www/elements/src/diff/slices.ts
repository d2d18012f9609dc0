/**
 * Long places in slices: a slice that stands is not drawn again, so that the page answers between two of them. Pure.
 */

import type { Hunk } from "@holdpoint/core/types";
import { html, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { language } from "../text/index.js";
import { noted, type Pair, pairs, type Row, rows } from "./lines.js";
import type { DiffFile } from "./view.js";

/** Lines that are drawn in one go. */
export const SLICE_LINES = 150;

/** What a diff draws of some lines: beside each other, and below each other. */
export interface Drawing {
  pairs: readonly Pair[];
  rows: readonly Row[];
  drawn(pairs: readonly Pair[], rows: readonly Row[]): unknown;
}

/** Lines in pieces; a piece that stands is not drawn again. */
export function sliced(of: object, all: () => Drawing, shown: number): TemplateResult[] {
  const pieces = Math.max(1, Math.ceil(shown / SLICE_LINES));
  return Array.from({ length: pieces }, (_, i) => {
    const [from, to] = [i * SLICE_LINES, (i + 1) * SLICE_LINES];
    const piece = () => {
      const { pairs: beside, rows: below, drawn } = all();
      return drawn(beside.slice(from, to), below.slice(from, to));
    };
    return html`<div class="slice">${guard([of, i, language()], piece)}</div>`;
  });
}

/** The lines of a place in both orders; a place is read once. */
const read = new WeakMap<Hunk, { pairs: Pair[]; rows: Row[] }>();
export function both(file: DiffFile, hunk: Hunk): { pairs: Pair[]; rows: Row[] } {
  const known = read.get(hunk);
  if (known) return known;
  const all = noted(rows(hunk), file.marks);
  const made = { rows: all, pairs: pairs(all) };
  read.set(hunk, made);
  return made;
}

/** The lines of a text before; a text is cut once. */
const cut = new WeakMap<DiffFile, string[]>();
export function linesBefore(file: DiffFile): string[] {
  const known = cut.get(file) ?? (file.before ?? "").split("\n");
  cut.set(file, known);
  return known;
}
