/**
 * The wire of `/api/v1/editor` (script-tool.md §6) and of `text.preview` (text-engine.md §4).
 *
 * Answers, and the edits that they bring, have the types that Rust gives out; the bodies around them and the events of
 * a stream are declared here.
 */

import type { Checkpoint } from "../generated/Checkpoint";
import type { EditOp } from "../generated/EditOp";
import type { EditOpsAnswer } from "../generated/EditOpsAnswer";
import type { PreviewError } from "../generated/PreviewError";
import type { ScriptTool } from "../generated/ScriptTool";
import type { TextApplied } from "../generated/TextApplied";
import type { TextPreview } from "../generated/TextPreview";
import type { ThreadMessage } from "../generated/ThreadMessage";
import type { ToolItem } from "../generated/ToolItem";
import type { ToolRevision as Revision } from "../generated/ToolRevision";
import type { VirtualFile } from "../generated/VirtualFile";
import type { Diagnostic, ErrorShape } from "../types.ts";

/** The five texts of a tool in canonical order: wherever they are listed, they come like this. */
export const FILES = [
  "tool.py",
  "entrypoint.txt",
  "settings_schema.json",
  "input_schema.json",
  "usage_instructions.md",
] as const satisfies readonly VirtualFile[];
export type FileId = VirtualFile;
export type VirtualFiles = Record<FileId, string>;

export const isFileId = (path: string): path is FileId =>
  (FILES as readonly string[]).includes(path);

/** Limits that the page knows (script-tool.md §12). */
export const MAX_MESSAGE_CHARS = 20_000;
export const EXPLICIT_LOCATION_MS = 45_000;
/** After this long a running call gets a hint (§11). */
export const SLOW_HINT_MS = 45_000;
export const HISTORY_LIMIT = 60;
/** Beyond these a placement asks for a look (text-engine.md §10). */
export const CONFIRM_OFFSET = 10;

// ── the engine ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Lines say their ending; so a diff is enough to make one text of another. */
export type { DiffLine as EngineLine } from "../generated/DiffLine";
export type { Hunk as EngineHunk } from "../generated/Hunk";
export type { PlacedHunk } from "../generated/PlacedHunk";
export type { PreviewError } from "../generated/PreviewError";
export type { PreviewMeta } from "../generated/PreviewMeta";
export type { TextDiff as EngineDiff } from "../generated/TextDiff";

export type { EditOp };

/** A finding of the files after; `new` where the files before did not have it. */
export interface ToolFinding extends Diagnostic {
  new?: boolean;
}

/** `text.preview` on the five files, and what is found in the files after. */
export interface Preview extends Omit<TextPreview, "after_virtual_files"> {
  after_virtual_files: VirtualFiles;
  diagnostics?: ToolFinding[];
}

/** `python.facts`: what the grammar says of `tool.py`. */
export type { PythonFacts } from "../generated/PythonFacts";
export type { ScriptReport as ToolCheck } from "../generated/ScriptReport";

// ── tools and revisions ──────────────────────────────────────────────────────────────────────────────────────────

export type { Checkpoint, ToolItem };
export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** A tool as it stands; its files are the five. */
export interface Tool extends Omit<ScriptTool, "virtual_files"> {
  virtual_files: VirtualFiles;
}

/** What every step through the versions answers. */
export type Step = Pick<Tool, "revision_id" | "virtual_files" | "can_undo" | "can_redo">;

export type Cause = Revision["cause"];
/** Of what a person signed, the page looks at the result. */
export interface ToolRevision extends Omit<Revision, "proposal"> {
  proposal?: { result_hash?: string };
}
export interface ToolRevisionFiles extends ToolRevision {
  virtual_files: VirtualFiles;
}

// ── proposals ────────────────────────────────────────────────────────────────────────────────────────────────────

export type { EditOutcome as Outcome } from "../generated/EditOutcome";

/** Where the person points; both absent means patch-only (§5). Positions count UTF-16 units of the exact text. */
export interface Location {
  selection?: { from: number; to: number };
  cursor?: { pos: number };
}

export interface Feedback {
  ops: EditOp[];
  error_details: PreviewError[];
  discarded_reason?: string;
}

export interface EditOpsRequest extends Location {
  tool_id: string;
  message: string;
  active_file: FileId;
  virtual_files: VirtualFiles;
  allow_remote_fallback?: boolean;
  options?: { mode?: "auto" | "patch-only" };
  feedback?: Feedback;
}

export type { EditOpsAnswer };

export type Accept = Record<string, string[]>;

export interface PreviewRequest extends Location {
  tool_id: string;
  active_file: FileId;
  virtual_files: VirtualFiles;
  ops: EditOp[];
  accept?: Accept;
  options?: { mode?: "auto" | "patch-only"; generation_finished?: boolean };
}

export interface ApplyRequest extends PreviewRequest {
  base_revision_id: string;
  base_hash: string;
  patch_id: string;
  result_hash: string;
  confirm_token?: string;
}

/** The fresh preview of what was signed; the edge adds the revision that it made. */
export interface ApplyAnswer extends Preview, Pick<TextApplied, "applied"> {
  revision_id?: string;
}

// ── the thread ───────────────────────────────────────────────────────────────────────────────────────────────────

/** A message, and what became of its turn's proposal. */
export interface ChatMessage extends Omit<ThreadMessage, "kind"> {
  kind?: ThreadMessage["kind"];
}
export type TurnStatus = ThreadMessage["status"];

export interface ChatHistory {
  messages: ChatMessage[];
  base_version_id?: string;
}

export interface ChatRequest {
  message: string;
  active_file?: FileId;
  virtual_files?: VirtualFiles;
  allow_remote_fallback?: boolean;
}

/** In English, and what other languages say it from. */
interface Sentence {
  message: string;
  code?: string;
  args?: Record<string, unknown>;
}

export type ChatEvent =
  | {
      event: "meta";
      data: {
        enabled: true;
        correlation_id: string;
        turn_id: string;
        assistant_message_id: string;
      };
    }
  | {
      event: "notice";
      data: Sentence & { variant: "info" | "warning" };
    }
  | { event: "delta"; data: { text: string } }
  | {
      event: "done";
      data:
        | { enabled: true; reason: "stop" | "length" | "cancelled" | "error" }
        | (Sentence & { enabled: false });
    };

/** What the page asks of the editor's routes. Every failure is an `ErrorShape`; `OFFLINE` when no answer came. */
export interface EditorApi {
  tools(cursor?: string | null): Promise<Page<ToolItem>>;
  create(title: string, from: { sample: string } | { virtual_files: VirtualFiles }): Promise<Tool>;
  tool(id: string): Promise<Tool>;
  save(
    id: string,
    baseRevision: string,
    changed: Partial<VirtualFiles>,
  ): Promise<{ revision_id: string }>;
  /** Gives it another title; no version is made of that. */
  rename(id: string, title: string): Promise<Tool>;
  /** It leaves the list; `bringBack` makes it as it was, with its versions and its conversation. */
  remove(id: string): Promise<void>;
  bringBack(id: string): Promise<Tool>;
  revisions(id: string, cursor?: string | null): Promise<Page<ToolRevision>>;
  revision(id: string, revision: string): Promise<ToolRevisionFiles>;
  step(id: string, step: "undo" | "redo", baseRevision: string): Promise<Step>;
  restore(
    id: string,
    baseRevision: string,
    to: { revision_id: string } | { checkpoint_id: string },
  ): Promise<Step>;
  checkpoints(id: string): Promise<Checkpoint[]>;
  keep(id: string, title: string): Promise<Checkpoint>;
  generate(
    request: EditOpsRequest,
    correlation: string,
    signal: AbortSignal,
  ): Promise<EditOpsAnswer>;
  preview(request: PreviewRequest, correlation: string, signal?: AbortSignal): Promise<Preview>;
  apply(request: ApplyRequest, correlation: string): Promise<ApplyAnswer>;
  /** Notes on the thread that a proposal was not taken. */
  discard(id: string, correlation: string): Promise<void>;
  thread(id: string): Promise<ChatHistory>;
  clear(id: string): Promise<void>;
  /** The events of a turn in order; `done` is the last, where nothing broke off. */
  chat(id: string, request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent>;
}

export type { ErrorShape };
