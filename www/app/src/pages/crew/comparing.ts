/** Two versions of a package beside each other. Both are read once; a version that is there is what this page has. */
import { type Bundle, openPackage } from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import { format, t } from "@holdpoint/elements";
import type { ComparedObject, CompareView } from "@holdpoint/elements/crew/view";
import { packageAt } from "./address.js";
import type { Around } from "./around.js";
import { type Differences, differences, type Side } from "./members.js";
import type { Opened } from "./opened.js";
import type { Versions } from "./versions.js";

export class Comparing {
  restoring = false;
  #sides: { left: Side; right: Side } | null = null;
  #differences: Differences | null = null;
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
      this.#differences = differences(this.#sides.left, this.#sides.right);
      const { workflows } = this.#differences;
      const first = [...workflows].find(([, objects]) => objects.length) ?? [...workflows][0];
      this.#chosen = first?.[0] ?? "";
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
    const all = this.#differences;
    const objects = all
      ? [...(all.workflows.get(this.#chosen) ?? []), ...all.others]
      : ([] as ComparedObject[]);
    const total = all ? [...[...all.workflows.values()].flat(), ...all.others] : [];
    const count = (how: ComparedObject["how"]): number =>
      total.filter((one) => one.how === how).length;
    return {
      state: this.#state,
      problem: this.#problem,
      left: { revision: this.from, meta: this.#meta(this.from) },
      right: { revision: this.to, meta: this.#meta(this.to) },
      counts: { added: count("added"), removed: count("removed"), changed: count("changed") },
      workflows: all ? [...all.workflows].map(([key, list]) => this.#line(key, list.length)) : [],
      chosen: this.#chosen,
      graphs: this.#graphs(),
      objects,
      agents: { left: names(this.#sides?.left), right: names(this.#sides?.right) },
      back: { name: stored.name, href: packageAt(id, "versions") },
      restoring: this.restoring,
      offline: !this.around.online(),
    };
  }

  #line(id: string, changes: number): CompareView["workflows"][number] {
    const { left, right } = this.#sides ?? {};
    const one = [right, left]
      .flatMap((one) => one?.pack.workflows ?? [])
      .find((workflow) => workflow.id === id);
    return { id, name: one?.name ?? id, changes };
  }

  #graphs(): CompareView["graphs"] {
    if (!this.#sides || !this.#chosen) return null;
    const of = ({ pack }: Side) => pack.workflows.find((one) => one.id === this.#chosen)?.graph;
    return { left: of(this.#sides.left) ?? null, right: of(this.#sides.right) ?? null };
  }

  #meta(revision: number): string {
    const one = this.versions.revisions.find((other) => other.revision === revision);
    return one ? `${format.when(one.at, Date.now())}, ${t("crew.by.you")}` : "";
  }
}

const side = (bundle: Bundle): Side => ({
  files: bundle.files,
  pack: openPackage(bundle.files, bundle.name),
});

const names = (of: Side | undefined): Map<string, string> =>
  new Map((of?.pack.agents ?? []).map((one) => [one.id, one.metadata.name || one.id]));
