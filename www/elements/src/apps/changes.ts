/** The files of a proposal or of a comparison: what happened to each, and whether it is taken. */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { type DiffFile, linesOf } from "../diff/view.js";
import { t } from "../text/index.js";
import type { AppReviewView } from "./view.js";

const letters = { added: "A", modified: "M", deleted: "D", renamed: "R" } as const;

const own = css`
  li {
    display: grid;
    grid-template-columns: auto 16px minmax(0, 1fr) auto;
    align-items: start;
    gap: var(--s-2) var(--s-3);
    padding: var(--s-3) var(--s-5);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  li.out .name { text-decoration: line-through; color: var(--text-3); }
  .letter { font-family: var(--mono); font-weight: var(--w-strong); color: var(--action); }
  .letter.added { color: var(--pass); }
  .letter.deleted { color: var(--fail); }
  .sub { display: block; color: var(--text-2); font-size: var(--t-meta); overflow-wrap: anywhere; }
  .link { color: inherit; text-decoration: none; }
  .link:hover { text-decoration: underline; }
  .check { margin-top: 1px; }
  .check:indeterminate { background: var(--action-fill); border-color: var(--action-fill); }
  .check:indeterminate::after { border-width: 0 0 2px; transform: translateY(-3px); }
`;

@customElement("hp-app-changes")
export class AppChanges extends HpElement {
  static override styles = [ground, buttons, forms, sheets, own];
  @property({ attribute: false }) files: readonly DiffFile[] = [];
  /** Null where nothing is chosen. */
  @property({ attribute: false }) taken: AppReviewView["taken"] | null = null;
  @property({ type: Boolean }) disabled = false;
  /** What can be done with one file, beside looking at it. */
  @property() act = "";

  override render() {
    return html`<ul>
      ${this.files.map((file) => this.#file(file))}
    </ul>`;
  }

  #file(file: DiffFile) {
    const { path, status = "modified" } = file;
    const at = path.lastIndexOf("/");
    const { added, deleted } = linesOf([file]);
    const some = isTaken(this.taken?.[path]);
    return html`<li class=${some ? "" : "out"} data-path=${path}>
      ${this.taken ? this.#tick(file, some) : html`<span></span>`}<span
        class="letter ${status}"
        title=${t(`apps.file.${status}`)}
        >${letters[status]}<span class="vh"> ${t(`apps.file.${status}`)}</span></span
      ><span
        ><button
          class="link name"
          translate="no"
          @click=${() => this.emit("hp-show-place", { path, hunk: null })}
        >
          ${path.slice(at + 1)}</button
        >${at > 0 ? html`<span class="sub mono" translate="no">${path.slice(0, at)}</span>` : nothing}${
          this.act
            ? html`<button
                class="btn s quiet"
                ?disabled=${this.disabled}
                @click=${() => this.emit("hp-revert-file", { path })}
              >
                ${icon("history", "s")}<span>${this.act}</span>
              </button>`
            : nothing
        }</span
      ><span class="meta nowrap"
        ><span class="c-pass">+${added}</span>
        <span class=${deleted ? "c-fail" : ""}>−${deleted}</span></span
      >
    </li>`;
  }

  /** Some of a file's places are taken: the tick stands between. */
  #tick({ path, diff }: DiffFile, some: boolean) {
    const taken = this.taken?.[path];
    const part =
      Array.isArray(taken) && taken.length > 0 && taken.length < (diff?.hunks.length ?? 0);
    return html`<input
      class="check"
      type="checkbox"
      data-testid="hp-take-file"
      .checked=${some}
      .indeterminate=${part}
      ?disabled=${this.disabled}
      aria-label=${t("apps.review.take", { path })}
      @change=${(event: Event) =>
        this.emit("hp-take-file", { path, take: (event.target as HTMLInputElement).checked })}
    />`;
  }
}

const isTaken = (taken: boolean | readonly string[] | undefined): boolean =>
  taken === undefined || taken === true || (Array.isArray(taken) && taken.length > 0);

declare global {
  interface HTMLElementTagNameMap {
    "hp-app-changes": AppChanges;
  }
}
