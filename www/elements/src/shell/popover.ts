/** A popover with a heading, as the budget's. Esc and a click beside it close; focus goes back to its opener. */
import { css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";

const own = css`
  :host { position: fixed; inset: 0; z-index: var(--z-menu); }
  .scrim { position: absolute; inset: 0; }
  .pop {
    position: absolute;
    top: calc(var(--bar) + var(--s-2));
    right: var(--s-4);
    width: 368px;
    background: var(--raised);
    box-shadow: var(--e-2);
    border-radius: var(--r-3);
    overflow: clip;
    max-height: 80vh;
    overflow-y: auto;
  }
  .pop-h {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding: var(--s-4) var(--s-3) var(--s-4) var(--s-5);
    border-bottom: 1px solid var(--line);
  }
  h2 { font-size: var(--t-small); line-height: var(--l-small); font-weight: var(--w-strong); }
  @media (max-width: 767px) { .pop { left: var(--s-4); width: auto; } }
`;

@customElement("hp-popover")
export class Popover extends HpElement {
  static override styles = [ground, buttons, own];
  @property() heading = "";
  @property({ attribute: false }) anchor: HTMLElement | null = null;

  override render() {
    return html`<div class="scrim" @click=${() => this.#close()}></div>
      <div class="pop" role="dialog" aria-labelledby="h">
        <div class="pop-h">
          <h2 id="h">${this.heading}</h2>
          <button
            class="btn quiet s icon"
            aria-label=${t("app.close")}
            @click=${() => this.#close()}
          >
            ${icon("cross", "s")}
          </button>
        </div>
        <slot></slot>
      </div>`;
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("button")?.focus();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#escape);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#escape);
  }

  /** Heard anywhere: what had focus inside may be gone, as after an uninstall. */
  #escape = (event: KeyboardEvent): void => {
    if (event.key === "Escape") this.#close();
  };

  #close(): void {
    this.anchor?.focus();
    this.emit("hp-close");
  }
}
