/**
 * What the 3D view adds to the page: the switch, the drawing beside the table, what is hidden, and that there
 * is none.
 */
import { type IconName, icon, t, type View3dElement } from "@holdpoint/elements";
import { html, nothing } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { Send } from "./page-model.js";
import type { PageView } from "./page-view.js";
import type { Layout } from "./view3d.js";

const kinds: readonly { layout: Layout; mark: IconName }[] = [
  { layout: "table", mark: "table" },
  { layout: "model", mark: "cube" },
  { layout: "both", mark: "split" },
];

/** Table, model or both. */
export function layouts({ view3d, model }: PageView, send: Send) {
  const one = ({ layout, mark }: (typeof kinds)[number]) => html`<button
    aria-pressed=${view3d.layout === layout}
    ?disabled=${layout !== "table" && (view3d.off || !model.facts)}
    aria-describedby=${view3d.off && layout !== "table" ? "no-webgl" : nothing}
    data-layout=${layout}
    @click=${() => send("hp-layout", { layout })}
  >
    ${icon(mark, "s")}<span>${t(`view.${layout}`)}</span>
  </button>`;
  return html`<div class="seg" role="group" aria-label=${t("view.label")}>${kinds.map(one)}</div>`;
}

/** One model, one element: another model is drawn by a fresh one. */
export function drawing({ view3d: { view } }: PageView) {
  if (!view) return nothing;
  return keyed(view.batches, html`<hp-view3d slot="drawing" .view=${view}></hp-view3d>`);
}

/** How many are hidden, in the line below table and drawing. */
export function awayText({ view3d: { away } }: PageView, send: Send) {
  if (away === 0) return nothing;
  return html`<span slot="status" class="away"
    ><span class="sep"></span><span>${t("view.hidden", { n: away })}</span
    ><button class="btn quiet s" @click=${() => send("hp-view3d", { act: "show" })}>
      ${t("view.show_all")}
    </button></span
  >`;
}

/** One line under the bar where the browser draws nothing. */
export function noWebgl({ view3d }: PageView, send: Send) {
  if (!view3d.off) return nothing;
  return html`<p class="no-webgl" id="no-webgl" role="status">
    ${icon("info")}<span><strong>${t("view.none")}</strong> ${t("view.none.sub")}</span
    ><button class="btn quiet s" @click=${() => send("hp-layout", { layout: "model" })}>
      ${t("view.again")}
    </button>
  </p>`;
}

/** Keys of the drawing also work beside it, as in the table, where nobody else answered them. */
export function keysBeside(event: KeyboardEvent): void {
  const typing = event
    .composedPath()
    .some((one) => one instanceof HTMLInputElement || one instanceof HTMLSelectElement);
  if (typing || event.defaultPrevented) return;
  const pane = event.currentTarget as HTMLElement;
  pane.querySelector<View3dElement>("hp-view3d")?.key(event);
}
