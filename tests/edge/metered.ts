// Two priced models behind one stub, and people of account `dev` who call them: what usage and metrics are summed from.
import assert from "node:assert/strict";
import type { Row } from "./across.ts";
import type { Budget, List, NewKey } from "./gateway.ts";
import {
  answer,
  type Call,
  chunk,
  done,
  finish,
  startUpstream,
  type Upstream,
} from "./upstream.ts";
import { type Answer, type Edge, eventually, type Keys, startEdge } from "./workerd.ts";

/** In micros a million tokens: 3, 1 and 15 micros a token. */
const PRICE = { input: 3_000_000, cached_input: 1_000_000, output: 15_000_000 };

/** Alias `large` is model `m-1` of provider `main`, alias `small` is `m-2` of `spare`. */
export const configuration = (url: string): string =>
  JSON.stringify({
    providers: ["main", "spare"].map((id) => ({ id, kind: "openai", base_url: url })),
    models: [
      { alias: "large", display: "L", candidates: [{ provider: "main", model: "m-1" }] },
      { alias: "small", display: "S", candidates: [{ provider: "spare", model: "m-2" }] },
    ],
    prices: [
      { provider: "main", model: "m-1" },
      { provider: "spare", model: "m-2" },
    ].map((row) => ({
      ...row,
      version: 1,
      context_window: 200_000,
      max_output: 8_000,
      price: PRICE,
    })),
  });

/** A line of the ledger, with what usage is grouped by. */
export interface MeteredRow extends Row {
  at: number;
  key_id: string;
  user_id: string;
  reasoning: number;
  total_ms: number;
}

const whole = (usage: object | undefined): string =>
  JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      { index: 0, message: { role: "assistant", content: "so it is" }, finish_reason: "stop" },
    ],
    usage,
  });
const json = { "content-type": "application/json" };

/** A whole answer that read a part of its 100 tokens of input from a cache, and has 10 of output. */
export function cached(call: Call, cached_tokens: number): void {
  call.head(200, json);
  const counts = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  call.end(whole({ ...counts, prompt_tokens_details: { cached_tokens } }));
}

/** A whole answer that says nothing of its usage. */
export function silent(call: Call): void {
  call.head(200, json);
  call.end(whole(undefined));
}

/** A stream that is left open; `close` ends it with 7 tokens of input and 3 of output. */
export function opened(call: Call): void {
  call.head();
  call.send(chunk("a"));
}
export function close(call: Call): void {
  const counts = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
  call.send(finish);
  call.send(`data: ${JSON.stringify({ id: "c", choices: [], usage: counts })}\n\n`);
  call.end(done);
}

export interface Person {
  id: string;
  key: string;
}

export class Metered {
  play: (call: Call) => unknown = (call) => answer(call, "ok");
  upstream!: Upstream;
  edge!: Edge;
  keys!: Keys;

  async start(variables: Record<string, string> = {}): Promise<void> {
    this.upstream = await startUpstream((call) => this.play(call));
    const config = configuration(this.upstream.url);
    this.edge = await startEdge({ variables: { GATEWAY_CONFIG: config, ...variables } });
    this.keys = await this.edge.keys();
  }

  async stop(): Promise<void> {
    await this.edge?.stop();
    await this.upstream?.stop();
  }

  admin<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
    const asking = { token: this.keys.admin_token, body };
    return this.edge.ask<T>(method, `/gateway/v1${path}`, asking);
  }

  /** A key of a user. */
  async person(user_id: string, scopes = ["llm", "usage"]): Promise<Person> {
    const made = await this.admin<NewKey>("POST", "/keys", { label: user_id, user_id, scopes });
    assert.equal(made.status, 201, made.raw);
    return made.value;
  }

  get<T>(path: string, { key }: Person): Promise<Answer<T>> {
    return this.edge.ask<T>("GET", `/gateway/v1${path}`, { token: key });
  }

  /** A call of a model, whose answer is not read yet. */
  call(
    { key }: Person,
    model: string,
    headers: Record<string, string> = {},
    more: object = {},
  ): Promise<Response> {
    const messages = [{ role: "user", content: "some words that a provider would count" }];
    return this.edge.call(key, { model, messages, ...more }, headers);
  }

  /** A call that was answered to its end with this status. */
  async called(
    person: Person,
    model: string,
    tag?: string,
    { stream = false, status = 200 } = {},
  ): Promise<string> {
    const headers = tag === undefined ? undefined : { "holdpoint-tag": tag };
    const given = await this.call(person, model, headers, { stream });
    assert.equal(given.status, status, await given.text());
    return given.headers.get("x-request-id") ?? "none";
  }

  /** The whole ledger, newest first, once it has so many rows and nothing is held. */
  ledger(count: number): Promise<MeteredRow[]> {
    return eventually(async () => {
      const { value: budget } = await this.admin<Budget>("GET", "/budgets/dev-day");
      const value: MeteredRow[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const more: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
        const path = `/ledger?limit=500${more}`;
        const page: List<MeteredRow> = (await this.admin<List<MeteredRow>>("GET", path)).value;
        value.push(...page.items);
        cursor = page.next_cursor;
      }
      return { ok: budget.held === 0 && value.length === count, value };
    });
  }
}
