/** Copies the details of a failure, and says so. Codes stand nowhere else. UI.md §4, §7. */
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";

const SAID_MS = 4_000;

@customElement("hp-copy")
export class Copy extends HpElement {
  static override styles = [
    ground,
    buttons,
    css`
      :host { display: inline-flex; flex-wrap: wrap; min-width: 0; }
      pre { user-select: all; max-height: 120px; white-space: pre-wrap; overflow-wrap: anywhere; }
    `,
  ];
  @property() text = "";
  @state() private copied = false;
  @state() private shown = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  protected override get state(): string {
    return this.copied ? "copied" : "ready";
  }

  override render() {
    return html`<button
        class="btn s quiet"
        type="button"
        data-testid="hp-copy"
        @click=${this.#copy}
      >
        ${icon(this.copied ? "check" : "copy", "s")}<span role="status"
          >${t(this.copied ? "app.copied" : "app.copy")}</span
        ></button
      >${
        this.shown
          ? html`<pre class="scroll mono" tabindex="0" role="group" aria-label=${t("app.copy")}>
${this.text}</pre>`
          : nothing
      }`;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text);
    } catch {
      // Without a secure address, or when the browser forbids it: the details are shown, to be copied by hand.
      this.shown = true;
      return;
    }
    this.copied = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.copied = false), SAID_MS);
  }
}
