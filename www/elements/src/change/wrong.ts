/**
 * What a person says is wrong: what they pointed at in the preview, what it should have been, and why. It becomes a
 * test that fails. Event: `hp-wrong {name, value}`. UI.md §11.
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
export interface WrongView {
  /** What is wrong, and what it shows: pointed at, or written. */
  where: string;
  shows: string;
  should: string;
  why: string;
  /** Names of elements that should not count; empty where none are picked. */
  elements: readonly string[];
  /** How many are selected in the model. */
  selected: number;
  /** The installed extension that it is said of, and what its repair costs at most; nothing: what is reviewed. */
  of?: { name: string; most: string };
}

export type WrongField = "where" | "shows" | "should" | "why" | "elements";

/** Characters of each. */
const MAX_CHARS = 1_000;

@customElement("hp-wrong")
export class Wrong extends HpElement {
  static override styles = [ground, buttons, forms, sheets, styles];
  @property({ attribute: false }) view?: WrongView;

  protected override get state(): string {
    return this.view?.where ? "pointed" : "empty";
  }

  override render() {
    const { view } = this;
    if (!view) return nothing;
    return html`<section class="sheet" aria-labelledby="h">
      <div class="s-h"><h3 id="h">${t("wrong.title")}</h3></div>
      <div class="s-b form">
        <p class="meta">${icon("eye", "s")} ${t(view.of ? "wrong.text.panel" : "wrong.text")}</p>
        ${this.#line("where", view.where)}${this.#line("shows", view.shows)}${this.#line(
          "should",
          view.should,
        )}
        ${this.#elements(view)}
        <div class="f-row whole">
          <label for="why">${t("wrong.why")}</label>
          <textarea
            class="input"
            id="why"
            rows="2"
            maxlength=${MAX_CHARS}
            .value=${view.why}
            @input=${this.#said("why")}
          ></textarea>
        </div>
        <p class="meta">${t("wrong.sent")}</p>
      </div>
    </section>`;
  }

  #line(field: "where" | "shows" | "should", value: string) {
    return html`<div class="f-row whole">
      <label for=${field}>${t(`wrong.${field}`)}</label>
      <input
        class="input"
        id=${field}
        maxlength=${MAX_CHARS}
        .value=${value}
        @input=${this.#said(field)}
      />
    </div>`;
  }

  /** Those that are selected in the model. */
  #elements({ elements, selected }: WrongView) {
    const set = (value: "" | "selected") => () =>
      this.emit("hp-wrong", { name: "elements", value });
    return html`<div class="f-row">
      <span class="label">${t("wrong.elements")}</span>
      ${elements.length ? html`<span>${elements.join(", ")}</span>` : nothing}
      <span class="flex wrap">
        <button class="btn s" ?disabled=${selected === 0} @click=${set("selected")}>
          ${t("wrong.pick", { n: selected })}
        </button>
        ${
          elements.length
            ? html`<button class="btn s quiet" @click=${set("")}>${t("wrong.none")}</button>`
            : nothing
        }
      </span>
    </div>`;
  }

  #said = (name: WrongField) => (event: Event) =>
    this.emit("hp-wrong", { name, value: (event.target as HTMLInputElement).value });

  /** What is pointed at comes first; then a person says what it should have been. */
  override focusHeading(): void {
    this.renderRoot.querySelector<HTMLInputElement>("#where")?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-wrong": Wrong;
  }
}
