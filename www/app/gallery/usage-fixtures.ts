/** A month of an account: what the states of the usage page are made of. The figures are those of its drawing. */
import type { BudgetShown } from "@holdpoint/core/types";
import type {
  AuditRow,
  ExtensionRow,
  KeyRow,
  LedgerItem,
  RunningItem,
  UsageAnswer,
  UsageGroup,
  UsageItem,
  UsageSums,
} from "../src/pages/usage/wire.js";

const MICROS = 1_000_000;
const DAY = 86_400_000;
export const NOW = new Date(2026, 10, 21, 14, 8).getTime();
const FIRST = Date.UTC(2026, 10, 1);
const TODAY = Math.floor(NOW / DAY);
const RESETS = new Date(2026, 11, 1).getTime();
const minute = (n: number): number => NOW - n * 60_000;

export const budget = (
  id: string,
  scope: string,
  [limit, spent, held]: [number, number, number],
  more: Partial<BudgetShown> = {},
): BudgetShown => ({
  ...{ id, scope, unit: "cost", period: "month", payer: "platform" },
  limit: limit * MICROS,
  spent: spent * MICROS,
  held: held * MICROS,
  overrun: 0,
  remaining: Math.max(0, Math.round((limit - spent - held) * MICROS)),
  used_permille: Math.round(((spent + held) / limit) * 1000),
  resets_at: RESETS,
  ...more,
});

export const account = budget("acme-month", "account:Harbour Architects", [200, 121.46, 1.83]);
export const budgets: BudgetShown[] = [
  account,
  budget("mei", "user:Mei Chen", [40, 38.92, 0]),
  budget("jonas", "user:Jonas Berg", [50, 41.1, 0.46]),
  budget("anna", "user:Anna Lind", [20, 12.52, 0]),
  budget("nightly", "user:Nightly checks", [60, 28.92, 1.37]),
];
export const tokens: BudgetShown = {
  ...{ id: "dev-day", scope: "user:Anna Lind", unit: "tokens", period: "day" },
  ...{ payer: "platform", limit: 5_000_000, granted: 500_000, spent: 1_900_000, held: 41_000 },
  ...{ overrun: 0, remaining: 3_059_000, used_permille: 388, resets_at: NOW + 9 * 3_600_000 },
};

const sums = (more: Partial<UsageSums>): UsageSums => ({
  ...{ requests: 0, released: 0, estimated: 0, input: 0, cached_input: 0, cache_write: 0 },
  ...{ output: 0, reasoning: 0, tokens: 0, cost: 0, excess_tokens: 0, excess_cost: 0 },
  ...{ estimated_permille: 0, cache_hit_permille: null },
  ...more,
});
const totals = sums({
  ...{ requests: 1_716, tokens: 14_430_000, cost: 121.46 * MICROS, estimated: 7 },
  cache_hit_permille: 488,
});

const answer = (group: UsageGroup, items: UsageItem[]): UsageAnswer => ({
  ...{
    account: "Harbour Architects",
    from: "2026-11-01",
    to: "2026-11-21",
    group_by: [group],
    items,
    totals,
  },
  truncated: false,
  speed: {
    rows: 1_000,
    first_byte_ms: { p50: 640, p95: 2_300 },
    total_ms: { p50: 8_200, p95: 41_000 },
  },
});

const SPENT = [3.1, 5.4, 6.2, 0.4, 0.2, 7.9, 6.6, 8.1, 5.2, 4.8, 0.3, 0.1, 9.4, 8.8, 7.2, 10.6];
const LATER = [6.9, 0.5, 0.3, 12.9, 16.56];
const ABOUT: Record<number, number> = { 15: 0.1, 19: 0.05 };
/** `priced` false: no model has a price, and tokens are all that is counted. */
export const days = (priced = true): UsageAnswer =>
  answer(
    "day",
    [...SPENT, ...LATER].map((cost, i) => ({
      day: FIRST + i * DAY,
      ...sums({
        requests: Math.round(cost * 14),
        cost: priced ? Math.round(cost * MICROS) : 0,
        tokens: Math.round(cost * 118_000),
        estimated: Math.round(cost * 14 * (ABOUT[i] ?? 0)),
        estimated_permille: (ABOUT[i] ?? 0) * 1000,
      }),
    })),
  );

const spent = (cost: number, calls: number, tokensM: number, cached: number | null = null) =>
  sums({
    requests: calls,
    tokens: tokensM * 1_000_000,
    cost: cost * MICROS,
    cache_hit_permille: cached,
  });
export const people = answer("user", [
  { user: "Anna Lind", ...spent(12.52, 180, 1.5) },
  { user: "Jonas Berg", ...spent(41.1, 540, 4.6) },
  { user: "Mei Chen", ...spent(38.92, 610, 4.1) },
  { user: "Nightly checks", ...spent(28.92, 386, 4.2) },
]);
export const byKey = answer("key", [
  { key: "9f3c", ...spent(41.1, 540, 4.6) },
  { key: "71aa", ...spent(28.92, 386, 4.2) },
  { key: "jwt:anna", ...spent(12.52, 180, 1.5) },
]);
export const byTag = answer("tag", [
  { tag: "editor", ...spent(4.2, 61, 0.6, 500) },
  { tag: "crew", ...spent(2.1, 22, 0.3, 410) },
  { tag: null, ...spent(6.22, 97, 0.6, 120) },
]);
export const models = answer("model", [
  { provider: "main", model: "m-large", alias: "writer-large", ...spent(88.2, 412, 3.92, 610) },
  { provider: "main", model: "m-small", alias: "writer-small", ...spent(33.26, 1_208, 9.41, 440) },
  { provider: "scripted", model: "scripted-1", alias: "default", ...spent(0, 96, 1.1) },
]);

const call = (
  ago: number,
  [user_id, tag, alias]: [string, string | null, string],
  [total, held, cost]: [number, number, number],
  more: Partial<LedgerItem> = {},
): LedgerItem => ({
  ...{ request_id: `req_${ago}`, at: minute(ago), closed_at: minute(ago - 1), key_id: "k1" },
  ...{ user_id, run_id: null, payer: "platform", protocol: "openai", alias, provider: "main" },
  ...{ model: alias, price_version: 3, outcome: "ok", usage_source: "reported" },
  ...{ disconnect_policy: null, input: total, cached_input: 0, cache_write: 0, output: 0 },
  ...{ reasoning: 0, tokens: total, cost: Math.round(cost * MICROS), excess_tokens: 0 },
  ...{ excess_cost: 0, held_tokens: total * 3, held_cost: Math.round(held * MICROS) },
  ...{ finish: "stop", status: 200, attempts: 1, stream: true, input_bytes: 0, output_bytes: 0 },
  ...{ ttfb_ms: 640, total_ms: 8_200, tag, template: null, fallback: null },
  ...more,
});

export const calls: LedgerItem[] = [
  call(1, ["Anna Lind", null, "writer-large"], [41_310, 0.46, 0.14], { run_id: "run_7" }),
  call(10, ["Anna Lind", "crew", "writer-large"], [9_120, 0.05, 0.02]),
  call(27, ["Jonas Berg", null, "writer-large"], [30_077, 0.22, 0.09], { outcome: "client_gone" }),
  call(28, ["Jonas Berg", null, "writer-large"], [18_940, 0.22, 0.07], {
    usage_source: "estimated",
  }),
  call(46, ["Mei Chen", "editor", "writer-small"], [0, 0.04, 0], {
    outcome: "upstream_error",
    usage_source: "none",
  }),
  call(70, ["Anna Lind", "editor", "writer-small"], [3_402, 0.03, 0.001]),
  call(75, ["Mei Chen", "apps", "writer-small"], [2_100, 0.03, 0.01], { outcome: "cancelled" }),
  call(90, ["Mei Chen", "apps", "writer-small"], [8_000, 0.03, 0.03], {
    outcome: "expired",
    usage_source: "hold",
  }),
  call(1_500, ["Nightly checks", "nightly", "writer-small"], [212_400, 1.37, 0.61], {
    outcome: "corrected",
  }),
];
export const running: RunningItem[] = [
  {
    ...{
      request_id: "req_a",
      at: minute(2),
      key_id: "k1",
      user_id: "Jonas Berg",
      run_id: "run_12",
    },
    ...{ payer: "platform", protocol: "openai", alias: "writer-large", provider: "main" },
    ...{ model: "m-large", tokens: 22_800, cost: 0.46 * MICROS, deadline: NOW + 600_000 },
    ...{ tag: null, template: null },
  },
  {
    ...{ request_id: "req_b", at: minute(3), key_id: "k2", user_id: "Nightly checks" },
    ...{ run_id: null, payer: "platform", protocol: "anthropic", alias: "writer-small" },
    ...{ provider: "main", model: "m-small", tokens: 212_400, cost: 1.37 * MICROS },
    ...{ deadline: NOW + 600_000, tag: "nightly", template: null },
  },
];

export const key = (id: string, label: string, user_id: string, more: Partial<KeyRow>): KeyRow => ({
  ...{ id, label, user_id, display: `hp_***${id}`, scopes: ["llm"], models: [], origins: [] },
  ...{ clamp: "allowed", expires_at: null, previous_until: null, revoked_at: null },
  ...{ created_at: NOW - 90 * DAY, last_used_day: TODAY },
  ...more,
});
export const keys: KeyRow[] = [
  key("9f3c", "Viewer, production", "Jonas Berg", { scopes: ["llm", "usage"] }),
  key("71aa", "Nightly checks", "Nightly checks", { previous_until: NOW + 5 * 3_600_000 }),
  key("b02e", "Laptop", "Anna Lind", {
    expires_at: NOW + 3 * DAY,
    last_used_day: TODAY - 1,
    models: ["writer-*"],
  }),
  key("4c19", "Old export script", "Mei Chen", {
    revoked_at: NOW - 40 * DAY,
    last_used_day: TODAY - 50,
  }),
];

export const request = (
  id: string,
  user_id: string,
  state: ExtensionRow["state"],
  more: Partial<ExtensionRow> = {},
): ExtensionRow => ({
  ...{ id, budget: "mei", user_id, asked: 10 * MICROS, state, amount: null, until: null },
  reason: "The tender for Harbour House is due on Friday and needs two more runs of the take-off.",
  ...{ asked_at: minute(55), decided_at: null, decided_by: null },
  ...more,
});
export const requests: ExtensionRow[] = [
  request("ex_2", "Mei Chen", "asked"),
  request("ex_1", "Jonas Berg", "granted", {
    ...{ budget: "jonas", amount: 5 * MICROS, until: NOW + 3 * DAY, decided_by: "user:Anna Lind" },
    reason: "Two more models to check.",
  }),
];

const change = (ago: number, actor: string, action: string, target: string): AuditRow => ({
  ...{ id: String(10_000 - ago), at: minute(ago), actor, action, target, detail: {} },
});
export const audit: AuditRow[] = [
  change(20, "user:Anna Lind", "extension.grant", "jonas"),
  { ...change(31, "key:b02e", "signin.refused", "b02e"), detail: { code: "AUTH_INVALID_TOKEN" } },
  change(64, "user:Anna Lind", "key.create", "9f3c"),
  change(2_900, "user:Anna Lind", "budget.put", "acme-month"),
];
