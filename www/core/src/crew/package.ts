/**
 * A crew package as a page reads it: its workflows, agents and assets, and who cites whom.
 *
 * Owns the way from files to parts; whether they are right is the check's matter (crew-package.md §6), so what cannot
 * be read is left out or empty and never throws.
 */
import type { Files } from "../types.ts";
import { citations } from "./citations.ts";
import { readStep } from "./frontmatter.ts";
import { type Graph, readGraph } from "./graph.ts";

export const MANIFEST = "bmad.json";
const AGENTS = "agents.json";
const ASSETS = "assets/";

/** The members of an agent that a page knows; all others are kept as they are (crew-package.md §3). */
export interface Agent {
  id: string;
  metadata: { name: string; title: string; icon: string; [more: string]: unknown };
  persona: {
    role: string;
    identity: string;
    communication_style: string;
    principles: string | string[];
  };
  tools?: {
    fs?: { enabled?: boolean; maxReadBytes?: number; maxWriteBytes?: number };
    mcp?: { enabled?: boolean; allowedServers?: string[] };
  };
  [more: string]: unknown;
}

export interface Workflow {
  id: string;
  name: string;
  description: string;
  isDefault: boolean;
  /** Paths of its document and of its graph. */
  document: string;
  graphFile: string;
  /** Null where it is not there or cannot be read. */
  graph: Graph | null;
  /** The folder of its step files, with a slash. */
  steps: string;
}

export interface Asset {
  path: string;
  bytes: number;
  binary: boolean;
}

/** A place that cites an asset. `nodeId` is empty for the document of a workflow. */
export interface Cited {
  workflowId: string;
  nodeId: string;
  path: string;
  line: number;
  inputs: boolean;
}

export interface CrewPackage {
  name: string;
  version: string;
  description: string;
  workflows: Workflow[];
  agentsFile: string;
  /** Null where the file is not there or cannot be read. */
  agents: Agent[] | null;
  assets: Asset[];
}

/** An object of JSON, or null. */
export function record(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const records = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

export function openPackage(files: Files, name = ""): CrewPackage {
  const manifest = record(files[MANIFEST]) ?? {};
  const entry = isRecord(manifest.entry) ? manifest.entry : {};
  const agentsFile = text(entry.agents) || AGENTS;
  return {
    name: text(manifest.name) || name,
    version: text(manifest.version),
    description: text(manifest.description),
    workflows: workflows(files, manifest, entry),
    agentsFile,
    agents: agents(files[agentsFile]),
    assets: Object.keys(files)
      .filter((path) => path.startsWith(ASSETS))
      .sort()
      .map((path) => ({ path, ...size(files[path] ?? "") })),
  };
}

function workflows(
  files: Files,
  manifest: Record<string, unknown>,
  entry: Record<string, unknown>,
): Workflow[] {
  const listed = records(manifest.workflows);
  const rows = listed.length ? listed : [{ id: "", ...entry }];
  return rows
    .filter((row) => text(row.graph) !== "" || text(row.workflow) !== "")
    .map((row: Record<string, unknown>): Workflow => {
      const graphFile = text(row.graph);
      const id = text(row.id);
      return {
        id,
        name: text(row.displayName) || id,
        description: text(row.description),
        isDefault: row.workflow === entry.workflow && row.graph === entry.graph,
        document: text(row.workflow),
        graphFile,
        graph: readGraph(files[graphFile]),
        steps: `${graphFile.slice(0, graphFile.lastIndexOf("/") + 1)}steps/`,
      };
    });
}

/** The agents of the list whose parts are where they belong, so that a table can name them. */
function agents(file: string | undefined): Agent[] | null {
  const list = record(file)?.agents;
  if (!Array.isArray(list)) return null;
  return list.filter(isRecord).map((one) => {
    const metadata = isRecord(one.metadata) ? one.metadata : {};
    const persona = isRecord(one.persona) ? one.persona : {};
    return {
      ...one,
      id: text(one.id),
      metadata: {
        ...metadata,
        name: text(metadata.name),
        title: text(metadata.title),
        icon: text(metadata.icon),
      },
      persona: {
        ...persona,
        role: text(persona.role),
        identity: text(persona.identity),
        communication_style: text(persona.communication_style),
        principles: Array.isArray(persona.principles)
          ? persona.principles.map(text)
          : text(persona.principles),
      },
    };
  });
}

/** The agents file with other agents, its other members as they were. */
export function agentsText(files: Files, agentsFile: string, list: Agent[]): string {
  return jsonText({
    ...(record(files[agentsFile]) ?? { schemaVersion: "1.1" }),
    agents: list,
  });
}

/** JSON as Holdpoint writes it (crew-package.md §7). */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const BINARY = "base64:";
const utf8 = new TextEncoder();

/** The size that counts: of a binary asset that of its bytes. */
function size(content: string): { bytes: number; binary: boolean } {
  if (!content.startsWith(BINARY)) return { bytes: utf8.encode(content).length, binary: false };
  const encoded = content.length - BINARY.length;
  const pad = /=*$/.exec(content)?.[0].length ?? 0;
  return { bytes: Math.floor((encoded * 3) / 4) - pad, binary: true };
}

/** Where each asset is cited, by path; also paths that are not there (crew-package.md §4 "Citations"). */
export function citedBy(files: Files, workflows: readonly Workflow[]): Map<string, Cited[]> {
  const out = new Map<string, Cited[]>();
  const note = (asset: string, at: Cited): void => {
    out.set(asset, [...(out.get(asset) ?? []), at]);
  };
  for (const workflow of workflows) {
    const nodes = workflow.graph?.nodes ?? [];
    const read = [
      { nodeId: "", path: workflow.document },
      ...nodes.map((node) => ({ nodeId: node.id, path: node.file })),
    ];
    for (const { nodeId, path } of read) {
      const file = files[path];
      if (file === undefined) continue;
      const place = { workflowId: workflow.id, nodeId, path };
      for (const [asset, at] of cites(file, nodeId !== "")) note(asset, { ...place, ...at });
    }
  }
  return out;
}

function cites(file: string, step: boolean): Map<string, { line: number; inputs: boolean }> {
  const found = new Map<string, { line: number; inputs: boolean }>();
  const { fields, body, bodyLine } = readStep(file);
  const inputs = step && fields ? fields.inputs : [];
  for (const input of inputs) {
    const asset = input.replace(/^@pkg\//, "");
    const line = file.slice(0, Math.max(0, file.indexOf(input))).split("\n").length;
    if (asset.startsWith(ASSETS) && !found.has(asset)) found.set(asset, { line, inputs: true });
  }
  for (const { path, line } of citations(body))
    if (!found.has(path)) found.set(path, { line: line + bodyLine - 1, inputs: false });
  return found;
}

/** The nodes in which an agent works. */
export function worksIn(
  workflows: readonly Workflow[],
  agentId: string,
): { workflow: Workflow; nodeId: string; title: string }[] {
  return workflows.flatMap((workflow) =>
    (workflow.graph?.nodes ?? [])
      .filter((node) => node.agentId?.trim() === agentId)
      .map((node) => ({ workflow, nodeId: node.id, title: node.title?.trim() || node.id })),
  );
}
