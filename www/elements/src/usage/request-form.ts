/** What asks for more of a budget, and what grants it for a time. */
import type { BudgetShown, Unit } from "@holdpoint/core/types";
import { t } from "../text/index.js";
import { read, unread, written } from "./amounts.js";
import { choices, type Field, type FormSpec, field, needed, type Values } from "./form.js";
import type { RequestForm, RequestLine, RequestsView } from "./view.js";

const DAY_MS = 86_400_000;
/** For how many days more can be granted. */
const DAYS = [1, 7, 14, 31];

type Emit = (type: string, detail?: object) => void;
type Sent = Pick<RequestsView, "sending" | "refused">;

/** An amount that was written for another unit is not taken for one of this. */
const amount = (unit: Unit, test: string, at: number | null): Field =>
  field("amount", `amount-${unit}`, t(`usage.more.${unit}`), {
    ...{ value: at === null ? "" : written(at, unit), test },
    wrong: (value) =>
      read(value, unit) === 0 ? t("usage.wrong.amount") : unread(value, unit, "usage.wrong.amount"),
  });
const amountIn = (values: Values, unit: Unit): number =>
  read(values[`amount-${unit}`] ?? "", unit) ?? 0;

export function askForm(
  { budgets, budget: named, amount: at }: RequestForm,
  { sending, refused: problem }: Sent,
  emit: Emit,
): FormSpec {
  const chosen = ({ budget = named }: Values): BudgetShown | undefined =>
    budgets.find(({ id }) => id === budget);
  const unitOf = (values: Values): Unit => chosen(values)?.unit ?? "cost";
  return {
    id: `ask ${named}`,
    heading: t("over.ask"),
    fields: (values) => [
      field("choice", "budget", t("usage.budget.one"), {
        ...{ choices: choices(budgets.map(({ id }) => id)), value: named },
      }),
      amount(unitOf(values), "hp-request-amount", chosen(values)?.id === named ? at : null),
      field("lines", "reason", t("usage.reason"), {
        ...{ most: 500, test: "hp-request-reason", wrong: needed("usage.wrong.reason") },
      }),
    ],
    first: `amount-${unitOf({})}`,
    send: t("usage.request.send"),
    test: "hp-request-send",
    note: t("usage.request.note"),
    ...{ sending, problem },
    done: (values) =>
      emit("hp-request", {
        budget: values.budget,
        amount: amountIn(values, unitOf(values)),
        reason: values.reason,
      }),
    close: () => emit("hp-request-close"),
  };
}

export function grantForm(
  { id, unit: known, asked }: RequestLine,
  { sending, refused: problem }: Sent,
  emit: Emit,
): FormSpec {
  const unit = known ?? "tokens";
  return {
    id: `grant ${id}`,
    heading: t("usage.request.grant"),
    inline: true,
    fields: () => [
      amount(unit, "hp-grant-amount", asked),
      field("choice", "days", t("usage.request.for"), {
        ...{ choices: choices(DAYS, (n) => t("usage.days", { n })), value: "7" },
      }),
    ],
    send: t("usage.request.grant"),
    test: "hp-grant-now",
    ...{ sending, problem },
    done: (values) =>
      emit("hp-decide", {
        ...{ id, action: "grant", amount: amountIn(values, unit) },
        // A minute less than the days: the edge counts from its own clock.
        until: Date.now() + Number(values.days) * DAY_MS - 60_000,
      }),
    close: () => emit("hp-decide", { id, action: "close" }),
  };
}
