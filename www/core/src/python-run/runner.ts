/**
 * Runs scripts in workers of a frame without an origin: one at a time, each in an interpreter of its own, ended at its
 * limits.
 *
 * Invariant: a worker that ran a script is never used again, and none outlives its run or the runner. The clock is the
 * page's: nothing that a script does delays the end of it.
 */
import { DRIVER, INPUT_DIR } from "./driver.ts";
import { FRAME_DOCUMENT } from "./frame.ts";
import { RUN_LIMITS, type RunLimits, START_MS } from "./limits.ts";
import { type RunEnd, type RunOutcome, told } from "./outcome.ts";
import type { FromFrame, FromWorker, Interpreter, Job, ToFrame, ToWorker } from "./protocol.ts";
import { workerScript } from "./worker.ts";

const PAGE_BYTES = 65_536;

/** Fetches the interpreter; says meanwhile how many of its bytes are here. */
export type Load = (progress: (bytes: number) => void) => Promise<Interpreter>;

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

/** The interpreter could not be fetched or started. */
export class InterpreterAway extends Error {}

interface Started {
  id: number;
  port: MessagePort;
  ready: Promise<void>;
  /** Hears every word of the worker; set by whoever uses it. */
  hear: (said: FromWorker) => void;
  broke: (problem: string) => void;
}

export class PythonRunner {
  #frame: HTMLIFrameElement | null = null;
  #loading: Promise<void> | null = null;
  #spare: Started | null = null;
  readonly #workers = new Map<number, Started>();
  #started = 0;
  #here = 0;
  #ready = false;
  #stop: (() => void) | null = null;

  constructor(
    private readonly load: Load,
    private readonly limits: RunLimits = RUN_LIMITS,
  ) {}

  /** Bytes of the interpreter that came so far. */
  get here(): number {
    return this.#here;
  }

  /** It is here and compiled: a run loads nothing. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Fetches and compiles the interpreter, once; a failed try is made again by the next call. */
  prepare(progress: (bytes: number) => void = () => undefined): Promise<void> {
    this.#loading ??= this.#prepared(progress).catch((error: unknown) => {
      this.#loading = null;
      this.#frame?.remove();
      this.#frame = null;
      throw error instanceof InterpreterAway ? error : new InterpreterAway(String(error));
    });
    return this.#loading;
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

  close(): void {
    this.#stop?.();
    removeEventListener("message", this.#heard);
    this.#frame?.remove();
    this.#frame = null;
    this.#loading = null;
    this.#spare = null;
    this.#ready = false;
  }

  /** Answers how the run is ended from outside. */
  #ran(job: Job, hears: Hears, resolve: (outcome: RunOutcome) => void): (how: RunEnd) => void {
    const worker = this.#spare ?? this.#start();
    this.#spare = null;
    let printed = "";
    let since = performance.now();
    let timer = 0;
    let over = false;
    const end = (how: RunEnd, more: Partial<RunOutcome> = {}) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      this.#end(worker);
      this.#stop = null;
      const ms = Math.round(performance.now() - since);
      resolve({ ...nothing(how), printed, ms, ...more });
      // The next run finds an interpreter that has started.
      if (this.#frame) this.#spare ??= this.#start();
    };
    const broken = (problem: string) => end("broken", { problem: { ...none, message: problem } });
    worker.broke = broken;
    worker.hear = (said) => {
      if (said.is === "began") {
        since = performance.now();
        clearTimeout(timer);
        timer = window.setTimeout(() => end("time"), this.limits.wallMs);
        hears.began();
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

  #start(): Started {
    this.#started += 1;
    const { port1, port2 } = new MessageChannel();
    const id = this.#started;
    let up: () => void = () => undefined;
    let down: (error: Error) => void = () => undefined;
    const ready = new Promise<void>((resolve, reject) => {
      [up, down] = [resolve, reject];
    });
    ready.catch(() => undefined);
    const fails = (problem: string) => {
      if (this.#spare?.id === id) this.#spare = null;
      down(new InterpreterAway(problem));
    };
    const worker: Started = { id, port: port1, ready, hear: () => undefined, broke: fails };
    port1.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.is === "ready") return up();
      if (data.is === "failed") fails(data.problem);
      worker.hear(data);
    };
    this.#workers.set(id, worker);
    const memoryPages = Math.floor(this.limits.memoryBytes / PAGE_BYTES);
    this.#say({ is: "start", id, memoryPages, driver: DRIVER }, [port2]);
    return worker;
  }

  #end({ id, port }: Started): void {
    port.close();
    this.#workers.delete(id);
    this.#say({ is: "end", id });
  }

  #say(what: ToFrame, move: Transferable[] = []): void {
    // A document of no origin has no name to be addressed by.
    this.#frame?.contentWindow?.postMessage(what, "*", move);
  }

  #hear: (said: FromFrame) => void = () => undefined;
  #heard = ({ source, data }: MessageEvent<FromFrame>): void => {
    if (this.#frame && source === this.#frame.contentWindow) this.#hear(data);
  };

  async #prepared(progress: (bytes: number) => void): Promise<void> {
    const { scripts, wasm, library } = await this.load((bytes) => {
      this.#here = bytes;
      progress(bytes);
    });
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.setAttribute("aria-hidden", "true");
    frame.tabIndex = -1;
    frame.hidden = true;
    frame.title = "";
    frame.srcdoc = FRAME_DOCUMENT;
    this.#frame = frame;
    addEventListener("message", this.#heard);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new InterpreterAway("No frame.")), START_MS);
      this.#hear = (said) => {
        const all = [...scripts, workerScript()];
        if (said.is === "up")
          this.#say({ is: "load", wasm, library, scripts: all }, [wasm, library]);
        if (said.is !== "loaded") return;
        clearTimeout(timer);
        if (said.problem) reject(new InterpreterAway(said.problem));
        else resolve();
      };
      document.body.append(frame);
    });
    this.#ready = true;
    this.#hear = (said) => {
      if (said.is === "broken") this.#workers.get(said.id)?.broke(said.problem);
    };
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
