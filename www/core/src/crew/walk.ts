/**
 * A path walked without a model: what each step reads and writes, what its agent would be told, which variable nothing
 * sets before it. Pure; nothing is run.
 *
 * How a runtime words a prompt is its own matter: here stand the agent, the text of the step and
 * its files and variables, in this order.
 */
import type { Files } from "../types.ts";
import { readStep } from "./frontmatter.ts";
import { exits, type GraphEdge, type GraphNode, titleOf } from "./graph.ts";
import { variablesOf } from "./logic.ts";
import { namesIn } from "./markdown.ts";
import { type Agent, type CrewPackage, citedBy, type Workflow } from "./package.ts";

/** A file that a step names: an asset, what an earlier step writes, what a person brings, or one that is not there. */
export interface WalkedFile {
  path: string;
  is: "asset" | "written" | "brought" | "missing";
  /** The title of the step that wrote it. */
  by: string;
}

/** A variable that a step reads: set by an earlier step, given with the workflow, or not set on this path. */
export interface WalkedVariable {
  name: string;
  is: "set" | "given" | "missing";
  by: string;
}

export interface WalkedStep {
  node: GraphNode;
  /** Null where the file is not there or its head cannot be read. */
  text: string | null;
  /** Null where nobody works, or the agent is not in the package. */
  agent: Agent | null;
  files: readonly WalkedFile[];
  variables: readonly WalkedVariable[];
  writes: readonly string[];
  sets: readonly string[];
  /** The exit that the path takes; null at its end. */
  takes: GraphEdge | null;
  /** What the agent would be told, in the order of a conversation. */
  prompt: readonly { role: "system" | "user"; content: string }[];
}

/** A path as `crew.paths` lists it: ids of nodes, and places in the list of edges. */
export interface WalkedPath {
  nodes: readonly string[];
  edges: readonly number[];
}

const MOUNT = /^@(?:pkg|project)\//;
const plain = (path: string): string => path.trim().replace(MOUNT, "");
/** A name that a text puts into code marks or double braces. */
const NAMED = /`([A-Za-z_][\w.-]*)`|\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g;

/** Every step of a path, in its order. A node that is not in the graph is left out. */
export function walkPath(
  workflow: Workflow,
  pack: CrewPackage,
  files: Files,
  path: WalkedPath,
): WalkedStep[] {
  const { graph } = workflow;
  if (!graph) return [];
  const given = new Set(namesIn(readStep(files[workflow.document] ?? "").head, "variables"));
  const read = new Map(graph.nodes.map((node) => [node.id, readStep(files[node.file] ?? "")]));
  const known = new Set([
    ...given,
    ...[...read.values()].flatMap(({ fields }) => fields?.setsVariables ?? []),
  ]);
  const cited = new Map<string, string[]>();
  for (const [asset, places] of citedBy(pack))
    for (const { workflowId, nodeId } of places)
      if (workflowId === workflow.id) cited.set(nodeId, [...(cited.get(nodeId) ?? []), asset]);
  const set = new Map<string, string>();
  const written = new Map<string, string>();
  return path.nodes.flatMap((id, n): WalkedStep[] => {
    const node = graph.nodes.find((one) => one.id === id);
    const { fields = null, body = "" } = read.get(id) ?? {};
    if (!node) return [];
    const title = titleOf(node);
    const agentId = fields?.agentId || node.agentId?.trim() || "";
    const sets = fields?.setsVariables ?? [];
    const wanted = new Set([
      ...[...body.matchAll(NAMED)]
        .map(([, code, braced]) => braced ?? (known.has(code ?? "") ? (code ?? "") : ""))
        .filter((name) => name && !sets.includes(name)),
      ...exits(graph, id)
        .flatMap((edge) => variablesOf(edge.conditionExpr))
        .filter((name) => !sets.includes(name)),
    ]);
    const variables = [...wanted].sort().map((name): WalkedVariable => {
      const by = set.get(name) ?? "";
      if (by) return { name, is: "set", by };
      return { name, is: given.has(name) ? "given" : "missing", by };
    });
    const inputs = (fields?.inputs ?? node.inputs ?? []).map(plain).filter(Boolean);
    const paths = [...new Set([...inputs, ...(cited.get(id) ?? [])])];
    const sources = paths.map((one) => fileOf(one, files, written));
    const writes = (fields?.outputs ?? node.outputs ?? []).map(plain).filter(Boolean);
    for (const name of sets) set.set(name, title);
    for (const one of writes) written.set(one, title);
    const agent = pack.agents?.find((one) => one.id === agentId) ?? null;
    const step = { files: sources, variables, writes, sets };
    return [
      {
        ...step,
        node,
        agent,
        text: fields ? body.trim() : null,
        takes: graph.edges[path.edges[n] ?? -1] ?? null,
        prompt: fields ? promptOf(agent, body, step) : [],
      },
    ];
  });
}

function fileOf(path: string, files: Files, written: ReadonlyMap<string, string>): WalkedFile {
  if (path.startsWith("assets/"))
    return { path, is: files[path] === undefined ? "missing" : "asset", by: "" };
  const by = written.get(path) ?? "";
  if (by) return { path, is: "written", by };
  return { path, is: path.startsWith("artifacts/") ? "missing" : "brought", by };
}

type Named = Pick<WalkedStep, "files" | "variables" | "writes" | "sets">;

function promptOf(agent: Agent | null, body: string, step: Named): WalkedStep["prompt"] {
  const lists = [
    ["Files to read", step.files.map(({ path }) => path)],
    ["Files to write", step.writes],
    ["Variables to read", step.variables.map(({ name }) => name)],
    ["Variables to set", step.sets],
  ] as const;
  const named = lists.flatMap(([what, items]) =>
    items.length ? [`${what}:\n${items.map((one) => `- ${one}`).join("\n")}`] : [],
  );
  const user = [text(agent?.userPromptTemplate), body.trim(), ...named]
    .filter(Boolean)
    .join("\n\n");
  const system = agent ? persona(agent) : "";
  return [
    ...(system ? [{ role: "system" as const, content: system }] : []),
    { role: "user", content: user },
  ];
}

/** The system prompt of an agent, else its persona as sentences; what it always does comes last. */
function persona(agent: Agent): string {
  const { metadata, persona: own } = agent;
  const principles = [own.principles].flat().map(text).filter(Boolean);
  const lines = [
    `You are ${metadata.name || agent.id}, ${metadata.title}.`,
    `Role: ${own.role}`,
    `Identity: ${own.identity}`,
    `Way of speaking: ${own.communication_style}`,
    principles.length ? `Principles:\n${principles.map((one) => `- ${one}`).join("\n")}` : "",
  ].filter(Boolean);
  const always = Array.isArray(agent.critical_actions)
    ? agent.critical_actions.map(text).filter(Boolean)
    : [];
  const actions = always.length ? `Always:\n${always.map((one) => `- ${one}`).join("\n")}` : "";
  return [text(agent.systemPrompt) || lines.join("\n"), actions].filter(Boolean).join("\n\n");
}

const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
