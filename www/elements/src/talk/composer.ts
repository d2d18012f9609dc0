/**
 * The field in which a person asks: ready, sending, a call under way that can be stopped, or off with the reason.
 *
 * Enter asks, Shift Enter breaks, ↑ brings the last text, Esc stops; `@` offers files, with ↑↓ Enter Esc. The host
 * keeps the draft; the text goes when the host lets the draft go, so that what is refused is still there. UI.md §3.
 */
import { SLOW_HINT_MS } from "@holdpoint/core/editor";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { soon } from "../base/format.js";
import { icon } from "../base/icons.js";
import { calls, meters } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { askMore } from "../shell/ask-more.js";
import { t } from "../text/index.js";
import { styles } from "./composer.styles.js";
import { fitting, type NameAtCaret, namingAt, put } from "./mentions.js";
import { overBudget, overStyles } from "./over.js";
import { along, offers, tokenStyles, undecided } from "./tokens.js";
import type { ComposerView } from "./view.js";

@customElement("hp-composer")
export class Composer extends HpElement {
  static override styles = [ground, buttons, forms, calls, meters, styles, overStyles, tokenStyles];
  @property({ attribute: false }) view!: ComposerView;
  @state() private text = "";
  /** Where the caret stands while the field has the focus. */
  @state() private caret = -1;
  /** Which of the files that are offered is chosen. */
  @state() private at = 0;
  /** Where the name begins that nobody wants files for. */
  @state() private unwanted = -1;
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

  /** What is being named with `@`, and the files that fit it. */
  get #naming(): (NameAtCaret & { paths: string[] }) | null {
    const { files } = this.view;
    const naming = files && this.caret >= 0 ? namingAt(this.text, this.caret) : null;
    if (!files || !naming || naming.start === this.unwanted) return null;
    const paths = fitting(files, naming);
    return paths.length ? { ...naming, paths } : null;
  }

  override render() {
    const { view } = this;
    const { over } = view;
    const naming = this.#naming;
    const at = naming ? Math.min(this.at, naming.paths.length - 1) : -1;
    const tell = (name: string, detail: object) => this.emit(name, detail);
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
      ${naming ? offers(naming.name, naming.paths, at, (path) => this.#name(path)) : nothing}
      ${undecided(view.several ?? [], tell)}${this.#queued()}
      <div class="field">
        ${along(view.tokens ?? [], tell)}<label class="vh" for="ask">${view.label}</label
        ><textarea
          id="ask"
          rows="2"
          data-testid="hp-ask"
          placeholder=${view.placeholder}
          .value=${this.text}
          aria-describedby="why"
          aria-autocomplete=${view.files ? "list" : nothing}
          aria-controls=${naming ? "ment" : nothing}
          aria-activedescendant=${naming ? `m-${at}` : nothing}
          @input=${this.#input}
          @keydown=${this.#keys}
          @keyup=${this.#moved}
          @click=${this.#moved}
          @blur=${() => (this.caret = -1)}
        ></textarea>
        <div class="row ${view.queued === undefined ? "" : "wrap"}">
          ${chosen ? this.#modes() : nothing}${view.along === undefined ? nothing : this.#along()}${
            below ? nothing : this.#line("span")
          }
          <span class="end"
            ><slot></slot>${view.since === null ? this.#ask() : html`${this.#next()}${this.#stop()}`}</span
          >
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

  /** While a run goes on the next request can wait for its end. */
  #next() {
    if (this.view.queued !== null) return nothing;
    const off = this.text.trim() === "" || this.#long > 0;
    return html`<button
      type="button"
      class="btn s quiet"
      data-testid="hp-queue"
      ?disabled=${off}
      @click=${() => this.emit("hp-queue", { text: this.text.trim() })}
    >
      ${t("composer.queue")}
    </button>`;
  }

  /** What waits for the end of the run. */
  #queued() {
    const { queued } = this.view;
    if (!queued) return nothing;
    return html`<section class="queued" data-testid="hp-queued" aria-label=${t("composer.queued")}>
      <p><span class="strong">${t("composer.queued")}</span> ${queued}</p>
      <p class="meta">${this.view.hint}</p>
      <p class="acts-r">
        <button type="button" class="btn s" @click=${() => this.emit("hp-unqueue")}>
          ${t("composer.queue.not")}
        </button>
      </p>
    </section>`;
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
    const { off, more = "" } = this.view;
    if (more && this.#off === off) return html`${off} ${askMore(more)}`;
    return this.#off || hint;
  }

  get #closed(): boolean {
    return this.view.sending || this.#off !== "";
  }

  /** Why asking is off; empty while it is on. */
  get #off(): string {
    if (this.view.over) return t("composer.off.over");
    if (this.#long > 0) return t("composer.off.long", { n: this.#long });
    const open = this.view.several?.[0]?.raw;
    if (open) return t("composer.off.several", { name: open });
    const unplaced = this.view.tokens?.find(({ places, at }) => places.length > 1 && at === null);
    if (unplaced) return t("composer.off.place", { name: unplaced.label });
    if (this.view.off || this.#wait <= 0) return this.view.off;
    return t("composer.off.wait", { when: soon(this.view.waits, this.view.now) });
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
    this.#moved();
    this.at = 0;
    this.#write(this.area.value);
    if (this.text[this.unwanted] !== "@") this.unwanted = -1;
  }

  readonly #moved = (): void => {
    this.caret =
      this.area.selectionStart === this.area.selectionEnd ? this.area.selectionStart : -1;
  };

  /** A file that is offered is named in the place of what was written of it. */
  #name(path: string): void {
    const naming = this.#naming;
    if (!naming) return;
    const { text, caret } = put(this.text, path, naming.start, this.caret);
    this.#write(text);
    this.caret = -1;
    void this.updateComplete.then(() => {
      this.area.focus();
      this.area.setSelectionRange(caret, caret);
    });
  }

  /** Keys of the files that are offered; true where one was its. */
  #choosing(event: KeyboardEvent): boolean {
    const naming = this.#naming;
    if (!naming) return false;
    const n = naming.paths.length;
    const at = Math.min(this.at, n - 1);
    if (event.key === "ArrowDown") this.at = (at + 1) % n;
    else if (event.key === "ArrowUp") this.at = (at + n - 1) % n;
    else if (event.key === "Escape") this.unwanted = naming.start;
    else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab")
      this.#name(naming.paths[at] ?? "");
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #write(text: string): void {
    this.text = text;
    this.#agreed = text;
    this.emit("hp-draft", { text });
  }

  #keys(event: KeyboardEvent): void {
    if (event.isComposing || this.#choosing(event)) return;
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
    const some = text !== "" || (this.view.tokens?.length ?? 0) > 0;
    if (some && since === null && !this.#closed) this.emit("hp-ask", { text, mode });
  }
}
