/** Sets the limit of a budget, or makes a new one. What the edge refuses stands under it. */
import type { Period, Unit } from "@holdpoint/core/types";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { read, written } from "./amounts.js";
import { refused } from "./part.js";
import { parts } from "./usage.styles.js";
import type { BudgetDraft, BudgetFormView } from "./view.js";

const UNITS: Unit[] = ["cost", "tokens", "requests"];
const PERIODS: Period[] = ["minute", "day", "month", "total"];
const KINDS = ["account", "user", "key"] as const;
type Kind = (typeof KINDS)[number];
/** How an id of a budget may be written. */
const ID = /^[A-Za-z0-9._-]{1,64}$/;

@customElement("hp-budget-form")
export class BudgetForm extends HpElement {
  static override styles = [ground, buttons, forms, parts];
  @property({ attribute: false }) view!: BudgetFormView;
  @state() private kind: Kind = "account";
  @state() private unit: Unit = "cost";
  @state() private wrong: "" | "limit" | "id" | "who" = "";

  override render() {
    const { budget, sending, problem } = this.view;
    const unit = budget?.unit ?? this.unit;
    return html`<form class="form" aria-labelledby="h-bf" @submit=${this.#submit}>
      <h3 id="h-bf" tabindex="-1">
        ${budget ? t("usage.budget.edit.of", { name: budget.id }) : t("usage.budget.new")}
      </h3>
      <div class="fields">
        ${budget ? nothing : this.#fresh()}
        <div class="f">
          <label class="meta strong" for="limit">${t(`usage.limit.${unit}`)}</label
          ><input
            class="input"
            id="limit"
            inputmode="decimal"
            autocomplete="off"
            data-testid="hp-budget-limit"
            .value=${budget ? written(budget.limit, unit) : ""}
            aria-invalid=${this.wrong === "limit"}
            aria-describedby=${this.wrong === "limit" ? "wrong" : nothing}
            @input=${() => (this.wrong = "")}
          />
        </div>
      </div>
      ${this.wrong ? html`<p class="meta bad" id="wrong" role="alert">${t(`usage.wrong.${this.wrong}`)}</p>` : nothing}
      ${refused(problem)}
      <div class="flex wrap">
        <button class="btn primary" data-testid="hp-budget-save" ?disabled=${sending}>
          ${sending ? icon("spin", "s spin") : nothing}<span
            >${t(budget ? "usage.budget.save" : "usage.budget.make")}</span
          ></button
        ><button
          class="btn"
          type="button"
          @click=${() => this.emit("hp-budget-form-close")}
        >
          ${t("app.cancel")}
        </button>
        <span class="meta">${t("usage.budget.lower")}</span>
      </div>
    </form>`;
  }

  #fresh() {
    return html`<div class="f">
        <label class="meta strong" for="id">${t("usage.budget.name")}</label
        ><input
          class="input"
          id="id"
          autocomplete="off"
          maxlength="64"
          data-testid="hp-budget-id"
          aria-invalid=${this.wrong === "id"}
          aria-describedby=${this.wrong === "id" ? "wrong" : nothing}
          @input=${() => (this.wrong = "")}
        />
      </div>
      <div class="f">
        <label class="meta strong" for="kind">${t("usage.budget.for")}</label
        ><select
          class="input select"
          id="kind"
          @change=${(event: Event) => (this.kind = chosen<Kind>(event))}
        >
          ${KINDS.map(
            (kind) =>
              html`<option value=${kind} ?selected=${kind === this.kind}>
                ${t(`usage.for.${kind}`)}
              </option>`,
          )}
        </select>
      </div>
      ${this.#who()}
      <div class="f">
        <label class="meta strong" for="unit">${t("usage.budget.unit")}</label
        ><select
          class="input select"
          id="unit"
          @change=${(event: Event) => (this.unit = chosen<Unit>(event))}
        >
          ${UNITS.map(
            (unit) =>
              html`<option value=${unit} ?selected=${unit === this.unit}>
                ${t(`usage.counts.${unit}`)}
              </option>`,
          )}
        </select>
      </div>
      <div class="f">
        <label class="meta strong" for="period">${t("usage.budget.period")}</label
        ><select class="input select" id="period">
          ${PERIODS.map(
            (period) =>
              html`<option value=${period} ?selected=${period === "month"}>
                ${t(`usage.each.${period}`)}
              </option>`,
          )}
        </select>
      </div>`;
  }

  #who() {
    const { people, keys, account } = this.view;
    // An account is named by its budgets; where there is none yet, the edge says the name in its refusal.
    if (this.kind === "account" && account !== "") return nothing;
    if (this.kind === "key")
      return html`<div class="f">
        <label class="meta strong" for="who">${t("usage.for.key")}</label
        ><select class="input select" id="who">
          ${keys.map((key) => html`<option value=${key.id}>${key.label}</option>`)}
        </select>
      </div>`;
    return html`<div class="f">
      <label class="meta strong" for="who">${t(`usage.for.${this.kind}`)}</label
      ><input
        class="input"
        id="who"
        list="people"
        autocomplete="off"
        maxlength="128"
        aria-invalid=${this.wrong === "who"}
        aria-describedby=${this.wrong === "who" ? "wrong" : nothing}
        @input=${() => (this.wrong = "")}
      /><datalist id="people">
        ${people.map((name) => html`<option value=${name}></option>`)}
      </datalist>
    </div>`;
  }

  #field = (id: string): string =>
    this.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(`#${id}`)?.value.trim() ??
    "";

  #submit(event: Event): void {
    event.preventDefault();
    const draft = this.#draft();
    if (typeof draft === "string") {
      this.wrong = draft;
      this.renderRoot.querySelector<HTMLElement>(`#${draft}`)?.focus();
      return;
    }
    this.emit("hp-budget-put", { budget: draft });
  }

  /** What is to be set, or the field that does not say it. */
  #draft(): BudgetDraft | "limit" | "id" | "who" {
    const { budget, account } = this.view;
    const limit = read(this.#field("limit"), budget?.unit ?? this.unit);
    if (budget) return limit === null ? "limit" : { ...budget, limit };
    const id = this.#field("id");
    if (!ID.test(id)) return "id";
    const who = this.kind === "account" && account !== "" ? account : this.#field("who");
    if (who === "") return "who";
    if (limit === null) return "limit";
    return {
      ...{ id, scope: `${this.kind}:${who}`, unit: this.unit, limit, payer: "platform" },
      period: this.#field("period") as Period,
    };
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>(this.view.budget ? "#limit" : "#id")?.focus();
  }
}

const chosen = <T extends string>(event: Event): T =>
  (event.target as HTMLSelectElement).value as T;
