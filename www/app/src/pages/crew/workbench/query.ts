/**
 * The address of the workbench: what is talked about, and the way back. Spec: ai-sessions.md §11.
 *
 * Pure. Knows no page and makes no call: an address that says too little, or something odd, is a fault with its name.
 * Invariant: a way back stays on this origin.
 */
import { agentPage, DASHBOARD, projectPage, workflowEditor } from "./ways.js";

export const targetTypes = ["workflow", "step", "agent", "asset"] as const;
export type TargetType = (typeof targetTypes)[number];
export const modes = ["create", "optimize"] as const;
export type Mode = (typeof modes)[number];

export interface Query {
  projectId: string;
  targetType: TargetType;
  targetId: string;
  mode: Mode;
  workflowId: number | null;
  sessionId: string | null;
  source: string | null;
  returnTo: string | null;
}

/** The member that an address lacks, or says wrongly. */
export interface QueryFault {
  name: "projectId" | "targetType" | "targetId" | "mode" | "workflowId" | "sessionId" | "returnTo";
  is: "missing" | "wrong";
  value: string;
}

/** What could be read of an address; `fault` null where it is whole. */
export type Asked =
  | { fault: null; query: Query }
  | { fault: QueryFault; query: Partial<Query> & { projectId: string } };

const PATH = /^\/builder\/([^/]+)\/ai-workbench\/?$/;
const SESSION = /^as_[0-9a-f]{16}$/;
/** Characters that a browser leaves out of an address, so that what follows them would move. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const DROPPED = /[\u0000-\u001f\u007f]/;

/** Reads an address of the workbench. */
export function asked({ pathname, search }: Pick<URL, "pathname" | "search">): Asked {
  const given = new URLSearchParams(search);
  const value = (name: string): string => given.get(name)?.trim() ?? "";
  const projectId = project(pathname);
  const targetType = known(targetTypes, value("targetType"));
  const mode = given.has("mode") ? known(modes, value("mode")) : "optimize";
  const workflowId = whole(value("workflowId"));
  const returnTo = value("returnTo");
  const query: Partial<Query> & { projectId: string } = {
    projectId,
    ...(targetType ? { targetType } : {}),
    ...(mode ? { mode } : {}),
    targetId: value("targetId"),
    workflowId,
    sessionId: value("sessionId") || null,
    source: value("source") || null,
    returnTo: local(returnTo) ? returnTo : null,
  };
  const fault = (name: QueryFault["name"], said = value(name)): Asked => ({
    fault: { name, is: said === "" ? "missing" : "wrong", value: said },
    query,
  });
  if (projectId === "") return fault("projectId", "");
  if (!targetType) return fault("targetType");
  if (!mode) return fault("mode");
  const inside = targetType === "workflow" || targetType === "step";
  if (workflowId === null && (inside || given.has("workflowId"))) return fault("workflowId");
  if (query.targetId === "") return fault("targetId");
  // A workflow is named twice, and must be the same both times.
  if (targetType === "workflow" && query.targetId !== String(workflowId)) return fault("targetId");
  if (query.sessionId && !SESSION.test(query.sessionId)) return fault("sessionId");
  if (returnTo !== "" && !query.returnTo) return fault("returnTo");
  return { fault: null, query: query as Query };
}

/** `returnTo`, else the page that `source` names, else the project, else the list of all. */
export function wayBack(query: Partial<Query> & { projectId: string }): string {
  const { projectId, returnTo, source, workflowId, targetType, targetId } = query;
  if (returnTo) return returnTo;
  if (projectId === "") return DASHBOARD;
  if (source === "editor" && workflowId) return workflowEditor(projectId, workflowId);
  if (source === "agent-editor" && targetType === "agent" && targetId)
    return agentPage(projectId, targetId);
  return projectPage(projectId);
}

/** What a link into the workbench says. */
export interface Entry {
  targetType: TargetType;
  targetId: string;
  workflowId?: number;
  mode?: Mode;
  source: "builder" | "editor" | "agent-editor";
  sessionId?: string;
  returnTo?: string;
}

/** The address of the workbench for a target; null where there is no id: no id, no link. */
export function workbenchUrl(projectId: string, entry: Entry): string | null {
  const { targetType, targetId, workflowId, mode, source, sessionId, returnTo } = entry;
  const inside = targetType === "workflow" || targetType === "step";
  if (projectId === "" || targetId.trim() === "" || (inside && workflowId === undefined))
    return null;
  const said = new URLSearchParams({ targetType, targetId });
  if (workflowId !== undefined) said.set("workflowId", String(workflowId));
  if (mode) said.set("mode", mode);
  if (sessionId) said.set("sessionId", sessionId);
  said.set("source", source);
  if (returnTo) said.set("returnTo", returnTo);
  return `/builder/${encodeURIComponent(projectId)}/ai-workbench?${said}`;
}

function project(pathname: string): string {
  const [, id = ""] = PATH.exec(pathname) ?? [];
  try {
    return decodeURIComponent(id);
  } catch {
    return "";
  }
}

function known<T extends string>(all: readonly T[], said: string): T | undefined {
  return all.find((one) => one === said.toLowerCase());
}

function whole(said: string): number | null {
  const n = /^\d+$/.test(said) ? Number(said) : 0;
  return Number.isSafeInteger(n) && n >= 1 ? n : null;
}

/** One `/` at its begin, and neither `//` nor `/\`, which would lead elsewhere. */
function local(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !DROPPED.test(path);
}
