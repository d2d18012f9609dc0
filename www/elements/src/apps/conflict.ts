/** Unsaved text and a newer version: what meets, both sides place by place, and the ways on. Nothing is lost. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { time } from "../base/format.js";
import { calls, heads } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import "../diff/diff.js";
import "../review/approval.js";
import { panel } from "../script/proposal.styles.js";
import { t } from "../text/index.js";
import type { AppConflictView } from "./view.js";

@customElement("hp-app-conflict")
export class AppConflict extends HpElement {
  static override styles = [ground, buttons, badges, calls, heads, panel];
  @property({ attribute: false }) view!: AppConflictView;

  protected override get state(): string {
    return this.view.meet.length ? "meets" : "fits";
  }

  override render() {
    const { view } = this;
    const n = String(view.number);
    return html`<div class="scr">
        <div class="p-head"><h2>${t("apps.conflict")}</h2></div>
        <div class="body" tabindex="0" role="group" aria-label=${t("apps.review.scrolls")}>
          <section class="call hold" role="alert" data-testid="hp-conflict" aria-labelledby="h-cf">
            <h3 id="h-cf">${t("apps.conflict.title", { n, time: time(view.at) })}</h3>
            <dl class="w3">
              <dt>${t("word.what")}</dt>
              <dd>
                ${
                  view.meet.length
                    ? t("apps.conflict.meets", { files: view.meet.join(t("app.comma")) })
                    : t("apps.conflict.fits")
                }
              </dd>
              <dt>${t("word.kept")}</dt>
              <dd>${t("apps.conflict.kept")}</dd>
            </dl>
          </section>
          ${
            view.files.length
              ? html`<hp-diff
                  .files=${view.files}
                  .layout=${view.layout}
                  choosing="mine"
                  .decided=${view.decided}
                  .left=${t("apps.conflict.theirs", { n })}
                  .right=${t("apps.conflict.mine")}
                ></hp-diff>`
              : nothing
          }
        </div>
      </div>
      <div class="foot">
        <hp-approval
          bar
          .view=${view.foot}
          @hp-act=${(event: CustomEvent<{ id: string }>) => {
            event.stopPropagation();
            this.emit("hp-two", { way: event.detail.id });
          }}
        ></hp-approval>
      </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-app-conflict": AppConflict;
  }
}
