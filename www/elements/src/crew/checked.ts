/** What a check says of something, in one cell or badge: shape, word, colour. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import type { CheckView, Counts } from "./view.js";

export function checkedCell({ errors, warnings }: Counts): TemplateResult {
  if (errors)
    return html`${icon("bad", "c-fail s")}<span>${t("crew.errors", { n: errors })}</span>`;
  if (warnings)
    return html`${icon("med", "c-hold s")}<span>${t("crew.warnings", { n: warnings })}</span>`;
  return html`${icon("ok", "c-pass s")}<span>${t("crew.clean")}</span>`;
}

export function checkedBadge({ errors, warnings, state }: Counts & { state?: CheckView["state"] }) {
  if (state === "checking")
    return html`<span class="badge run"
      >${icon("spin", "s spin")}<span>${t("crew.checking")}</span></span
    >`;
  if (state === "trapped") return nothing;
  if (errors)
    return html`<span class="badge fail"
      >${icon("bad", "s")}<span>${t("crew.errors", { n: errors })}</span></span
    >`;
  if (warnings)
    return html`<span class="badge hold"
      >${icon("med", "s")}<span>${t("crew.warnings", { n: warnings })}</span></span
    >`;
  return html`<span class="badge pass">${icon("ok", "s")}<span>${t("crew.clean")}</span></span>`;
}
