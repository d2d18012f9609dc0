/** Badges that several elements show: risk, and the verdict of an attempt. Shape and word, never colour alone. */

import type { Risk } from "@holdpoint/core/types";
import { html, type TemplateResult } from "lit";
import { type IconName, icon } from "../base/icons.js";
import { t } from "../text/index.js";

const risks: Record<Risk, { look: string; shape: IconName }> = {
  green: { look: "pass", shape: "low" },
  yellow: { look: "hold", shape: "med" },
  red: { look: "fail", shape: "high" },
};

export function riskBadge(risk: Risk): TemplateResult {
  const { look, shape } = risks[risk];
  return badge(look, shape, t(`risk.${risk}`));
}

export function badge(look: string, shape: IconName, text: string): TemplateResult {
  return html`<span class="badge ${look}"
    >${icon(shape, look === "run" && shape === "spin" ? "s spin" : "s")}<span>${text}</span></span
  >`;
}
