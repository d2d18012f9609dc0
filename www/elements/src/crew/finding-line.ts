/** A finding under the field that it is about: shape, words, what to do, and its fix where there is one. */
import type { Diagnostic } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { hinted, said } from "../text/said.js";

export function findingLine(one: Diagnostic, fix: unknown = nothing): TemplateResult {
  const bad = one.severity === "error";
  const hint = bad && fix === nothing ? hinted(one) : "";
  return html`<p class="msg ${bad ? "bad" : ""}" data-code=${one.code}>
    ${icon(bad ? "bad" : "med", "s")}<span
      >${prose(said(one))}${hint ? html` ${prose(hint)}` : nothing} ${fix}</span
    >
  </p>`;
}
