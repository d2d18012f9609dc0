/** The edge between two panes: dragged, or moved by arrow keys in 16 px steps, Home and End. Separator pattern. */
import { css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { t } from "../text/index.js";

const STEP = 16;

const own = css`
  :host { display: block; width: 1px; background: var(--line-2); position: relative; z-index: 2; }
  div { position: absolute; inset: 0 -4px; cursor: col-resize; touch-action: none; }
  :host([flat]) {
    width: auto;
    height: 8px;
    flex: none;
    background: var(--sunken);
    border-block: 1px solid var(--line-2);
  }
  :host([flat]) div { inset: 0; cursor: row-resize; }
  :host([flat]) div::after {
    content: "";
    position: absolute;
    inset: 2px calc(50% - 16px);
    background: var(--line-control);
    border-radius: 1px;
  }
  div:hover, div:focus-visible {
    background: color-mix(in srgb, var(--action-fill) 40%, transparent);
  }
  div:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; }
`;

@customElement("hp-separator")
export class Separator extends HpElement {
  static override styles = [own];
  @property() pane = "";
  /** Between an upper and a lower pane: `width` is the height of the upper one. */
  @property({ type: Boolean }) flat = false;
  @property({ type: Number }) width = 0;
  @property({ type: Number }) min = 200;
  @property({ type: Number }) max = 800;
  /** Whether the pane that it sizes lies after it. */
  @property({ type: Boolean }) trailing = false;

  override render() {
    return html`<div
      role="separator"
      tabindex="0"
      aria-orientation=${this.flat ? "horizontal" : "vertical"}
      aria-label=${this.flat ? this.pane : t("app.separator", { pane: this.pane })}
      aria-valuenow=${this.width}
      aria-valuemin=${this.min}
      aria-valuemax=${this.max}
      @keydown=${this.#keys}
      @pointerdown=${this.#grab}
    ></div>`;
  }

  #set(width: number): void {
    this.emit("hp-width", { width: Math.round(Math.max(this.min, Math.min(this.max, width))) });
  }

  #keys(event: KeyboardEvent): void {
    const sign = this.trailing ? -1 : 1;
    const to = {
      ArrowRight: this.width + sign * STEP,
      ArrowLeft: this.width - sign * STEP,
      ArrowDown: this.width + sign * STEP,
      ArrowUp: this.width - sign * STEP,
      Home: this.min,
      End: this.max,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#set(to);
  }

  #grab(event: PointerEvent): void {
    const handle = event.currentTarget as HTMLElement;
    const at = (of: PointerEvent): number => (this.flat ? of.clientY : of.clientX);
    const from = at(event);
    const width = this.width;
    handle.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent): void =>
      this.#set(width + (this.trailing ? from - at(next) : at(next) - from));
    const drop = (): void => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", drop);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", drop);
  }
}
