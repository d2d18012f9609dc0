/** Requests for more of a budget: whoever uses it asks, whoever sets it grants for a time, denies or ends. */
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { dateTime, when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { inUnit, read, written } from "./amounts.js";
import { closed } from "./closing.js";
import { around, refused } from "./part.js";
import { parts } from "./usage.styles.js";
import type { RequestForm, RequestLine, RequestsView } from "./view.js";

const DAY_MS = 86_400_000;
/** For how many days more can be granted. */
const DAYS = [1, 7, 14, 31];

const own = css`
  .reqs > li {
    padding: var(--s-4) var(--s-5);
    display: grid;
    gap: var(--s-2);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .reqs > li + li { border-top: 1px solid var(--line); }
  .top { display: flex; gap: var(--s-2) var(--s-4); flex-wrap: wrap; align-items: center; }
  .top .acts { margin-inline-start: auto; display: flex; gap: var(--s-2); flex-wrap: wrap; }
  .why { overflow-wrap: anywhere; color: var(--text-2); }
  .reqs .form { padding: var(--s-4) 0 0; border: 0; }
  textarea.input { min-height: 64px; resize: vertical; }
  @media (max-width: 767px) {
    .top .acts { margin: 0; width: 100%; }
    .top .btn { min-height: var(--control); }
  }
`;

@customElement("hp-budget-requests")
export class BudgetRequests extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, calls, parts, own];
  @property({ attribute: false }) view!: RequestsView;
  @state() private wrong: "" | "amount" | "reason" = "";

  protected override get state(): string {
    const { form, lines, state } = this.view;
    if (form) return "form";
    return state === "ready" && !lines.length ? "empty" : state;
  }

  override render() {
    const { lines, state, form, asks, offline } = this.view;
    return html`<section class="sheet" aria-labelledby="h-r">
      <div class="s-h">
        <h2 id="h-r">${t("usage.requests")}</h2>
        ${
          asks && !form
            ? html`<button
                class="btn s end"
                data-testid="hp-request-new"
                ?disabled=${offline}
                @click=${() => this.emit("hp-request-form", { budget: null })}
              >
                ${icon("plus", "s")}<span>${t("over.ask")}</span>
              </button>`
            : nothing
        }
      </div>
      ${around(this.view, t("usage.part.requests"), lines.length > 0, () =>
        this.emit("hp-usage-again", { part: "requests" }),
      )}
      ${form ? this.#form(form) : nothing}
      ${
        lines.length
          ? html`<ul class="reqs">
              ${repeat(
                lines,
                (line) => line.id,
                (line) => this.#row(line),
              )}
            </ul>`
          : nothing
      }
      ${
        !lines.length && state === "ready" && !form
          ? html`<p class="none">${t("usage.requests.none")}</p>`
          : nothing
      }
    </section>`;
  }

  #form({ budgets, budget, amount }: RequestForm) {
    const { sending, refused: problem } = this.view;
    const unit = budgets.find(({ id }) => id === budget)?.unit ?? "cost";
    return html`<form class="form" aria-labelledby="h-rf" @submit=${this.#ask}>
      <h3 id="h-rf">${t("over.ask")}</h3>
      <div class="fields">
        <div class="f">
          <label class="meta strong" for="budget">${t("usage.budget.one")}</label
          ><select
            class="input select"
            id="budget"
            @change=${(event: Event) =>
              this.emit("hp-request-form", { budget: (event.target as HTMLSelectElement).value })}
          >
            ${budgets.map(
              ({ id }) => html`<option value=${id} ?selected=${id === budget}>${id}</option>`,
            )}
          </select>
        </div>
        <div class="f">
          <label class="meta strong" for="amount">${t(`usage.more.${unit}`)}</label
          ><input
            class="input"
            id="amount"
            inputmode="decimal"
            autocomplete="off"
            data-testid="hp-request-amount"
            .value=${amount === null ? "" : written(amount, unit)}
            aria-invalid=${this.wrong === "amount"}
            aria-describedby=${this.wrong === "amount" ? "wrong" : nothing}
            @input=${this.#typed}
          />
        </div>
        <div class="f whole">
          <label class="meta strong" for="reason">${t("usage.reason")}</label
          ><textarea
            class="input"
            id="reason"
            rows="2"
            maxlength="500"
            data-testid="hp-request-reason"
            aria-invalid=${this.wrong === "reason"}
            aria-describedby=${this.wrong === "reason" ? "wrong" : nothing}
            @input=${this.#typed}
          ></textarea>
        </div>
      </div>
      ${this.#mistake()}${refused(problem)}
      <div class="flex wrap">
        <button class="btn primary" data-testid="hp-request-send" ?disabled=${sending}>
          ${sending ? icon("spin", "s spin") : nothing}<span>${t("usage.request.send")}</span></button
        ><button
          class="btn"
          type="button"
          @click=${() => this.emit("hp-request-close")}
        >
          ${t("app.cancel")}
        </button>
        <span class="meta">${t("usage.request.note")}</span>
      </div>
    </form>`;
  }

  #mistake() {
    if (!this.wrong) return nothing;
    return html`<p class="meta bad" id="wrong" role="alert">${t(`usage.wrong.${this.wrong}`)}</p>`;
  }

  #row(line: RequestLine) {
    const { currency, granting, now } = this.view;
    const text = (n: number): string => (line.unit ? inUnit(n, line.unit, currency) : String(n));
    return html`<li data-request=${line.id}>
      <p class="top">
        <span class="strong">${t("usage.request.of", { amount: text(line.asked), budget: line.budget })}</span
        >${this.#badge(line)}<span class="meta">${line.who} · ${when(line.at, now)}</span
        >${this.#acts(line)}
      </p>
      <p class="why">${line.reason}</p>
      ${
        line.state === "granted" && line.amount !== null && line.until !== null
          ? html`<p class="meta">
              ${t("usage.request.granted", {
                amount: text(line.amount),
                until: dateTime(line.until),
                who: line.by ?? "",
              })}
            </p>`
          : nothing
      }${
        line.state !== "granted" && line.state !== "asked" && line.until !== null
          ? html`<p class="meta">${t("usage.request.was", { until: dateTime(line.until) })}</p>`
          : nothing
      }
      ${granting === line.id ? this.#granting(line) : nothing}
    </li>`;
  }

  #badge({ state, until }: RequestLine) {
    const over = state === "granted" && until !== null && until <= this.view.now;
    const now = over ? "ended" : state;
    const looks = { asked: "hold", granted: "pass", denied: "plain", ended: "plain" } as const;
    const marks = { asked: "med", granted: "ok", denied: "skip", ended: "idle" } as const;
    return html`<span class="badge ${looks[now]}"
      >${icon(marks[now], "s")}<span>${t(`usage.request.${now}.badge`)}</span></span
    >`;
  }

  #acts(line: RequestLine) {
    const { operator, granting, offline, sending, now } = this.view;
    if (!operator || granting === line.id) return nothing;
    const off = offline || sending;
    const decide = (action: string) => (event: Event) =>
      this.emit("hp-decide", { id: line.id, action, opener: event.currentTarget });
    if (line.state === "asked")
      return html`<span class="acts"
        ><button class="btn s" data-testid="hp-grant" ?disabled=${off} @click=${decide("open")}>
          ${t("usage.request.grant")}</button
        ><button
          class="btn s quiet"
          data-testid="hp-deny"
          ?disabled=${off}
          @click=${decide("deny")}
        >
          ${t("usage.request.deny")}
        </button></span
      >`;
    if (line.state !== "granted" || (line.until !== null && line.until <= now)) return nothing;
    return html`<span class="acts"
      ><button class="btn s quiet" data-testid="hp-end" ?disabled=${off} @click=${decide("end")}>
        ${t("usage.request.end")}
      </button></span
    >`;
  }

  #granting(line: RequestLine) {
    const { sending, refused: problem } = this.view;
    const unit = line.unit ?? "tokens";
    return html`<form class="form" @submit=${(event: Event) => this.#grant(event, line)}>
      <div class="fields">
        <div class="f">
          <label class="meta strong" for="give">${t(`usage.more.${unit}`)}</label
          ><input
            class="input"
            id="give"
            inputmode="decimal"
            autocomplete="off"
            data-testid="hp-grant-amount"
            .value=${written(line.asked, unit)}
            aria-invalid=${this.wrong === "amount"}
            aria-describedby=${this.wrong === "amount" ? "wrong" : nothing}
            @input=${this.#typed}
          />
        </div>
        <div class="f">
          <label class="meta strong" for="days">${t("usage.request.for")}</label
          ><select class="input select" id="days">
            ${DAYS.map(
              (days) =>
                html`<option value=${days} ?selected=${days === 7}>
                  ${t("usage.days", { n: days })}
                </option>`,
            )}
          </select>
        </div>
      </div>
      ${this.#mistake()}${refused(problem)}
      <div class="flex wrap">
        <button class="btn primary" data-testid="hp-grant-now" ?disabled=${sending}>
          ${t("usage.request.grant")}</button
        ><button
          class="btn"
          type="button"
          @click=${() => this.emit("hp-decide", { id: line.id, action: "close" })}
        >
          ${t("app.cancel")}
        </button>
      </div>
    </form>`;
  }

  #typed = (): void => {
    this.wrong = "";
  };

  #value = (id: string): string =>
    this.renderRoot.querySelector<HTMLInputElement>(`#${id}`)?.value.trim() ?? "";

  #ask(event: Event): void {
    event.preventDefault();
    const { form } = this.view;
    const unit = form?.budgets.find(({ id }) => id === form.budget)?.unit ?? "cost";
    const [amount, reason] = [read(this.#value("amount"), unit), this.#value("reason")];
    this.wrong = amount === null || amount === 0 ? "amount" : "";
    if (!this.wrong && reason === "") this.wrong = "reason";
    if (this.wrong) this.renderRoot.querySelector<HTMLElement>(`#${this.wrong}`)?.focus();
    else this.emit("hp-request", { budget: form?.budget, amount, reason });
  }

  #grant(event: Event, line: RequestLine): void {
    event.preventDefault();
    const amount = read(this.#value("give"), line.unit ?? "tokens");
    this.wrong = amount === null || amount === 0 ? "amount" : "";
    // A minute less than the days: the edge counts from its own clock.
    const until = Date.now() + Number(this.#value("days")) * DAY_MS - 60_000;
    if (this.wrong) this.renderRoot.querySelector<HTMLElement>("#give")?.focus();
    else this.emit("hp-decide", { id: line.id, action: "grant", amount, until });
  }

  /** What was opened by an address or a button has the focus. */
  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const before = changed.get("view") as RequestsView | undefined;
    if (!changed.has("view")) return;
    if (before) closed(this, isOpen(before), isOpen(this.view));
    if (this.view.form && !before?.form)
      this.renderRoot.querySelector<HTMLElement>("#amount")?.focus();
    if (this.view.granting && this.view.granting !== before?.granting)
      this.renderRoot.querySelector<HTMLElement>("#give")?.focus();
  }
}

const isOpen = (view: RequestsView): boolean => view.form !== null || view.granting !== null;
