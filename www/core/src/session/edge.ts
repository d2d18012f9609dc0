/**
 * Turns at the edge: what a route answers, event by event, over a connection that may break.
 *
 * Owns what a break means. Where the routes can tell a turn from an event on, they are asked for the rest, and nothing
 * is told twice; else what came stays and the turn is cancelled. Knows no path: the routes of a protocol are given.
 */

import { isRefusal } from "./session.ts";
import type { Driver, Loaded, Running, SessionEvent, SessionTypes, TurnEvent } from "./types.ts";

/** One event of a stream in the words of a session; `id` where it can be gone on from. */
export interface Heard<S extends SessionTypes> {
  id?: string;
  events: TurnEvent<S>[];
}

/** The routes of one protocol. */
export interface EdgeRoutes<S extends SessionTypes> {
  load(): Promise<Loaded<S>>;
  /** Asks. Throws a refusal before its first event, or never. */
  ask(request: S["request"], key: string, signal: AbortSignal): AsyncIterable<Heard<S>>;
  /** What came after an event of a turn, or all of it; absent where the edge keeps no events. */
  rest?(key: string, after: string | null, signal: AbortSignal): AsyncIterable<Heard<S>>;
  stop?(key: string): Promise<unknown>;
  decide?(decision: S["decision"], tell: (event: SessionEvent<S>) => void): Promise<S["answer"]>;
  clear(): Promise<unknown>;
}

/** How often a broken stream is taken up again without anything new, and after how long. */
const TRIES = 3;
const RETRY_MS = 2_000;

export class EdgeDriver<S extends SessionTypes> implements Driver<S> {
  #tell: (event: SessionEvent<S>) => void = () => undefined;
  /** Of the turn in flight. */
  #key = "";

  constructor(
    private readonly routes: EdgeRoutes<S>,
    private readonly retryMs = RETRY_MS,
  ) {}

  attach(tell: (event: SessionEvent<S>) => void): void {
    this.#tell = tell;
  }

  load(): Promise<Loaded<S>> {
    return this.routes.load();
  }

  turn(
    request: S["request"],
    tell: (event: TurnEvent<S>) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const key = crypto.randomUUID();
    tell({ is: "asked" });
    return this.#hear(key, this.routes.ask(request, key, signal), tell, signal);
  }

  async follow(
    { key }: Running<S>,
    tell: (event: TurnEvent<S>) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const all = this.routes.rest?.(key, null, signal);
    if (all) await this.#hear(key, all, tell, signal, true);
  }

  /** `begun`: the edge has the turn already, so that no refusal undoes it. */
  async #hear(
    key: string,
    first: AsyncIterable<Heard<S>>,
    tell: (event: TurnEvent<S>) => void,
    signal: AbortSignal,
    begun = false,
  ): Promise<void> {
    this.#key = key;
    const { rest } = this.routes;
    const seen = new Set<string>();
    let last: string | null = null;
    let heard: AsyncIterable<Heard<S>> | undefined = first;
    for (let tries = 0; heard && tries < TRIES; tries += 1) {
      try {
        for await (const { id, events } of heard) {
          if (id !== undefined) {
            if (seen.has(id)) continue;
            seen.add(id);
            last = id;
            tries = 0;
          }
          const over = events.some((event) => event.is === "ended");
          if (over && this.#key === key) this.#key = "";
          for (const event of events) tell(event);
          if (over) return;
        }
      } catch (error) {
        if (isRefusal(error) && last === null && !begun) throw error;
      }
      if (rest) await new Promise((resolve) => setTimeout(resolve, this.retryMs));
      heard = signal.aborted ? undefined : rest?.call(this.routes, key, last, signal);
    }
    tell({ is: "ended", how: "cancelled" });
  }

  /** Of a turn that ended the edge knows already. */
  stop(): void {
    if (this.#key) void this.routes.stop?.(this.#key).catch(() => undefined);
    this.#key = "";
  }

  async decide(decision: S["decision"]): Promise<S["answer"]> {
    return this.routes.decide?.(decision, this.#tell);
  }

  async clear(): Promise<void> {
    await this.routes.clear();
  }
}
