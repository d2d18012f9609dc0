/** What running a script shows, as values: its forms and files, what was run, and what came of it. */
import type {
  Entered,
  FieldIs,
  Output,
  OutputDifference,
  RunEnd,
} from "@holdpoint/core/python-run";

import { t } from "../text/index.js";

export type FormId = "settings" | "input";

export interface RunField {
  name: string;
  is: FieldIs;
  title: string;
  help: string;
  required: boolean;
  options: readonly string[];
  value: Entered;
  /** What is wrong with it, in words; empty while it is fine or nobody tried it. */
  problem: string;
  /** The file that it is filled from. */
  file: { name: string; size: number } | null;
}

/** `broken`: the schema cannot be read, and there is no form. */
export interface RunForm {
  id: FormId;
  state: "ready" | "broken";
  /** As its schema names it. */
  title: string;
  fields: RunField[];
}

/** An error of the script in the person's words. */
export interface RunError {
  title: string;
  text: string;
  /** Of `tool.py`. */
  line: number | null;
  /** What stands in that line. */
  source: string;
  /** The line is in the editor as it was run. */
  linked: boolean;
  /** What Python said, to be copied. */
  trace: string;
}

export type RunSide = "now" | "proposed";

/** One run: of the texts as they stand, or of the proposal. */
export interface RunColumn {
  side: RunSide;
  /** The fingerprint that is signed; empty where nothing is proposed. */
  print: string;
  state: "waits" | "starting" | "running" | RunEnd;
  printed: string;
  outputs: readonly Output[];
  leftOut: readonly string[];
  error: RunError | null;
  ms: number;
  differs: { outputs: readonly OutputDifference[]; printed: OutputDifference } | null;
}

export interface RunExample {
  id: string;
  title: string;
  /** What the last run of it said: as it is kept, or another way. */
  state: "kept" | "runs" | "same" | "differs";
  side: RunSide;
}

/** A limit of time as people say it. */
export const seconds = (ms: number): string =>
  t("script.run.seconds", { n: Math.round(ms / 1000) });
/** A limit of bytes. */
export const megabytes = (bytes: number): string =>
  t("script.run.megabytes", { n: Math.round(bytes / 1_000_000) });

export interface RunView {
  phase: "idle" | "loading" | "running";
  /** Bytes of the interpreter that are here, of how many. `done` is all of them when it is ready. */
  load: { here: number; of: number; done: boolean };
  /** Why the interpreter could not be loaded; empty while it can. */
  away: string;
  which: RunSide | "both";
  /** The proposal that can be run beside; null where there is none. */
  proposed: { print: string } | null;
  forms: RunForm[];
  /** Files beside the forms. */
  files: { name: string; size: number }[];
  /** Why a file was not taken; empty where all were. */
  refused: string;
  columns: RunColumn[];
  /** Of two columns: whether they came to the same. */
  same: boolean | null;
  /** Texts or input are others than those that were run. */
  moved: boolean;
  /** Fields that are in the way of a run. */
  faults: number;
  since: number;
  now: number;
  examples: RunExample[];
  /** What was run can be kept as an example. */
  keeps: boolean;
}
