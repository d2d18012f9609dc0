/** What the elements of crew packages show, as values. Pages fill them. */
import type {
  Agent,
  Cited,
  CrewPackage,
  Graph,
  GraphEdge,
  Side,
  StepFields,
  WalkedFile,
  WalkedVariable,
} from "@holdpoint/core/crew";
import type { Diagnostic, ErrorShape, Files } from "@holdpoint/core/types";
import type { DiffFile } from "../diff/view.js";
import type { Found } from "../findings/view.js";
import type { EntriesView } from "../history/view.js";

export interface Counts {
  errors: number;
  warnings: number;
}

export type Difference = "added" | "removed" | "changed";

// ── the list ─────────────────────────────────────────────────────────────────────────────────────────────────────

export interface PackageLine {
  id: string;
  name: string;
  /** One line about it; empty where nothing is known. */
  sub: string;
  /** Null: not looked at yet. */
  check: (Counts & { where: string }) | null;
  holds: { workflows: number; agents: number; assets: number } | null;
  version: string;
  at: number;
  proposal: boolean;
  unsaved: boolean;
}

export type Sample = "nothing" | "claims" | "publishing" | "incident";

export interface SampleLine {
  id: Sample;
  holds: PackageLine["holds"];
}

export interface PackagesView {
  state: "loading" | "ready" | "failed";
  problem: ErrorShape | null;
  packages: readonly PackageLine[];
  samples: readonly SampleLine[];
  offline: boolean;
  creating: boolean;
  importing: string;
  /** The name of an import is taken: another one is asked for. */
  taken: { name: string; suggested: string } | null;
  /** What an archive has that keeps it from being stored. */
  refused: { name: string; error: ErrorShape; findings: readonly Found[] } | null;
  now: number;
}

// ── a package ────────────────────────────────────────────────────────────────────────────────────────────────────

/** A finding with the part that it is about, in words, and where a click leads. */
export interface PartFinding {
  found: Found;
  /** Empty where it is about no part. */
  place: string;
  href: string;
  /** What to do. */
  hint: string;
}

export interface CheckView extends Counts {
  state: "checking" | "ready" | "trapped";
  findings: readonly PartFinding[];
  at: number;
  ms: number;
}

export interface WorkflowLine {
  id: string;
  name: string;
  isDefault: boolean;
  check: Counts;
  nodes: number | null;
  edges: number | null;
  href: string;
  improve: string;
  changed: string;
}

export interface AgentLine {
  id: string;
  name: string;
  sub: string;
  check: Counts;
  steps: number;
  workflows: number;
  files: boolean;
  servers: number;
  href: string;
  improve: string;
}

export interface AssetLine {
  path: string;
  check: Counts;
  cited: number;
  kind: string;
  bytes: number;
  href: string;
  improve: string;
}

export interface ContentsView {
  workflows: readonly WorkflowLine[];
  /** Null: the file cannot be read. */
  agents: readonly AgentLine[] | null;
  assets: readonly AssetLine[];
  bytes: number;
  offline: boolean;
  /** A part that is being named. */
  naming: { what: Part; error: string } | null;
}
export type Part = "workflow" | "agent" | "asset";

export interface SearchView {
  words: string;
  /** Searching: nothing is known of these words yet. */
  state: "searching" | "ready";
  hits: readonly { place: string; line: number; text: string; href: string }[];
  truncated: boolean;
}

export interface PathsView {
  state: "walking" | "ready" | "failed";
  problem: ErrorShape | null;
  workflows: readonly WalkedWorkflow[];
  chosen: string;
  name: string;
  figures: {
    count: number;
    complete: boolean;
    shortest: number;
    longest: number;
    ends: number;
    ms: number;
  } | null;
  findings: readonly PathFinding[];
  /** Shortest first. */
  paths: readonly { way: readonly Hop[]; findings: number }[];
  /** A path that is walked, in the place of all that. */
  walk: WalkView | null;
}

/** A path, a step at a time. */
export interface WalkView {
  /** The workflow. */
  name: string;
  /** Its number in the list, from 1; 0 where it is no longer there. */
  path: number;
  of: number;
  /** The place of the step, from 0. */
  at: number;
  way: readonly Hop[];
  /** Null where the path is no longer there. */
  step: WalkStepView | null;
  /** Tokens of the prompts up to this step, and of all. */
  soFar: number;
  all: number;
}

export interface WalkStepView {
  title: string;
  type: Graph["nodes"][number]["type"];
  /** The name of who works in it. */
  agent: string;
  /** The id of an agent that is not in the package. */
  gone: string;
  href: string;
  /** Whether its file is there, and its head can be read. */
  isRead: boolean;
  files: readonly WalkFile[];
  variables: readonly WalkVariable[];
  writes: readonly string[];
  sets: readonly string[];
  /** The exit that the path takes, its label where there are several; null at the end of the path. */
  takes: { label: string; to: string } | null;
  prompt: readonly { role: "system" | "user"; content: string }[];
  tokens: number;
}

/** A file that a step reads; tokens of an asset. */
export interface WalkFile extends WalkedFile {
  href: string;
  tokens: number | null;
}
export type WalkVariable = WalkedVariable;

export interface WalkedWorkflow {
  id: string;
  name: string;
  findings: number;
  /** Paths that were counted. */
  count: number;
  complete: boolean;
}

export interface Hop {
  title: string;
  mark: "" | "warning" | "error" | "again";
}

export interface PathFinding {
  code: string;
  severity: Diagnostic["severity"];
  text: string;
  facts: readonly { what: "read" | "set" | "affects"; text: string }[];
  way: readonly Hop[];
  href: string;
  improve: string;
}

export interface CompareView {
  state: "comparing" | "ready" | "failed";
  problem: ErrorShape | null;
  left: { revision: number; meta: string };
  right: { revision: number; meta: string };
  counts: { added: number; removed: number; changed: number };
  workflows: readonly { id: string; name: string; changes: number }[];
  chosen: string;
  graphs: { left: Graph | null; right: Graph | null } | null;
  /** Nodes that are other than they were, with their steps. */
  changed: ReadonlySet<string>;
  objects: readonly ComparedObject[];
  agents: { left: ReadonlyMap<string, string>; right: ReadonlyMap<string, string> };
  back: { name: string; href: string };
  restoring: boolean;
  offline: boolean;
}

export interface ComparedObject {
  name: string;
  how: Difference;
  members: readonly { name: string; left: string; right: string; strong: boolean }[];
}

export interface PackageView {
  id: string;
  name: string;
  version: string;
  revision: number;
  /** When and by whom it was saved last; empty where that is not known. */
  saved: string;
  tab: "contents" | "paths" | "versions";
  contents: ContentsView;
  check: CheckView;
  paths: PathsView | null;
  versions: EntriesView | null;
  search: SearchView | null;
  proposal: string;
  unsaved: number;
  exporting: boolean;
  undo: StepView;
  redo: StepView;
  now: number;
}

/** A step back or on: whether it can be taken, and what it is. */
export interface StepView {
  on: boolean;
  what: string;
}

// ── the editors ──────────────────────────────────────────────────────────────────────────────────────────────────

/** What the foot of an editor says. */
export interface FootView {
  state: "clean" | "edited" | "saving" | "queued" | "conflict";
  files: number;
  /** Why saving is off; empty where it is on. */
  off: string;
  errors: number;
}

/** Somebody else was first. */
export interface ConflictView {
  text: string;
  files: readonly DiffFile[];
  left: string;
  right: string;
  merge: MergeView;
}

/** Both put together, but for places that both changed. */
export interface MergeView {
  places: readonly MergePlace[];
  /** Places where nothing is chosen yet. */
  open: number;
}

/** A place that both changed; null: that side has nothing there. */
export interface MergePlace {
  key: string;
  /** File and member, or file and line. */
  place: string;
  mine: string | null;
  theirs: string | null;
  chosen: Side | "";
}

export interface EditorBase {
  package: { name: string; href: string };
  foot: FootView;
  conflict: ConflictView | null;
  undo: StepView;
  redo: StepView;
  versions: string;
  check: Counts & { state: CheckView["state"] };
}

export interface WorkflowView extends EditorBase {
  id: string;
  name: string;
  revision: number;
  graph: Graph | null;
  findings: ReadonlyMap<string, Counts>;
  agents: ReadonlyMap<string, string>;
  selected: string;
  shown: "graph" | "list";
  step: NodeStep | null;
}

/** The step of the selected node. */
export interface NodeStep {
  nodeId: string;
  title: string;
  type: Graph["nodes"][number]["type"];
  file: string;
  isStart: boolean;
  /** Null where the head cannot be read. */
  fields: StepFields | null;
  /** What the editor shows: the body, or the whole file where the head cannot be read. Null: there is no file. */
  text: string | null;
  /** The line of the file on which it begins. */
  firstLine: number;
  findings: readonly Diagnostic[];
  agents: readonly { id: string; name: string }[];
  exits: readonly { n: number; edge: GraphEdge; title: string }[];
  others: readonly { id: string; title: string }[];
  /** Variables that the workflow knows: set by a step, or read by a condition. */
  variables: readonly string[];
  assets: readonly string[];
  improve: string;
}

export interface AgentView extends EditorBase {
  agent: Agent;
  /** Its id is not stored yet: it can be chosen. */
  fresh: boolean;
  taken: readonly string[];
  /** Members without a field, as JSON. */
  more: string;
  members: number;
  findings: readonly { pointer: string; text: string; severity: Diagnostic["severity"] }[];
  works: readonly { title: string; workflow: string; href: string }[];
  improve: string;
}

export interface AssetView extends EditorBase {
  path: string;
  /** As it would be called. */
  name: string;
  nameFault: string;
  text: string;
  binary: boolean;
  bytes: number;
  all: { bytes: number; count: number };
  kind: string;
  findings: readonly Diagnostic[];
  cited: readonly (Cited & { title: string; workflow: string; href: string })[];
  fresh: boolean;
  improve: string;
}

export type { Agent, CrewPackage, Files };
