/** A version against now, against the one before it or another one; restoring it makes a new one. UI.md §6. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, ground } from "../base/styles.js";
import { styles as approval } from "../change/approval.styles.js";
import { compared } from "../history/compared.js";
import { t } from "../text/index.js";
import { panel } from "./proposal.styles.js";
import type { CompareView } from "./view.js";

@customElement("hp-compare")
export class Compare extends HpElement {
  static override styles = [ground, buttons, approval, panel];
  @property({ attribute: false }) view!: CompareView;

  override render() {
    const { view } = this;
    const off = view.restorable !== "";
    const side = (which: "now" | "before") =>
      html`<button
        aria-pressed=${view.with === which}
        @click=${() => this.emit("hp-compare-with", { with: which })}
      >
        ${t(`script.compare.with.${which}`)}
      </button>`;
    return html`<div class="scr">
        <div class="p-head">
          <h2>${view.title}</h2>
          <span class="meta trunc"
            >${view.with === "other" ? nothing : t(`script.compare.${view.with}`)}</span
          >
          <div class="end">
            ${
              view.with === "other"
                ? nothing
                : html`<span class="seg" role="group" aria-label=${t("script.compare.with")}
                    >${side("now")}${side("before")}</span
                  >`
            }
            <button
              class="btn quiet s icon"
              aria-label=${t("script.compare.close")}
              @click=${() => this.emit("hp-close-panel")}
            >
              ${icon("cross")}
            </button>
          </div>
        </div>
        <div
          class="body"
          tabindex="0"
          role="group"
          aria-label=${t("script.compare.scrolls", { title: view.title })}
        >
          ${compared({ ...view, heading: "", same: "script.compare.same" })}
        </div>
      </div>
      ${
        view.with === "other"
          ? html`<div class="foot">
              <div class="approve off">
                <div class="bar-row">
                  <p class="why grow"></p>
                  <div class="acts">
                    <button class="btn" @click=${() => this.emit("hp-close-panel")}>
                      ${icon("undo", "s")}<span>${t("script.compare.back")}</span>
                    </button>
                  </div>
                </div>
              </div>
            </div>`
          : this.#foot(off)
      }`;
  }

  #foot(off: boolean) {
    const { view } = this;
    return html`<div class="foot">
      <div class="approve off">
        <div class="bar-row">
          <p class="why grow" id="why">
            ${icon(off ? "lock" : "history", off ? "c-hold" : "")}<span
              >${view.restorable || t("script.compare.restore.why")}</span
            >
          </p>
          <div class="acts">
            <button
              class="btn primary"
              data-testid="hp-restore"
              ?disabled=${off}
              aria-describedby=${off ? "why" : nothing}
              @click=${() => this.emit("hp-restore")}
            >
              ${icon("undo")}<span>${t("script.restore")}</span>${
                view.print ? html`<span class="fp">${view.print}</span>` : nothing
              }
            </button>
          </div>
        </div>
      </div>
    </div>`;
  }
}
