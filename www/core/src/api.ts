/** The routes of extensions and of the gateway that a page asks (authoring.md §9.1, gateway.md §13). */

import { ApiError, type Bearer, createHttp } from "./http.ts";
import type {
  Api,
  ExtensionRecord,
  Files,
  HistoryEntry,
  Indicator,
  Quote,
  Review,
  Revision,
  ToldChange,
} from "./types.ts";

/** The edge at this origin, with the token of the moment. */
export function createApi(asker: Bearer): Api {
  const http = createHttp(asker);
  const send = <T>(method: string, path: string, body?: unknown, once?: string): Promise<T> =>
    http.send<T>(method, path, { body, ...(once ? { headers: { "idempotency-key": once } } : {}) });
  const every = async <T>(path: string): Promise<T[]> => {
    const items: T[] = [];
    let cursor: string | null = null;
    do {
      const query: string =
        cursor === null ? "?limit=500" : `?limit=500&cursor=${encodeURIComponent(cursor)}`;
      const page: { items: T[]; next_cursor: string | null } = await send("GET", path + query);
      items.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return items;
  };
  const extensions = "/api/v1/extensions";
  const one = (id: string): string => `${extensions}/${encodeURIComponent(id)}`;
  return {
    extensions: () => every<ExtensionRecord>(extensions),
    extension: (id) => send<ExtensionRecord>("GET", one(id)),
    revisions: (id) => every<Revision>(`${one(id)}/revisions`),
    revision: (id, revision) =>
      send<Revision & { files?: Files }>(
        "GET",
        `${one(id)}/revisions/${encodeURIComponent(revision)}`,
      ),
    history: () => every<HistoryEntry>(`${extensions}/history`),
    conversation: (id) => every<ToldChange>(`${one(id)}/conversation`),
    review: (files, baseHash, granted, plan) =>
      send<Review>("POST", `${extensions}/review`, {
        files,
        base_hash: baseHash,
        granted,
        ...(plan ? { plan } : {}),
      }),
    install: (request, once) => send<ExtensionRecord>("POST", extensions, request, once),
    change: (id, action, baseHash, once) =>
      action === "remove"
        ? send<ExtensionRecord | null>("DELETE", one(id), { base_hash: baseHash }, once)
        : send<ExtensionRecord | null>(
            "POST",
            `${one(id)}/${action}`,
            { base_hash: baseHash },
            once,
          ),
    indicator: () => send<Indicator>("GET", "/gateway/v1/indicator"),
    quote: (estimate, promptTokens) => {
      const most = estimate.output_high + estimate.repair_output_max;
      return send<Quote>("POST", "/gateway/v1/quote", {
        model: "default",
        output_tokens: { min: estimate.output_low, max: most },
        input_tokens: { min: promptTokens, max: estimate.hold_tokens - most },
        calls: { min: 1, max: estimate.calls_max },
      });
    },
    model: async () => {
      const list = await send<{ data: { id: string; owned_by?: string; model?: string }[] }>(
        "GET",
        "/v1/models",
      );
      const first = list.data.find((entry) => entry.id === "default") ?? list.data[0];
      if (!first)
        throw new ApiError(
          {
            code: "MODEL_NOT_FOUND",
            message: "No model is set up.",
            args: { case: "NOT_SET_UP" },
          },
          404,
        );
      return { model: first.model ?? first.id, scripted: first.owned_by === "scripted" };
    },
  };
}
