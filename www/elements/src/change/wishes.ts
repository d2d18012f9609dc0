/** Standing wishes: what a person wants of every tool, in words. Event: `hp-wishes {text}`. Spec: authoring.md §4. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { sheets } from "../base/sheets.js";
import { forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { styles } from "./promote.styles.js";

/** What stands in the field, and what goes with a request. */
export interface WishesView {
  draft: string;
  kept: string;
}

/** What goes with a prompt of them, and no more. */
const MAX_CHARS = 6_000;

@customElement("hp-wishes")
export class Wishes extends HpElement {
  static override styles = [ground, forms, sheets, styles];
  @property({ attribute: false }) view?: WishesView;

  protected override get state(): string {
    return this.view?.kept ? "kept" : "empty";
  }

  override render() {
    const { view } = this;
    if (!view) return nothing;
    return html`<section class="sheet" aria-labelledby="h">
      <div class="s-h"><h3 id="h">${t("wishes.title")}</h3></div>
      <div class="s-b form">
        <div class="f-row whole">
          <label for="text">${t("wishes.label")}</label>
          <textarea
            class="input"
            id="text"
            rows="8"
            maxlength=${MAX_CHARS}
            aria-describedby="hint"
            .value=${view.draft}
            @input=${(event: Event) =>
              this.emit("hp-wishes", { text: (event.target as HTMLTextAreaElement).value })}
          ></textarea>
          <p class="meta" id="hint">${t("wishes.hint")}</p>
        </div>
      </div>
    </section>`;
  }

  override focusHeading(): void {
    this.renderRoot.querySelector<HTMLTextAreaElement>("#text")?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-wishes": Wishes;
  }
}
