/** The routes of `/api/v1/editor` over HTTP (script-tool.md §6). Every failure is an `ApiError`. */

import { type Asked, type Bearer, createHttp } from "../http.ts";
import type { ChatEvent, Checkpoint, EditorApi, Page, Step, Tool } from "./wire.ts";
import { HISTORY_LIMIT } from "./wire.ts";

const ROOT = "/api/v1/editor";
const HEARD = new Set(["meta", "notice", "delta", "done"]);

type Send = Pick<Asked, "body" | "signal"> & { method: string; correlation?: string };

/** The editor of this origin, with the token of the moment. */
export function createEditorApi(asker: Bearer, ask?: typeof fetch): EditorApi {
  const http = createHttp(asker, ask);
  const send = <T>(path: string, { method, correlation, ...asked }: Send): Promise<T> => {
    const headers: Record<string, string> = correlation ? { "x-correlation-id": correlation } : {};
    return http.send<T>(method, ROOT + path, { ...asked, headers });
  };
  const one = (id: string): string => `/tools/${encodeURIComponent(id)}`;
  const at = (cursor?: string | null): string =>
    cursor ? `?cursor=${encodeURIComponent(cursor)}` : "";
  return {
    tools: (cursor) => send(`/tools${at(cursor)}`, { method: "GET" }),
    create: (title, from) => send<Tool>("/tools", { method: "POST", body: { title, ...from } }),
    tool: (id) => send<Tool>(one(id), { method: "GET" }),
    save: (id, base, changed) =>
      send(one(id), { method: "PUT", body: { base_revision_id: base, virtual_files: changed } }),
    rename: (id, title) => send<Tool>(one(id), { method: "PATCH", body: { title } }),
    remove: (id) => send<void>(one(id), { method: "DELETE" }),
    bringBack: (id) => send<Tool>(`${one(id)}/bring-back`, { method: "POST", body: {} }),
    revisions: (id, cursor) => send(`${one(id)}/revisions${at(cursor)}`, { method: "GET" }),
    revision: (id, revision) =>
      send(`${one(id)}/revisions/${encodeURIComponent(revision)}`, { method: "GET" }),
    step: (id, step, base) =>
      send<Step>(`${one(id)}/${step}`, { method: "POST", body: { base_revision_id: base } }),
    restore: (id, base, to) =>
      send<Step>(`${one(id)}/restore`, { method: "POST", body: { base_revision_id: base, ...to } }),
    checkpoints: async (id) => {
      const answer = await send<Checkpoint[] | Page<Checkpoint>>(`${one(id)}/checkpoints`, {
        method: "GET",
      });
      return Array.isArray(answer) ? answer : answer.items;
    },
    keep: (id, title) =>
      send<Checkpoint>(`${one(id)}/checkpoints`, { method: "POST", body: { title } }),
    generate: (request, correlation, signal) =>
      send("/edit-ops", { method: "POST", body: request, correlation, signal }),
    preview: (request, correlation, signal) =>
      send("/edit-ops/preview", {
        method: "POST",
        body: request,
        correlation,
        ...(signal ? { signal } : {}),
      }),
    apply: (request, correlation) =>
      send("/edit-ops/apply", { method: "POST", body: request, correlation }),
    discard: (id, correlation) =>
      send<void>("/edit-ops/discard", { method: "POST", body: { tool_id: id }, correlation }),
    thread: (id) => send(`${one(id)}/chat?limit=${HISTORY_LIMIT}`, { method: "GET" }),
    clear: (id) => send<void>(`${one(id)}/chat`, { method: "DELETE" }),
    async *chat(id, request, signal) {
      const events = await http.stream("POST", `${ROOT}${one(id)}/chat`, { body: request, signal });
      for await (const { event = "message", data } of events)
        if (HEARD.has(event)) yield { event, data: JSON.parse(data) } as ChatEvent;
    },
  };
}
