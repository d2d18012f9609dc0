// Sessions of a crew package under test: an edge, a steered model, and the requests of a page.
import type { LedgerRow } from "./gateway.ts";
import type { Envelope } from "./profile.ts";
import { type Call, chunk, done, finish, startUpstream, type Upstream, usage } from "./upstream.ts";
import { type Answer, type Asking, type Edge, type Keys, startEdge } from "./workerd.ts";

export type Play = (call: Call) => unknown;

/** A finding or a warning. */
export interface Found {
  code: string;
  message: string;
  path?: string;
  tool?: string;
  args?: Record<string, unknown>;
}

/** The result of a turn, as far as tests look into it. */
export interface TurnResult {
  sessionId: string;
  turnId: string;
  messageId: string;
  assistantSummary: string;
  hasChange: boolean;
  suggestionVersion: number | null;
  changeSetId: string | null;
  valid: boolean | null;
  latestSuggestion: { version: number; changeSetId: string; status: string } | null;
  validation: { valid: boolean; errors: Found[] } | null;
  preview: { changeSetId: string; baseHash: string; resultHash: string } | null;
  errors: Found[];
  warnings: Found[];
  notes: string[];
  assumptions: string[];
  runtimeTrace: Runtime[];
  usage: { promptTokens: number; completionTokens: number; iterations: number; repairs: number };
}

export interface Runtime {
  kind: string;
  payload: {
    phase?: string;
    text?: string;
    name?: string;
    callId?: string;
    state?: string;
    ok?: boolean;
    code?: string;
  };
}

/** A session as `GET S` shows it. */
export interface Shown {
  session: { sessionId: string; status: string };
  latestSuggestion: { version: number; changeSetId: string; status: string } | null;
  activeTurn: { turnId: string } | null;
  messages: {
    items: {
      role: string;
      content: string;
      status: string;
      turnId: string;
      toolName?: string;
      toolResult?: { ok: boolean; error: Found | null };
      changeSetId: string | null;
      clientMessageId: string | null;
    }[];
    nextCursor: string | null;
  };
}

/** One event of a turn's stream. */
export interface TurnEvent {
  id: string;
  event: string;
  data: {
    turnId?: string;
    messageId?: string;
    kind?: string;
    payload?: Runtime["payload"];
    data?: TurnResult | null;
    error?: Found | null;
  };
}

export type Told<T = unknown> = Answer<Envelope<T>>;

/** A call of a tool as a model writes it. */
export interface ToolCall {
  id: string;
  name: string;
  args: unknown;
}

/** A whole answer of the model in words. */
export function speaks(call: Call, text: string): void {
  call.head();
  for (let at = 0; at < text.length; at += 200) call.send(chunk(text.slice(at, at + 200)));
  call.send(finish + usage(100, 20));
  call.end(done);
}

/** An answer in the form that the output contract asks for. */
export const replies = (call: Call, value: unknown): void => speaks(call, JSON.stringify(value));

/** An answer that calls tools. */
export function calls(call: Call, ...tools: ToolCall[]): void {
  const tool_calls = tools.map(({ id, name, args }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
  const choice = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  call.head();
  call.send(choice({ tool_calls }, null));
  call.send(choice({}, "tool_calls") + usage(100, 20));
  call.end(done);
}

export const chat = (assistantSummary: string, more = {}) => ({
  responseType: "chat",
  assistantSummary,
  ...more,
});

export const change = (assistantSummary: string, changeSet: object, more = {}) => ({
  responseType: "change",
  assistantSummary,
  changeSet,
  ...more,
});

/** A change set that writes one asset, in a session about it. */
export const writes = (path: string, content: string, mode = "create") => ({
  schemaVersion: "1.0",
  targetType: "asset",
  mode,
  operations: [
    { op: "upsert", targetType: "asset", target: { path }, payload: { content }, reason: "Asked." },
  ],
  impact: { objects: [`asset:${path}`] },
});

/** The messages that a call of the model carries. */
export interface Carried {
  role: string;
  content: string;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string } }[];
}
export const carried = (call: Call): Carried[] => call.body.messages;

/** What a model heard of a tool. */
export const heard = (message: Carried | undefined) =>
  JSON.parse(message?.content ?? "null") as {
    ok: boolean;
    data: Record<string, unknown> | null;
    error: Found | null;
    meta: Record<string, unknown>;
  };

/** Events of a stream as far as they are whole. */
export function framed(text: string): TurnEvent[] {
  const frames = text.split("\n\n").slice(0, -1);
  return frames.flatMap((frame) => {
    const fields = new Map(
      frame.split("\n").map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2)] as const;
      }),
    );
    const [id, event, data] = ["id", "event", "data"].map((name) => fields.get(name));
    return id && event && data ? [{ id, event, data: JSON.parse(data) as TurnEvent["data"] }] : [];
  });
}

/** The names of events, those of `runtime` by what they tell. */
export const names = (events: TurnEvent[]): string[] =>
  events.map(({ event, data }) => {
    const payload = data.payload;
    if (event !== "runtime") return event;
    return (
      payload?.phase ??
      `${payload?.name} ${payload?.state}${payload?.code ? ` ${payload.code}` : ""}`
    );
  });

/** One session. */
export interface Session {
  project: string;
  id: string;
  path: string;
}

export class Talk {
  readonly edge: Edge;
  readonly upstream: Upstream;
  readonly keys: Keys;
  /** Plays each call of the model. */
  play: Play = (call) => replies(call, chat("Hello."));

  constructor(edge: Edge, upstream: Upstream, keys: Keys) {
    this.edge = edge;
    this.upstream = upstream;
    this.keys = keys;
  }

  async ask<T>(method: string, path: string, body?: unknown, more: Asking = {}): Promise<Told<T>> {
    return this.edge.ask<Envelope<T>>(method, path, { token: this.keys.user_token, body, ...more });
  }

  /** The same, of which a test needs that it went well. */
  async good<T>(method: string, path: string, body?: unknown, more: Asking = {}): Promise<T> {
    const told = await this.ask<T>(method, path, body, more);
    if (told.status >= 300) throw new Error(`${method} ${path}: ${told.status} ${told.raw}`);
    return told.value.data;
  }

  async project(name = "Desk"): Promise<string> {
    const made = await this.good<{ projectId: string }>("POST", "/projects", { name });
    return made.projectId;
  }

  /** A session; by default about a new asset of a new project. */
  async session(more: Record<string, unknown> = {}, project?: string): Promise<Session> {
    const own = project ?? (await this.project());
    const body = { targetType: "asset", targetId: "assets/a.md", mode: "create", ...more };
    const made = await this.good<{ sessionId: string }>(
      "POST",
      `/projects/${own}/ai/sessions`,
      body,
    );
    const path = `/projects/${own}/ai/sessions/${made.sessionId}`;
    return { project: own, id: made.sessionId, path };
  }

  /** A session about an asset that is stored. */
  async stored(content: string): Promise<Session> {
    const project = await this.project();
    await this.good("POST", `/projects/${project}/assets`, { path: "assets/a.md", content });
    return this.session({ mode: "optimize" }, project);
  }

  say(session: Session, content: string, more: object = {}): Promise<Told<TurnResult>> {
    return this.ask("POST", `${session.path}/messages`, { content, ...more });
  }

  /** A message whose answer a test needs. */
  async said(session: Session, content: string, more: object = {}): Promise<TurnResult> {
    return this.good("POST", `${session.path}/messages`, { content, ...more });
  }

  /** Plays the calls of a turn in their order; the last one again and again. */
  script(...plays: Play[]): { made: Call[] } {
    const made: Call[] = [];
    this.play = (call) => {
      made.push(call);
      const step = plays[Math.min(made.length, plays.length) - 1];
      return step?.(call);
    };
    return { made };
  }

  shown(session: Session, all = false): Promise<Shown> {
    return this.good("GET", `${session.path}${all ? "?include=tool" : ""}`);
  }

  /** An open stream; the test reads and closes it. */
  async stream(method: string, path: string, body?: unknown, headers = {}): Promise<Streamed> {
    const leave = new AbortController();
    const response = await fetch(this.edge.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.keys.user_token}`,
        "content-type": "application/json",
        accept: "text/event-stream",
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: leave.signal,
    });
    return new Streamed(response, leave);
  }

  /** A session's turn as a stream. */
  streamed(session: Session, content: string, more: object = {}): Promise<Streamed> {
    return this.stream("POST", `${session.path}/messages`, { content, ...more });
  }

  /** The events of a turn behind the one that was seen last. */
  events(session: Session, turn: string, seen?: string): Promise<Streamed> {
    const headers = seen === undefined ? {} : { "last-event-id": seen };
    return this.stream("GET", `${session.path}/turns/${turn}/events`, undefined, headers);
  }

  async ledger(): Promise<LedgerRow[]> {
    const told = await this.edge.ask<{ items: LedgerRow[] }>("GET", "/gateway/v1/usage?limit=50", {
      token: this.keys.admin_token,
    });
    return told.value.items;
  }

  async stop(): Promise<void> {
    await this.edge.stop();
    await this.upstream.stop();
  }
}

/** A stream that is read bit by bit. */
export class Streamed {
  readonly response: Response;
  text = "";
  readonly #leave: AbortController;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();

  constructor(response: Response, leave: AbortController) {
    this.response = response;
    this.#leave = leave;
    this.#reader = response.body?.getReader();
  }

  get events(): TurnEvent[] {
    return framed(this.text);
  }

  /** Reads until a condition holds or the stream ends; answers whether it goes on. */
  async until(holds: (events: TurnEvent[]) => boolean): Promise<boolean> {
    while (!holds(this.events)) {
      const read = await this.#reader?.read();
      if (read === undefined || read.done) return false;
      this.text += this.#decoder.decode(read.value, { stream: true });
    }
    return true;
  }

  /** The whole stream. */
  async all(): Promise<TurnEvent[]> {
    await this.until(() => false);
    return this.events;
  }

  leave(): void {
    this.#leave.abort();
  }
}

/** A running edge with a model that tests steer. */
export async function startTalk(variables: Record<string, string> = {}): Promise<Talk> {
  let talk: Talk | undefined;
  const upstream = await startUpstream((call) => talk?.play(call));
  const edge = await startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url, ...variables } });
  talk = new Talk(edge, upstream, await edge.keys());
  return talk;
}
