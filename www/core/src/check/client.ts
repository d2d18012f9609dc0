/**
 * The page's side of the checks: a kind's module in a thread that starts with the first question.
 *
 * Owns the thread and the order of what is asked. A call that traps answers `CHECK_TRAPPED` and ends the thread; what
 * waits behind it is asked of a fresh one. Invariant: every question is answered once.
 */

import { answered, CoreError } from "../core.ts";
import type { CheckName, Thread } from "../platform/types.ts";
import { platform } from "../platform.ts";
import type { Checks, Json } from "../types.ts";
import { moduleOf } from "./kinds.ts";
import { checkModule } from "./module.ts";
import type { CheckAnswer, CheckRequest } from "./protocol.ts";

type CheckThread = Thread<CheckRequest, CheckAnswer>;

class Line {
  readonly #kind: string;
  #thread: CheckThread | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Asks when everything that was asked before is answered. */
  ask(request: CheckRequest): Promise<string> {
    const next = this.#last.then(() => this.#answer(request));
    this.#last = next.catch(() => undefined);
    return next;
  }

  end(): void {
    this.#thread?.end();
    this.#thread = undefined;
  }

  async #answer(request: CheckRequest): Promise<string> {
    this.#thread ??= await started(moduleOf(this.#kind));
    const answer = await asked(this.#thread, request);
    if ("text" in answer) return answer.text;
    this.end();
    throw trapped(answer.trapped);
  }
}

async function started(name: CheckName): Promise<CheckThread> {
  const module = await checkModule(name);
  const thread: CheckThread = await platform.thread(name);
  const ready = await asked(thread, { do: "start", module });
  if ("text" in ready) return thread;
  thread.end();
  throw trapped(ready.trapped);
}

/** One request and its answer; a thread that does not start answers as a trap. */
const asked = (thread: CheckThread, request: CheckRequest): Promise<CheckAnswer> =>
  thread.ask(request).catch((error: unknown): CheckAnswer => {
    return { trapped: error instanceof Error ? error.message : String(error) };
  });

const trapped = (why: string): CoreError =>
  new CoreError({
    code: "CHECK_TRAPPED",
    message: `This could not be checked: ${why}. Make the files simpler, then try again.`,
  });

/**
 * The checks of bundles of a kind (`ifc-extension`, `script-tool`, `crew-package`); the kind's module is loaded and its
 * thread starts with the first question.
 */
export function createChecks(kind: string): Checks {
  const line = new Line(kind);
  const method = async <T>(name: string, input: object): Promise<T> =>
    answered<T>(await line.ask({ do: "call", method: name, input: JSON.stringify(input) }));
  return {
    call: method,
    check: (files, options = {}) => method("bundle.check", { kind, files, options }),
    planCheck: (plan) => method("plan.check", { plan }),
    review: (files, base, granted, { plan, origin } = {}) =>
      method("bundle.review", {
        kind,
        files,
        base: base?.files ?? null,
        ...(base?.granted ? { base_granted: base.granted } : {}),
        granted,
        ...(plan ? { plan } : {}),
        ...(origin ? { origin } : {}),
      }),
    prepareTests: (files, granted) =>
      method("tests.prepare", { kind, files, profile: "dry-run", granted }),
    judgeTests: (plan, outcomes) => method("tests.judge", { plan, outcomes }),
    prepareCall: async (asked) => {
      const input = { kind, ...asked };
      return (await method<{ program: Json | null }>("call.prepare", input)).program;
    },
    dispose: () => line.end(),
  };
}
