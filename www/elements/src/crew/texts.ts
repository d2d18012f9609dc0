/** A numbered list of texts, each in a field of its own; one more, or one less. Emits `hp-items`. */
import { css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { refocus } from "../base/refocus.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";

const own = css`
  :host { display: block; font-size: var(--t-small); line-height: var(--l-small); }
  .plist { display: grid; gap: var(--s-3); }
  .plist > li {
    display: grid;
    grid-template-columns: 18px minmax(0, 1fr) auto;
    gap: var(--s-3);
    align-items: start;
  }
  .plist .num { padding-top: 7px; color: var(--text-3); }
  .input { width: 100%; min-height: var(--control); }
  .plist:not(:empty) + .add { margin-top: var(--s-3); }
`;

@customElement("hp-crew-texts")
export class CrewTexts extends HpElement {
  static override styles = [ground, buttons, forms, own];
  @property({ attribute: false }) items: readonly string[] = [];
  /** What the list is called. */
  @property() label = "";
  /** What an item is called, as the key of its texts. */
  @property() word: "crew.agent.principle" | "crew.agent.action" = "crew.agent.principle";

  override render() {
    const { items, word } = this;
    return html`<div role="group" aria-label=${this.label}>
      <ol class="plist">${items.map((one, n) => this.#item(one, n))}</ol>
      <p class="add">
        <button class="btn s" type="button" @click=${() => this.#add()}>
          ${icon("plus", "s")}<span>${t(`${word}.add`)}</span>
        </button>
      </p>
    </div>`;
  }

  #item(one: string, n: number) {
    const { items, word } = this;
    return html`<li>
      <span class="num">${n + 1}</span
      ><input
        class="input"
        aria-label=${t(word, { n: n + 1 })}
        .value=${live(one)}
        @input=${(event: Event) => {
          const { value } = event.target as HTMLInputElement;
          this.#write(items.map((was, at) => (at === n ? value : was)));
        }}
      /><button
        class="btn quiet icon"
        type="button"
        aria-label=${t(`${word}.remove`, { n: n + 1 })}
        @click=${() => this.#remove(n)}
      >
        ${icon("cross")}
      </button>
    </li>`;
  }

  /** Somebody who adds a text writes it next. */
  #add(): void {
    const at = this.items.length;
    this.#write([...this.items, ""]);
    refocus(this, () => this.renderRoot.querySelectorAll<HTMLElement>(".plist .input")[at]);
  }

  /** The focus goes to what stands there now. */
  #remove(n: number): void {
    this.#write(this.items.filter((_, at) => at !== n));
    refocus(this, () => {
      const left = this.renderRoot.querySelectorAll<HTMLElement>(".plist .btn");
      const add = this.renderRoot.querySelector<HTMLElement>(".add .btn");
      return left[Math.min(n, left.length - 1)] ?? add;
    });
  }

  #write(items: readonly string[]): void {
    this.emit("hp-items", { items });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-texts": CrewTexts;
  }
}
