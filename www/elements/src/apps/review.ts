/**
 * A proposal for an app: its files, the change place by place, the result as it runs, and the foot where it is signed.
 * States: loading, failed, ready, stale. UI.md §13 "Review, wide".
 */
import type { ProposedBehaviour } from "@holdpoint/core/apps";
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, heads, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { placesOf } from "../diff/view.js";
import "../findings/findings.js";
import "../review/approval.js";
import type { Approval } from "../review/approval.js";
import "../review/claims.js";
import "../review/review.js";
import type { ReviewSheet } from "../review/review.js";
import { unread } from "../shell/unread.js";
import { t } from "../text/index.js";
import "./changes.js";
import "./preview.js";
import { styles } from "./review.styles.js";
import type { AppReviewView, GateState } from "./view.js";

const looks = {
  passed: { look: "pass", mark: "ok" },
  failed: { look: "fail", mark: "bad" },
  none: { look: "hold", mark: "med" },
} as const satisfies Record<GateState, unknown>;

@customElement("hp-app-review")
export class AppReview extends HpElement {
  static override styles = [ground, buttons, badges, sheets, heads, calls, styles];
  @property({ attribute: false }) view!: AppReviewView;
  /** Which part a narrow page shows. */
  @property({ reflect: true }) pane: "change" | "result" = "change";
  @query("hp-review") private sheet!: ReviewSheet | null;
  @query("hp-approval") private approval!: Approval | null;

  protected override get state(): string {
    if (this.view.state !== "ready") return this.view.state;
    return this.view.stale ? "stale" : "ready";
  }

  override render() {
    const { view } = this;
    if (view.state !== "ready") return this.#instead(view);
    return html`<div class="cols">
        <section class="list scroll" tabindex="0" data-f6 aria-label=${t("apps.review.files")}>
          ${this.#list(view)}
        </section>
        <section class="diff" data-f6 aria-label=${t("apps.review.change")}>
          ${this.#head(view)}
          <div class="body scroll" tabindex="0" role="group" aria-label=${t("apps.review.scrolls")}>
            ${view.stale ? stale() : nothing}${view.errors.length ? errors(view) : nothing}
            <hp-review .view=${view.sheet}></hp-review>
          </div>
        </section>
        <section class="result" data-f6 aria-label=${t("apps.review.result")}>
          ${result(view)}
        </section>
      </div>
      <div class="foot">
        <hp-approval
          bar
          .view=${view.foot}
          @hp-act=${(event: CustomEvent<{ id: string }>) => {
            event.stopPropagation();
            this.emit(`hp-${event.detail.id}`);
          }}
        ></hp-approval>
      </div>`;
  }

  #instead({ state, problem }: AppReviewView) {
    if (state === "loading")
      return html`<p class="meta late wait">${icon("spin", "s spin")} ${t("apps.review.loading")}</p>`;
    return html`<div class="wait">
      ${unread("apps.review.unread", problem, () => this.emit("hp-review-again"))}
    </div>`;
  }

  #head({ layout, sheet }: AppReviewView) {
    const one = (name: "split" | "uni") =>
      html`<button
        aria-pressed=${layout === name}
        @click=${() => this.emit("hp-layout", { layout: name })}
      >
        ${t(`script.layout.${name}`)}
      </button>`;
    return html`<div class="p-head">
      <h2>${t("apps.review.change")}</h2>
      <div class="end">
        ${
          sheet.change.asks
            ? html`<button
                class="btn s quiet"
                data-testid="hp-explain-all"
                @click=${() => this.emit("hp-explain", { path: null, id: null })}
              >
                ${t("diff.explain")}
              </button>`
            : nothing
        }
        <span class="seg wide" role="group" aria-label=${t("script.layout")}
          >${one("split")}${one("uni")}</span
        ><button
          class="btn quiet s icon"
          aria-label=${t("apps.review.close")}
          data-testid="hp-review-close"
          @click=${() => this.emit("hp-review-close")}
        >
          ${icon("cross")}
        </button>
      </div>
    </div>`;
  }

  #list(view: AppReviewView) {
    const { files, taken, summary, rationale, assumptions, sheet } = view;
    const count = `${t("review.files", { n: files.length })}, ${t("script.places", { n: placesOf(files) })}`;
    return html`<div class="p-head">
        <h2>${t(view.parked ? "apps.review.parked" : "apps.review.proposal")}</h2>
      </div>
      <p class="gates">${gates(view)}</p>
      <h3 class="lab">${t("apps.files")}<span class="meta">${count}</span></h3>
      <hp-app-changes .files=${files} .taken=${taken} ?disabled=${sheet.busy}></hp-app-changes>
      ${part("apps.review.words", [summary, rationale])}${this.#claims(view)}
      ${behaviours(view)}
      ${part("apps.review.assumed", assumptions)}`;
  }

  #claims({ claims }: AppReviewView) {
    if (!claims.length) return nothing;
    return html`<hp-claims
      .claims=${claims}
      @hp-show-file=${(event: CustomEvent<{ path: string }>) => {
        event.stopPropagation();
        this.show(event.detail.path, null);
      }}
    ></hp-claims>`;
  }

  /** Mod Enter focuses the signature and never presses it. */
  focusMain(): void {
    this.approval?.focusMain();
  }

  show(path: string, hunk: string | null): void {
    this.sheet?.show(path, hunk);
  }
}

const gates = ({ gates: { compile, tests, build } }: AppReviewView) => [
  badgeOf("compile", compile, t(`apps.gate.compile.${compile}`)),
  badgeOf("tests", tests, t(`apps.gate.tests.${tests}`)),
  badgeOf("build", build, t(`apps.gate.build.${build}`)),
];

function badgeOf(gate: string, state: GateState, words: string) {
  const { look, mark } = looks[state];
  return html`<span class="badge ${look}" data-gate=${gate}
    >${icon(mark, "s")}<span>${words}</span></span
  >`;
}

function part(title: "apps.review.words" | "apps.review.assumed", lines: readonly string[]) {
  const said = lines.filter((line) => line !== "");
  if (!said.length) return nothing;
  return html`<h3 class="lab">${t(title)}</h3>
    <ul class="words">
      ${said.map((line) => html`<li>${prose(line)}</li>`)}
    </ul>`;
}

function behaviours({ behaviours }: AppReviewView) {
  if (!behaviours.length) return nothing;
  const [lost, added, kept] = (["lost", "new", "kept"] as const).map((change) =>
    behaviours.filter((one) => one.change === change),
  );
  const line = ({ change, says, path }: ProposedBehaviour) =>
    html`<li data-change=${change} title=${path}>
      ${
        change === "kept"
          ? nothing
          : html`<span class="badge ${change === "new" ? "pass" : "hold"}"
              >${t(`behaviours.${change}`)}</span
            >`
      }
      ${says}
    </li>`;
  const list = (some: readonly ProposedBehaviour[]) =>
    html`<ul class="words">
      ${some.map(line)}
    </ul>`;
  return html`<section data-testid="hp-behaviours" aria-labelledby="h-be">
    <h3 class="lab" id="h-be">${t("behaviours.title")}</h3>
    ${list([...(lost ?? []), ...(added ?? [])])}
    ${added?.length ? html`<p class="note meta">${t("behaviours.new.text")}</p>` : nothing}
    ${
      kept?.length
        ? html`<details>
            <summary class="meta">${t("behaviours.kept", { n: kept.length })}</summary>
            ${list(kept)}
          </details>`
        : nothing
    }
  </section>`;
}

const stale = () =>
  html`<section class="call hold" role="alert" data-testid="hp-stale" aria-labelledby="h-st">
    <h3 id="h-st">${t("apps.review.stale")}</h3>
    <p>${t("apps.review.stale.text")}</p>
  </section>`;

const errors = ({ errors }: AppReviewView) =>
  html`<section class="call fail" role="alert" data-testid="hp-result-errors" aria-labelledby="h-er">
    <h3 id="h-er">${t("apps.review.errors", { n: errors.length })}</h3>
    <hp-findings .findings=${errors} .links=${false}></hp-findings>
  </section>`;

function result({ result }: AppReviewView) {
  const not = result.state === "result-building";
  return html`<div class="p-head hold">
      <h2>${t("apps.review.result")}</h2>
      <span class="badge hold">${icon("eye", "s")}<span>${t("apps.review.preview")}</span></span
      >${
        result.print
          ? html`<span class="fp-chip" data-testid="hp-result-print">${result.print}</span>`
          : nothing
      }
    </div>
    <hp-preview .view=${result}></hp-preview>
    <p class="line meta">${t(not ? "apps.review.building" : "apps.review.not_applied")}</p>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-app-review": AppReview;
  }
}
