/** What somebody else saved while a change was looked at, in words. Pure. */
import type { Revision } from "@holdpoint/core/crew";
import { format } from "@holdpoint/elements";
import type { SavedView } from "@holdpoint/elements/crew/workbench/view";
import type { Names } from "./names.js";
import { savedVersion } from "./ways.js";

export function savedOf(
  revisions: readonly Revision[],
  names: Names,
  project: string,
  now: number,
): SavedView[] {
  return revisions.map(({ revision, actor, at, changed }) => ({
    who: actor.replace(/^user:/, ""),
    what: format.listed([...new Set(changed.map((path) => names.file(path)))]),
    at: format.when(at, now),
    version: revision,
    href: savedVersion(project, revision),
  }));
}

/** Whether a file counts for a part of the package. */
export function isOf(
  part: "workflow" | "agents" | "assets",
  workflow: number | null,
  path: string,
) {
  const at = {
    workflow: `workflows/${workflow ?? ""}/`,
    assets: "assets/",
    agents: "agents",
  }[part];
  return path.startsWith(at);
}
