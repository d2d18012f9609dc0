/**
 * What a run does, line by line, from the events of its stream (app-builder.md §9, §14 "Timeline"). Pure.
 *
 * Invariant: an event that was heard already changes nothing, so that a stream can be told again from its start.
 */

import type { Diagnostic } from "../types.ts";
import type { RunEvent, Spent } from "./wire.ts";

/** Where a run stands on the road. */
export type RunStep = "ask" | "write" | "check" | "test" | "build" | "review";

export interface RunLine {
  /** Of the call. */
  id: string;
  tool: string;
  /** In the words that came with it. */
  title: string;
  state: "running" | "ok" | "failed";
  path: string;
  /** Milliseconds; null while it runs. */
  elapsed: number | null;
  step: RunStep;
  findings: readonly Diagnostic[];
}

export interface AppRun {
  request: string;
  thread: string;
  /** The last event that was heard. */
  seq: number;
  lines: readonly RunLine[];
  /** What it is doing between its tools. */
  status: string;
  model: string;
  step: RunStep;
  failed: boolean;
  spent: Spent | null;
}

export const begun: AppRun = {
  request: "",
  thread: "",
  seq: 0,
  lines: [],
  status: "",
  model: "",
  step: "ask",
  failed: false,
  spent: null,
};

/** The step of the road that a stage belongs to; other stages leave it where it is. */
const STEPS: Readonly<Record<string, RunStep>> = {
  inspect: "ask",
  context: "ask",
  edit: "write",
  patch_dry_run: "write",
  compile: "check",
  test: "test",
  worker_build: "build",
  bundle: "build",
  patch_ready: "review",
};

/** A run after one more event of it. */
export function advanced(run: AppRun, event: RunEvent): AppRun {
  if (event.seq <= run.seq) return run;
  const next: AppRun = { ...run, request: event.request_id, seq: event.seq };
  const step = STEPS[event.stage] ?? run.step;
  switch (event.event) {
    case "status": {
      const { content = "", model = run.model, thread_id: thread = run.thread } = event.data ?? {};
      return { ...next, status: content || run.status, model, thread, step };
    }
    case "tool":
      return event.data ? called(next, event.data, event.diagnostics ?? [], step) : next;
    case "usage":
      return { ...next, spent: { ...run.spent, ...event.data } };
    case "patch_ops":
      return { ...next, step: "review", failed: false, status: "" };
    case "error":
      return { ...next, failed: true, status: "" };
    case "done":
      return ended({ ...next, spent: event.data?.usage ?? run.spent, status: "" });
    case "token":
      return { ...next, status: "" };
  }
}

type Called = NonNullable<Extract<RunEvent, { event: "tool" }>["data"]>;

function called(run: AppRun, said: Called, findings: Diagnostic[], step: RunStep): AppRun {
  const { call_id: id, tool, title, status, path = "", elapsed_ms: elapsed = null } = said;
  const line: RunLine = {
    ...{ id, tool, title, path, step, findings },
    state: status === "started" ? "running" : status,
    elapsed: status === "started" ? null : elapsed,
  };
  const known = run.lines.some((one) => one.id === id);
  const lines = known ? run.lines.map((one) => (one.id === id ? line : one)) : [...run.lines, line];
  return { ...run, lines, step, status: "", failed: false };
}

/** Nothing runs any more: what had no end was cut off. */
const ended = (run: AppRun): AppRun => ({
  ...run,
  lines: run.lines.map((line) => (line.state === "running" ? { ...line, state: "failed" } : line)),
});
