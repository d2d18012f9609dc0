/**
 * The foot of an editor: what is not saved, Drop my edits, Save and check; no signature. States: clean, edited, queued
 * (it waits on this device), saving, conflict. UI.md §12 "Editor".
 */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { statusBar } from "./crew.styles.js";
import type { FootView } from "./view.js";

@customElement("hp-crew-foot")
export class CrewFoot extends HpElement {
  static override styles = [ground, buttons, badges, statusBar];
  @property({ attribute: false }) view!: FootView;

  protected override get state(): string {
    return this.view.state;
  }

  override render() {
    const { state, off, errors } = this.view;
    const idle = state === "clean";
    const closed = idle || state === "saving" || state === "conflict" || off !== "";
    return html`<div class="p-foot statusbar">
      ${
        errors
          ? html`<span class="badge fail"
              >${icon("bad", "s")}<span>${t("crew.errors", { n: errors })}</span></span
            >`
          : nothing
      }<span class=${off ? "" : "meta"} id="why">${off || this.#words()}</span>
      <span class="end"
        ><slot></slot>${
          idle
            ? nothing
            : html`<button
                class="btn quiet"
                data-testid="hp-drop"
                ?disabled=${state === "saving"}
                @click=${() => this.emit("hp-drop")}
              >
                ${t("crew.edit.drop")}
              </button>`
        }<button
          class="btn ${closed ? "" : "primary"}"
          data-testid="hp-save"
          ?disabled=${closed}
          aria-describedby=${closed ? "why" : nothing}
          @click=${() => this.emit("hp-save")}
        >
          ${state === "saving" ? icon("spin", "s spin") : nothing}<span>${t("crew.edit.save")}</span>
        </button></span
      >
    </div>`;
  }

  #words(): string {
    const { state, files: n } = this.view;
    if (state === "clean") return t("crew.edit.none");
    if (state === "saving") return t("crew.edit.saving");
    if (state === "conflict") return t("crew.conflict");
    return t(state === "queued" ? "crew.edit.queued" : "crew.edit.unsaved", { n });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-foot": CrewFoot;
  }
}
