/** What differs of two versions, read only; or that nothing does. */
import { html, nothing, type TemplateResult } from "lit";
import "../diff/diff.js";
import { t } from "../text/index.js";
import type { Compared } from "./view.js";

export function compared(view: Compared): TemplateResult {
  const { files, equal, heading, left, right, layout, same } = view;
  if (!files.length)
    return html`<section class="stack tight">
      ${heading ? html`<h3 class="strong">${heading}</h3>` : nothing}
      <p class="meta">${t(same)}</p>
    </section>`;
  return html`<hp-diff
      .files=${files}
      .heading=${heading}
      .layout=${layout}
      .left=${left}
      .right=${right}
      choosing="none"
    ></hp-diff>
    ${equal ? html`<p class="meta quiet">${t("history.equal", { n: equal })}</p>` : nothing}`;
}
