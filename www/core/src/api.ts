/** The edge over HTTP (authoring.md §9.1, gateway.md §13). Every failure is an `ErrorShape`. */

import type {
  Api,
  ErrorShape,
  ExtensionRecord,
  Indicator,
  Json,
  Quote,
  Review,
  Revision,
} from "./types.ts";

/** Codes that no server sends. */
const OFFLINE = "OFFLINE";
const ODD = "ODD_ANSWER";

/** An error that carries the shape that every part of the product shows. */
export class ApiError extends Error implements ErrorShape {
  readonly code: string;
  readonly status: number;
  readonly details?: Record<string, Json>;
  readonly hints?: string[];
  /** After so many milliseconds one may ask again (`Retry-After`); absent where the server did not say. */
  readonly retryMs?: number;

  constructor(shape: ErrorShape, status: number, retryMs?: number) {
    super(shape.message);
    this.code = shape.code;
    this.status = status;
    if (shape.details) this.details = shape.details;
    if (shape.hints) this.hints = shape.hints;
    if (retryMs !== undefined) this.retryMs = retryMs;
  }
}

/** What `retry-after-ms`, else `retry-after` (seconds, or a date) says, in milliseconds from now. */
export function retryMs(headers: Pick<Headers, "get">, now = Date.now()): number | undefined {
  const exact = headers.get("retry-after-ms");
  const ms = exact === null ? waitOf(headers.get("retry-after")?.trim() ?? "", now) : Number(exact);
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function waitOf(said: string, now: number): number {
  return /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - now;
}

type Answer<T> = Promise<T>;

/** The edge at this origin, with the token of the moment. */
export function createApi(token: () => string | undefined): Api {
  const send = async <T>(method: string, path: string, body?: unknown): Answer<T> => {
    const headers: Record<string, string> = {};
    const bearer = token();
    if (bearer) headers.authorization = `Bearer ${bearer}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      });
    } catch {
      throw new ApiError(
        { code: OFFLINE, message: "No answer came. Try again when the network is back." },
        0,
      );
    }
    const text = await response.text();
    let value: unknown;
    try {
      value = text === "" ? null : JSON.parse(text);
    } catch {
      throw new ApiError(
        { code: ODD, message: "The answer could not be read. Try again." },
        response.status,
      );
    }
    if (response.ok) return value as T;
    const shape = (value as { error?: ErrorShape } | null)?.error;
    throw new ApiError(
      shape ?? { code: ODD, message: `The server answered ${response.status}.` },
      response.status,
      retryMs(response.headers),
    );
  };
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
    review: (files, baseHash, granted, plan) =>
      send<Review>("POST", `${extensions}/review`, {
        files,
        base_hash: baseHash,
        granted,
        ...(plan ? { plan } : {}),
      }),
    install: (request) => send<ExtensionRecord>("POST", extensions, request),
    change: (id, action, baseHash) =>
      action === "remove"
        ? send<ExtensionRecord | null>("DELETE", one(id), { base_hash: baseHash })
        : send<ExtensionRecord | null>("POST", `${one(id)}/${action}`, { base_hash: baseHash }),
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
        throw new ApiError({ code: "MODEL_NOT_FOUND", message: "No model is set up." }, 404);
      return { model: first.model ?? first.id, scripted: first.owned_by === "scripted" };
    },
  };
}
