/**
 * The text of a key that was made now, to be taken along. It is drawn until its maker says that they have it, and is
 * then nowhere: not in the page, not in what the device keeps, not in the address.
 */
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { dateTime } from "../base/format.js";
import { icon } from "../base/icons.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { parts } from "./usage.styles.js";
import type { KeysView } from "./view.js";

const own = css`
  .once { background: var(--hold-tint); border-inline-start: 4px solid var(--hold-fill); }
  code {
    display: block;
    padding: var(--s-4) var(--s-5);
    border: 1px solid var(--line-control);
    border-radius: var(--r-2);
    background: var(--surface);
    overflow-wrap: anywhere;
    user-select: all;
  }
`;

@customElement("hp-key-once")
export class KeyOnce extends HpElement {
  static override styles = [ground, buttons, parts, own];
  @property({ attribute: false }) view!: NonNullable<KeysView["once"]>;
  @state() private copied = false;

  override render() {
    const { label, key, previous } = this.view;
    return html`<div class="form once" role="group" aria-labelledby="h-once">
      <h3 id="h-once" tabindex="-1">${t("usage.once", { name: label })}</h3>
      <p>${t("usage.once.text")}</p>
      <code data-testid="hp-key-text" translate="no">${key}</code>
      ${
        previous === null
          ? nothing
          : html`<p class="meta">${t("usage.key.old", { until: dateTime(previous) })}</p>`
      }
      <div class="flex wrap">
        <button class="btn" data-testid="hp-key-copy" @click=${this.#copy}>
          ${icon(this.copied ? "check" : "copy", "s")}<span role="status"
            >${t(this.copied ? "app.copied" : "usage.once.copy")}</span
          ></button
        ><button
          class="btn primary"
          data-testid="hp-key-kept"
          @click=${() => this.emit("hp-key", { action: "kept" })}
        >
          ${t("usage.once.kept")}
        </button>
      </div>
    </div>`;
  }

  /** Where the browser forbids it, the text is selected, to be copied by hand. */
  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.view.key);
      this.copied = true;
    } catch {
      const code = this.renderRoot.querySelector("code");
      if (code) getSelection()?.selectAllChildren(code);
    }
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("h3")?.focus();
  }
}
