/**
 * The wire of `/api/v1/editor` (script-tool.md §6) and of `text.preview` (text-engine.md §4), member by member.
 *
 * Previews and diffs have the types that Rust gives out; the routes have the names of the spec.
 */

import type { PreviewError } from "../generated/PreviewError";
import type { TextPreview } from "../generated/TextPreview";
import type { Diagnostic, ErrorShape, Range } from "../types.ts";

/** The five texts of a tool in canonical order: wherever they are listed, they come like this. */
export const FILES = ["tool.py", "entrypoint.txt", "settings_schema.json", "input_schema.json", "usage_instructions.md"] as const;
export type FileId = (typeof FILES)[number];
export type VirtualFiles = Record<FileId, string>;

export const isFileId = (path: string): path is FileId => (FILES as readonly string[]).includes(path);

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
export type { TextDiff as EngineDiff } from "../generated/TextDiff";
export type { PlacedHunk } from "../generated/PlacedHunk";
export type { PreviewError } from "../generated/PreviewError";
export type { PreviewMeta } from "../generated/PreviewMeta";

export interface PatchOp { op: "patch"; target_file: FileId; patch?: string; patch_lines?: string[] }
export interface PlaceOp { op: "insert" | "replace" | "delete"; target_file: FileId; target: { kind: "cursor" | "selection" | "document" }; content?: string }
export type EditOp = PatchOp | PlaceOp;

/** A finding of the files after; `new` where the files before did not have it. */
export interface ToolFinding extends Diagnostic { new?: boolean }

/** `text.preview` on the five files, and what is found in the files after. */
export interface Preview extends Omit<TextPreview, "after_virtual_files"> {
  after_virtual_files: VirtualFiles;
  diagnostics?: ToolFinding[];
}

export interface ToolCheck {
  ok: boolean;
  diagnostics: Diagnostic[];
  summary: { entrypoint: { name: string; line: number | null } | null; functions: string[]; has_settings_schema: boolean; has_input_schema: boolean };
}

/** `python.facts`: what the grammar says of `tool.py`. */
export type PythonFacts = { error: { range: Range; message: string } } | { bindings: { name: string; kind: string; line: number; block: string | number; range: Range }[] };

// ── tools and revisions ──────────────────────────────────────────────────────────────────────────────────────────

export interface ToolItem { tool_id: string; title: string; revision_id: string; updated_at: number | string }
export interface Page<T> { items: T[]; next_cursor: string | null }

export interface Tool {
  tool_id: string;
  title: string;
  revision_id: string;
  virtual_files: VirtualFiles;
  base_fingerprints: Record<string, string>;
  can_undo: boolean;
  can_redo: boolean;
  updated_at?: number | string;
  /** Files that changed since the apply which undo would take back. */
  undo_blocked?: string[];
}

/** What every step through the versions answers. */
export interface Step { revision_id: string; virtual_files: VirtualFiles; can_undo: boolean; can_redo: boolean }

export type Cause = "hand" | "apply" | "undo" | "redo" | "restore" | "create";
export interface ToolRevision { revision_id: string; who: string; at: number | string; cause: Cause; changed_files: string[]; about?: string; proposal?: { result_hash?: string } }
export interface ToolRevisionFiles extends ToolRevision { virtual_files: VirtualFiles }
export interface Checkpoint { checkpoint_id: string; title: string; auto: boolean; revision_id: string; at: number | string }

// ── proposals ────────────────────────────────────────────────────────────────────────────────────────────────────

export type Outcome =
  | "ok" | "empty" | "truncated" | "parse_failed" | "non_patch_ops" | "incompatible_ops" | "timeout" | "upstream_error"
  | "context_exceeded" | "remote_fallback_required" | "cancelled";

/** Where the person points; both absent means patch-only (§5). Positions count UTF-16 units of the exact text. */
export interface Location { selection?: { from: number; to: number }; cursor?: { pos: number } }

export interface Feedback { ops: EditOp[]; error_details: PreviewError[]; discarded_reason?: string }

export interface EditOpsRequest extends Location {
  tool_id: string;
  message: string;
  active_file: FileId;
  virtual_files: VirtualFiles;
  allow_remote_fallback?: boolean;
  options?: { mode?: "auto" | "patch-only" };
  feedback?: Feedback;
}

export interface EditOpsAnswer {
  enabled: boolean;
  outcome: Outcome;
  assistant_message: string;
  ops: EditOp[];
  base_fingerprints: Record<string, string>;
  repairs: string[];
  code?: string;
  message?: string;
  repaired?: boolean;
  turn_id?: string;
}

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

export interface ApplyAnswer extends Preview { applied: boolean; revision_id?: string }

// ── the thread ───────────────────────────────────────────────────────────────────────────────────────────────────

export type TurnStatus = "pending" | "complete" | "failed" | "cancelled";

export interface ChatMessage {
  message_id: string;
  turn_id: string;
  role: "user" | "assistant";
  content: string;
  created_at: number | string;
  status: TurnStatus;
  correlation_id?: string;
  failure_outcome?: string;
  kind?: "chat" | "edit_ops";
  /** What became of the turn's proposal, and when. */
  decision?: "applied" | "discarded" | "undone";
  decided_at?: number | string;
}

export interface ChatHistory { messages: ChatMessage[]; base_version_id?: string }

export interface ChatRequest { message: string; active_file?: FileId; virtual_files?: VirtualFiles; allow_remote_fallback?: boolean }

export type ChatEvent =
  | { event: "meta"; data: { enabled: true; correlation_id: string; turn_id: string; assistant_message_id: string } }
  | { event: "notice"; data: { message: string; variant: "info" | "warning" } }
  | { event: "delta"; data: { text: string } }
  | { event: "done"; data: { enabled: true; reason: "stop" | "length" | "cancelled" | "error" } | { enabled: false; message: string; code?: string } };

/** What the page asks of the editor's routes. Every failure is an `ErrorShape`; `OFFLINE` when no answer came. */
export interface EditorApi {
  tools(cursor?: string | null): Promise<Page<ToolItem>>;
  create(title: string, from: { sample: string } | { virtual_files: VirtualFiles }): Promise<Tool>;
  tool(id: string): Promise<Tool>;
  save(id: string, baseRevision: string, changed: Partial<VirtualFiles>): Promise<{ revision_id: string }>;
  revisions(id: string, cursor?: string | null): Promise<Page<ToolRevision>>;
  revision(id: string, revision: string): Promise<ToolRevisionFiles>;
  step(id: string, step: "undo" | "redo", baseRevision: string): Promise<Step>;
  restore(id: string, baseRevision: string, to: { revision_id: string } | { checkpoint_id: string }): Promise<Step>;
  checkpoints(id: string): Promise<Checkpoint[]>;
  keep(id: string, title: string): Promise<Checkpoint>;
  generate(request: EditOpsRequest, correlation: string, signal: AbortSignal): Promise<EditOpsAnswer>;
  preview(request: PreviewRequest, correlation: string, signal?: AbortSignal): Promise<Preview>;
  apply(request: ApplyRequest, correlation: string): Promise<ApplyAnswer>;
  /** Notes on the thread that a proposal was not taken. */
  discard(id: string, correlation: string): Promise<void>;
  thread(id: string): Promise<ChatHistory>;
  clear(id: string): Promise<void>;
  chat(id: string, request: ChatRequest, signal: AbortSignal, hear: (event: ChatEvent) => void): Promise<void>;
}

export type { ErrorShape };
