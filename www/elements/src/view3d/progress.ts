/** How far the drawing is, and what of the file it does not show. */
import { html, nothing } from "lit";
import { icon } from "../base/icons.js";
import { has, t } from "../text/index.js";
import type { NotDrawn, View3d, View3dAct } from "./view.js";

/** Elements of the list before "and n more". */
const LISTED = 50;

export function progress(
  view: View3d,
  act: (act: View3dAct) => void,
  select: (id: number) => void,
) {
  return html`${stage(view, act)}${view.failed.length > 0 ? notDrawn(view, select) : nothing}`;
}

function stage({ state, done, total, count, message }: View3d, act: (act: View3dAct) => void) {
  if (state === "failed")
    return html`<p class="tag" role="alert">${t("view.failed", { message })}</p>`;
  if (state === "done") return count === 0 ? html`<p class="tag">${t("view.empty")}</p>` : nothing;
  const words = state === "stopped" ? "view.stopped" : "view.progress";
  const said = state === "reading" ? t("view.reading") : t(words, { done, total });
  return html`<div class="tag row" data-progress>
    ${state === "stopped" ? nothing : icon("spin", "s spin")}<span>${said}</span
    ><button class="btn s" @click=${() => act(state === "stopped" ? "on" : "stop")}>
      ${t(state === "stopped" ? "view.on" : "view.stop")}
    </button>
  </div>`;
}

function notDrawn({ failed, name }: View3d, select: (id: number) => void) {
  const why = ({ why }: NotDrawn): string => {
    const key = `view.why.${why}`;
    return t(has(key) ? key : "view.why.other");
  };
  const rest = failed.length - LISTED;
  return html`<details class="tag" data-failed>
    <summary>${t("view.not_drawn", { n: failed.length })}</summary>
    <ul class="scroll">
      ${failed.slice(0, LISTED).map(
        (one) => html`<li>
          <button class="link" @click=${() => select(one.id)}>${name(one.id)}</button>: ${why(one)}
        </li>`,
      )}
      ${rest > 0 ? html`<li>${t("view.more", { n: rest })}</li>` : nothing}
    </ul>
  </details>`;
}
