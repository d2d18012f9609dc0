// The pages of crew packages over an edge in memory (crew-packages.md §5): projects with their revisions, counters and
// conflicts. What is right in a package is the check's matter, which runs in the page.

import {
  type Agent,
  type Bundle,
  type Counters,
  jsonText,
  openPackage,
  type Project,
  type Revision,
  record,
  type WorkflowChange,
  type WorkflowItem,
} from "@holdpoint/core/crew";
import type { Files } from "@holdpoint/core/types";
import "../../crew-engine.ts";
import { type Asked, Edge, Refused, Reply, type Routes } from "./edge.ts";

interface State {
  name: string;
  files: Files;
  counters: Counters;
  cause: string;
  changed: string[];
  at: number;
  actor: string;
}

/** Every state that it had, oldest first, and which of them is there. */
interface Kept {
  id: string;
  states: State[];
  at: number;
}

/** A package as it is sent. */
interface Import {
  file: File;
  custom_name?: string;
}

const OWNER = "user:dev";
const ONE = "/projects/:id";
const FLOW = `${ONE}/workflows/:workflow`;

/** A list, all of it. */
const whole = (items: unknown[]): object => ({ items, nextCursor: null });

export class ProjectsEdge extends Edge {
  readonly #projects = new Map<string, Kept>();
  protected override readonly routes: Routes = {
    "GET /projects": () => whole([...this.#projects.values()].map((one) => this.#project(one))),
    "POST /projects": ({ body }) => this.#project(this.put(String(body.name), {})),
    [`GET ${ONE}`]: (_, id) => this.#project(this.#kept(id)),
    "POST /packages/import": ({ body }) => this.#import(body as unknown as Import),
    [`GET ${ONE}/export`]: (_, id) =>
      new Reply(200, JSON.stringify(this.files(id)), { "content-type": "application/zip" }),
    [`PUT ${ONE}`]: ({ body }, id) => this.#rename(id, String(body.name)),
    [`DELETE ${ONE}`]: (_, id) => ({ deleted: this.#projects.delete(id) }),
    [`POST ${ONE}/duplicate`]: ({ body }, id) =>
      this.#project(this.put(String(body.name), this.files(id))),
    [`GET ${ONE}/ai/sessions`]: () => whole([]),
    [`GET ${ONE}/bundle`]: (_, id) => this.#bundle(id, this.#kept(id).at),
    [`GET ${ONE}/revisions`]: (_, id) => whole(this.#kept(id).states.map(revised).reverse()),
    [`GET ${ONE}/revisions/:revision`]: (_, id, revision) => this.#bundle(id, Number(revision) - 1),
    [`POST ${ONE}/revisions/:revision/restore`]: (_, id, to) =>
      this.#write(id, this.#bundle(id, Number(to) - 1).files, "restore"),
    [`POST ${ONE}/undo`]: (_, id) => {
      const { states, at } = this.#kept(id);
      return this.#write(id, states[at - 1].files, "undo");
    },
    [`POST ${ONE}/workflows`]: ({ body }, id) => this.#createWorkflow(id, String(body.name)),
    [`POST ${FLOW}/duplicate`]: ({ body }, id) => this.#createWorkflow(id, String(body.name)),
    [`PUT ${FLOW}`]: (asked, id, workflow) => {
      this.#gate(asked, id, ({ workflows }) => workflows[workflow]);
      return this.#putWorkflow(id, workflow, asked.body as WorkflowChange);
    },
    [`DELETE ${FLOW}`]: (_, id, workflow) => this.#removeWorkflow(id, workflow),
    [`PUT ${ONE}/agents`]: (asked, id) => {
      this.#gate(asked, id, ({ agentsRevision }) => agentsRevision);
      return this.#putAgents(id, asked.body.agents as Agent[]);
    },
    [`* ${ONE}/assets`]: (asked, id) => {
      this.#gate(asked, id, ({ assetsRevision }) => assetsRevision);
      const { path, content } = asked.body as Record<string, string>;
      const { [path]: _, ...rest } = this.files(id);
      return this.#write(id, asked.method === "DELETE" ? rest : { ...rest, [path]: content });
    },
  };

  /** Makes a project of files, as an import does. */
  put(name: string, files: Files): Kept {
    const id = `prj_${String(this.#projects.size + 1).padStart(16, "0")}`;
    const workflows = Object.fromEntries(openPackage(files).workflows.map((one) => [one.id, 1]));
    const counters = { workflows, agentsRevision: 1, assetsRevision: 1 };
    const first = { name, files, counters, cause: "import", changed: [] };
    const kept = { id, states: [{ ...first, at: Date.now(), actor: OWNER }], at: 0 };
    this.#projects.set(id, kept);
    return kept;
  }

  /** The files of a project as they are stored. */
  files(id: string): Files {
    return this.#state(id).files;
  }

  /** Somebody else saves. */
  elsewhere(id: string, changed: Files, actor = OWNER): void {
    this.#write(id, { ...this.files(id), ...changed });
    this.#state(id).actor = actor;
  }

  /** An empty project: what is in the archive is not read. */
  #import({ file, custom_name: name = file.name.replace(/\.\w+$/, "") }: Import): object {
    if ([...this.#projects.keys()].some((id) => this.#state(id).name === name)) {
      const details = { conflicting_name: name, suggested_name: `${name}-imported` };
      throw new Refused({ status: 409, code: "PKG_NAME_CONFLICT", details });
    }
    const { id: project_id } = this.put(name, {});
    return { project_id, project_name: name, workflows_count: 1, agents_count: 1, warnings: [] };
  }

  #kept(id: string): Kept {
    const kept = this.#projects.get(id);
    if (!kept) throw new Refused({ status: 404, code: "PROJECT_NOT_FOUND" });
    return kept;
  }

  #state(id: string): State {
    const { states, at } = this.#kept(id);
    return states[at];
  }

  /** Nobody changed what is changed since it was read. */
  #gate({ headers }: Asked, id: string, now: (counters: Counters) => number | undefined): void {
    const { states } = this.#kept(id);
    if (Number(headers["if-match"]) === now(this.#state(id).counters)) return;
    const saved = states.flatMap((state, n) => {
      const was = states[n - 1];
      return was && now(was.counters) !== now(state.counters) ? [revised(state, n)] : [];
    });
    throw new Refused({ status: 409, code: "CONFLICT", details: { saved: saved.reverse() } });
  }

  #write(id: string, files: Files, cause = "save", name = this.#state(id).name): object {
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
    return { project: this.#project(kept), changed: [] };
  }

  #project({ id, states, at }: Kept): Project {
    const { name, files, counters, at: updatedAt } = states[at];
    const pack = openPackage(files, name);
    const bytes = pack.assets.reduce((sum, one) => sum + one.bytes, 0);
    return {
      ...{ projectId: id, name, revision: at + 1, createdAt: states[0].at, updatedAt },
      workflows: pack.workflows.map((one) => this.#workflow(id, one.id)),
      ...{ agents: pack.agents?.length ?? 0, agentsRevision: counters.agentsRevision },
      ...{ assets: { count: pack.assets.length, bytes }, assetsRevision: counters.assetsRevision },
      ...{ canUndo: at > 0, canRedo: false, check: { ok: true, errors: 0, warnings: 4 } },
    };
  }

  #workflow(id: string, workflow: string): WorkflowItem {
    const { files, counters } = this.#state(id);
    const one = openPackage(files).workflows.find((other) => other.id === workflow);
    if (!one) throw new Refused({ status: 404, code: "WORKFLOW_NOT_FOUND" });
    return {
      ...{ workflowId: Number(workflow), name: one.name, isDefault: one.isDefault },
      revision: counters.workflows[workflow] ?? 1,
      ...{ nodes: one.graph?.nodes.length ?? null, edges: one.graph?.edges.length ?? null },
    };
  }

  #rename(id: string, name: string): Project {
    const files = this.files(id);
    const manifest = record(files["bmad.json"]);
    const named: Files = manifest ? { "bmad.json": jsonText({ ...manifest, name }) } : {};
    this.#write(id, { ...files, ...named }, "save", name);
    return this.#project(this.#kept(id));
  }

  #bundle(id: string, at: number): Bundle {
    const state = this.#kept(id).states[at];
    if (!state) throw new Refused({ status: 404, code: "REVISION_NOT_FOUND" });
    const { name, files, counters } = state;
    return { projectId: id, name, revision: at + 1, files, revisions: counters, diagnostics: [] };
  }

  #createWorkflow(id: string, name: string): WorkflowItem {
    const { files, name: project } = this.#state(id);
    const all = openPackage(files).workflows.map((one) => Number(one.id));
    const next = String(Math.max(0, ...all) + 1);
    const folder = `workflows/${next}/`;
    const texts = { workflow: `${folder}workflow.md`, graph: `${folder}workflow.graph.json` };
    const manifest = record(files["bmad.json"]) ?? {
      ...{ schemaVersion: "1.1", name: project, version: "0.1.0" },
      entry: { ...texts, agents: "agents.json" },
      workflows: [],
    };
    const workflows = [
      ...(manifest.workflows as object[]),
      { id: next, ...texts, displayName: name },
    ];
    const added = { "bmad.json": jsonText({ ...manifest, workflows }), ...smallWorkflow(folder) };
    this.#write(id, { ...files, ...added });
    return this.#workflow(id, next);
  }

  #putWorkflow(id: string, workflow: string, change: WorkflowChange): WorkflowItem {
    const files = this.files(id);
    const next: Record<string, string> = { ...files };
    const folder = `workflows/${workflow}/`;
    if (change.document !== undefined) next[`${folder}workflow.md`] = change.document;
    if (change.graph) next[`${folder}workflow.graph.json`] = jsonText(change.graph);
    for (const [path, text] of Object.entries(change.steps ?? {})) {
      if (text === null) delete next[path];
      else next[path] = text;
    }
    if (change.name !== undefined)
      next["bmad.json"] = listing(files, (one) =>
        one.id === workflow ? { ...one, displayName: change.name } : one,
      );
    this.#write(id, next);
    return this.#workflow(id, workflow);
  }

  #removeWorkflow(id: string, workflow: string): object {
    const files = this.files(id);
    const kept = Object.entries(files).filter(
      ([path]) => !path.startsWith(`workflows/${workflow}/`),
    );
    const manifest = listing(files, (one) => (one.id === workflow ? [] : one));
    this.#write(id, { ...Object.fromEntries(kept), "bmad.json": manifest });
    return { deleted: true };
  }

  #putAgents(id: string, agents: Agent[]): object {
    const files = this.files(id);
    const was = record(files["agents.json"]) ?? { schemaVersion: "1.1" };
    this.#write(id, { ...files, "agents.json": jsonText({ ...was, agents }) });
    return { revision: this.#state(id).counters.agentsRevision };
  }
}

/** The manifest with its workflows changed. */
function listing(files: Files, change: (one: { id: string }) => object | object[]): string {
  const manifest = record(files["bmad.json"]) ?? {};
  const all = (manifest.workflows ?? []) as { id: string }[];
  return jsonText({ ...manifest, workflows: all.flatMap(change) });
}

const revised = ({ cause, changed, at, name, actor }: State, n: number): Revision => ({
  ...{ revision: n + 1, about: null, cause, changed, at, name, actor },
});

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
