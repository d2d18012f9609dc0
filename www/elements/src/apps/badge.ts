/** How a build stands, as a badge: shape and word. */
import { html, type TemplateResult } from "lit";
import { elapsed, minutes } from "../base/format.js";
import { icon } from "../base/icons.js";
import { has, t } from "../text/index.js";
import type { BuildView } from "./view.js";

/** Milliseconds in which nothing can have been built. */
const REUSED_MS = 100;

export function buildBadge(build: BuildView): TemplateResult {
  const { look, mark, words } = shown(build);
  return html`<span class="badge ${look}" data-testid="hp-build-badge" data-phase=${build.phase ?? "none"}
    >${mark}<span>${words}</span></span
  >`;
}

function shown({ phase, stage, since, took, now, superseded }: BuildView) {
  switch (phase) {
    case "succeeded": {
      // What an equal build left is taken over: nothing was built.
      const words =
        took === null || took < REUSED_MS
          ? t("apps.built")
          : t("apps.built.in", { time: elapsed(took) });
      return { look: "pass", mark: icon("ok", "s"), words };
    }
    case "failed":
      return {
        look: superseded ? "plain" : "fail",
        mark: icon(superseded ? "skip" : "bad", "s"),
        words: t(superseded ? "apps.superseded" : "apps.build.failed"),
      };
    case "running": {
      const time = since === null ? "" : minutes(now - since);
      const words = `${stageOf(stage)} ${time}`.trim();
      return { look: "run", mark: icon("spin", "s spin"), words };
    }
    case "queued":
      return { look: "run", mark: icon("clock", "s"), words: t("apps.queued") };
    case null:
      return { look: "plain", mark: icon("idle", "s"), words: t("apps.unbuilt") };
  }
}

/** The stage in a word; one that has none is building. */
export function stageOf(stage: string): string {
  const key = `apps.stage.${stage}`;
  return has(key) ? t(key) : t("apps.stage.build");
}
