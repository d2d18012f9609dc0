/** What checks add to the page: how they are opened, and their panel in place of docks and change. UI.md §11. */
import { type Checks, changeState, icon, road, t } from "@holdpoint/elements";
import { html } from "lit";
import type { Arrangement } from "./arrangement.js";
import type { Send } from "./page-model.js";
import type { PageView } from "./page-view.js";

/** Of the panel, in px. */
const PANEL = 560;
const RAIL = 44;
/** From here on the tree has room beside it, in px of the model. */
const ROOMY = 760;

/** The button above the model: the last check, or a file for the first one. */
export function checkButton(view: PageView, send: Send) {
  return html`<button
    class="btn s"
    data-testid="hp-check"
    title=${`${t("checks.open")}. ${t("checks.open.sub")}`}
    aria-pressed=${view.ids ? "true" : "false"}
    ?disabled=${!view.model.facts}
    @click=${() => send("hp-checks", { act: view.ids ? "close" : "show" })}
  >
    ${icon("test", "s")}<span>${t("checks.open.short")}</span>
  </button>`;
}

/** Beside what opens a model. */
export function openCheck(view: PageView, send: Send) {
  return html`<button
    class="btn quiet s icon"
    aria-label=${t("checks.open")}
    title=${t("checks.open")}
    ?disabled=${!view.model.facts}
    @click=${() => send("hp-checks", { act: "open" })}
  >
    ${icon("test")}
  </button>`;
}

export function checksPane({ ids, model }: PageView) {
  return html`<section class="panel dock" data-f6 data-place="right" aria-label=${t("checks.pane")}>
    <hp-checks .view=${ids} .selected=${model.selected}></hp-checks>
  </section>`;
}

/** The change, as a rail behind the panel. */
export function changeRail({ change }: PageView, send: Send) {
  const name = t("change.number", { n: change.number });
  const waits = road(change, changeState(change)).gate === "waits";
  return html`<div class="rail change">
    <button class="btn quiet s" @click=${() => send("hp-pair", { pair: "work" })}>
      ${icon("mark")}<span>${name}</span>${
        waits ? html`<span class="badge hold">${t("app.waits")}</span>` : ""
      }
    </button>
  </div>`;
}

/** The tree folds first: the model keeps its width. */
export function arrangedForCheck({ widths }: PageView, width: number): Arrangement {
  const rail = width - widths.tree - PANEL - RAIL < ROOMY;
  return {
    ...{ docks: [], left: 0, right: PANEL, work: RAIL, shares: false },
    ...{ rail, tree: rail ? RAIL : widths.tree },
  };
}

/** The focus goes to the panel that was opened, and back to what opens it. */
export function focusFollows(root: ParentNode, before: PageView | undefined, now: PageView): void {
  if (!before) return;
  if (!before.ids && now.ids)
    void root
      .querySelector<Checks>("hp-checks")
      ?.updateComplete.then(() => root.querySelector<Checks>("hp-checks")?.focusHeading());
  else if (before.ids && !now.ids && !(root as ShadowRoot).activeElement)
    root.querySelector<HTMLElement>('[data-testid="hp-check"]')?.focus();
}
