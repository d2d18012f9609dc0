/** What the routes of a crew session say (ai-sessions.md §3, §5, §9; crew-package.md §9, §10). Written by hand. */

import type { ErrorShape, Json } from "../types.ts";
import type { LlmProfile } from "./profile.ts";

export type TargetType = "workflow" | "step" | "agent" | "asset";
export type SessionMode = "create" | "optimize";

/** Every answer of these routes. */
export interface Envelope<T> {
  data: T | null;
  error: ErrorShape | null;
}

export interface CrewSession {
  sessionId: string;
  projectId: string;
  workflowId: number | null;
  targetType: TargetType;
  targetId: string | null;
  mode: SessionMode;
  status: "active" | "cancelled" | "failed";
  createdAt: number | string;
  updatedAt: number | string;
  /** The first words of the person; null where nothing was said yet. */
  title?: string | null;
  /** Of its newest set; null where nothing was proposed. */
  suggestionStatus?: Suggestion["status"] | null;
}

export interface NewSession {
  workflowId?: number;
  targetType: TargetType;
  targetId?: string;
  mode: SessionMode;
  userPrompt?: string;
}

/** What was just made; `turnId` where its first turn runs already. */
export interface MadeSession extends CrewSession {
  contextEnvelope: ContextEnvelope | null;
  turnId?: string | null;
}

/** A finding of a change set. */
export interface SetFinding {
  code: string;
  severity: "error" | "warning" | "info";
  phase?: string;
  path: string;
  message: string;
  args?: Record<string, unknown>;
  hints?: string[];
  file?: string;
  pointer?: string;
  /** Of a base that has moved on. */
  field?: string;
  provided?: number;
  current?: number;
  details?: Record<string, Json>;
}

export interface Validation {
  valid: boolean;
  schemaFailed: boolean;
  errors: SetFinding[];
  warnings: SetFinding[];
  meta?: { affected?: string[]; confirm?: string[] } & Record<string, unknown>;
}

/** What is signed: the hashes of the files as they were and as they will be. */
export interface ChangePreview {
  changeSetId: string;
  baseHash: string;
  resultHash: string;
  confirm: string[];
  confirmToken: string | null;
}

export type FileLetter = "A" | "M" | "D";

export interface ChangedText {
  object: string;
  file: string;
  status: FileLetter | "unchanged";
  before: string | null;
  after: string | null;
}

export interface Impact {
  objects: string[];
  counts?: Partial<Record<TargetType, number>>;
  riskFlags: string[];
  requiresConfirmation?: boolean;
  affected?: string[];
}

/** The three counters; one that was not sent is not compared. */
export interface RevisionBase {
  workflowRevision?: number;
  agentsRevision?: number;
  assetsRevision?: number;
}

export interface Suggestion {
  version: number;
  changeSetId: string | null;
  status: "staged" | "validated" | "applied" | "rejected";
  changeSet: { revisions?: RevisionBase; operations?: unknown[] } & Record<string, unknown>;
}

export interface PreviewAnswer {
  preview: ChangePreview | null;
  changed: ChangedText[];
  validation: Validation | null;
  impact: Impact | null;
}

/** One row of a transcript. */
export interface SessionMessage {
  id: string;
  turnId: string | null;
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  status: "ok" | "failed";
  clientMessageId?: string | null;
  changeSetId?: string | null;
  createdAt: number | string;
  /** Of an answer: what its turn came to. */
  result?: TurnEnd;
  /** Of a message whose turn failed: why. */
  error?: ErrorShape;
}

export interface SessionAnswer {
  session: CrewSession;
  latestSuggestion: Suggestion | null;
  validation: Validation | null;
  preview: ChangePreview | null;
  /** The turn that runs: its id, or a row that has one. */
  activeTurn: string | { turnId: string; messageId?: string } | null;
  messages: { items: SessionMessage[]; nextCursor: string | null };
}

export interface TurnResult {
  sessionId: string;
  turnId: string;
  messageId: string;
  assistantSummary: string;
  hasChange: boolean;
  suggestionVersion: number | null;
  changeSetId: string | null;
  valid: boolean | null;
  latestSuggestion: Suggestion | null;
  normalizedChangeSet?: unknown;
  validation: Validation | null;
  preview: ChangePreview | null;
  errors: SetFinding[];
  warnings: SetFinding[];
  notes: string[];
  assumptions: string[];
  usage?: { promptTokens: number; completionTokens: number; iterations: number; repairs: number };
}

/** What a transcript keeps of a turn's result. */
export type TurnEnd = Pick<
  TurnResult,
  "hasChange" | "suggestionVersion" | "valid" | "warnings" | "notes" | "assumptions" | "usage"
>;

/** Something that was done in a session, as far as a page asks for it. */
export interface AuditEvent {
  type: string;
  changeSetId: string | null;
  at: number;
}

/** What a message may carry beside its words. */
export interface MessageBody {
  content: string;
  clientMessageId: string;
  exclude?: string[];
}

/** Exactly the seven keys of ai-sessions.md §7.3. */
export interface ContextEnvelope {
  session_meta: Record<string, Json>;
  domain_profile: Json;
  normative_baseline: Json;
  target_snapshot: Record<string, Json>;
  dependency_digest: Record<string, { items: Record<string, Json>[]; total: number }>;
  tool_capabilities: Json;
  revision_info: Record<string, Json>;
}

export interface TrimReport {
  applied: boolean;
  estimateBefore: number;
  estimateAfter: number;
  contextBudget: number;
  reserveForResponse: number;
  actions: { section: string; action: string; beforeChars: number; afterChars: number }[];
}

export interface ContextAnswer {
  contextEnvelope: ContextEnvelope;
  trimReport: TrimReport | null;
  referencedAssetPaths?: string[];
  promptSignature: string;
  tokens: number;
}

export interface ApplyBody {
  changeSetId: string;
  confirmSource: "ui_manual_apply";
  revisionBase?: RevisionBase;
  preview: { baseHash: string; resultHash: string };
  confirmToken?: string;
}

export interface Applied {
  applied: true;
  sessionId: string;
  sessionStatus: "active";
  changeSetId: string;
  newRevision: RevisionBase;
  changed: { object: string; file: string; status: FileLetter | "unchanged" }[];
  warnings: SetFinding[];
}

export interface Staged {
  changeSetId: string;
  status: "staged";
  suggestionVersion: number;
  warnings: SetFinding[];
}

/** A verdict on a stored set, and its fresh preview. */
export interface ValidateAnswer extends Validation {
  changeSetId: string | null;
  sessionId: string;
  status: Suggestion["status"] | null;
  preview: ChangePreview | null;
}

/** Which model answers, as far as a page must know (ai-sessions.md §8). */
export interface ModelProfile extends Pick<LlmProfile, "provider" | "effectiveAvailability"> {
  model?: string | null;
  resolution?: Pick<LlmProfile["resolution"], "systemModel">;
}

/** A frame of a turn's stream. */
export type TurnFrame =
  | { event: "turn"; data: { turnId: string; messageId: string; seq: number } }
  | { event: "runtime"; data: Runtime }
  | { event: "result"; data: Envelope<TurnResult> }
  | { event: "error"; data: Envelope<TurnResult> };

export type Runtime =
  | { kind: "thinking"; payload: { phase: Phase; text?: string } }
  | {
      kind: "function_call";
      payload: {
        name: string;
        callId: string;
        state: "started" | "ended";
        ok?: boolean;
        code?: string;
      };
    };

export type Phase = "composing" | "model" | "validating" | "validation_repair" | "summary_delta";
