/** A run in the page: the driver in `wasm-core`, its log on the device, and who listens. */

import { type RunHost, RunDriver as WasmDriver } from "../wasm/core/core.js";
import type {
  ErrorShape,
  Files,
  GatewayRun,
  HumanEvent,
  InstallConfirmation,
  Json,
  RunDriver,
  RunView,
  SandboxClient,
  Store,
} from "./types.ts";

const KIND = "ifc-extension";

/** What is kept of a run; enough to go on after a reload. */
export interface StoredRun {
  base: Files;
  events: Json[];
  gateway_run?: string;
  at: number;
}

/** What a run needs of the page. */
export interface RunSurroundings {
  token(): string | undefined;
  store: Store;
  sandbox: SandboxClient;
  /** Stores a signed bundle: `Stored`, `Queued` or `Refused`. */
  apply(
    view: RunView,
    confirmation: InstallConfirmation,
  ): Promise<{ type: string; [member: string]: unknown }>;
  /** What the user lets the model see of the open file. */
  modelContext(): Json | null;
}

interface Facts {
  gateway: GatewayRun | null;
  problem: ErrorShape | null;
  received: number;
  writing: string[];
  provider: string | null;
  signed_out: boolean;
}

class Driver implements RunDriver {
  readonly #listeners = new Set<() => void>();
  #inner!: WasmDriver;
  #view: RunView | undefined;
  #facts: Facts | undefined;
  testing: { done: number; total: number } | null = null;

  static start(key: string, base: Files, around: RunSurroundings, stored?: StoredRun): Driver {
    const driver = new Driver();
    const host = driver.#host(key, base, around);
    driver.#inner = stored
      ? WasmDriver.restore(KIND, stored.base, stored.events, stored.gateway_run, host)
      : new WasmDriver(KIND, base, host);
    return driver;
  }

  get view(): RunView {
    this.#view ??= this.#inner.view() as RunView;
    return this.#view;
  }

  get #now(): Facts {
    this.#facts ??= this.#inner.facts() as Facts;
    return this.#facts;
  }

  get gateway(): GatewayRun | null {
    return this.#now.gateway;
  }

  get problem(): ErrorShape | null {
    return this.#now.problem;
  }

  get writing(): string[] {
    return this.#now.writing;
  }

  get provider(): string | null {
    return this.#now.provider;
  }

  get signedOut(): boolean {
    return this.#now.signed_out;
  }

  get events(): Json[] {
    return this.#inner.events() as Json[];
  }

  async send(event: HumanEvent): Promise<void> {
    this.#inner.send(event);
  }

  signedIn(): void {
    this.#inner.signed_in();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#inner.dispose();
    this.#listeners.clear();
  }

  #changed(): void {
    this.#view = undefined;
    this.#facts = undefined;
    // The machine calls this in the middle of a step: what is drawn is read when it is done.
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener();
    });
  }

  #host(key: string, base: Files, around: RunSurroundings): RunHost {
    return {
      token: () => around.token(),
      session: () => {
        const context = around.modelContext();
        return context === null ? {} : { model_context: context };
      },
      test: async (files) => {
        const answer = await around.sandbox.test(files, (done, total) => {
          this.testing = { done, total };
          this.#changed();
        });
        this.testing = null;
        return answer;
      },
      apply: (view, confirmation) =>
        around.apply(view as RunView, confirmation as InstallConfirmation),
      save: async (events, gatewayRun) => {
        const stored: StoredRun = { base, events: events as Json[], at: Date.now() };
        if (gatewayRun !== undefined) stored.gateway_run = gatewayRun;
        await around.store.put("runs", key, stored);
      },
      changed: () => this.#changed(),
    };
  }
}

/** The driver of a run as the page sees it. */
export type PageRun = Driver;

/** A new run; `base` is empty for a new extension. */
export function startRun(key: string, base: Files, around: RunSurroundings): PageRun {
  return Driver.start(key, base, around);
}

/** A stored run goes on where its log ends. */
export async function restoreRun(key: string, around: RunSurroundings): Promise<PageRun | null> {
  const stored = await around.store.get<StoredRun>("runs", key);
  return stored ? Driver.start(key, stored.base, around, stored) : null;
}
