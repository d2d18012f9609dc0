/** A verdict in words and shape, and how much a proposal changes. UI.md §4. */
import { html, type TemplateResult } from "lit";
import { type IconName, icon } from "../base/icons.js";
import { t } from "../text/index.js";

type Shown = "clean" | "confirm" | "reject" | "stale";
const looks: Record<Shown, { look: string; mark: IconName }> = {
  clean: { look: "pass", mark: "ok" },
  confirm: { look: "hold", mark: "med" },
  reject: { look: "fail", mark: "bad" },
  stale: { look: "hold", mark: "clock" },
};

export function verdictBadge(verdict: Shown): TemplateResult {
  const { look, mark } = looks[verdict];
  return html`<span
    class="badge ${look}"
    data-testid=${verdict === "stale" ? "hp-stale-badge" : "hp-verdict"}
    >${icon(mark, "s")}<span
      >${t(`review.verdict.${verdict}`)}</span
    ></span
  >`;
}

/** "2 files, 4 places" */
export const count = (files: number, places: number): string =>
  t("script.count", {
    files: t("script.files.n", { n: files }),
    places: t("script.places", { n: places }),
  });
