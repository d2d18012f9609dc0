/** A part of the page that could not be read: what, why, another try, and the details to copy. UI.md §7. */

import type { ErrorShape } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import "./copy.js";
import { type TextKey, t } from "../text/index.js";
import { detailed, refusal } from "../text/refusal.js";

/** A callout (styles `calls`) whose heading is `title`. */
export function unread(
  title: TextKey,
  problem: ErrorShape | null,
  again: () => void,
): TemplateResult {
  return html`<section class="call fail" role="alert" data-testid="hp-unread">
    <h3>${t(title)}</h3>
    ${problem ? html`<p>${prose(refusal(problem))}</p>` : nothing}
    <div class="flex wrap acts-c">
      <button class="btn s" type="button" @click=${again}>
        ${icon("again", "s")}<span>${t("script.tools.again")}</span></button
      >${problem ? html`<hp-copy .text=${detailed(problem)}></hp-copy>` : nothing}
    </div>
  </section>`;
}
