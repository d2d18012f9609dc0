/**
 * What the page needs from the core: wire types and the clients' interfaces.
 *
 * Wire types follow the specs member by member and are replaced by the declarations generated from Rust where those
 * exist. The interfaces are the seam between the page, which wires elements to them, and the clients that implement
 * them over Wasm, Web Workers and HTTP. Elements only ever see the data types of this file.
 */

import type * as Wire from "./wire.ts";
import type { AttemptId, Classification, FailedReason, Purpose, Range, RunState, Severity, SnippetLine, Storage, TokenUse, Verdict } from "./wire.ts";
export type { AttemptId, Classification, FailedReason, Position, Purpose, Range, RunState, Severity, SnippetLine, StepName, StepStatus, Storage, TokenUse, Verdict } from "./wire.ts";
export type * from "./clients.ts";

// ── shapes of every kind (facade.md "Shapes") ────────────────────────────────────────────────────────────────────

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type Files = Record<string, string>;

export type Fix = { range: Range; text: string } | { pointer: string; value: Json };

export interface Diagnostic {
  code: string;
  severity: Severity;
  message: string;
  path?: string;
  pointer?: string;
  range?: Range;
  hint?: string;
  fix?: Fix[];
  /** Of failed expectations. */
  expected?: Json;
  actual?: Json;
}

/** An error answer, the same in the page, on the command line and over HTTP. */
export interface ErrorShape {
  code: string;
  message: string;
  details?: Record<string, Json>;
  hints?: string[];
}

// ── capabilities and plan (ifc-extension.md §3, authoring.md §3) ─────────────────────────────────────────────────

export type Risk = "green" | "yellow" | "red";

export interface CapabilityLine {
  capability: string;
  risk: Risk;
  sentence: string;
  pointer?: string;
}

export type ContributionKind =
  | "command" | "toolbar" | "dock" | "contextMenu" | "keybinding" | "lens" | "exporter" | "idsValidator" | "statusBar";

export interface PlanContribution {
  kind: ContributionKind;
  id: string;
  label: string;
  slot?: string;
  command?: string;
  widget?: string;
  key?: string;
  format?: string;
  when?: string;
  refreshOn?: string[];
}

export interface PlanTest { name: string; fixture: string; contribution: string; assertionSummary: string }

export interface Plan {
  summary: string;
  rationale: string;
  contributions: PlanContribution[];
  capabilities: string[];
  triggers: string[];
  widgets: { path: string; description: string }[];
  tests: PlanTest[];
  notes?: string;
}

export interface PlanEstimate {
  output_low: number;
  output_high: number;
  repair_output_max: number;
  input_per_call_max: number;
  calls_max: number;
  hold_tokens: number;
}

export interface PlanCheck {
  ok: boolean;
  diagnostics: Diagnostic[];
  capabilities: CapabilityLine[];
  overall_risk: Risk;
  estimate?: PlanEstimate;
  text: string;
}

// ── the bundle (ifc-extension.md §7, facade.md) ──────────────────────────────────────────────────────────────────

export interface ManifestContributions {
  commands?: { id: string; title: string; description?: string; icon?: string }[];
  toolbar?: { command: string; slot: string; when?: string; order?: number }[];
  dock?: {
    id: string; title: string; widget: string; slot: string;
    icon?: string; when?: string; data?: string; refreshOn?: string[];
  }[];
  keybindings?: { command: string; key: string; when?: string }[];
  contextMenu?: { command: string; slot: string; when?: string; group?: string }[];
}

export interface Manifest {
  id: string;
  name: string;
  description: string;
  version: string;
  capabilities: string[];
  activation: string[];
  entry: { commands?: Record<string, string>; triggers?: Record<string, string>; activate?: string; deactivate?: string };
  contributes?: ManifestContributions;
}

export interface BundleCheck {
  ok: boolean;
  diagnostics: Diagnostic[];
  manifest: Manifest | null;
  capabilities: CapabilityLine[];
  overall_risk: Risk;
  summary?: Record<string, Json>;
}

export interface TestResult {
  name: string;
  ok: boolean;
  diagnostics: Diagnostic[];
  fixture?: string;
  logs?: { level: string; text: string }[];
  actual?: Json;
  ms?: number;
}

export interface BundleTest {
  ok: boolean;
  tests: TestResult[];
}

export interface DiffLine {
  kind: "context" | "delete" | "insert";
  text: string;
  /** Changed words, as [start, end) in UTF-16 code units. */
  spans?: [number, number][];
}

export interface Hunk {
  id: string;
  old_start: number;
  old_count: number;
  new_start: number;
  new_count: number;
  lines: DiffLine[];
}

export interface TextDiff {
  hunks: Hunk[];
  stats: { added: number; deleted: number };
  unified?: string;
}

export interface FileDiff {
  path: string;
  status: "added" | "modified" | "deleted" | "renamed";
  from?: string;
  diff: TextDiff;
}

export interface CapabilityDiff {
  added: string[];
  removed: string[];
  kept: string[];
  narrowed: { from: string; to: string }[];
  widened: { from: string; to: string }[];
  requires_consent: boolean;
  confirmation: "none" | "click" | "type";
  risk_before: Risk;
  risk_after: Risk;
  consent: CapabilityLine[];
}

export interface BundleDiff {
  files: FileDiff[];
  capabilities?: CapabilityDiff;
  weakened_tests: { name: string; reason: string }[];
}

/** `bundle.review` and `POST /api/v1/extensions/review`: the same bytes (authoring.md §9.1). */
export interface Review {
  base_hash: string | null;
  patch_id: string;
  result_hash: string;
  diff: BundleDiff;
  capabilities: CapabilityDiff;
  weakened_tests: { name: string; reason: string }[];
  confirmation: "none" | "click" | "type";
  reasons: string[];
  confirm_token?: string | null;
  diagnostics: Diagnostic[];
}

// ── the run (authoring.md §6), as `crates/author` shows it ───────────────────────────────────────────────────────

export interface PlanView {
  plan: Plan;
  plan_hash: string;
  ok: boolean;
  approved: boolean;
  diagnostics: Diagnostic[];
  capabilities: CapabilityLine[];
  overall_risk: Risk;
  estimate: PlanEstimate | null;
  text: string;
  edits: number;
  adjustments_left: number;
}

export interface Finding extends Diagnostic {
  stage: "reply" | "check" | "plan" | "tests";
  snippet: SnippetLine[];
  /** Of a failed test: its name. */
  test?: string;
}

export interface AttemptView {
  number: AttemptId;
  purpose: Purpose | null;
  steps: Wire.StepView[];
  changed: Wire.ChangedFile[];
  findings: Finding[];
  autofixes: Wire.Autofix[];
  tests: TestResult[];
  verdict: Verdict;
  best: boolean;
  duration_ms: number | null;
  started_at: number;
}

export interface CapabilityUse extends Wire.CapabilityUse { risk: Risk }

/** The run as the page shows it: a projection of its state, never a second truth. */
export interface RunView {
  kind: string;
  state: RunState;
  attempt: AttemptId | null;
  reason: FailedReason | null;
  best: Wire.Best | null;
  request: string;
  intent: Classification | null;
  plan: PlanView | null;
  attempts: AttemptView[];
  /** The bundle that is shown: in review the one to install, else the best one. */
  files: Files;
  base: Files;
  capabilities: CapabilityUse[];
  tests: TestResult[];
  review: Review | null;
  tokens: TokenUse;
  replies: Wire.ProseReply[];
  /** The model's answer in words, when it ended the run instead of a plan. */
  answer: string | null;
  notices: Wire.Notice[];
  pending: Wire.CallModel | null;
  storage: Storage | null;
  asked_at: number | null;
  approved_at: number | null;
  total_deadline_at: number | null;
  updated_at: number;
}

export type HumanEvent =
  | { type: "Asked"; text: string }
  | { type: "PlanEdited"; plan: Plan }
  | { type: "Adjust"; text: string }
  | { type: "Approved"; plan_hash: string }
  | { type: "Cancel" | "RunOnce" | "AnotherVersion" | "Discard" | "Retry" }
  | { type: "HandEdit"; files: Files }
  | { type: "Install"; confirmation: InstallConfirmation }
  /** What became of an install that waited on the device. */
  | { type: "Stored"; revision_id?: string }
  | { type: "Refused"; code: string };

export interface InstallConfirmation {
  base_hash: string | null;
  patch_id: string;
  result_hash: string;
  granted: string[];
  confirm_token?: string;
  typed_id?: string;
}

/** Money or tokens of one run (gateway.md §13 `/runs`); `cost` in millionths of the currency, 0 when unpriced. */
export interface GatewayRun {
  id: string;
  state: string;
  tokens: number;
  cost: number;
  spent_tokens: number;
  spent_cost: number;
  left_tokens: number;
  left_cost: number;
  returned_tokens: number;
  returned_cost: number;
  in_flight: number;
  deadline: number;
}

/** Drives one run: performs the effects of the sans-IO machine, keeps its log, tells subscribers. */
export interface RunDriver {
  readonly view: RunView;
  /** The gateway's account of the run, when one was opened. */
  readonly gateway: GatewayRun | null;
  /** Why the last call failed, in the codes of gateway.md §12; null when it did not. */
  readonly problem: ErrorShape | null;
  /** Tests that the sandbox has run of the running attempt. */
  readonly testing: { done: number; total: number } | null;
  send(event: HumanEvent): Promise<void>;
  subscribe(listener: () => void): () => void;
  /** Ends timers and calls; the log stays. */
  dispose(): void;
}
