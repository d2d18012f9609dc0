/** Packages whose first workflow has another graph: one node, two hundred, names that do not fit, cycles. */
import { type Graph, type GraphEdge, type GraphNode, newStep } from "@holdpoint/core/crew";
import type { Files } from "@holdpoint/core/types";
import { claims } from "../crew-package.js";
import "../loaded.js";

const STEPS = "workflows/1/steps/";

const node = (id: string, type: GraphNode["type"], title: string): GraphNode => ({
  ...{ id, type, title },
  file: `${STEPS}${id}.md`,
});

function withGraph(nodes: GraphNode[], edges: GraphEdge[]): Files {
  const kept = Object.entries(claims).filter(([path]) => !path.startsWith(STEPS));
  const graph: Graph = { schemaVersion: "1.1", entryNodeId: nodes[0]?.id ?? "", nodes, edges };
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(nodes.map((one) => [one.file, newStep(one)])),
    "workflows/1/workflow.graph.json": `${JSON.stringify(graph, null, 2)}\n`,
  };
}

export const one = (): Files => withGraph([node("start", "step", "Take the claim")], []);

/** Steps in a row, a decision after every four, whose other exits lead on or back. */
export function many(n = 200): Files {
  const type = (at: number) => {
    if (at === n - 1) return "end";
    return at % 5 === 4 ? "decision" : "step";
  };
  const nodes = Array.from({ length: n }, (_, at) => node(`n${at}`, type(at), `Step ${at + 1}`));
  const edges = nodes.flatMap(({ id, type: is }, at): GraphEdge[] => {
    const next = { from: id, to: `n${at + 1}`, label: "next" };
    if (is === "end") return [];
    if (is === "step") return [next];
    const on = { from: id, to: `n${Math.min(n - 1, at + 4)}`, label: "skip" };
    const back = { from: id, to: `n${Math.max(0, at - 3)}`, label: "once more" };
    return [{ ...next, isDefault: true }, on, ...(at % 15 === 14 ? [back] : [])];
  });
  return withGraph(nodes, edges);
}

const words =
  "Compare the claim with every clause of the policy that could exclude it, clause by clause";

/** Long titles and labels, a node that leads to itself, and two that lead to each other. */
export const long = (): Files =>
  withGraph(
    [
      node("a", "step", words),
      node("a-decision-with-an-identifier-that-goes-on-and-on-and-on", "decision", `${words}?`),
      node("b", "subworkflow", "Donaudampfschifffahrtsgesellschaftskapitän"),
      node("end", "end", words),
    ],
    [
      { from: "a", to: "a-decision-with-an-identifier-that-goes-on-and-on-and-on", label: "next" },
      ...(
        [
          ["b", "the amount that is claimed is larger than what the policy covers in a year"],
          ["end", "yes"],
          ["a-decision-with-an-identifier-that-goes-on-and-on-and-on", "not yet decided"],
        ] as const
      ).map(
        ([to, label], at): GraphEdge => ({
          from: "a-decision-with-an-identifier-that-goes-on-and-on-and-on",
          ...{ to, label },
          ...(at === 1 ? { isDefault: true } : {}),
        }),
      ),
      { from: "b", to: "a", label: "next" },
    ],
  );
