/** A part of the page that is not there yet, or could not be read: said in its own place, with a way to ask again. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import "../shell/copy.js";
import { t } from "../text/index.js";
import { detailed, type Failing, refusal } from "../text/refusal.js";
import type { PartView } from "./view.js";

/** `name` is what the part shows, in the middle of a sentence; `again` asks for it once more. */
export function around(
  { state, problem }: PartView,
  name: string,
  filled: boolean,
  again: () => void,
): TemplateResult | typeof nothing {
  if (state === "loading" && !filled)
    return html`<p class="meta wait late" role="status">
      ${icon("spin", "s spin")} ${t("usage.loading", { name })}
    </p>`;
  if (state !== "failed") return nothing;
  // The page says that the network is away, and comes back by itself.
  if (problem?.code === "OFFLINE")
    return html`<p class="none">${t("usage.unloaded", { name })}</p>`;
  return html`<div class="call fail" role="alert">
    <h3>${t(filled ? "usage.stale" : "usage.failed", { name })}</h3>
    ${problem ? html`<p>${prose(refusal(problem))}</p>` : nothing}
    <div class="flex wrap">
      <button class="btn s" data-testid="hp-part-again" @click=${again}>
        ${icon("again", "s")}<span>${t("usage.again")}</span></button
      >${problem ? html`<hp-copy .text=${detailed(problem)}></hp-copy>` : nothing}
    </div>
  </div>`;
}

/** Why what a form asked for was not done. */
export function refused(problem: Failing | null): TemplateResult | typeof nothing {
  if (!problem) return nothing;
  return html`<div class="flex wrap" role="alert">
    <p class="bad meta">${prose(refusal(problem))}</p>
    <hp-copy .text=${detailed(problem)}></hp-copy>
  </div>`;
}
