/** Requests for more of a budget, and what is decided on them. An address can open one: `/usage?budget=ID&ask=N`. */
import type { ErrorShape } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { RequestForm, RequestsView } from "@holdpoint/elements/usage/view";
import { type Around, tried } from "./around.js";
import type { Decided } from "./client.js";
import { requestLine } from "./lines.js";
import { Part } from "./part.js";
import type { ExtensionRow } from "./wire.js";

export class Requests {
  readonly part: Part<ExtensionRow[]>;
  #form: { budget: string | null; amount: number | null } | null = null;
  #granting: string | null = null;
  #sending = false;
  #refused: ErrorShape | null = null;

  constructor(private readonly around: Around) {
    this.part = new Part(around);
  }

  load = (): Promise<void> => this.part.load(() => this.around.api.requests());

  /** Opens the form for a budget; the amount of the address stays with the budget that it named. */
  form(budget: string | null, amount: number | null = null): void {
    this.#form = { budget, amount };
    this.#granting = null;
    this.#refused = null;
    this.around.changed();
  }

  close(): void {
    this.#form = null;
    this.around.changed();
  }

  async ask(budget: string, amount: number, reason: string): Promise<void> {
    await this.#sent(async () => {
      this.#put(await this.around.api.ask(budget, amount, reason));
      this.#form = null;
      this.around.toast(t("usage.request.sent"));
    });
  }

  /** Opens the form of a grant, or closes it. */
  granting(id: string | null): void {
    this.#granting = id;
    this.#form = null;
    this.#refused = null;
    this.around.changed();
  }

  async decide(id: string, decided: Decided): Promise<void> {
    const row = this.part.value?.find((one) => one.id === id);
    if (!row) return;
    const inForm = decided.action === "grant";
    await this.#sent(async () => {
      this.#put(await this.around.api.decide(row.budget, id, decided));
      this.#granting = null;
      this.around.moved();
    });
    if (this.#refused && !inForm) this.around.refused(this.#refused);
  }

  async end(id: string, opener: HTMLElement | null): Promise<void> {
    const row = this.part.value?.find((one) => one.id === id);
    if (!row) return;
    const answer = await this.around.ask(
      {
        heading: t("usage.end.title", { name: row.budget }),
        text: t("usage.end.text"),
        facts: [{ name: t("usage.belongs"), value: row.user_id }],
        actions: [
          { id: "stay", label: t("usage.end.stay") },
          { id: "end", label: t("usage.end.now"), destroys: true },
        ],
        note: "",
      },
      opener,
    );
    if (answer === "end") await this.decide(id, { action: "end" });
  }

  async #sent(act: () => Promise<void>): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    this.#refused = null;
    this.around.changed();
    this.#refused = await tried(this.around, act);
    this.#sending = false;
    this.around.changed();
  }

  #put(row: ExtensionRow): void {
    const rows = this.part.value ?? [];
    const known = rows.some(({ id }) => id === row.id);
    this.part.set(known ? rows.map((one) => (one.id === row.id ? row : one)) : [row, ...rows]);
  }

  view(operator: boolean, currency: string, now: number): RequestsView {
    const known = this.around.budgets();
    return {
      ...this.part.view,
      lines: (this.part.value ?? []).map((row) => requestLine(row, known)),
      operator,
      asks: this.around.own().length > 0,
      form: this.#formView(),
      granting: this.#granting,
      sending: this.#sending,
      refused: this.#refused,
      ...{ currency, now, offline: !this.around.online() },
    };
  }

  /** A budget has to be known before its amounts can be written. */
  #formView(): RequestForm | null {
    const budgets = this.around.own();
    const [first] = budgets;
    if (!this.#form || !first) return null;
    const { budget, amount } = this.#form;
    const named = budgets.some(({ id }) => id === budget);
    return {
      budgets,
      budget: named && budget !== null ? budget : first.id,
      amount: named ? amount : null,
    };
  }
}
