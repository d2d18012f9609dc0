/**
 * The graph of a workflow, and what a person does to it: nodes and edges come, go, change; positions.
 *
 * Every step gives a new graph; texts of steps are the package's matter. Spec: crew-package.md §3, §5.
 */
import type { ShownEdge } from "../generated/ShownEdge";
import type { ShownGraph } from "../generated/ShownGraph";
import type { ShownNode } from "../generated/ShownNode";
import { isRecord, jsonText } from "./package.ts";

export const NODE_TYPES = ["step", "decision", "merge", "end", "subworkflow"] as const;
export type NodeType = ShownNode["type"];
export type GraphNode = ShownNode;
export type GraphEdge = ShownEdge;
export type Graph = ShownGraph;

/** Where a node was put: its upper left corner. */
export interface Point {
  x: number;
  y: number;
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
