/** The gateway's routes of this page (gateway.md §13). */
import type { BudgetDraft, KeyChange, KeyDraft } from "@holdpoint/elements/usage/view";
import { type Asker, createHttp } from "../../core.js";
import type {
  AuditRow,
  BudgetShown,
  CreatedKey,
  ExtensionRow,
  KeyRow,
  LedgerItem,
  RunningItem,
  Slice,
  UsageAnswer,
  UsageGroup,
} from "./wire.js";

/** Days of UTC, both counted. */
export interface Span {
  from: string;
  to: string;
}

/** How a request for more is decided. */
export type Decided =
  | { action: "deny" | "end" }
  | { action: "grant"; amount: number; until: number };

export interface UsageApi {
  budgets(): Promise<BudgetShown[]>;
  putBudget(budget: BudgetDraft): Promise<BudgetShown>;
  deleteBudget(id: string): Promise<BudgetShown>;
  usage(span: Span, by: UsageGroup[]): Promise<UsageAnswer>;
  calls(span: Span, cursor: string | null, limit: number): Promise<Slice<LedgerItem>>;
  running(): Promise<{ items: RunningItem[] }>;
  keys(): Promise<KeyRow[]>;
  createKey(key: KeyDraft): Promise<CreatedKey>;
  changeKey(id: string, change: KeyChange): Promise<KeyRow>;
  rotateKey(id: string, graceSeconds: number): Promise<CreatedKey>;
  revokeKey(id: string): Promise<KeyRow>;
  requests(): Promise<ExtensionRow[]>;
  ask(budget: string, amount: number, reason: string): Promise<ExtensionRow>;
  decide(budget: string, id: string, decided: Decided): Promise<ExtensionRow>;
  audit(cursor: string | null, limit: number): Promise<Slice<AuditRow>>;
}

const ROOT = "/gateway/v1";
/** The largest page of a list. */
const MOST = 500;

export function createUsageApi(asker: Asker): UsageApi {
  const http = createHttp(asker);
  const send = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    http.send<T>(method, ROOT + path, body === undefined ? {} : { body });
  const slice = <T>(
    path: string,
    cursor: string | null,
    limit: number,
    days = "",
  ): Promise<Slice<T>> =>
    send("GET", `${path}?limit=${limit}${days}${cursor === null ? "" : `&cursor=${part(cursor)}`}`);
  const every = async <T>(path: string): Promise<T[]> => {
    const items: T[] = [];
    let cursor: string | null = null;
    do {
      const page: Slice<T> = await slice(path, cursor, MOST);
      items.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return items;
  };
  return {
    budgets: () => every("/budgets"),
    putBudget: ({ id, ...asked }) => send("PUT", `/budgets/${part(id)}`, asked),
    deleteBudget: (id) => send("DELETE", `/budgets/${part(id)}`),
    usage: ({ from, to }, by) =>
      send("GET", `/usage?from=${from}&to=${to}${by.length ? `&group_by=${by.join(",")}` : ""}`),
    calls: ({ from, to }, cursor, limit) =>
      slice("/usage/calls", cursor, limit, `&from=${from}&to=${to}`),
    running: () => send("GET", "/usage/running"),
    keys: () => every("/keys"),
    createKey: (key) => send("POST", "/keys", key),
    changeKey: (id, change) => send("PATCH", `/keys/${part(id)}`, change),
    rotateKey: (id, grace_seconds) => send("POST", `/keys/${part(id)}/rotate`, { grace_seconds }),
    revokeKey: (id) => send("POST", `/keys/${part(id)}/revoke`),
    requests: () => every("/extensions"),
    ask: (budget, amount, reason) =>
      send("POST", `/budgets/${part(budget)}/extensions`, { amount, reason }),
    decide: (budget, id, { action, ...body }) =>
      send(
        "POST",
        `/budgets/${part(budget)}/extensions/${part(id)}/${action}`,
        action === "grant" ? body : undefined,
      ),
    audit: (cursor, limit) => slice("/audit", cursor, limit),
  };
}

const part = encodeURIComponent;
