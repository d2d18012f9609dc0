/**
 * The nodes of a graph as a table, in its order: for who does not look at drawings, and where there is no room for one.
 * UI.md §12 "List".
 */
import { exits, type Graph, type GraphNode, titleOf } from "@holdpoint/core/crew";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { tables } from "../base/sheets.js";
import { badges, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { checkedBadge } from "./checked.js";
import { cards } from "./crew.styles.js";
import { mark, typeWord } from "./shapes.js";
import type { Counts } from "./view.js";

const own = css`
  .nlist td, .nlist tbody th { height: 40px; padding-block: var(--s-3); vertical-align: top; }
  .nlist tbody th { text-align: start; }
  .sub {
    display: block;
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-normal);
    overflow-wrap: anywhere;
  }
  .ty { white-space: nowrap; color: var(--text-2); }
  .tm {
    width: 22px;
    height: 14px;
    margin-inline-end: var(--s-3);
    fill: none;
    stroke: var(--text-3);
    vertical-align: -2px;
  }
  .ar { color: var(--text-3); }
  .dfl {
    font-size: var(--t-meta);
    color: var(--text-2);
    border: 1px solid var(--line-2);
    border-radius: var(--r-1);
    padding: 0 3px;
    font-weight: var(--w-normal);
  }
  th button {
    border: 0;
    background: none;
    padding: 0;
    font: inherit;
    color: var(--text);
    font-weight: var(--w-strong);
    cursor: pointer;
    text-align: start;
    min-height: var(--target);
  }
  th button:hover { text-decoration: underline; }
  @media (max-width: 767px) {
    .ty { grid-column: 1; font-size: var(--t-meta); white-space: normal; }
    .nx { grid-column: 1 / -1; overflow-wrap: anywhere; }
    .nlist td:empty { display: none; }
    .gf { grid-column: 2; grid-row: 1; }
  }
`;

@customElement("hp-crew-nodes")
export class CrewNodes extends HpElement {
  static override styles = [ground, badges, tables, own, cards];
  @property({ attribute: false }) graph!: Graph;
  @property() name = "";
  @property() selected = "";
  @property({ attribute: false }) findings: ReadonlyMap<string, Counts> = new Map();
  @property({ attribute: false }) agents: ReadonlyMap<string, string> = new Map();
  /** Only read: a node is no button. */
  @property({ type: Boolean }) still = false;

  override render() {
    // Where nothing is judged there is no column for it.
    const judged = !this.still || this.findings.size > 0;
    return html`<table class="t nlist cards">
      <caption class="vh">
        ${t("crew.nodes.caption", { name: this.name })}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t("crew.nodes.node")}</th>
          <th scope="col">${t("crew.nodes.type")}</th>
          <th scope="col">${t("crew.nodes.then")}</th>
          ${judged ? html`<th scope="col">${t("crew.findings")}</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${repeat(
          ordered(this.graph),
          (node) => node.id,
          (node) => this.#row(node, judged),
        )}
      </tbody>
    </table>`;
  }

  #row(node: GraphNode, judged: boolean) {
    const { id, type } = node;
    const agent = node.agentId?.trim();
    const by = agent ? ` · ${this.agents.get(agent) ?? agent}` : "";
    const counts = this.findings.get(id);
    return html`<tr class=${id === this.selected ? "sel" : ""} data-node=${id}>
      <th scope="row">
        ${this.#name(node)}${
          id === this.graph.entryNodeId
            ? html` <span class="dfl">${t("crew.graph.start")}</span>`
            : nothing
        }<span class="sub mono" translate="no">${id}</span>
      </th>
      <td class="ty">${mark(type)}${typeWord(type)}<span translate="no">${by}</span></td>
      <td class="nx">${this.#then(id)}</td>
      ${
        judged
          ? html`<td class="gf">
              ${counts && (counts.errors || counts.warnings) ? checkedBadge(counts) : nothing}
            </td>`
          : nothing
      }
    </tr>`;
  }

  #name(node: GraphNode) {
    const title = titleOf(node);
    if (this.still) return html`<span class="strong" translate="no">${title}</span>`;
    return html`<button
      translate="no"
      aria-current=${node.id === this.selected ? "true" : "false"}
      @click=${() => this.emit("hp-open-step", { id: node.id })}
    >
      ${title}
    </button>`;
  }

  #then(id: string) {
    const all = exits(this.graph, id);
    const title = (to: string): string =>
      titleOf(this.graph.nodes.find((node) => node.id === to)) || to;
    if (!all.length) return nothing;
    return html`<ul>
      ${all.map(
        (edge) =>
          html`<li>
            ${
              all.length > 1
                ? html`<span class="strong" translate="no">${edge.label}</span>
                    <span class="ar" aria-hidden="true">→</span
                    ><span class="vh"> ${t("crew.graph.to")} </span>`
                : html`<span class="ar" aria-hidden="true">→</span
                    ><span class="vh">${t("crew.graph.next")} </span>`
            }
            <span translate="no">${title(edge.to)}</span>${
              edge.isDefault && all.length > 1
                ? html` <span class="dfl">${t("crew.graph.default")}</span>`
                : nothing
            }
          </li>`,
      )}
    </ul>`;
  }
}

/** From the start along the edges, breadth first; what nothing leads to comes last. */
function ordered(graph: Graph): GraphNode[] {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const queue = [graph.entryNodeId];
  const seen = new Set<string>();
  const out: GraphNode[] = [];
  for (let at = 0; at < queue.length; at += 1) {
    const id = queue[at] ?? "";
    const node = byId.get(id);
    if (!node || seen.has(id)) continue;
    seen.add(id);
    out.push(node);
    queue.push(...exits(graph, id).map((edge) => edge.to));
  }
  return [...out, ...graph.nodes.filter((node) => !seen.has(node.id))];
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-nodes": CrewNodes;
  }
}
