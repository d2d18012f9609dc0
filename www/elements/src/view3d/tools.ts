/** The tools of the 3D view: three groups in a toolbar that arrows go along. */
import { html, nothing } from "lit";
import type { IconName } from "../base/icons.js";
import { icon } from "../base/icons.js";
import { type TextKey, t } from "../text/index.js";
import type { View3d } from "./view.js";

export type Tool =
  | "orbit"
  | "pan"
  | "fit"
  | "section"
  | "measure"
  | "isolate"
  | "hide"
  | "ghost"
  | "colours";

interface Shown {
  tool: Tool;
  mark: IconName;
  text: TextKey;
  /** null: it is no switch. */
  on: boolean | null;
  off?: boolean;
}

/** What the tools are set to. */
export interface ToolState {
  drag: "orbit" | "pan";
  section: boolean;
  measure: boolean;
  /** The tool that takes part in the tab order. */
  at: number;
}

export function tools(view: View3d, set: ToolState, act: (tool: Tool) => void) {
  const some = view.selected.length > 0;
  const groups: Shown[][] = [
    [
      { tool: "orbit", mark: "orbit", text: "view.orbit", on: set.drag === "orbit" },
      { tool: "pan", mark: "pan", text: "view.pan", on: set.drag === "pan" },
      { tool: "fit", mark: "fit", text: some ? "view.fit" : "view.fit.all", on: null },
    ],
    [
      { tool: "section", mark: "section", text: "view.section", on: set.section },
      { tool: "measure", mark: "measure", text: "view.measure", on: set.measure },
    ],
    [
      { tool: "isolate", mark: "isolate", text: "view.isolate", on: null, off: !some },
      { tool: "hide", mark: "off", text: "view.hide", on: null, off: !some },
      { tool: "ghost", mark: "ghost", text: "view.ghost", on: view.ghosts },
      {
        tool: "colours",
        mark: "palette",
        text: "view.colours",
        on: view.colours === "on",
        off: view.colours === "none",
      },
    ],
  ];
  let n = 0;
  const one = ({ tool, mark, text, on, off = false }: Shown) => {
    const at = n;
    n += 1;
    // What is off keeps its place and its name; it takes focus, so that arrows do not jump.
    return html`<button
      class="btn icon"
      data-tool=${tool}
      aria-label=${t(text)}
      title=${t(text)}
      aria-pressed=${on === null ? nothing : on}
      aria-disabled=${off}
      tabindex=${at === set.at ? 0 : -1}
      @click=${() => (off ? undefined : act(tool))}
    >
      ${icon(mark)}
    </button>`;
  };
  return groups.map(
    (group, i) => html`${i > 0 ? html`<hr aria-hidden="true" />` : nothing}${group.map(one)}`,
  );
}

/** Arrows, Home and End along the toolbar: the place that they lead to, or undefined. */
export function along(key: string, at: number, count: number): number | undefined {
  const to = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? undefined : (to + count) % count;
}
