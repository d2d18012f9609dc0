/** The outlines of the five types of nodes, as a node wears them and as a key or row shows them. UI.md §12 "Graph". */
import type { NodeType } from "@holdpoint/core/crew";
import { html, svg, type TemplateResult } from "lit";
import { t } from "../text/index.js";
import { NODE } from "./graph-layout.js";

const H = NODE.height;

/** An outline that fills its node. */
export function outline(type: NodeType, width: number): TemplateResult {
  return html`<svg
    class="ns"
    viewBox="0 0 ${width} ${H}"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    ${parts(type, width)}
  </svg>`;
}

function parts(type: NodeType, w: number) {
  const cut = 15;
  if (type === "decision")
    return svg`<path d="M${cut} 0H${w - cut}L${w} 24 ${w - cut} ${H}H${cut}L0 24z"></path>`;
  if (type === "merge") return svg`<path d="M0 0H${w}L${w - cut} ${H}H${cut}z"></path>`;
  if (type === "end")
    return svg`<rect width=${w} height=${H} rx="24"></rect>
      <rect class="in" x="3.5" y="3.5" width=${w - 7} height="41" rx="20.5"></rect>`;
  const box = svg`<path d="M0 0h${w}v${H}H0z"></path>`;
  if (type === "step") return box;
  return svg`${box}<path d="M7 0v${H}M${w - 7} 0v${H}"></path>`;
}

const small: Record<NodeType, string> = {
  step: "M.5.5h25v13H.5z",
  decision: "M5 .5h16l4.5 6.5L21 13.5H5L.5 7z",
  merge: "M.5.5h25l-5 13h-15z",
  end: "M7 .5h12a6.5 6.5 0 010 13H7A6.5 6.5 0 017 .5zM7 3h12a4 4 0 010 8H7a4 4 0 010-8z",
  subworkflow: "M.5.5h25v13H.5zM4 .5v13M22 .5v13",
};

/** The same, small, beside its word. */
export const mark = (type: NodeType): TemplateResult =>
  html`<svg class="tm" viewBox="0 0 26 14" aria-hidden="true" focusable="false">
    ${svg`<path d=${small[type]}></path>`}
  </svg>`;

export const typeWord = (type: NodeType): string => t(`crew.type.${type}`);
