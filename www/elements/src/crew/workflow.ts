/**
 * The editor of a workflow: its graph as a drawing or a list, and the step of the selected node. UI.md §12.
 *
 * Narrow: list, graph and step are panes of their own; the page says which.
 */
import { css, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { listed } from "../base/format.js";
import { icon } from "../base/icons.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { checkedBadge } from "./checked.js";
import "./conflict.js";
import { panes, viewBar } from "./crew.styles.js";
import "./edit-foot.js";
import { going } from "./going.js";
import "./graph.js";
import type { CrewGraph } from "./graph.js";
import "./nodes.js";
import "./step.js";
import { stepButton } from "./steps.js";
import type { WorkflowView } from "./view.js";

const own = css`
  .rows { flex: 1; min-height: 0; overflow: auto; }
  .con { padding: var(--s-4) var(--pad); max-height: 64%; overflow: auto; flex: none; }
  .none { padding: var(--s-5) var(--pad); color: var(--text-2); font-size: var(--t-small); }
  @media (max-width: 979px) {
    .pane { flex: 1; }
    :host([pane="list"]) .insp, :host([pane="graph"]) .insp, :host([pane="step"]) .gpane {
      display: none;
    }
    :host([pane="step"]) .vbar .edit { display: none; }
  }
  @media (max-height: 480px) { :host { overflow: auto; } .both { display: block; } }
`;

@customElement("hp-crew-workflow")
export class CrewWorkflow extends HpElement {
  static override styles = [ground, buttons, badges, viewBar, panes, own];
  @property({ attribute: false }) view!: WorkflowView;
  /** The one pane of a narrow page; a wide one shows two. */
  @property({ reflect: true }) pane: "list" | "graph" | "step" = "list";
  @property({ type: Boolean }) narrow = false;
  @query("hp-crew-graph") private graph!: CrewGraph | null;

  protected override get state(): string {
    return this.view.foot.state;
  }

  /** What of the graph is shown now. */
  get #shown(): "graph" | "list" {
    if (!this.narrow) return this.view.shown;
    return this.pane === "graph" ? "graph" : "list";
  }

  override render() {
    return html`${this.#bar()}
      <div class="both">
        <section class="pane gpane" data-f6 aria-label=${t("crew.graph.of", { name: this.view.name })}>
          ${this.#graph()}
        </section>
        <section class="pane insp" data-f6 aria-label=${t("crew.step.pane")}>
          ${
            this.view.conflict
              ? html`<div class="con">
                  <hp-crew-conflict .view=${this.view.conflict}></hp-crew-conflict>
                </div>`
              : nothing
          }<hp-crew-step .view=${this.view.step}></hp-crew-step>
          <hp-crew-foot .view=${this.view.foot}></hp-crew-foot>
        </section>
      </div>`;
  }

  #bar() {
    const { package: back, name, check, graph, revision, shown, undo, redo, versions } = this.view;
    const counts = graph
      ? `${listed([t("crew.nodes.n", { n: graph.nodes.length }), t("crew.edges.n", { n: graph.edges.length })])} · `
      : "";
    return html`<div class="vbar">
      <a class="crumb" href=${back.href} translate="no" @click=${(event: MouseEvent) => going(event, back.href, this)}
        >${back.name}</a
      ><span class="sep" aria-hidden="true"></span>
      <h1 translate="no">${name}</h1>
      ${checkedBadge(check)}<span class="meta hide-n">${counts}${t("crew.version.n", { n: revision })}</span>
      <div class="end">
        <span class="seg wide-only" role="group" aria-label=${t("crew.view")}
          >${(["graph", "list"] as const).map(
            (one) =>
              html`<button
                aria-pressed=${shown === one}
                @click=${() => this.emit("hp-shown", { shown: one })}
              >
                ${t(one === "graph" ? "crew.graph" : "crew.list.view")}
              </button>`,
          )}</span
        ><span class="sep" aria-hidden="true"></span>${stepButton(this, "undo", undo)}${stepButton(
          this,
          "redo",
          redo,
        )}<a
          class="btn quiet icon"
          href=${versions}
          aria-label=${t("crew.tab.versions")}
          @click=${(event: MouseEvent) => going(event, versions, this)}
          >${icon("history")}</a
        ><button
          class="btn edit"
          data-testid="hp-add-node"
          aria-haspopup="menu"
          ?disabled=${!graph}
          @click=${(event: Event) => this.emit("hp-add-node", { anchor: event.currentTarget })}
        >
          ${icon("plus", "s")}<span>${t("crew.node.add")}</span>
        </button>
      </div>
    </div>`;
  }

  #graph() {
    const { graph, name, selected, findings, agents } = this.view;
    if (!graph) return html`<p class="none" role="status">${t("crew.graph.unread")}</p>`;
    if (this.#shown === "graph")
      return html`<hp-crew-graph
        .graph=${graph}
        selected=${selected}
        .findings=${findings}
        .agents=${agents}
      ></hp-crew-graph>`;
    return html`<div
      class="rows scroll"
      tabindex="0"
      role="group"
      aria-label=${t("app.scrolls", { name: t("crew.list.view") })}
    >
      <hp-crew-nodes
        .graph=${graph}
        name=${name}
        selected=${selected}
        .findings=${findings}
        .agents=${agents}
      ></hp-crew-nodes>
    </div>`;
  }

  focusNode(id: string): void {
    this.graph?.focusNode(id);
  }

  /** The first field of the step. */
  focusStep(): void {
    const step = this.renderRoot.querySelector("hp-crew-step");
    void step?.updateComplete.then(() => {
      const inside = (what: string) => step.shadowRoot?.querySelector<HTMLElement>(what);
      (inside("input, select, textarea") ?? inside("button"))?.focus();
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-workflow": CrewWorkflow;
  }
}
