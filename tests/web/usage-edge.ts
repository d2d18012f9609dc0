// An edge in memory for the usage page (gateway.md §13): `hp_ann` is an operator, `hp_bea` is not.

import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { after, before } from "node:test";
import type { BudgetShown, Indicator } from "@holdpoint/core/types";
import type { Browser, Page, ViewportSize } from "playwright-core";
import type {
  AuditRow,
  ExtensionRow,
  KeyRow,
  LedgerItem,
  RunningItem,
  UsageGroup,
  UsageItem,
} from "../../www/app/src/pages/usage/wire.ts";
import { startBrowser } from "./browser.ts";
import { type Site, serve } from "./site.ts";

const MICROS = 1_000_000;
const DAY = 86_400_000;
const ROOT = "/gateway/v1";
/** Calls are of the present month, also on its first day. */
const MONTH = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1);
/** What only operators may read or do. */
const ADMIN = /^\/(budgets(\/[^/]+)?|keys.*|audit)$|\/(grant|deny|end)$/;

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

interface Refusal {
  status: number;
  code: string;
}

export const budget = (
  id: string,
  scope: string,
  more: Partial<BudgetShown> = {},
): BudgetShown => ({
  ...{ id, scope, unit: "cost", period: "month", payer: "platform", limit: 200 * MICROS },
  ...{ spent: 120 * MICROS, held: 2 * MICROS, overrun: 0, remaining: 78 * MICROS },
  ...{ used_permille: 610, resets_at: Date.now() + 10 * DAY },
  ...more,
});

export const call = (n: number, more: Partial<LedgerItem> = {}): LedgerItem => ({
  ...{ request_id: `req_${n}`, at: Math.max(MONTH, Date.now() - n * 60_000), closed_at: 0 },
  key_id: "k1",
  ...{ user_id: "ann", run_id: null, payer: "platform", protocol: "openai", alias: "writer" },
  ...{ provider: "main", model: "m-large", price_version: 1, outcome: "ok" },
  ...{ usage_source: "reported", disconnect_policy: null, input: 900, cached_input: 0 },
  ...{ cache_write: 0, output: 100, reasoning: 0, tokens: 1_000, cost: 140_000 },
  ...{ excess_tokens: 0, excess_cost: 0, held_tokens: 4_000, held_cost: 460_000 },
  ...{ finish: "stop", status: 200, attempts: 1, stream: true, input_bytes: 10 },
  ...{
    output_bytes: 10,
    ttfb_ms: 400,
    total_ms: 2_000,
    tag: "editor",
    template: null,
    fallback: null,
  },
  ...more,
});

const key = (id: string, label: string): KeyRow => ({
  ...{ id, label, user_id: "ann", display: `hp_***${id}`, scopes: ["llm"], models: [] },
  ...{ origins: [], clamp: "allowed", expires_at: null, previous_until: null },
  ...{ revoked_at: null, created_at: 0, last_used_day: Math.floor(Date.now() / DAY) - 1 },
});

const sums = {
  ...{ requests: 41, released: 0, estimated: 3, input: 900_000, cached_input: 0 },
  ...{ cache_write: 0, output: 0, reasoning: 0, tokens: 1_000_000, cost: 120 * MICROS },
  ...{ excess_tokens: 0, excess_cost: 0, estimated_permille: 73, cache_hit_permille: 480 },
};

export class UsageEdge {
  readonly asked: Asked[] = [];
  /** Refusals by path, until they are taken away. */
  readonly refusals = new Map<string, Refusal>();
  /** Whether nobody answers. */
  away = false;
  /** The rows among which a page of calls is looked for, as for whoever is no operator. */
  looked = Number.POSITIVE_INFINITY;
  /** How long a page of calls takes, in ms. */
  slow = 0;
  priced = true;
  budgets = [budget("acme", "account:acme"), budget("ann", "user:ann", { granted: 50 * MICROS })];
  /** What counts the calls of `bea`. */
  own = budget("bea", "user:bea", { limit: 20 * MICROS });
  /** Which models the indicator says answer. */
  answering: Pick<Indicator, "model" | "own_model"> = {};
  calls: LedgerItem[] = Array.from({ length: 100 }, (_, n) => call(n + 1));
  running: RunningItem[] = [];
  keys = [key("k1", "Laptop"), key("k2", "Viewer")];
  requests: ExtensionRow[] = [];
  audit: AuditRow[] = [
    {
      id: "2",
      at: Date.now(),
      actor: "key:k2",
      action: "signin.refused",
      target: "k2",
      detail: {},
    },
    { id: "1", at: 0, actor: "user:ann", action: "key.create", target: "k1", detail: {} },
  ];

  /** Waits until a path was asked so often; what it was asked last. */
  async until(method: string, path: string, times = 1): Promise<Asked> {
    for (let i = 0; i < 400; i += 1) {
      const all = this.of(method, path);
      if (all.length >= times) return all[all.length - 1];
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`${method} ${path} was not asked for ${times} times.`);
  }

  /** What was asked of a path. */
  of = (method: string, path: string): Asked[] =>
    this.asked.filter((one) => one.method === method && one.path === path);

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const path = url.pathname.slice(ROOT.length);
    const who = request.headers.authorization?.includes("hp_ann") ? "ann" : "bea";
    const asked: Asked = {
      ...{ method: request.method ?? "GET", path, query: url.searchParams },
      body: (await read(request)) as Asked["body"],
    };
    if (this.away) return void response.destroy();
    this.asked.push(asked);
    const refusal = this.#refusal(asked, who);
    if (path === "/usage/calls" && this.slow > 0)
      await new Promise((resolve) => setTimeout(resolve, this.slow));
    const value = refusal
      ? { error: { code: refusal.code, message: `${refusal.code}.` } }
      : this.#value(asked, who);
    response.writeHead(refusal?.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  }

  #refusal({ method, path }: Asked, who: string): Refusal | undefined {
    const known = this.refusals.get(`${method} ${path}`);
    if (known) return known;
    return who === "bea" && ADMIN.test(path) ? { status: 403, code: "SCOPE_DENIED" } : undefined;
  }

  #value({ method, path, query, body }: Asked, who: string): unknown {
    if (path === "/indicator") return this.#indicator(who);
    if (path === "/usage") return this.#usage(query);
    if (path === "/usage/running") return { items: this.running };
    if (path === "/usage/calls") return this.#calls(query);
    if (path === "/audit") return slice(this.audit, query);
    if (method === "GET" && path === "/budgets") return slice(this.budgets, query);
    if (method === "GET" && path === "/keys") return slice(this.keys, query);
    if (method === "GET" && path === "/extensions") return slice(this.requests, query);
    const [, kind, id = "", below, other, verb] = path.split("/");
    if (kind === "keys") return this.#key(id, method === "PATCH" ? "change" : below, body);
    if (below !== "extensions") return this.#budget(method, id, body);
    return other ? this.#decide(other, verb, body) : this.#ask(id, who, body);
  }

  #calls(query: URLSearchParams): object {
    const day = (name: string) => Date.parse(`${query.get(name)}T00:00:00Z`);
    const [begin, end] = [day("from"), day("to") + DAY];
    const is_of = ({ at }: LedgerItem) => at >= begin && at < end;
    const from = Number(query.get("cursor") ?? 0);
    const limit = Number(query.get("limit"));
    const items: LedgerItem[] = [];
    let at = from;
    for (; at < this.calls.length && at < from + this.looked && items.length < limit; at += 1)
      items.push(...this.calls.slice(at, at + 1).filter(is_of));
    const more =
      this.looked < Number.POSITIVE_INFINITY
        ? at < this.calls.length
        : this.calls.slice(at).some(is_of);
    return { items, next_cursor: more ? String(at) : null };
  }

  #indicator(who: string): object {
    const mine = who === "ann" ? this.budgets[1] : this.own;
    return {
      ...{ payer: "platform", currency: "USD", state: "ok", budget: mine, others: [] },
      ...{ today: { cost: 0, tokens: 0, requests: 0 }, estimated: false },
      ...this.answering,
    };
  }

  #usage(query: URLSearchParams): object {
    const by = (query.get("group_by") ?? "").split(",") as UsageGroup[];
    const cost = this.priced ? sums.cost : 0;
    const from = Date.parse(`${query.get("from")}T00:00:00Z`);
    const items: Record<string, Partial<UsageItem>> = {
      day: { day: from },
      model: { model: "m-large", provider: "main", alias: "writer" },
      user: { user: "ann" },
      key: { key: "k1" },
      tag: { tag: null },
    };
    return {
      ...{ account: "acme", from: query.get("from"), to: query.get("to"), group_by: by },
      items: [{ ...sums, cost, ...items[by[0] ?? "day"] }],
      totals: { ...sums, cost },
      speed: {
        rows: 41,
        first_byte_ms: { p50: 400, p95: 900 },
        total_ms: { p50: 2_000, p95: 9_000 },
      },
    };
  }

  #key(id: string, verb: string | undefined, body: Asked["body"]): unknown {
    if (id === "") {
      const made: KeyRow = { ...key("k9", String(body.label)), ...(body as Partial<KeyRow>) };
      this.keys.push(made);
      return { ...made, key: "hp_test_made_only_now" };
    }
    const row = this.keys.find((one) => one.id === id);
    assert.ok(row);
    if (verb === "revoke") row.revoked_at = Date.now();
    if (verb === "change") Object.assign(row, body);
    if (verb !== "rotate") return row;
    row.previous_until = Date.now() + Number(body.grace_seconds) * 1_000;
    return { ...row, key: "hp_test_replaced_only_now" };
  }

  #budget(method: string, id: string, body: Asked["body"]): unknown {
    const known = this.budgets.find((one) => one.id === id);
    if (method === "DELETE") {
      this.budgets = this.budgets.filter((one) => one.id !== id);
      return known;
    }
    const put = { ...budget(id, ""), ...known, ...(body as Partial<BudgetShown>) };
    this.budgets = [...this.budgets.filter((one) => one.id !== id), put];
    return put;
  }

  #ask(budgetId: string, user_id: string, { amount, reason }: Asked["body"]): ExtensionRow {
    const row: ExtensionRow = {
      ...{ id: `ex_${this.requests.length + 1}`, budget: budgetId, user_id },
      ...{ asked: Number(amount), reason: String(reason), state: "asked", amount: null },
      ...{ until: null, asked_at: Date.now(), decided_at: null, decided_by: null },
    };
    this.requests = [row, ...this.requests];
    return row;
  }

  #decide(id: string, verb: string | undefined, body: Asked["body"]): unknown {
    const row = this.requests.find((one) => one.id === id);
    assert.ok(row);
    const states = { grant: "granted", deny: "denied", end: "ended" } as const;
    row.state = states[verb as keyof typeof states];
    if (verb === "grant") [row.amount, row.until] = [Number(body.amount), Number(body.until)];
    row.decided_by = "user:ann";
    return row;
  }
}

/** A page of a list; the cursor is where it begins. */
function slice<T>(items: readonly T[], query: URLSearchParams): object {
  const from = Number(query.get("cursor") ?? 0);
  const to = from + Number(query.get("limit") ?? 100);
  return { items: items.slice(from, to), next_cursor: to < items.length ? String(to) : null };
}

async function read(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? {} : JSON.parse(text);
}

interface Opening {
  token?: string;
  query?: string;
  viewport?: ViewportSize;
  given?: (edge: UsageEdge) => void;
  /** The test turns the page's clock. */
  clock?: boolean;
}

/** For the top of a test file: the usage page over an edge of its own. */
export function usage() {
  const thrown = new WeakMap<Page, string[]>();
  let site: Site;
  let browser: Browser;
  let edge: UsageEdge;

  before(
    async () => {
      site = await serve("page", async (path, request, response) => {
        if (path.startsWith("/v1/")) {
          if (edge.away) response.destroy();
          else response.writeHead(200, { "content-type": "application/json" }).end('{"data":[]}');
          return true;
        }
        if (!path.startsWith(ROOT)) return false;
        await edge.answer(request, response);
        return true;
      });
      browser = await startBrowser();
    },
    { timeout: 180_000 },
  );

  after(async () => {
    await browser?.close();
    site?.stop();
  });

  return {
    async opened({ token = "hp_ann", query = "", viewport, given, clock = false }: Opening = {}) {
      edge = new UsageEdge();
      given?.(edge);
      const context = await browser.newContext({
        viewport: viewport ?? { width: 1440, height: 900 },
        reducedMotion: "reduce",
        serviceWorkers: "block",
        acceptDownloads: true,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      if (clock) await page.clock.install();
      const errors: string[] = [];
      thrown.set(page, errors);
      page.on("pageerror", (error: Error) => errors.push(String(error.stack ?? error)));
      await page.goto(`${site.origin}/usage${query}#token=${token}`);
      await page.locator("hp-usage-page").waitFor();
      return { page, edge };
    },
    async closed(page: Page): Promise<void> {
      assert.deepEqual(thrown.get(page), []);
      await page.context().close();
    },
  };
}
