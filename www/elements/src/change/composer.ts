/**
 * The request. States: ready, sending, off with the reason (the draft is kept). Enter sends, Shift Enter breaks, ↑
 * brings the last text.
 */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { icon } from "../base/icons.js";
import { Prompt } from "../base/prompt.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { styles } from "./composer.styles.js";

/** What Enter asks for: a new change, or other words for the plan at the gate. */
export type AskMode = "ask" | "adjust";

@customElement("hp-composer")
export class Composer extends Prompt {
  static override styles = [ground, buttons, forms, styles];
  /** The draft. The host keeps it; the element says each change with `hp-draft`. */
  @property() draft = "";
  @property() mode: AskMode = "ask";
  @property() placeholder = "";
  @property() hint = "";
  /** Why asking is off; empty while it is on. */
  @property() off = "";
  @property({ type: Boolean }) sending = false;
  /** The last text that was asked, for ↑. */
  @property() last = "";

  protected override get state(): string {
    if (this.sending) return "sending";
    return this.off ? "off" : "ready";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("draft")) this.text = this.draft;
  }

  override render() {
    const adjust = this.mode === "adjust";
    const off = this.off !== "" || this.sending;
    const word = adjust ? t("composer.adjust") : t("composer.ask");
    return html`<form class="composer" ?data-off=${this.off !== ""} @submit=${this.submit}>
      <label class="vh" for="ask"
        >${adjust ? t("composer.adjust.label") : t("composer.label")}</label
      >
      <div class="field">
        <textarea
          id="ask"
          rows="2"
          data-testid="hp-ask"
          placeholder=${this.placeholder}
          .value=${this.text}
          aria-describedby="why"
          maxlength="8000"
          @input=${this.input}
          @keydown=${this.keys}
        ></textarea>
        <div class="row">
          <span class="meta ${this.off ? "" : "quiet"}" id="why"
            >${
              this.sending
                ? html`${icon("spin", "s spin")} ${t("composer.sending")}`
                : this.off || this.hint
            }</span
          >
          <span class="end"
            ><slot></slot
            ><button
              class="btn s ${off || adjust ? "" : "primary"}"
              type="submit"
              data-testid="hp-send"
              ?disabled=${off}
              aria-describedby=${off ? "why" : nothing}
            >
              ${word}
            </button></span
          >
        </div>
      </div>
    </form>`;
  }

  protected override get previous(): string {
    return this.last;
  }

  protected override send(text: string): void {
    if (this.off || this.sending) return;
    this.text = "";
    this.emit("hp-ask", { text, mode: this.mode });
  }
}
