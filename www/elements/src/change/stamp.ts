/** Who signed, when, and the fingerprint. Pressed once; dashed while it is not stored. Also in one line. */
import { html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { dateTime } from "../base/format.js";
import { icon } from "../base/icons.js";
import { ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { styles } from "./stamp.styles.js";

/** Longest name that fits inside the ring. */
const MAX_NAME = 12;

@customElement("hp-stamp")
export class Stamp extends HpElement {
  static override styles = [ground, styles];
  /** A name; empty for the person who looks at it. */
  @property() who = "";
  @property({ type: Number }) at = 0;
  @property() print = "";
  @property({ type: Number }) change = 0;
  @property({ type: Boolean, reflect: true }) dashed = false;
  @property({ type: Boolean, reflect: true }) fresh = false;
  @property({ type: Boolean }) line = false;

  protected override get state(): string {
    return this.dashed ? "device" : "stored";
  }

  override render() {
    const at = dateTime(this.at);
    if (this.line)
      return html`<span
        >${icon("check", "s c-pass")}
        ${
          this.who
            ? t("stamp.line", { who: this.who, when: at })
            : t("stamp.line.you", { when: at })
        }</span
      >`;
    const { print } = this;
    const label = this.who
      ? t("stamp.label", { who: this.who, when: at, print })
      : t("stamp.label.you", { when: at, print });
    return html`<svg class="stamp" viewBox="0 0 132 132" role="img" aria-label=${label}>
      <defs>
        <path id="arc1" d="M14 66a52 52 0 01104 0"></path>
        <path id="arc2" d="M9 66a57 57 0 00114 0"></path>
      </defs>
      <circle
        class="ring"
        cx="66"
        cy="66"
        r="63"
        fill="none"
        stroke="currentColor"
        stroke-width="2.5"
      ></circle>
      <circle cx="66" cy="66" r="44" fill="none" stroke="currentColor" stroke-width="1.2"></circle>
      <text font-size="11.5" font-weight="700" letter-spacing="2.6">
        <textPath href="#arc1" startOffset="50%" text-anchor="middle">
          ${t("stamp.approved")}
        </textPath>
      </text>
      <text font-size="9" font-weight="600" letter-spacing="1.5">
        <textPath href="#arc2" startOffset="50%" text-anchor="middle">
          ${t("stamp.change", { n: this.change })}
        </textPath>
      </text>
      <g stroke="currentColor" stroke-width="2" fill="none" stroke-linecap="square">
        <path d="M50 40h36M59 32v16M73 32v16"></path>
      </g>
      <text x="66" y="66" font-size="11" font-weight="700" text-anchor="middle">
        ${(this.who || t("stamp.you")).slice(0, MAX_NAME).toUpperCase()}
      </text>
      <text x="66" y="80" font-size="9.5" text-anchor="middle">${at.toUpperCase()}</text>
      <text x="66" y="93" font-size="9.5" font-weight="700" text-anchor="middle" class="fpt">
        ${this.print}
      </text>
    </svg>`;
  }
}
