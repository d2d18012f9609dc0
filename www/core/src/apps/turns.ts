/**
 * Runs of an app as a conversation: frames of a run in, events of a session out (app-builder.md §9).
 *
 * A run outlives its client: a broken connection is never its end, only its `done` is. It is gone on from the last
 * frame that came, under the id of its request.
 */

import type {
  EdgeRoutes,
  Heard,
  Loaded,
  Message,
  SessionTypes,
  TurnEvent,
  TurnRequest,
} from "../session/index.ts";
import { isRefusal } from "../session/session.ts";
import type { ErrorShape } from "../types.ts";
import type { AppsApi } from "./client.ts";
import type { Framed } from "./frames.ts";
import { type AppRun, advanced, begun } from "./run.ts";
import type { AppTurn, ChatMode, Explain, Outcome, PatchReady, RunEvent } from "./wire.ts";

export interface AppAsk extends TurnRequest {
  mode: ChatMode;
  /** The draft that it is asked on. */
  base: string;
  /** `draft`, `working_copy` or a proposal to go on with. */
  from: string;
  explain?: Explain;
}

export interface AppMessage extends Message {
  run?: AppRun;
  outcome?: Outcome;
  proposal?: string;
  /** Its proposal was applied: the version that came of it. */
  result?: string;
  error?: ErrorShape;
}

export interface AppTalk extends SessionTypes {
  request: AppAsk;
  message: AppMessage;
  progress: never;
  proposal: Pick<PatchReady, "proposal_id">;
  decision: never;
  answer: never;
}

type Event = TurnEvent<AppTalk>;

const EVENTS: ReadonlySet<string> = new Set<RunEvent["event"]>([
  "status",
  "tool",
  "token",
  "usage",
  "patch_ops",
  "error",
  "done",
]);
/** So long a lost network is waited for before a run is asked after again. */
const AGAIN_MS = 2_000;
/** Turns that are shown. */
const MAX_TURNS = 50;

interface Known {
  run: AppRun;
  speech: Speech;
  /** Why it failed, until its `done` says so. */
  error: ErrorShape | null;
}

export class AppRoutes implements EdgeRoutes<AppTalk> {
  readonly #runs = new Map<string, Known>();
  /** What this page asked, by its key: until its first frame nothing else is known of it. */
  readonly #asked = new Map<string, AppAsk>();
  /** The thread of the last run: the next one goes on with it. */
  #thread = "";

  constructor(
    private readonly api: Pick<AppsApi, "turns" | "chat" | "run" | "cancel">,
    private readonly app: string,
    /** The request that runs, as the app's state names it. */
    private readonly active: () => Promise<string | null>,
    private readonly againMs = AGAIN_MS,
  ) {}

  async load(): Promise<Loaded<AppTalk>> {
    const [{ items }, active] = await Promise.all([this.api.turns(this.app), this.active()]);
    const turns = items.slice(0, MAX_TURNS).reverse();
    this.#thread = turns.at(-1)?.thread_id ?? "";
    const over = turns.filter((turn) => turn.request_id !== active);
    const messages = over.flatMap(messagesOf);
    if (!active) return { messages };
    const asked = turns.find((turn) => turn.request_id === active)?.user_prompt ?? "";
    const request: AppAsk = { text: asked, typed: "", mode: "edit", base: "", from: "draft" };
    const mine: AppMessage[] = asked ? [youOf(active, asked, null)] : [];
    return { messages: [...messages, ...mine], running: { key: active, request, message: active } };
  }

  async *ask(ask: AppAsk, key: string, signal: AbortSignal): AsyncGenerator<Heard<AppTalk>> {
    this.#asked.set(key, ask);
    yield* this.#heard(key, this.#chat(ask, key, signal));
  }

  #chat(ask: AppAsk, key: string, signal: AbortSignal): AsyncIterable<Framed> {
    const body = {
      input: ask.text,
      base_revision_id: ask.base,
      mode: ask.mode,
      from: ask.from,
      ...(ask.explain ? { explain: ask.explain } : {}),
      ...(this.#thread ? { thread_id: this.#thread } : {}),
    };
    return this.api.chat(this.app, body, key, signal);
  }

  async *rest(
    key: string,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<Heard<AppTalk>> {
    for (;;) {
      try {
        const frames = await this.#again(key, after, signal);
        // From the start everything is told anew.
        if (after === null) this.#runs.delete(key);
        return yield* this.#heard(key, frames);
      } catch (error) {
        if (signal.aborted) return;
        if (!isRefusal(error)) throw error;
        if (error.code !== "OFFLINE") return yield { events: lost(error) };
        await new Promise((resolve) => setTimeout(resolve, this.againMs));
      }
    }
  }

  /** The events of a run; where not even its id had come, the run that goes on, else the same request once more. */
  async #again(key: string, after: string | null, signal: AbortSignal) {
    const ask = this.#asked.get(key);
    const known = this.#runs.get(key)?.run.request || (ask ? await this.active() : key);
    if (known) return this.api.run(this.app, known, after, signal);
    if (!ask) throw { code: "NOT_FOUND", message: "" } satisfies ErrorShape;
    return this.#chat(ask, key, signal);
  }

  async *#heard(key: string, frames: AsyncIterable<Framed>): AsyncGenerator<Heard<AppTalk>> {
    const known = this.#runs.get(key) ?? { run: begun, speech: silent, error: null };
    this.#runs.set(key, known);
    for await (const frame of frames) {
      if (!EVENTS.has(frame.event)) continue;
      const events = this.#events(known, frame.data as unknown as RunEvent);
      yield frame.id ? { id: frame.id, events } : { events };
    }
  }

  #events(known: Known, event: RunEvent): Event[] {
    const first = known.run.seq === 0;
    known.run = advanced(known.run, event);
    if (known.run.thread) this.#thread = known.run.thread;
    const answer: Event = { is: "answer", message: { key: event.request_id, run: known.run } };
    const all: Event[] = first ? [{ is: "taken" }, answer] : [answer];
    known.speech = heard(known.speech, event);
    if (event.event === "token") all.push({ is: "delta", text: known.speech.added });
    if (event.event === "patch_ops" && event.data) {
      const { summary: text, proposal_id: proposal } = event.data;
      all.push({ is: "answer", message: { ...(text ? { text } : {}), proposal } });
    }
    if (event.event === "error" && event.data) known.error = event.data;
    if (event.event === "done") all.push(...done(event, known.error));
    return all;
  }

  /** The run of this page, by the request that it has at the edge. */
  async stop(key: string): Promise<unknown> {
    const request = this.#runs.get(key)?.run.request || (await this.active());
    return request ? this.api.cancel(this.app, request) : null;
  }

  /** Runs are part of the app's history and are not forgotten. */
  clear(): Promise<void> {
    return Promise.resolve();
  }
}

/** What a model says, as its events come. */
interface Speech {
  text: string;
  /** What the last event added. */
  added: string;
  /** It used a tool since it spoke. */
  worked: boolean;
}
const silent: Speech = { text: "", added: "", worked: false };

/** What is said after a tool is a paragraph of its own. */
function heard({ text, worked }: Speech, event: RunEvent): Speech {
  if (event.event !== "token") return { text, added: "", worked: worked || event.event === "tool" };
  const added = `${worked && text ? "\n\n" : ""}${event.data?.content ?? ""}`;
  return { text: text + added, added, worked: false };
}

/** The words of a turn in their paragraphs, where its summary is these words. */
function saidIn(summary: string, events: readonly RunEvent[]): string {
  const { text } = events.reduce(heard, silent);
  return text.replaceAll("\n\n", "") === summary.replaceAll("\n\n", "") ? text : summary;
}

function done({ data }: Extract<RunEvent, { event: "done" }>, error: ErrorShape | null): Event[] {
  const outcome = data?.outcome ?? "failed";
  const proposal = data?.proposal_id;
  const message: Partial<AppMessage> = {
    outcome,
    ...(proposal ? { proposal } : {}),
    ...(error ? { error } : {}),
    ...(data?.question ? { text: data.question } : {}),
  };
  const proposed: Event[] = proposal
    ? [{ is: "proposal", key: data.turn_id, proposal: { proposal_id: proposal } }]
    : [];
  return [{ is: "answer", message }, ...proposed, ended(outcome)];
}

function ended(outcome: Outcome): Event {
  if (outcome === "cancelled") return { is: "ended", how: "cancelled" };
  const bad = outcome === "failed" || outcome === "budget_exceeded";
  return { is: "ended", how: bad ? "failed" : "done" };
}

/** The edge keeps no events of the run any more, or has none: the list of turns tells what became of it. */
const lost = (error: ErrorShape): Event[] => [
  { is: "notice", code: error.code, message: error.message },
  { is: "ended", how: "nothing" },
];

const youOf = (request: string, text: string, at: number | null): AppMessage => ({
  ...{ id: `${request}-asked`, who: "you", state: "done", text, at },
});

/** What was said before: the request, and what came of it. */
export function messagesOf(turn: AppTurn): AppMessage[] {
  const at = Date.parse(turn.created_at);
  const { request_id: key, outcome, proposal_id: proposal, failure_code: code } = turn;
  // The trace holds the events of its stream.
  const events = turn.tool_trace as unknown as RunEvent[];
  const run = events.reduce(advanced, begun);
  const failed = outcome === "failed" || outcome === "budget_exceeded";
  const state = failed ? "failed" : "done";
  const answer: AppMessage = {
    ...{ id: key, who: "assistant", text: saidIn(turn.assistant_summary, events), at, key },
    ...(outcome ? { outcome } : {}),
    state: outcome === "cancelled" ? "cancelled" : state,
    ...(run.seq > 0 ? { run } : {}),
    ...(proposal ? { proposal } : {}),
    ...(turn.result_revision_id ? { result: turn.result_revision_id } : {}),
    ...(code ? { error: { code, message: code } } : {}),
  };
  return [youOf(key, turn.user_prompt, at), answer];
}
