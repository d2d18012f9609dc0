// What a storm of calls is made of: dice that fall the same way for the same seed, calls with the faults of their
// provider and the whims of their clients, and an account that loses some of the words of its relays.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../ports.ts";
import { holdpoint } from "./dump.ts";
import { wrapped } from "./faults.ts";
import { eventually } from "./workerd.ts";

/** Dice of a seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Between 0 and 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends counted. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  one<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)];
  }
}

/** The most that the models put out. */
export const MODEL_OUTPUT = 8_000;

export type Fault = { kind: string } & Record<string, unknown>;

/** Providers by what a vanished client means to them; `two` goes to the first of two that works. */
export const ALIASES = ["drained", "stopped", "free", "two"] as const;
export const PEOPLE = ["ann", "ben", "cas"] as const;

/** A call as it will be made. */
export interface Planned {
  /** Its tag, and the word by which the provider knows it. */
  name: string;
  wire: "openai" | "anthropic";
  alias: (typeof ALIASES)[number];
  person: (typeof PEOPLE)[number];
  stream: boolean;
  max_tokens: number;
  /** Tokens of the answer, where its provider gives one. */
  words: number;
  first_ms: number;
  per_token_ms: number;
  fault: Fault | null;
  /** Sent again under one key for as long as nobody knows how it ended. */
  idempotent: boolean;
  /** When the client leaves, and how; `null`: it stays to the end. */
  leaves: { how: "reset" | "close"; after: "ms" | "chunks"; n: number } | null;
}

/** Faults that a provider may have with a call whose answer has so many tokens. */
function fault(dice: Dice, words: number): Fault {
  const after_tokens = dice.whole(0, words - 1);
  const usage = { prompt_tokens: 400, completion_tokens: 400, total_tokens: 800 };
  return dice.one<Fault>([
    { kind: "status", status: 500, times: 1 },
    { kind: "status", status: 503 },
    { kind: "status", status: 429, retry_after: 30 },
    { kind: "status", status: 400 },
    { kind: "status", status: 401 },
    { kind: "reset" },
    { kind: "redirect", location: "http://127.0.0.1:9/" },
    { kind: "slow_headers", ms: 2_500 },
    { kind: "slow_first_byte", ms: 2_500 },
    { kind: "stall", after_tokens },
    { kind: "cut", after_tokens },
    { kind: "cut_mid_event", after_tokens },
    { kind: "malformed", after_tokens, data: "{no json" },
    { kind: "error_event", after_tokens, type: "overloaded_error", message: "Too much." },
    { kind: "no_usage" },
    // More than was held: the excess is no part of what is spent.
    { kind: "wrong_usage", usage },
    { kind: "extra_output", tokens: 30 },
    { kind: "no_done" },
    { kind: "no_finish" },
    { kind: "bad_json_body" },
  ]);
}

export function planned(dice: Dice, count: number): Planned[] {
  return Array.from({ length: count }, (_, n) => {
    const words = dice.whole(5, 60);
    const stream = dice.chance(0.6);
    const leave = dice.next();
    return {
      name: `storm-${String(n).padStart(4, "0")}`,
      wire: dice.one(["openai", "openai", "anthropic"] as const),
      alias: dice.one(ALIASES),
      person: dice.one(PEOPLE),
      stream,
      max_tokens: dice.whole(40, 120),
      words,
      first_ms: dice.whole(0, 150),
      per_token_ms: dice.whole(0, 12),
      fault: dice.chance(0.35) ? fault(dice, words) : null,
      idempotent: dice.chance(0.4),
      leaves:
        leave > 0.25
          ? null
          : {
              how: dice.one(["reset", "close"] as const),
              after: stream && leave < 0.17 ? "chunks" : "ms",
              n: stream && leave < 0.17 ? dice.whole(0, 20) : dice.whole(0, 400),
            },
    };
  });
}

/** A scripted model server that has turns for each of the calls, so that its log tells them apart. */
export class Provider {
  #process: ChildProcess | undefined;
  #dir = mkdtempSync(join(tmpdir(), "holdpoint-storm-"));
  /** Whose turns there are, in their order. */
  #turns: string[] = [];
  url = "";

  async start(calls: readonly Planned[]): Promise<void> {
    const turns = calls.flatMap((call) => {
      const { name, alias, words, first_ms, per_token_ms, fault } = call;
      const text = Array.from({ length: words }, (_, n) => `w${n % 10}`).join(" ");
      const turn = (model: string, faults: Fault[]) => ({
        when: { last_user_contains: name, model },
        reply: { text },
        pace: { first_ms, per_token_ms, tokens_per_chunk: 2 },
        faults,
      });
      // The second of two providers has no faults.
      const first = turn(alias === "two" ? "first" : "m", fault ? [fault] : []);
      return alias === "two" ? [first, turn("m", [])] : [first];
    });
    this.#turns = turns.map(({ when }) => when.last_user_contains);
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    const file = join(this.#dir, "storm.json");
    writeFileSync(file, JSON.stringify({ transcript: 1, name: "storm", turns }));
    const args = ["provider", "--transcripts", file, "--port", String(port)];
    this.#process = spawn(holdpoint, args, { stdio: "ignore" });
    await eventually(async () => ({
      ok: await fetch(`${this.url}/__scripted/log`).then(
        (got) => got.ok,
        () => false,
      ),
    }));
  }

  /** From now on a call with that word is answered so. */
  async answers(word: string, usage: object): Promise<void> {
    const turns = [{ when: { last_user_contains: word }, reply: { text: "so it is", usage } }];
    const body = JSON.stringify({ transcript: 1, name: word, turns });
    await fetch(`${this.url}/__scripted/transcripts`, { method: "POST", body });
  }

  /** How often each call came here, by its name. */
  async asked(): Promise<Map<string, number>> {
    const log = (await (await fetch(`${this.url}/__scripted/log`)).json()) as {
      requests: { turn: string }[];
    };
    const asked = new Map<string, number>();
    for (const { turn } of log.requests) {
      const name = this.#turns[Number(turn.split("/")[1])];
      asked.set(name, (asked.get(name) ?? 0) + 1);
    }
    return asked;
  }

  /** What `GATEWAY_CONFIG` says of it. */
  configuration(): string {
    const kinds = { drained: "openai", stopped: "anthropic", free: "openai", second: "openai" };
    const disconnects = {
      drained: "drain",
      stopped: "cancel_estimate",
      free: "cancel_free",
      second: "drain",
    };
    const ids = ["drained", "stopped", "free", "second"] as const;
    const at = (provider: string, model: string) => ({ provider, model });
    const candidates = {
      drained: [at("drained", "m")],
      stopped: [at("stopped", "m")],
      free: [at("free", "m")],
      two: [at("drained", "first"), at("second", "m")],
    };
    return JSON.stringify({
      providers: ids.map((id) => ({
        id,
        kind: kinds[id],
        base_url: kinds[id] === "openai" ? `${this.url}/v1` : this.url,
        disconnect: disconnects[id],
      })),
      models: ALIASES.map((alias) => ({ alias, display: alias, candidates: candidates[alias] })),
      prices: [...ids.map((id) => at(id, "m")), at("drained", "first")].map((row) => ({
        ...row,
        version: 1,
        context_window: 200_000,
        max_output: MODEL_OUTPUT,
        price: { input: 3_000_000, output: 15_000_000 },
      })),
    });
  }

  stop(): void {
    this.#process?.kill();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** What a client saw of one request. */
export interface Seen {
  /** `null`: the connection ended before an answer began. */
  status: number | null;
  id: string | null;
  code: string | null;
  /** What was charged, where the answer says so. */
  tokens: number | null;
  /** Whether the answer was read to its end, the client left, or the connection broke. */
  ended: "whole" | "left" | "broken";
}

/** Sends a call once, as its client would. */
export function send(port: number, key: string, call: Planned, patience_ms: number): Promise<Seen> {
  const { wire, stream, max_tokens, leaves, idempotent } = call;
  const body = JSON.stringify({
    model: call.alias,
    max_tokens,
    messages: [{ role: "user", content: call.name }],
    ...(stream && { stream }),
  });
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "holdpoint-tag": call.name,
    "holdpoint-usage-comment": "1",
    ...(idempotent && { "idempotency-key": call.name }),
  };
  const path = wire === "openai" ? "/v1/chat/completions" : "/v1/messages";
  return new Promise((done, hangs) => {
    const seen: Seen = { status: null, id: null, code: null, tokens: null, ended: "broken" };
    const at = { host: "127.0.0.1", port, path, method: "POST", agent: false as const, headers };
    const request = http.request(at);
    const timers: NodeJS.Timeout[] = [];
    const end = (how: Seen["ended"]) => {
      if (seen.ended !== "left") seen.ended = how;
      for (const timer of timers) clearTimeout(timer);
      done(seen);
    };
    const leave = () => {
      seen.ended = "left";
      if (leaves?.how === "reset" && request.socket?.connecting === false)
        request.socket.resetAndDestroy();
      else request.destroy();
      end("left");
    };
    const late = () => hangs(new Error(`${call.name} hangs: ${JSON.stringify({ call, seen })}`));
    timers.push(setTimeout(late, patience_ms));
    if (leaves?.after === "ms") timers.push(setTimeout(leave, leaves.n));
    request.on("error", () => end("broken"));
    request.on("response", (response) => {
      seen.status = response.statusCode ?? null;
      seen.id = String(response.headers["x-request-id"] ?? "") || null;
      seen.tokens = Number(response.headers["holdpoint-tokens"] ?? Number.NaN);
      let text = "";
      let chunks = 0;
      response.on("data", (part: Buffer) => {
        text += part;
        chunks += 1;
        if (leaves?.after === "chunks" && chunks > leaves.n) leave();
      });
      response.on("error", () => end("broken"));
      response.on("close", () => {
        read(seen, text);
        end(response.complete ? "whole" : "broken");
      });
    });
    request.end(body);
  });
}

/** Reads off an answer why it was refused, or what was charged. */
function read(seen: Seen, text: string): void {
  const comment = /^: holdpoint (\{.*\})$/m.exec(text)?.[1];
  if (comment) seen.tokens = JSON.parse(comment).tokens;
  if (Number.isNaN(seen.tokens)) seen.tokens = null;
  if (seen.status === 200) return;
  seen.code = /"(?:error_)?code":\s*"([A-Z_]+)"/.exec(text)?.[1] ?? null;
}

/** Of a thousand words of a relay to its account so many are lost before they are heard, and as many answers. */
export const forgetful = (seed: number, permille: number): (() => void) =>
  wrapped(`
import * as real from "./snippets/real.js";
export * from "./snippets/real.js";

const KINDS = ["Admit", "Settle", "Release", "Progress"];
const names = new Map();
const said = new Map();

const roll = (text) => {
  let hash = 0x811c9dc5;
  for (const letter of ${JSON.stringify(String(seed))} + text)
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash >>> 0) % 1000;
};

export class Account {
  #inner;

  constructor(ctx, env) {
    this.#inner = new real.Account(ctx, env);
  }

  ask(text) {
    const command = JSON.parse(text);
    const kind = KINDS.find((kind) => kind in command);
    if (kind === undefined) return this.#inner.ask(text);
    const { ask, request_id } = command[kind];
    if (ask) names.set(ask.request_id, ask.facts.tag);
    const word = kind + (names.get(request_id ?? ask.request_id) ?? request_id);
    const count = (said.get(word) ?? 0) + 1;
    said.set(word, count);
    const rolled = roll(word + count);
    if (rolled < ${permille}) throw new Error("a word is lost");
    const answer = this.#inner.ask(text);
    if (rolled < ${2 * permille}) throw new Error("an answer is lost");
    return answer;
  }

  alarm() {
    return this.#inner.alarm();
  }
}
`);
