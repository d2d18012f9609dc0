/** The panel of checks: its head, a check that runs or did not end, and what came of it. UI.md §11. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { prose, sentence } from "../base/prose.js";
import { calls, heads } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { detailed } from "../text/refusal.js";
import { said } from "../text/said.js";
import "../shell/copy.js";
import { panel } from "./checks.styles.js";
import "./ids.js";
import "./topics.js";
import type { CheckKind, ChecksAsk, ChecksView } from "./view.js";

@customElement("hp-checks")
export class Checks extends HpElement {
  static override styles = [ground, buttons, badges, heads, calls, panel];
  @property({ attribute: false }) view: ChecksView | null = null;
  /** What is selected in the model, by ExpressId. */
  @property({ attribute: false }) selected: number[] = [];

  protected override get state(): string {
    return this.view?.state ?? "none";
  }

  override render() {
    const { view } = this;
    if (!view) return nothing;
    return html`${this.#head(view)}${this.#body(view)}
      <p class="vh" role="status">${status(view)}</p>`;
  }

  #head(view: ChecksView) {
    const again = view.state === "report" || view.state === "cancelled";
    const busy = view.state === "report" && view.since === "running";
    return html`<div class="p-head">
      <h2 id="h" tabindex="-1">${t(titles[kindOf(view)])}</h2>
      <span class="meta trunc" title=${view.name}>${view.name}</span>
      <div class="end">
        ${
          again
            ? html`<button
                class="btn s"
                data-testid="hp-checks-again"
                ?disabled=${busy}
                @click=${() => this.#ask({ act: "again" })}
              >
                ${icon(busy ? "spin" : "again", busy ? "s spin" : "s")}<span>${t("checks.again")}</span>
              </button>`
            : nothing
        }<button
          class="btn quiet s icon"
          aria-label=${t("checks.another")}
          title=${t("checks.another")}
          @click=${() => this.#ask({ act: "open" })}
        >
          ${icon("file")}</button
        ><button
          class="btn quiet s icon"
          aria-label=${t("checks.close")}
          data-testid="hp-checks-close"
          @click=${() => this.#ask({ act: "close" })}
        >
          ${icon("cross")}
        </button>
      </div>
    </div>`;
  }

  #body(view: ChecksView) {
    switch (view.state) {
      case "running":
        return this.#running(view);
      case "cancelled":
        return html`<div class="state body">
          <p class="strong">${t("checks.cancelled")}</p>
        </div>`;
      case "failed":
        return this.#failed(view);
      case "other":
        return this.#other(view.name);
      case "report":
        return html`<hp-ids .view=${view} .selected=${this.selected}></hp-ids>`;
      case "topics":
        return html`<hp-topics .topics=${view.topics} .selected=${this.selected}></hp-topics>`;
    }
  }

  #running({ kind, name }: Extract<ChecksView, { state: "running" }>) {
    return html`<div class="state body late">
      <p class="flex">${icon("spin", "c-run spin")}<span>${t(running[kind], { name })}</span></p>
      ${kind === "ids" ? html`<p class="meta">${t("ids.running.sub")}</p>` : nothing}
      <button class="btn" @click=${() => this.#ask({ act: "cancel" })}>
        ${icon("cross", "s")}<span>${t("checks.cancel")}</span>
      </button>
    </div>`;
  }

  #failed({ kind, name, error }: Extract<ChecksView, { state: "failed" }>) {
    const invalid = /^(IDS|BCF)_INVALID$/.test(error.code);
    const heading = kind === "ids" && !invalid ? "ids.failed" : invalids[kind];
    const { line, column } = error.details ?? {};
    return html`<div class="state body scroll" tabindex="0" role="group" aria-label=${t("app.scrolls", { name })}>
      <section class="call fail" aria-labelledby="f" role="alert">
        <h3 id="f">${t(heading, { name })}</h3>
        <dl class="w3">
          <dt>${t("word.what")}</dt>
          <dd>
            ${prose(sentence(said(error)))}${
              line === undefined
                ? nothing
                : html`<br /><span class="meta">${t("ids.place", { line, column: column ?? 1 })}</span>`
            }
          </dd>
          <dt>${t("word.kept")}</dt>
          <dd>${t("checks.kept")}</dd>
          ${
            invalid
              ? html`<dt>${t("word.helps")}</dt>
                  <dd>${t(helps[kind])}</dd>`
              : nothing
          }
        </dl>
        <div class="flex wrap acts-c">
          <button class="btn s primary" @click=${() => this.#ask({ act: "open" })}>
            ${icon("file", "s")}<span>${t("checks.another")}</span></button
          ><hp-copy .text=${detailed(error)}></hp-copy>
        </div>
      </section>
    </div>`;
  }

  #other(name: string) {
    return html`<div class="state body">
      <section class="call fail" aria-labelledby="f" role="alert">
        <h3 id="f">${t("checks.other", { name })}</h3>
        <dl class="w3">
          <dt>${t("word.kept")}</dt>
          <dd>${t("checks.kept")}</dd>
          <dt>${t("word.helps")}</dt>
          <dd>${t("checks.other.helps")}</dd>
        </dl>
        <button class="btn s primary" @click=${() => this.#ask({ act: "open" })}>
          ${icon("file", "s")}<span>${t("checks.another")}</span>
        </button>
      </section>
    </div>`;
  }

  #ask(ask: ChecksAsk): void {
    this.emit<ChecksAsk>("hp-checks", ask);
  }
}

const titles = { ids: "ids.title", bcf: "bcf.title" } as const;
const running = { ids: "ids.running", bcf: "bcf.running" } as const;
const invalids = { ids: "ids.invalid", bcf: "bcf.invalid" } as const;
const helps = { ids: "ids.helps", bcf: "bcf.helps" } as const;

function kindOf(view: ChecksView): CheckKind {
  if (view.state === "report") return "ids";
  return view.state === "topics" ? "bcf" : view.kind;
}

/** Told once, when it comes: what runs, what came of it. */
function status(view: ChecksView): string {
  switch (view.state) {
    case "running":
      return t(running[view.kind], { name: view.name });
    case "report": {
      if (view.since === "running") return t("checks.running.again");
      const failing = view.report.specifications.filter((one) => one.status === "failed").length;
      const n = view.report.specifications.length;
      return `${failing} ${t("ids.fail.of", { n })} ${t("ids.fail.word", { n: failing })}`;
    }
    case "topics":
      return t("bcf.topics", { n: view.topics.length });
    default:
      return "";
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-checks": Checks;
  }
}
