/**
 * The field in which a person asks: ready, sending, a call under way that can be stopped, or off with the reason.
 *
 * Enter asks, Shift Enter breaks, ↑ brings the last text, Esc stops. The host keeps the draft; the text goes when the
 * host lets the draft go, so that what is refused is still there. UI.md §3.
 */
import { SLOW_HINT_MS } from "@holdpoint/core/editor";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { calls, meters } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { styles } from "./composer.styles.js";
import { overBudget, overStyles } from "./over.js";
import type { ComposerView } from "./view.js";

@customElement("hp-composer")
export class Composer extends HpElement {
  static override styles = [ground, buttons, forms, calls, meters, styles, overStyles];
  @property({ attribute: false }) view!: ComposerView;
  @state() private text = "";
  @query("textarea") private area!: HTMLTextAreaElement;
  /** The draft as host and field last agreed on it. */
  #agreed = "";

  protected override get state(): string {
    const { since, over, sending } = this.view;
    if (since !== null) return "running";
    if (over) return "overbudget";
    if (sending) return "sending";
    return this.#off ? "off" : "ready";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("view") || this.view.draft === this.#agreed) return;
    this.text = this.view.draft;
    this.#agreed = this.view.draft;
  }

  override render() {
    const { view } = this;
    const { over } = view;
    const chosen = view.modes.length > 0;
    const below = chosen || view.along !== undefined;
    return html`<form
      class="composer"
      data-testid=${view.ids?.form ?? "hp-composer"}
      ?data-off=${view.off !== "" || this.#wait > 0}
      @submit=${this.#submit}
    >
      ${
        over
          ? overBudget(
              over,
              view.mode === "edit" ? () => this.emit("hp-way", { way: "chat" }) : null,
              () => this.focus(),
            )
          : nothing
      }
      <div class="field">
        <label class="vh" for="ask">${view.label}</label
        ><textarea
          id="ask"
          rows="2"
          data-testid="hp-ask"
          placeholder=${view.placeholder}
          .value=${this.text}
          aria-describedby="why"
          @input=${this.#input}
          @keydown=${this.#keys}
        ></textarea>
        <div class="row">
          ${chosen ? this.#modes() : nothing}${view.along === undefined ? nothing : this.#along()}${
            below ? nothing : this.#line("span")
          }
          <span class="end"><slot></slot>${view.since === null ? this.#ask() : this.#stop()}</span>
        </div>
      </div>
      ${below ? this.#line("p") : nothing}
    </form>`;
  }

  #along() {
    const { along, ids } = this.view;
    return html`<span class="meta" data-testid=${ids?.along ?? nothing}>${along}</span>`;
  }

  #modes() {
    const { mode, modes } = this.view;
    return html`<span class="seg" role="group" aria-label=${t("composer.mode")}
      >${modes.map(
        (one) =>
          html`<button
            type="button"
            aria-pressed=${mode === one}
            data-testid="hp-mode-${one}"
            @click=${() => this.emit("hp-mode", { mode: one })}
          >
            ${t(`composer.mode.${one}`)}
          </button>`,
      )}</span
    >`;
  }

  #stop() {
    return html`<button
      type="button"
      class="btn s"
      data-testid=${this.view.ids?.stop ?? "hp-cancel"}
      @click=${() => this.emit("hp-stop")}
    >
      ${icon("stop", "s")}<span>${t("composer.stop")}</span>
    </button>`;
  }

  /** Other words for a plan are not the step that comes next: their button is no filled one. */
  #ask() {
    const off = this.#closed;
    const { mode } = this.view;
    return html`<button
      class="btn s ${off || mode === "adjust" ? "" : "primary"}"
      type="submit"
      data-testid=${this.view.ids?.send ?? "hp-send"}
      ?disabled=${off}
      aria-describedby=${off ? "why" : nothing}
    >
      ${t(mode === "adjust" ? "composer.adjust" : "composer.ask")}
    </button>`;
  }

  /** What goes along, why asking is off, or what stopping does: beside the button, or below the field. */
  #line(where: "span" | "p") {
    const loud = this.view.since !== null || this.#off !== "";
    const look = `meta ${loud ? "" : "quiet"}`;
    return where === "p"
      ? html`<p class=${look} id="why">${this.#words()}</p>`
      : html`<span class=${look} id="why">${this.#words()}</span>`;
  }

  #words() {
    const { since, now, sending, hint } = this.view;
    if (since !== null)
      return now - since > SLOW_HINT_MS
        ? html`<span class="warn" role="status">${t("composer.slow")}</span>`
        : (this.view.stopping ?? t("composer.running"));
    if (sending) return html`${icon("spin", "s spin")} ${t("composer.sending")}`;
    return this.#off || hint;
  }

  get #closed(): boolean {
    return this.view.sending || this.#off !== "";
  }

  /** Why asking is off; empty while it is on. */
  get #off(): string {
    if (this.view.over) return t("composer.off.over");
    if (this.#long > 0) return t("composer.off.long", { n: this.#long });
    return this.view.off || (this.#wait > 0 ? t("composer.off.wait", { n: this.#wait }) : "");
  }

  /** Seconds before which the edge would refuse again. */
  get #wait(): number {
    const { waits, now } = this.view;
    return Math.max(0, Math.ceil((waits - now) / 1_000));
  }

  /** By how many characters the text is too long; counted as the edge counts them. */
  get #long(): number {
    return [...this.text.trim()].length - this.view.limit;
  }

  /** Puts a text into the field, for a click on an example: it fills, it does not send. */
  fill(text: string): void {
    this.#write(text);
    void this.updateComplete.then(() => {
      this.area.focus();
      this.area.setSelectionRange(text.length, text.length);
    });
  }

  override focus(): void {
    this.area.focus();
  }

  #input(): void {
    this.#write(this.area.value);
  }

  #write(text: string): void {
    this.text = text;
    this.#agreed = text;
    this.emit("hp-draft", { text });
  }

  #keys(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Escape" && this.view.since !== null) this.emit("hp-stop");
    // A key that is held asks once, also where the answer is a refusal at once.
    if (event.key === "Enter" && !event.shiftKey) {
      if (event.repeat) event.preventDefault();
      else this.#submit(event);
    }
    if (event.key === "ArrowUp" && this.text === "" && this.view.last) {
      event.preventDefault();
      this.fill(this.view.last);
    }
  }

  #submit(event: Event): void {
    event.preventDefault();
    const { since, mode } = this.view;
    const text = this.text.trim();
    if (text && since === null && !this.#closed) this.emit("hp-ask", { text, mode });
  }
}
