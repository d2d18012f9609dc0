/**
 * The edge over HTTP: the page's one client, its one error, its one reader of event streams.
 *
 * Owns the token's place, JSON both ways, what a failure is (`ApiError`, also where no answer came) and when one may
 * ask again. Knows no route. Invariant: whoever aborts gets the abort back, everybody else an `ApiError`.
 */

import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { ErrorShape, Json } from "./types.ts";

/** Why the edge did not do what it was asked. */
export class ApiError extends Error implements ErrorShape {
  readonly code: string;
  /** The status of the answer; 0 where none came. */
  readonly status: number;
  /** What the sentence is said from in other languages than English. */
  readonly args?: Record<string, unknown>;
  readonly details?: Record<string, Json>;
  readonly hints?: string[];
  /** After so many milliseconds one may ask again (`Retry-After`); absent where the server did not say. */
  readonly retryMs?: number;

  constructor(refusal: ErrorShape, status: number, retryMs?: number) {
    super(refusal.message);
    this.code = refusal.code;
    this.status = status;
    if (refusal.args) this.args = refusal.args;
    if (refusal.details) this.details = refusal.details;
    if (refusal.hints) this.hints = refusal.hints;
    if (retryMs !== undefined) this.retryMs = retryMs;
  }
}

/** Who asks: the key of the moment, and whose decisions are sent with it. */
export interface Asker {
  token(): string | undefined;
  /** The edge refuses what it is sent with the key of anybody else (gateway.md §3 "Principal"). */
  signer(): string | undefined;
}
/** A function names a key alone: then whoever it is of decides. */
export type Bearer = Asker | (() => string | undefined);

/** Nothing of a person is shown before it is known whose a key is: so long an answer is waited for. */
const IDENTIFY_MS = 8_000;
/** The header in which the edge names whoever asked. */
const PRINCIPAL = "holdpoint-principal";
const SIGNER = "holdpoint-signer";

export interface Asked {
  /** Sent as JSON; a form is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export interface Http {
  /** Asks; answers the value of the answer's JSON, null where it is empty. */
  send<T>(method: string, path: string, asked?: Asked): Promise<T>;
  /** Asks for a file. */
  file(method: string, path: string, asked?: Asked): Promise<Blob>;
  /** Asks for a `text/event-stream`; answers once its head is good. */
  stream(
    method: string,
    path: string,
    asked?: Asked,
  ): Promise<AsyncGenerator<EventSourceMessage, void>>;
}

/** The edge of this origin, with the token of the moment. */
export function createHttp(
  asker: Bearer,
  ask: typeof fetch = (input, init) => fetch(input, init),
): Http {
  const { token, signer } =
    typeof asker === "function" ? { token: asker, signer: () => undefined } : asker;
  const answered = async (method: string, path: string, asked: Asked): Promise<Response> => {
    const { body, signal = null } = asked;
    const headers: Record<string, string> = {};
    const bearer = token();
    if (bearer) headers.authorization = `Bearer ${bearer}`;
    const decided = signer();
    if (bearer && decided) headers[SIGNER] = decided;
    const form = body instanceof FormData;
    if (body !== undefined && !form) headers["content-type"] = "application/json";
    Object.assign(headers, asked.headers);
    const sent = form || body === undefined ? (body ?? null) : JSON.stringify(body);
    const response = await ask(path, { method, headers, body: sent, signal }).catch((error) => {
      throw signal?.aborted ? error : offline();
    });
    if (!response.ok) throw await refused(response);
    return response;
  };
  return {
    async send<T>(method: string, path: string, asked: Asked = {}): Promise<T> {
      const response = await answered(method, path, asked);
      try {
        const text = await response.text();
        return (text === "" ? null : JSON.parse(text)) as T;
      } catch (error) {
        if (asked.signal?.aborted) throw error;
        throw odd("The answer could not be read. Try again.", response.status, { case: "UNREAD" });
      }
    },
    async file(method, path, asked = {}) {
      const response = await answered(method, path, asked);
      return response.blob().catch((error) => {
        throw asked.signal?.aborted ? error : offline();
      });
    },
    async stream(method, path, asked = {}) {
      const response = await answered(method, path, asked);
      return events(response.body ?? new ReadableStream({ start: (none) => none.close() }));
    },
  };
}

/**
 * Whose key this is, as the edge names the person. Rejects with an `ApiError` where the edge does not know the key, or
 * does not answer.
 */
export async function identify(token: string, ask: typeof fetch = fetch): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(IDENTIFY_MS);
  const response = await ask("/v1/models", { headers, signal }).catch(() => {
    throw offline();
  });
  const principal = response.headers.get(PRINCIPAL);
  if (principal) return principal;
  if (!response.ok) throw await refused(response);
  throw odd("The answer names nobody. Try again.", response.status, { case: "UNREAD" });
}

/** The events of a body, in order; one that no empty line closes is none. */
export async function* events(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<EventSourceMessage, void> {
  let ready: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => ready.push(event) });
  const decoder = new TextDecoder();
  const source = body.getReader();
  try {
    for (;;) {
      const { done, value } = await source.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* ready;
      ready = [];
    }
  } finally {
    source.releaseLock();
  }
}

const odd = (message: string, status: number, args: Record<string, string | number>): ApiError =>
  new ApiError({ code: "ODD_ANSWER", message, args }, status);

function offline(): ApiError {
  const message = "No answer came. Try again when the network is back.";
  return new ApiError({ code: "OFFLINE", message }, 0);
}

async function refused(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = (await response.json().catch(() => null)) as { error?: ErrorShape } | null;
  if (!body?.error)
    return odd(`The server answered ${status}.`, status, { case: "STATUS", status });
  return new ApiError(body.error, status, retryMs(headers));
}

/** What `retry-after-ms`, else `retry-after` (seconds, or a date) says, in milliseconds from now. */
function retryMs(headers: Headers, now = Date.now()): number | undefined {
  const exact = headers.get("retry-after-ms");
  const ms = exact === null ? waitOf(headers.get("retry-after")?.trim() ?? "", now) : Number(exact);
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function waitOf(said: string, now: number): number {
  return /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - now;
}
