/** What a script asks for: its two forms, each fault at its field, and files beside them. */
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { HpElement } from "../base/element.js";
import { bytes } from "../base/format.js";
import { icon } from "../base/icons.js";
import { keepFocus } from "../base/refocus.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { fields } from "./run.styles.js";
import type { RunField, RunForm, RunView } from "./view.js";

const PATHS = { settings: "settings_schema.json", input: "input_schema.json" } as const;

@customElement("hp-run-fields")
export class RunFields extends HpElement {
  static override styles = [ground, badges, buttons, forms, sheets, fields];
  @property({ attribute: false }) view!: RunView;
  @state() private over = false;

  constructor() {
    super();
    // A file takes the place of the button that chose it, and the other way round.
    keepFocus(this);
  }

  override render() {
    return html`${this.view.forms.map((form) => this.#form(form))}${this.#files()}`;
  }

  #form(form: RunForm) {
    const { id, title, fields } = form;
    return html`<section class="sheet" aria-labelledby="h-${id}">
      <div class="s-h">
        <h3 id="h-${id}">${t(`script.run.${id}`)}</h3>
        ${title ? html`<span class="meta trunc">${title}</span>` : nothing}
      </div>
      ${
        fields.length
          ? html`<form
              class="frm"
              novalidate
              @submit=${(event: Event) => {
                event.preventDefault();
                this.emit("hp-run-start");
              }}
            >
              ${fields.map((field) => this.#field(form, field))}
              <button type="submit" hidden></button>
            </form>`
          : html`<p class="s-b meta">
              ${
                form.state === "broken"
                  ? t("script.run.form.broken", { path: PATHS[id] })
                  : t("script.run.form.none")
              }
            </p>`
      }
    </section>`;
  }

  #field(form: RunForm, field: RunField) {
    const id = `${form.id}-${field.name}`;
    const grouped = field.is === "choices";
    const name = html`${field.title}${
      field.required ? html` <span class="need">· ${t("script.run.required")}</span>` : nothing
    }`;
    const hint = field.help || hintOf(field);
    if (field.is === "yes")
      return html`<div class="fld">
        <label class="opt"
          >${this.#tick(form, field, id, field.value === true, (on) => on)}<span>${name}</span></label
        >${this.#said(field, id, hint)}
      </div>`;
    return html`<div class="fld">
      ${
        grouped
          ? html`<span class="lb" id="${id}-l">${name}</span>`
          : html`<label for=${id}>${name}</label>`
      }${this.#control(form, field, id)}${this.#said(field, id, hint)}
    </div>`;
  }

  #said({ problem }: RunField, id: string, hint: string) {
    return html`${hint ? html`<span class="meta" id="${id}-h">${hint}</span>` : nothing}${
      problem
        ? html`<span class="bad" id="${id}-w" data-testid="hp-run-fault">${problem}</span>`
        : nothing
    }`;
  }

  #control(form: RunForm, field: RunField, id: string) {
    if (field.file) return this.#held(form, field, id);
    if (field.is === "choices") return this.#choices(form, field, id);
    if (field.is === "choice") return this.#choice(form, field, id);
    if (field.is === "file") return this.#pick(form, field, id, t("script.run.file.choose"));
    if (["text", "list", "json"].includes(field.is))
      return html`<textarea
          class="input ${field.is === "json" ? "mono" : ""}"
          id=${id}
          data-testid="hp-run-field"
          aria-invalid=${field.problem ? "true" : "false"}
          aria-describedby=${describes(field, id)}
          .value=${live(String(field.value))}
          @input=${(event: Event) => this.#entered(form, field, enteredIn(event))}
        ></textarea
        >${
          field.is === "text"
            ? this.#pick(form, field, `${id}-file`, t("script.run.file.instead"))
            : nothing
        }`;
    const number = field.is === "number" || field.is === "integer";
    return html`<input
      class="input"
      id=${id}
      data-testid="hp-run-field"
      type=${field.is === "date" ? "date" : "text"}
      inputmode=${number ? "decimal" : nothing}
      autocomplete="off"
      aria-invalid=${field.problem ? "true" : "false"}
      aria-describedby=${describes(field, id)}
      .value=${live(String(field.value))}
      @input=${(event: Event) => this.#entered(form, field, enteredIn(event))}
    />`;
  }

  #tick(form: RunForm, field: RunField, id: string, on: boolean, value: (on: boolean) => unknown) {
    return html`<input
      class="check"
      type="checkbox"
      id=${id}
      data-testid="hp-run-field"
      aria-describedby=${describes(field, id)}
      .checked=${live(on)}
      @change=${(event: Event) =>
        this.#entered(form, field, value((event.target as HTMLInputElement).checked))}
    />`;
  }

  #choices(form: RunForm, field: RunField, id: string) {
    const chosen = Array.isArray(field.value) ? field.value : [];
    return html`<div class="opts" role="group" aria-labelledby="${id}-l">
      ${field.options.map(
        (option, i) =>
          html`<label class="opt"
            >${this.#tick(form, field, `${id}-${i}`, chosen.includes(option), (on) =>
              field.options.filter((one) => (one === option ? on : chosen.includes(one))),
            )}<span>${option}</span></label
          >`,
      )}
    </div>`;
  }

  #choice(form: RunForm, field: RunField, id: string) {
    return html`<select
      class="select"
      id=${id}
      data-testid="hp-run-field"
      aria-invalid=${field.problem ? "true" : "false"}
      aria-describedby=${describes(field, id)}
      @change=${(event: Event) => this.#entered(form, field, enteredIn(event))}
    >
      <option value="" .selected=${live(field.value === "")}>${t("script.run.choice.none")}</option>
      ${field.options.map(
        (option) =>
          html`<option value=${option} .selected=${live(option === field.value)}>${option}</option>`,
      )}
    </select>`;
  }

  #held(form: RunForm, field: RunField, id: string) {
    const { name, size } = field.file ?? { name: "", size: 0 };
    const remove = () => this.emit("hp-run-file-off", { name, form: form.id, field: field.name });
    return html`<div class="has" id=${id}>
      ${icon("file", "s")}<span class="trunc">${name}</span><span class="meta">${bytes(size)}</span
      >${this.#remove(name, remove)}
    </div>`;
  }

  #remove(name: string, remove: () => void) {
    return html`<button
      class="btn quiet s icon"
      type="button"
      aria-label=${t("script.run.file.remove", { name })}
      @click=${remove}
    >
      ${icon("cross", "s")}
    </button>`;
  }

  #pick(form: RunForm, field: RunField, id: string, label: string) {
    return html`<button
        class="btn s"
        type="button"
        id=${id}
        data-testid="hp-run-pick"
        aria-describedby=${describes(field, `${form.id}-${field.name}`)}
        @click=${this.#browse}
      >
        ${icon("file", "s")}<span>${label}</span></button
      ><input
        type="file"
        hidden
        @change=${(event: Event) => this.#took(event, { form: form.id, field: field.name })}
      />`;
  }

  #files() {
    const { files, refused } = this.view;
    return html`<section class="sheet" aria-labelledby="h-f">
      <div class="s-h"><h3 id="h-f">${t("script.run.files")}</h3></div>
      ${
        files.length
          ? html`<ul class="rows files">
              ${files.map(
                ({ name, size }) =>
                  html`<li>
                    <div class="has">
                      ${icon("file", "s")}<span class="trunc mono">${name}</span
                      ><span class="meta">${bytes(size)}</span
                      >${this.#remove(name, () => this.emit("hp-run-file-off", { name }))}
                    </div>
                  </li>`,
              )}
            </ul>`
          : nothing
      }
      <div
        class="drop ${this.over ? "over" : ""}"
        @dragover=${(event: DragEvent) => {
          event.preventDefault();
          this.over = true;
        }}
        @dragleave=${() => (this.over = false)}
        @drop=${this.#dropped}
      >
        <span
          >${t("script.run.files.drop")}
          <button
            class="link"
            type="button"
            data-testid="hp-run-files"
            @click=${this.#browse}
          >
            ${t("script.run.files.choose")}
          </button></span
        ><span class="meta">${t("script.run.files.help")}</span>
        ${refused ? html`<span class="bad" role="alert">${refused}</span>` : nothing}
        <input
          id="files"
          type="file"
          multiple
          hidden
          @change=${(event: Event) => this.#took(event, {})}
        />
      </div>
    </section>`;
  }

  /** The browser's own choice of files, by the hidden field beside a button. */
  #browse(event: Event): void {
    const around = (event.currentTarget as HTMLElement).closest(".fld, .drop");
    around?.querySelector<HTMLInputElement>("input[type=file]")?.click();
  }

  #dropped(event: DragEvent): void {
    event.preventDefault();
    this.over = false;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length) this.emit("hp-run-files", { files });
  }

  #took(event: Event, of: { form?: string; field?: string }): void {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = "";
    if (files.length) this.emit("hp-run-files", { files, ...of });
  }

  #entered(form: RunForm, field: RunField, value: unknown): void {
    this.emit("hp-run-entered", { form: form.id, field: field.name, value });
  }

  /** The first field that is in the way of a run. */
  focusFault(): void {
    this.renderRoot
      .querySelector<HTMLElement>(
        ".fld:has(.bad) :is(input:not([hidden]), textarea, select, button)",
      )
      ?.focus();
  }
}

const enteredIn = (event: Event): string => (event.target as HTMLInputElement).value;

function hintOf({ is }: RunField): string {
  if (is === "list") return t("script.run.list.help");
  return is === "json" ? t("script.run.json.help") : "";
}

/** What a reader hears with a field: its help, then its fault. */
function describes(field: RunField, id: string) {
  const said = [(field.help || hintOf(field)) && `${id}-h`, field.problem && `${id}-w`].filter(
    Boolean,
  );
  return said.length ? said.join(" ") : nothing;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-run-fields": RunFields;
  }
}
