/**
 * What differs of two states of a package, by object and member, as the engine compares them (`crew.compare`), in
 * words.
 *
 * Owns the words of members; what differs is the engine's.
 */
import { type CrewPackage, type Graph, type GraphEdge, titleOf } from "@holdpoint/core/crew";
import type { Json } from "@holdpoint/core/types";
import { type TextKey, t } from "@holdpoint/elements";
import type { ComparedObject, Difference } from "@holdpoint/elements/crew/view";

type Status = Difference | "same";

interface MemberCompared {
  member: string;
  before: Json | null;
  after: Json | null;
  lines: { before: number; after: number; changed: number } | null;
}

interface ObjectCompared {
  id: string;
  name: string;
  status: Status;
  members: MemberCompared[];
}

interface EdgeCompared {
  before: number | null;
  after: number | null;
  status: Status;
  members: MemberCompared[];
}

export interface WorkflowCompared {
  id: string | null;
  name: string | null;
  status: Status;
  changes: number;
  nodes: ObjectCompared[];
  edges: EdgeCompared[];
  members: MemberCompared[];
}

/** What `crew.compare` answers. */
export interface Comparison {
  counts: { added: number; removed: number; changed: number };
  package: MemberCompared[];
  workflows: WorkflowCompared[];
  agents: ObjectCompared[];
  assets: ObjectCompared[];
  others: ObjectCompared[];
}

/** Members that have a word; the others are called as the file calls them. */
const WORDS: Readonly<Record<string, TextKey>> = {
  title: "crew.node.title",
  type: "crew.nodes.type",
  agentId: "crew.node.agent",
  inputs: "crew.node.inputs",
  outputs: "crew.node.outputs",
  setsVariables: "crew.node.sets",
  instructions: "crew.instructions",
  displayName: "crew.name",
  name: "crew.name",
  document: "crew.cmp.document",
  content: "crew.asset.text",
  size: "crew.size",
  bytes: "crew.size",
  "metadata.name": "crew.agent.name",
  "metadata.title": "crew.agent.title",
  "metadata.icon": "crew.agent.mark",
  "persona.role": "crew.agent.role",
  "persona.identity": "crew.agent.identity",
  "persona.communication_style": "crew.agent.style",
  "persona.principles": "crew.agent.principles",
  "tools.fs.maxReadBytes": "crew.agent.files.read",
  "tools.fs.maxWriteBytes": "crew.agent.files.write",
  "tools.mcp.allowedServers": "crew.agent.servers",
};

/** Objects of the workflow that is looked at, then those of the whole package. */
export function objects(
  all: Comparison,
  workflow: WorkflowCompared | undefined,
  graphs: { left: Graph | null; right: Graph | null },
): ComparedObject[] {
  return [
    ...(workflow ? workflowObjects(workflow, graphs) : []),
    ...[...all.agents, ...all.assets, ...all.others].flatMap(object),
    ...(all.package.length
      ? [
          {
            name: t("crew.list.package"),
            how: "changed" as const,
            members: all.package.map(member),
          },
        ]
      : []),
  ];
}

function workflowObjects(
  { id, name, status, nodes, edges, members }: WorkflowCompared,
  graphs: { left: Graph | null; right: Graph | null },
): ComparedObject[] {
  const own = [
    ...members.map(member),
    ...edges.filter((one) => one.status !== "same").map((one) => edge(one, graphs)),
  ];
  const how = status === "same" ? "changed" : status;
  return [
    ...(own.length ? [{ name: name ?? id ?? t("crew.workflow"), how, members: own }] : []),
    ...nodes.flatMap(object),
  ];
}

function object({ name, id, status, members }: ObjectCompared): ComparedObject[] {
  if (status === "same") return [];
  return [{ name: name || id, how: status, members: members.map(member).filter(shown) }];
}

type Row = ComparedObject["members"][number];

/** A list that is empty on both sides says nothing. */
const shown = ({ left, right }: Row): boolean => left !== "" || right !== "";

function member({ member: name, before, after, lines }: MemberCompared): Row {
  const key = WORDS[name];
  const word = key ? t(key) : name;
  if (!lines) return { name: word, left: said(before), right: said(after), strong: true };
  const changed =
    lines.before && lines.after ? `, ${t("crew.cmp.changed.n", { n: lines.changed })}` : "";
  return {
    name: word,
    left: lines.before ? t("crew.cmp.lines", { n: lines.before }) : "",
    right: lines.after ? `${t("crew.cmp.lines", { n: lines.after })}${changed}` : "",
    strong: false,
  };
}

/** A value in a cell: texts as they are, lists by commas. */
function said(value: Json | null): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.map(said).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function edge(
  { before, after, members }: EdgeCompared,
  { left, right }: { left: Graph | null; right: Graph | null },
): Row {
  const more = members.filter((one) => !["from", "to", "label", "id"].includes(one.member));
  const side = (graph: Graph | null, n: number | null, which: "before" | "after"): string => {
    const one = n === null ? undefined : graph?.edges[n];
    if (!graph || !one) return "";
    return [led(graph, one), ...more.map((other) => said(other[which])).filter(Boolean)].join(
      " · ",
    );
  };
  return {
    name: t("crew.cmp.edge"),
    left: side(left, before, "before"),
    right: side(right, after, "after"),
    strong: true,
  };
}

function led({ nodes }: Graph, { from, label, to }: GraphEdge): string {
  const title = (id: string): string => titleOf(nodes.find((node) => node.id === id)) || id;
  return `${title(from)} · ${label} → ${title(to)}`;
}

/** The nodes that are other than they were, with their steps. */
export const changedNodes = (workflow: WorkflowCompared | undefined): Set<string> =>
  new Set((workflow?.nodes ?? []).filter((one) => one.status === "changed").map((one) => one.id));

export const agentNames = (pack: CrewPackage | undefined): Map<string, string> =>
  new Map((pack?.agents ?? []).map((one) => [one.id, one.metadata.name || one.id]));
