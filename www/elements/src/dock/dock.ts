/** A dock: panels that share a place. One has its own head; several have tabs, and each keeps what was typed in it. */
import type { ElementRef } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, ground } from "../base/styles.js";
import { tabs, turned } from "../base/tabs.js";
import { t } from "../text/index.js";
import type { DockView } from "./open-panels.js";
import { panelEnds } from "./panel-ends.js";
import "./widget-panel.js";

const own = css`
  :host { display: flex; flex-direction: column; min-height: 0; }
  .tabs {
    display: flex;
    align-items: stretch;
    min-height: 40px;
    border-bottom: 1px solid var(--line-2);
    background: var(--sunken);
    flex: none;
  }
  [aria-selected="true"] { font-weight: var(--w-strong); }
  .end { margin-inline-start: auto; display: flex; align-items: center; padding-inline: var(--s-2); flex: none; }
  hp-widget-panel { flex: 1; min-height: 0; }
  [hidden] { display: none; }
`;

@customElement("hp-dock")
export class Dock extends HpElement {
  static override styles = [ground, buttons, tabs, own];
  /** Nothing: no panel is open. */
  @property({ attribute: false }) view?: DockView;
  /** What is selected, for entity pickers. */
  @property({ attribute: false }) selection: ElementRef[] = [];

  override render() {
    const { view } = this;
    if (!view) return html`<hp-widget-panel></hp-widget-panel>`;
    const several = view.tabs.length > 1;
    return html`${several ? this.#tabs(view) : nothing}${repeat(
      view.tabs,
      (one) => one.dock,
      (one) =>
        html`<hp-widget-panel
          id=${`panel ${one.dock}`.replaceAll(" ", "_")}
          role=${several ? "tabpanel" : nothing}
          aria-label=${several ? one.title : nothing}
          ?hidden=${one.dock !== view.front}
          ?tabbed=${several}
          .view=${one}
          .selection=${this.selection}
        ></hp-widget-panel>`,
    )}`;
  }

  #tabs({ tabs: panels, front, place }: DockView) {
    const shown = panels.find((one) => one.dock === front);
    return html`<div class="tabs">
      <div role="tablist" aria-label=${t(`dock.tabs.${place}`)} @keydown=${this.#keys}>
        ${panels.map(
          (one) =>
            html`<button
              role="tab"
              aria-selected=${one.dock === front}
              tabindex=${one.dock === front ? 0 : -1}
              @click=${() => this.#turn(one.dock)}
            >
              ${
                one.enabled
                  ? nothing
                  : html`${icon("bad", "s")}<span class="vh">${t("ext.off")}</span>`
              }<span>${one.title}</span>
            </button>`,
        )}
      </div>
      <div class="end">
        ${shown ? panelEnds(shown, (type, detail) => this.emit(type, detail)) : nothing}
      </div>
    </div>`;
  }

  #turn(dock: string): void {
    this.emit("hp-panel-front", { dock });
  }

  /** Arrows, Home and End turn; Delete closes. */
  readonly #keys = (event: KeyboardEvent): void => {
    const { view } = this;
    if (!view) return;
    const at = view.tabs.findIndex((one) => one.dock === view.front);
    const to = turned(event.key, at, view.tabs.length);
    if (to === null && event.key !== "Delete") return;
    event.preventDefault();
    if (to === null) this.emit("hp-panel-close", { dock: view.front });
    else this.#turn(view.tabs[to]?.dock ?? view.front);
    requestAnimationFrame(() => this.#front()?.focus());
  };

  #front(): HTMLElement | null {
    return this.renderRoot.querySelector('[role="tab"][aria-selected="true"]');
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const before = changed.get("view") as DockView | undefined;
    if (before?.front !== this.view?.front)
      this.#front()?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-dock": Dock;
  }
}
