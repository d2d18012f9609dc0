/** One question in front of a page: a name, or a tick before something that no step takes back. Esc leaves it. */
import { css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";

export interface AskView {
  is: "delete" | "name";
  heading: string;
  text: string;
  /** Of a deletion: what is ticked first. Of a name: what the field is called. */
  label: string;
  value: string;
  go: string;
}

const own = css`
  dialog {
    border: 1px solid var(--line-2);
    border-radius: var(--r-3);
    background: var(--raised);
    color: var(--text);
    box-shadow: var(--e-2);
    padding: var(--s-6);
    width: min(480px, 100vw - 32px);
  }
  dialog::backdrop { background: rgb(8 16 14 / .28); }
  form {
    display: grid;
    gap: var(--s-5);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  h2 { font-size: var(--t-head); line-height: var(--l-head); overflow-wrap: anywhere; }
  label { display: flex; gap: var(--s-4); align-items: flex-start; }
  .name { display: grid; gap: var(--s-3); }
  .input { min-height: var(--control); }
  .flex { justify-content: flex-end; }
`;

@customElement("hp-asking")
export class AskingDialog extends HpElement {
  static override styles = [ground, buttons, forms, own];
  @property({ attribute: false }) view!: AskView;
  @state() private ticked = false;
  @query("dialog") private dialog!: HTMLDialogElement;

  protected override get state(): string {
    return this.view.is;
  }

  override render() {
    const { is, heading, text, go } = this.view;
    return html`<dialog aria-labelledby="ask" @cancel=${this.#cancelled}>
      <form @submit=${this.#answered}>
        <h2 id="ask" tabindex="-1">${heading}</h2>
        ${text ? html`<p>${text}</p>` : nothing}${is === "delete" ? this.#tick() : this.#name()}
        <div class="flex wrap">
          <button class="btn" type="button" @click=${() => this.emit("hp-ask-cancel")}>
            ${t("app.cancel")}</button
          ><button
            class="btn ${is === "delete" ? "danger" : "primary"}"
            data-testid="hp-ask-go"
            ?disabled=${is === "delete" && !this.ticked}
          >
            ${go}
          </button>
        </div>
      </form>
    </dialog>`;
  }

  #tick() {
    return html`<label
      ><input
        type="checkbox"
        class="check"
        data-testid="hp-ask-tick"
        .checked=${this.ticked}
        @change=${(event: Event) => (this.ticked = (event.target as HTMLInputElement).checked)}
      /><span>${this.view.label}</span></label
    >`;
  }

  #name() {
    return html`<div class="name">
      <label for="ask-name">${this.view.label}</label
      ><input
        class="input"
        id="ask-name"
        data-testid="hp-ask-name"
        maxlength="200"
        autocomplete="off"
        .value=${this.view.value}
      />
    </div>`;
  }

  #cancelled(event: Event): void {
    event.preventDefault();
    this.emit("hp-ask-cancel");
  }

  #answered(event: Event): void {
    event.preventDefault();
    const field = this.renderRoot.querySelector<HTMLInputElement>("#ask-name");
    const name = field?.value.trim() ?? "";
    if (field && !name) field.focus();
    else this.emit("hp-ask-go", { name });
  }

  protected override firstUpdated(): void {
    this.dialog.showModal();
    const field = this.dialog.querySelector<HTMLInputElement>("#ask-name");
    (field ?? this.dialog.querySelector("h2"))?.focus();
    field?.select();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-asking": AskingDialog;
  }
}
