/** What the elements of the usage page draw: each part of the page as one value. Amounts are in a budget's own unit. */
import type { BudgetShown, KeyRow, Unit } from "@holdpoint/core/types";
import type { Failing } from "../text/refusal.js";

/** One part of the page: what came is shown, also where the next answer failed. */
export interface PartView {
  state: "loading" | "ready" | "failed";
  problem: Failing | null;
}

export interface BudgetsView extends PartView {
  currency: string;
  now: number;
  /** The one that stands large: an account's, else the caller's tightest. */
  main: BudgetShown | null;
  others: BudgetShown[];
  /** How many calls hold something of it now. */
  running: number;
  /** The budgets are read and set by whoever looks at them. */
  operator: boolean;
  offline: boolean;
  form: BudgetFormView | null;
}

/** What `PUT /budgets/{id}` takes. */
export type BudgetDraft = Pick<BudgetShown, "id" | "scope" | "unit" | "period" | "payer" | "limit">;

export interface BudgetFormView {
  /** Null: a new one. */
  budget: BudgetDraft | null;
  /** Names and keys that one can be for. */
  account: string;
  people: string[];
  keys: { id: string; label: string }[];
  currency: string;
  sending: boolean;
  problem: Failing | null;
}

/** One day of the month that is shown; `at` is its beginning in UTC. */
export interface DayView {
  at: number;
  requests: number;
  tokens: number;
  cost: number;
  estimated: number;
  /** The share of its calls whose numbers are estimated. */
  share: number;
}

export interface ChartView extends PartView {
  days: DayView[];
  /** The beginning of today in UTC; null where the month is over. */
  today: number | null;
  currency: string;
}

/** What calls are summed by. */
export type Grouping = "user" | "key" | "tag" | "model";

export interface SumLine {
  id: string;
  name: string;
  requests: number;
  tokens: number;
  cost: number;
  /** The share of input that came from a cache; null without input. */
  cached: number | null;
  /** The budget of this person or key. */
  budget: BudgetShown | null;
}

export interface SumsView extends PartView {
  by: Grouping;
  /** What can be chosen; one: no choice is drawn. */
  choices: Grouping[];
  lines: SumLine[];
  totals: Pick<SumLine, "requests" | "tokens" | "cost" | "cached"> | null;
  /** There are more than were sent. */
  cut: boolean;
  currency: string;
}

export interface SpeedView {
  rows: number;
  first: { p50: number; p95: number } | null;
  total: { p50: number; p95: number };
}

export type CallResult =
  | "running"
  | "done"
  | "gone"
  | "estimated"
  | "failed"
  | "stopped"
  | "expired"
  | "corrected";

export interface CallLine {
  id: string;
  at: number;
  who: string;
  purpose: string;
  model: string;
  tokens: number | null;
  held: { tokens: number; cost: number };
  /** Null while it runs. */
  spent: { tokens: number; cost: number } | null;
  back: { tokens: number; cost: number } | null;
  /** Whether what was spent is an estimate. */
  about: boolean;
  result: CallResult;
}

export type CallFilter = "all" | "running" | "unfinished";

export interface CallsView extends PartView {
  lines: CallLine[];
  running: CallLine[];
  show: CallFilter;
  /** The month that is shown is the present one; what runs belongs to it. */
  present: boolean;
  more: boolean;
  loading: boolean;
  currency: string;
  now: number;
  offline: boolean;
}

export const SCOPES = ["llm", "usage", "edit", "admin", "metrics"] as const;
export type Scope = (typeof SCOPES)[number];

export const CLAMPS = ["allowed", "always", "never"] as const satisfies readonly KeyRow["clamp"][];

export interface KeyLine {
  id: string;
  label: string;
  display: string;
  user: string;
  scopes: string[];
  models: string[];
  expires: number | null;
  /** Until when the secret before the last one still works. */
  previous: number | null;
  revoked: number | null;
  used: number | null;
}

type Changeable = Pick<KeyRow, "label" | "models" | "origins" | "clamp" | "expires_at">;
/** What `PATCH /keys/{id}` takes: what is absent stays. */
export type KeyChange = Partial<Changeable>;

/** What `POST /keys` takes. */
export interface KeyDraft extends Changeable {
  user_id: string;
  scopes: Scope[];
}

export type KeyForm = { kind: "new" } | { kind: "replace" | "edit"; key: KeyRow };

export interface KeysView extends PartView {
  lines: KeyLine[];
  form: KeyForm | null;
  people: string[];
  sending: boolean;
  refused: Failing | null;
  /** The text of a key that was made now. It is drawn this once. */
  once: { label: string; key: string; previous: number | null } | null;
  now: number;
  offline: boolean;
}

export interface RequestLine {
  id: string;
  budget: string;
  /** The unit of its budget; null where that is not known. */
  unit: Unit | null;
  who: string;
  asked: number;
  reason: string;
  state: "asked" | "granted" | "denied" | "ended";
  amount: number | null;
  until: number | null;
  at: number;
  by: string | null;
}

export interface RequestForm {
  budgets: BudgetShown[];
  budget: string;
  /** In the budget's unit; null: nothing is filled in. */
  amount: number | null;
}

export interface RequestsView extends PartView {
  lines: RequestLine[];
  operator: boolean;
  /** Something that can be asked for more of. */
  asks: boolean;
  form: RequestForm | null;
  /** The request that is being granted. */
  granting: string | null;
  sending: boolean;
  refused: Failing | null;
  currency: string;
  now: number;
  offline: boolean;
}

export interface ChangeRow {
  id: string;
  at: number;
  who: string;
  what: string;
  /** A sign-in that was refused. */
  refused: boolean;
}

export interface ChangesView extends PartView {
  lines: ChangeRow[];
  more: boolean;
  loading: boolean;
  now: number;
}
