/** What the parts of the workbench show, as values (ai-sessions.md §11, UI.md §12). Who fills them knows the routes. */
import type { FileLetter, Graph, TargetType, TurnRuntime } from "@holdpoint/core/crew";
import type { ErrorShape } from "@holdpoint/core/types";
import type { DiffFile } from "../../diff/view.js";
import type { Found } from "../../findings/view.js";
import type { FootView } from "../../review/approval.js";
import type { Claim } from "../../review/claims.js";
import type { ComposerView, ConversationView } from "../../talk/view.js";

export type BenchPane = "chat" | "change" | "ctx";

/** An object of the package by a name that people know. */
export interface Named {
  name: string;
  /** Where it is: the workflow of a step. */
  where: string;
  href: string | null;
}

export interface HeadView {
  name: string;
  type: TargetType;
  /** The id beside the type: the number of a workflow, else the id where it is not the name. */
  id: string;
  mode: "create" | "optimize";
  workflow: string;
  project: string;
  /** The package's own version; empty where it is not read yet. */
  version: string;
  session: string;
  back: string;
  /** The model that answers; `why` says why none does. */
  model: { state: "loading" | "own" | "system" | "none"; name: string; why: string; href: string };
}

export interface FileRow {
  letter: FileLetter;
  name: string;
  file: string;
  added: number;
  deleted: number;
  /** The summary says nothing of it. */
  unsaid: boolean;
  /** It is not what was seen before. */
  different: boolean;
}

export interface ImpactView {
  objects: number;
  kinds: { type: TargetType; names: readonly string[] }[];
  /** Words of what has to be looked at. */
  risks: readonly string[];
  affected: readonly (Named & { why: string })[];
}

export interface ChangeColumn {
  /** Number of the proposal; null where there is none. */
  proposal: number | null;
  check: "none" | "running" | "passed" | "failed";
  errors: number;
  warnings: number;
  files: readonly FileRow[];
  selected: string;
  impact: ImpactView | null;
  /** A change came, and no set with it. */
  unavailable: boolean;
}

/** What somebody saved meanwhile. */
export interface SavedView {
  who: string;
  /** The objects by their names. */
  what: string;
  at: string;
  /** The number of the version that came of it, and where it is shown. */
  version: number;
  href: string;
}

/** The conflict: nothing was applied, and a fresh change stands there. */
export interface ConflictView {
  objects: readonly string[];
  /** Newest first; empty where nobody knows. */
  saved: readonly SavedView[];
  files: readonly string[];
  same: number;
  before: string;
  after: string;
}

/** A counter that had moved on; `saved` says by what. */
export interface NewerView {
  part: "workflow" | "agents" | "assets";
  provided: number;
  current: number;
  saved: readonly SavedView[];
}

export interface AppliedView {
  print: string;
  at: number;
  /** It took back what was applied before. */
  undone: boolean;
  files: readonly FileRow[];
  /** Counters that were newer than those of the change. */
  newer: readonly NewerView[];
  version: string;
}

/** What stands there while nothing is proposed. */
export type NowView =
  | { is: "none" }
  | { is: "loading" }
  | { is: "text"; path: string; text: string }
  | { is: "graph"; graph: Graph; name: string; agents: ReadonlyMap<string, string> };

/** A proposed graph beside the one that is stored; null where there is none. */
export interface GraphPair {
  name: string;
  left: Graph | null;
  right: Graph | null;
  /** Nodes that both have and that are other ones, with their steps. */
  changed: ReadonlySet<string>;
  agents: ReadonlyMap<string, string>;
}

export interface MiddleView {
  is: "now" | "diff" | "result";
  title: string;
  now: NowView;
  files: readonly DiffFile[];
  /** The graphs among the files. */
  graphs: readonly GraphPair[];
  layout: "split" | "uni";
  errors: readonly Found[];
  /** How many repairs were tried before. */
  repairs: number;
  conflict: ConflictView | null;
  applied: AppliedView | null;
}

/** What became of the proposal of a turn, under its words. */
export interface TurnCard {
  state: "passed" | "failed" | "stale" | "applied" | "older" | "staged";
  files: number;
  at: number;
  /** Of what was applied: the version that came of it, where it is known. */
  version?: string;
}

/** Beside the words of a turn, by its id. */
export interface TurnExtras {
  runtime: TurnRuntime | null;
  since: number;
  claims: readonly Claim[];
  card: TurnCard | null;
  /** What a turn that only answered has read, in words. */
  reads: string;
  warnings: readonly string[];
}

export interface TalkView {
  conversation: ConversationView;
  composer: ComposerView;
  extras: Readonly<Record<string, TurnExtras>>;
  /** A turn that did not deliver; `again` where it can be asked once more. */
  failure: { error: ErrorShape; again: boolean; waits: number } | null;
  /** No model answers. */
  off: { title: string; href: string } | null;
  /** The conversation was ended: it is only read. */
  over: boolean;
  now: number;
}

export interface ContextItem {
  key: string;
  name: string;
  sub: string;
  tokens: number | null;
  /** It goes along. */
  on: boolean;
}

export interface ContextGroup {
  /** The list of the digest that it is; `always` cannot be left out. */
  is: "always" | "agents" | "assets" | "variables" | "steps" | "cited";
  total: number;
  items: readonly ContextItem[];
}

export interface ContextView {
  state: "loading" | "ready" | "failed";
  problem: ErrorShape | null;
  tokens: number;
  budget: number;
  reserve: number;
  parts: { name: string; tokens: number }[];
  groups: readonly ContextGroup[];
  trimmed: readonly { what: string; before: number; after: number }[];
}

export interface ConfirmView {
  heading: string;
  deletes: readonly { path: string; sub: string }[];
  secrets: readonly { path: string; sub: string }[];
  confirmed: boolean;
  sending: boolean;
  foot: FootView;
}

export interface BenchView {
  state: "loading" | "ready" | "failed";
  problem: ErrorShape | null;
  head: HeadView;
  change: ChangeColumn;
  middle: MiddleView;
  talk: TalkView;
  context: ContextView;
  foot: FootView;
  confirm: ConfirmView | null;
  /** Steps of a turn, for those who do not look. */
  said: string;
}

/** An address that says too little. */
export interface FaultView {
  what: string;
  back: string;
  label: string;
}
