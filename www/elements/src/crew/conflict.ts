/**
 * Somebody else saved first: what happened, what is kept, both put together with a choice where both changed the same,
 * and the two ways on that take one side whole. UI.md §12.
 */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { HpElement } from "../base/element.js";
import { calls } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import "../diff/diff.js";
import { t } from "../text/index.js";
import { callHead } from "./crew.styles.js";
import type { ConflictView, MergePlace, MergeView } from "./view.js";

const own = css`
  :host { display: grid; gap: var(--s-4); grid-template-columns: minmax(0, 1fr); }
  fieldset {
    border: 1px solid var(--line-2);
    border-radius: var(--r-1);
    background: var(--surface);
    padding: 0;
    margin: 0;
    min-width: 0;
  }
  legend {
    font-weight: var(--w-strong);
    padding: 0 var(--s-3);
    margin-inline-start: var(--s-3);
    overflow-wrap: anywhere;
  }
  fieldset label {
    display: grid;
    grid-template-columns: auto 76px minmax(0, 1fr);
    gap: var(--s-3);
    align-items: start;
    padding: var(--s-3) var(--s-4);
    cursor: pointer;
  }
  fieldset label + label { border-top: 1px solid var(--line); }
  .said { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 160px; overflow: auto; }
  @media (max-width: 767px) {
    fieldset label { grid-template-columns: auto minmax(0, 1fr); }
    .said { grid-column: 2; }
  }
`;

@customElement("hp-crew-conflict")
export class CrewConflict extends HpElement {
  static override styles = [ground, buttons, forms, calls, callHead, own];
  @property({ attribute: false }) view!: ConflictView;

  override render() {
    const { text, files, left, right, merge } = this.view;
    return html`<section class="call hold" role="alert" data-testid="hp-conflict" aria-labelledby="h">
        <h2 id="h">${t("crew.conflict")}</h2>
        <dl class="w3">
          <dt>${t("crew.conflict.what")}</dt>
          <dd>${text}</dd>
          <dt>${t("crew.conflict.kept")}</dt>
          <dd>${t("crew.conflict.kept.text")}</dd>
        </dl>
      </section>
      <section class="call" data-testid="hp-merge" aria-labelledby="h-mg">
        <h2 id="h-mg">${t("crew.merge")}</h2>
        <p>${merge.places.length ? t("crew.merge.places", { n: merge.places.length }) : t("crew.merge.clean")}</p>
        ${merge.places.map((one, n) => this.#place(one, n))}${this.#ways(merge)}
      </section>
      ${
        files.length
          ? html`<hp-diff
              .files=${files}
              choosing="none"
              left=${left}
              right=${right}
              layout="uni"
            ></hp-diff>`
          : nothing
      }`;
  }

  #place({ key, place, mine, theirs, chosen }: MergePlace, n: number) {
    const side = (which: "theirs" | "mine", words: string | null) =>
      html`<label
        ><input
          type="radio"
          name="place-${n}"
          .checked=${live(chosen === which)}
          @change=${() => this.emit("hp-side", { key, side: which })}
        /><span>${t(`crew.merge.${which}`)}</span
        ><span class="said ${words === null ? "quiet" : "mono"}" translate=${words === null ? nothing : "no"}
          >${words === null ? t("crew.merge.nothing") : words.replace(/\n$/, "")}</span
        ></label
      >`;
    return html`<fieldset data-place=${key}>
      <legend translate="no">${place}</legend>
      ${side("theirs", theirs)}${side("mine", mine)}
    </fieldset>`;
  }

  #ways({ open }: MergeView) {
    return html`<div class="flex wrap acts-c">
      <button
        class="btn s primary"
        data-testid="hp-save-both"
        ?disabled=${open > 0}
        aria-describedby=${open ? "open" : nothing}
        @click=${() => this.emit("hp-settle", { way: "both" })}
      >
        ${t("crew.merge.save")}</button
      ><button class="btn s" data-testid="hp-take-theirs" @click=${() => this.emit("hp-settle", { way: "theirs" })}>
        ${t("crew.conflict.theirs")}</button
      ><button class="btn s" data-testid="hp-save-mine" @click=${() => this.emit("hp-settle", { way: "mine" })}>
        ${t("crew.conflict.mine")}</button
      >${open ? html`<span class="meta" id="open" role="status">${t("crew.merge.open", { n: open })}</span>` : nothing}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-conflict": CrewConflict;
  }
}
