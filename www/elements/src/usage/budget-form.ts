/** What sets the limit of a budget, or makes a new one. */
import type { Period, Unit } from "@holdpoint/core/types";
import { t } from "../text/index.js";
import { read, unread, written } from "./amounts.js";
import { choices, type Field, type FormSpec, field, needed, type Values } from "./form.js";
import type { BudgetDraft, BudgetFormView } from "./view.js";

const UNITS: Unit[] = ["cost", "tokens", "requests"];
const PERIODS: Period[] = ["minute", "day", "month", "total"];
const KINDS = ["account", "user", "key"] as const;
type Kind = (typeof KINDS)[number];
/** How an id of a budget may be written. */
const ID = /^[A-Za-z0-9._-]{1,64}$/;

export function budgetForm(
  view: BudgetFormView,
  emit: (type: string, detail?: object) => void,
): FormSpec {
  const { budget, sending, problem } = view;
  return {
    id: `budget ${budget?.id ?? ""}`,
    heading: budget ? t("usage.budget.edit.of", { name: budget.id }) : t("usage.budget.new"),
    fields: (values) => (budget ? [limit(budget.unit, budget.limit)] : fresh(view, values)),
    send: t(budget ? "usage.budget.save" : "usage.budget.make"),
    test: "hp-budget-save",
    note: t("usage.budget.lower"),
    ...{ sending, problem },
    done: (values) => emit("hp-budget-put", { budget: draft(view, values) }),
    close: () => emit("hp-budget-form-close"),
  };
}

const unitOf = ({ unit }: Values): Unit => (unit as Unit | undefined) ?? "cost";
const kindOf = ({ kind }: Values): Kind => (kind as Kind | undefined) ?? "account";

const limit = (unit: Unit, at?: number): Field =>
  field("amount", "limit", t(`usage.limit.${unit}`), {
    value: at === undefined ? "" : written(at, unit),
    test: "hp-budget-limit",
    wrong: (value) => unread(value, unit, "usage.wrong.limit"),
  });

const fresh = (view: BudgetFormView, values: Values): Field[] => [
  field("text", "id", t("usage.budget.name"), {
    ...{ most: 64, test: "hp-budget-id" },
    wrong: (value) => (ID.test(value) ? "" : t("usage.wrong.id")),
  }),
  field("choice", "kind", t("usage.budget.for"), {
    choices: choices(KINDS, (kind) => t(`usage.for.${kind}`)),
  }),
  ...who(view, kindOf(values)),
  field("choice", "unit", t("usage.budget.unit"), {
    choices: choices(UNITS, (unit) => t(`usage.counts.${unit}`)),
  }),
  field("choice", "period", t("usage.budget.period"), {
    ...{ choices: choices(PERIODS, (period) => t(`usage.each.${period}`)), value: "month" },
  }),
  limit(unitOf(values)),
];

/** An account is named by its budgets; where there is none yet, the edge says the name in its refusal. */
function who({ people, keys, account }: BudgetFormView, kind: Kind): Field[] {
  if (kind === "account" && account !== "") return [];
  const wrong = needed("usage.wrong.who");
  const known =
    kind === "key" ? keys.map(({ id: value, label }) => ({ value, label })) : choices(people);
  const more = { choices: known, most: 128, wrong };
  return [field(kind === "key" ? "choice" : "text", kind, t(`usage.for.${kind}`), more)];
}

function draft({ budget, account }: BudgetFormView, values: Values): BudgetDraft {
  const { id = "", limit: text = "", period } = values;
  if (budget) return { ...budget, limit: read(text, budget.unit) ?? 0 };
  const [kind, unit] = [kindOf(values), unitOf(values)];
  const scope = `${kind}:${values[kind] ?? account}`;
  const at = { id, scope, unit, limit: read(text, unit) ?? 0, payer: "platform" as const };
  return { ...at, period: period as Period };
}
