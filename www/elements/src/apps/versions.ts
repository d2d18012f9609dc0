/** The versions of an app: the list, two of them compared file by file, and the foot that restores. UI.md §13. */
import { css, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { heads } from "../base/sheets.js";
import { buttons, ground } from "../base/styles.js";
import "../diff/diff.js";
import type { Diff } from "../diff/diff.js";
import { placesOf } from "../diff/view.js";
import "../history/history.js";
import "../review/approval.js";
import { t } from "../text/index.js";
import "./changes.js";
import { entriesOf } from "./entries.js";
import type { AppVersionsView } from "./view.js";

const own = css`
  :host { display: flex; flex-direction: column; flex: 1; min-height: 0; min-width: 0; background: var(--surface); }
  .cols {
    flex: 1;
    min-height: 0;
    display: grid;
    grid-template-columns: 372px minmax(0, 1fr);
    gap: 1px;
    background: var(--line-2);
  }
  .cols > section { background: var(--surface); min-height: 0; min-width: 0; display: flex; flex-direction: column; }
  hp-history { flex: 1; min-height: 0; }
  .body {
    flex: 1;
    min-height: 0;
    padding: var(--pad);
    display: grid;
    gap: var(--gap);
    align-content: start;
    grid-template-columns: minmax(0, 1fr);
  }
  .box { border: 1px solid var(--line-2); border-radius: var(--r-2); overflow: clip; }
  .foot { flex: none; border-top: 1px solid var(--line-2); position: relative; }
  @media (max-width: 767px) {
    .cols { display: block; overflow: auto; background: var(--surface); }
    .body { overflow: visible; }
    .wide { display: none; }
  }
`;

@customElement("hp-app-versions")
export class AppVersions extends HpElement {
  static override styles = [ground, buttons, heads, own];
  @property({ attribute: false }) view!: AppVersionsView;
  @query("hp-diff") private diff!: Diff | null;

  protected override get state(): string {
    return this.view.compare ? "compare" : this.view.state;
  }

  override render() {
    const { view } = this;
    return html`<div class="cols">
        <section data-f6 aria-label=${t("apps.part.versions")}>
          <h2 class="vh">${t("apps.part.versions")}</h2>
          <hp-history .view=${entriesOf(view)}></hp-history>
        </section>
        <section data-f6 aria-label=${t("apps.versions.compare")}>${this.#compare(view)}</section>
      </div>
      ${
        view.foot
          ? html`<div class="foot">
              <hp-approval
                bar
                .view=${view.foot}
                @hp-act=${(event: CustomEvent<{ id: string }>) => {
                  event.stopPropagation();
                  this.emit(`hp-${event.detail.id}`);
                }}
              ></hp-approval>
            </div>`
          : nothing
      }`;
  }

  #compare({ compare, chosen, ticked, layout }: AppVersionsView) {
    if (!compare) {
      const reading = chosen !== null || ticked.length === 2;
      return html`<p class="body meta">
        ${reading ? icon("spin", "s spin") : nothing} ${t(reading ? "apps.versions.reading" : "apps.versions.choose")}
      </p>`;
    }
    const { from, to, files, takes, asks, ends } = compare;
    const n = `${t("review.files", { n: files.length })}, ${t("script.places", { n: placesOf(files) })}`;
    return html`<div class="p-head">
        <h2>${t("apps.versions.beside", { from: String(from), to: String(to) })}</h2>
        <span class="meta trunc">${n}</span>
        <span class="end"
          ><button
            class="btn s quiet"
            data-testid="hp-export-these"
            @click=${() => this.emit("hp-export", { from: ends[0], to: ends[1] })}
          >
            ${icon("down", "s")}<span>${t("apps.part.export")}</span></button
          >${
            asks && files.length
              ? html`<button
                  class="btn s quiet"
                  data-testid="hp-explain-all"
                  @click=${() => this.emit("hp-explain", { path: null, id: null })}
                >
                  ${t("diff.explain")}
                </button>`
              : nothing
          }</span
        >
      </div>
      <div class="body scroll" tabindex="0" role="group" aria-label=${t("apps.review.scrolls")}>
        ${
          files.length
            ? html`<div class="box">
                  <hp-app-changes
                    .files=${files}
                    .act=${takes ? t("apps.versions.file") : ""}
                    @hp-show-place=${(event: CustomEvent<{ path: string }>) => {
                      event.stopPropagation();
                      this.diff?.show(event.detail.path, null);
                    }}
                  ></hp-app-changes>
                </div>
                <hp-diff
                  .files=${files}
                  .layout=${layout}
                  .asks=${asks ? "explain" : ""}
                  choosing="none"
                ></hp-diff>`
            : html`<p class="meta">${t("apps.versions.same")}</p>`
        }
      </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-app-versions": AppVersions;
  }
}
