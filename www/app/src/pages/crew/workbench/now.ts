/** What is talked about as it is stored: nodes of a workflow, or a text. Pure. */
import {
  type Bundle,
  type CrewPackage,
  exits,
  type Graph,
  jsonText,
  titleOf,
} from "@holdpoint/core/crew";
import { t } from "@holdpoint/elements";
import type { NodeRow, NowView } from "@holdpoint/elements/crew/workbench/view";
import type { Query } from "./query.js";

const NONE: NowView = { is: "none" };

export function nowOf(query: Query, pack: CrewPackage | null, bundle: Bundle | null): NowView {
  if (!pack || !bundle) return { is: "loading" };
  const flow = pack.workflows.find(({ id }) => Number(id) === query.workflowId);
  const text = (path: string): NowView => {
    const found = bundle.files[path];
    return found === undefined || found.startsWith("base64:")
      ? NONE
      : { is: "text", path, text: found };
  };
  switch (query.targetType) {
    case "workflow":
      return flow?.graph ? { is: "graph", rows: rows(flow.graph, pack) } : NONE;
    case "step": {
      const node = flow?.graph?.nodes.find(({ id }) => id === query.targetId);
      return node ? text(node.file) : NONE;
    }
    case "agent": {
      const agent = pack.agents?.find(({ id }) => id === query.targetId);
      return agent ? { is: "text", path: pack.agentsFile, text: jsonText(agent) } : NONE;
    }
    case "asset":
      return text(query.targetId);
  }
}

/** Which counter the target has, in words. */
export function versionOf({ targetType, workflowId }: Query, bundle: Bundle | null): string {
  if (!bundle) return "";
  const { workflows, agentsRevision, assetsRevision } = bundle.revisions;
  const counters = {
    workflow: workflows[String(workflowId)],
    step: workflows[String(workflowId)],
    agent: agentsRevision,
    asset: assetsRevision,
  };
  const n = counters[targetType];
  return n === undefined ? "" : t("wb.version", { n });
}

function rows(graph: Graph, pack: CrewPackage): NodeRow[] {
  const agent = (id = "") => pack.agents?.find((one) => one.id === id)?.metadata.name ?? id;
  const title = (id: string) => titleOf(graph.nodes.find((node) => node.id === id)) || id;
  return graph.nodes.map((node) => {
    const out = exits(graph, node.id);
    return {
      id: node.id,
      title: titleOf(node),
      type: node.type,
      agent: agent(node.agentId),
      start: node.id === graph.entryNodeId,
      exits: out.map((edge) => ({
        label: out.length > 1 ? edge.label : "",
        to: title(edge.to),
        default: edge.isDefault === true && out.length > 1,
      })),
    };
  });
}
