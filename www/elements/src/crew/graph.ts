/**
 * The graph of a workflow as a drawing: nodes that are buttons, edges between them, zoom and pan. UI.md §12 "Graph".
 *
 * One tab stop: the selected node, else the start. Arrows follow the edges, Enter opens the step, F fits, Delete asks
 * for deletion; by mouse a node is moved and pulled to another. The same graph stands in `hp-crew-nodes` as a table.
 */
import type { Graph, GraphNode, Point } from "@holdpoint/core/crew";
import { positions, titleOf } from "@holdpoint/core/crew";
import { drag } from "d3-drag";
import { select } from "d3-selection";
import { type ZoomBehavior, type ZoomTransform, zoom, zoomIdentity } from "d3-zoom";
import { html, nothing, type PropertyValues, svg } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { percent } from "../base/format.js";
import { icon } from "../base/icons.js";
import { refocus } from "../base/refocus.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { styles } from "./graph.styles.js";
import { Arranging, type Layout, layout, NODE, type PlacedEdge, sameEdge } from "./graph-layout.js";
import { apart } from "./graph-room.js";
import { mark, outline, typeWord } from "./shapes.js";
import type { Counts, Difference } from "./view.js";

const SCALE: [number, number] = [0.2, 2];
/** A graph that does not fit is not drawn smaller than this by itself. */
const SMALLEST = 0.5;
const PAD = { x: 24, top: 16, bottom: 16 };
const STEP = 1.25;
const KEYS = ["step", "decision", "merge", "end", "subworkflow"] as const;

@customElement("hp-crew-graph")
export class CrewGraph extends HpElement {
  static override styles = [ground, buttons, styles];
  @property({ attribute: false }) graph!: Graph;
  @property() selected = "";
  /** What the drawing is called. */
  @property() label = "";
  @property({ attribute: false }) findings: ReadonlyMap<string, Counts> = new Map();
  /** The names of agents, by id. */
  @property({ attribute: false }) agents: ReadonlyMap<string, string> = new Map();
  /** Only looked at: nothing is moved, there are no tools. */
  @property({ type: Boolean, reflect: true }) still = false;
  @property({ type: Number, attribute: "node-width" }) nodeWidth = NODE.width;
  /** The graph of which this one is a side: both are drawn on its layout. */
  @property({ attribute: false }) whole: Graph | null = null;
  @property({ attribute: false }) marks: ReadonlyMap<string, Difference> = new Map();
  /** By the place of the edge in the list. */
  @property({ attribute: false }) edgeMarks: ReadonlyMap<number, Difference> = new Map();
  /** Places that are empty here and taken on the other side. */
  @property({ attribute: false }) ghosts: readonly Point[] = [];
  @state() private at: ZoomTransform = zoomIdentity;
  @state() private panning = false;
  @state() private moved: { id: string; at: Point } | null = null;
  @state() private pulled: { from: Point; to: Point } | null = null;
  @query(".canvas") private canvas!: HTMLElement;
  #zoom: ZoomBehavior<HTMLElement, unknown> | null = null;
  #layout: Layout | null = null;
  readonly #arranging = new Arranging();
  #seen = new WeakSet<Element>();
  #fitted = false;
  #watch: ResizeObserver | null = null;

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const again = ["graph", "whole", "nodeWidth", "moved"].some((name) => changed.has(name));
    if (!again && this.#layout) return;
    const all = this.whole ?? this.graph;
    const fixed = positions(all);
    if (this.moved) fixed.set(this.moved.id, this.moved.at);
    const placed = layout(all, { width: this.nodeWidth, fixed }, this.#arranging);
    this.#layout = this.whole ? side(placed, this.graph) : placed;
  }

  override render() {
    const { x, y, k } = this.at;
    return html`<div
      class="canvas ${this.panning ? "panning" : ""}"
      role="group"
      aria-label=${this.label || t("crew.graph.label")}
      @keydown=${this.#keys}
    >
      <div class="stage" translate="no" style="transform:translate(${x}px,${y}px) scale(${k})">
        ${this.#edges()}${this.ghosts.map((at) => this.#ghost(at))}${repeat(
          this.graph.nodes,
          (node) => node.id,
          (node) => html`${this.#node(node)}${this.#pull(node.id)}`,
        )}
      </div>
      ${this.still ? nothing : html`${this.#tools()}${this.#legend()}`}
    </div>`;
  }

  #edges() {
    const edges = this.#layout?.edges ?? [];
    const start = this.#layout?.nodes.get(this.graph.entryNodeId);
    return html`<svg class="eg" aria-hidden="true" focusable="false">
        ${start ? this.#start(start) : nothing}${edges.map((one) => this.#edge(one))}${
          this.pulled ? svg`<path class="pull" d=${straight(this.pulled)}></path>` : nothing
        }
      </svg>
      ${edges.map((one) => this.#label(one))}`;
  }

  #start({ x, y }: Point) {
    const middle = x + this.nodeWidth / 2;
    return svg`<path d="M${middle} ${y - 20}V${y}"></path>
      <path class="tip" d="M${middle - 4} ${y - 6}L${middle} ${y}L${middle + 4} ${y - 6}"></path>
      <circle class="dot" cx=${middle} cy=${y - 20} r="4"></circle>`;
  }

  #edge({ n, edge, line, tip, slash, label }: PlacedEdge) {
    const named = this.edgeMarks.get(n) ?? "";
    const on = !this.still && (edge.from === this.selected || edge.to === this.selected);
    return svg`<g class="${named} ${on ? "on" : ""}">
      <path class=${label?.isDefault ? "dft" : ""} d=${line}></path>
      <path class="tip" d=${tip}></path>
      ${slash ? svg`<path class="sl" d=${slash}></path>` : nothing}
    </g>`;
  }

  #label({ n, label }: PlacedEdge) {
    if (!label) return nothing;
    return html`<span
      class="el ${this.edgeMarks.get(n) ?? ""}"
      style="left:${label.at.x}px;top:${label.at.y}px"
      title=${label.text}
      ><b>${label.text}</b>${label.isDefault ? ` · ${t("crew.graph.default")}` : nothing}</span
    >`;
  }

  #ghost({ x, y }: Point) {
    return html`<span
      class="ghost"
      style="left:${x}px;top:${y}px;width:${this.nodeWidth}px"
      aria-hidden="true"
    ></span>`;
  }

  #node(node: GraphNode) {
    const at = this.#layout?.nodes.get(node.id) ?? { x: 0, y: 0 };
    const difference = this.marks.get(node.id);
    return html`<button
      class="nd ${difference ?? ""}"
      data-node=${node.id}
      title=${titleOf(node)}
      style="left:${at.x}px;top:${at.y}px;width:${this.nodeWidth}px"
      tabindex=${node.id === this.#stop ? 0 : -1}
      aria-current=${node.id === this.selected ? "true" : "false"}
      @click=${() => this.emit("hp-node", { id: node.id })}
      @dblclick=${() => this.emit("hp-open-step", { id: node.id })}
      @focus=${() => this.#into(node.id)}
    >
      ${outline(node.type, this.nodeWidth)}<span class="ti">${titleOf(node)}</span
      ><span class="ty">${this.#sub(node)}</span>${this.#count(node.id)}${
        difference ? html`<span class="mkr">${t(`crew.cmp.${difference}`)}</span>` : nothing
      }
    </button>`;
  }

  #sub({ type, agentId }: GraphNode): string {
    const agent = agentId?.trim() ? (this.agents.get(agentId.trim()) ?? agentId) : "";
    if (!agent) return typeWord(type);
    // Where it is narrow the outline says the type of a step.
    return this.nodeWidth < NODE.width ? agent : `${typeWord(type)} · ${agent}`;
  }

  #count(id: string) {
    const { errors = 0, warnings = 0 } = this.findings.get(id) ?? {};
    if (!errors && !warnings) return nothing;
    const words = errors ? t("crew.errors", { n: errors }) : t("crew.warnings", { n: warnings });
    return html`<span class="nf ${errors ? "bad" : ""}"
      >${icon(errors ? "bad" : "med")}<span aria-hidden="true">${errors || warnings}</span
      ><span class="vh"> ${words}</span></span
    >`;
  }

  /** From here an edge is drawn: in sight at the selected node and under the mouse. By keyboard the form connects. */
  #pull(id: string) {
    const at = this.#layout?.nodes.get(id);
    if (this.still || !at) return nothing;
    return html`<span
      class="pull-h ${id === this.selected ? "on" : ""}"
      data-from=${id}
      title=${t("crew.graph.connect")}
      style="left:${at.x + this.nodeWidth / 2}px;top:${at.y + NODE.height}px"
    ></span>`;
  }

  #tools() {
    const tool = (
      name: "plus" | "dash" | "fit" | "fork",
      words: string,
      act: () => void,
      first = false,
    ) =>
      html`<button class="btn icon" tabindex=${first ? 0 : -1} aria-label=${words} @click=${act}>
        ${icon(name)}
      </button>`;
    return html`<div
      class="tools"
      role="toolbar"
      aria-label=${t("crew.graph.tools")}
      aria-orientation="vertical"
      @keydown=${this.#toolKeys}
    >
      ${tool("plus", t("crew.graph.in"), () => this.#scale(STEP), true)}
      ${tool("dash", t("crew.graph.out"), () => this.#scale(1 / STEP))}
      ${tool("fit", t("crew.graph.fit"), () => this.fit())}<button
        class="btn icon"
        tabindex="-1"
        aria-label=${t("crew.graph.pan")}
        aria-pressed=${this.panning}
        @click=${() => (this.panning = !this.panning)}
      >
        ${icon("pan")}
      </button>
      ${tool("fork", t("crew.graph.arrange"), () => this.emit("hp-arrange"))}
    </div>`;
  }

  #legend() {
    return html`<p class="zoom">${t("crew.graph.zoom", { percent: percent(this.at.k) })}</p>
      <ul class="gkey" aria-label=${t("crew.graph.key")}>
        ${KEYS.map((type) => html`<li>${mark(type)}${typeWord(type)}</li>`)}
        <li>
          <svg viewBox="0 0 26 14" aria-hidden="true">
            ${svg`<path class="bar" d="M0 7h26"></path><path class="stroke" d="M6 11l6-8"></path>`}
          </svg>
          ${t("crew.type.default")}
        </li>
      </ul>`;
  }

  // ── the keyboard ───────────────────────────────────────────────────────────────────────────────────────────────

  /** The node that Tab leads to. */
  get #stop(): string {
    const has = (id: string): boolean => this.graph.nodes.some((node) => node.id === id);
    if (has(this.selected)) return this.selected;
    return has(this.graph.entryNodeId) ? this.graph.entryNodeId : (this.graph.nodes[0]?.id ?? "");
  }

  #keys = (event: KeyboardEvent): void => {
    const id = (event.target as HTMLElement).dataset?.node;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.toLowerCase() === "f") this.fit();
    else if (event.key === "+" || event.key === "-")
      this.#scale(event.key === "+" ? STEP : 1 / STEP);
    else if (id === undefined) return;
    else if (event.key === "Enter") this.emit("hp-open-step", { id });
    else if (event.key === "Delete" && !this.still) this.#delete(id);
    else if (!this.#follow(id, event.key)) return;
    event.preventDefault();
  };

  #delete(id: string): void {
    this.emit("hp-node-delete", { id });
    refocus(this, () => this.#nodeOf(this.#stop));
  }

  /** Down and up follow the edges; left and right go along what stands on the same height. */
  #follow(id: string, key: string): boolean {
    const { edges } = this.graph;
    const leaves = edges.filter((edge) => edge.from === id);
    const next: Record<string, () => string | undefined> = {
      ArrowDown: () => (leaves.find((edge) => edge.isDefault) ?? leaves[0])?.to,
      ArrowUp: () => this.#above(id),
      ArrowLeft: () => this.#beside(id, -1),
      ArrowRight: () => this.#beside(id, 1),
      Home: () => this.graph.entryNodeId,
    };
    const to = next[key]?.();
    if (key in next && to !== undefined) this.focusNode(to);
    return key in next;
  }

  /** The highest of those that lead here; what only leads back is below. */
  #above(id: string): string | undefined {
    const y = (one: string): number => this.#layout?.nodes.get(one)?.y ?? 0;
    return this.graph.edges
      .filter((edge) => edge.to === id)
      .map((edge) => edge.from)
      .sort((a, b) => Number(y(a) > y(id)) - Number(y(b) > y(id)) || y(b) - y(a))[0];
  }

  #beside(id: string, by: number): string | undefined {
    const all = this.#layout?.nodes;
    const here = all?.get(id);
    if (!all || !here) return;
    const row = [...all.values()]
      .filter((node) => Math.abs(node.y - here.y) < NODE.height)
      .sort((a, b) => a.x - b.x);
    return row[row.findIndex((node) => node.id === id) + by]?.id;
  }

  #toolKeys = (event: KeyboardEvent): void => {
    const all = [...this.renderRoot.querySelectorAll<HTMLElement>(".tools .btn")];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    const at = all.indexOf(this.shadowRoot?.activeElement as HTMLElement);
    all[(at + by + all.length) % all.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };

  focusNode(id: string): void {
    this.#nodeOf(id)?.focus();
  }

  #nodeOf(id: string): HTMLElement | null {
    return this.renderRoot.querySelector(`[data-node="${CSS.escape(id)}"]`);
  }

  // ── the view ───────────────────────────────────────────────────────────────────────────────────────────────────

  protected override firstUpdated(): void {
    this.#zoom = zoom<HTMLElement, unknown>()
      .scaleExtent(SCALE)
      .filter((event: Event) => this.#pans(event))
      .on("zoom", ({ transform }: { transform: ZoomTransform }) => (this.at = transform));
    select(this.canvas).call(this.#zoom).on("dblclick.zoom", null);
    // It has a size once it is shown, which may be later.
    this.#watch = new ResizeObserver(() => {
      if (!this.#fitted && this.canvas.clientWidth > 0) this.#begin();
    });
    this.#watch.observe(this.canvas);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.disconnect();
  }

  /** The wheel zooms anywhere; what is pressed on a node moves the node, unless the view is to be moved. */
  #pans(event: Event): boolean {
    const on = event.target as Element;
    if (on.closest(".tools")) return false;
    if (event.type === "wheel") return true;
    if ("button" in event && event.button !== 0) return false;
    return this.panning || this.still || !on.closest(".nd, .pull-h");
  }

  #begin(): void {
    this.#fitted = true;
    const box = this.#layout?.box;
    if (!box) return;
    const { clientWidth, clientHeight } = this.canvas;
    const [w, h] = [box.right - box.left + 2 * PAD.x, box.bottom - box.top + PAD.top + PAD.bottom];
    const fits = Math.min(1, clientWidth / w, this.still ? clientHeight / h : 1);
    this.#show(Math.max(SMALLEST, fits), false);
    if (!this.still) this.#into(this.selected);
  }

  /** All of it, as large as it fits. */
  fit(): void {
    const box = this.#layout?.box;
    if (!box) return;
    const { clientWidth, clientHeight } = this.canvas;
    const [w, h] = [box.right - box.left + 2 * PAD.x, box.bottom - box.top + PAD.top + PAD.bottom];
    this.#show(Math.max(SCALE[0], Math.min(1, clientWidth / w, clientHeight / h)), true);
  }

  /** In the middle; from the top where it is higher than the view. */
  #show(k: number, middle: boolean): void {
    const box = this.#layout?.box;
    if (!box || !this.#zoom) return;
    const { clientWidth, clientHeight } = this.canvas;
    const x = clientWidth / 2 - (k * (box.left + box.right)) / 2;
    const spare = clientHeight - k * (box.bottom - box.top);
    const top = middle ? Math.max(PAD.top, spare / 2) : PAD.top;
    select(this.canvas).call(
      this.#zoom.transform,
      zoomIdentity.translate(x, top - k * box.top).scale(k),
    );
  }

  #scale(by: number): void {
    if (this.#zoom) select(this.canvas).call(this.#zoom.scaleBy, by);
  }

  /** A node that has the focus is in view; one that was not comes to the middle. */
  #into(id: string): void {
    const node = this.#layout?.nodes.get(id);
    if (!node || !this.#zoom) return;
    this.canvas.scrollTo(0, 0);
    const { x, y, k } = this.at;
    const { clientWidth, clientHeight } = this.canvas;
    const by = (from: number, size: number, all: number): number =>
      from < PAD.x || from + size > all - PAD.x ? (all - size) / 2 - from : 0;
    const dx = by(x + k * node.x, k * this.nodeWidth, clientWidth);
    const dy = by(y + k * node.y, k * NODE.height, clientHeight);
    if (dx || dy) select(this.canvas).call(this.#zoom.translateBy, dx / k, dy / k);
  }

  // ── the mouse ──────────────────────────────────────────────────────────────────────────────────────────────────

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.still) return;
    // What was selected elsewhere is brought into view.
    if (changed.has("selected") && this.#fitted) this.#into(this.selected);
    for (const node of this.renderRoot.querySelectorAll<HTMLElement>(".nd, .pull-h")) {
      if (this.#seen.has(node)) continue;
      this.#seen.add(node);
      if (node.matches(".nd")) this.#drags(node);
      else this.#pulls(node);
    }
  }

  #drags(node: HTMLElement): void {
    const id = node.dataset.node ?? "";
    const begun = drag<HTMLElement, unknown>()
      .clickDistance(4)
      .filter((event: MouseEvent) => !this.panning && event.button === 0)
      .on("drag", ({ dx, dy }: { dx: number; dy: number }) => {
        const at = this.#layout?.nodes.get(id);
        if (at) this.moved = { id, at: { x: at.x + dx / this.at.k, y: at.y + dy / this.at.k } };
      })
      .on("end", () => {
        const moved = this.moved;
        const others = [...(this.#layout?.nodes.values() ?? [])].filter((one) => one.id !== id);
        this.moved = null;
        if (moved) this.emit("hp-node-move", { id, at: apart(moved.at, others, this.nodeWidth) });
      });
    select(node).call(begun);
  }

  /** A line from a node; where it is let go over another, the two are connected. */
  #pulls(handle: HTMLElement): void {
    const id = handle.dataset.from ?? "";
    const begun = drag<HTMLElement, unknown>()
      .on("drag", ({ sourceEvent }: { sourceEvent: MouseEvent }) => {
        const from = this.#layout?.nodes.get(id);
        if (!from) return;
        const box = this.canvas.getBoundingClientRect();
        const [x, y] = this.at.invert([sourceEvent.clientX - box.x, sourceEvent.clientY - box.y]);
        const foot = { x: from.x + this.nodeWidth / 2, y: from.y + NODE.height };
        this.pulled = { from: foot, to: { x, y } };
      })
      .on("end", ({ sourceEvent }: { sourceEvent: MouseEvent }) => {
        this.pulled = null;
        const { clientX, clientY } = sourceEvent;
        const over = this.shadowRoot?.elementFromPoint(clientX, clientY);
        const to = over?.closest<HTMLElement>(".nd")?.dataset.node;
        if (to !== undefined) this.emit("hp-connect", { from: id, to });
      });
    select(handle).call(begun);
  }
}

/** The edges of a graph as the layout of a larger one has them. */
function side(placed: Layout, { edges }: Graph): Layout {
  const own = edges.flatMap((edge, n) => {
    const drawn = placed.edges.find((one) => sameEdge(one.edge, edge));
    return drawn ? [{ ...drawn, n, edge }] : [];
  });
  return { ...placed, edges: own };
}

const straight = ({ from, to }: { from: Point; to: Point }): string =>
  `M${from.x} ${from.y}L${to.x} ${to.y}`;

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-graph": CrewGraph;
  }
}
