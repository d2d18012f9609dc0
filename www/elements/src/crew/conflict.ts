/** Somebody else saved first: what happened, what is kept, theirs beside mine, and the two ways on. UI.md §12. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { calls } from "../base/sheets.js";
import { buttons, ground } from "../base/styles.js";
import "../diff/diff.js";
import { t } from "../text/index.js";
import { callHead } from "./crew.styles.js";
import type { ConflictView } from "./view.js";

@customElement("hp-crew-conflict")
export class CrewConflict extends HpElement {
  static override styles = [ground, buttons, calls, callHead];
  @property({ attribute: false }) view!: ConflictView;

  override render() {
    const { text, files, left, right } = this.view;
    return html`<section class="call hold" role="alert" data-testid="hp-conflict" aria-labelledby="h">
      <h2 id="h">${t("crew.conflict")}</h2>
      <dl class="w3">
        <dt>${t("crew.conflict.what")}</dt>
        <dd>${text}</dd>
        <dt>${t("crew.conflict.kept")}</dt>
        <dd>${t("crew.conflict.kept.text")}</dd>
      </dl>
      <div class="flex wrap acts-c">
        <button class="btn s" data-testid="hp-take-theirs" @click=${() => this.emit("hp-settle", { way: "theirs" })}>
          ${t("crew.conflict.theirs")}</button
        ><button class="btn s" data-testid="hp-save-mine" @click=${() => this.emit("hp-settle", { way: "mine" })}>
          ${t("crew.conflict.mine")}
        </button>
      </div>
      ${
        files.length
          ? html`<hp-diff
              .files=${files}
              choosing="none"
              left=${left}
              right=${right}
              layout="uni"
            ></hp-diff>`
          : nothing
      }
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-conflict": CrewConflict;
  }
}
