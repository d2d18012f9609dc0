/** One sentence a reason, one tick. A reason, never "are you sure". */
import { css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { forms, ground } from "../base/styles.js";
import { sheets } from "../base/sheets.js";
import { t } from "../text/index.js";

const own = css`
  .sheet { border-color: var(--hold-line); }
  label { display: flex; gap: var(--s-4); align-items: flex-start; }
`;

@customElement("hp-confirm")
export class Confirm extends HpElement {
  static override styles = [ground, forms, sheets, own];
  @property({ attribute: false }) reasons: string[] = [];
  @property({ attribute: false }) ticked: string[] = [];

  protected override get state(): string {
    return this.reasons.every((reason) => this.ticked.includes(reason)) ? "confirmed" : "waits";
  }

  override render() {
    return html`<section class="sheet" aria-label=${t("confirm.label")}><ul class="rows">${this.reasons.map(
      (reason) => html`<li><label><input class="check" type="checkbox" .checked=${this.ticked.includes(reason)} @change=${() => this.#tick(reason)} /><span>${reason}</span></label></li>`,
    )}</ul></section>`;
  }

  #tick(reason: string): void {
    const ticked = this.ticked.includes(reason) ? this.ticked.filter((other) => other !== reason) : [...this.ticked, reason];
    this.emit("hp-confirmed", { ticked, all: this.reasons.every((other) => ticked.includes(other)) });
  }
}
