/** One sentence for each thing to look at, and one tick. Shown exactly when the preview asks for it. Space ticks. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { confirmStyles } from "./review.styles.js";
import type { Reason } from "./view.js";

@customElement("hp-confirm")
export class Confirm extends HpElement {
  static override styles = [ground, buttons, forms, calls, confirmStyles];
  @property({ attribute: false }) reasons: readonly Reason[] = [];
  @property({ type: Boolean }) confirmed = false;
  @property({ type: Boolean }) disabled = false;

  protected override get state(): string {
    return this.confirmed ? "confirmed" : "waits";
  }

  override render() {
    const n = this.reasons.length;
    return html`<section class="call hold" data-testid="hp-confirm" aria-labelledby="h-cf">
      <h3 id="h-cf">${t("script.confirm.title", { n })}</h3>
      <ul class="list">
        ${this.reasons.map(
          (reason) =>
            html`<li>
              ${icon("med", "s c-hold")}<span
                >${prose(reason.text)}
                ${
                  reason.path
                    ? html`<button
                        class="link"
                        @click=${() =>
                          this.emit("hp-show-place", { path: reason.path, hunk: reason.hunk })}
                      >
                        ${t("script.confirm.show")}<span class="vh">: ${reason.text}</span>
                      </button>`
                    : nothing
                }</span
              >
            </li>`,
        )}
      </ul>
      <label class="tick" for="tick"
        ><input
          class="check"
          type="checkbox"
          id="tick"
          data-testid="hp-confirm-tick"
          .checked=${this.confirmed}
          ?disabled=${this.disabled}
          @change=${(event: Event) =>
            this.emit("hp-confirmed", { confirmed: (event.target as HTMLInputElement).checked })}
        /><span class="strong"
          >${t(n === 1 ? "script.confirm.tick.one" : "script.confirm.tick")}</span
        ></label
      >
    </section>`;
  }
}
