/**
 * What the script pages show, as values. The controller (or a fixture of the gallery) fills them; elements draw and
 * emit.
 */

import type {
  Accept,
  EngineDiff,
  FileId,
  Preview,
  PreviewError,
  ToolCheck,
  ToolFinding,
} from "@holdpoint/core/editor";
import type { ErrorShape } from "@holdpoint/core/types";
import type { Mark } from "../diff/view.js";
import type { Reason } from "../review/view.js";
import type { RunView } from "../run/view.js";
import type { Example, OutcomeView, OverBudget, Turn } from "../talk/view.js";
import type { TextKey } from "../text/index.js";

export type { FileId } from "@holdpoint/core/editor";

// ── the list ─────────────────────────────────────────────────────────────────────────────────────────────────────

export interface ToolLine {
  tool_id: string;
  title: string;
  /** The first sentence of its help text; empty while it is not read. */
  sub: string;
  /** Null while it is not checked. */
  findings: { errors: number; hints: number; path: string } | null;
  proposal: boolean;
  unsaved: boolean;
  at: number;
}

export interface ToolsView {
  state: "loading" | "ready" | "failed";
  tools: ToolLine[];
  problem: ErrorShape | null;
  creating: boolean;
  /** Deleted on this device; each can be brought back. */
  deleted: readonly DeletedLine[];
  offline: boolean;
  now: number;
}

export interface DeletedLine {
  tool_id: string;
  title: string;
  at: number;
}

export type Sample = "door-report" | "table-to-table" | "empty";

// ── a proposal ───────────────────────────────────────────────────────────────────────────────────────────────────

/** One changed file: `diff` is the engine's, of the texts of the preview. */
export interface ProposedFile {
  path: FileId;
  before: string;
  after: string;
  diff: EngineDiff;
  marks?: readonly Mark[];
}

export interface ProposalView {
  id: string;
  /** What the assistant said with it. */
  words: string;
  phase: "previewing" | "ready" | "applying";
  preview: Preview;
  files: ProposedFile[];
  /** The hunks that are taken, by file. */
  taken: Accept;
  reasons: readonly Reason[];
  notes: string[];
  findings: ToolFinding[];
  confirmed: boolean;
  /** The files whose text is not the one that was previewed. */
  stale: { paths: FileId[]; at: number; since: number; elsewhere: boolean } | null;
  /** Why Apply is off; empty while it can be signed. */
  closed: string;
  /** The fingerprint of the result that is shown. */
  print: string;
  layout: "split" | "uni";
  repaired: boolean;
  /** What kept examples say of it; null where there are none. */
  examples: { state: "runs" | "done"; breaks: readonly string[]; of: number } | null;
}

export const takenPlaces = (taken: Accept): number =>
  Object.values(taken).reduce((sum, ids) => sum + ids.length, 0);

// ── versions ─────────────────────────────────────────────────────────────────────────────────────────────────────

export interface VersionLine {
  id: string;
  kind: "revision" | "checkpoint";
  cause: string;
  title: string;
  at: number;
  files: string[];
  auto: boolean;
  revision_id: string;
  /** The fingerprint that was signed; empty where nothing was. */
  print: string;
}

export interface VersionsView {
  state: "loading" | "ready" | "failed";
  /** Why they could not be read. */
  problem: ErrorShape | null;
  lines: VersionLine[];
  more: boolean;
  chosen: string | null;
  /** The versions that are ticked; two of them can be compared. */
  ticked: string[];
  now: number;
  offline: boolean;
  /** Without texts of its own nothing can be named. */
  keeping: boolean;
}

/** A version against now, against the one before it, or two that were ticked: then nothing is restored. */
export interface CompareView {
  title: string;
  with: "now" | "before" | "other";
  left: string;
  right: string;
  files: ProposedFile[];
  equal: number;
  print: string;
  restorable: string;
  layout: "split" | "uni";
}

/** The same text was changed here and elsewhere: each place is decided. */
export interface TwoVersionsView {
  at: number;
  since: number;
  files: ProposedFile[];
  /** Hunks decided so far: mine (true) or theirs. */
  decided: Record<string, Record<string, boolean>>;
  print: string;
  saving: boolean;
  layout: "split" | "uni";
}

// ── the conversation ─────────────────────────────────────────────────────────────────────────────────────────────

const edit = (key: TextKey): Example => ({ key, mode: "edit" });
const explain: Example = { key: "script.chat.explain", mode: "chat" };
/** Those of the sample are requests that the scripted model knows. */
export const examples = {
  doors: [
    edit("script.chat.doors.1"),
    edit("script.chat.doors.2"),
    edit("script.chat.doors.3"),
    explain,
  ],
  any: [edit("script.chat.any.1"), edit("script.chat.any.2"), explain],
  empty: [
    edit("script.chat.empty.1"),
    edit("script.chat.empty.2"),
    { key: "script.chat.empty.3", mode: "chat" },
  ] as Example[],
};

export interface ChatView {
  state: "loading" | "ready" | "failed";
  /** Why the conversation could not be read. */
  problem: ErrorShape | null;
  turns: Turn[];
  outcome: OutcomeView | null;
  mode: "chat" | "edit";
  draft: string;
  last: string;
  running: "chat" | "edit" | null;
  since: number;
  /** Why asking is off; empty while it is on. */
  off: string;
  offline: boolean;
  over: OverBudget | null;
  tokens: number | null;
  /** What goes along beside the files: the selected lines. */
  place: string;
  empty: boolean;
  /** What can be asked: of the sample, of any script, of an empty one. */
  examples: readonly Example[];
  /** The proposal is in front beside the chat. */
  beside: boolean;
  now: number;
}

// ── the editor ───────────────────────────────────────────────────────────────────────────────────────────────────

export type Front = FileId | "all" | "panel" | "run";

export interface StepView {
  on: boolean;
  reason: string;
  places: number;
  files: number;
}

export interface ScriptView {
  tool_id: string;
  title: string;
  state: "loading" | "ready" | "missing" | "failed";
  problem: ErrorShape | null;
  saved: { state: "saved" | "unsaved" | "saving" | "elsewhere" | "offline"; at: number | null };
  front: Front;
  /** What the panel shows beside the files. */
  panel: "proposal" | "error" | "compare" | "versions" | null;
  proposal: ProposalView | null;
  failed: { errors: PreviewError[]; message: string; online: boolean } | null;
  compare: CompareView | null;
  two: TwoVersionsView | null;
  applied: { print: string; places: number; files: number; at: number; change: boolean } | null;
  edited: FileId[];
  check: ToolCheck | null;
  /** Whether the Python grammar was asked. */
  python: boolean;
  empty: boolean;
  undo: StepView;
  redo: StepView;
  drawer: "chat" | "history" | null;
  chat: ChatView;
  versions: VersionsView | null;
  /** Null while something else is in front. */
  run: RunView | null;
}
