/**
 * Workers with an interpreter, in one frame without an origin.
 *
 * Owns the frame, its workers and the spare: an interpreter that has started and waits for the next run. The first
 * starts from the files; what its memory was then, before any script, is what later ones start from. Knows nothing of
 * what they run.
 *
 * Invariants: memory of an interpreter that ran a script reaches no other one. There is at most one spare, none before
 * somebody asked for one, and none while the page is out of sight for long.
 */
import { DRIVER } from "./driver.ts";
import { FRAME_DOCUMENT } from "./frame.ts";
import { SPARE_HIDDEN_MS, START_MS } from "./limits.ts";
import type { FromFrame, FromWorker, Interpreter, ToFrame } from "./protocol.ts";
import { workerScript } from "./worker.ts";

const PAGE_BYTES = 65_536;

/** Fetches the interpreter; says meanwhile how many of its bytes are here. */
export type Load = (progress: (bytes: number) => void) => Promise<Interpreter>;

/** The interpreter could not be fetched or started. */
export class InterpreterAway extends Error {}

export interface RunWorker {
  id: number;
  port: MessagePort;
  /** Its interpreter has started and waits for a job. */
  ready: Promise<void>;
  /** Hears every word of the worker; set by whoever uses it. */
  hear: (said: FromWorker) => void;
  broke: (problem: string) => void;
}

export class Workers {
  #frame: HTMLIFrameElement | null = null;
  #loading: Promise<void> | null = null;
  readonly #all = new Map<number, RunWorker>();
  #started = 0;
  #here = 0;
  #ready = false;
  #memory: Blob | null = null;
  #spare: RunWorker | null = null;
  /** Somebody wants a spare; there is one while the page is seen. */
  #wanted = false;
  #unseen = false;

  constructor(
    private readonly load: Load,
    private readonly memoryBytes: number,
  ) {}

  /** Bytes of the interpreter that came so far. */
  get here(): number {
    return this.#here;
  }

  /** It is here and compiled: a start loads nothing. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Fetches and compiles the interpreter, once; a failed try is made again by the next call. */
  prepare(progress: (bytes: number) => void): Promise<void> {
    this.#loading ??= this.#prepared(progress).catch((error: unknown) => {
      this.#loading = null;
      this.#frame?.remove();
      this.#frame = null;
      throw error instanceof InterpreterAway ? error : new InterpreterAway(String(error));
    });
    return this.#loading;
  }

  /** The spare, or one that begins to start now. */
  take(): RunWorker {
    const worker = this.#spare ?? this.#start();
    this.#spare = null;
    return worker;
  }

  end({ id, port }: RunWorker): void {
    port.close();
    this.#all.delete(id);
    this.#say({ is: "end", id });
  }

  /** From now on an interpreter waits for the next run. */
  wait(): void {
    this.#wanted = true;
    this.#fill();
  }

  /** Nobody is about to run anything: the spare ends. */
  rest(): void {
    this.#wanted = false;
    this.#fill();
  }

  #fill(): void {
    if (this.#wanted && !this.#unseen) this.#spare ??= this.#start();
    else if (this.#spare) {
      this.end(this.#spare);
      this.#spare = null;
    }
  }

  #start(): RunWorker {
    this.#started += 1;
    const { port1, port2 } = new MessageChannel();
    const [id, memory] = [this.#started, this.#memory];
    let up: () => void = () => undefined;
    let down: (error: Error) => void = () => undefined;
    const ready = new Promise<void>((resolve, reject) => {
      [up, down] = [resolve, reject];
    });
    ready.catch(() => undefined);
    const fails = (problem: string) => {
      if (this.#spare?.id === id) this.#spare = null;
      // The next one starts from the files.
      if (this.#memory === memory) this.#memory = null;
      down(new InterpreterAway(problem));
    };
    const worker: RunWorker = { id, port: port1, ready, hear: () => undefined, broke: fails };
    let isUp = false;
    port1.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.is === "ready") {
        // A script that comes to speak here later has no memory to hand on.
        if (!isUp) this.#memory ??= data.memory;
        isUp = true;
        return up();
      }
      if (data.is === "failed" && !isUp) fails(data.problem);
      worker.hear(data);
    };
    this.#all.set(id, worker);
    const memoryPages = Math.floor(this.memoryBytes / PAGE_BYTES);
    this.#say({ is: "start", id, memoryPages, driver: DRIVER, memory }, [port2]);
    return worker;
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
      if (said.is === "broken") this.#all.get(said.id)?.broke(said.problem);
    };
    this.#watch();
  }

  /** The spare goes when the page was out of sight for long, and comes back with it. */
  #watch(): void {
    let timer = 0;
    const seen = (is: boolean) => {
      clearTimeout(timer);
      this.#unseen = !is;
      this.#fill();
    };
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) return seen(true);
      timer = window.setTimeout(seen, SPARE_HIDDEN_MS, false);
    });
    addEventListener("pagehide", () => seen(false));
  }
}
