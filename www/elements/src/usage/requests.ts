/** Requests for more of a budget: whoever uses it asks, whoever sets it grants for a time, denies or ends. */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { dateTime, when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { inUnit } from "./amounts.js";
import { closed } from "./closing.js";
import { form } from "./form.js";
import { around } from "./part.js";
import { askForm, grantForm } from "./request-form.js";
import { parts } from "./usage.styles.js";
import type { RequestLine, RequestsView } from "./view.js";

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
  @media (max-width: 767px) {
    .top .acts { margin: 0; width: 100%; }
    .top .btn { min-height: var(--control); }
  }
`;

@customElement("hp-budget-requests")
export class BudgetRequests extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, parts, own];
  @property({ attribute: false }) view!: RequestsView;

  protected override get state(): string {
    const { form, lines, state } = this.view;
    if (form) return "form";
    return state === "ready" && !lines.length ? "empty" : state;
  }

  override render() {
    const { lines, state, form: asking, asks, offline } = this.view;
    return html`<section class="sheet" aria-labelledby="h-r">
      <div class="s-h">
        <h2 id="h-r">${t("usage.requests")}</h2>
        ${
          asks && !asking
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
      ${asking ? form(askForm(asking, this.view, this.#tell)) : nothing}
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
        !lines.length && state === "ready" && !asking
          ? html`<p class="none">${t("usage.requests.none")}</p>`
          : nothing
      }
    </section>`;
  }

  #row(line: RequestLine) {
    const { currency, granting, now } = this.view;
    const text = (n: number): string => (line.unit ? inUnit(n, line.unit, currency) : String(n));
    return html`<li data-request=${line.id}>
      <p class="top">
        <span class="strong">${asked(line, currency)}</span
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
      ${granting === line.id ? form(grantForm(line, this.view, this.#tell)) : nothing}
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

  #tell = (type: string, detail?: object): void => this.emit(type, detail);

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const before = changed.get("view") as RequestsView | undefined;
    if (before) closed(this, isOpen(before), isOpen(this.view));
  }
}

/** "$2.50 more of mei", "9 more calls of mei". */
function asked({ unit, asked: n, budget }: RequestLine, currency: string): string {
  if (unit === "tokens" || unit === "requests") return t(`usage.request.of.${unit}`, { n, budget });
  return t("usage.request.of", { amount: unit ? inUnit(n, unit, currency) : String(n), budget });
}

const isOpen = (view: RequestsView): boolean => view.form !== null || view.granting !== null;
