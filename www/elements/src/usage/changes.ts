/** What was changed in an account, and which sign-ins failed: who, what, when. */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { calls, sheets } from "../base/sheets.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { around } from "./part.js";
import { parts } from "./usage.styles.js";
import type { ChangesView } from "./view.js";

const own = css`
  li {
    display: grid;
    grid-template-columns: 112px minmax(0, 180px) minmax(0, 1fr);
    gap: var(--s-1) var(--s-5);
    padding: var(--s-3) var(--s-5);
    font-size: var(--t-small);
    line-height: var(--l-small);
    overflow-wrap: anywhere;
  }
  li + li { border-top: 1px solid var(--line); }
  .tm { color: var(--text-2); }
  @media (max-width: 767px) {
    li { grid-template-columns: auto minmax(0, 1fr); }
    .what { grid-column: 1 / -1; }
  }
`;

@customElement("hp-usage-changes")
export class UsageChanges extends HpElement {
  static override styles = [ground, buttons, sheets, calls, parts, own];
  @property({ attribute: false }) view!: ChangesView;

  protected override get state(): string {
    return this.view.state;
  }

  override render() {
    const { lines, state, more, loading, now } = this.view;
    return html`<section class="sheet" aria-labelledby="h-c">
      <div class="s-h"><h2 id="h-c">${t("usage.changes")}</h2></div>
      ${around(this.view, t("usage.part.changes"), lines.length > 0, () =>
        this.emit("hp-usage-again", { part: "changes" }),
      )}
      <ul>
        ${repeat(
          lines,
          (line) => line.id,
          (line) =>
            html`<li>
              <span class="tm">${when(line.at, now)}</span
              ><span class="strong" translate="no">${line.who}</span
              ><span class="what"
                >${line.refused ? icon("warn", "s c-hold") : nothing} ${line.what}</span
              >
            </li>`,
        )}
      </ul>
      ${!lines.length && state === "ready" ? html`<p class="none">${t("usage.changes.none")}</p>` : nothing}
      ${
        more
          ? html`<div class="foot">
              <button
                class="btn s"
                data-testid="hp-changes-more"
                ?disabled=${loading}
                @click=${() => this.emit("hp-more", { part: "changes" })}
              >
                ${loading ? icon("spin", "s spin") : nothing}<span>${t("usage.more")}</span>
              </button>
            </div>`
          : nothing
      }
    </section>`;
  }
}
