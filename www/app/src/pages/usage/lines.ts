/** From the edge's answers to what the elements draw. */
import type { BudgetShown } from "@holdpoint/core/types";
import { type TextKey, t } from "@holdpoint/elements";
import type {
  CallLine,
  CallResult,
  ChangeRow,
  DayView,
  Grouping,
  KeyLine,
  RequestLine,
  SumLine,
} from "@holdpoint/elements/usage/view";
import { daysOf, type Month } from "./months.js";
import type {
  AuditRow,
  ExtensionRow,
  KeyRow,
  LedgerItem,
  RunningItem,
  UsageAnswer,
  UsageItem,
} from "./wire.js";

/** Names of keys by their ids; who may not read keys sees the ids. */
export type Labels = ReadonlyMap<string, string>;

/** Every day of the month, also those without a call. */
export function dayLines(month: Month, answer: UsageAnswer | null): DayView[] {
  const byDay = new Map(answer?.items.map((item) => [item.day ?? 0, item]));
  return daysOf(month).map((at) => {
    const item = byDay.get(at);
    return {
      at,
      requests: item?.requests ?? 0,
      tokens: item?.tokens ?? 0,
      cost: item?.cost ?? 0,
      estimated: item?.estimated ?? 0,
      share: (item?.estimated_permille ?? 0) / 1000,
    };
  });
}

/** Most spent first; people and keys with their tightest budget. */
export function sumLines(
  by: Grouping,
  answer: UsageAnswer,
  budgets: readonly BudgetShown[],
  labels: Labels,
): SumLine[] {
  const lines = answer.items.map((item): SumLine => {
    const id = idOf(by, item);
    return {
      id: `${by}:${id ?? ""}`,
      name: nameOf(by, id, item, labels),
      requests: item.requests,
      tokens: item.tokens,
      cost: item.cost,
      cached: item.cache_hit_permille === null ? null : item.cache_hit_permille / 1000,
      budget: budgetOf(`${by}:${id ?? ""}`, budgets),
    };
  });
  return lines.sort((a, b) => b.cost - a.cost || b.tokens - a.tokens);
}

function idOf(by: Grouping, item: UsageItem): string | null {
  if (by === "user") return item.user ?? null;
  if (by === "key") return item.key ?? null;
  if (by === "tag") return item.tag ?? null;
  return [item.provider, item.model, item.alias].join("/");
}

function nameOf(by: Grouping, id: string | null, item: UsageItem, labels: Labels): string {
  if (by === "model") return modelName(item.alias ?? "", item.model ?? "");
  if (by === "tag") return id === null ? t("usage.own") : tagged(id);
  if (by === "key") return keyName(id ?? "", labels);
  return id ?? "";
}

/** An alias is what people ask for; the model behind it is said where it is another word. */
const modelName = (alias: string, model: string): string =>
  alias === "" || alias === "default" || alias === model ? model : alias;

function budgetOf(scope: string, budgets: readonly BudgetShown[]): BudgetShown | null {
  const own = budgets.filter((budget) => budget.scope === scope);
  return own.sort((a, b) => b.used_permille - a.used_permille)[0] ?? null;
}

/** A key by its name; a token of an identity provider is a key of nobody's making. */
function keyName(id: string, labels: Labels): string {
  const subject = /^jwt:(.+)$/.exec(id)?.[1];
  return subject ? t("usage.key.token", { name: subject }) : (labels.get(id) ?? id);
}

/** The tags that our own pages write. */
const TAGS: Record<string, TextKey> = {
  editor: "script.page",
  crew: "crew.page",
  apps: "app.page.apps",
  "llm-profile-test": "usage.tag.test",
};

/** Of more tags on a day than are kept apart, the rest. */
const REST = "…";

function tagged(tag: string): string {
  if (tag === REST) return t("usage.tag.rest");
  const key = TAGS[tag];
  return key ? t(key) : tag;
}

/** What a call was for: the page that made it, what a client called it, or nothing that we know. */
const purpose = ({ tag, run_id }: Pick<LedgerItem, "tag" | "run_id">): string => {
  if (tag !== null) return tagged(tag);
  return run_id === null ? t("usage.own") : t("usage.run");
};

const RESULTS: Record<string, CallResult> = {
  client_gone: "gone",
  cancelled: "stopped",
  expired: "expired",
  corrected: "corrected",
};

export function callLine(item: LedgerItem): CallLine {
  const held = { tokens: item.held_tokens, cost: item.held_cost };
  const spent = { tokens: item.tokens, cost: item.cost ?? 0 };
  const about = item.usage_source === "estimated" || item.usage_source === "hold";
  return {
    id: item.request_id,
    at: item.at,
    who: item.user_id,
    purpose: purpose(item),
    model: modelName(item.alias, item.model),
    tokens: item.tokens === 0 && item.outcome !== "ok" ? null : item.tokens,
    held,
    spent,
    back: {
      tokens: Math.max(0, held.tokens - spent.tokens),
      cost: Math.max(0, held.cost - spent.cost),
    },
    about: about && item.tokens > 0,
    result: resultOf(item.outcome, about),
  };
}

function resultOf(outcome: string, about: boolean): CallResult {
  if (outcome === "ok") return about ? "estimated" : "done";
  return RESULTS[outcome] ?? "failed";
}

export const runningLine = (item: RunningItem): CallLine => ({
  id: item.request_id,
  at: item.at,
  who: item.user_id,
  purpose: purpose(item),
  model: modelName(item.alias, item.model),
  tokens: null,
  held: { tokens: item.tokens, cost: item.cost ?? 0 },
  spent: null,
  back: null,
  about: false,
  result: "running",
});

const DAY_MS = 86_400_000;

/** Those that work come first, each kind by its name. */
export function keyLines(rows: readonly KeyRow[]): KeyLine[] {
  const lines = rows.map(
    (row): KeyLine => ({
      id: row.id,
      label: row.label,
      display: row.display,
      user: row.user_id,
      scopes: row.scopes,
      models: row.models,
      expires: row.expires_at,
      previous: row.previous_until,
      revoked: row.revoked_at,
      used: row.last_used_day === null ? null : row.last_used_day * DAY_MS,
    }),
  );
  const over = (line: KeyLine): number => (line.revoked === null ? 0 : 1);
  return lines.sort((a, b) => over(a) - over(b) || (a.label < b.label ? -1 : 1));
}

export function requestLine(row: ExtensionRow, budgets: readonly BudgetShown[]): RequestLine {
  return {
    id: row.id,
    budget: row.budget,
    unit: budgets.find(({ id }) => id === row.budget)?.unit ?? null,
    who: row.user_id,
    asked: row.asked,
    reason: row.reason,
    state: row.state,
    amount: row.amount,
    until: row.until,
    at: row.asked_at,
    by: row.decided_by === null ? null : who(row.decided_by, new Map()),
  };
}

const DID: Record<string, TextKey> = {
  "key.create": "usage.did.key.create",
  "key.rotate": "usage.did.key.rotate",
  "key.change": "usage.did.key.change",
  "key.revoke": "usage.did.key.revoke",
  "budget.put": "usage.did.budget.put",
  "budget.delete": "usage.did.budget.delete",
  "limit.put": "usage.did.limit.put",
  "limit.delete": "usage.did.limit.delete",
  "switch.put": "usage.did.switch.put",
  "extension.ask": "usage.did.extension.ask",
  "extension.grant": "usage.did.extension.grant",
  "extension.deny": "usage.did.extension.deny",
  "extension.end": "usage.did.extension.end",
  "llm_profile.put": "usage.did.profile",
};

/** Why a sign-in was refused. */
const SIGNINS: Record<string, TextKey> = {
  AUTH_INVALID_TOKEN: "usage.did.signin.invalid",
  KEY_REVOKED: "usage.did.signin.revoked",
  KEY_EXPIRED: "usage.did.signin.expired",
};

export function changeLine(
  { id, at, actor, action, target, detail }: AuditRow,
  labels: Labels,
): ChangeRow {
  const name = labels.get(target) ?? target;
  const refused = action === "signin.refused";
  const key = refused ? SIGNINS[code(detail)] : DID[action];
  return {
    ...{ id, at, refused },
    who: who(actor, labels),
    what: key ? t(key, { name }) : t("usage.did.other", { action, name }),
  };
}

const code = (detail: AuditRow["detail"]): string => {
  const known = detail && typeof detail === "object" && !Array.isArray(detail) ? detail.code : "";
  return typeof known === "string" ? known : "";
};

/** `user:anna` is anna, `key:…` the key's name, `system` the product itself. */
function who(actor: string, labels: Labels): string {
  const [kind = "", ...rest] = actor.split(":");
  const name = rest.join(":");
  if (kind === "user") return name;
  if (kind === "key") return t("usage.actor.key", { name: keyName(name, labels) });
  return kind === "system" ? t("usage.actor.system") : actor;
}
