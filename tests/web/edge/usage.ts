// The usage page over an edge in memory (gateway.md §13): `hp_ann` is an operator, `hp_bea` is not.

import assert from "node:assert/strict";
import type { BudgetShown, Indicator } from "@holdpoint/core/types";
import type {
  AuditRow,
  ExtensionRow,
  KeyRow,
  LedgerItem,
  RunningItem,
  UsageGroup,
  UsageItem,
} from "../../../www/app/src/pages/usage/wire.ts";
import { type Asked, Edge, listed, Refused, type Routes } from "./edge.ts";
import { pagesOver } from "./pages.ts";

const MICROS = 1_000_000;
const DAY = 86_400_000;
const ROOT = "/gateway/v1";
/** Calls are of the present month, also on its first day. */
const MONTH = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1);
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

export class UsageEdge extends Edge {
  /** The rows among which a page of calls is looked for, as for whoever is no operator. */
  looked = Number.POSITIVE_INFINITY;
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

  protected override readonly routes: Routes = {
    // What only operators may read or do.
    [`* ${ROOT}/(budgets|budgets/:id|keys.*|audit|.*/(grant|deny|end))`]: ({ who }) => {
      if (who !== "pr_ann") throw new Refused({ status: 403, code: "SCOPE_DENIED" });
    },
    [`GET ${ROOT}/indicator`]: ({ who }) => ({
      ...{ payer: "platform", currency: "USD", state: "ok", others: [] },
      ...{ budget: who === "pr_ann" ? this.budgets[1] : this.own },
      ...{ today: { cost: 0, tokens: 0, requests: 0 }, estimated: false },
      ...this.answering,
    }),
    [`GET ${ROOT}/usage`]: ({ query }) => this.#usage(query),
    [`GET ${ROOT}/usage/running`]: () => ({ items: this.running }),
    [`GET ${ROOT}/usage/calls`]: ({ query }) => this.#calls(query),
    [`GET ${ROOT}/audit`]: ({ query }) => listed(this.audit, query),
    [`GET ${ROOT}/budgets`]: ({ query }) => listed(this.budgets, query),
    [`GET ${ROOT}/keys`]: ({ query }) => listed(this.keys, query),
    [`GET ${ROOT}/extensions`]: ({ query }) => listed(this.requests, query),
    [`POST ${ROOT}/keys`]: ({ body }) => {
      const made: KeyRow = { ...key("k9", String(body.label)), ...(body as Partial<KeyRow>) };
      this.keys.push(made);
      return { ...made, key: "hp_test_made_only_now" };
    },
    [`PATCH ${ROOT}/keys/:id`]: ({ body }, id) => Object.assign(found(this.keys, id), body),
    [`POST ${ROOT}/keys/:id/revoke`]: (_, id) =>
      Object.assign(found(this.keys, id), { revoked_at: Date.now() }),
    [`POST ${ROOT}/keys/:id/rotate`]: ({ body }, id) => ({
      ...Object.assign(found(this.keys, id), {
        previous_until: Date.now() + Number(body.grace_seconds) * 1_000,
      }),
      key: "hp_test_replaced_only_now",
    }),
    [`PUT ${ROOT}/budgets/:id`]: ({ body }, id) => {
      const known = this.budgets.find((one) => one.id === id);
      const put = { ...budget(id, ""), ...known, ...(body as Partial<BudgetShown>) };
      this.budgets = [...this.budgets.filter((one) => one.id !== id), put];
      return put;
    },
    [`DELETE ${ROOT}/budgets/:id`]: (_, id) => {
      const known = found(this.budgets, id);
      this.budgets = this.budgets.filter((one) => one !== known);
      return known;
    },
    [`POST ${ROOT}/budgets/:id/extensions`]: ({ body, who }, id) => this.#ask(id, who, body),
    [`POST ${ROOT}/budgets/:id/extensions/:request/grant`]: ({ body }, _, id) =>
      this.#decide(id, "granted", { amount: Number(body.amount), until: Number(body.until) }),
    [`POST ${ROOT}/budgets/:id/extensions/:request/deny`]: (_, _budget, id) =>
      this.#decide(id, "denied"),
    [`POST ${ROOT}/budgets/:id/extensions/:request/end`]: (_, _budget, id) =>
      this.#decide(id, "ended"),
  };

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

  #ask(budget: string, who: string, { amount, reason }: Asked["body"]): ExtensionRow {
    const row: ExtensionRow = {
      ...{ id: `ex_${this.requests.length + 1}`, budget, user_id: who.replace("pr_", "") },
      ...{ asked: Number(amount), reason: String(reason), state: "asked", amount: null },
      ...{ until: null, asked_at: Date.now(), decided_at: null, decided_by: null },
    };
    this.requests = [row, ...this.requests];
    return row;
  }

  #decide(
    id: string,
    state: ExtensionRow["state"],
    more: Partial<ExtensionRow> = {},
  ): ExtensionRow {
    return Object.assign(found(this.requests, id), { state, decided_by: "user:ann", ...more });
  }
}

function found<T extends { id: string }>(rows: readonly T[], id: string): T {
  const row = rows.find((one) => one.id === id);
  assert.ok(row);
  return row;
}

/** For the top of a test file: the usage page. */
export const usage = () =>
  pagesOver({
    make: () => new UsageEdge(),
    root: "/usage",
    token: "hp_ann",
    ready: (page) => page.locator("hp-usage-page").waitFor(),
  });
