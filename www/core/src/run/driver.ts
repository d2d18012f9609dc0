/**
 * A run as a conversation: its driver lives in a Web Worker, its log on the device.
 *
 * A run that traps is restored from its log without the event that it broke off in. Invariant: what a page draws is the
 * last state that the worker told.
 */

import { checkModule } from "../check/module.ts";
import { Session } from "../session/session.ts";
import type {
  Driver,
  Loaded,
  Message,
  Refusal,
  SessionEvent,
  SessionTypes,
  TurnEvent,
  TurnRequest,
} from "../session/types.ts";
import type {
  ErrorShape,
  Files,
  GatewayRun,
  HumanEvent,
  InstallConfirmation,
  IntentContext,
  Json,
  PartialFile,
  RunView,
  SandboxClient,
  SandboxModel,
  Store,
} from "../types.ts";
import type { FromRun, RunFacts, RunQuestion, ScriptCall, StoredRun, ToRun } from "./protocol.ts";

export type { StoredRun } from "./protocol.ts";

/** What a worker that was told to end has left to say to the edge. */
const LAST_WORDS_MS = 5_000;
/** A refused call is asked again by itself after at most this long. */
const MAX_WAIT_MS = 5_000;

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
  /** Standing wishes of the person; empty where there are none. */
  overlay?(): string;
  /** The open models, once they are read; scripts see those that are on. */
  models(): Promise<SandboxModel[]>;
}

/** What is drawn of a run. */
export interface RunProgress {
  view: RunView;
  /** The gateway's account of the run, when one was opened. */
  gateway: GatewayRun | null;
  /** Tests that the sandbox has run of the running attempt. */
  testing: { done: number; total: number } | null;
  /** The files that the model has written so far of the running attempt. */
  writing: PartialFile[];
  /** It waits for a token. */
  signedOut: boolean;
}

/** A turn begins the run; from there on a person decides, and the run says in its progress what becomes of it. */
export interface RunTypes extends SessionTypes {
  /** `context`: what is installed, so that words that name it are understood. */
  request: TurnRequest & { context?: IntentContext };
  message: Message;
  progress: RunProgress;
  proposal: never;
  decision: HumanEvent;
  answer: undefined;
}
export type RunSession = Session<RunTypes>;

interface Sending {
  resolve(): void;
  reject(error: unknown): void;
}

class RunDriver implements Driver<RunTypes> {
  readonly #sending = new Map<number, Sending>();
  #tell: (event: SessionEvent<RunTypes>) => void = () => undefined;
  #worker: Worker | undefined;
  #next = 0;
  #view: RunView | undefined;
  #facts: RunFacts | undefined;
  #trap: ErrorShape | null = null;
  #problem = "null";
  #testing: RunProgress["testing"] = null;
  /** Ends the script that runs, with whatever it still does. */
  #endScript: () => void = () => undefined;

  constructor(
    private readonly key: string,
    private readonly base: Files,
    private readonly around: RunSurroundings,
    private stored: StoredRun | null,
  ) {}

  attach(tell: (event: SessionEvent<RunTypes>) => void): void {
    this.#tell = tell;
  }

  /** A call that waits for a token goes on; anything else goes on from the log. */
  async load(): Promise<Loaded<RunTypes>> {
    if (this.#facts?.signed_out) this.#post({ do: "signed_in" });
    else {
      this.close();
      this.#trap = null;
      await this.#start(false);
    }
    return { messages: [] };
  }

  async turn(
    { text, context }: RunTypes["request"],
    tell: (event: TurnEvent<RunTypes>) => void,
  ): Promise<void> {
    await this.decide({ type: "Asked", text, ...(context ? { context } : {}) });
    tell({ is: "ended", how: "done" });
  }

  /** Resolves when the run has taken the event and its progress is what it led to. */
  decide(event: HumanEvent): Promise<undefined> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#sending.set(id, { resolve: () => resolve(undefined), reject });
      this.#trap = null;
      this.#post({ do: "send", id, event });
    });
  }

  stop(): void {
    this.#endScript();
    void this.decide({ type: "Cancel" }).catch(() => undefined);
  }

  /** Ends timers and calls; the log stays. */
  close(): void {
    this.#endScript();
    const worker = this.#worker;
    this.#post({ do: "dispose" });
    this.#worker = undefined;
    if (worker) setTimeout(() => worker.terminate(), LAST_WORDS_MS);
  }

  #post(message: ToRun): void {
    this.#worker?.postMessage(message);
  }

  async #start(trapped: boolean): Promise<void> {
    const module = await checkModule("check-extension");
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
      this.#account(message.facts.gateway);
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

  /** The account of a run that has ended is told once: it is kept with the log. */
  #account(account: Json): void {
    const { stored } = this;
    if (account === null || !stored || JSON.stringify(stored.account) === JSON.stringify(account))
      return;
    this.stored = { ...stored, account };
    void this.around.store.put("runs", this.key, this.stored);
  }

  async #answer(question: RunQuestion): Promise<unknown> {
    const { around } = this;
    switch (question.ask) {
      case "token":
        return around.token();
      case "session": {
        const [context, overlay] = [around.modelContext(), around.overlay?.()];
        return {
          ...(context === null ? {} : { model_context: context }),
          ...(overlay ? { overlay } : {}),
        };
      }
      case "test":
        return this.#test(question.files);
      case "script":
        return this.#script(question);
      case "apply":
        return around.apply(question.view, question.confirmation);
      case "save": {
        const { events, gatewayRun } = question;
        const stored: StoredRun = { base: this.base, events, at: Date.now() };
        if (gatewayRun !== undefined) stored.gateway_run = gatewayRun;
        if (this.stored?.account) stored.account = this.stored.account;
        this.stored = stored;
        return around.store.put("runs", this.key, stored);
      }
    }
  }

  async #test(files: Files): Promise<unknown> {
    const answer = await this.around.sandbox.test(files, (done, total) => {
      this.#testing = { done, total };
      this.#draw();
    });
    this.#testing = null;
    return answer;
  }

  /** Nothing of it stays: neither its worker nor what it did to its copy of the model. */
  async #script({ files, command, granted }: ScriptCall): Promise<unknown> {
    const { sandbox } = this.around;
    const open = await this.around.models();
    const seen = open.filter(({ on }) => on);
    if (seen.length === 0) throw new Error("no model is open");
    const running = {
      ...{ key: `script ${crypto.randomUUID()}`, trial: true, files, granted, locale: "en" },
      ...{ models: () => open, selection: () => [] },
      ...{ storage: () => ({}), keep: () => undefined },
    };
    this.#endScript = () => void sandbox.end(running).catch(() => undefined);
    const began = performance.now();
    try {
      const { outcome } = await sandbox.call(running, { command: { id: command } });
      return {
        outcome,
        ms: performance.now() - began,
        model: seen.map(({ name }) => name).join(", "),
      };
    } finally {
      this.#endScript();
    }
  }

  #draw(): void {
    const [view, facts] = [this.#view, this.#facts];
    if (!view || !facts) return;
    const problem = this.#trap ?? (facts.problem as Problem | null);
    const known = JSON.stringify(problem);
    // Of a problem that stays, the wait runs on.
    if (known !== this.#problem) this.#tell({ is: "failure", error: problem && refusal(problem) });
    this.#problem = known;
    const gateway = (facts.gateway ?? this.stored?.account ?? null) as GatewayRun | null;
    const { signed_out: signedOut, writing } = facts;
    const progress = { view, gateway, testing: this.#testing, writing, signedOut };
    this.#tell({ is: "progress", progress });
  }
}

/** Why the last call failed, in the codes of gateway.md §12. */
type Problem = ErrorShape & { retry_after_ms?: number };

const refusal = ({ retry_after_ms: ms, ...error }: Problem): Refusal =>
  ms ? { ...error, retryMs: Math.min(ms, MAX_WAIT_MS) } : error;

/** A run whose first state is there. */
async function opened(driver: RunDriver): Promise<RunSession> {
  const session = new Session(driver);
  await session.resume();
  const { problem } = session.view;
  if (!problem) return session;
  session.close();
  throw problem;
}

/** A new run; `base` is empty for a new extension. */
export function startRun(key: string, base: Files, around: RunSurroundings): Promise<RunSession> {
  return opened(new RunDriver(key, base, around, null));
}

/** A stored run goes on where its log ends. */
export async function restoreRun(key: string, around: RunSurroundings): Promise<RunSession | null> {
  const stored = await around.store.get<StoredRun>("runs", key);
  return stored ? opened(new RunDriver(key, stored.base, around, stored)) : null;
}
