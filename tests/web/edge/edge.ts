// An edge in memory that the built page talks to over HTTP. The edge of a kind is a table of routes over its state; who
// asks, what goes wrong, what was asked, streams that are read again and what a model says are here.

import assert from "node:assert/strict";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { becomes } from "../page.ts";
import { modelSays, Stream } from "./stream.ts";

/** Paths of the edge; any other is one of the page. */
const PATHS = /^\/(api|gateway|v1|admin|projects|packages|users)(\/|$)/;
/** Routes that answer `{data, error}`. */
const ENVELOPED = /^\/(projects|packages|users)(\/|$)/;

/** What the page asked for. */
export interface Asked<Body = Record<string, unknown>> {
  method: string;
  path: string;
  query: URLSearchParams;
  /** JSON or the fields of a form; `null` where none was sent. */
  body: Body;
  headers: IncomingHttpHeaders;
  /** The principal of the key; empty without one. */
  who: string;
}

export interface Refusal {
  status: number;
  code: string;
  message?: string;
  args?: object;
  details?: object;
  hints?: string[];
  headers?: Record<string, string>;
}

/** Thrown by a route. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }
}

/** An answer that is no 200 with JSON; a value that is a text with a type of its own is sent as it is. */
export class Reply {
  constructor(
    readonly status: number,
    readonly value: unknown,
    readonly headers: Record<string, string> = {},
  ) {}
}

/**
 * What becomes of a call: a refusal, once or until the faults are others; `late`: each is answered so many ms later;
 * `lost`: it is done, and its answer breaks off; `down`: nobody answers, until the faults are others.
 */
export type Fault = (Refusal & { stays?: true }) | { late: number } | "lost" | "down";

/**
 * Routes by method (`*`: any) and path, in which `:name` is a segment; the first that answers anything decides. A
 * value, a `Reply` or a `Stream` is an answer.
 */
export type Routes = Record<string, (asked: Asked, ...segments: string[]) => unknown>;

/** What is asked for in quotes. */
interface Sizes {
  input_tokens: { min: number; max: number };
  output_tokens: { min: number; max: number };
}

/** A person of the tests: `hp_ann`, `hp_ann_2`, … are keys of `pr_ann`. */
export const principalOf = (token: string): string => `pr_${token.split("_")[1] ?? ""}`;

export function whoAsks({ authorization = "" }: IncomingHttpHeaders): string {
  const [, token] = /^Bearer (.+)$/.exec(authorization) ?? [];
  return token === undefined ? "" : principalOf(token);
}

/** A page of a list; the cursor is where it begins. */
export function listed<T>(items: readonly T[], query = new URLSearchParams()): object {
  const from = Number(query.get("cursor") ?? 0);
  const to = from + Number(query.get("limit") ?? 100);
  return { items: items.slice(from, to), next_cursor: to < items.length ? String(to) : null };
}

/** Waits for what the page is about to ask for. */
export async function comes<T>(ask: () => T | undefined, what: string): Promise<T> {
  const found = await becomes(ask, (one) => one !== undefined);
  assert.ok(found !== undefined, `${what} was not asked for.`);
  return found;
}

export abstract class Edge {
  /** Nobody answers. */
  away = false;
  /** What becomes of calls, in turn, by method and end of path, `*`: all; behind them all is well. */
  readonly faults = new Map<string, Fault[]>();
  /** All that came, also what was refused. */
  readonly asked: Asked[] = [];
  /** Paths that were asked for and are not there. */
  readonly missed: string[] = [];
  /** Texts that the model answers, in turn. */
  replies: string[] = [];
  /** What the model was asked, oldest first: the last message of each. */
  readonly heard: string[] = [];
  /** An answer of the model that has this text stands still behind it until it may go on. */
  holds: { behind: string; until: Promise<void> } | null = null;
  protected abstract readonly routes: Routes;
  readonly #once = new Map<string, Reply>();
  readonly #common: Routes = {
    "GET /gateway/v1/indicator": () => ({
      ...{ payer: "platform", currency: "USD", state: "ok", budget: null, others: [] },
      ...{ today: { cost: 0, tokens: 0, requests: 0 }, estimated: false },
    }),
    "POST /gateway/v1/quote": ({ body }) => {
      const { input_tokens: input, output_tokens: output } = body as unknown as Sizes;
      const tokens = { min: output.min + input.min, max: output.max + input.max };
      return { tokens, cost: { min: 0, max: 0 }, fits: true };
    },
    "GET /v1/models": () => ({ data: [{ id: "default", owned_by: "scripted" }] }),
    "POST /v1/chat/completions": ({ body }) => {
      const { messages } = body as { messages: { content: unknown }[] };
      this.heard.push(JSON.stringify(messages.at(-1)?.content));
      return modelSays(this.replies.shift() ?? "Nothing.", this.holds);
    },
  };

  /** What was asked of a path that ends so, `PUT /budgets/ann`. */
  of<Body = Asked["body"]>(at: string): Asked<Body>[] {
    return this.asked.filter((one) => isAt(one, at)) as Asked<Body>[];
  }

  /** Waits until it was asked so often; what was asked last. */
  until(at: string, times = 1): Promise<Asked> {
    const last = () => (this.of(at).length < times ? undefined : this.of(at).at(-1));
    return comes(last, `${at}, ${times} times,`);
  }

  /** Answers; `false`: it is a path of the page. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://edge");
    if (!PATHS.test(path)) return false;
    const { method = "GET", headers } = request;
    const asked = {
      method,
      path,
      query,
      headers,
      who: whoAsks(headers),
      body: await read(request),
    };
    const signer = headers["holdpoint-signer"];
    if (signer && asked.who && signer !== asked.who) {
      send(response, asked, refused({ status: 403, code: "OTHER_SIGNER" }));
      return true;
    }
    this.asked.push(asked);
    const fault = this.away ? "down" : this.#fault(asked);
    if (typeof fault === "object" && "late" in fault)
      await new Promise((resolve) => setTimeout(resolve, fault.late).unref());
    if (fault === "down") response.destroy();
    else if (typeof fault === "object" && "code" in fault) send(response, asked, refused(fault));
    else send(response, asked, this.#answered(asked), fault === "lost");
    return true;
  }

  #fault(asked: Asked): Fault | undefined {
    const [, faults] = [...this.faults].find(([at]) => isAt(asked, at)) ?? [];
    const [first] = faults ?? [];
    // A browser asks again by itself where a connection breaks.
    const stays =
      first === "down" || (typeof first === "object" && ("late" in first || first.stays));
    return stays ? first : faults?.shift();
  }

  /** The answer, which is the same for the same idempotency key. */
  #answered(asked: Asked): Reply | Stream {
    const key = String(asked.headers["idempotency-key"] ?? "");
    const known = this.#once.get(key);
    if (known) return known;
    const answer = this.#answer(asked);
    if (key && answer instanceof Reply && answer.status < 400) this.#once.set(key, answer);
    return answer;
  }

  #answer(asked: Asked): Reply | Stream {
    try {
      for (const [at, route] of [...Object.entries(this.routes), ...Object.entries(this.#common)]) {
        const [method = "", path = ""] = at.split(" ");
        const is = new RegExp(`^${path.replace(/:\w+/g, "([^/]+)")}$`).exec(asked.path);
        if (!is || (method !== "*" && method !== asked.method)) continue;
        const value = route(asked, ...is.slice(1).map((one) => one && decodeURIComponent(one)));
        if (value === undefined) continue;
        return value instanceof Reply || value instanceof Stream ? value : new Reply(200, value);
      }
      throw new Refused({ status: 404, code: "NOT_FOUND" });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.refusal.status === 404) this.missed.push(asked.path);
      return refused(error.refusal);
    }
  }
}

const isAt = ({ method, path }: Asked, at: string): boolean =>
  at === "*" || (at.startsWith(`${method} `) && path.endsWith(at.slice(method.length + 1)));

/** A value that is an error in every envelope. */
class Failure {
  constructor(readonly error: object) {}
}

function refused({ status, code, message = `${code}.`, headers, ...more }: Refusal): Reply {
  const { args, details, hints } = more;
  return new Reply(status, new Failure({ code, message, args, details, hints }), headers);
}

function send(
  response: ServerResponse,
  { path, headers, who }: Asked,
  answer: Reply | Stream,
  isLost = false,
): void {
  if (who && !(answer instanceof Reply && answer.status >= 400))
    response.setHeader("holdpoint-principal", who);
  if (answer instanceof Stream) {
    answer.serve(response, headers["last-event-id"]);
    return;
  }
  const { status, value, headers: more } = answer;
  const json = { "content-type": "application/json", ...more };
  if (isLost) {
    response.writeHead(status, { ...json, "content-length": "1000" });
    response.write("{", () => response.destroy());
    return;
  }
  const { error = null } = value instanceof Failure ? value : {};
  const whole = ENVELOPED.test(path) ? { data: error ? null : value, error } : value;
  const isText = json["content-type"] !== "application/json";
  response.writeHead(status, json).end(isText ? String(value) : JSON.stringify(whole));
}

async function read(request: IncomingMessage): Promise<Asked["body"]> {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) return JSON.parse((await text(request)) || "null");
  const form = new Response(await buffer(request), { headers: { "content-type": type } });
  return Object.fromEntries(await form.formData());
}
