// The built page in a browser, and an edge in memory that it talks to over HTTP: extensions, runs, and a model that
// answers what the test gives it. Engine, sandbox and the device's store are the page's own.

import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { after, before } from "node:test";
import type { Conversation, HistoryEntry, ToldChange } from "@holdpoint/core/types";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { principalOf, type Site, serve } from "./site.ts";

const WIDE = { width: 1440, height: 900 };

/** What a person signs. */
export interface Install {
  files: Record<string, string>;
  origin: string;
  granted: string[];
  base_hash: string | null;
  patch_id: string;
  result_hash: string;
  confirm_token?: string;
  conversation?: Conversation;
}

/** The states of an extension, and which of them is there; -1 or null: none. */
interface States {
  list: ((Install & { version: string; sdk: string }) | null)[];
  at: number;
  enabled: boolean;
}

/** What somebody installed before, under an SDK of its own. */
export interface Seed {
  files: Record<string, string>;
  sdk: string;
  origin?: string;
}

/** A status and a value, or the text of a stream. */
interface Answer {
  status?: number;
  headers?: Record<string, string>;
  value?: unknown;
  stream?: string;
}

/** What a quote is asked for. */
interface Sizes {
  input_tokens: { min: number; max: number };
  output_tokens: { min: number; max: number };
}

interface Settings extends BrowserContextOptions {
  /** Of the person: `hp_ann` and `hp_ann_2` are keys of one. */
  token?: string;
  replies?: string[];
  installed?: Seed[];
}

/**
 * What becomes of an install: a refusal; `lost`: it is stored, and its answer breaks off; `down`: nobody answers, until
 * the faults are others.
 */
export type Fault =
  | { status: number; code: string; headers?: Record<string, string> }
  | "lost"
  | "down";

/** What one person has installed, and what the model says next. */
export class Edge {
  /** What becomes of the next installs, in turn; then all is well. */
  faults: Fault[] = [];
  /** The idempotency key of each install that came, also of one that was refused. */
  readonly asked: (string | undefined)[] = [];
  readonly #once = new Map<string, Answer>();
  /** What the model was asked, oldest first: the last message of each. */
  readonly heard: string[] = [];
  /** Texts that the model answers, in turn. */
  replies: string[] = [];
  /** An answer that has this text stands still behind it until it may go on. */
  holds: { behind: string; until: Promise<void> } | null = null;
  /** What was asked for and is not there. */
  readonly missed: string[] = [];
  /** Bodies of installs, in turn. */
  installs: Install[] = [];
  #installed = new Map<string, States>();
  /** What happened, newest first. */
  readonly history: HistoryEntry[] = [];
  /** What led to each version, newest first. */
  readonly told: ToldChange[] = [];
  /** The gateway's account of the run. */
  account = {
    id: "run_1",
    state: "open",
    tokens: 500_000,
    cost: 0,
    spent_tokens: 0,
    spent_cost: 0,
    left_tokens: 500_000,
    left_cost: 0,
    returned_tokens: 0,
    returned_cost: 0,
    in_flight: 0,
    deadline: 0,
  };

  /** The answer to a request: a status and a value, or the text of a stream. */
  answer(method: string, path: string, body: unknown): Answer {
    if (path === "/gateway/v1/indicator") return { value: indicator };
    if (path === "/gateway/v1/quote") return { value: quote(body as Sizes) };
    if (path.startsWith("/gateway/v1/runs")) return { value: this.account };
    if (path === "/v1/models")
      return { value: { data: [{ id: "default", owned_by: "scripted" }] } };
    if (path === "/v1/chat/completions") {
      const { messages } = body as { messages: { content: unknown }[] };
      this.heard.push(JSON.stringify(messages.at(-1)?.content));
      return { stream: this.replies.shift() ?? "Nothing." };
    }
    const [, id, step] = /^\/api\/v1\/extensions(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? [];
    return this.#extensions(method, id && decodeURIComponent(id), step, body);
  }

  /** An install as it comes over the network: with its faults, and once for each key. */
  installed(key: string | undefined, body: unknown): Answer | "lost" | "down" {
    this.asked.push(key);
    // A browser asks again by itself where a connection breaks.
    if (this.faults[0] === "down") return "down";
    const fault = this.faults.shift();
    if (typeof fault === "object") {
      const { status, code, headers = {} } = fault;
      return { status, headers, value: { error: { code, message: `${code}.` } } };
    }
    const known = key === undefined ? undefined : this.#once.get(key);
    const answer = known ?? this.answer("POST", "/api/v1/extensions", body);
    if (key !== undefined) this.#once.set(key, answer);
    return fault === "lost" ? fault : answer;
  }

  #extensions(
    method: string,
    id: string | undefined,
    step: string | undefined,
    body: unknown,
  ): Answer {
    if (id === undefined && method === "POST")
      return { status: 201, value: this.#install(body as Install) };
    if (id === undefined) {
      const items = [...this.#installed.keys()].map((one) => this.#record(one)).filter(Boolean);
      return { value: { items, next_cursor: null } };
    }
    if (id === "history") return { value: { items: this.history, next_cursor: null } };
    const states = this.#installed.get(id);
    if (!states) {
      this.missed.push(id);
      return { status: 404, value: { error: { code: "NOT_FOUND", message: "None." } } };
    }
    if (step === "conversation") {
      const items = this.told.filter((one) => one.signed.extension === id);
      return { value: { items, next_cursor: null } };
    }
    if (method === "DELETE") {
      states.list = [...states.list.slice(0, states.at + 1), null];
      states.at += 1;
    }
    if (step === "enable" || step === "disable") states.enabled = step === "enable";
    if (step === "undo") states.at -= 1;
    if (step === "redo") states.at += 1;
    if (method === "DELETE") this.#note(id, "remove", null);
    if (step === "undo" || step === "redo") this.#note(id, step, states.list[states.at] ?? null);
    if (method === "DELETE") this.#forget(id);
    return { value: method === "DELETE" ? null : this.#record(id, method === "GET") };
  }

  #install(body: Install): object | null {
    this.installs.push(body);
    const { id, version } = JSON.parse(body.files["manifest.json"]);
    const states = this.#installed.get(id) ?? { list: [], at: -1, enabled: true };
    const state = { ...body, version, sdk: "1.0.0" };
    states.list = [...states.list.slice(0, states.at + 1), state];
    states.at += 1;
    states.enabled = true;
    this.#installed.set(id, states);
    const signed = this.#note(id, "install", state);
    if (body.conversation) this.told.unshift({ ...body.conversation, signed });
    return this.#record(id);
  }

  /** Installs what an earlier SDK let through. */
  seed({ files, sdk, origin = "authored" }: Seed): void {
    const { id, version, capabilities: granted } = JSON.parse(files["manifest.json"] ?? "{}");
    const result_hash = `sha256:${createHash("sha256").update(JSON.stringify(files)).digest("hex")}`;
    const install = { files, origin, granted, base_hash: null, patch_id: "", result_hash };
    this.#installed.set(id, { list: [{ ...install, version, sdk }], at: 0, enabled: true });
  }

  #note(id: string, cause: string, after: States["list"][number] | null): HistoryEntry {
    const told = cause === "install" ? after?.conversation : undefined;
    const entry: HistoryEntry = {
      extension: id,
      // What was taken away is named by what stood before.
      name: after
        ? JSON.parse(after.files["manifest.json"] ?? "{}").name
        : (this.history.find((one) => one.extension === id)?.name ?? id),
      granted: after?.granted ?? [],
      number: told?.number ?? null,
      change: told?.change ?? null,
      spent: told?.spent ?? null,
      revision_id: `rev_${this.history.length + 1}`,
      at: Date.now(),
      who: "user:ann",
      cause,
      base_hash: null,
      content_hash: after?.result_hash ?? null,
      ...(after ? { version: after.version } : {}),
    };
    this.history.unshift(entry);
    return entry;
  }

  /** What was said of it goes with it. */
  #forget(id: string): void {
    const kept = this.told.filter((one) => one.signed.extension !== id);
    this.told.splice(0, this.told.length, ...kept);
  }

  /** What the project has of an extension. */
  record(id: string): { enabled: boolean } | null {
    return this.#record(id);
  }

  #record(id: string, whole = false): { enabled: boolean; [member: string]: unknown } | null {
    const states = this.#installed.get(id);
    const state = states?.list[states.at];
    if (!state) return null;
    return {
      id,
      version: state.version,
      content_hash: state.result_hash,
      revision_id: `rev_${states.at}`,
      granted: state.granted,
      enabled: states.enabled,
      origin: state.origin,
      installed_at: Date.now(),
      sdk_version: state.sdk,
      can_undo: true,
      can_redo: states.at + 1 < states.list.length,
      ...(whole ? { files: state.files } : {}),
    };
  }
}

const indicator = {
  payer: "platform",
  currency: "USD",
  state: "ok",
  budget: null,
  others: [],
  today: { cost: 0, tokens: 0, requests: 0 },
  estimated: false,
};
const quote = ({ output_tokens: output, input_tokens: input }: Sizes) => ({
  tokens: { min: output.min + input.min, max: output.max + input.max },
  cost: { min: 0, max: 0 },
  fits: true,
});

const event = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;
const piece = (text: string): string =>
  event({ choices: [{ index: 0, delta: { content: text } }] });
const streamed = (text: string): string =>
  piece(text) +
  event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
  event({ choices: [], usage: { prompt_tokens: 900, completion_tokens: 300 } }) +
  "data: [DONE]\n\n";

async function read(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? undefined : JSON.parse(text);
}

/** Serves the built page and the edge of whoever asks. */
const served = (edge: (principal: string) => Edge): Promise<Site> =>
  serve("page", async (pathname, request, response) => {
    if (!/^\/(api|gateway|v1)\//.test(pathname)) return false;
    const body = await read(request);
    const { method = "GET", headers } = request;
    const own = edge(principalOf((headers.authorization ?? "").replace("Bearer ", "")));
    const installs = method === "POST" && pathname === "/api/v1/extensions";
    const key = headers["idempotency-key"];
    const answer = installs
      ? own.installed(typeof key === "string" ? key : undefined, body)
      : own.answer(method, pathname, body);
    if (answer === "down") {
      request.socket.destroy();
      return true;
    }
    if (answer === "lost") {
      response.writeHead(201, { "content-type": "application/json", "content-length": "1000" });
      response.write("{", () => request.socket.destroy());
      return true;
    }
    const { status = 200, value, stream, headers: more = {} } = answer;
    const type = stream === undefined ? "application/json" : "text/event-stream";
    response.writeHead(status, { "content-type": type, ...more });
    const { behind = "", until } = own.holds ?? {};
    const at = stream?.indexOf(behind) ?? -1;
    if (stream !== undefined && until && at >= 0) {
      response.write(piece(stream.slice(0, at + behind.length)));
      await until;
      response.end(streamed(stream.slice(at + behind.length)));
      return true;
    }
    response.end(stream === undefined ? JSON.stringify(value) : streamed(stream));
    return true;
  });

/** For the top of a test file: pages over an edge of their own, closed once nothing was thrown in them. */
export function pages() {
  const thrown = new WeakMap<Page, string[]>();
  let site: Site;
  let browser: Browser;
  /** What each person has, by the name that the edge gives them. */
  let people = new Map<string, Edge>();
  const edgeOf = (principal: string): Edge => {
    const edge = people.get(principal) ?? new Edge();
    people.set(principal, edge);
    return edge;
  };

  before(
    async () => {
      site = await served(edgeOf);
      browser = await startBrowser();
    },
    { timeout: 180_000 },
  );

  after(async () => {
    await browser?.close();
    site?.stop();
  });

  return {
    /** A fresh person at the page, with the sample open, over a fresh edge. */
    async opened({
      viewport = WIDE,
      replies = [],
      token = "hp_web",
      installed = [],
      ...settings
    }: Settings = {}) {
      people = new Map();
      const edge = edgeOf(principalOf(token));
      edge.replies.push(...replies);
      for (const one of installed) edge.seed(one);
      const context = await browser.newContext({
        viewport,
        reducedMotion: "reduce",
        serviceWorkers: "block",
        ...settings,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      const errors: string[] = [];
      thrown.set(page, errors);
      page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
      await page.goto(`${site.origin}/#token=${token}`);
      await ready(page);
      return { page, edge };
    },

    /** What another person of this test has. */
    edgeOf: (token: string): Edge => edgeOf(principalOf(token)),

    /** Another address of the page in the same tab, or in a new one of the same browser. */
    url: (path = "/"): string => site.origin + path,

    async closed(page: Page): Promise<void> {
      const errors = thrown.get(page) ?? [];
      await page.context().close();
      if (errors.length) throw new Error(errors.join("\n"));
    },
  };
}

/** The rows of the open model are drawn; a narrow page shows them in another pane. */
export const ready = (page: Page): Promise<void> =>
  page.locator("hp-elements [data-row]").nth(3).waitFor({ state: "attached", timeout: 120_000 });

/** Asks in the composer. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.locator("hp-composer textarea").fill(text);
  await page.getByTestId("hp-send").click();
}

/** From the words to the review. */
export async function reviewed(page: Page, text: string): Promise<void> {
  await ask(page, text);
  await approved(page);
}

/** The same for words that something installed was made from. */
export async function reviewedAgain(page: Page, text: string): Promise<void> {
  await ask(page, text);
  await page.getByRole("button", { name: "Make another one" }).click();
  await approved(page);
}

/** Signs what is reviewed; the project has it then. */
export async function signed(page: Page): Promise<void> {
  const stored = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith("/api/v1/extensions"),
  );
  await page.locator('[data-testid="hp-install"]:not([disabled])').click();
  await stored;
  await page.locator("hp-stamp").waitFor();
}

async function approved(page: Page): Promise<void> {
  await page.getByTestId("hp-approve").click();
  await page.getByTestId("hp-install").waitFor({ timeout: 120_000 });
}
