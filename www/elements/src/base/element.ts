/**
 * The base of every element: how it emits, and that it follows the language.
 *
 * Events bubble and cross shadow roots, so that a host page listens in one place. `state` mirrors itself as
 * `data-state`, which is what tests and styles of a host see.
 */
import { LitElement, type PropertyValues } from "lit";
import { onLanguage } from "../text/index.js";
import { settle } from "./guest.js";
import { steady } from "./steady.js";

export abstract class HpElement extends LitElement {
  #unheard: (() => void) | undefined;

  /** The element's state in one word, mirrored as `data-state`; null for elements without states. */
  protected get state(): string | null {
    return null;
  }

  protected emit<T>(type: string, detail?: T): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#settle();
    steady();
    this.#unheard = onLanguage(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unheard?.();
  }

  /** What stands in another element of ours has its tokens from there. */
  #settle(): void {
    const around = this.getRootNode();
    const nested = around instanceof ShadowRoot && around.host instanceof HpElement;
    if (!nested && this.shadowRoot) settle(this, this.shadowRoot);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const state = this.state;
    if (state !== null && this.dataset.state !== state) this.dataset.state = state;
  }

  /** Moves focus to the first heading; headings take focus only this way. */
  focusHeading(): void {
    const heading = this.renderRoot.querySelector<HTMLElement>("h2, h3");
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus();
  }
}
