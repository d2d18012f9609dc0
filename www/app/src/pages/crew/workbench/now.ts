/** What is talked about as it is stored: nodes of a workflow, or a text. Pure. */
import { type Bundle, type CrewPackage, jsonText, type RevisionBase } from "@holdpoint/core/crew";
import { t } from "@holdpoint/elements";
import type { NowView } from "@holdpoint/elements/crew/workbench/view";
import type { Query } from "./query.js";

const NONE: NowView = { is: "none" };

export function nowOf(
  query: Query,
  pack: CrewPackage | null,
  bundle: Pick<Bundle, "files"> | null,
): NowView {
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
      return flow?.graph
        ? { is: "graph", graph: flow.graph, name: flow.name, agents: agentNames(pack) }
        : NONE;
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

const agentNames = ({ agents }: CrewPackage): ReadonlyMap<string, string> =>
  new Map(agents?.map(({ id, metadata }) => [id, metadata.name || id]));

/** The counters of a package as far as the target's are among them. */
export const countersOf = (
  { workflowId }: Query,
  { revisions }: Pick<Bundle, "revisions">,
): RevisionBase => {
  const workflow = revisions.workflows[String(workflowId)];
  const { agentsRevision, assetsRevision } = revisions;
  return {
    agentsRevision,
    assetsRevision,
    ...(workflow === undefined ? {} : { workflowRevision: workflow }),
  };
};

/** Which counter the target has, in words. */
export function versionOf({ targetType }: Query, counters: RevisionBase | null): string {
  if (!counters) return "";
  const { workflowRevision, agentsRevision, assetsRevision } = counters;
  const of = {
    workflow: workflowRevision,
    step: workflowRevision,
    agent: agentsRevision,
    asset: assetsRevision,
  };
  const n = of[targetType];
  return n === undefined ? "" : t("wb.version", { n });
}
