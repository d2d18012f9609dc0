/**
 * Which part of a package a finding is about, so that tables, nodes and fields can say it. Spec: crew-package.md §5,
 * §6.
 */
import type { Diagnostic } from "../types.ts";
import type { CrewPackage, Workflow } from "./package.ts";

/** Empty words where it is about no such part. */
export interface About {
  workflowId: string;
  nodeId: string;
  agentId: string;
  asset: string;
}

const nothing: About = { workflowId: "", nodeId: "", agentId: "", asset: "" };

export function about(pack: CrewPackage, { path = "", pointer = "" }: Diagnostic): About {
  if (path.startsWith("assets/")) return { ...nothing, asset: path };
  if (path === pack.agentsFile) {
    const [, n = ""] = /^\/agents\/(\d+)/.exec(pointer) ?? [];
    const agent = n === "" ? undefined : pack.agents?.[shown(pack.agentPlaces, n)];
    return { ...nothing, agentId: agent?.id ?? "" };
  }
  for (const workflow of pack.workflows) {
    if (path === workflow.document) return { ...nothing, workflowId: workflow.id };
    if (path === workflow.graphFile)
      return { ...nothing, workflowId: workflow.id, nodeId: nodeAt(workflow, pointer) };
    const node = workflow.graph?.nodes.find((one) => one.file === path);
    if (node) return { ...nothing, workflowId: workflow.id, nodeId: node.id };
    if (path.startsWith(workflow.steps)) return { ...nothing, workflowId: workflow.id };
  }
  return nothing;
}

/** Where what stands at a place of the file is shown; what is left out of a list has no place in it. */
const shown = (places: readonly number[] | undefined, n: string): number =>
  places ? places.indexOf(Number(n)) : Number(n);

/** The node that a pointer into the graph names; of an edge that from which it leads. */
function nodeAt({ graph, nodePlaces, edgePlaces }: Workflow, pointer: string): string {
  const [, list, n = ""] = /^\/(nodes|edges)\/(\d+)/.exec(pointer) ?? [];
  if (!graph) return "";
  if (list === "nodes") return graph.nodes[shown(nodePlaces, n)]?.id ?? "";
  if (list === "edges") return graph.edges[shown(edgePlaces, n)]?.from ?? "";
  return pointer === "/entryNodeId" ? graph.entryNodeId : "";
}
