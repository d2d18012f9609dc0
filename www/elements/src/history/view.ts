/** A list of what happened to something, newest first: changes of a project, or versions of a script. */
import type { ErrorShape } from "@holdpoint/core/types";
import type { IconName } from "../base/icons.js";
import type { DiffFile } from "../diff/view.js";
import type { TextKey } from "../text/index.js";

export interface Entry {
  id: string;
  /** Before the title: a number, or a time. */
  lead: string;
  mark: { icon: IconName; look: string } | null;
  title: string;
  /** Lines below the title. */
  subs: readonly string[];
  /** Whether it was signed, in words; empty where that is no question. */
  signature: string;
  signed: boolean;
  /** The fingerprint that was signed. */
  print: string;
  /** What its tick is called; empty where it can be compared with nothing. */
  tick: string;
  /** The whole row brings it in front, instead of a button. */
  row: boolean;
  undo: "undo" | "redo" | null;
  /** Why undo is off, where it would stand. */
  blocked: string;
  /** For the pointer: the whole date. */
  full: string;
}

export interface EntriesView {
  state: "loading" | "ready" | "failed";
  /** Why they could not be read. */
  problem: ErrorShape | null;
  offline: boolean;
  groups: readonly { title: string; entries: readonly Entry[] }[];
  /** What stands below the list, or in its place while there is none. */
  note: TextKey | null;
  none: TextKey;
  more: boolean;
  /** The one in front. */
  chosen: string | null;
  ticked: readonly string[];
  /** The field that gives the version of now a name; `off`: why it is closed. */
  keep: { off: string } | null;
  /** The button that compares what is ticked, where the host has none; `off`: why it is closed. */
  compare: { label: string; off: string } | null;
}

/** What differs of two, and what they are called. */
export interface Compared {
  files: readonly DiffFile[];
  /** How many files do not differ. */
  equal: number;
  heading: string;
  left: string;
  right: string;
  layout: "split" | "uni";
  /** What is said where nothing differs. */
  same: TextKey;
}
