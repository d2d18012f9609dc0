/**
 * A list of short texts, each with a button that takes it away, and a field that adds one. Backspace takes the last.
 */
import { css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { refocus } from "../base/refocus.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";

const own = css`
  .tokens {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2) var(--s-3);
    min-height: 28px;
    align-items: center;
  }
  .tokn {
    display: inline-flex;
    align-items: center;
    gap: var(--s-1);
    border: 1px solid var(--line-2);
    border-radius: var(--r-1);
    background: var(--sunken);
    font-family: var(--mono);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    padding: 2px 0 2px var(--s-3);
    max-width: 100%;
    overflow-wrap: anywhere;
  }
  .tokn .btn { min-height: 20px; width: 22px; border: 0; }
  .tokn.warn { border-color: var(--hold-line); background: var(--hold-tint); }
  .tokn.bad { border-color: var(--fail-line); background: var(--fail-tint); }
  form { display: flex; gap: var(--s-2); width: 100%; }
  .input { min-height: 28px; flex: 1; min-width: 0; }
  @media (pointer: coarse) { .tokn .btn { min-height: var(--target); width: var(--target); } }
`;

@customElement("hp-crew-tokens")
export class CrewTokens extends HpElement {
  static override styles = [ground, buttons, forms, own];
  @property({ attribute: false }) items: readonly string[] = [];
  /** What the list is called, and its button. */
  @property() label = "";
  @property() add = "";
  /** Known ones, offered while something is written. */
  @property({ attribute: false }) known: readonly string[] = [];
  /** Findings of items, by their place. */
  @property({ attribute: false }) looks: ReadonlyMap<number, "warn" | "bad"> = new Map();
  @property({ type: Boolean }) off = false;
  @state() private adding = false;
  @query(".input") private input!: HTMLInputElement | null;

  override render() {
    return html`<div class="tokens" role="group" aria-label=${this.label}>
      ${this.items.map((item, n) => this.#item(item, n))}${this.adding ? this.#field() : this.#plus()}
    </div>`;
  }

  #item(item: string, n: number) {
    return html`<span class="tokn ${this.looks.get(n) ?? ""}"
      ><span translate="no">${item}</span
      ><button
        class="btn quiet s icon"
        type="button"
        ?disabled=${this.off}
        aria-label=${t("crew.remove", { name: item })}
        @click=${() => this.#remove(n)}
      >
        ${icon("cross")}
      </button></span
    >`;
  }

  #plus() {
    return html`<button
      class="btn quiet s icon"
      type="button"
      ?disabled=${this.off}
      aria-label=${this.add}
      @click=${() => this.#begin()}
    >
      ${icon("plus")}
    </button>`;
  }

  #field() {
    return html`<form @submit=${this.#submit}>
      <input
        class="input mono"
        aria-label=${this.add}
        list=${this.known.length ? "known" : nothing}
        autocomplete="off"
        @keydown=${this.#keys}
      />${
        this.known.length
          ? html`<datalist id="known">
              ${this.known.map((one) => html`<option value=${one}></option>`)}
            </datalist>`
          : nothing
      }<button class="btn s">${t("crew.add")}</button>
    </form>`;
  }

  #begin(): void {
    this.adding = true;
    void this.updateComplete.then(() => this.input?.focus());
  }

  #submit(event: Event): void {
    event.preventDefault();
    const value = this.input?.value.trim() ?? "";
    if (value && !this.items.includes(value)) this.#change([...this.items, value]);
    if (!value) this.#end();
    else if (this.input) this.input.value = "";
  }

  /** The focus goes to what stands there now. */
  #remove(n: number): void {
    this.#change(this.items.filter((_, at) => at !== n));
    refocus(this, () => {
      const left = this.renderRoot.querySelectorAll<HTMLElement>(".tokens .btn");
      return left[Math.min(n, left.length - 1)];
    });
  }

  #keys(event: KeyboardEvent): void {
    if (event.key === "Backspace" && this.input?.value === "" && this.items.length)
      this.#change(this.items.slice(0, -1));
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.#end();
  }

  #end(): void {
    this.adding = false;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(".tokens > .btn")?.focus(),
    );
  }

  #change(items: readonly string[]): void {
    this.emit("hp-items", { items });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-tokens": CrewTokens;
  }
}
