/** What a new key is for, or how long the secret before a replaced one still works. */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { refused } from "./part.js";
import { parts } from "./usage.styles.js";
import { type KeyDraft, type KeysView, SCOPES, type Scope } from "./view.js";

const DAY_MS = 86_400_000;
/** Days until a key ends; 0: never. */
const ENDS = [0, 30, 90, 365];
/** Seconds for which the secret before still works. */
const GRACES = [0, 3_600, 86_400, 604_800] as const;
/** What a key of a person usually may. */
const USUAL: readonly Scope[] = ["llm", "usage"];

@customElement("hp-key-form")
export class KeyForm extends HpElement {
  static override styles = [ground, buttons, forms, parts];
  @property({ attribute: false }) view!: KeysView;
  @state() private wrong: "" | "label" | "user" | "scopes" = "";

  override render() {
    const { form, sending, refused: problem } = this.view;
    if (!form) return nothing;
    const isNew = form.kind === "new";
    const wrong = this.wrong;
    return html`<form class="form" aria-labelledby="h-kf" @submit=${this.#submit}>
      <h3 id="h-kf">
        ${isNew ? t("usage.key.new") : t("usage.key.replace.of", { name: form.label })}
      </h3>
      ${isNew ? this.#fresh() : this.#again()}
      ${wrong ? html`<p class="meta bad" id="wrong" role="alert">${t(`usage.wrong.${wrong}`)}</p>` : nothing}
      ${refused(problem)}
      <div class="flex wrap">
        <button class="btn primary" data-testid="hp-key-make" ?disabled=${sending}>
          ${sending ? icon("spin", "s spin") : nothing}<span
            >${t(isNew ? "usage.key.make" : "usage.key.replace.now")}</span
          ></button
        ><button
          class="btn"
          type="button"
          @click=${() => this.emit("hp-key", { action: "close" })}
        >
          ${t("app.cancel")}
        </button>
        <span class="meta">${t("usage.key.once")}</span>
      </div>
    </form>`;
  }

  #fresh(): TemplateResult {
    return html`<div class="fields">
      <div class="f">
        <label class="meta strong" for="label">${t("usage.name")}</label
        ><input
          class="input"
          id="label"
          maxlength="128"
          autocomplete="off"
          data-testid="hp-key-label"
          aria-invalid=${this.wrong === "label"}
          aria-describedby=${this.wrong === "label" ? "wrong" : nothing}
          @input=${this.#typed}
        />
      </div>
      <div class="f">
        <label class="meta strong" for="user">${t("usage.belongs")}</label
        ><input
          class="input"
          id="user"
          maxlength="128"
          autocomplete="off"
          list="people"
          data-testid="hp-key-user"
          aria-invalid=${this.wrong === "user"}
          aria-describedby=${this.wrong === "user" ? "wrong" : nothing}
          @input=${this.#typed}
        /><datalist id="people">
          ${this.view.people.map((name) => html`<option value=${name}></option>`)}
        </datalist>
      </div>
      <div class="f">
        <label class="meta strong" for="ends">${t("usage.key.ends")}</label
        ><select class="input select" id="ends">
          ${ENDS.map(
            (days) =>
              html`<option value=${days} ?selected=${days === 90}>
                ${days === 0 ? t("usage.key.ends.never") : t("usage.key.ends.days", { n: days })}
              </option>`,
          )}
        </select>
      </div>
      <div class="f">
        <label class="meta strong" for="models">${t("usage.key.models")}</label
        ><input class="input" id="models" autocomplete="off" aria-describedby="models-how" />
        <p class="meta" id="models-how">${t("usage.key.models.how")}</p>
      </div>
      <fieldset class="f whole">
        <legend class="meta strong">${t("usage.may")}</legend>
        <div class="ticks">
          ${SCOPES.map(
            (scope) =>
              html`<label
                ><input
                  class="check"
                  type="checkbox"
                  name="scope"
                  value=${scope}
                  .checked=${USUAL.includes(scope)}
                  @change=${this.#typed}
                />${t(`usage.scope.${scope}`)}</label
              >`,
          )}
        </div>
      </fieldset>
    </div>`;
  }

  #again(): TemplateResult {
    return html`<div class="fields">
      <div class="f">
        <label class="meta strong" for="grace">${t("usage.key.grace")}</label
        ><select class="input select" id="grace">
          ${GRACES.map(
            (seconds) =>
              html`<option value=${seconds} ?selected=${seconds === 86_400}>
                ${t(`usage.grace.${seconds}`)}
              </option>`,
          )}
        </select>
      </div>
    </div>`;
  }

  #typed = (): void => {
    this.wrong = "";
  };

  #field = (id: string): string =>
    this.renderRoot.querySelector<HTMLInputElement>(`#${id}`)?.value.trim() ?? "";

  #submit(event: Event): void {
    event.preventDefault();
    const { form } = this.view;
    if (form?.kind === "replace") {
      this.emit("hp-key-replace", { id: form.id, grace: Number(this.#field("grace")) });
      return;
    }
    const draft = this.#draft();
    this.wrong = draft.label === "" ? "label" : "";
    if (!this.wrong && draft.user_id === "") this.wrong = "user";
    if (!this.wrong && !draft.scopes.length) this.wrong = "scopes";
    if (!this.wrong) this.emit("hp-key-create", { key: draft });
    else this.renderRoot.querySelector<HTMLElement>(`#${this.wrong}, [name=scope]`)?.focus();
  }

  #draft(): KeyDraft {
    const days = Number(this.#field("ends"));
    const ticked = [...this.renderRoot.querySelectorAll<HTMLInputElement>("[name=scope]:checked")];
    return {
      label: this.#field("label"),
      user_id: this.#field("user"),
      scopes: ticked.map((box) => box.value as Scope),
      models: this.#field("models")
        .split(/[\s,;]+/)
        .filter((model) => model !== ""),
      expires_at: days === 0 ? null : this.view.now + days * DAY_MS,
    };
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("#label, #grace")?.focus();
  }
}
