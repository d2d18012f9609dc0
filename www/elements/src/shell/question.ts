/** A question that stands alone on the page, because what comes next depends on it: whose work, whose key. UI.md §2. */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, ground } from "../base/styles.js";

export interface QuestionView {
  heading: string;
  text: string;
  /** What it is about, by name and count. */
  facts: { name: string; value: string }[];
  /** The first one is the best; one that destroys says what. */
  actions: { id: string; label: string; destroys?: boolean }[];
  note: string;
}

const own = css`
  :host { background: var(--canvas); height: 100%; overflow: auto; }
  .qu {
    width: min(480px, 100% - 2 * var(--s-6));
    margin: clamp(24px, 14vh, 140px) auto var(--s-8);
    display: grid;
    gap: var(--s-6);
  }
  .soft { color: var(--text-2); }
  /* It has the focus because it came, not because somebody went there. */
  h1:focus { outline: none; }
  h1 {
    font-size: var(--t-title);
    line-height: var(--l-title);
    letter-spacing: -.01em;
    font-weight: var(--w-strong);
  }
  .sheet {
    background: var(--surface);
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    padding: var(--s-6);
    display: grid;
    gap: var(--s-5);
    font-size: var(--t-small);
  }
  dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--s-2) var(--s-5); }
  dt { color: var(--text-2); }
  dd { overflow-wrap: anywhere; }
  .acts { display: grid; gap: var(--s-3); }
  .acts .btn {
    justify-content: center;
    white-space: normal;
    text-align: center;
    height: auto;
    padding-block: var(--s-2);
  }
  .note { display: flex; gap: var(--s-4); }
  .note .i { margin-top: 1px; }
`;

@customElement("hp-question")
export class Question extends HpElement {
  static override styles = [ground, buttons, own];
  @property({ attribute: false }) view!: QuestionView;

  override render() {
    const { heading, text, facts, actions, note } = this.view;
    return html`<div class="qu" role="main">
      <h1 tabindex="-1">${heading}</h1>
      <p class="soft">${text}</p>
      <div class="sheet">
        ${
          facts.length
            ? html`<dl>
                ${facts.map(({ name, value }) => html`<dt>${name}</dt><dd>${value}</dd>`)}
              </dl>`
            : nothing
        }
        <div class="acts">
          ${actions.map(
            ({ id, label, destroys = false }, at) =>
              html`<button
                class="btn ${at === 0 ? "primary" : ""} ${destroys ? "danger" : ""}"
                data-testid="hp-answer-${id}"
                @click=${() => this.emit("hp-answer", { id })}
              >
                ${label}
              </button>`,
          )}
        </div>
      </div>
      ${
        note
          ? html`<p class="meta quiet note">${icon("lock", "s")}<span>${note}</span></p>`
          : nothing
      }
    </div>`;
  }

  /** It takes the place of the page: who does not look hears what is asked. */
  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("h1")?.focus();
  }
}
