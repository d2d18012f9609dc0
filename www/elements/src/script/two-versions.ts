/** The same text was changed here and elsewhere: theirs or mine, place by place, then saved together. UI.md §6. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { calls } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { styles as approval } from "../change/approval.styles.js";
import { t } from "../text/index.js";
import "../diff/diff.js";
import { placesOf } from "../diff/view.js";
import { panel } from "./proposal.styles.js";
import { count } from "./verdict.js";
import type { TwoVersionsView } from "./view.js";

@customElement("hp-two-versions")
export class TwoVersions extends HpElement {
  static override styles = [ground, buttons, badges, calls, approval, panel];
  @property({ attribute: false }) view!: TwoVersionsView;

  override render() {
    const { view } = this;
    const of = placesOf(view.files);
    const decided = view.files.reduce(
      (sum, file) =>
        sum +
        file.diff.hunks.filter((hunk) => view.decided[file.path]?.[hunk.id] !== undefined).length,
      0,
    );
    const off = decided < of || view.saving;
    const ways = [
      { id: "copy", label: t("script.two.copy") },
      { id: "take", label: t("script.two.take") },
    ];
    return html`<div class="scr">
        <div class="p-head">
          <h2>${t("script.two")}</h2>
          <span class="badge hold">${icon("clock", "s")}<span>${t("script.two.badge")}</span></span
          ><span class="meta hide-n trunc">${count(view.files.length, of)}</span>
        </div>
        <div class="body" tabindex="0" role="group" aria-label=${t("script.two.scrolls")}>
          <section class="call hold" role="alert" aria-labelledby="h-tv">
            <h3 id="h-tv">${t("script.two.title", { time: time(view.at) })}</h3>
            <dl class="w3">
              <dt>${t("word.what")}</dt>
              <dd>${t("script.two.what", { since: time(view.since) })}</dd>
              <dt>${t("word.kept")}</dt>
              <dd>${t("script.two.kept")}</dd>
            </dl>
          </section>
          <hp-diff
            .files=${view.files}
            .layout=${view.layout}
            choosing="mine"
            ?disabled=${view.saving}
            .decided=${view.decided}
            .left=${t("script.two.theirs.column", { time: time(view.at) })}
            .right=${t("script.two.mine.column")}
          ></hp-diff>
        </div>
      </div>
      <div class="foot">
        <div class="approve off">
          <div class="bar-row">
            <p class="why grow" id="why">
              ${mark(view.saving, off)}<span
                >${off ? t("script.two.open", { n: of - decided }) : t("script.two.done")}</span
              >
            </p>
            <div class="acts">
              ${ways.map(
                (way) =>
                  html`<button
                    class="btn alt"
                    data-testid="hp-two-${way.id}"
                    ?disabled=${view.saving}
                    @click=${() => this.emit("hp-two", { way: way.id })}
                  >
                    ${way.label}
                  </button>`,
              )}
              <button
                class="btn primary"
                data-testid="hp-save-together"
                ?disabled=${off}
                aria-describedby=${off ? "why" : nothing}
                @click=${() => this.emit("hp-two", { way: "save" })}
              >
                <span>${t("script.two.save")}</span
                >${view.print ? html`<span class="fp">${view.print}</span>` : nothing}
              </button>
              <button
                class="btn icon only-n"
                aria-haspopup="menu"
                aria-label=${t("script.two.more")}
                @click=${(event: Event) =>
                  this.emit("hp-two-menu", { ways, anchor: event.currentTarget })}
              >
                ${icon("more")}
              </button>
            </div>
          </div>
        </div>
      </div>`;
  }
}

function mark(saving: boolean, off: boolean) {
  if (saving) return icon("spin", "spin");
  return off ? icon("lock", "c-hold") : icon("ok", "c-pass");
}
