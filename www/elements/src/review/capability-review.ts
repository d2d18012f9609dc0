/** "It may": each permission with sentence, badge and the places that need it. New first, high risk apart. UI.md §3. */

import type { CapabilityUse } from "@holdpoint/core/types";
import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { permission } from "../text/said.js";
import { riskBadge } from "./badges.js";
import { type GrantView, leftOut } from "./grants.js";

const order = { red: 0, yellow: 1, green: 2 } as const;
/** Places that are named; more of the same file add nothing. */
const MAX_PLACES = 3;

const own = css`
  .risky { border-color: var(--fail-line); margin-bottom: var(--gap); }
  .risky > .s-h { background: var(--fail-tint); border-color: var(--fail-line); }
  .type { border-top: 1px solid var(--line); display: grid; gap: var(--s-3); }
  .type label { font-size: var(--t-small); }
  .type .input { max-width: 280px; min-height: var(--control); }
`;

@customElement("hp-capability-review")
export class CapabilityReview extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, own];
  @property({ attribute: false }) view?: GrantView;
  /** The extension's id, which is typed where a high risk was added; empty when typing is not asked for. */
  @property() confirm = "";
  /** Whether an earlier version is installed: then new ones are marked. */
  @property({ type: Boolean }) upgrade = false;
  /** Whether it is what the plan says, in words; empty where nobody planned it. */
  @property() planned = "";
  /** Which of several versions it is; empty where there is one. */
  @property() letter = "";
  /** What is typed so far; the host keeps it. */
  @property() typed = "";
  /** What was unticked last: it may come back, locked, and then it has no tick that could keep the focus. */
  #unticked: string | null = null;

  protected override get state(): string {
    if (this.confirm) return this.typed === this.confirm ? "typed" : "type";
    return "plain";
  }

  override render() {
    const view = this.view;
    if (!view) return nothing;
    const isNew = (use: CapabilityUse) => view.added.includes(use.capability);
    const risky = view.uses.filter((use) => use.risk === "red" && isNew(use));
    const rest = view.uses
      .filter((use) => !risky.includes(use))
      .sort((a, b) => Number(isNew(b)) - Number(isNew(a)) || order[a.risk] - order[b.risk]);
    const granted = view.uses.filter((use) => view.granted.includes(use.declared));
    const highest = granted.sort((a, b) => order[a.risk] - order[b.risk])[0];
    const note = this.#note(view);
    return html`${risky.length ? this.#risky(view, risky) : nothing}
      <section class="sheet" aria-labelledby="h">
        <div class="s-h">
          <h3 id="h">
            ${this.letter ? t("versions.may.of", { letter: this.letter }) : t("review.may")}
          </h3>
          <span class="meta">${note}</span>
          <span class="end">${highest && !risky.length ? riskBadge(highest.risk) : nothing}</span>
        </div>
        <ul class="rows">
          ${rest.map((use) => this.#row(view, use))}${this.#nothingElse(view)}
        </ul>
        ${
          view.fault
            ? html`<p class="s-b small c-fail" role="status">${t("review.retest.fault")}</p>`
            : nothing
        }
      </section>`;
  }

  #note(view: GrantView): string {
    const out = leftOut(view);
    if (out) return t("review.may.less", { n: out });
    if (!this.upgrade) return this.planned;
    const { added, uses } = view;
    return t("review.may.changed", { n: added.length, kept: uses.length - added.length });
  }

  #risky(view: GrantView, risky: CapabilityUse[]) {
    return html`<section class="sheet risky" aria-labelledby="hr">
      <div class="s-h">
        <h3 id="hr">${t("review.high")}</h3>
        <span class="end">${riskBadge("red")}</span>
      </div>
      <ul class="rows">
        ${risky.map((use) => this.#row(view, use))}
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

  #row(view: GrantView, use: CapabilityUse) {
    const sentence = permission(use).replace(/\.$/, "");
    const isNew = this.upgrade && view.added.includes(use.capability);
    const end = html`${
      isNew ? html`<span class="badge plain">${t("review.new")}</span>` : nothing
    }${riskBadge(use.risk)}`;
    if (use.required)
      return html`<li data-testid="hp-grant-${use.capability}" tabindex="-1">
        ${icon("lock", "c-off")}<span class="vh">${t("review.locked")}</span>
        <div class="grow">${sentence}${this.#needed(view, use)}</div>
        ${end}
      </li>`;
    const id = `g-${use.capability}`;
    return html`<li>
      <input
        class="check"
        type="checkbox"
        id=${id}
        aria-describedby="${id}-why"
        data-testid="hp-grant-${use.capability}"
        .checked=${live(view.granted.includes(use.declared))}
        @change=${() => this.#toggle(view, use.declared)}
      />
      <div class="grow">
        <label for=${id}>${sentence}</label>${this.#places(use, t("review.used"))}
        <div class="sub" id="${id}-why">${why(view, use)}</div>
      </div>
      ${end}
    </li>`;
  }

  /** Who needs it: places in the code, else the contribution, else the test that failed without it. */
  #needed(view: GrantView, use: CapabilityUse) {
    const named = use.places.find((place) => place.pointer?.startsWith("/tests/"));
    const test = view.needing[use.declared] ?? named?.text;
    if (test !== undefined)
      return html`<div class="sub">${t("review.needed.test", { name: test })}</div>`;
    const part = use.places.find((place) => place.pointer !== null);
    const code = this.#places(use, t("review.needed"));
    if (code !== nothing || !part) return code;
    return html`<div class="sub">${t("review.needed.part", { pointer: part.pointer ?? "" })}</div>`;
  }

  #places(use: CapabilityUse, words: string) {
    const code = use.places.filter((place) => place.line !== null).slice(0, MAX_PLACES);
    if (code.length === 0) return nothing;
    return html`<div class="sub">
      ${words}
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
  #nothingElse({ uses, granted }: GrantView) {
    if (uses.length === 0)
      return html`<li class="c-off">
        ${icon("dash")}<span class="grow">${t("review.none.any")}</span>
      </li>`;
    const reaches = granted.some((one) => /^(network|model\.(mutate|create|delete))/.test(one));
    return reaches
      ? nothing
      : html`<li class="c-off">${icon("dash")}<span class="grow">${t("review.none")}</span></li>`;
  }

  #toggle(view: GrantView, declared: string): void {
    const granted = view.granted.includes(declared)
      ? view.granted.filter((other) => other !== declared)
      : [...view.granted, declared];
    this.#unticked = granted.includes(declared) ? null : declared;
    this.emit("hp-grants", { granted });
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const back = this.view?.uses.find((use) => use.declared === this.#unticked);
    if (!back?.required) return;
    this.#unticked = null;
    if (this.matches(":focus-within") || document.activeElement === document.body)
      this.renderRoot
        .querySelector<HTMLElement>(`li[data-testid="hp-grant-${CSS.escape(back.capability)}"]`)
        ?.focus();
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

/** What unticking or ticking an optional one does. */
function why({ granted, taken }: GrantView, use: CapabilityUse): string {
  if (taken.includes(use.capability) && !granted.includes(use.declared)) return t("review.taken");
  return t(use.places.length ? "review.optional" : "review.optional.unused");
}
