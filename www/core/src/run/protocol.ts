/** What passes between the page and the Web Worker of a run. */

import type {
  Files,
  HumanEvent,
  InstallConfirmation,
  Json,
  PartialFile,
  RunView,
} from "../types.ts";

/** What is kept of a run; enough to go on after a reload. */
export interface StoredRun {
  base: Files;
  events: Json[];
  gateway_run?: string;
  /** The gateway's account as it was last told, so that it is known after a reload. */
  account?: Json;
  at: number;
}

/** What is drawn of a run beside its view. */
export interface RunFacts {
  gateway: Json;
  problem: Json;
  received: number;
  writing: PartialFile[];
  provider: string | null;
  signed_out: boolean;
}

export type ToRun =
  | {
      do: "start";
      module: WebAssembly.Module;
      /** Of the bundle. */
      kind: string;
      base: Files;
      stored: StoredRun | null;
      trapped: boolean;
    }
  | { do: "send"; id: number; event: HumanEvent }
  | { do: "signed_in" }
  /** Timers and calls end; the log stays. */
  | { do: "dispose" }
  /** The page's answer to a question of the run. */
  | { do: "answer"; id: number; value: unknown }
  | { do: "refuse"; id: number; message: string };

/** A script that is run on the open model, as the one command of a bundle. */
export interface ScriptCall {
  files: Files;
  command: string;
  granted: string[];
}

/** What the driver needs of the page. */
export type RunQuestion =
  | { ask: "token" | "session" }
  | { ask: "test"; files: Files }
  | ({ ask: "script" } & ScriptCall)
  | { ask: "apply"; view: RunView; confirmation: InstallConfirmation }
  | { ask: "save"; events: Json[]; gatewayRun: string | undefined };

export type FromRun =
  | { tell: "moved"; view: RunView; facts: RunFacts }
  /** The event was taken; the state that it led to was told before. */
  | { tell: "sent"; id: number }
  | { tell: "refused"; id: number; message: string }
  /** The instance is lost; the worker must be ended. */
  | { tell: "trapped"; message: string }
  | ({ tell: "asks"; id: number } & RunQuestion);
