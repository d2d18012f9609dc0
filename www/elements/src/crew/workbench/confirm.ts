/**
 * The one dialog: each delete and each secret by its name, who still cites it, one tick, and the signature with the
 * same fingerprint. The heading has the focus; Esc goes back. UI.md §12 "wb-confirm".
 */
import { css, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../../base/element.js";
import { type IconName, icon } from "../../base/icons.js";
import { sheets } from "../../base/sheets.js";
import { buttons, forms, ground } from "../../base/styles.js";
import { visible } from "../../base/unseen.js";
import "../../review/approval.js";
import { t } from "../../text/index.js";
import type { ConfirmView } from "./view.js";

const styles = css`
  dialog {
    width: min(520px, calc(100vw - 24px));
    max-height: calc(100dvh - 24px);
    overflow: auto;
    padding: 0;
    border: 0;
    border-radius: var(--r-3);
    background: var(--raised);
    color: var(--text);
    box-shadow: var(--e-3);
  }
  dialog::backdrop { background: rgb(8 16 14 / .28); }
  h2 { font-size: var(--t-head); line-height: var(--l-head); font-weight: var(--w-strong); }
  h2:focus { outline: none; }
  .d-b {
    padding: var(--s-6);
    display: grid;
    gap: var(--s-5);
    font-size: var(--t-small);
    line-height: var(--l-small);
    grid-template-columns: minmax(0, 1fr);
  }
  .rows { border: 1px solid var(--line-2); border-radius: var(--r-2); }
  .rows .mono { overflow-wrap: anywhere; }
  .tick { display: flex; gap: var(--s-4); align-items: flex-start; cursor: pointer; }
`;

@customElement("hp-wb-confirm")
export class WorkbenchConfirm extends HpElement {
  static override styles = [ground, buttons, forms, sheets, styles];
  @property({ attribute: false }) view!: ConfirmView;
  @query("dialog") private dialog!: HTMLDialogElement;

  protected override get state(): string {
    return this.view.confirmed ? "confirmed" : "waits";
  }

  override render() {
    const { deletes, secrets, confirmed, sending, foot } = this.view;
    return html`<dialog
      data-testid="wb-confirm"
      aria-labelledby="h"
      @cancel=${this.#back}
      @close=${() => this.emit("hp-act", { id: "confirm-back" })}
    >
      <div class="d-b">
        <h2 id="h" tabindex="-1" autofocus>${this.view.heading}</h2>
        <ul class="rows">
          ${deletes.map((one) => row("trash", one))}${secrets.map((one) => row("lock", one))}
        </ul>
        <label class="tick"
          ><input
            class="check"
            type="checkbox"
            data-testid="wb-confirm-tick"
            .checked=${confirmed}
            ?disabled=${sending}
            @change=${(event: Event) =>
              this.emit("hp-confirmed", { confirmed: (event.target as HTMLInputElement).checked })}
          /><span
            >${t(secrets.length && !deletes.length ? "wb.confirm.tick.secret" : "wb.confirm.tick")}</span
          ></label
        >
      </div>
      <hp-approval .view=${foot}></hp-approval>
    </dialog>`;
  }

  protected override firstUpdated(): void {
    this.dialog.showModal();
    this.renderRoot.querySelector<HTMLElement>("#h")?.focus();
  }

  /** While it is on its way nothing closes it. */
  #back = (event: Event): void => {
    if (this.view.sending) event.preventDefault();
  };
}

const row = (mark: IconName, { path, sub }: { path: string; sub: string }) =>
  html`<li>
    ${icon(mark, "c-fail")}
    <div>
      <p class="mono strong" translate="no">${visible(path)}</p>
      ${sub ? html`<p class="sub">${visible(sub)}</p>` : nothing}
    </div>
  </li>`;

declare global {
  interface HTMLElementTagNameMap {
    "hp-wb-confirm": WorkbenchConfirm;
  }
}
