/** How the panes of a wide page share its width, so that the model keeps enough of it. Pure. UI.md §11. */
import { type DockView, together } from "@holdpoint/elements/dock/open-panels";
import type { PageView } from "./page-view.js";

/** From here on docks stand side by side (page.styles.ts); on a page that is less wide all panels share one. */
export const WIDE = 1200;
/** Of the chooser of columns, in px. */
const CHOOSER = 380;
/** What the model keeps, in px; a pane beside it folds before. */
const MIDDLE = 400;
const RAIL = 44;
/** Of the panel that is tried, in px. */
const TRYING = 352;

export interface Arrangement {
  docks: DockView[];
  /** Widths in px of the panes; 0: there is none. */
  tree: number;
  left: number;
  right: number;
  work: number;
  /** The tree is a rail. */
  rail: boolean;
  /** Right dock and change stand in one place, with tabs. */
  shares: boolean;
}

/** `work` is the width that the change wants. */
export function arranged(
  width: number,
  view: Pick<PageView, "docks" | "panel" | "widths"> & Partial<Pick<PageView, "choosing">>,
  work: number,
  trying: boolean,
): Arrangement {
  const { docks, panel, widths, choosing } = view;
  const middle = MIDDLE + (choosing ? CHOOSER : 0);
  const at = (place: DockView["place"]) => docks.some((dock) => dock.place === place);
  const [left, right] = [at("left") ? widths.left : 0, at("right") ? widths.dock : 0];
  const whole = { docks, left, right, work, tree: widths.tree, rail: false, shares: false };
  if (width < WIDE) return { ...whole, docks: together(docks, panel) };
  if (trying) return { ...whole, tree: RAIL, rail: true, right: right && Math.max(right, TRYING) };
  const room = width - left - right - work;
  if (room - widths.tree >= middle) return whole;
  const folded = { ...whole, tree: RAIL, rail: true };
  if (room - RAIL >= MIDDLE || !docks.length) return folded;
  const one = { ...folded, right: 0, work: Math.max(right, work), shares: right > 0 };
  if (width - RAIL - left - one.work >= MIDDLE) return one;
  return { ...one, docks: together(docks, panel), left: 0, shares: true };
}
