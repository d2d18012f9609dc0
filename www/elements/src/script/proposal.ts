/** A proposal: verdict, what to look at with a choice a place, and the foot where it is signed. UI.md §5. */
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { listed, time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, heads } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { placesOf } from "../diff/view.js";
import { found } from "../findings/view.js";
import "../review/approval.js";
import type { Approval, FootView } from "../review/approval.js";
import "../review/review.js";
import type { ReviewSheet } from "../review/review.js";
import { count, verdictBadge } from "../review/verdict.js";
import type { ReviewView } from "../review/view.js";
import { t } from "../text/index.js";
import { panel } from "./proposal.styles.js";
import { type ProposalView, takenPlaces } from "./view.js";

@customElement("hp-proposal")
export class Proposal extends HpElement {
  static override styles = [ground, buttons, badges, calls, heads, panel];
  @property({ attribute: false }) view!: ProposalView;
  @query("hp-review") private review!: ReviewSheet;
  @query("hp-approval") private approval!: Approval;

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
          ${this.#examples()}${view.words ? html`<p class="meta words">${prose(view.words)}</p>` : nothing}
          <hp-review .view=${reviewOf(view)}></hp-review>
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
          class="btn s"
          data-testid="hp-run-proposal"
          ?disabled=${view.preview.changed_files.length === 0}
          @click=${() => this.emit("hp-run-proposal")}
        >
          ${icon("play", "s")}<span>${t("script.run.from.proposal")}</span>
        </button>
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

  /** What the kept examples say of it. */
  #examples() {
    const { examples } = this.view;
    if (!examples) return nothing;
    const { state, breaks, of } = examples;
    if (state === "runs")
      return html`<p class="meta">${icon("spin", "s spin")} ${t("script.run.examples.check")}</p>`;
    if (!breaks.length)
      return html`<p class="meta" data-testid="hp-examples-hold">
        ${icon("ok", "s c-pass")} ${t("script.run.examples.hold", { n: of })}
      </p>`;
    return html`<section class="call hold" data-testid="hp-examples-break" aria-label=${t("script.run.examples")}>
      <p>${t("script.run.examples.breaks", { names: listed(breaks) })}</p>
    </section>`;
  }

  #foot() {
    return html`<div class="foot">
      <hp-approval
        bar
        .view=${footOf(this.view)}
        @hp-act=${(event: CustomEvent<{ id: string }>) => {
          event.stopPropagation();
          this.emit(`hp-${event.detail.id}`);
        }}
      ></hp-approval>
    </div>`;
  }

  /** Mod Enter focuses the signature and never presses it. */
  focusMain(): void {
    this.approval.focusMain();
  }

  show(path: string, hunk: string | null): void {
    this.review.show(path, hunk);
  }
}

function reviewOf(view: ProposalView): ReviewView {
  const { stale, reasons, confirmed, notes, repaired, files, layout, taken } = view;
  return {
    confirm: reasons.length && !stale ? { reasons, confirmed } : null,
    permissions: null,
    tests: null,
    ...{ notes, repaired },
    findings: view.findings.filter((finding) => finding.new).map(found),
    change: { files, heading: "", layout, stale: stale?.paths ?? [], taken: stale ? null : taken },
    busy: view.phase === "applying",
  };
}

function footOf(view: ProposalView): FootView {
  const { closed, phase, print } = view;
  const taken = takenPlaces(view.taken);
  const of = t("script.taken.n", { n: placesOf(view.files) });
  const open = t("script.hold.checked", { taken: String(taken), of, findings: findings(view) });
  return {
    state: stateOf(closed, phase),
    reason: closed || open,
    reasonLook: "c-hold",
    main: {
      id: "apply",
      label: t("script.apply", { n: taken }),
      icon: "check",
      look: "sign",
      testid: "hp-apply",
      mono: true,
      print,
    },
    before: [
      {
        id: "discard",
        label: t("script.discard"),
        testid: "hp-discard",
        off: phase === "applying",
      },
    ],
  };
}

function stateOf(closed: string, phase: ProposalView["phase"]): FootView["state"] {
  if (!closed) return "waits";
  return phase === "ready" ? "closed" : "sending";
}

/** What the checks say of the result, for the signature. */
function findings(view: ProposalView): string {
  const found = view.findings.filter((one) => one.severity !== "info");
  const fresh = found.filter((one) => one.new);
  if (fresh.length) return t("script.hold.new", { n: fresh.length });
  return found.length ? t("script.hold.found", { n: found.length }) : t("script.hold.clean");
}
