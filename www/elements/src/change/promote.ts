/**
 * A script becomes a tool: what people call it, and where they find it. Its review comes next. State: ready, faulty.
 * Event: `hp-tool {name, value}`. UI.md §11.
 */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { styles } from "./promote.styles.js";

/** What a person fills in; the host keeps it. */
export interface PromotingView {
  name: string;
  icon: string;
  category: string;
  key: string;
  /** Icons that a command may have. */
  icons: readonly string[];
  /** Why it is no tool yet, in words. */
  problem: string;
}

type Field = "name" | "icon" | "category" | "key";
/** As the manifest allows them. */
const MAX_CHARS = { name: 80, category: 40, key: 40 };

@customElement("hp-promote")
export class Promote extends HpElement {
  static override styles = [ground, buttons, forms, sheets, styles];
  @property({ attribute: false }) view?: PromotingView;

  protected override get state(): string {
    return this.view?.problem ? "faulty" : "ready";
  }

  override render() {
    const { view } = this;
    if (!view) return nothing;
    return html`<section class="sheet" aria-labelledby="h">
      <div class="s-h"><h3 id="h">${t("promote.title")}</h3></div>
      <div class="s-b form">
        ${
          view.problem
            ? html`<p class="c-fail" role="alert">${icon("bad", "s")} ${view.problem}</p>`
            : nothing
        }
        ${this.#text("name", "promote.name", view.name)}
        <div class="f-row">
          <label for="icon">${t("promote.icon")}</label>
          <select class="select" id="icon" @change=${this.#said("icon")}>
            <option value="">${t("promote.icon.none")}</option>
            ${view.icons.map(
              (one) =>
                html`<option value=${one} ?selected=${one === view.icon}>
                  ${one.replaceAll("-", " ")}
                </option>`,
            )}
          </select>
        </div>
        ${this.#text("category", "promote.category", view.category, "promote.category.hint")}
        ${this.#text("key", "promote.key", view.key, "promote.key.hint")}
      </div>
    </section>`;
  }

  #text(
    field: keyof typeof MAX_CHARS,
    label: "promote.name" | "promote.category" | "promote.key",
    value: string,
    hint?: "promote.category.hint" | "promote.key.hint",
  ) {
    return html`<div class="f-row">
      <label for=${field}>${t(label)}</label>
      <input
        class="input ${field === "key" ? "mono" : ""}"
        id=${field}
        maxlength=${MAX_CHARS[field]}
        aria-describedby=${hint ? `${field}-hint` : nothing}
        .value=${value}
        @input=${this.#said(field)}
        @keydown=${this.#enter}
      />
      ${hint ? html`<span class="meta" id="${field}-hint">${t(hint)}</span>` : nothing}
    </div>`;
  }

  #said = (name: Field) => (event: Event) =>
    this.emit("hp-tool", { name, value: (event.target as HTMLInputElement).value });

  #enter = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.isComposing) this.emit("hp-act", { id: "promote" });
  };

  /** The first thing to say is what it is called. */
  override focusHeading(): void {
    this.renderRoot.querySelector<HTMLInputElement>("#name")?.select();
  }
}
