/**
 * The routes of crew projects over HTTP (crew-package.md §7 "HTTP"). Every failure is an `ApiError`.
 *
 * A write says which revision it is made on; where that is no longer the newest, the edge answers `CONFLICT` and writes
 * nothing.
 */
import { type Bearer, createHttp } from "../http.ts";
import type { Agent } from "./package.ts";
import type { CrewSession, SessionAnswer } from "./session-wire.ts";
import type {
  Bundle,
  Imported,
  Listed,
  Project,
  ProjectItem,
  Revision,
  Stepped,
  WorkflowChange,
  WorkflowItem,
} from "./wire.ts";

const ROOT = "/projects";
const IMPORT = "/packages/import";
/** Conversations that are looked at for a proposal, the newest first. */
const MAX_LOOKED_AT = 3;
/** States of a proposal that can still be applied. */
const OPEN = new Set(["staged", "validated"]);

export interface CrewApi {
  projects(cursor?: string | null): Promise<Listed<ProjectItem>>;
  create(name: string): Promise<Project>;
  project(id: string): Promise<Project>;
  rename(id: string, name: string, revision: number): Promise<Project>;
  remove(id: string, revision?: number): Promise<unknown>;
  duplicate(id: string, name: string): Promise<Project>;
  bundle(id: string): Promise<Bundle>;
  revisions(id: string, cursor?: string | null): Promise<Listed<Revision>>;
  revision(id: string, revision: number): Promise<Bundle>;
  restore(id: string, to: number, revision: number): Promise<Stepped>;
  step(id: string, step: "undo" | "redo", revision: number): Promise<Stepped>;
  /** The newest conversation whose proposal waits for a person; null where none does. */
  waiting(id: string): Promise<CrewSession | null>;
  /** The package as a ZIP archive. */
  export(id: string): Promise<Blob>;
  import(file: Blob, filename: string, name?: string): Promise<Imported>;
  createWorkflow(id: string, name: string): Promise<WorkflowItem>;
  putWorkflow(
    id: string,
    workflow: string,
    change: WorkflowChange,
    revision: number,
  ): Promise<WorkflowItem>;
  removeWorkflow(id: string, workflow: string, revision: number): Promise<unknown>;
  duplicateWorkflow(id: string, workflow: string, name: string): Promise<WorkflowItem>;
  putAgents(id: string, agents: Agent[], revision: number): Promise<{ revision: number }>;
  createAsset(id: string, path: string, content: string, revision: number): Promise<unknown>;
  putAsset(id: string, path: string, content: string, revision: number): Promise<unknown>;
  removeAsset(id: string, path: string, revision: number): Promise<unknown>;
}

type Asked = { body?: unknown; match?: number };

/** The projects of this origin, with the token and the language of the moment. */
export function createCrewApi(asker: Bearer, language: () => string, ask?: typeof fetch): CrewApi {
  const http = createHttp(asker, ask);
  const headers = (match?: number): Record<string, string> => ({
    "accept-language": language(),
    ...(match === undefined ? {} : { "if-match": String(match) }),
  });
  const send = async <T>(method: string, path: string, { body, match }: Asked = {}): Promise<T> => {
    const asked = { headers: headers(match), ...(body === undefined ? {} : { body }) };
    return (await http.send<{ data: T }>(method, path, asked)).data;
  };
  const one = (id: string, below = ""): string => `${ROOT}/${encodeURIComponent(id)}${below}`;
  const flow = (id: string, workflow: string, below = ""): string =>
    one(id, `/workflows/${encodeURIComponent(workflow)}${below}`);
  const at = (cursor?: string | null): string =>
    cursor ? `?cursor=${encodeURIComponent(cursor)}` : "";
  return {
    projects: (cursor) => send("GET", ROOT + at(cursor)),
    create: (name) => send("POST", ROOT, { body: { name } }),
    project: (id) => send("GET", one(id)),
    rename: (id, name, match) => send("PUT", one(id), { body: { name }, match }),
    remove: (id, match) => send("DELETE", one(id), match === undefined ? {} : { match }),
    duplicate: (id, name) => send("POST", one(id, "/duplicate"), { body: { name } }),
    bundle: (id) => send("GET", one(id, "/bundle")),
    revisions: (id, cursor) => send("GET", one(id, `/revisions${at(cursor)}`)),
    revision: (id, revision) => send("GET", one(id, `/revisions/${revision}`)),
    restore: (id, to, match) => send("POST", one(id, `/revisions/${to}/restore`), { match }),
    step: (id, step, match) => send("POST", one(id, `/${step}`), { match }),
    async waiting(id) {
      const sessions = one(id, "/ai/sessions");
      const { items } = await send<Listed<CrewSession>>(
        "GET",
        `${sessions}?status=active&limit=${MAX_LOOKED_AT}`,
      );
      for (const session of items) {
        const path = `${sessions}/${encodeURIComponent(session.sessionId)}?limit=1`;
        const { latestSuggestion } = await send<SessionAnswer>("GET", path);
        if (latestSuggestion && OPEN.has(latestSuggestion.status)) return session;
      }
      return null;
    },
    export: (id) => http.file("GET", one(id, "/export"), { headers: headers() }),
    import: async (file, filename, name) => {
      const body = new FormData();
      body.set("file", file, filename);
      if (name) body.set("custom_name", name);
      return send("POST", IMPORT, { body });
    },
    createWorkflow: (id, name) => send("POST", one(id, "/workflows"), { body: { name } }),
    putWorkflow: (id, workflow, body, match) => send("PUT", flow(id, workflow), { body, match }),
    removeWorkflow: (id, workflow, match) => send("DELETE", flow(id, workflow), { match }),
    duplicateWorkflow: (id, workflow, name) =>
      send("POST", flow(id, workflow, "/duplicate"), { body: { name } }),
    putAgents: (id, agents, match) => send("PUT", one(id, "/agents"), { body: { agents }, match }),
    createAsset: (id, path, content, match) =>
      send("POST", one(id, "/assets"), { body: { path, content }, match }),
    putAsset: (id, path, content, match) =>
      send("PUT", one(id, "/assets"), { body: { path, content }, match }),
    removeAsset: (id, path, match) => send("DELETE", one(id, "/assets"), { body: { path }, match }),
  };
}
