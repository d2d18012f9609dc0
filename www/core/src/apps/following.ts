/**
 * Hears what happens to an app for as long as it is open (app-builder.md §3 `builder/events`).
 *
 * Owns what a break means: the stream is asked for again from its last event, later each time that nothing came. Only a
 * refusal ends it.
 */

import { isRefusal } from "../session/session.ts";
import type { ErrorShape } from "../types.ts";
import type { AppsApi } from "./client.ts";
import type { BuilderEvent } from "./wire.ts";

const EVENTS: ReadonlySet<string> = new Set<BuilderEvent["event"]>([
  "build",
  "revision",
  "published",
]);
const FIRST_MS = 1_000;
const MOST_MS = 30_000;

export interface Heard {
  event(event: BuilderEvent): void;
  /** The stream was broken and is there again: what was missed may be more than it tells. */
  again(): void;
  refused(error: ErrorShape): void;
}

/** Answers what ends it. */
export function follow(api: Pick<AppsApi, "events">, app: string, heard: Heard): () => void {
  const cut = new AbortController();
  void heardOf(api, app, heard, cut.signal);
  return () => cut.abort();
}

async function heardOf(
  api: Pick<AppsApi, "events">,
  app: string,
  heard: Heard,
  signal: AbortSignal,
): Promise<void> {
  let last: string | null = null;
  let wait = FIRST_MS;
  for (let first = true; !signal.aborted; first = false) {
    try {
      let began = first;
      for await (const { id, event, data } of api.events(app, last, signal)) {
        if (!began) heard.again();
        began = true;
        wait = FIRST_MS;
        if (id) last = id;
        if (EVENTS.has(event)) heard.event({ event, data } as unknown as BuilderEvent);
      }
    } catch (error) {
      if (signal.aborted) return;
      const lost = isRefusal(error) && error.code !== "OFFLINE" && !passing(error);
      if (lost) return heard.refused(error);
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(MOST_MS, wait * 2);
  }
}

/** A server that is away for a while, or a stream that broke: nothing that the app or the person did. */
const passing = (error: ErrorShape): boolean => {
  const { status = 0 } = error as ErrorShape & { status?: number };
  return status === 0 || status >= 500 || status === 429;
};
