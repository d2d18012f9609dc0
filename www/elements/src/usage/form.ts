/**
 * A form of the usage page: its fields as values, what was written in them, and the first that does not say what it
 * should, under which that stands. What it is about, and what becomes of it, its `FormSpec` knows.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, forms, ground } from "../base/styles.js";
import { type TextKey, t } from "../text/index.js";
import type { Failing } from "../text/refusal.js";
import { refused } from "./part.js";
import { parts } from "./usage.styles.js";

export interface Choice {
  value: string;
  label: string;
}

interface Named {
  id: string;
  label: string;
  /** What stands in it at first; of ticks those that are set, with spaces between. */
  value?: string;
  /** A sentence under it. */
  how?: string;
  test?: string;
  /** What is wrong with what stands in it; empty where nothing is. */
  wrong?: (value: string) => string;
}

/** `text` offers `choices` as well; an `amount` is written with digits, `lines` over several lines. */
export type Field = Named &
  (
    | { is: "text"; choices?: readonly string[]; most?: number }
    | { is: "amount" }
    | { is: "lines"; most: number }
    | { is: "choice" | "ticks"; choices: readonly Choice[] }
  );

type More = Partial<Omit<Named, "id" | "label">>;

export const text = (
  id: string,
  label: string,
  more: More & { choices?: readonly string[]; most?: number } = {},
): Field => ({ is: "text", id, label, ...more });

export const choice = (
  id: string,
  label: string,
  choices: readonly Choice[],
  more: More = {},
): Field => ({ is: "choice", id, label, choices, ...more });

/** What is wrong with a field in which nothing stands. */
export const needed = (why: TextKey) => (value: string) => (value === "" ? t(why) : "");

export type Values = Readonly<Record<string, string>>;

export interface FormSpec {
  /** Another one is another form, whose fields begin anew. */
  id: string;
  heading: string;
  /** What is asked, as the values before it say. */
  fields(values: Values): readonly Field[];
  /** The words of the button, and its test id. */
  send: string;
  test: string;
  note?: string;
  /** It stands in a row, without a heading. */
  inline?: boolean;
  sending: boolean;
  problem: Failing | null;
  /** Where the focus goes first; the first field where nothing is said. */
  first?: string;
  done(values: Values): void;
  close(): void;
}

/** A form that begins anew where it is about something else. */
export const form = (spec: FormSpec): TemplateResult =>
  html`${keyed(spec.id, html`<hp-usage-form .spec=${spec}></hp-usage-form>`)}`;

const own = css`
  textarea.input { min-height: 64px; resize: vertical; }
  .inline { padding: var(--s-4) 0 0; border: 0; }
`;

@customElement("hp-usage-form")
export class UsageForm extends HpElement {
  static override styles = [ground, buttons, forms, parts, own];
  @property({ attribute: false }) spec!: FormSpec;
  @state() private written: Values = {};
  @state() private wrong: { id: string; why: string } | null = null;

  /** What stands in the fields: what was written, else what they begin with. */
  get #values(): Values {
    const values: Record<string, string> = { ...this.written };
    // A field may be asked for because of one before it.
    for (let known = -1; known !== Object.keys(values).length; ) {
      known = Object.keys(values).length;
      for (const field of this.spec.fields(values)) values[field.id] ??= first(field);
    }
    return values;
  }

  override render() {
    const { heading, fields, send, test, note, inline, sending, problem, close } = this.spec;
    const values = this.#values;
    return html`<form
      class="form ${inline ? "inline" : ""}"
      aria-label=${heading}
      @submit=${this.#submit}
    >
      ${inline ? nothing : html`<h3>${heading}</h3>`}
      <div class="fields">${fields(values).map((one) => this.#field(one, values[one.id] ?? ""))}</div>
      ${refused(problem)}
      <div class="flex wrap">
        <button class="btn primary" data-testid=${test} ?disabled=${sending}>
          ${sending ? icon("spin", "s spin") : nothing}<span>${send}</span></button
        ><button class="btn" type="button" @click=${close}>${t("app.cancel")}</button>${
          note ? html`<span class="meta">${note}</span>` : nothing
        }
      </div>
    </form>`;
  }

  #field(field: Field, value: string): TemplateResult {
    const { id, label, how } = field;
    const under = html`${how ? html`<p class="meta" id="${id}-how">${how}</p>` : nothing}${
      this.wrong?.id === id
        ? html`<p class="meta bad" id="${id}-wrong" role="alert">${this.wrong.why}</p>`
        : nothing
    }`;
    if (field.is === "ticks")
      return html`<fieldset class="f whole">
        <legend class="meta strong">${label}</legend>
        <div class="ticks">
          ${field.choices.map(
            (one) =>
              html`<label
                ><input
                  class="check"
                  type="checkbox"
                  name=${id}
                  value=${one.value}
                  .checked=${value.split(" ").includes(one.value)}
                  aria-describedby=${this.#about(field)}
                  @change=${() => this.#write(id, this.#ticked(id))}
                />${one.label}</label
              >`,
          )}
        </div>
        ${under}
      </fieldset>`;
    return html`<div class="f ${field.is === "lines" ? "whole" : ""}">
      <label class="meta strong" for=${id}>${label}</label>${this.#input(field, value)}${under}
    </div>`;
  }

  #input(field: Exclude<Field, { is: "ticks" }>, value: string): TemplateResult {
    const { id, test } = field;
    const typed = (event: Event) => this.#write(id, (event.target as HTMLInputElement).value);
    const about = this.#about(field);
    const invalid = this.wrong?.id === id;
    if (field.is === "choice")
      return html`<select
        class="input select"
        id=${id}
        data-testid=${test ?? nothing}
        aria-describedby=${about}
        @change=${typed}
      >
        ${(field.choices as readonly Choice[]).map(
          (one) =>
            html`<option value=${one.value} ?selected=${one.value === value}>${one.label}</option>`,
        )}
      </select>`;
    if (field.is === "lines")
      return html`<textarea
        class="input"
        id=${id}
        rows="2"
        maxlength=${field.most}
        data-testid=${test ?? nothing}
        .value=${value}
        aria-invalid=${invalid}
        aria-describedby=${about}
        @input=${typed}
      ></textarea>`;
    const choices = field.is === "text" ? (field.choices ?? []) : [];
    return html`<input
        class="input"
        id=${id}
        inputmode=${field.is === "amount" ? "decimal" : nothing}
        autocomplete="off"
        maxlength=${(field.is === "text" && field.most) || nothing}
        list=${choices.length ? `${id}-list` : nothing}
        data-testid=${test ?? nothing}
        .value=${value}
        aria-invalid=${invalid}
        aria-describedby=${about}
        @input=${typed}
      />${
        choices.length
          ? html`<datalist id="${id}-list">
              ${choices.map((one) => html`<option value=${one}></option>`)}
            </datalist>`
          : nothing
      }`;
  }

  #about({ id, how }: Field): string | typeof nothing {
    const ids = [how && `${id}-how`, this.wrong?.id === id && `${id}-wrong`].filter(Boolean);
    return ids.length ? ids.join(" ") : nothing;
  }

  #ticked(name: string): string {
    const boxes = this.renderRoot.querySelectorAll<HTMLInputElement>(`[name="${name}"]:checked`);
    return [...boxes].map((box) => box.value).join(" ");
  }

  #write(id: string, value: string): void {
    this.written = { ...this.written, [id]: value };
    this.wrong = null;
  }

  #at(id: string): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`#${id}, [name="${id}"]`);
  }

  #submit(event: Event): void {
    event.preventDefault();
    const values = trimmed(this.#values);
    for (const { id, wrong } of this.spec.fields(values)) {
      const why = wrong?.(values[id] ?? "");
      if (!why) continue;
      this.wrong = { id, why };
      this.#at(id)?.focus();
      return;
    }
    this.spec.done(values);
  }

  protected override firstUpdated(): void {
    const { first, fields } = this.spec;
    this.#at(first ?? fields(this.#values)[0]?.id ?? "")?.focus();
  }
}

/** A choice without a value stands on its first one. */
const first = (field: Field): string =>
  field.value ?? (field.is === "choice" ? (field.choices[0]?.value ?? "") : "");

const trimmed = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, value.trim()]));

declare global {
  interface HTMLElementTagNameMap {
    "hp-usage-form": UsageForm;
  }
}
