/** A proposal: verdict, what to look at, the diff with a choice a place, and the foot where it is signed. UI.md §5. */
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { styles as approval } from "../change/approval.styles.js";
import "../findings/findings.js";
import { found } from "../findings/view.js";
import { t } from "../text/index.js";
import "./confirm.js";
import "../diff/diff.js";
import type { Diff } from "../diff/diff.js";
import { placesOf } from "../diff/view.js";
import { panel } from "./proposal.styles.js";
import { count, verdictBadge } from "./verdict.js";
import { type ProposalView, takenPlaces } from "./view.js";

/** One empty list, so that the diff sees that nothing changed. */
const none: readonly never[] = [];

@customElement("hp-proposal")
export class Proposal extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, calls, approval, panel];
  @property({ attribute: false }) view!: ProposalView;
  @query("hp-diff") private diff!: Diff;
  @query("#apply") private apply!: HTMLButtonElement;

  protected override get state(): string {
    const { view } = this;
    if (view.stale) return "stale";
    return view.phase === "ready" ? view.preview.verdict : view.phase;
  }

  override render() {
    const { view } = this;
    return html`<div class="scr">
        ${this.#head()}
        <div class="body" tabindex="0" role="group" aria-label=${t("script.proposal.scrolls")}>
          ${view.stale ? this.#stale(view.stale) : nothing}
          ${view.words ? html`<p class="meta words">${prose(view.words)}</p>` : nothing}
          ${view.reasons.length && !view.stale ? confirm(view) : nothing}
          ${view.repaired ? repaired() : nothing} ${this.#notes()}${this.#findings()}
          <hp-diff
            .files=${view.files}
            .layout=${view.layout}
            .stale=${view.stale?.paths ?? none}
            .choosing=${view.stale ? "none" : "take"}
            ?disabled=${view.phase === "applying"}
            .taken=${view.taken}
            .reasons=${view.stale ? none : view.reasons}
          ></hp-diff>
        </div>
      </div>
      ${this.#foot()}`;
  }

  #head() {
    const { view } = this;
    const layout = (layout: "split" | "uni") =>
      html`<button
        aria-pressed=${view.layout === layout}
        @click=${() => this.emit("hp-layout", { layout })}
      >
        ${t(`script.layout.${layout}`)}
      </button>`;
    return html`<div class="p-head">
      <h2>${t("script.proposal")}</h2>
      ${verdictBadge(view.stale ? "stale" : view.preview.verdict)}<span class="meta hide-n trunc"
        >${count(view.files.length, placesOf(view.files))}</span
      >
      <div class="end">
        <span class="seg hide-n" role="group" aria-label=${t("script.layout")}
          >${layout("split")}${layout("uni")}</span
        >
        <button
          class="btn quiet s icon"
          aria-label=${t("script.proposal.close")}
          @click=${() => this.emit("hp-close-panel")}
        >
          ${icon("cross")}
        </button>
      </div>
    </div>`;
  }

  #stale({ paths, at, since, elsewhere }: NonNullable<ProposalView["stale"]>) {
    const path = paths[0] ?? "";
    return html`<section
      class="call hold"
      role="alert"
      data-testid="hp-stale"
      aria-labelledby="h-st"
    >
      <h3 id="h-st">
        ${elsewhere ? t("script.stale.title.server") : t("script.stale.title", { path })}
      </h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>
          ${
            elsewhere
              ? t("script.stale.what.server")
              : t("script.stale.what", { path, time: time(at), since: time(since) })
          }
        </dd>
        <dt>${t("word.kept")}</dt>
        <dd>${t("script.stale.kept")}</dd>
      </dl>
      <div class="flex wrap acts-c">
        <button
          class="btn primary s"
          data-testid="hp-preview-again"
          @click=${() => this.emit("hp-preview-again")}
        >
          ${icon("eye", "s")}<span>${t("script.stale.show")}</span></button
        ><button
          class="btn s"
          data-testid="hp-regenerate"
          @click=${() => this.emit("hp-regenerate")}
        >
          ${icon("again", "s")}<span>${t("script.ask.again")}</span>
        </button>
      </div>
    </section>`;
  }

  #notes() {
    const { notes } = this.view;
    if (!notes.length) return nothing;
    return html`<details class="notes">
      <summary>${icon("cr", "s tw")}<span>${t("script.notes")}</span></summary>
      <ul class="meta">
        ${notes.map((note) => html`<li>${note}</li>`)}
      </ul>
    </details>`;
  }

  #findings() {
    const fresh = this.view.findings.filter((finding) => finding.new);
    if (!fresh.length) return nothing;
    return html`<section class="sheet" aria-labelledby="h-nf">
      <div class="s-h">
        <h3 id="h-nf">${t("script.new.findings", { n: fresh.length })}</h3>
        <span class="meta">${t("script.new.findings.text")}</span>
      </div>
      <hp-findings .links=${false} .findings=${fresh.map(found)}></hp-findings>
    </section>`;
  }

  #foot() {
    const { view } = this;
    const taken = takenPlaces(view.taken);
    const shut = view.closed !== "";
    const of = placesOf(view.files);
    const why = shut
      ? html`${icon(
          view.phase === "ready" ? "lock" : "spin",
          view.phase === "ready" ? "c-hold" : "spin",
        )}<span>${view.closed}</span>`
      : html`<span class="mk" aria-hidden="true">${icon("mark", "s")}</span
          ><span
            ><span class="strong head">${t("script.hold")}</span> ${t("script.hold.checked", {
              taken: String(taken),
              of: t("script.taken.n", { n: of }),
              findings: findings(view),
            })}</span
          >`;
    return html`<div class="foot">
      <div class="approve ${shut ? "off" : ""}">
        <div class="bar-row">
          <p class="why grow" id="why">${why}</p>
          <div class="acts">
            <button
              class="btn quiet"
              data-testid="hp-discard"
              ?disabled=${view.phase === "applying"}
              @click=${() => this.emit("hp-discard")}
            >
              ${t("script.discard")}
            </button>
            <button
              class="btn sign"
              id="apply"
              data-testid="hp-apply"
              ?disabled=${shut}
              aria-describedby=${shut ? "why" : nothing}
              @click=${() => this.emit("hp-apply")}
            >
              ${shut ? nothing : icon("check")}<span>${t("script.apply", { n: taken })}</span>${
                view.print ? html`<span class="fp">${view.print}</span>` : nothing
              }
            </button>
          </div>
        </div>
      </div>
    </div>`;
  }

  /** Mod Enter focuses the signature and never presses it. */
  focusMain(): void {
    this.apply.focus();
  }

  show(path: string, hunk: string | null): void {
    this.diff.show(path, hunk);
  }
}

const confirm = ({ reasons, confirmed, phase }: ProposalView) =>
  html`<hp-confirm
    .reasons=${reasons}
    ?confirmed=${confirmed}
    ?disabled=${phase === "applying"}
  ></hp-confirm>`;

const repaired = () =>
  html`<p class="meta">${icon("again", "s")} ${t("script.proposal.repaired")}</p>`;

/** What the checks say of the result, for the signature. */
function findings(view: ProposalView): string {
  const found = view.findings.filter((one) => one.severity !== "info");
  const fresh = found.filter((one) => one.new);
  if (fresh.length) return t("script.hold.new", { n: fresh.length });
  return found.length ? t("script.hold.found", { n: found.length }) : t("script.hold.clean");
}
