/** Each state of the usage page as a `UsagePageView`, from the same fixtures. */
import { t } from "@holdpoint/elements";
import type { SumsView } from "@holdpoint/elements/usage/view";
import {
  callLine,
  changeLine,
  dayLines,
  keyLines,
  requestLine,
  runningLine,
  sumLines,
} from "../src/pages/usage/lines.js";
import { dayOf, months, named } from "../src/pages/usage/months.js";
import type { UsagePageView } from "../src/pages/usage/page-view.js";
import type { KeyRow, UsageAnswer } from "../src/pages/usage/wire.js";
import * as f from "./usage-fixtures.js";

const now = f.NOW;
const [november] = months(now);
const labels = new Map(f.keys.map(({ id, label }) => [id, label]));
const ready = { state: "ready", problem: null } as const;
const loading = { state: "loading", problem: null } as const;
const failed = {
  state: "failed",
  problem: { code: "LEDGER_UNAVAILABLE", message: "The ledger does not answer. Try again." },
} as const;
const currency = "USD";

const indicator: UsagePageView["indicator"] = {
  ...{ payer: "platform", currency, state: "ok", budget: f.account, others: [] },
  ...{ today: { cost: 16_560_000, tokens: 1_950_000, requests: 232 }, estimated: false },
};

const summed = (
  by: SumsView["by"],
  answer: UsageAnswer,
  choices: SumsView["choices"],
): SumsView => ({
  ...ready,
  ...{ by, choices, currency, cut: false },
  lines: sumLines(by, answer, f.budgets, labels),
  totals: { ...answer.totals, cached: (answer.totals.cache_hit_permille ?? 0) / 1000 },
});

/** What an operator sees. */
const page = (): UsagePageView => ({
  ...{ signIn: null, indicator, offline: false, menu: null, toast: null, problem: null },
  ...{ theme: "light", density: "comfortable", language: "en", now, pane: "usage" },
  ...{ budgetOpen: false, question: null, account: "Harbour Architects", operator: true },
  months: months(now).map((one) => ({ id: one.id, name: named(one) })),
  month: "2026-11",
  saving: null,
  budgets: {
    ...ready,
    ...{ currency, now, main: f.account, others: f.budgets.slice(1), running: 2 },
    ...{ operator: true, offline: false, form: null },
  },
  chart: {
    ...ready,
    days: november ? dayLines(november, f.days()) : [],
    today: dayOf(now),
    currency,
  },
  sums: summed("user", f.people, ["user", "key", "tag"]),
  models: summed("model", f.models, ["model"]),
  speed: { rows: 1_000, first: { p50: 640, p95: 2_300 }, total: { p50: 8_200, p95: 41_000 } },
  calls: {
    ...ready,
    lines: f.calls.map(callLine),
    running: f.running.map(runningLine),
    ...{ show: "all", present: true, more: true, loading: false },
    ...{ currency, now, offline: false },
  },
  keys: {
    ...ready,
    lines: keyLines(f.keys),
    ...{ form: null, people: ["Anna Lind", "Jonas Berg"], sending: false, refused: null },
    ...{ once: null, now, offline: false },
  },
  requests: {
    ...ready,
    lines: f.requests.map((row) => requestLine(row, f.budgets)),
    ...{ operator: true, asks: true, form: null, granting: null, sending: false },
    ...{ refused: null, currency, now, offline: false },
  },
  changes: {
    ...ready,
    lines: f.audit.map((row) => changeLine(row, labels)),
    ...{ more: true, loading: false, now },
  },
});

/** What an ordinary user sees. */
const own = (): UsagePageView => {
  const whole = page();
  return {
    ...whole,
    ...{ operator: false, account: "", keys: null, changes: null },
    budgets: {
      ...whole.budgets,
      main: f.tokens,
      others: [f.budgets[3] ?? f.account],
      operator: false,
    },
    sums: summed("tag", f.byTag, ["tag", "key"]),
    requests: {
      ...whole.requests,
      lines: [],
      operator: false,
    },
  };
};

const empty = (whole: UsagePageView): UsagePageView => ({
  ...whole,
  speed: null,
  chart: { ...whole.chart, days: november ? dayLines(november, null) : [] },
  sums: { ...whole.sums, lines: [], totals: null },
  models: { ...whole.models, lines: [], totals: null },
  calls: { ...whole.calls, lines: [], running: [], more: false },
  requests: { ...whole.requests, lines: [] },
});

const states: Record<string, () => UsagePageView> = {
  usage: page,
  "usage-people": () => ({
    ...page(),
    pane: "people",
    sums: summed("key", f.byKey, ["user", "key", "tag"]),
  }),
  "usage-calls": () => ({ ...page(), pane: "calls" }),
  "usage-running": () => ({
    ...page(),
    pane: "calls",
    saving: 1_500,
    calls: { ...page().calls, show: "running", loading: true },
  }),
  "usage-keys": () => ({ ...page(), pane: "keys" }),
  "usage-key-new": () => {
    const whole = page();
    return {
      ...whole,
      pane: "keys",
      keys: whole.keys && { ...whole.keys, form: { kind: "new" } },
    };
  },
  "usage-key-edit": () => {
    const whole = page();
    const key = f.keys[2] as KeyRow;
    return {
      ...whole,
      pane: "keys",
      keys: whole.keys && { ...whole.keys, form: { kind: "edit", key } },
    };
  },
  "usage-key-once": () => {
    const whole = page();
    const once = {
      label: "Laptop",
      key: "hp_test_shown_in_the_gallery_only",
      previous: now + 86_400_000,
    };
    return { ...whole, pane: "keys", keys: whole.keys && { ...whole.keys, once } };
  },
  "usage-revoke": () => ({
    ...page(),
    question: {
      heading: t("usage.revoke.title", { name: "Laptop" }),
      text: t("usage.revoke.text"),
      facts: [{ name: t("usage.one.key"), value: "hp_***b02e" }],
      actions: [
        { id: "stay", label: t("usage.revoke.stay") },
        { id: "revoke", label: t("usage.revoke.now"), destroys: true },
      ],
      note: "",
    },
  }),
  "usage-budget-new": () => {
    const whole = page();
    const form = {
      ...{ budget: null, account: "Harbour Architects", people: ["Anna Lind"], currency },
      ...{ keys: [], sending: false },
      problem: { code: "MODEL_NOT_PRICED", message: "No model that it counts has prices." },
    };
    return { ...whole, budgets: { ...whole.budgets, form } };
  },
  "usage-granting": () => {
    const whole = page();
    return { ...whole, requests: { ...whole.requests, granting: "ex_2" } };
  },
  "usage-own": own,
  "usage-asking": () => {
    const whole = own();
    const form = { budgets: [f.tokens], budget: "dev-day", amount: 36_000 };
    return { ...whole, requests: { ...whole.requests, form } };
  },
  "usage-unpriced": () => {
    const whole = own();
    return {
      ...whole,
      chart: { ...whole.chart, days: november ? dayLines(november, f.days(false)) : [] },
    };
  },
  "usage-empty": () => empty(own()),
  "usage-none": () => {
    const whole = empty(page());
    return {
      ...whole,
      account: "",
      budgets: { ...whole.budgets, main: null, others: [] },
      keys: whole.keys && { ...whole.keys, lines: [] },
      changes: whole.changes && { ...whole.changes, lines: [], more: false },
    };
  },
  "usage-loading": () => {
    const whole = empty(page());
    return {
      ...whole,
      ...{ operator: null, account: "", keys: null, changes: null },
      budgets: { ...whole.budgets, ...loading, main: null, others: [], operator: false },
      chart: { ...whole.chart, ...loading },
      sums: { ...whole.sums, ...loading },
      models: { ...whole.models, ...loading },
      calls: { ...whole.calls, ...loading },
      requests: { ...whole.requests, ...loading },
    };
  },
  "usage-failed": () => {
    const whole = page();
    return {
      ...whole,
      chart: { ...whole.chart, ...failed },
      models: { ...whole.models, ...failed, lines: [], totals: null },
      calls: { ...whole.calls, ...failed },
    };
  },
  "usage-offline": () => {
    const whole = page();
    return {
      ...whole,
      offline: true,
      budgets: { ...whole.budgets, offline: true },
      calls: { ...whole.calls, offline: true },
      keys: whole.keys && { ...whole.keys, offline: true },
      requests: { ...whole.requests, offline: true },
    };
  },
};

export const usageStateNames = Object.keys(states);
export const usageViewOf = (name: string): UsagePageView | null => states[name]?.() ?? null;
