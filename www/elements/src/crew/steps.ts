/** Undo and redo as buttons that say what they would do. */
import { html, type TemplateResult } from "lit";
import type { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import type { StepView } from "./view.js";

export function stepButton(
  host: HpElement,
  step: "undo" | "redo",
  { on, what }: StepView,
): TemplateResult {
  const label = on ? t(`crew.${step}.of`, { what }) : t(`crew.${step}.none`);
  return html`<button
    class="btn quiet icon"
    data-testid="hp-${step}"
    aria-label=${label}
    title=${label}
    ?disabled=${!on}
    @click=${() => host.dispatchEvent(new CustomEvent("hp-step", { detail: { step }, bubbles: true, composed: true }))}
  >
    ${icon(step)}
  </button>`;
}
