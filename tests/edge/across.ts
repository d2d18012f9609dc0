// Clients of both protocols before one gateway whose aliases lead to an upstream of the other protocol (gateway.md §8).
//
// Owns the configuration and the two npm clients; the upstream is the stub that tests steer from inside.
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { message } from "./anthropic.ts";
import type { Budget, LedgerRow, List } from "./gateway.ts";
import { type Call, last, sleep, startUpstream, type Upstream } from "./upstream.ts";
import { type Edge, eventually, type Keys, startEdge } from "./workerd.ts";

/** The alias that leads to Anthropic's protocol, and the one that leads to OpenAI's. */
export const CLAUDE = "claude";
export const GPT = "gpt";
export const CLAUDE_KEY = "sk-ant-upstream-secret";
export const GPT_KEY = "sk-upstream-secret";

const route = (alias: string) => ({
  alias,
  display: alias,
  candidates: [{ provider: `${alias}-main`, model: `${alias}-large` }],
});
const price = (alias: string) => ({
  provider: `${alias}-main`,
  model: `${alias}-large`,
  version: 1,
  context_window: 200_000,
  max_output: 8_000,
  image_tokens_max: 1_600,
  document_tokens_max: 5_000,
  audio_tokens_max: 2_000,
  price: {
    input: 3_000_000,
    cached_input: 300_000,
    cache_write: 3_750_000,
    output: 15_000_000,
  },
});
const provider = (alias: string, kind: string, base_url: string) => ({
  id: `${alias}-main`,
  kind,
  base_url,
  secret: `platform:${alias}`,
});
const configuration = (url: string): string =>
  JSON.stringify({
    providers: [
      provider(CLAUDE, "anthropic", url.replace(/\/v1$/, "")),
      provider(GPT, "openai", url),
    ],
    models: [route(CLAUDE), route(GPT)],
    prices: [price(CLAUDE), price(GPT)],
  });

/** A line of the ledger, with what it cost. */
export interface Row extends LedgerRow {
  protocol: string;
  alias: string;
  provider: string;
  model: string;
  cached_input: number;
  cache_write: number;
  cost: number;
  excess_cost: number;
}

/** What a request leaves behind; a refused one leaves it as it was. */
export interface Money {
  held: number[];
  spent: number[];
  rows: string[];
  calls: number;
}

/** What the gateway asked an upstream of either protocol. */
export interface Sent {
  model: string;
  messages: unknown[];
  system?: unknown[];
  tools?: unknown[];
  tool_choice?: unknown;
  parallel_tool_calls?: boolean;
  max_tokens?: number;
  max_completion_tokens?: number;
  stop?: string[];
  temperature?: number;
  stream?: boolean;
  stream_options?: unknown;
}

/** What a refusal or a broken stream says, in the shape of either protocol. */
export interface Failure {
  type: string;
  message: string;
  code?: string;
  details: { error_code?: string; pointer?: string; features?: object[] };
}

export class Across {
  /** Plays each call of the gateway. */
  play: (call: Call) => unknown = (call) => call.cut();
  upstream!: Upstream;
  edge!: Edge;
  keys!: Keys;
  openai!: OpenAI;
  anthropic!: Anthropic;

  async start(): Promise<void> {
    this.upstream = await startUpstream((call) => this.play(call));
    this.edge = await startEdge({
      variables: {
        GATEWAY_CONFIG: configuration(this.upstream.url),
        UPSTREAM_KEY_CLAUDE: CLAUDE_KEY,
        UPSTREAM_KEY_GPT: GPT_KEY,
      },
    });
    this.keys = await this.edge.keys();
    const { url } = this.edge;
    const given = { apiKey: this.keys.user_token, maxRetries: 0 };
    this.openai = new OpenAI({ baseURL: `${url}/v1`, ...given });
    this.anthropic = new Anthropic({ baseURL: url, ...given });
  }

  async stop(): Promise<void> {
    await this.edge?.stop();
    await this.upstream?.stop();
  }

  /** A chat completion that leads to Anthropic's protocol, as bytes. */
  chat(more: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    const body = { model: CLAUDE, messages: [{ role: "user", content: "x" }], ...more };
    const credential = { authorization: `Bearer ${this.keys.user_token}` };
    return this.#post("/v1/chat/completions", body, { ...credential, ...headers });
  }

  /** A message that leads to OpenAI's protocol, as bytes. */
  message(more: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    const messages = [{ role: "user", content: "x" }];
    const credential = { "x-api-key": this.keys.user_token, "anthropic-version": "2023-06-01" };
    return this.#post(
      "/v1/messages",
      { model: GPT, max_tokens: 100, messages, ...more },
      { ...credential, ...headers },
    );
  }

  #post(path: string, body: object, headers: Record<string, string>): Promise<Response> {
    return fetch(this.edge.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  get call(): Call {
    return last(this.upstream.calls);
  }

  get sent(): Sent {
    return JSON.parse(this.call.raw);
  }

  async #rows(): Promise<Row[]> {
    const asked = { token: this.keys.admin_token };
    return (await this.edge.ask<List<Row>>("GET", "/gateway/v1/ledger?limit=500", asked)).value
      .items;
  }

  /** The line of the ledger that an answer left. */
  row(answer: Response): Promise<Row> {
    const id = answer.headers.get("x-request-id");
    return eventually(async () => {
      const value = (await this.#rows()).find((row) => row.request_id === id);
      return { ok: value !== undefined, value };
    });
  }

  async money(): Promise<Money> {
    const asked = { token: this.keys.admin_token };
    const budgets = await this.edge.ask<List<Budget>>("GET", "/gateway/v1/budgets", asked);
    return {
      held: budgets.value.items.map((budget) => budget.held),
      spent: budgets.value.items.map((budget) => budget.spent),
      rows: (await this.#rows()).map((row) => row.request_id),
      calls: this.upstream.calls.length,
    };
  }

  /** The same once every call that ran before is settled. */
  settled(): Promise<Money> {
    return eventually(async () => {
      const value = await this.money();
      return { ok: value.held.length > 0 && value.held.every((held) => held === 0), value };
    });
  }
}

/** An event of a stream; the mark at the end of OpenAI's is a text. */
export interface Heard {
  event: string | undefined;
  data: unknown;
}

/** The events of a whole stream. */
export function heard(text: string): Heard[] {
  const read = (block: string): Heard[] => {
    const event = /^event: ?(.*)$/m.exec(block)?.[1];
    const data = /^data: ?(.*)$/m.exec(block)?.[1];
    if (data === undefined) return [];
    return [{ event, data: data === "[DONE]" ? data : JSON.parse(data) }];
  };
  return text.split("\n\n").flatMap(read);
}

/** Features that an answer says were left out. */
export const dropped = (answer: Response): string[] =>
  (answer.headers.get("holdpoint-dropped") ?? "").split(/, */).filter((name) => name !== "");

/** A value as its JSON says it, without what a client keeps beside it. */
export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const chunk = (more: object): string => {
  const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "g" };
  return `data: ${JSON.stringify({ ...base, ...more })}\n\n`;
};
/** A chunk of OpenAI's protocol: a change of the message, and at its end the reason. */
export const piece = (delta: object, finish_reason: string | null = null): string =>
  chunk({ choices: [{ index: 0, delta, finish_reason }] });
/** A chunk that begins a tool call, or goes on with its arguments. */
export const toolPiece = (index: number, rest: { id?: string; function: object }): string =>
  piece({ tool_calls: [{ index, ...(rest.id ? { type: "function" } : {}), ...rest }] });
/** What OpenAI's protocol reports of `input` tokens, of which `cached` came from a cache. */
export const use = (input: number, cached: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
});
/** The chunk that follows the reason. */
export const report = (usage: object): string => chunk({ choices: [], usage });

/** A whole answer of OpenAI's protocol. */
export function completion(call: Call, message: object, usage: object, finish = "stop"): void {
  call.head(200, { "content-type": "application/json" });
  call.end(
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "g",
      choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
      usage,
    }),
  );
}

/** Plays a stream in pieces of so many bytes, with such line ends. */
export const drip = (text: string, size: number, eol: string) => async (call: Call) => {
  const bytes = Buffer.from(text.replaceAll("\n", eol));
  call.head();
  for (let at = 0; at < bytes.length; at += size) {
    call.send(bytes.subarray(at, at + size));
    if (at % (10 * size) === 0) await sleep(1);
  }
  call.end();
};

/** A short answer of each protocol. */
export const hi = (call: Call): void => {
  message(call, [{ type: "text", text: "hi" }], { input_tokens: 5, output_tokens: 2 });
};
export const hello = (call: Call): void => completion(call, { content: "hello" }, use(5, 0, 2));

export const user = (content: string) => ({ role: "user" as const, content });
/** A function as a tool of OpenAI's protocol. */
export const byName = (name: string, more: object = {}) => ({
  type: "function" as const,
  function: { name, ...more },
});
/** A call of a function in a message of OpenAI's protocol. */
export const calling = (id: string, name: string, args: string) => ({
  id,
  type: "function" as const,
  function: { name, arguments: args },
});
/** Usage as a client of OpenAI's protocol reads it. */
export const prompted = (prompt: number, cached: number, written: number, output: number) => ({
  prompt_tokens: prompt,
  completion_tokens: output,
  total_tokens: prompt + output,
  prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
  completion_tokens_details: { reasoning_tokens: 0 },
});
