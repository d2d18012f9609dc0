/**
 * What the page needs from the core: wire types and the clients' interfaces.
 *
 * Wire types follow the specs member by member and are replaced by the declarations generated from Rust where those
 * exist. The interfaces are the seam between the page, which wires elements to them, and the clients that implement
 * them over Wasm, Web Workers and HTTP. Elements only ever see the data types of this file.
 */

// ── shapes of every kind (facade.md "Shapes") ────────────────────────────────────────────────────────────────────

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type Files = Record<string, string>;

export interface Position { line: number; column: number }
export interface Range { start: Position; end: Position }
export type Severity = "error" | "warning" | "info";
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

export type RunState =
  | "idle" | "planning" | "gate" | "generating" | "testing" | "review" | "failed" | "installed" | "cancelled"
  | "rerouted" | "refused" | "promoted";

export type FailedReason = "attempts" | "wallclock" | "tokens" | "stalled" | "plan" | "hand";
export type AttemptId = number | "hand";
export type Purpose = "plan" | "generate" | "repair" | "continue" | "fork" | "drift";

export interface Classification {
  intent: "one-shot" | "extension" | "fork" | "out-of-scope";
  mode: "A" | "B" | "C" | null;
  confidence: number;
  signals: string[];
  target: string | null;
  action?: "reroute" | "cancel" | "adjust";
}

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

export interface SnippetLine { number: number; text: string; mark: { start: number; end: number } | null }

export interface Finding extends Diagnostic {
  stage: "reply" | "check" | "plan" | "tests";
  snippet: SnippetLine[];
  /** Of a failed test: its name. */
  test?: string;
}

export type StepName = "write" | "check" | "test";
export type StepStatus = "not-run" | "running" | "passed" | "failed";
export type Verdict = "running" | "passed" | "reply-failed" | "check-failed" | "tests-failed" | "timed-out" | "stopped";

export interface AttemptView {
  number: AttemptId;
  purpose: Purpose | null;
  steps: { step: StepName; status: StepStatus }[];
  changed: { path: string; added: number; deleted: number; lines: number }[];
  findings: Finding[];
  autofixes: { path: string; code: string; message: string }[];
  tests: TestResult[];
  verdict: Verdict;
  best: boolean;
  duration_ms: number | null;
  started_at: number;
}

export interface CapabilityUse extends CapabilityLine {
  new: boolean;
  /** A contribution cannot do without it, so it cannot be unticked. */
  required: boolean;
  places: { path: string; line: number | null; pointer: string | null; text: string }[];
}

export interface TokenUse { held: number; left: number; calls: number; input: number; cached: number; output: number }

export type Storage = { state: "sending" } | { state: "stored"; revision_id: string | null } | { state: "queued" };

/** The run as the page shows it: a projection of its state, never a second truth. */
export interface RunView {
  kind: string;
  state: RunState;
  attempt: AttemptId | null;
  reason: FailedReason | null;
  best: { attempt: AttemptId; check_ok: boolean; errors: number; failing_tests: number } | null;
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
  replies: { at: number; purpose: Purpose; attempt: number | null; text: string }[];
  /** The model's answer in words, when it ended the run instead of a plan. */
  answer: string | null;
  notices: { at: number; code: string; text: string }[];
  pending: { purpose: Purpose; attempt: number | null; max_output_tokens: number; deadline_at: number } | null;
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

// ── the model (crates/model) ─────────────────────────────────────────────────────────────────────────────────────

export interface ModelProblem { code: string; message: string; line?: number; express_id?: number; text?: string }

export interface ModelFacts {
  name: string;
  schema: string;
  size: number;
  elements: number;
  opened_ms: number;
  types: { type: string; count: number }[];
  storeys: { id: number; name: string; elevation: number | null; count: number }[];
  without_storey: number;
  /** What could not be read; empty when everything was. */
  problems: ModelProblem[];
}

export interface TreeNode {
  id: number;
  type: string;
  name: string | null;
  elevation?: number | null;
  children: TreeNode[];
}

export interface ModelRow { id: number; type: string; name: string | null; global_id: string | null; storey: string | null }

export interface ColumnChoice { set: string; name: string; count: number }
export type CellValue = string | number | boolean | null;

export interface PropertyValue { name: string; value: CellValue; unit?: string | null }
export interface PropertyGroup { name: string; kind: "properties" | "quantities"; values: PropertyValue[] }

export interface ElementDetail {
  id: number;
  type: string;
  name: string | null;
  global_id: string | null;
  storey: string | null;
  description?: string | null;
  object_type?: string | null;
  tag?: string | null;
  groups: PropertyGroup[];
}

export interface OpenProgress {
  stage: "header" | "elements" | "storeys" | "properties";
  read: number;
  total: number;
  lines?: number;
  elements?: number;
  header?: string;
}

/** A failed opening: `MODEL_INVALID` and where the file stops making sense. */
export interface ModelOpenError extends ErrorShape {
  details?: { reason?: string; line?: number; excerpt?: string; begins?: string; read?: number };
}

/** The viewer's model in a Web Worker of its own. One model is open at a time; the old one stays until a new one is. */
export interface ModelClient {
  open(file: Blob, name: string, onProgress: (progress: OpenProgress) => void, signal: AbortSignal): Promise<ModelFacts>;
  tree(): Promise<TreeNode[]>;
  rows(): Promise<ModelRow[]>;
  columns(): Promise<ColumnChoice[]>;
  /** One value a row, in the order of `rows()`. */
  column(set: string, name: string): Promise<CellValue[]>;
  details(ids: number[]): Promise<ElementDetail[]>;
  search(text: string): Promise<number[]>;
  close(): void;
}

// ── the sandbox (crates/sandbox, crates/sdk/src/run.rs) ──────────────────────────────────────────────────────────

export interface SandboxFailure { code: string; name?: string; message: string; at?: { path: string; line: number; column: number } }

/** How a call ended and what it wanted to do; the members of ifc-sdk.md §5.3. */
export interface CommandOutcome {
  value: Json | null;
  failure: SandboxFailure | null;
  effects: {
    exports: { filename: string; format: string; mimeType: string; text: string; bytes: number }[];
    viewer: { op: string; refs?: { modelId: string; expressId: number }[]; color?: string }[];
    notifications: { message: string; tone?: string | null }[];
    ui: { op: "update" | "open" | "close"; dock: string; state?: Json }[];
  };
  logs: { level: string; text: string }[];
}

/** Runs extension code in a Web Worker that is killed at its limits; the next call gets a fresh one. */
export interface SandboxClient {
  test(files: Files, onResult?: (done: number, total: number) => void): Promise<BundleTest>;
  /** Runs a command of an installed extension on the open model. */
  run(
    extension: { files: Files; granted: string[] },
    command: string,
    args: Json | undefined,
    selection: number[],
    modelFile: Blob | null,
  ): Promise<CommandOutcome>;
  dispose(): void;
}

// ── the edge (authoring.md §9.1, gateway.md §13) ─────────────────────────────────────────────────────────────────

export interface ExtensionRecord {
  id: string;
  version: string;
  content_hash: string;
  granted: string[];
  enabled: boolean;
  origin: "authored" | "promoted" | "hand";
  installed_at: number;
  sdk_version: string;
  revision_id: string;
  plan_hash?: string;
  reason?: string;
  files?: Files;
}

export interface Revision { revision_id: string; who: string; at: number; cause: string; content_hash: string; version?: string }

export interface Indicator {
  payer: string;
  currency: string;
  state: "ok" | "warn" | "critical" | "out";
  budget: {
    id: string;
    unit: "cost" | "tokens" | "requests";
    period: string;
    limit: number;
    spent: number;
    held: number;
    remaining: number;
    used_permille: number;
    resets_at: number | null;
  } | null;
  today: { cost: number; tokens: number; requests: number };
  run?: GatewayRun;
  estimated: boolean;
}

export interface Quote {
  tokens: { min: number; max: number };
  cost: { min: number; max: number };
  fits: boolean;
  binding_budget?: string;
}

export interface InstallRequest extends InstallConfirmation {
  files: Files;
  plan?: Plan;
  origin: "authored" | "hand";
}

/** Every call rejects with an `ErrorShape`; `OFFLINE` when the network did not answer. */
export interface Api {
  extensions(): Promise<ExtensionRecord[]>;
  extension(id: string): Promise<ExtensionRecord>;
  revisions(id: string): Promise<Revision[]>;
  review(files: Files, baseHash: string | null, granted: string[], plan?: Plan): Promise<Review>;
  install(request: InstallRequest): Promise<ExtensionRecord>;
  change(id: string, action: "undo" | "redo" | "enable" | "disable" | "remove", baseHash: string | null): Promise<ExtensionRecord | null>;
  indicator(): Promise<Indicator>;
  quote(estimate: PlanEstimate, promptTokens: number): Promise<Quote>;
  /** The alias or model that answers, for the page to say. */
  model(): Promise<{ model: string; scripted: boolean }>;
}

/** Everything that the device keeps (IndexedDB). Values are structured clones. */
export interface Store {
  get<T>(area: "runs" | "drafts" | "models" | "installs" | "queue" | "settings", key: string): Promise<T | undefined>;
  put<T>(area: "runs" | "drafts" | "models" | "installs" | "queue" | "settings", key: string, value: T): Promise<void>;
  delete(area: "runs" | "drafts" | "models" | "installs" | "queue" | "settings", key: string): Promise<void>;
  keys(area: "runs" | "drafts" | "models" | "installs" | "queue" | "settings"): Promise<string[]>;
}

/** Pure calls of `wasm-core`, typed; `call` is the door to every other method. */
export interface Core {
  call<T>(method: string, input: unknown): T;
  check(files: Files, options?: { plan?: Plan; origin?: "authored" | "hand" | "promoted" }): BundleCheck;
  planCheck(plan: Plan): PlanCheck;
  diff(before: Files, after: Files): BundleDiff;
  review(files: Files, base: Files | null, granted: string[], plan?: Plan): Review;
  when(expression: string, context: Record<string, Json>): boolean;
}
