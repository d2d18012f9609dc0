/** A version against now, against the one before it or another one; restoring it makes a new one. UI.md §6. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { heads } from "../base/sheets.js";
import { buttons, ground } from "../base/styles.js";
import "../review/approval.js";
import { compared } from "../history/compared.js";
import type { FootView } from "../review/approval.js";
import { t } from "../text/index.js";
import { panel } from "./proposal.styles.js";
import type { CompareView } from "./view.js";

@customElement("hp-compare")
export class Compare extends HpElement {
  static override styles = [ground, buttons, heads, panel];
  @property({ attribute: false }) view!: CompareView;

  override render() {
    const { view } = this;
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
      <div class="foot">
        <hp-approval
          bar
          .view=${footOf(view)}
          @hp-act=${(event: CustomEvent<{ id: string }>) => {
            event.stopPropagation();
            this.emit(`hp-${event.detail.id}`);
          }}
        ></hp-approval>
      </div>`;
  }
}

/** Two that were ticked are only looked at; any other version can be restored. */
function footOf({ with: beside, restorable, print }: CompareView): FootView {
  if (beside === "other")
    return {
      state: "plain",
      reason: t("script.compare.two.why"),
      reasonIcon: "history",
      main: { id: "close-panel", label: t("script.compare.back"), icon: "undo", look: "plain" },
    };
  return {
    state: restorable ? "closed" : "plain",
    reason: restorable || t("script.compare.restore.why"),
    reasonIcon: restorable ? "lock" : "history",
    reasonLook: restorable ? "c-hold" : "",
    main: {
      id: "restore",
      label: t("script.restore"),
      icon: "undo",
      look: "primary",
      testid: "hp-restore",
      mono: true,
      print,
    },
  };
}
