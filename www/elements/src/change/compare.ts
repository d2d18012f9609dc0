/** Which of the earlier changes can be compared, and what they are called then. Pure. UI.md §6. */
import type { ExtensionRecord, FileDiff, Review } from "@holdpoint/core/types";
import { t } from "../text/index.js";
import type { LogView } from "./log-view.js";

/** One change as the list shows it. */
export interface ChangeLine {
  id: string;
  number: number;
  title: string;
  sub: string;
  at: number;
  signed: boolean;
  result_hash: string | null;
  /** What it installed; null for changes that cannot be compared. */
  extension: string | null;
  version: string;
  undo: "undo" | "redo" | null;
  /** Why undo is off, where it would stand. */
  blocked?: string;
}

export interface HistoryView {
  extensions: { record: ExtensionRecord; name: string; stored: boolean }[];
  changes: ChangeLine[];
  now: number;
  /** What differs between the two that were compared. */
  compared: { pair: Pair; files: FileDiff[] } | null;
  /** What led to an extension, opened from the list. */
  told: { name: string; log: LogView } | null;
}

/** Two changes of one extension, the older first, by their names: 0.1.0 and 0.2.0, or change 7 and change 8. */
export interface Pair {
  name: string;
  from: string;
  to: string;
}

/** Whether a change has another one that it can be compared with. */
export const comparable = (changes: ChangeLine[], one: ChangeLine): boolean =>
  one.extension !== null &&
  changes.some((other) => other.id !== one.id && other.extension === one.extension);

/** Whether there is anything to compare. */
export const compares = (view: HistoryView): boolean =>
  view.changes.some((one) => comparable(view.changes, one));

/** The two that are ticked; null while they are not two of one extension. */
export function pair(view: HistoryView, chosen: string[]): Pair | null {
  const [older, newer, more] = view.changes
    .filter((one) => chosen.includes(one.id))
    .sort((a, b) => a.number - b.number);
  if (!older || !newer || more || older.extension === null || older.extension !== newer.extension)
    return null;
  const name = (one: ChangeLine): string =>
    older.version === newer.version ? t("history.nth", { n: one.number }) : one.version;
  const title =
    newer.version && newer.title.endsWith(` ${newer.version}`)
      ? newer.title.slice(0, -newer.version.length - 1)
      : newer.title;
  return { name: title, from: name(older), to: name(newer) };
}

/** Two contents of one version are told apart: an arrow between equal numbers says nothing. */
export function versionSaid(
  from: string | null,
  to: string,
  { base_hash: before, result_hash: after }: Pick<Review, "base_hash" | "result_hash">,
): string {
  if (from === null) return t("review.version.new", { to });
  if (from !== to) return t("review.version.change", { from, to });
  return t(before === after ? "review.version.same" : "review.version.other", { version: to });
}
