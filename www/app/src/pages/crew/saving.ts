/**
 * Saving the edits of one part, or of all that waited: each write says which revision it is made on; where somebody
 * else was first, nothing is written and both sides are shown (crew-package.md §7).
 */
import {
  MANIFEST,
  type Revision,
  record,
  type Side,
  type Workflow,
  type WorkflowChange,
} from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import { format, t } from "@holdpoint/elements";
import type { ConflictView, FootView } from "@holdpoint/elements/crew/view";
import type { DiffFile } from "@holdpoint/elements/diff/view";
import { type Around, failed, refused } from "./around.js";
import type { Edit } from "./draft.js";
import { Merging } from "./merging.js";
import type { Opened } from "./opened.js";

/** The part that an editor edits. */
export type Scope =
  | { is: "workflow"; workflow: Workflow }
  | { is: "agents" }
  | { is: "asset"; paths: readonly string[] };

export class Saving {
  busy = false;
  #conflict: { scope: Scope; first: Revision | null; at: number; merging: Merging } | null = null;

  constructor(
    private readonly opened: Opened,
    private readonly around: Around,
  ) {}

  /** Whether a file belongs to a part. */
  of(scope: Scope): (path: string) => boolean {
    if (scope.is === "agents") return (path) => path === this.opened.pack.agentsFile;
    if (scope.is === "asset") return (path) => scope.paths.includes(path);
    const { document, graphFile, steps } = scope.workflow;
    return (path) => path === document || path === graphFile || path.startsWith(steps);
  }

  /** Saves a part. Without a network it waits on this device. False: it was not saved, and the page says why. */
  async save(scope: Scope): Promise<boolean> {
    const edits = this.opened.edits(this.of(scope));
    if (this.busy || this.#conflict || !edits.size) return false;
    if (!this.around.online()) {
      this.opened.queue(edits.keys());
      return false;
    }
    return this.#send(scope, edits);
  }

  async #send(scope: Scope, edits: Map<string, Edit>): Promise<boolean> {
    this.busy = true;
    this.around.changed();
    try {
      await this.#write(scope, edits);
      await this.opened.saved();
      this.around.done();
      this.around.toast(t("crew.edit.saved", { n: this.opened.stored.revision }));
      return true;
    } catch (error) {
      await this.#refused(scope, edits, error);
      return false;
    } finally {
      this.busy = false;
      this.around.changed();
    }
  }

  async #refused(scope: Scope, edits: Map<string, Edit>, error: unknown): Promise<void> {
    if (!isRefusal(error)) throw error;
    if (error.code === "OFFLINE") {
      this.around.failed(error);
      this.opened.queue(edits.keys());
      return;
    }
    this.opened.unqueue(edits.keys());
    if (error.code === "CONFLICT") await this.#meet(scope, error);
    else refused(this.around, "save", error);
  }

  /** The refusal says who was first, and when: the newest version that changed the part stands first. */
  async #meet(scope: Scope, { details }: ErrorShape): Promise<void> {
    const saved = (details?.saved ?? []) as unknown as readonly Revision[];
    try {
      await this.opened.refresh();
      const edits = () => this.opened.edits(this.of(scope));
      const merging = new Merging(this.opened, this.around.core, edits);
      this.#conflict = { scope, first: saved[0] ?? null, at: Date.now(), merging };
    } catch (error) {
      failed(this.around, error);
    }
  }

  async #write(scope: Scope, edits: Map<string, Edit>): Promise<void> {
    const { id, stored, pack, files } = this.opened;
    const { api } = this.around;
    if (scope.is === "agents") {
      await api.putAgents(id, agentsOf(files[pack.agentsFile]), stored.revisions.agentsRevision);
      return;
    }
    if (scope.is === "workflow") {
      const { id: workflow } = scope.workflow;
      const revision = stored.revisions.workflows[workflow] ?? 0;
      await api.putWorkflow(id, workflow, changeOf(scope.workflow, edits), revision);
      return;
    }
    // A move writes the new file before the old one goes.
    let revision = stored.revisions.assetsRevision;
    const kept = [...edits].sort(([, a], [, b]) => Number(a.now === null) - Number(b.now === null));
    for (const [path, { now }] of kept) {
      const there = stored.files[path] !== undefined;
      if (now === null && !there) continue;
      if (now === null) await api.removeAsset(id, path, revision);
      else if (there) await api.putAsset(id, path, now, revision);
      else await api.createAsset(id, path, now, revision);
      revision += 1;
    }
  }

  /** Sends what waited. It stops at the first part that somebody else changed meanwhile. */
  async sendQueued(): Promise<void> {
    for (const scope of this.#waiting()) {
      const waits = new Set(this.opened.queued(this.of(scope)));
      const edits = this.opened.edits((path) => waits.has(path));
      if (edits.size && !(await this.#send(scope, edits))) return;
    }
  }

  #waiting(): Scope[] {
    const { workflows, agentsFile } = this.opened.pack;
    const paths = this.opened.queued();
    const parts: Scope[] = workflows.map((workflow) => ({ is: "workflow", workflow }));
    const assets = paths.filter((path) => path.startsWith("assets/"));
    const agents = paths.includes(agentsFile);
    return [
      ...(agents ? [{ is: "agents" } as const] : []),
      ...(assets.length ? [{ is: "asset", paths: assets } as const] : []),
      ...parts.filter((part) => paths.some(this.of(part))),
    ];
  }

  // ── somebody else was first ────────────────────────────────────────────────────────────────────────────────────

  /** Theirs beside mine; null while nobody was first in this part. */
  conflict(scope: Scope): ConflictView | null {
    const met = this.#conflict;
    if (!met || met.scope.is !== scope.is) return null;
    const { stored } = this.opened;
    const n = met.first?.revision ?? stored.revision;
    const files = [...this.opened.edits(this.of(scope))].flatMap(([path, { now }]) =>
      this.#differs(path, stored.files[path] ?? "", now ?? ""),
    );
    return {
      text: this.#told(scope, met),
      files,
      left: t("crew.conflict.left", { n }),
      right: t("crew.conflict.right"),
      merge: met.merging.view(),
    };
  }

  /** Of a place that both changed: whose text it gets. */
  choose(key: string, side: Side): void {
    this.#conflict?.merging.choose(key, side);
    this.around.changed();
  }

  #told(scope: Scope, { first, at }: { first: Revision | null; at: number }): string {
    const part = partName(scope);
    if (!first) return t("crew.conflict.moved", { part, n: this.opened.stored.revision });
    return t("crew.conflict.text", {
      part,
      who: first.actor.replace(/^user:/, ""),
      time: format.when(first.at, at),
      n: first.revision,
    });
  }

  #differs(path: string, before: string, after: string): DiffFile[] {
    if (before === after) return [];
    return [{ path, before, diff: this.around.core.textDiff(before, after) }];
  }

  /** The edits that it was about are gone. */
  forget(): void {
    this.#conflict = null;
  }

  async settle(way: Side | "both"): Promise<void> {
    const met = this.#conflict;
    const both = way === "both" ? (met?.merging.changes() ?? null) : {};
    if (!met || !both) return;
    this.#conflict = null;
    const of = this.of(met.scope);
    if (way === "theirs") {
      this.opened.drop(of, t("crew.edit.all"));
      return;
    }
    this.opened.rebase(this.opened.edits(of).keys());
    this.opened.edit(both, t("crew.edit.both"));
    await this.save(met.scope);
  }

  foot(scope: Scope, off = "", errors = 0): FootView {
    const files = this.opened.edits(this.of(scope)).size;
    return { state: this.#state(scope, files), files, off, errors };
  }

  #state(scope: Scope, files: number): FootView["state"] {
    if (this.#conflict?.scope.is === scope.is) return "conflict";
    if (this.busy) return "saving";
    if (!files) return "clean";
    return this.opened.queued(this.of(scope)).length === files ? "queued" : "edited";
  }
}

/** What of a workflow is another: its graph as an object, its texts as they are. */
function changeOf(workflow: Workflow, edits: Map<string, Edit>): WorkflowChange {
  const change: WorkflowChange = {};
  const steps: Record<string, string | null> = {};
  for (const [path, { now }] of edits) {
    if (path === workflow.document) change.document = now ?? "";
    else if (path === workflow.graphFile) change.graph = record(now ?? "") ?? {};
    else if (path !== MANIFEST) steps[path] = now;
  }
  return Object.keys(steps).length ? { ...change, steps } : change;
}

/** The list as it stands in the file, members and order untouched. */
function agentsOf(file: string | undefined): never[] {
  const list = record(file)?.agents;
  return (Array.isArray(list) ? list : []) as never[];
}

function partName(scope: Scope): string {
  if (scope.is === "agents") return t("crew.agents");
  return scope.is === "workflow" ? scope.workflow.name : (scope.paths[0] ?? "");
}

/** Whether what is edited can be sent: a graph that is none is not. */
export const sendable = (scope: Scope): boolean =>
  scope.is !== "workflow" || scope.workflow.graph !== null;
