/** The editor of a workflow: the selected node, what is done to the graph, to a step's fields and to its text. */
import {
  about,
  arranged,
  changedEdge,
  changedNode,
  defaultEdge,
  exits,
  freeId,
  type Graph,
  type GraphEdge,
  type GraphNode,
  graphText,
  headingOf,
  type NodeType,
  newStep,
  type Point,
  placed,
  readStep,
  titleOf,
  type Workflow,
  withEdge,
  withHeading,
  withNode,
  withoutEdge,
  withoutNode,
  writeField,
} from "@holdpoint/core/crew";
import { t } from "@holdpoint/elements";
import type { Counts, NodeStep, WorkflowView } from "@holdpoint/elements/crew/view";
import type { Changes, Opened } from "./opened.js";
import { counts, improving } from "./package-view.js";
import type { Scope } from "./saving.js";
import { Variables } from "./variables.js";

/** Fields of a step that its node has as well. */
const SHARED = new Set(["title", "agentId", "inputs", "outputs"]);

export type EdgeChange = { [K in keyof GraphEdge]?: GraphEdge[K] | undefined };

export class WorkflowEditor {
  shown: "graph" | "list" = "graph";
  #selected: string;
  /** A node and its heading, which goes with the title, also while that is empty. */
  #along = "";
  readonly #variables = new Variables();

  constructor(
    readonly id: string,
    node: string,
    private readonly opened: Opened,
    private readonly changed: () => void,
  ) {
    this.#selected = node || (this.workflow?.graph?.entryNodeId ?? "");
  }

  get workflow(): Workflow | undefined {
    return this.opened.pack.workflows.find((one) => one.id === this.id);
  }

  scope(): Scope | null {
    return this.workflow ? { is: "workflow", workflow: this.workflow } : null;
  }

  get selected(): string {
    return this.#selected;
  }

  select(id: string): void {
    this.#selected = id;
    this.changed();
  }

  node(id: string): GraphNode | undefined {
    return this.workflow?.graph?.nodes.find((node) => node.id === id);
  }

  // ── the graph ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Writes a graph, and into the steps whose exits it changes what they say of them themselves. */
  #write(graph: Graph, what: string, more: Changes = {}): void {
    const { workflow } = this;
    if (!workflow?.graph) return;
    const changes: Record<string, string | null> = {
      ...this.#transitions(workflow.graph, graph),
      ...more,
    };
    this.opened.edit({ ...changes, [workflow.graphFile]: graphText(graph) }, what);
  }

  #transitions(was: Graph, now: Graph): Record<string, string> {
    const out: Record<string, string> = {};
    for (const node of now.nodes) {
      const text = this.opened.files[node.file];
      const all = exits(now, node.id);
      if (text === undefined || JSON.stringify(all) === JSON.stringify(exits(was, node.id)))
        continue;
      if (!readStep(text).fields?.transitions) continue;
      const said = all.map(({ to, label, isDefault, conditionText }) => ({
        ...{ to, label, isDefault: isDefault === true || all.length === 1 },
        ...(conditionText ? { conditionText } : {}),
      }));
      out[node.file] = writeField(text, "transitions", said);
    }
    return out;
  }

  add(type: NodeType): string {
    const { workflow } = this;
    const graph = workflow?.graph;
    if (!workflow || !graph) return "";
    const title = t("crew.node.new", { type: t(`crew.type.${type}`).toLowerCase() });
    const id = freeId(graph, type);
    const node: GraphNode = { id, type, file: `${workflow.steps}${id}.md`, title };
    const after = this.node(this.#selected);
    const next = this.#after(withNode(graph, node), node, after);
    this.#write(next, t("crew.edit.add", { name: title }), { [node.file]: newStep(node) });
    this.select(id);
    return id;
  }

  /** What is added comes after the selected node: between it and what came next, or as one more of its exits. */
  #after(graph: Graph, { id, type }: GraphNode, after: GraphNode | undefined): Graph {
    if (!after || after.type === "end") return graph;
    const all = exits(graph, after.id);
    const [only] = all;
    if (!only || all.length > 1 || type === "end") return withEdge(graph, after.id, id);
    const n = graph.edges.indexOf(only);
    return withEdge(changedEdge(graph, n, { to: id }), id, only.to);
  }

  remove(id: string): void {
    const { workflow } = this;
    const node = this.node(id);
    if (!workflow?.graph || !node || workflow.graph.nodes.length < 2) return;
    const next = withoutNode(workflow.graph, id);
    const before = workflow.graph.edges.find((edge) => edge.to === id)?.from;
    const used = next.nodes.some((one) => one.file === node.file);
    const gone = !used && this.opened.files[node.file] !== undefined ? { [node.file]: null } : {};
    this.#write(next, t("crew.edit.delete", { name: titleOf(node) }), gone);
    this.select(before ?? next.entryNodeId);
  }

  move(id: string, at: Point): void {
    const graph = this.workflow?.graph;
    if (graph) this.#write(placed(graph, id, at), t("crew.edit.move", { name: this.#title(id) }));
  }

  arrange(): void {
    const graph = this.workflow?.graph;
    if (graph) this.#write(arranged(graph), t("crew.edit.arrange"));
  }

  start(id: string): void {
    const graph = this.workflow?.graph;
    if (graph)
      this.#write({ ...graph, entryNodeId: id }, t("crew.edit.start", { name: this.#title(id) }));
  }

  type(id: string, type: NodeType): void {
    const graph = this.workflow?.graph;
    const node = this.node(id);
    if (!graph || !node) return;
    const text = this.opened.files[node.file];
    const more = text === undefined ? {} : { [node.file]: writeField(text, "type", type) };
    this.#write(
      changedNode(graph, id, { type }),
      t("crew.edit.type", { name: titleOf(node) }),
      more,
    );
  }

  connect(from: string, to: string): void {
    const graph = this.workflow?.graph;
    if (!graph || graph.edges.some((edge) => edge.from === from && edge.to === to)) return;
    const what = t("crew.edit.connect", { from: this.#title(from), to: this.#title(to) });
    this.#write(withEdge(graph, from, to), what);
  }

  /** A member that is undefined goes. */
  exit(n: number, change: EdgeChange): void {
    this.#exits(
      n,
      (graph) => changedEdge(graph, n, change as Partial<GraphEdge>),
      "crew.edit.exit",
    );
  }

  defaultExit(n: number): void {
    this.#exits(n, (graph) => defaultEdge(graph, n), "crew.edit.exit");
  }

  removeExit(n: number): void {
    this.#exits(n, (graph) => withoutEdge(graph, n), "crew.edit.disconnect");
  }

  #exits(
    n: number,
    change: (graph: Graph) => Graph,
    what: "crew.edit.exit" | "crew.edit.disconnect",
  ): void {
    const graph = this.workflow?.graph;
    const from = graph?.edges[n]?.from;
    if (graph && from !== undefined)
      this.#write(change(graph), t(what, { name: this.#title(from) }));
  }

  #title(id: string): string {
    return titleOf(this.node(id)) || id;
  }

  // ── the step ───────────────────────────────────────────────────────────────────────────────────────────────────

  makeStep(id: string): void {
    const node = this.node(id);
    if (!node) return;
    const name = titleOf(node);
    this.opened.edit({ [node.file]: newStep(node) }, t("crew.edit.add", { name }));
  }

  /** A field of the form: into the head of the file, and into the node where it says the same. */
  field(name: string, value: string | readonly string[]): void {
    const { workflow } = this;
    const node = this.node(this.#selected);
    const text = node && this.opened.files[node.file];
    if (!workflow?.graph || !node || text === undefined) return;
    const blank = value === "" || (typeof value === "string" && value.trim() === "");
    const changes: Record<string, string> = {
      [node.file]: this.#titled(node.id, writeField(text, name, blank ? null : value), text),
    };
    if (SHARED.has(name)) {
      const none = blank || (Array.isArray(value) && !value.length);
      const next = changedNode(workflow.graph, node.id, { [name]: none ? undefined : value });
      changes[workflow.graphFile] = graphText(next);
    }
    const title = titleOf(node);
    const what =
      name === "title"
        ? t("crew.edit.title", { name: node.id })
        : t("crew.edit.field", { name: title });
    this.opened.edit(changes, what, typeof value === "string" ? `${name} ${node.id}` : "");
  }

  /** The text of the editor: the body, or the whole file where its head cannot be read. */
  text(text: string): void {
    const node = this.node(this.#selected);
    const was = node && this.opened.files[node.file];
    if (!node || was === undefined) return;
    const { fields, head, body } = readStep(was);
    if ((fields ? body : was) === text) return;
    const what = t("crew.edit.field", { name: titleOf(node) });
    const changes = { [node.file]: fields ? head + text : text };
    const title = headingOf(text);
    const { workflow } = this;
    // A title that is the heading goes with it.
    if (workflow?.graph && fields?.title && title && headingOf(body) === fields.title.trim()) {
      changes[node.file] = writeField(head + text, "title", title);
      changes[workflow.graphFile] = graphText(changedNode(workflow.graph, node.id, { title }));
    }
    this.opened.edit(changes, what, `text ${node.id}`);
  }

  /** A step with another title: its heading goes with it, where the two said the same so far. */
  #titled(id: string, text: string, was: string): string {
    const [before, now] = [readStep(was), readStep(text)];
    const [title, heading] = [before.fields?.title.trim() ?? "", headingOf(before.body)];
    const next = now.fields?.title.trim() ?? "";
    if (next === title) return text;
    const along = title ? heading === title : this.#along === `${id} ${heading}`;
    this.#along = along ? `${id} ${next || heading}` : "";
    return along ? now.head + withHeading(now.body, heading, next) : text;
  }

  /** What the check says of this workflow. */
  #mine() {
    const { pack, checked } = this.opened;
    const parts = checked.findings.map((one) => ({ one, at: about(pack, one) }));
    return parts.filter(({ at }) => at.workflowId === this.id);
  }

  /** It is not taken with them. */
  errors(): number {
    return counts(this.#mine().map(({ one }) => one)).errors;
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  view(): Omit<
    WorkflowView,
    "package" | "foot" | "conflict" | "undo" | "redo" | "versions"
  > | null {
    const { workflow } = this;
    if (!workflow) return null;
    const { pack, checked, stored } = this.opened;
    const mine = this.#mine();
    const of = (id: string) => mine.filter(({ at }) => at.nodeId === id).map(({ one }) => one);
    const nodes = new Set(mine.map(({ at }) => at.nodeId));
    const byNode = new Map([...nodes].map((id): [string, Counts] => [id, counts(of(id))]));
    return {
      id: this.id,
      name: workflow.name,
      revision: stored.revision,
      check: { ...counts(mine.map(({ one }) => one)), state: checked.state },
      graph: workflow.graph,
      findings: byNode,
      agents: new Map((pack.agents ?? []).map((one) => [one.id, one.metadata.name || one.id])),
      selected: this.#selected,
      shown: this.shown,
      step: this.#step(workflow, mine),
    };
  }

  #step(
    workflow: Workflow,
    mine: readonly { one: NodeStep["findings"][number]; at: { nodeId: string } }[],
  ): NodeStep | null {
    const { graph } = workflow;
    const node = this.node(this.#selected);
    if (!graph || !node) return null;
    const { pack, files, id } = this.opened;
    const text = files[node.file];
    const read = text === undefined ? null : readStep(text);
    const to = new Set(exits(graph, node.id).map((edge) => edge.to));
    return {
      nodeId: node.id,
      title: titleOf(node),
      type: node.type,
      file: node.file,
      isStart: graph.entryNodeId === node.id,
      fields: read?.fields ?? null,
      text: read?.fields ? read.body : (text ?? null),
      firstLine: read?.fields ? read.bodyLine : 1,
      findings: mine.filter(({ at }) => at.nodeId === node.id).map(({ one }) => one),
      agents: (pack.agents ?? []).map((one) => ({ id: one.id, name: one.metadata.name || one.id })),
      exits: graph.edges
        .map((edge, n) => ({ n, edge, title: this.#title(edge.to) }))
        .filter(({ edge }) => edge.from === node.id),
      others: graph.nodes
        .filter((one) => one.id !== node.id && !to.has(one.id))
        .map((one) => ({ id: one.id, title: titleOf(one) })),
      variables: this.#variables.of(graph, files),
      assets: pack.assets.map((one) => one.path),
      improve: improving(id, { targetType: "step", targetId: node.id }, this.id, "editor"),
    };
  }
}
