/** The values that a package's page shows, from its files and its check. Pure. */
import {
  about,
  type Cited,
  type CrewPackage,
  type CrewSession,
  citedBy,
  type Project,
  type Revision,
  titleOf,
  worksIn,
} from "@holdpoint/core/crew";
import type { Diagnostic } from "@holdpoint/core/types";
import { format, hinted, t } from "@holdpoint/elements";
import type {
  AgentLine,
  AssetLine,
  CheckView,
  ContentsView,
  Counts,
  PartFinding,
  WorkflowLine,
} from "@holdpoint/elements/crew/view";
import { found } from "@holdpoint/elements/findings/view";
import { agentAt, assetAt, packageAt, workflowAt } from "./address.js";
import type { Opened } from "./opened.js";
import { workbenchUrl } from "./workbench/query.js";

/** Errors and warnings of some findings. */
export function counts(findings: readonly Diagnostic[]): Counts {
  const errors = findings.filter((one) => one.severity === "error").length;
  return { errors, warnings: findings.length - errors };
}

const KINDS: Readonly<Record<string, "md" | "txt" | "json" | "yaml">> = {
  md: "md",
  txt: "txt",
  json: "json",
  yaml: "yaml",
  yml: "yaml",
};

export function kindOf(path: string, binary: boolean): string {
  if (binary) return t("crew.asset.binary");
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return t(`crew.kind.${KINDS[ending] ?? "other"}`);
}

export function contents(
  opened: Opened,
  revisions: readonly Revision[],
  rest: Pick<ContentsView, "offline" | "naming">,
): ContentsView {
  const { pack, id, checked } = opened;
  const cited = citedBy(pack);
  const parts = checked.findings.map((one) => ({ one, at: about(pack, one) }));
  const of = (is: (at: ReturnType<typeof about>) => boolean): Counts =>
    counts(parts.filter(({ at }) => is(at)).map(({ one }) => one));
  return {
    workflows: pack.workflows.map((one): WorkflowLine => {
      const { id: workflow, name, isDefault, graph, steps } = one;
      const folder = steps.slice(0, -"steps/".length);
      return {
        ...{ id: workflow, name, isDefault },
        check: of((at) => at.workflowId === workflow),
        nodes: graph?.nodes.length ?? null,
        edges: graph?.edges.length ?? null,
        href: workflowAt(id, workflow),
        improve: improving(id, { targetType: "workflow", targetId: workflow }, workflow),
        changed: changedAt(revisions, (path) => path.startsWith(folder)),
      };
    }),
    agents: agentLines(opened, of),
    assets: pack.assets.map(({ path, bytes, binary }): AssetLine => {
      return {
        ...{ path, bytes, kind: kindOf(path, binary) },
        check: of((at) => at.asset === path),
        cited: cited.get(path)?.length ?? 0,
        href: assetAt(id, path),
        improve: improving(id, { targetType: "asset", targetId: path }),
      };
    }),
    bytes: pack.assets.reduce((sum, one) => sum + one.bytes, 0),
    ...rest,
  };
}

function agentLines(
  { pack, id }: Opened,
  of: (is: (at: ReturnType<typeof about>) => boolean) => Counts,
): AgentLine[] | null {
  if (pack.agents === null) return opensEmpty(pack) ? [] : null;
  return pack.agents.map((agent): AgentLine => {
    const works = worksIn(pack.workflows, agent.id);
    const { fs, mcp } = agent.tools ?? {};
    return {
      id: agent.id,
      name: agent.metadata.name,
      sub: agent.persona.role,
      check: of((at) => at.agentId === agent.id),
      steps: works.length,
      workflows: new Set(works.map(({ workflow }) => workflow.id)).size,
      files: fs?.enabled !== false,
      servers: mcp?.enabled ? (mcp.allowedServers?.length ?? 0) : 0,
      href: agentAt(id, agent.id),
      improve: improving(id, { targetType: "agent", targetId: agent.id }),
    };
  });
}

/** A package of which nothing is there yet. */
const opensEmpty = (pack: CrewPackage): boolean => pack.version === "" && !pack.workflows.length;

/** The address of the workbench for a part; the page itself where there is no id. */
export function improving(
  id: string,
  target: { targetType: "workflow" | "step" | "agent" | "asset"; targetId: string },
  workflow = "",
  source: "builder" | "editor" | "agent-editor" = "builder",
): string {
  const inside = workflow ? { workflowId: Number(workflow) } : {};
  return workbenchUrl(id, { ...target, ...inside, source }) ?? packageAt(id);
}

/** The address of a conversation whose proposal waits. */
export function proposalAt({
  projectId,
  targetType,
  targetId,
  workflowId,
  mode,
  sessionId,
}: CrewSession): string {
  const inside = workflowId === null ? {} : { workflowId };
  const entry = { targetType, targetId: targetId ?? "", mode, sessionId, ...inside };
  return workbenchUrl(projectId, { ...entry, source: "builder" }) ?? "";
}

function changedAt(revisions: readonly Revision[], is: (path: string) => boolean): string {
  const one = revisions.find((revision) => revision.changed.some(is));
  return one ? format.listed([format.when(one.at, Date.now()), t("crew.by.you")]) : "";
}

// ── findings ─────────────────────────────────────────────────────────────────────────────────────────────────────

export function checkView({ checked, pack, id }: Opened): CheckView {
  const { state, findings, at, ms } = checked;
  const sorted = [...findings].sort(
    (a, b) => Number(b.severity === "error") - Number(a.severity === "error"),
  );
  return {
    ...counts(findings),
    ...{ state, at, ms },
    findings: sorted.map((one) => partFinding(pack, id, one)),
  };
}

export function partFinding(pack: CrewPackage, id: string, finding: Diagnostic): PartFinding {
  const one = found(finding);
  // A warning says what to do itself; of an error the hint names what is allowed.
  const hint = one.severity === "error" ? hinted(finding) : "";
  return { found: one, hint, ...placed(pack, id, finding) };
}

/** The part that a finding is about, in words, and its address. */
export function placed(
  pack: CrewPackage,
  id: string,
  finding: Diagnostic,
): { place: string; href: string } {
  const at = about(pack, finding);
  const line = finding.range ? t("crew.findings.line", { n: finding.range.start.line }) : "";
  if (at.asset) return { place: said(at.asset, line), href: assetAt(id, at.asset) };
  if (at.agentId) {
    const agent = pack.agents?.find((one) => one.id === at.agentId);
    return { place: agent?.metadata.name || at.agentId, href: agentAt(id, at.agentId) };
  }
  const workflow = pack.workflows.find((one) => one.id === at.workflowId);
  if (!workflow) return { place: "", href: "" };
  const node = workflow.graph?.nodes.find((one) => one.id === at.nodeId);
  const place = said(node ? said(workflow.name, titleOf(node)) : workflow.name, line);
  return { place, href: workflowAt(id, workflow.id, at.nodeId) };
}

const said = (part: string, place: string): string =>
  place ? t("crew.findings.place", { part, place }) : part;

/** Who cites an asset, with where a click leads. */
export function citations(opened: Opened, path: string) {
  const { pack, id } = opened;
  return (citedBy(pack).get(path) ?? []).map((cited: Cited) => {
    const workflow = pack.workflows.find((one) => one.id === cited.workflowId);
    const node = workflow?.graph?.nodes.find((one) => one.id === cited.nodeId);
    return {
      ...cited,
      title: node ? titleOf(node) : t("crew.asset.cited.document"),
      workflow: workflow?.name ?? cited.workflowId,
      href: workflowAt(id, cited.workflowId, cited.nodeId),
    };
  });
}

/** When and by whom a package was saved last. */
export function savedAt(project: Project | null): string {
  if (!project) return "";
  return t("crew.version.saved", {
    n: project.revision,
    time: format.when(project.updatedAt, Date.now()),
    who: t("crew.by.you"),
  });
}
