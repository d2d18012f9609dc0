/** The addresses of the crew pages: what one names, and how one is made. Pure. */

export const ROOT = "/crew";

export type Tab = "contents" | "paths" | "versions";

/** What an address names. */
export type Address =
  | { is: "packages" }
  | { is: "package"; id: string; tab: Tab }
  | { is: "workflow"; id: string; workflow: string; node: string; drawn: boolean }
  | { is: "agent"; id: string; agent: string }
  | { is: "asset"; id: string; path: string }
  | { is: "compare"; id: string; from: number; to: number };

const segment = encodeURIComponent;

export const packageAt = (id: string, tab: Tab = "contents"): string =>
  `${ROOT}/${segment(id)}${tab === "contents" ? "" : `/${tab}`}`;
export const workflowAt = (id: string, workflow: string, node = ""): string =>
  `${packageAt(id)}/workflows/${segment(workflow)}${node ? `?node=${segment(node)}` : ""}`;
/** The same where a node is to be seen in its graph, also on a narrow page. */
export const nodeInGraph = (id: string, workflow: string, node: string): string =>
  `${workflowAt(id, workflow, node)}&view=graph`;
export const agentAt = (id: string, agent: string): string =>
  `${packageAt(id)}/agents/${segment(agent)}`;
export const assetAt = (id: string, path: string): string =>
  `${packageAt(id)}/assets/${segment(path)}`;
export const compareAt = (id: string, from: number, to: number): string =>
  `${packageAt(id)}/compare/${from}/${to}`;

/** Reads an address; what names nothing is the list. */
export function addressed({ pathname, search }: Pick<URL, "pathname" | "search">): Address {
  const [id = "", part = "", name = "", more = ""] = parts(pathname);
  if (id === "") return { is: "packages" };
  if (part === "workflows" && name) {
    const query = new URLSearchParams(search);
    const drawn = query.get("view") === "graph";
    return { is: "workflow", id, workflow: name, node: query.get("node") ?? "", drawn };
  }
  if (part === "agents" && name) return { is: "agent", id, agent: name };
  if (part === "assets" && name) return { is: "asset", id, path: name };
  if (part === "compare" && /^\d+$/.test(name) && /^\d+$/.test(more))
    return { is: "compare", id, from: Number(name), to: Number(more) };
  return { is: "package", id, tab: part === "paths" || part === "versions" ? part : "contents" };
}

function parts(pathname: string): string[] {
  try {
    return pathname.slice(ROOT.length).split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return [];
  }
}
