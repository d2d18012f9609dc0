/** The report of an IDS check: how many specifications fail, each with its requirements, reasons and elements. */
import type { IdsRequirement, IdsSpecification } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { elapsed, integer, time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, meters, sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { numbered } from "../model/kinds.js";
import { t } from "../text/index.js";
import { styles } from "./checks.styles.js";
import { requirementWords } from "./facets.js";
import { type Issue, issuesOf, type Reason, reasonsOf, reasonWords } from "./issues.js";
import { linked } from "./linked.js";
import {
  type ChecksAsk,
  type Counts,
  counted,
  isNeedless,
  ordered,
  type ReportView,
  rankOf,
} from "./view.js";

/** Reasons of a requirement, elements of a reason, and specifications that are open from the first. */
const MAX_REASONS = 20;
const MAX_NAMES = 50;
const MAX_OPEN = 20;

@customElement("hp-ids")
export class Ids extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, calls, meters, styles];
  @property({ attribute: false }) view: ReportView | null = null;
  @property({ attribute: false }) selected: number[] = [];
  /** What is counted of a report, once for it: a selection draws anew. */
  #of: {
    report: ReportView["report"];
    counts: Counts;
    issues: Issue[];
    rows: IdsSpecification[];
  } | null = null;

  protected override get state(): string | null {
    return this.view?.since ?? null;
  }

  override render() {
    const { view } = this;
    if (!view) return nothing;
    const { counts, rows } = this.#facts(view);
    const old = view.since === "same" ? "" : "old";
    return html`<div
      class="body scroll ${old}"
      tabindex="0"
      role="group"
      aria-label=${t("app.scrolls", { name: t("ids.list") })}
    >
        ${this.#figure(view, counts)} ${this.#notes(rows)}
        <div class="specs">
          ${repeat(
            rows,
            (one, i) => `${i} ${one.name} ${one.status}`,
            (one, i) => this.#specification(one, one.status === "failed" && i < MAX_OPEN),
          )}
        </div>
      </div>
      ${this.#foot(view, counts)}`;
  }

  #facts({ report }: ReportView) {
    if (this.#of?.report !== report)
      this.#of = {
        report,
        counts: counted(report),
        issues: issuesOf(report),
        rows: ordered(report),
      };
    return this.#of;
  }

  // ── the figure ─────────────────────────────────────────────────────────────────────────────────────────────────

  #figure(view: ReportView, counts: Counts) {
    const { specifications } = view.report;
    const { passed, failed, needless, elements } = counts;
    const n = passed + failed;
    const share = n === 0 ? 0 : Math.max(failed > 0 ? 1 : 0, Math.round((failed / n) * 100));
    const fails = linked(
      t("ids.checks.fail", { n: failed }),
      elements,
      this.selected,
      this.#select,
      t("ids.elements", { n: elements.length }),
    );
    const tail = needless > 0 ? t("ids.checks.needless", { n: needless }) : "";
    return html`<div class="fig">
      <div class="flex">
        ${outcome(specifications, counts)}<span class="meta num"
          >IDS 1.0 · ${elapsed(view.ms)} · ${time(view.at)}</span
        >
      </div>
      ${
        view.since === "same"
          ? nothing
          : html`<p>
              <span class="badge hold"
                >${icon("again", "s")}
                ${t(view.since === "changed" ? "checks.stale" : "checks.running.again")}</span
              >
            </p>`
      }
      ${
        n === 0
          ? nothing
          : html`<div class="meter res" role="img" aria-label=${t("ids.checks.meter", { passed, n })}>
                <i class="p" style="width:${100 - share}%"></i><i class="f" style="width:${share}%"></i>
              </div>
              <p class="meta">
                ${t("ids.checks.pass", { n: passed })}${failed > 0 ? html` · ${fails}` : nothing}${
                  tail ? ` · ${tail}` : nothing
                }
              </p>`
      }
      ${emptiness(specifications)}
    </div>`;
  }

  /** What a person should know of how it was checked: each sentence once. */
  #notes(rows: IdsSpecification[]) {
    const noted = rows.filter((one) => one.note !== undefined);
    if (noted.length === 0) return nothing;
    const words = new Set(noted.flatMap((one) => (one.note ? [reasonWords(one.note)] : [])));
    return html`<section class="call info noted" aria-labelledby="n">
      <h3 id="n">${t("ids.note", { n: noted.length })}</h3>
      ${[...words].slice(0, 3).map((one) => html`<p>${prose(one)}</p>`)}
    </section>`;
  }

  // ── specifications ─────────────────────────────────────────────────────────────────────────────────────────────

  #specification(one: IdsSpecification, open: boolean) {
    const failed = one.status === "failed";
    const about =
      one.applicable > 0 ? t("ids.elements", { n: one.applicable }) : t("ids.elements.not");
    return html`<details class="fold" ?open=${open} data-status=${one.status}>
      <summary>
        ${icon("cr", "s tw")}${marks[rankOf(one)]()}<span
          ><span class=${failed ? "strong" : ""}>${one.name}</span
          ><span class="sub">${one.identifier ? `${one.identifier} · ` : ""}${about}</span></span
        ><span class="num ${failed ? "c-fail strong" : "meta"}">${ends(one)}</span>
      </summary>
      <div class="why">
        ${one.description ? html`<p class="meta">${one.description}</p>` : nothing}
        ${one.instructions ? html`<p class="meta">${t("ids.instruction", { text: one.instructions })}</p>` : nothing}
        ${this.#whole(one)}
        ${one.requirements.map((requirement) => this.#requirement(requirement))}
        ${one.note ? html`<p class="meta">${prose(reasonWords(one.note))}</p>` : nothing}
      </div>
    </details>`;
  }

  /** Why a specification failed as a whole. */
  #whole(one: IdsSpecification) {
    if (!one.reason) return nothing;
    const words = reasonWords(one.reason);
    const n = one.failed.length;
    return html`<div class="line">
      <span>${prose(words)}</span
      >${n > 0 ? html`<span class="num">${this.#count(one.failed, words)}</span>` : nothing}
    </div>`;
  }

  #requirement(one: IdsRequirement) {
    const words = requirementWords(one);
    const fails = one.failed.length > 0;
    if (!fails)
      return html`<div class="req">
        <div class="line">
          <span>${icon("ok", "s c-pass")} ${words}</span
          ><span class="num meta">${t("ids.row.pass", { n: one.passed })}</span>
        </div>
      </div>`;
    return html`<div class="req">
      <div class="line">
        <span class="strong">${words}</span
        ><span class="num">${this.#count(one.failed, words)}</span>
      </div>
      ${one.instructions ? html`<p class="meta">${t("ids.instruction", { text: one.instructions })}</p>` : nothing}
      ${this.#reasons(one)}
    </div>`;
  }

  #reasons(one: IdsRequirement) {
    const reasons = reasonsOf(one);
    const shown = reasons.slice(0, MAX_REASONS);
    const named = new Set(shown.flatMap((reason) => reason.failures.map((failure) => failure.id)));
    const rest = one.failed.filter((id) => !named.has(id));
    const more =
      reasons.length > shown.length
        ? t("ids.reasons.more", { n: reasons.length - shown.length })
        : t("ids.reasons.rest");
    return html`<ul class="reasons">
      ${shown.map((reason) => html`<li>${this.#reason(reason)}</li>`)}${
        rest.length > 0
          ? html`<li><span>${more}</span><span class="num">${this.#count(rest, more)}</span></li>`
          : nothing
      }
    </ul>`;
  }

  #reason({ words, failures }: Reason) {
    const ids = failures.map((one) => one.id);
    const left = failures.length - MAX_NAMES;
    const names = failures.slice(0, MAX_NAMES).map((one) => {
      const name = one.name ?? numbered(one.id);
      return linked(name, [one.id], this.selected, this.#select, `${one.type} #${one.id}`);
    });
    return html`<details>
        <summary>${icon("cr", "s tw")}<span>${prose(words)}</span></summary>
        <div class="names">
          ${names}${left > 0 ? html`<span class="meta">${t("ids.list.more", { n: left })}</span>` : nothing}
        </div>
      </details>
      <span class="num">${this.#count(ids, words)}</span>`;
  }

  #count(ids: number[], what: string): TemplateResult {
    return linked(t("ids.elements", { n: ids.length }), ids, this.selected, this.#select, what);
  }

  // ── the foot ───────────────────────────────────────────────────────────────────────────────────────────────────

  #foot(view: ReportView, { failing, elements }: Counts) {
    if (failing === 0) return nothing;
    const topics = t("bcf.topics", { n: this.#facts(view).issues.length });
    return html`<div class="foot">
      <div class="acts">
        <button
          class="btn primary"
          data-testid="hp-checks-bcf"
          ?disabled=${view.exporting || view.since !== "same"}
          aria-describedby="about"
          @click=${() => this.#ask({ act: "bcf" })}
        >
          ${icon(view.exporting ? "spin" : "down", view.exporting ? "spin" : "")}<span
            >${t("bcf.export")}</span
          ><span class="fp sum">${topics}, ${t("ids.elements", { n: elements.length })}</span>
        </button>
        <select class="select" aria-label=${t("bcf.version")} @change=${this.#version}>
          ${versions.map((one) => html`<option value=${one} ?selected=${one === view.version}>BCF ${one}</option>`)}
        </select>
        <button class="btn" @click=${() => this.#ask({ act: "csv" })}>${t("ids.csv")}</button>
      </div>
      <p class="meta" id="about">
        ${view.since === "same" ? t("bcf.about") : t("checks.stale")}
      </p>
    </div>`;
  }

  readonly #version = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    const version = versions.find((one) => one === value);
    if (version) this.#ask({ act: "version", version });
  };

  readonly #select = (ids: number[]): void => this.emit("hp-select", { ids });

  #ask(ask: ChecksAsk): void {
    this.emit<ChecksAsk>("hp-checks", ask);
  }
}

const versions = ["3.0", "2.1"] as const;

/** Fails, passes, is not needed. */
const marks = {
  0: () => icon("bad", "c-fail"),
  1: () => icon("ok", "c-pass"),
  2: () => icon("skip", "c-off"),
};

/** 2 of 8 specifications fail; or that all pass. */
function outcome(specifications: IdsSpecification[], { failing, needless }: Counts) {
  const n = specifications.length;
  if (n === 0) return html`<span class="all">${t("ids.empty")}</span>`;
  if (failing > 0)
    return html`<span class="big-n">${integer(failing)}</span
      ><span>${t("ids.fail.of", { n })} ${t("ids.fail.word", { n: failing })}</span>`;
  if (needless === n)
    return html`<span class="all">${icon("skip", "c-off")} ${t("ids.none")}</span>`;
  return html`<span class="all">${icon("ok", "c-pass")} ${t("ids.pass.all", { n: n - needless })}</span>`;
}

function emptiness(specifications: IdsSpecification[]) {
  if (specifications.length === 0) return html`<p class="meta">${t("ids.empty.sub")}</p>`;
  return specifications.every(isNeedless)
    ? html`<p class="meta">${t("ids.none.sub")}</p>`
    : nothing;
}

/** What a row ends with: how many fail or pass, or that there is nothing to look at. */
function ends(one: IdsSpecification): string {
  const n = one.failed.length;
  if (one.status === "failed") {
    if (n === 0) return t("ids.row.missing");
    return one.occurs === "prohibited" ? t("ids.row.forbidden") : t("ids.row.fail", { n });
  }
  if (one.applicable > 0) return t("ids.row.pass", { n: one.applicable });
  return t(one.occurs === "prohibited" ? "ids.row.absent" : "ids.row.needless");
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-ids": Ids;
  }
}
