/** The budgets: those that count the caller's own calls, and all of them for whoever may read and set them. */
import type { BudgetShown, ErrorShape, Indicator } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import { kindOf, nameOf } from "@holdpoint/elements/usage/amounts";
import type { BudgetDraft, BudgetFormView, BudgetsView } from "@holdpoint/elements/usage/view";
import { type Around, tried } from "./around.js";
import { Part } from "./part.js";

/** Money before tokens before calls, where several are as tight. */
const UNITS: BudgetShown["unit"][] = ["cost", "tokens", "requests"];

export class Budgets {
  readonly all: Part<BudgetShown[]>;
  /** Whether the caller may read and set all of them; null: not known yet. */
  operator: boolean | null = null;
  #form: { id: string | null } | null = null;
  #sending = false;
  #refused: ErrorShape | null = null;

  constructor(private readonly around: Around) {
    this.all = new Part({
      changed: () => around.changed(),
      failed: (error) => {
        if (error.code === "SCOPE_DENIED") this.operator = false;
        else around.failed(error);
      },
    });
  }

  async load(): Promise<void> {
    if (this.operator === false) return;
    await this.all.load(() => this.around.api.budgets());
    if (this.all.value) this.operator = true;
    this.around.changed();
  }

  form(id: string | null): void {
    this.#form = { id };
    this.#refused = null;
    this.around.changed();
  }

  close(): void {
    this.#form = null;
    this.around.changed();
  }

  async put(budget: BudgetDraft): Promise<void> {
    this.#sending = true;
    this.#refused = null;
    this.around.changed();
    this.#refused = await tried(this.around, async () => {
      const put = await this.around.api.putBudget(budget);
      this.all.set([...(this.all.value ?? []).filter(({ id }) => id !== put.id), put]);
      this.#form = null;
      this.around.toast(t("usage.budget.set", { name: put.id }));
      this.around.moved();
    });
    this.#sending = false;
    this.around.changed();
  }

  async delete(id: string, opener: HTMLElement | null): Promise<void> {
    const budget = this.all.value?.find((one) => one.id === id);
    if (!budget) return;
    const answer = await this.around.ask(
      {
        heading: t("usage.delete.title", { name: id }),
        text: t("usage.delete.text"),
        facts: [{ name: t("usage.budget.for"), value: nameOf(budget.scope) }],
        actions: [
          { id: "stay", label: t("usage.delete.stay") },
          { id: "delete", label: t("usage.delete.now"), destroys: true },
        ],
        note: "",
      },
      opener,
    );
    if (answer !== "delete") return;
    const error = await tried(this.around, async () => {
      await this.around.api.deleteBudget(id);
      this.all.set((this.all.value ?? []).filter((one) => one.id !== id));
      this.around.toast(t("usage.deleted", { name: id }));
      this.around.moved();
    });
    if (error) this.around.refused(error);
  }

  view(
    indicator: Indicator | null,
    more: { running: number; people: string[]; now: number },
  ): BudgetsView {
    const currency = indicator?.currency ?? "";
    const [main = null, ...others] = this.operator
      ? byTightness(this.all.value ?? [])
      : this.around.own();
    // Whether the caller is an operator could not be found out.
    const unknown = this.operator === null && this.all.view.state === "failed";
    const shown =
      this.operator || unknown ? this.all.view : ownState(indicator, this.around.online());
    return {
      ...shown,
      currency,
      now: more.now,
      main,
      others,
      running: main && main.held > 0 ? more.running : 0,
      operator: this.operator === true,
      offline: !this.around.online(),
      form: this.operator ? this.#formView(currency, more.people) : null,
    };
  }

  #formView(currency: string, people: string[]): BudgetFormView | null {
    if (!this.#form) return null;
    const { id } = this.#form;
    const budget = this.all.value?.find((one) => one.id === id);
    return {
      budget: budget ? draft(budget) : null,
      account: this.around.account(),
      people,
      keys: [...this.around.labels()].map(([key, label]) => ({ id: key, label })),
      currency,
      sending: this.#sending,
      problem: this.#refused,
    };
  }
}

/** What is set is the limit itself, without what was granted for a time. */
const draft = ({
  id,
  scope,
  unit,
  period,
  payer,
  limit,
  granted = 0,
}: BudgetShown): BudgetDraft => ({
  ...{ id, scope, unit, period, payer },
  limit: limit - granted,
});

/** An account's first, then those that are fullest. */
function byTightness(budgets: readonly BudgetShown[]): BudgetShown[] {
  const rank = ({ scope }: BudgetShown): number => (kindOf(scope) === "account" ? 0 : 1);
  return [...budgets].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      b.used_permille - a.used_permille ||
      UNITS.indexOf(a.unit) - UNITS.indexOf(b.unit),
  );
}

/** The indicator is asked for by the shell, which says itself when the network is away. */
function ownState(
  indicator: Indicator | null,
  online: boolean,
): Pick<BudgetsView, "state" | "problem"> {
  if (indicator) return { state: "ready", problem: null };
  if (online) return { state: "loading", problem: null };
  return { state: "failed", problem: { code: "OFFLINE", message: t("offline.title") } };
}
