/** The user's own model over HTTP (ai-sessions.md §8): its profile, which never holds the key, and its test. */
import { type Bearer, createHttp } from "../http.ts";

/** How one step of the resolution stands. */
export type Standing = "used" | "off" | "ready" | "incomplete" | "blocked";

export interface LlmProfile {
  provider: "disabled" | "system" | "openai-compatible";
  baseUrl: string | null;
  model: string | null;
  apiKeyMasked: string | null;
  /** Where the stored key may go: scheme, host and port. */
  apiKeyOrigin: string | null;
  timeoutSeconds: number;
  contextWindow: number | null;
  healthStatus: "unknown" | "ok" | "failed";
  /** ISO 8601. */
  lastTestedAt: string | null;
  savedAt: string | null;
  effectiveAvailability: {
    available: boolean;
    code: string;
    message: string;
    args?: { case?: string };
  };
  resolution: {
    policy: "allow-all" | "allow-openai-compatible-only" | "disable-all";
    profile: Standing;
    system: Standing;
    systemModel: string | null;
  };
}

/** What is saved or tried out. A key that is left out stays, null takes it away. */
export interface LlmProfileBody {
  provider: LlmProfile["provider"];
  baseUrl: string | null;
  model: string | null;
  apiKey?: string | null;
  timeoutSeconds: number | string | null;
  contextWindow: number | string | null;
}

/** What a test found; its sentences are in the language of the page. */
export interface LlmProfileTested {
  ok: boolean;
  code: string;
  message: string;
  hints: string[];
  latencyMs: number;
  said: { status: number; text: string } | null;
}

export interface ProfileApi {
  show(): Promise<LlmProfile>;
  save(body: LlmProfileBody): Promise<LlmProfile>;
  /** Of the saved profile, or of one that is not saved. */
  test(body?: LlmProfileBody): Promise<LlmProfileTested>;
}

const PATH = "/users/me/llm-profile";

/** The profile of whoever the token is of. */
export function createProfileApi(
  asker: Bearer,
  language: () => string,
  ask?: typeof fetch,
): ProfileApi {
  const http = createHttp(asker, ask);
  const send = async <T>(method: string, path: string, body?: LlmProfileBody): Promise<T> => {
    const headers = { "accept-language": language() };
    const asked = body === undefined ? { headers } : { headers, body };
    return (await http.send<{ data: T }>(method, path, asked)).data;
  };
  return {
    show: () => send("GET", PATH),
    save: (body) => send("PUT", PATH, body),
    test: (body) => send("POST", `${PATH}/test`, body),
  };
}
