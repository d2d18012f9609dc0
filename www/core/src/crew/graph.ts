/**
 * The graph of a workflow, and what a person does to it: nodes and edges come, go, change; positions.
 *
 * Every step gives a new graph; texts of steps are the package's matter. Spec: crew-package.md §3, §5.
 */
import { isRecord, jsonText, record } from "./package.ts";

export const NODE_TYPES = ["step", "decision", "merge", "end", "subworkflow"] as const;
export type NodeType = (typeof NODE_TYPES)[number];

export interface GraphNode {
  id: string;
  type: NodeType;
  file: string;
  title?: string;
  description?: string;
  agentId?: string;
  inputs?: string[];
  outputs?: string[];
}

export interface GraphEdge {
  id?: string;
  from: string;
  to: string;
  label: string;
  isDefault?: boolean;
  conditionText?: string;
  conditionExpr?: Record<string, unknown>;
}

export interface Graph {
  schemaVersion: string;
  entryNodeId: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
  metadata?: Record<string, unknown>;
}

/** Where a node was put: its upper left corner. */
export interface Point {
  x: number;
  y: number;
}

const known = (type: unknown): NodeType => NODE_TYPES.find((one) => one === type) ?? "step";

/** The graph of a text; nodes and edges without names are left out. */
export function readGraph(text: string | undefined): Graph | null {
  const value = record(text);
  if (!value || !Array.isArray(value.nodes)) return null;
  const nodes = value.nodes.filter(isRecord).filter((node) => typeof node.id === "string");
  const edges = (Array.isArray(value.edges) ? value.edges : [])
    .filter(isRecord)
    .filter((edge) => typeof edge.from === "string" && typeof edge.to === "string");
  return {
    ...(value as unknown as Graph),
    entryNodeId: typeof value.entryNodeId === "string" ? value.entryNodeId : "",
    nodes: nodes.map((node) => ({
      ...(node as unknown as GraphNode),
      type: known(node.type),
      file: typeof node.file === "string" ? node.file : "",
    })),
    edges: edges.map((edge) => ({
      ...(edge as unknown as GraphEdge),
      label: typeof edge.label === "string" ? edge.label : "",
    })),
  };
}

export const graphText = (graph: Graph): string => jsonText(graph);
export const titleOf = (node: GraphNode | undefined): string =>
  node?.title?.trim() || node?.id || "";
export const exits = (graph: Graph, id: string): GraphEdge[] =>
  graph.edges.filter((edge) => edge.from === id);

/** An id that no node has, from words. */
export function freeId(graph: Graph, words: string): string {
  const slug =
    words
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[^a-z0-9._:-]+/g, "-")
      .replace(/^[^a-z0-9]+|-+$/g, "") || "step";
  const taken = new Set(graph.nodes.map((node) => node.id));
  let id = slug;
  for (let n = 2; taken.has(id); n += 1) id = `${slug}-${n}`;
  return id;
}

export const withNode = (graph: Graph, node: GraphNode): Graph => ({
  ...graph,
  nodes: [...graph.nodes, node],
});

export function changedNode(graph: Graph, id: string, change: Partial<GraphNode>): Graph {
  return {
    ...graph,
    nodes: graph.nodes.map((node) => {
      if (node.id !== id) return node;
      const next: Record<string, unknown> = { ...node, ...change };
      for (const [key, value] of Object.entries(next)) if (value === undefined) delete next[key];
      return next as unknown as GraphNode;
    }),
  };
}

/** Without a node: its edges go, what led to it leads nowhere, and a start that is gone is the first that is left. */
export function withoutNode(graph: Graph, id: string): Graph {
  const nodes = graph.nodes.filter((node) => node.id !== id);
  const entryNodeId = graph.entryNodeId === id ? (nodes[0]?.id ?? "") : graph.entryNodeId;
  const edges = graph.edges.filter((edge) => edge.from !== id && edge.to !== id);
  const sources = new Set(graph.edges.filter((edge) => edge.to === id).map((edge) => edge.from));
  const settled = [...sources].reduce((all, from) => oneDefault(all, from), edges);
  return placed({ ...graph, nodes, edges: settled, entryNodeId }, id, null);
}

/** An edge more; of several exits one is the default, and each has a label. */
export function withEdge(graph: Graph, from: string, to: string, label = ""): Graph {
  const all = exits(graph, from);
  const edge: GraphEdge = { from, to, label: label || (all.length ? freeLabel(all) : "next") };
  return { ...graph, edges: oneDefault([...graph.edges, edge], from) };
}

function freeLabel(all: readonly GraphEdge[]): string {
  let n = all.length + 1;
  while (all.some((edge) => edge.label.trim() === `branch-${n}`)) n += 1;
  return `branch-${n}`;
}

export function changedEdge(graph: Graph, at: number, change: Partial<GraphEdge>): Graph {
  const edges = graph.edges.map((edge, n) => (n === at ? { ...edge, ...change } : edge));
  return { ...graph, edges };
}

/** The edge that is taken where no condition holds; the others of its source are not. */
export function defaultEdge(graph: Graph, at: number): Graph {
  const from = graph.edges[at]?.from;
  const edges = graph.edges.map((edge, n) => {
    if (edge.from !== from) return edge;
    const { isDefault: _, ...rest } = edge;
    return n === at ? { ...rest, isDefault: true } : rest;
  });
  return { ...graph, edges };
}

export function withoutEdge(graph: Graph, at: number): Graph {
  const from = graph.edges[at]?.from ?? "";
  return {
    ...graph,
    edges: oneDefault(
      graph.edges.filter((_, n) => n !== at),
      from,
    ),
  };
}

/** Several exits: exactly one is marked. One exit: none is. */
function oneDefault(edges: readonly GraphEdge[], from: string): GraphEdge[] {
  const mine = edges.filter((edge) => edge.from === from);
  const chosen = mine.find((edge) => edge.isDefault) ?? mine[0];
  return edges.map((edge) => {
    if (edge.from !== from) return edge;
    const { isDefault: _, ...rest } = edge;
    return mine.length > 1 && edge === chosen ? { ...rest, isDefault: true } : rest;
  });
}

/** Where nodes were put by hand. */
export function positions(graph: Graph): Map<string, Point> {
  const kept = graph.metadata?.positions;
  const out = new Map<string, Point>();
  if (!isRecord(kept)) return out;
  for (const [id, at] of Object.entries(kept))
    if (isRecord(at) && Number.isFinite(at.x) && Number.isFinite(at.y))
      out.set(id, { x: Number(at.x), y: Number(at.y) });
  return out;
}

/** Puts a node somewhere; null gives it back to the layout. */
export function placed(graph: Graph, id: string, at: Point | null): Graph {
  const { positions: had, ...rest } = graph.metadata ?? {};
  const kept = { ...(isRecord(had) ? had : {}) };
  if (at) kept[id] = { x: Math.round(at.x), y: Math.round(at.y) };
  else delete kept[id];
  return withMetadata(graph, Object.keys(kept).length ? { ...rest, positions: kept } : rest);
}

/** All nodes as the layout has them. */
export function arranged(graph: Graph): Graph {
  const { positions: _, ...rest } = graph.metadata ?? {};
  return withMetadata(graph, rest);
}

function withMetadata(graph: Graph, metadata: Record<string, unknown>): Graph {
  const { metadata: _, ...rest } = graph;
  return Object.keys(metadata).length ? { ...rest, metadata } : rest;
}

/** The file of a step as Holdpoint begins one (crew-package.md §7 "Generated step file"), its sections still empty. */
export function newStep(node: GraphNode, heading: string): string {
  const json = (value: unknown): string => JSON.stringify(value);
  const head = [
    'schemaVersion: "1.1"',
    `nodeId: ${json(node.id)}`,
    `type: ${json(node.type)}`,
    ...(node.title ? [`title: ${json(node.title)}`] : []),
    ...(node.agentId ? [`agentId: ${json(node.agentId)}`] : []),
    "inputs: []",
    "outputs: []",
    "setsVariables: []",
  ];
  return `---\n${head.join("\n")}\n---\n\n# ${heading}\n\n## Goal\n\n## Instructions\n`;
}
