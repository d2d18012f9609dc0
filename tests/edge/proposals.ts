// Sessions of a crew package without a model: what a person, or a tool in their name, stages, checks and applies.
import assert from "node:assert/strict";
import type { Person } from "./crew.ts";

/** What is signed. */
export interface Preview {
  changeSetId: string;
  baseHash: string;
  resultHash: string;
  confirm: string[];
  confirmToken: string | null;
}

export interface Found {
  code: string;
  path: string;
  field?: string;
  provided?: number;
  current?: number;
  blocking?: boolean;
}

/** A verdict. */
export interface Verdict {
  valid: boolean;
  schemaFailed: boolean;
  changeSetId: string | null;
  sessionId: string;
  status: string | null;
  errors: Found[];
  warnings: Found[];
  meta: { allowWrite: boolean; changed: { object: string; status: string; baseHash: string }[] };
  normalizedChangeSet: { operations: object[] } | null;
  preview: Preview | null;
}

export interface Target {
  targetType: string;
  mode: string;
  targetId?: string;
  workflowId?: number;
}

/** A session of somebody about a project. */
export class Session {
  readonly person: Person;
  readonly project: string;
  readonly target: Target;
  readonly id: string;

  constructor(person: Person, project: string, target: Target, id: string) {
    this.person = person;
    this.project = project;
    this.target = target;
    this.id = id;
  }

  static async open(person: Person, project: string, target: Target): Promise<Session> {
    const path = `/projects/${project}/ai/sessions`;
    const made = await person.good("POST", path, { body: target });
    const { workflowId, targetId } = made;
    return new Session(person, project, { ...target, workflowId, targetId }, made.sessionId);
  }

  get path(): string {
    return `/projects/${this.project}/ai/sessions/${this.id}`;
  }

  set(...operations: object[]) {
    const { targetType, mode } = this.target;
    return { schemaVersion: "1.0", targetType, mode, operations };
  }

  change(verb: string, body: object = {}, key?: string) {
    const path = `/projects/${this.project}/ai/change/${verb}`;
    return this.person.ask("POST", path, { body: { sessionId: this.id, ...body }, key });
  }

  async stage(...operations: object[]): Promise<string> {
    const staged = await this.change("stage", { changeSet: this.set(...operations) });
    assert.equal(staged.status, 201, staged.raw);
    return staged.data.changeSetId;
  }

  async validate(changeSetId: string): Promise<Verdict> {
    const told = await this.change("validate", { changeSetId });
    assert.equal(told.status, 200, told.raw);
    return told.data;
  }

  /** A set that holds, with its preview. */
  async valid(...operations: object[]): Promise<Preview> {
    const verdict = await this.validate(await this.stage(...operations));
    assert.deepEqual(verdict.errors, []);
    assert.ok(verdict.preview);
    return verdict.preview;
  }

  apply(preview: Preview, more: object = {}) {
    const { changeSetId, baseHash, resultHash, confirmToken } = preview;
    const body = {
      changeSetId,
      confirmSource: "ui_manual_apply",
      preview: { baseHash, resultHash },
      ...(confirmToken ? { confirmToken } : {}),
      ...more,
    };
    return this.person.ask("POST", `${this.path}/apply`, { body });
  }

  show = (query = "") => this.person.good("GET", `${this.path}${query}`);
}

export const asset = (path: string, payload: object) => ({
  op: "upsert",
  targetType: "asset",
  target: { path },
  payload,
});
export const gone = (targetType: string, target: object) => ({ op: "delete", targetType, target });
export const agentPatch = (agentId: string, payload: object) => ({
  op: "upsert",
  targetType: "agent",
  target: { agentId },
  payload,
});
export const step = (workflowId: number, nodeId: string, payload: object) => ({
  op: "upsert",
  targetType: "step",
  target: { workflowId, nodeId },
  payload,
});
export const workflow = (workflowId: number, payload: object) => ({
  op: "upsert",
  targetType: "workflow",
  target: { workflowId },
  payload,
});
export const edit = (find: string, replace: string) => ({ edits: [{ find, replace }] });

export const stepText = (id: string, type: string, goal: string) =>
  `---\nschemaVersion: "1.1"\nnodeId: ${id}\ntype: ${type}\n---\n\n` +
  `## Goal\n\n${goal}\n\n## Instructions\n\nDo it.\n`;

/** The payload of a whole workflow. */
export const wholeWorkflow = (id: number) => ({
  workflowMarkdown:
    '---\nschemaVersion: "1.1"\nworkflowType: workflow\ncurrentNodeId: a\nstepsCompleted: []\n---\n# New\n',
  graph: {
    schemaVersion: "1.1",
    entryNodeId: "a",
    nodes: ["a", "z"].map((node) => ({
      id: node,
      type: node === "a" ? "step" : "end",
      file: `workflows/${id}/steps/${node}.md`,
    })),
    edges: [{ from: "a", to: "z", label: "next" }],
  },
  stepFiles: {
    "steps/a.md": stepText("a", "step", "Begin."),
    "steps/z.md": stepText("z", "end", "End."),
  },
});

/** What a project holds that only an apply or a hand may change: files, counters, revisions. */
export async function business(person: Person, project: string): Promise<string> {
  const bundle = await person.good("GET", `/projects/${project}/bundle`);
  const revisions = await person.good("GET", `/projects/${project}/revisions?limit=100`);
  const shown = await person.good("GET", `/projects/${project}`);
  return JSON.stringify([bundle, revisions, shown]);
}

/** Types and codes of what was done, oldest first. */
export async function told(person: Person, project: string, query = ""): Promise<string[]> {
  const { items } = await person.good(
    "GET",
    `/projects/${project}/ai/audit/events?limit=100${query}`,
  );
  return items
    .map(({ type, code }: { type: string; code: string | null }) =>
      code ? `${type} ${code}` : type,
    )
    .reverse();
}
