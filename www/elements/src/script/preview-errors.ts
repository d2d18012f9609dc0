/** A proposal that does not fit: for each failure file, place, what was expected, what is there, and what helps. */

import type { PreviewError } from "@holdpoint/core/editor";
import { html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { calls, heads, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import "../review/approval.js";
import type { FootView } from "../review/approval.js";
import "../shell/copy.js";
import "../findings/findings.js";
import { unfit } from "../findings/view.js";
import { verdictBadge } from "../review/verdict.js";
import { t } from "../text/index.js";
import { detailed } from "../text/refusal.js";
import { panel } from "./proposal.styles.js";
import type { ScriptView } from "./view.js";

@customElement("hp-preview-errors")
export class PreviewErrors extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, heads, panel];
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
      <h3 id="h-er">${t("findings.error.title")}</h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>${t("findings.error.what")}</dd>
        <dt>${t("word.kept")}</dt>
        <dd>${t("talk.outcome.kept")}</dd>
      </dl>
      <div class="flex"><hp-copy .text=${details.join("\n\n")}></hp-copy></div>
    </section>`;
  }

  #foot() {
    const { message, online } = this.view;
    const view: FootView = {
      state: online ? "plain" : "closed",
      reason: t(online ? "script.off.rejected" : "composer.off.offline"),
      before: [
        { id: "discard", label: t("script.discard"), testid: "hp-discard" },
        { id: "apply", label: t("script.apply.none"), testid: "hp-apply", off: true },
      ],
      main: {
        id: "regenerate",
        label: t("script.ask.again"),
        icon: "again",
        look: "primary",
        testid: "hp-regenerate",
        title: message,
      },
    };
    return html`<div class="foot">
      <hp-approval
        bar
        .view=${view}
        @hp-act=${(event: CustomEvent<{ id: string }>) => {
          event.stopPropagation();
          this.emit(`hp-${event.detail.id}`);
        }}
      ></hp-approval>
    </div>`;
  }
}
