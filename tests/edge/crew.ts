// Crew projects under test: an edge, two users, and what envelopes hold (crew-package.md §7 "HTTP", ai-sessions.md §1).
import assert from "node:assert/strict";
import type { Bundle, Project, Stepped } from "@holdpoint/core/crew";
import type { Diagnostic, ErrorShape } from "@holdpoint/core/types";
import type { NewKey } from "./gateway.ts";
import { type Edge, startEdge } from "./workerd.ts";

/** An error in an envelope. */
export interface Fault extends Omit<ErrorShape, "details"> {
  details: {
    pointer: string;
    diagnostics: Diagnostic[];
    // biome-ignore lint/suspicious/noExplicitAny: the head is that of what was changed
    head: any;
    diff: { path: string; status: string; unified: string | null }[] | null;
    revision: number;
    limit: string | number;
    path: string;
    conflicting_name: string;
    suggested_name: string;
  };
  hints?: string[];
}

/** An answer. */
export interface Told<T> {
  status: number;
  headers: Headers;
  raw: string;
  data: T;
  error: Fault;
}

export interface Sending {
  body?: unknown;
  /** `If-Match`. */
  seen?: number | string;
  /** `Idempotency-Key`. */
  key?: string;
  headers?: Record<string, string>;
}

/** A workflow with its texts. */
export interface Flow {
  workflowId: number;
  name: string;
  isDefault: boolean;
  revision: number;
  nodes: number;
  edges: number;
  document: string;
  graph: { nodes: Record<string, unknown>[]; edges: Record<string, unknown>[] } & Record<
    string,
    unknown
  >;
  steps: { nodeId: string; path: string; markdown: string }[];
  diagnostics: Diagnostic[];
  warnings: Diagnostic[];
  projectRevision: number;
}

export const agent = (id: string, more: object = {}): Record<string, unknown> => ({
  id,
  metadata: { name: id, title: "T", icon: "1" },
  persona: { role: "r", identity: "i", communication_style: "c", principles: ["p"] },
  ...more,
});

/** A user at an edge. */
export class Person {
  readonly edge: Edge;
  readonly token: string;

  constructor(edge: Edge, token: string) {
    this.edge = edge;
    this.token = token;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds, its route says
  async ask<T = any>(
    method: string,
    path: string,
    { body, seen, key, headers = {} }: Sending = {},
  ): Promise<Told<T>> {
    const sent = { ...headers };
    if (seen !== undefined) sent["if-match"] = String(seen);
    if (key !== undefined) sent["idempotency-key"] = key;
    const { token } = this;
    const got = await this.edge.ask(method, path, { token, body, headers: sent });
    const value = got.value as unknown as { data: T; error: Fault };
    return {
      status: got.status,
      headers: got.headers,
      raw: got.raw,
      data: value?.data,
      error: value?.error,
    };
  }

  /** What a good answer holds; anything else fails the test. */
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds, its route says
  async good<T = any>(method: string, path: string, sending: Sending = {}): Promise<T> {
    const got = await this.ask<T>(method, path, sending);
    assert.ok(got.status < 300, `${method} ${path}: ${got.status} ${got.raw}`);
    return got.data;
  }

  /** Status and code of a refusal. */
  async refused(method: string, path: string, sending: Sending = {}): Promise<[number, string]> {
    const got = await this.ask(method, path, sending);
    assert.ok(got.status >= 400, `${method} ${path}: ${got.status} ${got.raw}`);
    assert.equal(got.data, null);
    return [got.status, got.error.code];
  }

  async project(name = "Claims"): Promise<string> {
    return (await this.good<Project>("POST", "/projects", { body: { name } })).projectId;
  }

  /** A project with two workflows and an agent: clean. */
  async furnished(name = "Claims"): Promise<string> {
    const project = await this.project(name);
    const at = `/projects/${project}`;
    await this.good("POST", `${at}/workflows`, { body: { name: "First" } });
    await this.good("POST", `${at}/workflows`, { body: { name: "Second" } });
    await this.good("PUT", `${at}/agents`, { body: { agents: [agent("clerk")] } });
    return project;
  }

  show = (project: string): Promise<Project> => this.good("GET", `/projects/${project}`);
  bundle = (project: string): Promise<Bundle> => this.good("GET", `/projects/${project}/bundle`);
  flow = (project: string, id: number): Promise<Flow> =>
    this.good("GET", `/projects/${project}/workflows/${id}`);
  step = (project: string, step: string): Promise<Stepped> =>
    this.good("POST", `/projects/${project}/${step}`);
}

/** An edge with two users. */
export async function startCrew(
  variables: Record<string, string> = {},
): Promise<{ edge: Edge; ada: Person; bob: Person; stop: () => Promise<void> }> {
  const edge = await startEdge({ variables });
  const { admin_token: token } = await edge.keys();
  const user = async (name: string) => {
    const body = { label: name, user_id: name, scopes: ["edit", "llm"] };
    const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", { token, body });
    assert.equal(made.status, 201, made.raw);
    return new Person(edge, made.value.key);
  };
  return { edge, ada: await user("ada"), bob: await user("bob"), stop: () => edge.stop() };
}
