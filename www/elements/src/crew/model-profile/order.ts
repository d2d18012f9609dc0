/** Which model is used: the organisation's rule, one's own model, the platform's, in that order. UI.md §12. */
import type { LlmProfile, Standing } from "@holdpoint/core/crew";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../base/icons.js";
import { t } from "../../text/index.js";

const MARKS: Record<Standing, string> = {
  used: "ok c-pass",
  ready: "idle c-off",
  off: "dash c-off",
  incomplete: "bad c-fail",
  blocked: "bad c-fail",
};

function row(marks: string, text: string, sub: string): TemplateResult {
  const [name = "", ...classes] = marks.split(" ");
  return html`<li>
    ${icon(name as "ok", classes.join(" "))}
    <div>
      <p>${text}</p>
      ${sub ? html`<p class="sub">${sub}</p>` : nothing}
    </div>
  </li>`;
}

/** Which one it is now, in the words of the edge, which speak the reader's language. */
export const used = ({ effectiveAvailability }: LlmProfile): string =>
  effectiveAvailability.message;

/** The rows of the list. */
export function order({ model, healthStatus, resolution }: LlmProfile): TemplateResult[] {
  const { policy, system, systemModel } = resolution;
  // A server that was saved is kept for the way back, whatever is chosen now.
  const profile = resolution.profile === "off" && model ? "ready" : resolution.profile;
  const blocks = policy === "disable-all";
  const failed = profile === "used" && healthStatus === "failed";
  const own = model ? t("profile.order.own.name", { name: model }) : t("profile.order.own");
  return [
    row(blocks ? "bad c-fail" : "ok c-pass", t(`profile.policy.${policy}`), t("profile.policy.by")),
    row(
      failed ? "bad c-fail" : MARKS[profile],
      profile === "off" ? t("profile.order.own") : own,
      t(failed ? "profile.own.failed" : `profile.own.${profile}`),
    ),
    row(
      MARKS[system],
      systemModel
        ? t("profile.order.system.name", { name: systemModel })
        : t("profile.order.system"),
      t(`profile.system.${system}`),
    ),
  ];
}
