/** The open models: each with its colour, on or off, and a menu; and which of them is active. UI.md §11. */
import { modelPlaceOf } from "@holdpoint/core/types";
import { css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { styleMap } from "lit/directives/style-map.js";
import { HpElement } from "../base/element.js";
import { integer } from "../base/format.js";
import { icon } from "../base/icons.js";
import { heads } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";

/** An open model. */
export interface ModelLine {
  /** 16 hex of the file's hash. */
  id: string;
  /** Its place in the ids of its elements. */
  place: number;
  name: string;
  schema: string;
  /** Bytes of the file. */
  size: number;
  elements: number;
  color: string;
  on: boolean;
  /** Checks read it, and extensions mean it where they name none. */
  active: boolean;
}

/** The model that has an element. */
export const modelOf = (models: readonly ModelLine[], id: number): ModelLine | undefined =>
  models.find((one) => one.place === modelPlaceOf(id));

/** What a person wants of the models; `menu` and `add` ask for a menu at `anchor`. */
export type ModelsAsk =
  | { act: "on" | "off"; id: string }
  | { act: "menu"; id: string; anchor: HTMLElement }
  | { act: "add"; anchor: HTMLElement }
  | { act: "colours" };

const own = css`
  :host { display: block; flex: none; border-bottom: 1px solid var(--line-2); }
  ul { max-height: 236px; }
  li {
    display: grid;
    grid-template-columns: 16px 12px minmax(0, 1fr) auto;
    gap: 0 var(--s-4);
    align-items: center;
    padding: var(--s-2) var(--s-2) var(--s-2) var(--pad);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  label { cursor: pointer; padding-block: var(--s-1); min-width: 0; }
  .trunc { display: block; }
  .off { color: var(--text-3); }
  .sub { display: block; font-size: var(--t-meta); line-height: var(--l-meta); color: var(--text-2); }
  .key {
    width: 12px;
    height: 12px;
    border-radius: 1px;
    background: var(--c);
    box-shadow: inset 0 0 0 1px rgb(0 0 0 / .22);
    forced-color-adjust: none;
  }
  .note { padding: var(--s-3) var(--pad); overflow-wrap: anywhere; }
`;

@customElement("hp-models")
export class Models extends HpElement {
  static override styles = [ground, buttons, forms, heads, own];
  @property({ attribute: false }) models: ModelLine[] = [];

  protected override get state(): string {
    return this.models.every((one) => one.on) ? "all" : "some";
  }

  override render() {
    const { models } = this;
    const n = models.filter((one) => one.on).length;
    const active = models.find((one) => one.active);
    const button = (act: "add" | "colours", mark: "plus" | "palette", label: string) => html`<button
      class="btn quiet s icon"
      aria-label=${label}
      title=${label}
      aria-haspopup=${act === "add" ? "menu" : "false"}
      data-testid="hp-models-${act}"
      @click=${(event: Event) => this.#ask({ act, anchor: event.currentTarget as HTMLElement })}
    >
      ${icon(mark)}
    </button>`;
    return html`<div class="p-head">
        <h2>${t("models.title")}</h2>
        <span class="meta">${t("models.shown", { n, of: models.length })}</span>
        <div class="end">
          ${button("colours", "palette", t("models.colours"))}${button("add", "plus", t("models.add"))}
        </div>
      </div>
      <ul class="scroll">
        ${models.map((one) => this.#line(one))}
      </ul>
      <p class="note meta">${t("models.active", { name: active?.name ?? "" })}</p>`;
  }

  #line({ id, name, schema, elements, color, on }: ModelLine) {
    const n = t("find.elements", { n: elements });
    return html`<li>
      <input
        class="check"
        type="checkbox"
        id="m${id}"
        .checked=${on}
        @change=${() => this.#ask({ act: on ? "off" : "on", id })}
      /><span class="key" style=${styleMap({ "--c": color })}></span
      ><label for="m${id}" class=${on ? "" : "off"}
        ><span class="trunc" title=${name}>${name}</span
        ><span class="sub">${on ? `${n} · ${schema}` : `${t("models.off")} · ${integer(elements)}`}</span></label
      ><button
        class="btn quiet s icon"
        aria-label=${t("models.options", { name })}
        aria-haspopup="menu"
        @click=${(event: Event) =>
          this.#ask({ act: "menu", id, anchor: event.currentTarget as HTMLElement })}
      >
        ${icon("more")}
      </button>
    </li>`;
  }

  #ask(ask: ModelsAsk | { act: "add" | "colours"; anchor: HTMLElement }): void {
    this.emit("hp-models", ask);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-models": Models;
  }
}
