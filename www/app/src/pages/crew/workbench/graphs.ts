/** The graphs of a proposal, to be drawn beside those that are stored. Pure. */
import { type ChangedText, type CrewPackage, type Graph, record } from "@holdpoint/core/crew";
import type { GraphPair } from "@holdpoint/elements/crew/workbench/view";
import type { Change } from "./change.js";

/** What the check refused is no graph that can be drawn: its lines say what is wrong. */
export function graphsOf(change: Change, pack: CrewPackage | null): GraphPair[] {
  if (!pack || !change.answer.validation?.valid) return [];
  const agents = new Map((pack.agents ?? []).map((one) => [one.id, one.metadata.name || one.id]));
  const files = new Set(change.rows.map(({ file }) => file));
  return change.rows.flatMap((row: ChangedText) => {
    const workflow = pack.workflows.find(({ graphFile }) => graphFile === row.file);
    const [left, right] = [drawn(row.before), drawn(row.after)];
    if (!workflow && !/\/workflow\.graph\.json$/.test(row.file)) return [];
    if (!left && !right) return [];
    return [
      {
        name: workflow?.name ?? row.file,
        left,
        right,
        changed: changed(left, right, files),
        agents,
      },
    ];
  });
}

function drawn(text: string | null | undefined): Graph | null {
  const graph = record(text ?? undefined);
  return Array.isArray(graph?.nodes) && Array.isArray(graph.edges)
    ? (graph as unknown as Graph)
    : null;
}

/** Nodes of both graphs that differ, or whose step does. */
function changed(left: Graph | null, right: Graph | null, files: ReadonlySet<string>): Set<string> {
  const before = new Map((left?.nodes ?? []).map((node) => [node.id, JSON.stringify(node)]));
  const other = (right?.nodes ?? []).filter((node) => {
    const was = before.get(node.id);
    return was !== undefined && (was !== JSON.stringify(node) || files.has(node.file));
  });
  return new Set(other.map(({ id }) => id));
}
