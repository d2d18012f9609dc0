/** The `Field` node in its eight variants. It writes at its binding and may call its command. */

import type { Json } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { t } from "../text/index.js";
import { parse, read, shown, words } from "./binding.js";
import type { Choice, Field } from "./nodes.js";
import type { PanelHost } from "./render.js";

export function field(node: Field, host: PanelHost, key: string): TemplateResult {
  const path = parse(node.binding);
  const value = path ? read(host.state, path) : undefined;
  const write = (json: Json): void => host.write(node.binding, json, node.changeCommand);
  /**
   * Each key is kept, so that nothing that arrives meanwhile takes it away; the command waits for the end of the edit.
   */
  const keep = (json: Json): void => host.write(node.binding, json);
  const label = words(node.label, host.state);
  const id = `f-${key}`;
  const text = (event: Event): string => (event.target as HTMLInputElement).value;
  if (node.variant === "boolean")
    return html`<label class="w-check"
      ><input
        class="check"
        type="checkbox"
        .checked=${value === true}
        @change=${(event: Event) => write((event.target as HTMLInputElement).checked)}
      /><span>${label}</span></label
    >`;
  return html`<div class="w-field">
    <label for=${id}
      >${label}${node.required ? html`<span aria-hidden="true"> *</span>` : nothing}</label
    >${control()}
  </div>`;

  function control(): TemplateResult {
    const hint = words(node.placeholder, host.state);
    switch (node.variant) {
      case "number":
        return html`<input
          class="input"
          id=${id}
          type="number"
          step="any"
          ?required=${node.required}
          placeholder=${hint}
          .value=${shown(value)}
          @input=${(event: Event) => {
            const input = event.target as HTMLInputElement;
            if (!input.validity.badInput) keep(number(input));
          }}
          @change=${(event: Event) => write(number(event.target as HTMLInputElement))}
        />`;
      case "select":
        return select(node.options ?? [], value);
      case "multiSelect":
        return many(node.options ?? [], Array.isArray(value) ? value : []);
      case "colorPicker":
        return html`<input
          class="input w-color"
          id=${id}
          type="color"
          .value=${/^#[0-9a-f]{6}$/i.test(shown(value)) ? shown(value) : "#000000"}
          @change=${(event: Event) => write(text(event))}
        />`;
      case "entityPicker":
        return html`<div class="flex">
          <input
            class="input"
            id=${id}
            readonly
            .value=${Array.isArray(value) ? t("model.selected", { n: value.length }) : shown(value)}
            placeholder=${hint}
          /><button class="btn s" type="button" @click=${() => write(host.selection())}>
            ${t("dock.use_selection")}
          </button>
        </div>`;
      case "file":
        return html`<input
          class="input"
          id=${id}
          type="file"
          @change=${(event: Event) => {
            const file = (event.target as HTMLInputElement).files?.[0];
            write(file ? { name: file.name, size: file.size, type: file.type } : null);
          }}
        />`;
      default:
        return html`<input
          class="input"
          id=${id}
          type="text"
          ?required=${node.required}
          placeholder=${hint}
          .value=${shown(value)}
          @input=${(event: Event) => keep(text(event))}
          @change=${(event: Event) => write(text(event))}
        />`;
    }
  }

  function select(options: Choice[], now: Json | undefined): TemplateResult {
    const known = options.some((one) => one.value === now);
    return html`<select
      class="select"
      id=${id}
      ?required=${node.required}
      @change=${(event: Event) => {
        const one = options[Number(text(event))];
        write(one ? one.value : null);
      }}
    >
      ${
        known
          ? nothing
          : html`<option value="-1" selected>
              ${words(node.placeholder, host.state) || t("dock.choose")}
            </option>`
      }
      ${options.map(
        (one, i) =>
          html`<option value=${i} ?selected=${one.value === now}>
            ${words(one.label, host.state)}
          </option>`,
      )}
    </select>`;
  }

  function many(options: Choice[], now: Json[]): TemplateResult {
    const flip = (one: Choice): void =>
      write(
        now.includes(one.value) ? now.filter((other) => other !== one.value) : [...now, one.value],
      );
    return html`<div class="w-many" id=${id} role="group" aria-label=${label}>
      ${options.map(
        (one) =>
          html`<label class="w-check"
            ><input
              class="check"
              type="checkbox"
              .checked=${now.includes(one.value)}
              @change=${() => flip(one)}
            /><span>${words(one.label, host.state)}</span></label
          >`,
      )}
    </div>`;
  }
}

const number = (input: HTMLInputElement): number | null =>
  Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : null;
