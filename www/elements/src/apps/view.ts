/** What the pages of apps show, as values. The controller fills them; elements draw and emit. */
import type {
  AppRun,
  AppTemplate,
  BuildPhase,
  ChangedPath,
  ExportFormat,
  OriginKind,
  Outcome,
  ProposedBehaviour,
  Scaffold,
} from "@holdpoint/core/apps";
import type { Diagnostic, ErrorShape } from "@holdpoint/core/types";
import type { DiffFile } from "../diff/view.js";
import type { Found } from "../findings/view.js";
import type { FootView } from "../review/approval.js";
import type { Claim } from "../review/claims.js";
import type { ReviewView } from "../review/view.js";
import type { ComposerView, ConversationView } from "../talk/view.js";
import type { TextKey } from "../text/index.js";

// ── the list ─────────────────────────────────────────────────────────────────────────────────────────────────────

export interface AppLine {
  id: string;
  name: string;
  slug: string;
  status: "draft" | "published" | "archived";
  /** Unpublished, but was live. */
  was: boolean;
  /** Null while it is not read. */
  draft: { number: number; build: BuildPhase | null } | null;
  live: number | null;
  /** A run goes on in it. */
  running: boolean;
  /** Text on this device that no version has. */
  unsaved: boolean;
  at: number;
}

export interface AppsView {
  state: "loading" | "ready" | "failed";
  apps: readonly AppLine[];
  templates: readonly AppTemplate[];
  problem: ErrorShape | null;
  creating: boolean;
  /** What was wrong with the address that was asked for. */
  refused: ErrorShape | null;
  offline: boolean;
  now: number;
}

// ── one app ──────────────────────────────────────────────────────────────────────────────────────────────────────

export type AppPart = "workspace" | "versions" | "publish" | "settings" | "services" | "export";

export interface BuildView {
  phase: BuildPhase | null;
  stage: string;
  /** Since when it runs; how long it took. */
  since: number | null;
  took: number | null;
  code: string;
  error: string;
  superseded: boolean;
  findings: readonly Diagnostic[];
  log: string;
  /** Why it cannot be built again now; empty while it can. */
  off: string;
  /** The version that is built. */
  number: number;
  now: number;
}

export interface AppBarView {
  name: string;
  draft: number;
  build: BuildView;
  live: { number: number | null; address: string } | null;
  part: AppPart;
  versions: number | null;
}

export type Device = "phone" | "tablet" | "full";

export interface PreviewView {
  /** Of what is shown; null while nothing was built. */
  address: string | null;
  /** Names what is shown: another name is another page, another token of the same is not. */
  shown: string;
  state:
    | "none"
    | "ready"
    | "building"
    | "last-good"
    | "failed"
    | "result"
    | "result-building"
    | "result-none";
  /** The version that is shown, and the draft. */
  number: number | null;
  draft: number;
  /** Why there is none. */
  problem: ErrorShape | null;
  /** Of a result that is not applied. */
  print: string;
  device: Device;
  route: string;
  /** What went wrong in the app while it ran, each once. */
  errors: readonly RuntimeError[];
  /** False while it has to be said that the browser keeps nothing for the frame. */
  storage: boolean;
  /** An element is being chosen; null where none can be. */
  picking: boolean | null;
  /** The way back to the version before, beside what went wrong. */
  undo: StepView | null;
}

/** As the app in the frame tells it: its text, and the place in what was built. */
export interface RuntimeError {
  message: string;
  asset: string;
  line: number;
  column: number;
  count: number;
  /** The same place in the source, once it is known. */
  source?: SourcePlace;
}

export interface SourcePlace {
  path: string;
  line: number;
}

export interface CodeView {
  files: readonly string[];
  open: string | null;
  /** Bytes of the open file, where it holds no text. */
  bytes: number | null;
  edited: readonly string[];
  /** Errors of each file. */
  errors: Readonly<Record<string, number>>;
  findings: readonly Diagnostic[];
  /** Whether the findings are of what stands there now. */
  checked: boolean;
  saving: boolean;
  /** Why it cannot be saved; empty while it can. */
  off: string;
  /** What a save would make. */
  next: number;
  gate: "build" | "check";
  /** Why the last save was refused. */
  refused: { error: ErrorShape; findings: readonly Diagnostic[] } | null;
}

export interface StepView {
  on: boolean;
  reason: string;
}

/** Requests to begin with, by the template of the app. The scripted model knows them. */
export const starts: Readonly<Record<string, readonly TextKey[]>> = {
  "blank-react": ["apps.start.blank-react.1", "apps.start.blank-react.2"],
  "chat-classic": ["apps.start.chat-classic.1", "apps.start.chat-classic.2"],
  dashboard: ["apps.start.dashboard.1", "apps.start.dashboard.2"],
};

/** What a turn has to show under its words. */
export interface AppTurnExtras {
  run: AppRun | null;
  outcome: Outcome | null;
  error: ErrorShape | null;
  card: "open" | "parked" | "applied" | "discarded" | null;
}

export interface AppTalkView {
  conversation: ConversationView;
  composer: ComposerView;
  extras: Readonly<Record<string, AppTurnExtras>>;
}

/** What a gate said; of one that did not say yes it is not always known whether it was asked. */
export type GateState = "passed" | "failed" | "none";

export interface AppReviewView {
  state: "loading" | "failed" | "ready";
  problem: ErrorShape | null;
  summary: string;
  rationale: string;
  assumptions: readonly string[];
  /** What the app does with what is taken: lost ones first, then new ones. */
  behaviours: readonly ProposedBehaviour[];
  /** In what its words and the whole change differ. */
  claims: readonly Claim[];
  files: readonly DiffFile[];
  changed: readonly ChangedPath[];
  /** Of files with places: those that are taken; others whole or not. */
  taken: Readonly<Record<string, boolean | readonly string[]>>;
  gates: Readonly<{ compile: GateState; tests: "passed" | "none"; build: GateState }>;
  parked: boolean;
  /** Nothing of it was applied, because the draft is another one now. */
  stale: boolean;
  /** What keeps the result from being applied. */
  errors: readonly Found[];
  sheet: ReviewView;
  foot: FootView;
  layout: "split" | "uni";
  result: PreviewView;
}

export interface VersionLine {
  id: string;
  number: number;
  origin: OriginKind;
  /** The number that it was taken from. */
  of: number | null;
  label: string;
  files: number;
  build: BuildPhase | null;
  draft: boolean;
  live: boolean;
  at: number;
}

export interface AppVersionsView {
  state: "loading" | "ready" | "failed";
  problem: ErrorShape | null;
  offline: boolean;
  lines: readonly VersionLine[];
  more: boolean;
  chosen: string | null;
  ticked: readonly string[];
  /** Of two versions what differs; null while it is read. */
  compare: {
    from: number;
    to: number;
    /** The ids of both. */
    ends: readonly [string, string];
    files: readonly DiffFile[];
    changed: readonly ChangedPath[];
    /** A model can be asked about it. */
    asks: boolean;
    /** Files of the older one can be taken into the draft. */
    takes: boolean;
  } | null;
  foot: FootView | null;
  layout: "split" | "uni";
  now: number;
}

export interface PublishView {
  state: "loading" | "ready" | "pending" | "failed" | "blocked" | "published" | "offline";
  draft: number;
  print: string;
  live: number | null;
  liveAt: number | null;
  /** Everybody can open there what is live. */
  address: string | null;
  /** It was published, be it now or before. */
  was: boolean;
  slug: string;
  health: readonly Diagnostic[] | null;
  healthProblem: ErrorShape | null;
  looking: boolean;
  build: BuildView;
  history: readonly {
    seq: number;
    id: string;
    number: number | null;
    kind: "publish" | "rollback" | "unpublish";
    at: number;
    live: boolean;
    /** Its page can be gone back to. */
    back: boolean;
  }[];
  foot: FootView;
  busy: boolean;
  now: number;
}

/** What a person changes of the settings of an app; what is absent stays. */
export interface SettingsEdit {
  name?: string;
  slug?: string;
  policy?: "curated" | "registry-pinned";
  /** A version is saved when it is built, or when it is checked. */
  gate?: "build" | "check";
  /** Tests have to pass before it is published. */
  tests?: boolean;
  /** Addresses that the page may reach. */
  origins?: readonly string[];
  /** Public values that it is built with. */
  env?: readonly { name: string; value: string }[];
}

export interface AppSettingsView extends Required<SettingsEdit> {
  /** Its name as it is kept. */
  saved: string;
  /** What is wrong, by field; of a row as `env/2`. */
  errors: Readonly<Record<string, string>>;
  published: boolean;
  archived: boolean;
  changed: boolean;
  busy: boolean;
  /** Why nothing can be done now; empty while it can. */
  off: string;
  draft: number;
  foot: FootView;
}

export interface AppServicesView {
  state: "loading" | "failed" | "ready";
  problem: ErrorShape | null;
  services: readonly Scaffold[];
  /** The key of one of them. */
  chosen: string;
  /** What a person filled in, by field. */
  values: Readonly<Record<string, string>>;
  /** What is wrong, by field. */
  errors: Readonly<Record<string, string>>;
  /** Files of the draft: the others are new. */
  paths: readonly string[];
  /** Addresses that the page may reach already. */
  origins: readonly string[];
  /** The proposal that was made and is not decided; empty where there is none. */
  waits: string;
  busy: boolean;
  foot: FootView | null;
}

export interface AppExportView {
  state: "loading" | "failed" | "ready";
  problem: ErrorShape | null;
  versions: readonly { id: string; number: number; draft: boolean; live: boolean }[];
  format: ExportFormat;
  /** Empty: from nothing. */
  from: string;
  to: string;
  /** The first lines of what was made, where it is a text. */
  begins: string;
  making: boolean;
  /** Why it was not made. */
  fault: ErrorShape | null;
  /** Makes a commit of it in a clone. */
  command: string;
  foot: FootView | null;
}

/** The same place was changed here and in a newer version. */
export interface AppConflictView {
  number: number;
  at: number;
  changed: readonly string[];
  /** Places that meet; empty where both fit together. */
  meet: readonly string[];
  files: readonly DiffFile[];
  decided: Record<string, Record<string, boolean>>;
  layout: "split" | "uni";
  foot: FootView;
}
