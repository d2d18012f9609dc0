/** What the crew pages show of what is open: a list, a package, an editor, two versions, or why there is none. */
import { t } from "@holdpoint/elements";
import type { EditorBase, PackageView } from "@holdpoint/elements/crew/view";
import { type Address, packageAt } from "./address.js";
import type { AgentEditor } from "./agent.js";
import type { AssetEditor } from "./asset.js";
import type { Comparing } from "./comparing.js";
import type { PackageList } from "./list.js";
import type { Opened } from "./opened.js";
import { checkView, contents, savedAt } from "./package-view.js";
import type { AwayView, CrewBody, CrewPane } from "./page-view.js";
import type { Parts } from "./parts.js";
import type { Paths } from "./paths.js";
import type { Saving, Scope } from "./saving.js";
import type { Search } from "./search.js";
import type { Versions } from "./versions.js";
import type { WorkflowEditor } from "./workflow.js";

/** What is open: a package with all that its pages need. */
export interface Desk {
  opened: Opened;
  saving: Saving;
  parts: Parts;
  paths: Paths;
  versions: Versions;
  search: Search;
  /** The address of a proposal that waits; empty where none does. */
  proposal: string;
}

/** Lets go of what is open. */
export function closed(desk: Desk | null): null {
  desk?.opened.close();
  return null;
}

/** Where somebody is, and what is at hand there. */
export interface Open {
  address: Address;
  away: AwayView | null;
  desk: Desk | null;
  list: PackageList;
  comparing: Comparing | null;
  workflow: WorkflowEditor | null;
  agent: AgentEditor | null;
  asset: AssetEditor | null;
  offline: boolean;
  exporting: boolean;
  /** What the editor saves. */
  scope: Scope | null;
  /** Why it cannot be saved as it is. */
  off: (scope: Scope) => string;
  /** Errors that keep it from being saved. */
  errors: () => number;
}

/** What of a workflow a narrow page shows first. */
export function paneOf({ node, drawn }: Extract<Address, { is: "workflow" }>): CrewPane {
  if (drawn) return "graph";
  return node ? "step" : "list";
}

export const loading: AwayView = { state: "loading", problem: null, back: null };

export function bodyOf(open: Open): CrewBody {
  const { desk } = open;
  if (open.away) return { is: "away", view: open.away };
  if (open.address.is === "packages") return { is: "packages", view: open.list.view() };
  if (!desk) return { is: "away", view: loading };
  if (open.comparing) return { is: "compare", view: open.comparing.view() };
  return open.workflow || open.agent || open.asset
    ? editing(open, desk)
    : { is: "package", view: packageOf(open, desk) };
}

function editing(open: Open, desk: Desk): CrewBody {
  const gone: CrewBody = {
    is: "away",
    view: { state: "part", problem: null, back: baseOf(open, desk).package },
  };
  const { workflow, agent, asset } = open;
  const base = baseOf(open, desk);
  const flow = workflow?.view();
  if (flow) return { is: "workflow", view: { ...base, ...flow } };
  const person = agent?.view();
  if (person) return { is: "agent", view: { ...base, ...person } };
  const file = asset?.view();
  if (file) return { is: "asset", view: { ...base, ...file } };
  return gone;
}

function baseOf(open: Open, { opened, saving }: Desk): Omit<EditorBase, "check"> {
  const scope = open.scope;
  const foot = scope
    ? saving.foot(scope, open.off(scope), open.agent?.errors() ?? open.errors())
    : ({ state: "clean", files: 0, off: "", errors: 0 } as const);
  const moved = open.asset?.moves && foot.state === "clean";
  return {
    package: { name: opened.pack.name, href: packageAt(opened.id) },
    foot: moved ? { ...foot, state: "edited", files: 1 } : foot,
    conflict: scope ? saving.conflict(scope) : null,
    undo: stepOf(open, "undo", opened),
    redo: stepOf(open, "redo", opened),
    versions: packageAt(opened.id, "versions"),
  };
}

function stepOf(open: Open, step: "undo" | "redo", opened: Opened): EditorBase["undo"] {
  const here = opened.next(step);
  if (here !== null) return { on: true, what: here };
  const can = step === "undo" ? opened.project?.canUndo : opened.project?.canRedo;
  const on = can === true && !open.offline && !opened.edits().size;
  return { on, what: t("crew.undo.last") };
}

function packageOf(open: Open, desk: Desk): PackageView {
  const { opened, parts, paths, versions, search, proposal } = desk;
  const { pack, stored, project } = opened;
  const tab = open.address.is === "package" ? open.address.tab : "contents";
  return {
    id: opened.id,
    name: pack.name || stored.name,
    version: pack.version,
    revision: stored.revision,
    saved: savedAt(project),
    tab,
    contents: contents(opened, versions.revisions, {
      offline: open.offline,
      naming: parts.naming,
    }),
    check: checkView(opened),
    paths: paths.view(),
    versions: versions.view(),
    search: search.view(),
    proposal,
    unsaved: opened.edits().size,
    exporting: open.exporting,
    undo: stepOf(open, "undo", opened),
    redo: stepOf(open, "redo", opened),
    now: Date.now(),
  };
}

/** Steps, not tokens: what the check says after a change; null while it has not said it. */
export function said(opened: Opened): string | null {
  if (opened.checked.state !== "ready") return null;
  const { errors, warnings } = checkView(opened);
  const what = t("crew.findings.counts", {
    errors: t("crew.errors", { n: errors }),
    warnings: t("crew.warnings", { n: warnings }),
  });
  return t("crew.live.checked", { what });
}
