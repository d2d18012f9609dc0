/**
 * What goes between the page, the frame of no origin and the worker in it.
 *
 * Invariant: what comes from there was written by a script that nobody trusts; `outcome.ts` reads it.
 */
import type { RunLimits } from "./limits.ts";

/** The bytes of the interpreter, as the page fetched them. */
export interface Interpreter {
  /** Classic scripts, in order: the glue of the module, then the loader. */
  scripts: string[];
  wasm: ArrayBuffer;
  library: ArrayBuffer;
}

export interface InputFile {
  name: string;
  bytes: Uint8Array;
}

/** One call of an entry point. */
export interface Job {
  /** `tool.py` and the name in `entrypoint.txt`. */
  text: string;
  entry: string;
  settings: Record<string, unknown>;
  inputs: Record<string, unknown>;
  files: InputFile[];
}

/** To the frame. */
export type ToFrame =
  | { is: "load"; wasm: ArrayBuffer; scripts: string[]; library: ArrayBuffer }
  | { is: "start"; id: number; memoryPages: number; driver: string; memory: Blob | null }
  | { is: "end"; id: number };
/** From the frame. */
export type FromFrame =
  | { is: "up" }
  | { is: "loaded"; problem: string }
  | { is: "broken"; id: number; problem: string };

/** To a worker, through its port. */
export type ToWorker = { job: Job; limits: RunLimits; inputDir: string };
/** From a worker. */
export type FromWorker =
  | { is: "ready"; memory: Blob | null }
  | { is: "failed"; problem: string }
  | { is: "began" }
  | { is: "print"; text: string }
  | { is: "limit"; what: "print" | "memory" }
  | { is: "done"; said: string; files: { name: string; bytes: ArrayBuffer }[]; ms: number };
