/**
 * A run as the page sees it: its last view, its log on the device, and who listens. The driver lives in a Web Worker.
 *
 * A run that traps is restored from its log without the event that it broke off in. Invariant: what the page draws is
 * the last state that the driver told.
 */

import { checkModule } from "../check/module.ts";
import type {
  ErrorShape,
  Files,
  GatewayRun,
  HumanEvent,
  InstallConfirmation,
  RunDriver,
  RunView,
  SandboxClient,
  Store,
} from "../types.ts";
import type { FromRun, RunFacts, RunQuestion, StoredRun, ToRun } from "./protocol.ts";

export type { StoredRun } from "./protocol.ts";

/** What a worker that was told to end has left to say to the edge. */
const LAST_WORDS_MS = 5_000;

/** What a run needs of the page. */
export interface RunSurroundings {
  /** Of the bundle that is written. */
  kind: string;
  token(): string | undefined;
  store: Store;
  sandbox: SandboxClient;
  /** Stores a signed bundle: `Stored`, `Queued` or `Refused`. */
  apply(
    view: RunView,
    confirmation: InstallConfirmation,
  ): Promise<{ type: string; [member: string]: unknown }>;
  /** What the user lets the model see of the open file. */
  modelContext(): unknown;
}

interface Sending {
  resolve(): void;
  reject(error: unknown): void;
}

class Client implements RunDriver {
  readonly #listeners = new Set<() => void>();
  readonly #sending = new Map<number, Sending>();
  #worker: Worker | undefined;
  #next = 0;
  #view!: RunView;
  #facts!: RunFacts;
  #trap: ErrorShape | null = null;
  testing: { done: number; total: number } | null = null;

  private constructor(
    private readonly key: string,
    private readonly base: Files,
    private readonly around: RunSurroundings,
    private stored: StoredRun | null,
  ) {}

  /** A run whose first state is there. */
  static async open(
    key: string,
    base: Files,
    around: RunSurroundings,
    stored: StoredRun | null,
  ): Promise<Client> {
    const run = new Client(key, base, around, stored);
    await run.#start(false);
    return run;
  }

  get view(): RunView {
    return this.#view;
  }

  get gateway(): GatewayRun | null {
    return this.#facts.gateway as GatewayRun | null;
  }

  get problem(): ErrorShape | null {
    return this.#trap ?? (this.#facts.problem as ErrorShape | null);
  }

  get writing(): string[] {
    return this.#facts.writing;
  }

  get provider(): string | null {
    return this.#facts.provider;
  }

  get signedOut(): boolean {
    return this.#facts.signed_out;
  }

  /** Resolves when the run has taken the event and `view` is what it led to. */
  send(event: HumanEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#sending.set(id, { resolve, reject });
      this.#trap = null;
      this.#post({ do: "send", id, event });
    });
  }

  signedIn(): void {
    this.#post({ do: "signed_in" });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    const worker = this.#worker;
    this.#post({ do: "dispose" });
    this.#worker = undefined;
    this.#listeners.clear();
    setTimeout(() => worker?.terminate(), LAST_WORDS_MS);
  }

  #post(message: ToRun): void {
    this.#worker?.postMessage(message);
  }

  async #start(trapped: boolean): Promise<void> {
    const module = await checkModule();
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    await new Promise<void>((resolve, reject) => {
      const lost = (message: string): void => {
        reject({ code: "CHECK_TRAPPED", message });
        if (this.#worker === worker) void this.#restart(message);
      };
      worker.onmessage = ({ data }: MessageEvent<FromRun>) => {
        if (data.tell === "trapped") return lost(data.message);
        this.#hear(worker, data);
        if (data.tell === "moved") resolve();
      };
      worker.onerror = (event) => {
        event.preventDefault();
        lost(event.message || "Its worker did not start.");
      };
      const { base, stored } = this;
      const { kind } = this.around;
      worker.postMessage({ do: "start", module, kind, base, stored, trapped } satisfies ToRun);
    });
  }

  /**
   * The log that was kept is without the event that trapped. A run that cannot even be restored stays as it is drawn.
   */
  async #restart(message: string): Promise<void> {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#trap = {
      code: "CHECK_TRAPPED",
      message: `The last step broke off and was taken back: ${message}`,
    };
    for (const sending of this.#sending.values()) sending.reject(this.#trap);
    this.#sending.clear();
    if (this.#view) await this.#start(true).catch(() => undefined);
    this.#draw();
  }

  #hear(worker: Worker, message: FromRun): void {
    if (worker !== this.#worker) return;
    if (message.tell === "moved") {
      this.#view = message.view;
      this.#facts = message.facts;
      this.#draw();
    } else if (message.tell === "asks") {
      this.#answer(message).then(
        (value) => worker.postMessage({ do: "answer", id: message.id, value } satisfies ToRun),
        (error: unknown) =>
          worker.postMessage({
            do: "refuse",
            id: message.id,
            message: error instanceof Error ? error.message : JSON.stringify(error),
          } satisfies ToRun),
      );
    } else if (message.tell !== "trapped") {
      const sending = this.#sending.get(message.id);
      this.#sending.delete(message.id);
      if (message.tell === "sent") sending?.resolve();
      else sending?.reject({ code: "INVALID_INPUT", message: message.message });
    }
  }

  async #answer(question: RunQuestion): Promise<unknown> {
    const { around } = this;
    switch (question.ask) {
      case "token":
        return around.token();
      case "session": {
        const context = around.modelContext();
        return context === null ? {} : { model_context: context };
      }
      case "test":
        return this.#test(question.files);
      case "apply":
        return around.apply(question.view, question.confirmation);
      case "save": {
        const { events, gatewayRun } = question;
        const stored: StoredRun = { base: this.base, events, at: Date.now() };
        if (gatewayRun !== undefined) stored.gateway_run = gatewayRun;
        this.stored = stored;
        return around.store.put("runs", this.key, stored);
      }
    }
  }

  async #test(files: Files): Promise<unknown> {
    const answer = await this.around.sandbox.test(files, (done, total) => {
      this.testing = { done, total };
      this.#draw();
    });
    this.testing = null;
    return answer;
  }

  #draw(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The driver of a run as the page sees it. */
export type PageRun = Client;

/** A new run; `base` is empty for a new extension. */
export function startRun(key: string, base: Files, around: RunSurroundings): Promise<PageRun> {
  return Client.open(key, base, around, null);
}

/** A stored run goes on where its log ends. */
export async function restoreRun(key: string, around: RunSurroundings): Promise<PageRun | null> {
  const stored = await around.store.get<StoredRun>("runs", key);
  return stored ? Client.open(key, stored.base, around, stored) : null;
}
