/** What the gateway's routes about usage answer (gateway.md §13), as far as this page reads it. */
import type { BudgetShown, Json } from "@holdpoint/core/types";

/** A page of a list. */
export interface Slice<T> {
  items: T[];
  next_cursor: string | null;
}

/** Sums of calls; money in micros. */
export interface UsageSums {
  requests: number;
  released: number;
  estimated: number;
  input: number;
  cached_input: number;
  cache_write: number;
  output: number;
  reasoning: number;
  tokens: number;
  cost: number;
  excess_tokens: number;
  excess_cost: number;
  /** Of the requests; null without any. */
  estimated_permille: number | null;
  /** Of the input; null without any. */
  cache_hit_permille: number | null;
}

export type UsageGroup = "day" | "model" | "key" | "user" | "tag";

export interface UsageItem extends UsageSums {
  /** The beginning of the day in UTC. */
  day?: number;
  model?: string;
  provider?: string;
  alias?: string;
  key?: string;
  user?: string;
  tag?: string | null;
}

export interface UsageSpeed {
  rows: number;
  first_byte_ms: { p50: number; p95: number } | null;
  total_ms: { p50: number; p95: number };
}

export interface UsageAnswer {
  from: string;
  to: string;
  group_by: UsageGroup[];
  items: UsageItem[];
  totals: UsageSums;
  /** Null where no call was sent. */
  speed: UsageSpeed | null;
  truncated: boolean;
}

/** A call that has ended. */
export interface LedgerItem {
  request_id: string;
  at: number;
  closed_at: number;
  key_id: string;
  user_id: string;
  run_id: string | null;
  payer: string;
  protocol: string;
  alias: string;
  provider: string;
  model: string;
  price_version: number | null;
  outcome: string;
  usage_source: string;
  disconnect_policy: string | null;
  input: number;
  cached_input: number;
  cache_write: number;
  output: number;
  reasoning: number;
  tokens: number;
  /** Null where a user's own model has no price. */
  cost: number | null;
  excess_tokens: number;
  excess_cost: number;
  held_tokens: number;
  held_cost: number;
  finish: string | null;
  status: number;
  attempts: number;
  stream: boolean;
  input_bytes: number;
  output_bytes: number;
  ttfb_ms: number | null;
  total_ms: number;
  tag: string | null;
  template: string | null;
}

/** A call that is open; `tokens` and `cost` are what it holds. */
export interface RunningItem {
  request_id: string;
  at: number;
  key_id: string;
  user_id: string;
  run_id: string | null;
  payer: string;
  protocol: string;
  alias: string;
  provider: string;
  model: string;
  tokens: number;
  /** Null where a user's own model has no price. */
  cost: number | null;
  deadline: number;
  tag: string | null;
  template: string | null;
}

export interface KeyRow {
  id: string;
  label: string;
  user_id: string;
  display: string;
  scopes: string[];
  models: string[];
  origins: string[];
  clamp: string;
  expires_at: number | null;
  previous_until: number | null;
  revoked_at: number | null;
  created_at: number;
  /** Days since 1970, UTC. */
  last_used_day: number | null;
}

/** The only answer that holds a key's text. */
export interface CreatedKey extends KeyRow {
  key: string;
}

export interface ExtensionRow {
  id: string;
  budget: string;
  user_id: string;
  asked: number;
  reason: string;
  state: "asked" | "granted" | "denied" | "ended";
  amount: number | null;
  until: number | null;
  asked_at: number;
  decided_at: number | null;
  decided_by: string | null;
}

export interface AuditRow {
  id: string;
  at: number;
  /** `user:<name>`, `key:<id>` or `system`. */
  actor: string;
  action: string;
  target: string;
  detail: Json;
}

export type { BudgetShown };
