/**
 * What a person looks at before signing: reasons to look, what it may do, tests, what was done on its way, new
 * findings, and the change. The foot that signs is `hp-approval`. UI.md §5.
 */
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { ground } from "../base/styles.js";
import "../diff/diff.js";
import type { Diff } from "../diff/diff.js";
import "../findings/findings.js";
import { t } from "../text/index.js";
import "./capability-review.js";
import "./confirm.js";
import { styles } from "./review.styles.js";
import "./test-list.js";
import type { ReviewView } from "./view.js";

/** One empty list, so that the diff sees that nothing changed. */
const none: readonly never[] = [];

@customElement("hp-review")
export class ReviewSheet extends HpElement {
  static override styles = [ground, sheets, styles];
  @property({ attribute: false }) view!: ReviewView;
  @query("hp-diff") private diff!: Diff;

  protected override get state(): string {
    const { busy, confirm } = this.view;
    if (busy) return "busy";
    return confirm && !confirm.confirmed ? "confirm" : "ready";
  }

  override render() {
    const { view } = this;
    return html`${this.#confirm(view)}${permissions(view)}${tests(view)}${
      view.repaired
        ? html`<p class="meta">${icon("again", "s")} ${t("review.second")}</p>`
        : nothing
    }${notes(view)}${findings(view)}${this.#change(view)}`;
  }

  #confirm({ confirm, busy }: ReviewView) {
    if (!confirm) return nothing;
    return html`<hp-confirm
      .reasons=${confirm.reasons}
      ?confirmed=${confirm.confirmed}
      ?disabled=${busy}
    ></hp-confirm>`;
  }

  #change({ change, confirm, busy }: ReviewView) {
    return html`<hp-diff
      .files=${change.files}
      .heading=${change.heading}
      .layout=${change.layout}
      .stale=${change.stale}
      .choosing=${change.taken ? "take" : "none"}
      ?disabled=${busy}
      .taken=${change.taken ?? {}}
      .asks=${change.asks ?? ""}
      .reasons=${confirm?.reasons ?? none}
    ></hp-diff>`;
  }

  /** Brings a place of the change into sight. */
  show(path: string, hunk: string | null): void {
    this.diff.show(path, hunk);
  }
}

function permissions({ permissions }: ReviewView) {
  if (!permissions) return nothing;
  const { grants, typed, id, upgrade, planned, letter } = permissions;
  return html`<hp-capability-review
    .view=${grants}
    .typed=${typed}
    .confirm=${id}
    ?upgrade=${upgrade}
    .planned=${planned}
    .letter=${letter}
  ></hp-capability-review>`;
}

function tests({ tests }: ReviewView) {
  if (!tests) return nothing;
  return html`<hp-test-list
    .tests=${tests.tests}
    .weakened=${tests.weakened}
    .accepted=${tests.accepted}
    .approved=${tests.approved}
    .note=${tests.note}
    .running=${tests.running}
  ></hp-test-list>`;
}

function notes({ notes }: ReviewView) {
  if (!notes.length) return nothing;
  return html`<details class="notes">
    <summary>${icon("cr", "s tw")}<span>${t("review.notes")}</span></summary>
    <ul class="meta">
      ${notes.map((note) => html`<li>${note}</li>`)}
    </ul>
  </details>`;
}

/** A place of a finding is in the result, which no file shows yet: it leads nowhere. */
function findings({ findings }: ReviewView) {
  if (!findings.length) return nothing;
  return html`<section class="sheet" aria-labelledby="h-nf">
    <div class="s-h">
      <h3 id="h-nf">${t("review.findings", { n: findings.length })}</h3>
      <span class="meta">${t("review.findings.text")}</span>
    </div>
    <hp-findings .links=${false} .findings=${findings}></hp-findings>
  </section>`;
}
