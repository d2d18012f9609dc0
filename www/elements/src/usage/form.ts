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

/** An `amount` is written with digits, `lines` over several lines; of `ticks` the values stand with spaces between. */
export interface Field {
  is: "text" | "amount" | "lines" | "choice" | "ticks";
  id: string;
  label: string;
  /** What stands in it at first; in a choice without one its first. */
  value?: string;
  /** What is chosen from; of a text, what is offered. */
  choices?: readonly Choice[];
  /** The most characters. */
  most?: number;
  /** A sentence under it. */
  how?: string;
  test?: string;
  /** What is wrong with what stands in it; empty where nothing is. */
  wrong?: (value: string) => string;
}

export const field = (
  is: Field["is"],
  id: string,
  label: string,
  more: Partial<Field> = {},
): Field => ({ is, id, label, ...more });

/** What is wrong with a field in which nothing stands. */
export const needed = (why: TextKey) => (value: string) => (value === "" ? t(why) : "");

/** Each value with its words. */
export const choices = <T extends string | number>(
  values: readonly T[],
  label: (value: T) => string = String,
): Choice[] => values.map((value) => ({ value: String(value), label: label(value) }));

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
    // Twice: a field may be asked for because of one before it.
    for (const _ of [1, 2])
      for (const one of this.spec.fields(values))
        values[one.id] ??= one.value ?? (one.is === "choice" ? one.choices?.[0]?.value : "") ?? "";
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

  #field(one: Field, value: string): TemplateResult {
    const { is, id, label, how } = one;
    const under = html`${how ? html`<p class="meta" id="${id}-how">${how}</p>` : nothing}${
      this.wrong?.id === id
        ? html`<p class="meta bad" id="${id}-wrong" role="alert">${this.wrong.why}</p>`
        : nothing
    }`;
    if (is === "ticks")
      return html`<fieldset class="f whole">
        <legend class="meta strong">${label}</legend>
        <div class="ticks">${this.#ticks(one, value)}</div>
        ${under}
      </fieldset>`;
    return html`<div class="f ${is === "lines" ? "whole" : ""}">
      <label class="meta strong" for=${id}>${label}</label>${this.#input(one, value)}${under}
    </div>`;
  }

  #ticks({ id, choices = [], how }: Field, set: string) {
    return choices.map(
      ({ value, label }) =>
        html`<label
          ><input
            class="check"
            type="checkbox"
            name=${id}
            value=${value}
            .checked=${set.split(" ").includes(value)}
            aria-describedby=${this.#about(id, how)}
            @change=${() => this.#write(id, this.#ticked(id))}
          />${label}</label
        >`,
    );
  }

  #input({ is, id, choices = [], most, how, test }: Field, value: string): TemplateResult {
    const typed = (event: Event) => this.#write(id, (event.target as HTMLInputElement).value);
    const about = this.#about(id, how);
    const invalid = this.wrong?.id === id;
    const options = choices.map(
      (one) =>
        html`<option value=${one.value} ?selected=${one.value === value}>${one.label}</option>`,
    );
    if (is === "choice")
      return html`<select
        class="input select"
        id=${id}
        data-testid=${test ?? nothing}
        aria-describedby=${about}
        @change=${typed}
      >
        ${options}
      </select>`;
    if (is === "lines")
      return html`<textarea
        class="input"
        id=${id}
        rows="2"
        maxlength=${most ?? nothing}
        data-testid=${test ?? nothing}
        .value=${value}
        aria-invalid=${invalid}
        aria-describedby=${about}
        @input=${typed}
      ></textarea>`;
    return html`<input
        class="input"
        id=${id}
        inputmode=${is === "amount" ? "decimal" : nothing}
        autocomplete="off"
        maxlength=${most ?? nothing}
        list=${choices.length ? `${id}-list` : nothing}
        data-testid=${test ?? nothing}
        .value=${value}
        aria-invalid=${invalid}
        aria-describedby=${about}
        @input=${typed}
      />${choices.length ? html`<datalist id="${id}-list">${options}</datalist>` : nothing}`;
  }

  #about(id: string, how: string | undefined): string | typeof nothing {
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

const trimmed = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, value.trim()]));

declare global {
  interface HTMLElementTagNameMap {
    "hp-usage-form": UsageForm;
  }
}
