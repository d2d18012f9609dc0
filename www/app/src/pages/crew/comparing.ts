/** Two versions of a package beside each other. Both are read once; a version that is there is what this page has. */
import { type Bundle, type CrewPackage, openPackage } from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import { format, t } from "@holdpoint/elements";
import type { CompareView } from "@holdpoint/elements/crew/view";
import { packageAt } from "./address.js";
import type { Around } from "./around.js";
import {
  agentNames,
  type Comparison,
  changedNodes,
  objects,
  type WorkflowCompared,
} from "./members.js";
import type { Opened } from "./opened.js";
import type { Versions } from "./versions.js";

export class Comparing {
  restoring = false;
  #sides: { left: CrewPackage; right: CrewPackage } | null = null;
  #compared: Comparison | null = null;
  #state: CompareView["state"] = "comparing";
  #problem: ErrorShape | null = null;
  #chosen = "";

  constructor(
    readonly from: number,
    readonly to: number,
    private readonly opened: Opened,
    private readonly versions: Versions,
    private readonly around: Around,
  ) {}

  async load(): Promise<void> {
    try {
      const [left, right] = await Promise.all([this.#bundle(this.from), this.#bundle(this.to)]);
      this.#sides = { left: side(left), right: side(right) };
      this.#compared = await this.around.checks.call<Comparison>("crew.compare", {
        before: left.files,
        after: right.files,
      });
      const { workflows } = this.#compared;
      const first = workflows.find((one) => one.changes > 0) ?? workflows[0];
      this.#chosen = first?.id ?? "";
      this.#state = "ready";
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#state = "failed";
      this.#problem = error;
      this.around.failed(error);
    }
    this.around.changed();
  }

  #bundle(revision: number): Promise<Bundle> {
    const { stored, id } = this.opened;
    return revision === stored.revision
      ? Promise.resolve(stored)
      : this.around.api.revision(id, revision);
  }

  choose(id: string): void {
    this.#chosen = id;
    this.around.changed();
  }

  view(): CompareView {
    const { id, stored } = this.opened;
    const all = this.#compared;
    const graphs = this.#graphs();
    const workflow = this.#workflow;
    return {
      state: this.#state,
      problem: this.#problem,
      left: { revision: this.from, meta: this.#meta(this.from) },
      right: { revision: this.to, meta: this.#meta(this.to) },
      counts: all?.counts ?? { added: 0, removed: 0, changed: 0 },
      workflows: (all?.workflows ?? []).map(({ id: key, name, changes }) => ({
        id: key ?? "",
        name: name ?? key ?? "",
        changes,
      })),
      chosen: this.#chosen,
      graphs,
      changed: changedNodes(workflow),
      objects: all && graphs ? objects(all, workflow, graphs) : [],
      agents: { left: agentNames(this.#sides?.left), right: agentNames(this.#sides?.right) },
      back: { name: stored.name, href: packageAt(id, "versions") },
      restoring: this.restoring,
      offline: !this.around.online(),
    };
  }

  get #workflow(): WorkflowCompared | undefined {
    return this.#compared?.workflows.find((one) => (one.id ?? "") === this.#chosen);
  }

  #graphs(): CompareView["graphs"] {
    if (!this.#sides) return null;
    const of = ({ workflows }: CrewPackage) =>
      workflows.find((one) => one.id === this.#chosen)?.graph ?? null;
    return { left: of(this.#sides.left), right: of(this.#sides.right) };
  }

  #meta(revision: number): string {
    const one = this.versions.revisions.find((other) => other.revision === revision);
    return one ? format.listed([format.when(one.at, Date.now()), t("crew.by.you")]) : "";
  }
}

const side = (bundle: Bundle): CrewPackage => openPackage(bundle.files, bundle.name);
