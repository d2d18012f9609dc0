/** A proposal that does not fit: for each failure file, place, what was expected, what is there, and what helps. */

import type { PreviewError } from "@holdpoint/core/editor";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { styles as approval } from "../change/approval.styles.js";
import "../shell/copy.js";
import "../findings/findings.js";
import { unfit } from "../findings/view.js";
import { t } from "../text/index.js";
import { detailed } from "../text/refusal.js";
import { panel } from "./proposal.styles.js";
import { verdictBadge } from "./verdict.js";
import type { ScriptView } from "./view.js";

@customElement("hp-preview-errors")
export class PreviewErrors extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, approval, panel];
  @property({ attribute: false }) view!: NonNullable<ScriptView["failed"]>;

  override render() {
    const { errors } = this.view;
    return html`<div class="scr">
        <div class="p-head">
          <h2>${t("script.proposal")}</h2>
          ${verdictBadge("reject")}
          <div class="end">
            <button
              class="btn quiet s icon"
              aria-label=${t("script.proposal.close")}
              @click=${() => this.emit("hp-close-panel")}
            >
              ${icon("cross")}
            </button>
          </div>
        </div>
        <div class="body" tabindex="0" role="group" aria-label=${t("script.proposal.scrolls")}>
          ${this.#said(errors)}
          <hp-findings
            look="full"
            data-testid="hp-error"
            .findings=${errors.map(unfit)}
          ></hp-findings>
        </div>
      </div>
      ${this.#foot()}`;
  }

  #said(errors: PreviewError[]) {
    const details = errors.map((error) =>
      detailed({ code: error.code, message: error.hint ?? "", details: error }),
    );
    return html`<section class="call fail" role="alert" aria-labelledby="h-er">
      <h3 id="h-er">${t("script.error.title")}</h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>${t("script.error.what")}</dd>
        <dt>${t("word.kept")}</dt>
        <dd>${t("script.outcome.kept")}</dd>
      </dl>
      <div class="flex"><hp-copy .text=${details.join("\n\n")}></hp-copy></div>
    </section>`;
  }

  #foot() {
    const { message, online } = this.view;
    return html`<div class="foot">
        <div class="approve off">
          <div class="bar-row">
            <p class="why grow" id="why">
              ${icon("lock")}<span
                >${online ? t("script.off.rejected") : t("composer.off.offline")}</span
              >
            </p>
            <div class="acts">
              <button
                class="btn quiet"
                data-testid="hp-discard"
                @click=${() => this.emit("hp-discard")}
              >
                ${t("script.discard")}</button
              ><button class="btn sign" data-testid="hp-apply" disabled aria-describedby="why">
                ${t("script.apply.none")}</button
              ><button
                class="btn primary"
                data-testid="hp-regenerate"
                ?disabled=${!online}
                aria-describedby=${online ? nothing : "why"}
                title=${message}
                @click=${() => this.emit("hp-regenerate")}
              >
                ${icon("again")}<span>${t("script.ask.again")}</span>
              </button>
            </div>
          </div>
        </div>
      </div>`;
  }
}
