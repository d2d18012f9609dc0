/**
 * What the routes of apps say: declared in Rust (`generated/`), under the names that the pages use; below it what they
 * are asked, and the streams of app-builder.md §9, which have no declaration. Times are ISO texts, hashes
 * `sha256:<hex>`.
 */

import type { App } from "../generated/App";
import type { AppSettings } from "../generated/AppSettings";
import type { AppVersion } from "../generated/AppVersion";
import type { BuildState } from "../generated/BuildState";
import type { ConversationTurn } from "../generated/ConversationTurn";
import type { ProposalView } from "../generated/ProposalView";
import type { Verified } from "../generated/Verified";
import type { Diagnostic, ErrorShape, Files, Json } from "../types.ts";

export type { AppCheckpoint } from "../generated/AppCheckpoint";
export type { AppDist } from "../generated/AppDist";
export type { AppHealth } from "../generated/AppHealth";
export type { AppPublication } from "../generated/AppPublication";
export type { AppTemplate } from "../generated/AppTemplate";
export type { BuilderState } from "../generated/BuilderState";
export type { ChangedProjectFile as ChangedPath } from "../generated/ChangedProjectFile";
export type { ComparedVersions } from "../generated/ComparedVersions";
export type { DistAsset } from "../generated/DistAsset";
export type { KeptWork } from "../generated/KeptWork";
export type { PreviewAddress } from "../generated/PreviewAddress";
export type { ProposedBehaviour } from "../generated/ProposedBehaviour";
export type { ProposedFile } from "../generated/ProposedFile";
export type { ResultBuild } from "../generated/ResultBuild";
export type { RevertedFile } from "../generated/RevertedFile";
export type { SavedVersion } from "../generated/SavedVersion";
export type { Scaffold } from "../generated/Scaffold";
export type { ScaffoldField } from "../generated/ScaffoldField";
export type { SteppedVersion } from "../generated/SteppedVersion";
export type {
  App,
  AppSettings,
  AppVersion,
  BuildState,
  ConversationTurn as AppTurn,
  ProposalView as AppProposal,
  Verified,
};

export type BuildPhase = BuildState["build_status"];
export type OriginKind = AppVersion["origin_kind"];

export interface Listed<T> {
  items: T[];
  next_cursor: string | null;
}

/** What a version is exported as. */
export type ExportFormat = "patch" | "commit" | "zip";

export interface SaveBody {
  base_revision_id: string;
  files?: Files;
  operations?: Json[];
  entry_file?: string;
  on_conflict?: "fail" | "merge";
  confirm_token?: string;
}

// ── the stream of a run ──────────────────────────────────────────────────────────────────────────────────────────

export type ChatMode = "edit" | "plan" | "answer";

/** A difference that is to be explained: of two versions, or of a version and a proposal. */
export interface Explain {
  from: string;
  to: string;
  path?: string;
  hunk_id?: string;
}

/** What of an app is to be another; what is not named stays. */
export interface AppChange {
  name?: string;
  slug?: string;
  status?: "archived" | "draft";
  settings?: Partial<AppSettings>;
}

export interface ChatBody {
  input: string;
  explain?: Explain;
  base_revision_id: string;
  thread_id?: string;
  mode?: ChatMode;
  /** `draft`, `working_copy`, or the id of a proposal to go on with. */
  from?: string;
}

export type Outcome = NonNullable<ConversationTurn["outcome"]>;

export interface Spent {
  input_tokens?: number;
  output_tokens?: number;
  cost_micros?: number;
}

export interface ToolSaid {
  tool: string;
  call_id: string;
  status: "started" | "ok" | "failed";
  iteration: number;
  /** In plain words. */
  title: string;
  path?: string;
  elapsed_ms?: number;
}

export interface PatchReady {
  base_revision_id: string;
  summary: string;
  rationale: string;
  assumptions: string[];
  proposal_id: string;
  base_hash: string;
  patch_id: string;
  result_hash: string;
  changed: AppVersion["changed"];
  verified: Verified;
}

interface Envelope<Event extends string, Data> {
  event: Event;
  stage: string;
  request_id: string;
  /** 1, 2, 3 …, without a gap. */
  seq: number;
  ts: string;
  data?: Data;
  diagnostics?: Diagnostic[];
}

export type RunEvent =
  | Envelope<"status", { content?: string; model?: string; thread_id?: string }>
  | Envelope<"tool", ToolSaid>
  | Envelope<"token", { content: string }>
  | Envelope<"usage", Spent>
  | Envelope<"patch_ops", PatchReady>
  | Envelope<"error", ErrorShape & { retryable?: boolean }>
  | Envelope<
      "done",
      { outcome: Outcome; turn_id: string; proposal_id?: string; question?: string; usage?: Spent }
    >;

export type Accept = Record<string, boolean | string[]>;

export interface ApplyBody {
  base_revision_id: string;
  base_hash: string;
  patch_id: string;
  result_hash: string;
  accept?: Accept;
  confirm_token?: string;
}

/** What the stream of an app tells beside runs. */
export type BuilderEvent =
  /** Its log has a stream of its own. */
  | { event: "build"; data: Omit<BuildState, "log_tail"> & { log_tail?: string } }
  | { event: "revision"; data: { revision_id: string } }
  | {
      event: "published";
      data: { status: App["status"]; revision_id: string | null; published_url: string | null };
    };
