/** A proposed graph beside the one that is stored, with what differs marked; the same stands in the lines of its file. */
import { css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../../base/element.js";
import { icon } from "../../base/icons.js";
import { sheets } from "../../base/sheets.js";
import { buttons, ground } from "../../base/styles.js";
import { t } from "../../text/index.js";
import "../graph.js";
import { NARROW_NODE, type Side, sides } from "../graph-sides.js";
import type { GraphPair } from "./view.js";

const own = css`
  .sides {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 1px;
    background: var(--line-2);
  }
  .sides > div { display: flex; flex-direction: column; height: 520px; background: var(--surface); }
  .sides p { padding: var(--s-2) var(--s-5); }
  .s-h .end { margin-inline-start: auto; }
  @media (max-width: 979px) { .sides { grid-template-columns: minmax(0, 1fr); } }
`;

@customElement("hp-wb-graph-diff")
export class WorkbenchGraphDiff extends HpElement {
  static override styles = [ground, buttons, sheets, own];
  @property({ attribute: false }) pair!: GraphPair;

  override render() {
    const { name, left, right, changed } = this.pair;
    const drawn = sides(left, right, changed);
    return html`<section class="sheet" aria-labelledby="h-gd" data-testid="wb-graph">
      <div class="s-h">
        <h3 id="h-gd" tabindex="-1">${t("crew.graph.of", { name })}</h3>
        <button class="btn s quiet end" @click=${() => this.emit("hp-close")}>
          ${icon("cross", "s")}<span>${t("app.close")}</span>
        </button>
      </div>
      <div class="sides">
        ${this.#side(drawn.left, t("wb.before"))}${this.#side(drawn.right, t("wb.after"))}
      </div>
    </section>`;
  }

  #side(side: Side, label: string) {
    return html`<div>
      <p class="meta">${label}</p>
      ${
        side.graph
          ? html`<hp-crew-graph
              still
              node-width=${NARROW_NODE}
              label=${`${label}: ${t("crew.graph.of", { name: this.pair.name })}`}
              .graph=${side.graph}
              .agents=${this.pair.agents}
              .whole=${side.whole}
              .marks=${side.marks}
              .edgeMarks=${side.edgeMarks}
              .ghosts=${side.ghosts}
            ></hp-crew-graph>`
          : html`<p class="quiet">${t("crew.cmp.absent")}</p>`
      }
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-wb-graph-diff": WorkbenchGraphDiff;
  }
}
