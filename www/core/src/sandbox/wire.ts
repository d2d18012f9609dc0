/** What the page and the sandbox say to each other (crates/sandbox, crates/sdk/src/run.rs). */

import type { BundleTest, Files, Json, SandboxFailure } from "../types.ts";

/** An element outside of the page; what was written when there was one model may leave out which (`EntityRef`). */
export interface ElementRef {
  modelId?: string | undefined;
  expressId: number;
}

/** A model that is open, as the sandbox takes it. */
export interface SandboxModel {
  /** 16 hex of the file's hash. */
  id: string;
  /** Of this opening of the file: closed and opened again it is another one. */
  opening: number;
  name: string;
  file: Blob;
  /** Extensions see it. */
  on: boolean;
  /** It is meant where none is named. */
  active: boolean;
}

/** A call of `bim.viewer`, or the colours of a lens with what they mean. */
export interface ViewerEffect {
  op: string;
  refs?: ElementRef[];
  color?: string;
  label?: string | null;
}

/** A record before and after a change, as STEP text; null where there is none (`ModelEdit` of the model). */
export interface RecordEdit {
  id: number;
  before: string | null;
  after: string | null;
}
/** What a call changed in a model. */
export interface ModelEdits {
  modelId: string;
  edits: RecordEdit[];
}

/** How a call ended and what it wanted to do; the members of ifc-sdk.md §5.3. */
export interface CallOutcome {
  value: Json | null;
  failure: SandboxFailure | null;
  effects: {
    exports: { filename: string; format: string; mimeType: string; text: string; bytes: number }[];
    viewer: ViewerEffect[];
    /** What the call changed in the models; another copy does the same with `edits`. */
    changes?: ModelEdits[];
    mutations?: { op: string; set?: string; name?: string; element?: string | null }[];
    notifications: { message: string; tone?: string | null }[];
    ui: { op: "update" | "open" | "close"; dock: string; state?: Json }[];
    storage?: Record<string, Json>;
    storage_writes?: number;
  };
  logs: { level: string; text: string }[];
}

/** What an installed extension is asked to do (crates/kinds, `testing::Asked`). */
export type Asked =
  | { command: { id: string; args?: Json | undefined } }
  | { contextMenu: { id: string } }
  | { lens: { id: string } }
  | { exporter: { id: string; options?: Json | undefined } }
  | { idsValidator: { id: string } }
  | { trigger: { event: string; modelId?: string | undefined } }
  | "activate"
  | "deactivate";

/** An extension as the sandbox sees it. What may change is asked when a call begins. */
export interface RunningExtension {
  /** Names its realm: the same bundle of the same extension. */
  key: string;
  /** It is not installed: it runs on copies of the models, and what it changes there ends with it. */
  trial?: boolean;
  files: Files;
  granted: string[];
  locale: string;
  selection(): ElementRef[];
  storage(): Record<string, Json>;
  /** Storage after a call that wrote. */
  keep(storage: Record<string, Json>): void;
  /** A request is sent; of a trial it is held back. */
  asked?(request: { host: string; method: string }): void;
  /** In the order in which they were opened. */
  models(): SandboxModel[];
}

/**
 * `activation` is null when the extension was active already or has nothing to activate; `outcome` when nothing was
 * called.
 */
export interface Called {
  activation: CallOutcome | null;
  outcome: CallOutcome | null;
}

/** Runs extension code in Web Workers that are killed at their limits; the next call gets a fresh one. */
export interface SandboxClient {
  /** Runs the tests with exactly what is granted; without `granted` with all that is declared. */
  test(
    files: Files,
    onResult?: (done: number, total: number) => void,
    granted?: string[],
  ): Promise<BundleTest>;
  /** Calls an extension on the models that are on, and activates it before where it is not active. */
  call(extension: RunningExtension, asked: Asked): Promise<Called>;
  /**
   * Ends its activation: `deactivate`, then what was left for the end. Null when it was not active. A trial ends at
   * once, with whatever still runs in it, and nothing of it is called.
   */
  end(extension: RunningExtension): Promise<CallOutcome | null>;
  dispose(): void;
}

/** One call of an installed bundle, as `prepareCall` takes it. */
export interface PreparedFor {
  files: Files;
  call: Asked;
  grants: string[];
  /** Ids of those that it sees, in their order. */
  models: string[];
  activeModel?: string | undefined;
  selection: ElementRef[];
  storage: Record<string, Json>;
  locale: string;
}
