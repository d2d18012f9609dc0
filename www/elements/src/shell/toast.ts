/**
 * The result of an action, for 8 s, with the way back where there is one; it stays under focus or pointer. Never an
 * error.
 */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";

const SHOWN_MS = 8_000;

const own = css`
  .toast {
    position: fixed;
    inset-inline-start: calc(var(--w-tree) + var(--s-5));
    bottom: 44px;
    z-index: var(--z-toast);
    background: var(--raised);
    box-shadow: var(--e-2);
    border-radius: var(--r-2);
    padding: var(--s-4) var(--s-4) var(--s-4) var(--s-5);
    display: flex;
    align-items: center;
    gap: var(--s-4);
    font-size: var(--t-small);
    max-width: 480px;
  }
  @media (max-width: 1199px) { .toast { inset-inline-start: var(--s-5); } }
  @media (max-width: 767px) {
    .toast { inset-inline: var(--s-5); inset-block: var(--toast-block, auto calc(52px + var(--s-4))); }
    .toast > span { flex: 1; }
  }
`;

@customElement("hp-toast")
export class Toast extends HpElement {
  static override styles = [ground, buttons, own];
  @property() text = "";
  @property() sub = "";
  /** What it says can be taken back. */
  @property({ type: Boolean }) undo = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  protected override get state(): string {
    return this.text ? "shown" : "hidden";
  }

  override render() {
    return html`<div role="status">
      ${
        this.text
          ? html`<div
              class="toast"
              @mouseenter=${this.#hold}
              @focusin=${this.#hold}
              @mouseleave=${this.#start}
              @focusout=${this.#start}
              @keydown=${(event: KeyboardEvent) => event.key === "Escape" && this.emit("hp-close")}
            >
              ${icon("ok", "c-pass")}<span
                >${this.text}
                ${this.sub ? html`<span class="quiet">${this.sub}</span>` : nothing}</span
              >${
                this.undo
                  ? html`<button
                      class="btn s"
                      data-testid="hp-toast-undo"
                      @click=${() => this.emit("hp-toast-undo")}
                    >
                      ${icon("undo", "s")}<span>${t("history.undo")}</span>
                    </button>`
                  : nothing
              }<button
                class="btn quiet s icon"
                aria-label=${t("app.close")}
                @click=${() => this.emit("hp-close")}
              >
                ${icon("cross", "s")}
              </button>
            </div>`
          : nothing
      }
    </div>`;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    if (changed.has("text")) this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#hold();
  }

  #start(): void {
    this.#hold();
    if (this.text) this.timer = setTimeout(() => this.emit("hp-close"), SHOWN_MS);
  }

  #hold(): void {
    clearTimeout(this.timer);
  }
}
