/**
 * The routes of crew sessions over HTTP (ai-sessions.md §3): what is asked, and the data of the answer's envelope.
 *
 * Knows paths, headers and frames; knows no turn, no page and no element. Every failure is an `ApiError`.
 */

import { type Asked, type Bearer, createHttp } from "../http.ts";
import type {
  Applied,
  ApplyBody,
  AuditEvent,
  ContextAnswer,
  CrewSession,
  Envelope,
  MadeSession,
  MessageBody,
  ModelProfile,
  NewSession,
  PreviewAnswer,
  SessionAnswer,
  Staged,
  TargetType,
  TurnFrame,
  ValidateAnswer,
} from "./session-wire.ts";

/** A frame with the id under which its turn can be gone on from. */
export type Framed = TurnFrame & { id: string };

const FRAMES: ReadonlySet<string> = new Set(["turn", "runtime", "result", "error"]);
/** Messages of a transcript that are read at once. */
const PAGE = 100;

export type CrewSessions = ReturnType<typeof createSessions>;

/** The sessions of one project; `language` is what sentences of the edge are asked in. */
export function createSessions(
  asker: Bearer,
  language: () => string,
  project: string,
  ask?: typeof fetch,
) {
  const http = createHttp(asker, ask);
  const segment = encodeURIComponent;
  const root = `/projects/${segment(project)}`;
  const one = (session: string): string => `${root}/ai/sessions/${segment(session)}`;
  const send = async <T>(method: string, path: string, asked: Asked = {}): Promise<T> => {
    const headers = { "accept-language": language(), ...asked.headers };
    const { data } = await http.send<Envelope<T>>(method, path, { ...asked, headers });
    return data as T;
  };
  const stream = async function* (
    method: string,
    path: string,
    asked: Asked,
  ): AsyncGenerator<Framed> {
    const accept = { "accept-language": language(), accept: "text/event-stream" };
    const events = await http.stream(method, path, {
      ...asked,
      headers: { ...accept, ...asked.headers },
    });
    for await (const { event = "message", data, id = "" } of events)
      if (FRAMES.has(event)) yield { event, data: JSON.parse(data), id } as Framed;
  };
  return {
    project: (): Promise<{ name?: string }> => send("GET", root),
    profile: (): Promise<ModelProfile> => send("GET", "/users/me/llm-profile"),

    create: (body: NewSession, key: string): Promise<MadeSession> =>
      send("POST", `${root}/ai/sessions`, { body, headers: { "idempotency-key": key } }),

    /** The newest sessions of a target: those that are active, or all of them. */
    async of(
      type: TargetType,
      id: string,
      workflow: number | null,
      which: "active" | "all" = "active",
    ): Promise<CrewSession[]> {
      const said = new URLSearchParams({ targetType: type, targetId: id });
      if (which === "active") said.set("status", which);
      if (workflow !== null) said.set("workflowId", String(workflow));
      const { items } = await send<{ items: CrewSession[] }>(
        "GET",
        `${root}/ai/sessions?${said}&limit=20`,
      );
      return items;
    },

    read: (session: string, before: string | null = null): Promise<SessionAnswer> =>
      send("GET", `${one(session)}?limit=${PAGE}${before ? `&before=${segment(before)}` : ""}`),

    context: (session: string): Promise<ContextAnswer> => send("GET", `${one(session)}/context`),

    message: (session: string, body: MessageBody, signal: AbortSignal): AsyncGenerator<Framed> =>
      stream("POST", `${one(session)}/messages`, { body, signal }),

    /** What came after a frame of a turn, or all of it. */
    events: (
      session: string,
      turn: string,
      after: string | null,
      signal: AbortSignal,
    ): AsyncGenerator<Framed> =>
      stream("GET", `${one(session)}/turns/${segment(turn)}/events`, {
        signal,
        ...(after === null ? {} : { headers: { "last-event-id": after } }),
      }),

    stop: (session: string, turn: string): Promise<{ stopped: boolean }> =>
      send("POST", `${one(session)}/turns/${segment(turn)}/stop`),

    preview: (session: string, set?: string): Promise<PreviewAnswer> =>
      send("GET", `${one(session)}/preview${set ? `?changeSetId=${segment(set)}` : ""}`),

    apply: (session: string, body: ApplyBody): Promise<Applied> =>
      send("POST", `${one(session)}/apply`, { body }),

    /** Stages the inverse of an applied set as a new one. */
    revert: (sessionId: string, changeSetId: string): Promise<Staged> =>
      send("POST", `${root}/ai/change/revert`, { body: { sessionId, changeSetId } }),

    validate: (sessionId: string, changeSetId: string): Promise<ValidateAnswer> =>
      send("POST", `${root}/ai/change/validate`, { body: { sessionId, changeSetId } }),

    /** What was applied in a session, newest first. */
    async applies(session: string): Promise<AuditEvent[]> {
      const said = new URLSearchParams({ sessionId: session, type: "ai.apply.succeeded" });
      const { items } = await send<{ items: AuditEvent[] }>(
        "GET",
        `${root}/ai/audit/events?${said}&limit=${PAGE}`,
      );
      return items;
    },

    cancel: (session: string): Promise<{ cancelled: boolean }> =>
      send("POST", `${one(session)}/cancel`),

    remove: (session: string): Promise<{ deleted: boolean }> => send("DELETE", one(session)),
  };
}
