/** A state of the whole page in one line: offline, a service that does not answer, something that was not done. */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { type IconName, icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { askMore } from "./ask-more.js";
import "./copy.js";

const own = css`
  .notice {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: var(--s-4) var(--s-5);
    font-size: var(--t-small);
    line-height: var(--l-small);
    border-bottom: 1px solid var(--line-2);
    background: var(--sunken);
    color: var(--text);
  }
  .i { color: var(--text-2); }
  :host([look="fail"]) .notice { background: var(--fail-tint); }
  :host([look="fail"]) .i { color: var(--fail); }
  @media (max-width: 767px) {
    .notice {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr) auto;
      align-items: start;
      row-gap: var(--s-2);
    }
    /* Under the words, in line with them: beside them they would have no room. */
    hp-copy { grid-area: 2 / 2; justify-self: start; margin-inline-start: calc(-1 * var(--s-3)); }
    .stays { grid-area: 2 / 2; justify-self: start; }
    .close { grid-area: 1 / 3; }
    .hide-n { display: none; }
  }
`;

@customElement("hp-notice")
export class Notice extends HpElement {
  static override styles = [ground, buttons, own];
  @property({ reflect: true }) look: "plain" | "fail" = "plain";
  @property() mark: IconName = "off";
  @property() heading = "";
  @property() text = "";
  @property() also = "";
  /** Where more of the budget is asked for that refused. */
  @property() more = "";
  @property() action = "";
  /** The action is there on a narrow page too: nothing else leads on. */
  @property({ type: Boolean }) stays = false;
  /** What can be copied: code and details. */
  @property() details = "";
  /** Whether a person can put it away. */
  @property({ type: Boolean }) closes = false;

  override render() {
    return html`<div class="notice" role=${this.look === "fail" ? "alert" : "status"}>
      ${icon(this.mark)}
      <p class="grow">
        <span class="strong">${this.heading}</span> <span class="hide-n">${this.text}</span>
        <span>${prose(this.also)}</span> ${askMore(this.more)}
      </p>
      ${
        this.action
          ? html`<button
              class="btn s ${this.stays ? "stays" : "quiet hide-n"}"
              @click=${() => this.emit("hp-again")}>
              ${this.action}
            </button>`
          : nothing
      }${this.details ? html`<hp-copy .text=${this.details}></hp-copy>` : nothing}${
        this.closes
          ? html`<button
              class="btn quiet s icon close"
              aria-label=${t("app.close")}
              @click=${() => this.emit("hp-close")}
            >
              ${icon("cross", "s")}
            </button>`
          : nothing
      }
    </div>`;
  }
}
