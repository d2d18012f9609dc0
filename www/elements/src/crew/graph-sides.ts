/** Two graphs beside each other: the same places on both sides, and what came, went or changed. Pure. UI.md §12 "Compare". */
import { type Graph, type Point, positions } from "@holdpoint/core/crew";
import { layout, sameEdge } from "./graph-layout.js";
import type { Difference } from "./view.js";

/** Nodes are narrower here, so that two graphs have room beside each other. */
export const NARROW_NODE = 148;

/** One of two graphs, drawn on the layout of both, with what differs marked. */
export interface Side {
  graph: Graph | null;
  whole: Graph;
  marks: Map<string, Difference>;
  edgeMarks: Map<number, Difference>;
  ghosts: Point[];
}

/** Both graphs on one layout of all their nodes. `changed`: nodes that both have and that are other ones. */
export function sides(
  left: Graph | null,
  right: Graph | null,
  changed: ReadonlySet<string>,
): { left: Side; right: Side } {
  const both = joined(left, right);
  const places = layout(both, { width: NARROW_NODE, fixed: positions(both) }).nodes;
  const side = (own: Graph | null, other: Graph | null, gone: Difference): Side => {
    const marks = new Map<string, Difference>();
    const edgeMarks = new Map<number, Difference>();
    for (const node of own?.nodes ?? []) {
      if (!other?.nodes.some((one) => one.id === node.id)) marks.set(node.id, gone);
      else if (changed.has(node.id)) marks.set(node.id, "changed");
    }
    for (const [n, edge] of (own?.edges ?? []).entries())
      if (!other?.edges.some((one) => sameEdge(one, edge))) edgeMarks.set(n, gone);
    const ghosts = (other?.nodes ?? [])
      .filter((node) => own && !own.nodes.some((one) => one.id === node.id))
      .map((node) => places.get(node.id) ?? { x: 0, y: 0 });
    return { graph: own, whole: both, marks, edgeMarks, ghosts };
  };
  return { left: side(left, right, "removed"), right: side(right, left, "added") };
}

function joined(left: Graph | null, right: Graph | null): Graph {
  const base = right ?? left ?? { schemaVersion: "1.1", entryNodeId: "", nodes: [], edges: [] };
  const other = right && left ? left : base;
  const ids = new Set(base.nodes.map((node) => node.id));
  return {
    ...base,
    nodes: [...base.nodes, ...other.nodes.filter((node) => !ids.has(node.id))],
    edges: [
      ...base.edges,
      ...other.edges.filter((edge) => !base.edges.some((one) => sameEdge(one, edge))),
    ],
  };
}
