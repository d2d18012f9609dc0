/**
 * In what a summary and the change that came with it differ. It stands beside the words and closes nothing. UI.md §12,
 * "wb-claims".
 */
import { css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";

/** A point in which summary and change differ. */
export interface Claim {
  is: "unchanged" | "omitted";
  /** What the summary names, or the change does. */
  object: string;
  says: string;
  does: string;
  file: string;
}

const styles = css`
  .clm {
    border: 1px solid var(--hold-line);
    border-inline-start: 4px solid var(--hold-fill);
    border-radius: var(--r-2);
    background: var(--hold-tint);
    font-size: var(--t-small);
    line-height: var(--l-small);
    margin-top: var(--s-4);
  }
  .clm h3 {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-strong);
    padding: var(--s-4) var(--s-5) var(--s-2);
  }
  .clm li { padding: var(--s-3) var(--s-5) var(--s-4); }
  .clm li + li { border-top: 1px solid var(--hold-line); }
  .clm dl {
    display: grid;
    grid-template-columns: 64px minmax(0, 1fr);
    gap: var(--s-1) var(--s-4);
  }
  .clm dt { color: var(--text-2); font-size: var(--t-meta); line-height: var(--l-small); }
  .clm dd { overflow-wrap: anywhere; }
`;

@customElement("hp-claims")
export class Claims extends HpElement {
  static override styles = [ground, buttons, styles];
  @property({ attribute: false }) claims: readonly Claim[] = [];

  protected override get state(): string {
    return this.claims.length ? "differs" : "agrees";
  }

  override render() {
    return html`<section class="clm" data-testid="hp-claims" aria-labelledby="h-cl">
      <h3 id="h-cl">${t("claims.title")}</h3>
      <ul>
        ${this.claims.map((claim) => this.#claim(claim))}
      </ul>
    </section>`;
  }

  /** What a summary says comes first where it says it, and last where it does not. */
  #claim(claim: Claim) {
    const says = html`<dt>${t("claims.says")}</dt>
      <dd>${claim.says || t("claims.nothing")}</dd>`;
    const does = html`<dt>${t("claims.does")}</dt>
      <dd>${claim.file ? this.#link(claim) : prose(claim.does)}</dd>`;
    return html`<li data-claim=${claim.is}>
      <p class="strong flex">${icon("med", "c-hold s")}${t(`claims.${claim.is}`)}</p>
      <dl>
        ${claim.is === "unchanged" ? html`${says}${does}` : html`${does}${says}`}
      </dl>
    </li>`;
  }

  #link({ file, does }: Claim) {
    return html`<button class="link" @click=${() => this.emit("hp-show-file", { path: file })}>
      ${does}
    </button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-claims": Claims;
  }
}
