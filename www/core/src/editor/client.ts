/** The routes of `/api/v1/editor` over HTTP (script-tool.md §6). Every failure is an `ApiError`. */

import { ApiError, retryMs } from "../api.ts";
import type { ErrorShape } from "../types.ts";
import { frames } from "./sse.ts";
import type { ChatEvent, Checkpoint, EditorApi, Page, Step, Tool } from "./wire.ts";
import { HISTORY_LIMIT } from "./wire.ts";

const ROOT = "/api/v1/editor";
const HEARD = new Set(["meta", "notice", "delta", "done"]);

type Send = { method: string; body?: unknown; correlation?: string; signal?: AbortSignal };

/** The editor of this origin, with the token of the moment. */
export function createEditorApi(
  token: () => string | undefined,
  ask: typeof fetch = (input, init) => fetch(input, init),
): EditorApi {
  const raw = async (
    path: string,
    { method, body, correlation, signal }: Send,
  ): Promise<Response> => {
    const headers: Record<string, string> = {};
    const bearer = token();
    if (bearer) headers.authorization = `Bearer ${bearer}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    if (correlation) headers["x-correlation-id"] = correlation;
    let response: Response;
    try {
      response = await ask(ROOT + path, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(
        { code: "OFFLINE", message: "No answer came. Try again when the network is back." },
        0,
      );
    }
    if (!response.ok) throw await refusal(response);
    return response;
  };
  const send = async <T>(path: string, what: Send): Promise<T> => {
    const response = await raw(path, what);
    if (response.status === 204) return undefined as T;
    try {
      return (await response.json()) as T;
    } catch (error) {
      if (what.signal?.aborted) throw error;
      throw new ApiError(
        { code: "ODD_ANSWER", message: "The answer could not be read. Try again." },
        response.status,
      );
    }
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
    chat: async (id, request, signal, hear) => {
      const response = await raw(`${one(id)}/chat`, { method: "POST", body: request, signal });
      try {
        if (response.body)
          for await (const frame of frames(response.body)) {
            if (!HEARD.has(frame.event)) continue;
            hear({ event: frame.event, data: JSON.parse(frame.data) } as ChatEvent);
            if (frame.event === "done") return;
          }
      } catch (error) {
        if (signal.aborted) throw error;
      }
      // An end without `done` is a cancelled turn.
      hear({ event: "done", data: { enabled: true, reason: "cancelled" } });
    },
  };
}

async function refusal(response: Response): Promise<ApiError> {
  let shape: ErrorShape | undefined;
  try {
    shape = ((await response.json()) as { error?: ErrorShape }).error;
  } catch {
    shape = undefined;
  }
  return new ApiError(
    shape ?? { code: "ODD_ANSWER", message: `The server answered ${response.status}. Try again.` },
    response.status,
    retryMs(response.headers),
  );
}
