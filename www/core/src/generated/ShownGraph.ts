import type { ShownEdge } from "./ShownEdge";
import type { ShownNode } from "./ShownNode";
export type ShownGraph = { schemaVersion: string, entryNodeId: string, nodes: Array<ShownNode>, edges: Array<ShownEdge>, metadata?: Record<string, unknown> };
