/** How a call ended, as a badge: shape and word. UI.md §4. */
import { html, type TemplateResult } from "lit";
import { type IconName, icon } from "../base/icons.js";
import { t } from "../text/index.js";
import type { CallResult } from "./view.js";

const LOOKS: Record<CallResult, [look: string, mark: IconName]> = {
  running: ["run", "spin"],
  done: ["pass", "ok"],
  gone: ["plain", "info"],
  estimated: ["hold", "med"],
  failed: ["fail", "bad"],
  stopped: ["plain", "stop"],
  expired: ["hold", "clock"],
  corrected: ["plain", "check"],
};

export function resultBadge(result: CallResult): TemplateResult {
  const [look, mark] = LOOKS[result];
  return html`<span class="badge ${look}"
    >${icon(mark, result === "running" ? "s spin" : "s")}<span
      >${t(`usage.result.${result}`)}</span
    ></span
  >`;
}
