/**
 * Runs scripts: one at a time, each in an interpreter of its own, ended at its limits.
 *
 * Invariant: a worker that ran a script is never used again, and none outlives its run. The clock is the page's:
 * nothing that a script does delays the end of it.
 */
import { INPUT_DIR } from "./driver.ts";
import { RUN_LIMITS, type RunLimits, START_MS } from "./limits.ts";
import { type RunEnd, type RunOutcome, told } from "./outcome.ts";
import type { Job, ToWorker } from "./protocol.ts";
import { type Load, Workers } from "./workers.ts";

/** What is heard of a run while it runs. */
export interface Hears {
  /** The entry point is called now. */
  began(): void;
  printed(text: string): void;
}

export interface Running {
  outcome: Promise<RunOutcome>;
  stop(): void;
}

export class PythonRunner {
  readonly #workers: Workers;
  #stop: (() => void) | null = null;

  constructor(
    load: Load,
    private readonly limits: RunLimits = RUN_LIMITS,
  ) {
    this.#workers = new Workers(load, limits.memoryBytes);
  }

  /** Bytes of the interpreter that came so far. */
  get here(): number {
    return this.#workers.here;
  }

  /** It is here and compiled: a run loads nothing. */
  get ready(): boolean {
    return this.#workers.ready;
  }

  /** Fetches and compiles the interpreter, once; a failed try is made again by the next call. */
  prepare(progress: (bytes: number) => void = () => undefined): Promise<void> {
    return this.#workers.prepare(progress);
  }

  /** Runs one job; the interpreter is prepared. A run that is still going on is stopped. */
  run(job: Job, hears: Hears): Running {
    this.#stop?.();
    let stopped = false;
    let end: (how: RunEnd) => void = () => {
      stopped = true;
    };
    const outcome = this.prepare().then(
      () =>
        new Promise<RunOutcome>((resolve) => {
          if (stopped) return resolve(nothing("stopped"));
          end = this.#ran(job, hears, resolve);
        }),
    );
    const stop = () => end("stopped");
    this.#stop = stop;
    return { outcome, stop };
  }

  /** Ends what runs, and the interpreter that waits for the next run; what was loaded stays. */
  rest(): void {
    this.#stop?.();
    this.#workers.rest();
  }

  /** Answers how the run is ended from outside. */
  #ran(job: Job, hears: Hears, resolve: (outcome: RunOutcome) => void): (how: RunEnd) => void {
    const worker = this.#workers.take();
    let printed = "";
    let since = performance.now();
    let timer = 0;
    let [begun, over] = [false, false];
    const end = (how: RunEnd, more: Partial<RunOutcome> = {}) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      this.#workers.end(worker);
      this.#stop = null;
      const ms = Math.round(performance.now() - since);
      resolve({ ...nothing(how), printed, ms, ...more });
      this.#workers.wait();
    };
    const broken = (problem: string) => end("broken", { problem: { ...none, message: problem } });
    worker.broke = broken;
    worker.hear = (said) => {
      if (said.is === "began" && !begun) {
        begun = true;
        since = performance.now();
        clearTimeout(timer);
        timer = window.setTimeout(() => end("time"), this.limits.wallMs);
        hears.began();
        // The next run, often of the other texts, finds an interpreter that has started.
        this.#workers.wait();
      }
      if (said.is === "print") {
        const text = String(said.text).slice(0, this.limits.printBytes - printed.length);
        printed += text;
        hears.printed(printed);
      }
      if (said.is === "limit") end(said.what === "memory" ? "memory" : "print");
      if (said.is === "failed") broken(said.problem);
      if (said.is === "done") {
        const outcome = told(said.said, said.files, this.limits);
        if (!outcome) return broken("");
        const memory = outcome.problem?.kind === "MemoryError";
        if (memory) end("memory", outcome);
        else end(outcome.problem ? "failed" : "done", { ...outcome, ms: Math.round(said.ms) });
      }
    };
    timer = window.setTimeout(() => broken("It did not start."), START_MS);
    worker.ready.then(
      () => {
        const asked: ToWorker = { job, limits: this.limits, inputDir: INPUT_DIR };
        if (!over) worker.port.postMessage(asked);
      },
      (error: unknown) => broken(String(error)),
    );
    return end;
  }
}

const none = { kind: "", message: "", line: null, column: null, package: "", trace: "" };
const nothing = (end: RunEnd): RunOutcome => ({
  end,
  printed: "",
  outputs: [],
  leftOut: [],
  problem: null,
  ms: 0,
});
