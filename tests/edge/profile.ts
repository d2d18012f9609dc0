// A user's own model at the edge: what its routes answer, and an edge that can keep keys.
import { randomBytes } from "node:crypto";
import type { NewKey } from "./gateway.ts";
import { type Answer, type Asking, type Edge, type Keys, startEdge } from "./workerd.ts";

export interface Profile {
  provider: string;
  baseUrl: string | null;
  model: string | null;
  apiKeyMasked: string | null;
  apiKeyOrigin: string | null;
  timeoutSeconds: number;
  contextWindow: number | null;
  healthStatus: string;
  lastTestedAt: string | null;
  savedAt: string | null;
  effectiveAvailability: { available: boolean; code: string; message: string };
  resolution: { policy: string; profile: string; system: string; systemModel: string | null };
}

export interface Tested {
  ok: boolean;
  code: string;
  message: string;
  hints: string[];
  latencyMs: number;
  said: { status: number; text: string } | null;
}

export interface Refused {
  code: string;
  message: string;
  details?: Record<string, unknown>;
}

/** Every answer of these routes. */
export interface Envelope<T> {
  data: T;
  error: Refused;
}

/** What an own key must be called, so that it is found wherever it stands. */
export const PLAIN = "sk-own-SECRETWORD-that-nobody-may-read-4b7e";

/** A deployment's keys for secrets, newest last. */
export function secrets(...kids: string[]): Record<string, string> {
  const keys = Object.fromEntries(kids.map((kid) => [kid, randomBytes(32).toString("base64")]));
  return { SECRETS_KEYS: JSON.stringify(keys), SECRETS_ACTIVE_KID: kids[kids.length - 1] ?? "" };
}

/** An edge on which upstreams may be on loopback. */
export const startOwn = (variables: Record<string, string> = {}, stateDir?: string) =>
  startEdge({
    variables: { ALLOW_PRIVATE_UPSTREAMS: "1", ...variables },
    ...(stateDir === undefined ? {} : { stateDir }),
  });

/** A key of a user of account `dev`. */
export async function userKey(edge: Edge, keys: Keys, user: string, more = {}): Promise<string> {
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: { label: user, user_id: user, scopes: ["edit", "llm", "usage"], ...more },
  });
  if (made.status !== 201) throw new Error(made.raw);
  return made.value.key;
}

const PATH = "/users/me/llm-profile";
type Told<T> = Answer<Envelope<T>>;

export const show = (edge: Edge, token: string, more: Asking = {}): Promise<Told<Profile>> =>
  edge.ask("GET", PATH, { token, ...more });
export const save = (edge: Edge, token: string, body: unknown): Promise<Told<Profile>> =>
  edge.ask("PUT", PATH, { token, body });
export const tryOut = (edge: Edge, token: string, more: Asking = {}): Promise<Told<Tested>> =>
  edge.ask("POST", `${PATH}/test`, { token, ...more });

/** A whole profile. */
export const own = (baseUrl: string, more = {}) => ({
  provider: "openai-compatible",
  baseUrl,
  model: "writer-large",
  apiKey: PLAIN,
  ...more,
});
