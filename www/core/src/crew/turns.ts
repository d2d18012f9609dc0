/**
 * A crew session as a conversation: frames of a turn in, events of a session out (ai-sessions.md §9).
 *
 * Owns what a turn does while it runs (its steps), under which id it is gone on from, and what its end means. A turn
 * outlives its client: a broken connection is never its end, only the edge's own word is.
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
import type {
  Applied,
  ApplyBody,
  Runtime,
  SessionAnswer,
  SessionMessage,
  TurnEnd,
  TurnResult,
} from "./session-wire.ts";
import type { CrewSessions, Framed } from "./sessions.ts";
import { ended, idle, stepped, type TurnRuntime } from "./turn-steps.ts";

/** What a person asks. Sent again after a failure it has the same id, so that it is said once. */
export interface CrewAsk extends TurnRequest {
  clientMessageId: string;
  exclude: readonly string[];
}

export interface CrewMessage extends Message {
  role: "user" | "assistant" | "holdpoint";
  clientMessageId?: string;
  changeSetId?: string | null;
  runtime?: TurnRuntime;
  /** What the turn came to. */
  result?: TurnEnd;
  /** Why the turn of this message failed. */
  error?: ErrorShape;
}

export interface CrewTalk extends SessionTypes {
  request: CrewAsk;
  message: CrewMessage;
  progress: never;
  proposal: TurnResult;
  decision: ApplyBody;
  answer: Applied;
}

type Event = TurnEvent<CrewTalk>;

/** Pages of a transcript that are read. */
const PAGES = 5;
/** So long a lost network is waited for before a turn is asked after again. */
const AGAIN_MS = 2_000;

/** A turn as its driver knows it. */
interface Known {
  turn: string;
  since: number;
  runtime: TurnRuntime;
  ask: CrewAsk | null;
}

export class CrewRoutes implements EdgeRoutes<CrewTalk> {
  readonly #turns = new Map<string, Known>();

  /** `whole` is told the session each time that it was read. */
  constructor(
    private readonly api: CrewSessions,
    private readonly session: string,
    private readonly whole: (answer: SessionAnswer) => void = () => undefined,
    private readonly againMs = AGAIN_MS,
  ) {}

  async load(): Promise<Loaded<CrewTalk>> {
    const answer = await this.api.read(this.session);
    this.whole(answer);
    const all = [...(await this.#older(answer)), ...answer.messages.items];
    const rows = all.filter(({ role }) => role === "user" || role === "assistant");
    const messages = rows.map(messageOf);
    const turn = turnOf(answer);
    if (!turn) return { messages };
    const asked = rows.findLast(({ role }) => role === "user");
    const request: CrewAsk = {
      text: asked?.content ?? "",
      typed: "",
      clientMessageId: asked?.clientMessageId ?? "",
      exclude: [],
    };
    // What the turn has said so far comes with its events.
    const said = messages.filter(({ who, key }) => who !== "assistant" || key !== turn);
    this.#turns.set(turn, known(turn, request));
    return { messages: said, running: { key: turn, request, message: turn } };
  }

  /** What was said before the newest page, as far as a person scrolls back. */
  async #older({ messages }: SessionAnswer): Promise<SessionMessage[]> {
    let older: SessionMessage[] = [];
    let before = messages.nextCursor;
    for (let pages = 1; before !== null && pages < PAGES; pages += 1) {
      const { messages: page } = await this.api.read(this.session, before);
      older = [...page.items, ...older];
      before = page.nextCursor;
    }
    return older;
  }

  async *ask(ask: CrewAsk, key: string, signal: AbortSignal): AsyncGenerator<Heard<CrewTalk>> {
    this.#turns.set(key, known("", ask));
    yield* this.#heard(key, this.api.message(this.session, bodyOf(ask), signal));
  }

  async *rest(
    key: string,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<Heard<CrewTalk>> {
    const turn = this.#turns.get(key) ?? known(key, null);
    this.#turns.set(key, turn);
    // From the start everything is told anew.
    if (after === null) turn.runtime = idle;
    for (;;) {
      try {
        return yield* this.#heard(key, await this.#again(turn, after, signal));
      } catch (error) {
        if (signal.aborted) return;
        if (!isRefusal(error)) throw error;
        if (error.code !== "OFFLINE") return yield { events: lost(error) };
        await new Promise((resolve) => setTimeout(resolve, this.againMs));
      }
    }
  }

  /** The events of a turn; where not even its id had come, the turn that runs, else the same message once more. */
  async #again(turn: Known, after: string | null, signal: AbortSignal) {
    if (turn.turn === "") turn.turn = turnOf(await this.api.read(this.session)) ?? "";
    if (turn.turn !== "") return this.api.events(this.session, turn.turn, after, signal);
    const { ask } = turn;
    if (!ask) throw { code: "AI_TURN_NOT_FOUND", message: "" } satisfies ErrorShape;
    return this.api.message(this.session, bodyOf(ask), signal);
  }

  async *#heard(key: string, frames: AsyncIterable<Framed>): AsyncGenerator<Heard<CrewTalk>> {
    const turn = this.#turns.get(key);
    if (!turn) return;
    for await (const frame of frames) {
      const heard = { ...(frame.id ? { id: frame.id } : {}), events: this.#events(turn, frame) };
      yield heard;
    }
  }

  #events(turn: Known, frame: Framed): Event[] {
    switch (frame.event) {
      case "turn":
        turn.turn = frame.data.turnId;
        return [{ is: "taken" }, { is: "answer", message: { role: "assistant", key: turn.turn } }];
      case "runtime":
        return this.#runtime(turn, frame.data);
      case "result":
        return frame.data.data ? came(turn, frame.data.data) : [broken()];
      case "error":
        return [endedBy(frame.data.error ?? { code: "AI_BAD_RESPONSE", message: "" })];
    }
  }

  #runtime(turn: Known, told: Runtime): Event[] {
    if (told.kind === "thinking" && told.payload.phase === "summary_delta")
      return [{ is: "delta", text: told.payload.text ?? "" }];
    turn.runtime = stepped(turn.runtime, told, Date.now() - turn.since);
    const message: Partial<CrewMessage> = { role: "assistant", runtime: turn.runtime };
    // What is written again is read from its begin.
    const anew = told.kind === "thinking" && told.payload.phase === "model" ? { text: "" } : {};
    return [{ is: "answer", message: { ...message, ...anew } }];
  }

  /** The id of a turn that had not come is asked for. */
  async stop(key: string): Promise<unknown> {
    const turn = this.#turns.get(key)?.turn || turnOf(await this.api.read(this.session));
    return turn ? this.api.stop(this.session, turn) : null;
  }

  decide(body: ApplyBody): Promise<Applied> {
    return this.api.apply(this.session, body);
  }

  clear(): Promise<unknown> {
    return this.api.remove(this.session);
  }
}

const known = (turn: string, ask: CrewAsk | null): Known => ({
  turn,
  since: Date.now(),
  runtime: idle,
  ask,
});

const bodyOf = ({ text, clientMessageId, exclude }: CrewAsk) => ({
  content: text,
  clientMessageId,
  ...(exclude.length ? { exclude: [...exclude] } : {}),
});

/** The id of the turn that runs. */
export function turnOf({ activeTurn }: Pick<SessionAnswer, "activeTurn">): string | null {
  return typeof activeTurn === "string" ? activeTurn : (activeTurn?.turnId ?? null);
}

function came(turn: Known, result: TurnResult): Event[] {
  const { assistantSummary: text, changeSetId, turnId, messageId } = result;
  const runtime = ended(turn.runtime);
  const message: Partial<CrewMessage> = {
    ...{ role: "assistant", text, changeSetId, result, runtime },
    key: turnId || messageId,
  };
  const proposal: Event[] = result.hasChange
    ? [{ is: "proposal", key: turnId, proposal: result }]
    : [];
  return [{ is: "answer", message }, ...proposal, { is: "ended", how: "done" }];
}

const STOPPED = "AI_TURN_STOPPED";

function endedBy(error: ErrorShape): Event {
  if (error.code === STOPPED) return { is: "ended", how: "cancelled" };
  const failure = { outcome: "failed", message: error.message, error };
  return { is: "ended", how: "nothing", failure };
}

const broken = (): Event => endedBy({ code: "AI_BAD_RESPONSE", message: "" });

/** The edge keeps no events of the turn any more, or has none: the session tells what became of it. */
function lost(error: ErrorShape): Event[] {
  if (error.code === "AI_TURN_EXPIRED" || error.code === "AI_TURN_NOT_FOUND")
    return [
      { is: "notice", ...error, code: "AI_TURN_EXPIRED" },
      { is: "ended", how: "nothing" },
    ];
  return [endedBy(error)];
}

/** A row of a transcript as a message. */
export function messageOf(row: SessionMessage): CrewMessage {
  const { id, role, content: text, status, turnId, clientMessageId, changeSetId = null } = row;
  const { result, error } = row;
  const mine = role === "user";
  return {
    ...{ id, text, changeSetId },
    who: mine ? "you" : "assistant",
    role: mine ? "user" : "assistant",
    at: moment(row.createdAt),
    state: status === "failed" ? "failed" : "done",
    ...(turnId ? { key: turnId } : {}),
    ...(clientMessageId ? { clientMessageId } : {}),
    ...(result ? { result } : {}),
    ...(error ? { error } : {}),
  };
}

/** A time of the wire: milliseconds, or an ISO text. */
const moment = (at: number | string): number => (typeof at === "number" ? at : Date.parse(at));
