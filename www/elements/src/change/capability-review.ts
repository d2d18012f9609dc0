/** "It may": each permission with sentence, badge and the places that need it. New first, high risk apart. UI.md §3. */

import type { CapabilityUse } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { spoken } from "../text/spoken.js";
import { riskBadge } from "./badges.js";

const order = { red: 0, yellow: 1, green: 2 } as const;
/** Places that are named; more of the same file add nothing. */
const MAX_PLACES = 3;

const own = css`
  .risky { border-color: var(--fail-line); margin-bottom: var(--gap); }
  .risky > .s-h { background: var(--fail-tint); border-color: var(--fail-line); }
  .type { border-top: 1px solid var(--line); display: grid; gap: var(--s-3); }
  .type label { font-size: var(--t-small); }
  .type .input { max-width: 280px; min-height: var(--control); }
  .link {
    font: inherit;
    color: var(--action);
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
    text-decoration: underline;
    text-underline-offset: 2px;
  }
`;

@customElement("hp-capability-review")
export class CapabilityReview extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, own];
  @property({ attribute: false }) capabilities: CapabilityUse[] = [];
  /** Capabilities that stay granted. */
  @property({ attribute: false }) granted: string[] = [];
  /** The extension's id, which is typed where a high risk was added; empty when typing is not asked for. */
  @property() confirm = "";
  /** Whether an earlier version is installed: then new ones are marked. */
  @property({ type: Boolean }) upgrade = false;
  /** What is typed so far; the host keeps it. */
  @property() typed = "";

  protected override get state(): string {
    if (this.confirm) return this.typed === this.confirm ? "typed" : "type";
    return "plain";
  }

  override render() {
    const risky = this.capabilities.filter((use) => use.risk === "red" && use.new);
    const rest = this.capabilities
      .filter((use) => !risky.includes(use))
      .sort((a, b) => Number(b.new) - Number(a.new) || order[a.risk] - order[b.risk]);
    const highest = [...this.capabilities].sort((a, b) => order[a.risk] - order[b.risk])[0];
    const added = this.capabilities.filter((use) => use.new).length;
    const note = this.upgrade
      ? t("review.may.changed", { n: added, kept: this.capabilities.length - added })
      : t("review.may.plan");
    return html`${risky.length ? this.#risky(risky) : nothing}
      <section class="sheet" aria-labelledby="h">
        <div class="s-h">
          <h3 id="h">${t("review.may")}</h3>
          <span class="meta">${note}</span>
          <span class="end">${highest && !risky.length ? riskBadge(highest.risk) : nothing}</span>
        </div>
        <ul class="rows">
          ${rest.map((use) => this.#row(use))}${this.#nothingElse()}
        </ul>
      </section>`;
  }

  #risky(risky: CapabilityUse[]) {
    return html`<section class="sheet risky" aria-labelledby="hr">
      <div class="s-h">
        <h3 id="hr">${t("review.high")}</h3>
        <span class="end">${riskBadge("red")}</span>
      </div>
      <ul class="rows">
        ${risky.map(
          (use) =>
            html`<li data-testid="hp-grant-${use.capability}">
              ${icon("globe", "c-fail")}<span class="grow"
                >${spoken(use.sentence)}${this.#places(use)}</span
              >
            </li>`,
        )}
      </ul>
      ${
        this.confirm
          ? html`<div class="s-b type">
              <label for="typed">${t("review.type", { id: this.confirm })}</label>
              <input
                class="input mono"
                id="typed"
                autocomplete="off"
                spellcheck="false"
                .value=${this.typed}
                aria-describedby="typed-h"
                @input=${this.#type}
              />
              <p class="meta" id="typed-h">${t("review.type.why")}</p>
            </div>`
          : nothing
      }
    </section>`;
  }

  #row(use: CapabilityUse) {
    const sentence = spoken(use.sentence).replace(/\.$/, "");
    const mark =
      this.upgrade && use.new ? html`<span class="badge plain">${t("review.new")}</span>` : nothing;
    if (use.required)
      return html`<li data-testid="hp-grant-${use.capability}">
        ${icon("check", "c-pass")}<span class="grow">${sentence}${this.#places(use)}</span
        >${mark}${riskBadge(use.risk)}
      </li>`;
    const id = `g-${use.capability}`;
    return html`<li>
      <input
        class="check"
        type="checkbox"
        id=${id}
        data-testid="hp-grant-${use.capability}"
        .checked=${this.granted.includes(use.capability)}
        @change=${() => this.#toggle(use.capability)}
      />
      <div class="grow">
        <label for=${id}>${sentence}</label>${this.#places(use)}
        <div class="sub">${t("review.optional")}</div>
      </div>
      ${mark}${riskBadge(use.risk)}
    </li>`;
  }

  #places(use: CapabilityUse) {
    const code = use.places.filter((place) => place.line !== null).slice(0, MAX_PLACES);
    if (code.length === 0) return nothing;
    return html`<div class="sub">
      ${t("review.needed")}
      ${code.map(
        (place, i) =>
          html`${i ? ", " : ""}<button
              class="link"
              @click=${() => this.#open(place.path, place.line ?? 1)}
            >
              ${t("review.place", { path: place.path, line: place.line ?? 1 })}
            </button>`,
      )}
    </div>`;
  }

  /** What it cannot do, said where nothing of the kind is asked for. */
  #nothingElse() {
    if (this.capabilities.length === 0)
      return html`<li class="c-off">
        ${icon("dash")}<span class="grow">${t("review.none.any")}</span>
      </li>`;
    const reaches = this.capabilities.some((use) =>
      /^(network|model\.(mutate|create|delete))/.test(use.capability),
    );
    return reaches
      ? nothing
      : html`<li class="c-off">${icon("dash")}<span class="grow">${t("review.none")}</span></li>`;
  }

  #toggle(capability: string): void {
    const granted = this.granted.includes(capability)
      ? this.granted.filter((other) => other !== capability)
      : [...this.granted, capability];
    this.emit("hp-grants", { granted });
  }

  #type(event: Event): void {
    this.typed = (event.target as HTMLInputElement).value;
    this.emit("hp-typed", { id: this.typed });
  }

  #open(path: string, line: number): void {
    const at = { line, column: 1 };
    this.emit("hp-open-source", { path, range: { start: at, end: at } });
  }
}
