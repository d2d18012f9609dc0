/** A budget as a bar in two shades, and how tight it is as a badge. */
import type { BudgetShown } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import { level } from "./amounts.js";

/** The figures beside it say the same. */
export function meter(budget: BudgetShown, look = ""): TemplateResult {
  const share = (n: number): number =>
    budget.limit > 0 ? Math.min(100, (n / budget.limit) * 100) : 0;
  const tight = budget.limit > 0 && budget.used_permille >= 900;
  return html`<span class="meter ${look}" aria-hidden="true"
    ><i class=${tight ? "over" : ""} style="width:${share(budget.spent + budget.overrun)}%"></i
    ><i class="held" style="width:${share(budget.held)}%"></i
  ></span>`;
}

/** `calm`: also what is on track is said. */
export function levelBadge(budget: BudgetShown, calm = false): TemplateResult | typeof nothing {
  const now = level(budget);
  if (now === "ok")
    return calm ? html`<span class="badge plain">${t("usage.level.ok")}</span>` : nothing;
  const mild = now === "warn";
  return html`<span class="badge ${mild ? "hold" : "fail"}"
    >${icon(mild ? "med" : "high", "s")}<span>${t(`usage.level.${now}`)}</span></span
  >`;
}
