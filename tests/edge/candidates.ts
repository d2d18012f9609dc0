// Aliases with several candidates before one stub, whose paths tell the providers apart (gateway.md §4, §7).
//
// Owns the configuration, what each provider does, and users who have a budget of their own.
import assert from "node:assert/strict";
import { freePort } from "../ports.ts";
import type { Row } from "./across.ts";
import { message, start, stop, text } from "./anthropic.ts";
import type { Budget, List, NewKey } from "./gateway.ts";
import {
  answer,
  type Call,
  play,
  startUpstream,
  streamed,
  told,
  type Upstream,
} from "./upstream.ts";
import { type Answer, type Edge, eventually, type Keys, startEdge } from "./workerd.ts";

/** What a candidate is, beside a remote server of OpenAI's protocol below a path of the stub. */
interface Written {
  kind?: "openai" | "anthropic";
  locality?: "local" | "remote";
  max_in_flight?: number;
  timeouts?: { first_byte_ms?: number; idle_ms?: number };
  price?: { input: number; output: number };
  /** Nobody listens there. */
  away?: boolean;
}

/** The candidates of each alias; those of `busy` are the providers `busy-a` and `busy-b`. */
type Routes = Record<string, Written[]>;

/** In micros a million tokens: 3 and 15 micros a token. */
const PRICE = { input: 3_000_000, output: 15_000_000 };
const place = (alias: string, n: number) => `${alias}-${"abcd".charAt(n)}`;
/** Another alias of the same providers. */
export const twin = (alias: string) => `${alias}-too`;

function configuration(routes: Routes, origin: string, nowhere: number): string {
  const all = Object.entries(routes).flatMap(([alias, candidates]) =>
    candidates.map((written, n) => ({ id: place(alias, n), ...written })),
  );
  return JSON.stringify({
    providers: all.map(({ id, away, price: _, kind = "openai", ...rest }) => {
      const own = `${away ? `http://127.0.0.1:${nowhere}` : origin}/${id}`;
      return { id, kind, base_url: kind === "openai" ? `${own}/v1` : own, ...rest };
    }),
    models: Object.entries(routes).flatMap(([name, written]) => {
      const candidates = written.map((_, n) => ({ provider: place(name, n), model: "m" }));
      return [name, twin(name)].map((alias) => ({ alias, display: alias, candidates }));
    }),
    prices: all.map(({ id, price = PRICE }) => ({
      provider: id,
      model: "m",
      version: 1,
      context_window: 200_000,
      max_output: 8_000,
      price,
    })),
  });
}

export const fails = (call: Call) => told(call, 503, "{}");

/** A good answer of either protocol, which reports 7 tokens of input and 3 of output. */
export function works(call: Call): void {
  const words = ["so", " it", " is"];
  const used = { input_tokens: 7, output_tokens: 3 };
  const ofAnthropic = call.path?.endsWith("/messages") === true;
  if (ofAnthropic && call.body.stream)
    streamed(call, start(used), text(0, words), stop("end_turn", used));
  else if (ofAnthropic) message(call, [{ type: "text", text: words.join("") }], used);
  else if (call.body.stream) play(call, words);
  else answer(call, words.join(""));
}

/** The provider whom a call was meant for. */
export const provider = (call: Call): string => call.path?.split("/")[1] ?? "";

const messages = [{ role: "user", content: "some words that a provider would count" }];
export const question = (model: string, more: object = {}) => ({
  model,
  max_tokens: 40,
  messages,
  ...more,
});

/** What a good answer of either protocol says. */
interface Said {
  type: string;
  object: string;
  choices: { message: { content: string | null } }[];
  content: { type: string; text: string }[];
}

/** Whether a line of the ledger is one that is looked for. */
type Belongs = (row: Row) => boolean;

export class Candidates {
  /** What each provider does; the others work. */
  readonly acts: Record<string, (call: Call) => unknown> = {};
  readonly routes: Routes;
  upstream!: Upstream;
  edge!: Edge;
  keys!: Keys;
  #people = 0;

  constructor(routes: Routes) {
    this.routes = routes;
  }

  async start(): Promise<void> {
    this.upstream = await startUpstream((call) => (this.acts[provider(call)] ?? works)(call));
    const { origin } = new URL(this.upstream.url);
    const config = configuration(this.routes, origin, await freePort());
    this.edge = await startEdge({ variables: { GATEWAY_CONFIG: config } });
    this.keys = await this.edge.keys();
  }

  async stop(): Promise<void> {
    await this.edge?.stop();
    await this.upstream?.stop();
  }

  /** How often each candidate of an alias was asked. */
  asked(alias: string): number[] {
    const called = this.upstream.calls.map(provider);
    const ids = this.routes[alias].map((_, n) => place(alias, n));
    return ids.map((id) => called.filter((name) => name === id).length);
  }

  async #admin<T>(method: string, path: string, body?: object): Promise<T> {
    const asking = { token: this.keys.admin_token, body };
    const got = await this.edge.ask<T>(method, `/gateway/v1/${path}`, asking);
    assert.ok(got.status < 300, got.raw);
    return got.value;
  }

  async #rows(): Promise<Row[]> {
    return (await this.#admin<List<Row>>("GET", "ledger?limit=500")).items;
  }

  /** What was asked, spent and written down, once nothing is held. */
  settled() {
    return eventually(async () => {
      const budgets = (await this.#admin<List<Budget>>("GET", "budgets")).items;
      const value = {
        calls: this.upstream.calls.length,
        spent: budgets.map(({ id, spent }) => [id, spent]),
        rows: (await this.#rows()).map((row) => row.request_id),
      };
      return { ok: budgets.length > 0 && budgets.every(({ held }) => held === 0), value };
    });
  }

  /** A user with a key, and with room for so many requests. */
  async somebody(limit = 100) {
    this.#people += 1;
    const name = `user${this.#people}`;
    const scopes = ["llm", "usage"];
    const { key } = await this.#admin<NewKey>("POST", "keys", {
      label: name,
      user_id: name,
      scopes,
    });
    const room = { scope: `user:${name}`, unit: "requests", period: "day", limit };
    await this.#admin("PUT", `budgets/${name}`, room);
    const budget = () => this.#admin<Budget>("GET", `budgets/${name}`);
    const post = (path: string, body: object, headers: Record<string, string>) => {
      const signal = AbortSignal.timeout(20_000);
      return this.edge.ask<Said>("POST", path, { body, headers, signal });
    };
    const rows = (belongs: Belongs): Promise<Row[]> =>
      eventually(async () => {
        const { held } = await budget();
        const value = (await this.#rows()).filter(belongs);
        value.sort((one, other) => (one.request_id < other.request_id ? -1 : 1));
        return { ok: held === 0 && value.length > 0, value };
      });
    return {
      key,
      chat: (alias: string, more: object = {}, headers: Record<string, string> = {}) => {
        const credential = { authorization: `Bearer ${key}` };
        return post("/v1/chat/completions", question(alias, more), { ...credential, ...headers });
      },
      message: (alias: string, more: object = {}) => {
        const credential = { "x-api-key": key, "anthropic-version": "2023-06-01" };
        return post("/v1/messages", question(alias, more), credential);
      },
      rows,
      /** The rows of an answer's tries, the first one first, once nothing of this user is held. */
      tries: (given: Answer) => {
        const id = given.headers.get("x-request-id") ?? "none";
        return rows(({ request_id }) => request_id === id || request_id.startsWith(`${id}.`));
      },
      requests: async () => (await budget()).spent,
    };
  }
}

/** Somebody who calls. */
export type User = Awaited<ReturnType<Candidates["somebody"]>>;

/** Who answered, after how many tries. */
export const answered = ({ status, headers }: Answer) => [
  status,
  headers.get("holdpoint-provider"),
  headers.get("holdpoint-attempts"),
];
/** The same, and why another one than the first was asked first. */
export const routed = (given: Answer) => [
  ...answered(given),
  given.headers.get("holdpoint-fallback"),
];
export const refused = ({ status, value }: Answer) => [status, value.error?.code];
