/**
 * The edge of crew projects in this page's memory, for walks: projects with their revisions, counters and conflicts.
 *
 * Knows of a package what its routes say of it; what is right is the check's matter, which runs in the page.
 */
import {
  type Agent,
  type Bundle,
  type Counters,
  type CrewApi,
  jsonText,
  openPackage,
  type Project,
  type Revision,
  record,
  type WorkflowChange,
  type WorkflowItem,
} from "@holdpoint/core/crew";
import { ApiError } from "@holdpoint/core/editor";
import type { Files } from "@holdpoint/core/types";

interface State {
  name: string;
  files: Files;
  counters: Counters;
}

interface Kept {
  id: string;
  /** Every state that it had, oldest first, and which of them is there. */
  states: (State & { cause: string; changed: string[]; at: number; actor: string })[];
  at: number;
}

const OWNER = "user:dev";

const refusal = (code: string, status: number): ApiError =>
  new ApiError({ code, message: `${code}.` }, status);

export class FakeCrew implements CrewApi {
  offline = false;
  /** What was asked, oldest first: method, and the revision it was made on. */
  asked: { what: string; match?: number | undefined }[] = [];
  #projects = new Map<string, Kept>();
  #next = 1;

  /** Makes a project of files, as an import does. */
  put(name: string, files: Files): string {
    const id = `prj_${String(this.#next).padStart(16, "0")}`;
    this.#next += 1;
    const workflows = Object.fromEntries(openPackage(files).workflows.map((one) => [one.id, 1]));
    const counters = { workflows, agentsRevision: 1, assetsRevision: 1 };
    const first = { name, files, counters, cause: "import", changed: [] };
    const made = { ...first, at: Date.now(), actor: OWNER };
    this.#projects.set(id, { id, states: [made], at: 0 });
    return id;
  }

  /** The files of a project as they are stored. */
  files(id: string): Files {
    return this.#state(id).files;
  }

  /** Somebody else saves. */
  elsewhere(id: string, changed: Files, actor = OWNER): void {
    this.#write(id, { ...this.#state(id).files, ...changed }, "save");
    this.#state(id).actor = actor;
  }

  #kept(id: string): Kept {
    if (this.offline) throw refusal("OFFLINE", 0);
    const kept = this.#projects.get(id);
    if (!kept) throw refusal("PROJECT_NOT_FOUND", 404);
    return kept;
  }

  #state(id: string): Kept["states"][number] {
    const { states, at } = this.#kept(id);
    const state = states[at];
    if (!state) throw refusal("PROJECT_NOT_FOUND", 404);
    return state;
  }

  #ask(
    what: string,
    id: string,
    now: (counters: Counters) => number | undefined,
    match?: number,
  ): void {
    this.asked.push({ what, match });
    if (match === undefined || match === now(this.#state(id).counters)) return;
    const { states } = this.#kept(id);
    const saved = states.flatMap((state, n) => {
      const was = states[n - 1];
      return was && now(was.counters) !== now(state.counters) ? [revised(state, n)] : [];
    });
    const details = { saved: saved.reverse() };
    throw new ApiError({ code: "CONFLICT", message: "CONFLICT.", details: details as never }, 409);
  }

  #write(id: string, files: Files, cause: string, name = this.#state(id).name): void {
    const kept = this.#kept(id);
    const was = this.#state(id);
    const paths = [...new Set([...Object.keys(was.files), ...Object.keys(files)])];
    const changed = paths.filter((path) => was.files[path] !== files[path]);
    const touches = (begin: string): number =>
      changed.some((path) => path.startsWith(begin)) ? 1 : 0;
    const { workflows, agentsRevision, assetsRevision } = was.counters;
    const counters = {
      workflows: Object.fromEntries(
        openPackage(files).workflows.map((one) => [
          one.id,
          (workflows[one.id] ?? 0) + touches(`workflows/${one.id}/`),
        ]),
      ),
      agentsRevision: agentsRevision + touches("agents.json"),
      assetsRevision: assetsRevision + touches("assets/"),
    };
    const now = { name, files, counters, cause, changed, at: Date.now(), actor: OWNER };
    kept.states = [...kept.states, now];
    kept.at = kept.states.length - 1;
  }

  async projects() {
    if (this.offline) throw refusal("OFFLINE", 0);
    const items = [...this.#projects.keys()].map((id) => this.#project(id));
    return { items, nextCursor: null };
  }

  #project(id: string): Project {
    const { states, at } = this.#kept(id);
    const { name, files, counters, at: updatedAt } = this.#state(id);
    const pack = openPackage(files, name);
    return {
      projectId: id,
      name,
      revision: at + 1,
      createdAt: states[0]?.at ?? 0,
      updatedAt,
      workflows: pack.workflows.map((one) => this.#workflow(id, one.id)),
      agents: pack.agents?.length ?? 0,
      agentsRevision: counters.agentsRevision,
      assets: {
        count: pack.assets.length,
        bytes: pack.assets.reduce((sum, one) => sum + one.bytes, 0),
      },
      assetsRevision: counters.assetsRevision,
      canUndo: at > 0,
      canRedo: false,
      check: { ok: true, errors: 0, warnings: 4 },
    };
  }

  #workflow(id: string, workflow: string): WorkflowItem {
    const { files, counters } = this.#state(id);
    const one = openPackage(files).workflows.find((other) => other.id === workflow);
    if (!one) throw refusal("WORKFLOW_NOT_FOUND", 404);
    return {
      workflowId: Number(workflow),
      name: one.name,
      isDefault: one.isDefault,
      revision: counters.workflows[workflow] ?? 1,
      nodes: one.graph?.nodes.length ?? null,
      edges: one.graph?.edges.length ?? null,
    };
  }

  async create(name: string) {
    if (this.offline) throw refusal("OFFLINE", 0);
    return this.#project(this.put(name, {}));
  }

  async project(id: string) {
    return this.#project(id);
  }

  async rename(id: string, name: string) {
    const { files } = this.#state(id);
    const manifest = record(files["bmad.json"]);
    const named: Files = manifest ? { "bmad.json": jsonText({ ...manifest, name }) } : {};
    this.#write(id, { ...files, ...named }, "save", name);
    return this.#project(id);
  }

  async remove(id: string) {
    this.#kept(id);
    this.#projects.delete(id);
    return { deleted: true };
  }

  async duplicate(id: string, name: string) {
    return this.#project(this.put(name, this.#state(id).files));
  }

  async bundle(id: string): Promise<Bundle> {
    return this.#bundle(id, this.#kept(id).at);
  }

  #bundle(id: string, at: number): Bundle {
    const state = this.#kept(id).states[at];
    if (!state) throw refusal("REVISION_NOT_FOUND", 404);
    const { name, files, counters } = state;
    return { projectId: id, name, revision: at + 1, files, revisions: counters, diagnostics: [] };
  }

  async revisions(id: string) {
    const items = this.#kept(id).states.map(revised);
    return { items: items.reverse(), nextCursor: null };
  }

  async revision(id: string, revision: number) {
    return this.#bundle(id, revision - 1);
  }

  async restore(id: string, to: number) {
    this.#write(id, this.#bundle(id, to - 1).files, "restore");
    return { project: this.#project(id), changed: [] };
  }

  async step(id: string, step: "undo" | "redo") {
    const kept = this.#kept(id);
    const before = kept.states[kept.at - 1];
    if (step === "redo" || !before) throw refusal("CONFLICT", 409);
    this.#write(id, before.files, step);
    return { project: this.#project(id), changed: [] };
  }

  async waiting() {
    return null;
  }

  async export(id: string) {
    this.asked.push({ what: "export" });
    return new Blob([JSON.stringify(this.#state(id).files)]);
  }

  async import(_file: Blob, filename: string, name = filename.replace(/\.\w+$/, "")) {
    const taken = [...this.#projects.keys()].some((id) => this.#state(id).name === name);
    if (taken)
      throw new ApiError(
        {
          code: "PKG_NAME_CONFLICT",
          message: "The name is taken.",
          details: { conflicting_name: name, suggested_name: `${name}-imported` },
        },
        409,
      );
    const id = this.put(name, window.hpImported ?? {});
    return {
      project_id: id,
      project_name: name,
      workflows_count: 1,
      agents_count: 1,
      warnings: [],
    };
  }

  async createWorkflow(id: string, name: string) {
    const { files, name: project } = this.#state(id);
    const { workflows } = openPackage(files);
    const next = Math.max(0, ...workflows.map((one) => Number(one.id))) + 1;
    const folder = `workflows/${next}/`;
    const listed = {
      id: String(next),
      workflow: `${folder}workflow.md`,
      graph: `${folder}workflow.graph.json`,
      displayName: name,
    };
    const manifest = record(files["bmad.json"]) ?? {
      schemaVersion: "1.1",
      name: project,
      version: "0.1.0",
      entry: { workflow: listed.workflow, graph: listed.graph, agents: "agents.json" },
      workflows: [],
    };
    const all = [...(manifest.workflows as object[]), listed];
    this.#write(
      id,
      {
        ...files,
        "bmad.json": jsonText({ ...manifest, workflows: all }),
        ...smallWorkflow(folder),
      },
      "save",
    );
    return this.#workflow(id, String(next));
  }

  async putWorkflow(id: string, workflow: string, change: WorkflowChange, match: number) {
    this.#ask("workflow", id, ({ workflows }) => workflows[workflow], match);
    const { files } = this.#state(id);
    const next: Record<string, string> = { ...files };
    const folder = `workflows/${workflow}/`;
    if (change.document !== undefined) next[`${folder}workflow.md`] = change.document;
    if (change.graph) next[`${folder}workflow.graph.json`] = jsonText(change.graph);
    for (const [path, text] of Object.entries(change.steps ?? {})) {
      if (text === null) delete next[path];
      else next[path] = text;
    }
    const manifest = record(files["bmad.json"]);
    const list = (manifest?.workflows ?? []) as { id: string; workflow: string; graph: string }[];
    if (manifest && change.name !== undefined)
      next["bmad.json"] = jsonText({
        ...manifest,
        workflows: list.map((one) =>
          one.id === workflow ? { ...one, displayName: change.name } : one,
        ),
      });
    this.#write(id, next, "save");
    return this.#workflow(id, workflow);
  }

  async removeWorkflow(id: string, workflow: string) {
    const { files } = this.#state(id);
    const manifest = record(files["bmad.json"]) ?? {};
    const list = ((manifest.workflows ?? []) as { id: string }[]).filter(
      (one) => one.id !== workflow,
    );
    const kept = Object.entries(files).filter(
      ([path]) => !path.startsWith(`workflows/${workflow}/`),
    );
    const next = {
      ...Object.fromEntries(kept),
      "bmad.json": jsonText({ ...manifest, workflows: list }),
    };
    this.#write(id, next, "save");
    return { deleted: true };
  }

  async duplicateWorkflow(id: string, _workflow: string, name: string) {
    return this.createWorkflow(id, name);
  }

  async putAgents(id: string, agents: Agent[], match: number) {
    this.#ask("agents", id, ({ agentsRevision }) => agentsRevision, match);
    const { files } = this.#state(id);
    const was = record(files["agents.json"]) ?? { schemaVersion: "1.1" };
    this.#write(id, { ...files, "agents.json": jsonText({ ...was, agents }) }, "save");
    return { revision: this.#state(id).counters.agentsRevision };
  }

  async createAsset(id: string, path: string, content: string, match: number) {
    return this.#asset(id, path, content, match);
  }

  async putAsset(id: string, path: string, content: string, match: number) {
    return this.#asset(id, path, content, match);
  }

  #asset(id: string, path: string, content: string, match: number): object {
    this.#ask("asset", id, ({ assetsRevision }) => assetsRevision, match);
    this.#write(id, { ...this.#state(id).files, [path]: content }, "save");
    return {};
  }

  async removeAsset(id: string, path: string, match: number) {
    this.#ask("asset", id, ({ assetsRevision }) => assetsRevision, match);
    const { [path]: _, ...rest } = this.#state(id).files;
    this.#write(id, rest, "save");
    return {};
  }
}

const revised = (
  { cause, changed, at, name, actor }: Kept["states"][number],
  n: number,
): Revision => ({ revision: n + 1, about: null, ...{ cause, changed, at, name, actor } });

function smallWorkflow(folder: string): Files {
  const node = (id: string, type: string, title: string) => ({
    ...{ id, type, title },
    file: `${folder}steps/${id}.md`,
  });
  const step = (id: string, type: string, title: string): string =>
    `---\nschemaVersion: "1.1"\nnodeId: "${id}"\ntype: "${type}"\n---\n\n# ${title}\n\n` +
    "## Goal\n\nSay what is to be done.\n\n## Instructions\n\n1. Do it.\n";
  return {
    [`${folder}workflow.md`]:
      '---\nschemaVersion: "1.1"\nworkflowType: workflow\ncurrentNodeId: ""\nstepsCompleted: []\n---\n\n# Work\n',
    [`${folder}workflow.graph.json`]: jsonText({
      schemaVersion: "1.1",
      entryNodeId: "start",
      nodes: [node("start", "step", "Start"), node("end", "end", "End")],
      edges: [{ from: "start", to: "end", label: "next" }],
    }),
    [`${folder}steps/start.md`]: step("start", "step", "Start"),
    [`${folder}steps/end.md`]: step("end", "end", "End"),
  };
}

declare global {
  interface Window {
    hpCrew?: FakeCrew;
    /** What an import brings. */
    hpImported?: Files;
  }
}
