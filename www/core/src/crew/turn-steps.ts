/** What a turn does while it runs, row by row, from the words of its stream (ai-sessions.md §9 `runtime`). Pure. */

import type { Phase, Runtime } from "./session-wire.ts";

/** One row of what a turn does: a tool, or the model at work. */
export interface TurnStep {
  id: string;
  /** The tool's name; of the model what it does. */
  what: string;
  is: "tool" | "thinking";
  state: "running" | "ok" | "failed";
  code: string;
  /** Milliseconds since the turn was heard of. */
  from: number;
  to: number | null;
}

/** What a turn does, as far as it was told. */
export interface TurnRuntime {
  steps: readonly TurnStep[];
  phase: Exclude<Phase, "summary_delta"> | null;
  /** Calls of the model so far, and repairs. */
  calls: number;
  repairs: number;
}

export const idle: TurnRuntime = { steps: [], phase: null, calls: 0, repairs: 0 };

/** What stays of a turn that is over. */
export const ended = (runtime: TurnRuntime): TurnRuntime => ({
  ...runtime,
  phase: null,
  steps: tools(runtime.steps),
});

/** What a turn does after one more word of it; `at` in milliseconds since it was heard of. */
export function stepped(runtime: TurnRuntime, told: Runtime, at: number): TurnRuntime {
  if (told.kind === "function_call") return called(runtime, told.payload, at);
  const { phase } = told.payload;
  if (phase === "summary_delta") return runtime;
  const calls = runtime.calls + (phase === "model" ? 1 : 0);
  const repairs = runtime.repairs + (phase === "validation_repair" ? 1 : 0);
  const step: TurnStep = {
    id: `${phase} ${runtime.steps.length}`,
    what: phase,
    is: "thinking",
    state: "running",
    code: "",
    from: at,
    to: null,
  };
  return { phase, calls, repairs, steps: [...tools(runtime.steps), step] };
}

function called(
  runtime: TurnRuntime,
  {
    name,
    callId,
    state,
    ok = true,
    code = "",
  }: Extract<Runtime, { kind: "function_call" }>["payload"],
  at: number,
): TurnRuntime {
  const { steps } = runtime;
  if (state === "started") {
    const step: TurnStep = {
      ...{ id: callId, what: name, code: "", from: at, to: null },
      is: "tool",
      state: "running",
    };
    return { ...runtime, steps: [...tools(steps), step] };
  }
  const ended = steps.map(
    (one): TurnStep =>
      one.id === callId && one.state === "running"
        ? { ...one, state: ok ? "ok" : "failed", code, to: at }
        : one,
  );
  return { ...runtime, steps: ended };
}

/** A thought ends when something else begins, and is not kept: what was done is. */
const tools = (steps: readonly TurnStep[]): TurnStep[] => steps.filter(({ is }) => is === "tool");
