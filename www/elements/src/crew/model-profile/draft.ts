/**
 * What stands in the fields of a user's own model, and what is sent of it.
 *
 * Invariant: a stored key is kept only for its own origin; for another one the key is asked for anew.
 */
import type { LlmProfile, LlmProfileBody } from "@holdpoint/core/crew";
import { readNumber } from "@holdpoint/core/numbers";
import { locale } from "../../text/index.js";

export interface Draft {
  provider: LlmProfile["provider"];
  baseUrl: string;
  model: string;
  timeout: string;
  window: string;
  /** The stored one stays, another one takes its place, or there is none. */
  key: "kept" | "replaced" | "removed";
  plain: string;
}

export function draftOf(profile: LlmProfile): Draft {
  return {
    // Who never chose has the platform's model.
    provider: profile.savedAt === null ? "system" : profile.provider,
    baseUrl: profile.baseUrl ?? "",
    model: profile.model ?? "",
    timeout: String(profile.timeoutSeconds),
    window: profile.contextWindow === null ? "" : String(profile.contextWindow),
    key: profile.apiKeyMasked === null ? "removed" : "kept",
    plain: "",
  };
}

export const isOwn = ({ provider }: Draft): boolean => provider === "openai-compatible";

/** What stands in the fields after a save: what was typed of a server that is not in use stays, but for a key. */
export function keptOf(draft: Draft | null, profile: LlmProfile): Draft {
  const fresh = draftOf(profile);
  if (!draft || isOwn(draft)) return fresh;
  const { baseUrl, model, timeout, window } = draft;
  return { ...fresh, baseUrl, model, timeout, window };
}

/** Scheme, host and port; nothing where the text is no address. */
export function originOf(address: string): string | null {
  try {
    return new URL(address.trim()).origin;
  } catch {
    return null;
  }
}

/** Whose key is stored, where the address is another one's. */
export function elsewhere(draft: Draft, profile: LlmProfile): string | null {
  const [stored, wanted] = [profile.apiKeyOrigin, originOf(draft.baseUrl)];
  return stored && wanted && stored !== wanted ? hostOf(stored) : null;
}

export const hostOf = (origin: string): string => origin.replace(/^[a-z]+:\/\//, "");

/** Whether a key is typed: there is none, it is replaced, or the stored one belongs elsewhere. */
export const isTyped = (draft: Draft, profile: LlmProfile): boolean =>
  draft.key !== "kept" || elsewhere(draft, profile) !== null;

/** A number as JSON has it; what is none goes as it is and is refused where it is read. */
const number = (text: string): number | string | null => {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const said = readNumber(trimmed, locale().numbers, true);
  return "value" in said ? said.value : trimmed;
};

export function bodyOf(draft: Draft, profile: LlmProfile): LlmProfileBody {
  // Another choice keeps the server as it was saved: what is typed of it is neither asked for nor in the way.
  if (!isOwn(draft)) {
    const { baseUrl, model, timeoutSeconds, contextWindow } = profile;
    return { provider: draft.provider, baseUrl, model, timeoutSeconds, contextWindow };
  }
  const body: LlmProfileBody = {
    provider: draft.provider,
    baseUrl: draft.baseUrl.trim() || null,
    model: draft.model.trim() || null,
    timeoutSeconds: number(draft.timeout),
    contextWindow: number(draft.window),
  };
  const plain = draft.plain.trim();
  if (isTyped(draft, profile) && plain) return { ...body, apiKey: plain };
  return draft.key === "removed" && profile.apiKeyMasked !== null
    ? { ...body, apiKey: null }
    : body;
}

/** Whether a save would change anything. */
export function isEdited(draft: Draft, profile: LlmProfile): boolean {
  const saved = draftOf(profile);
  if (!isOwn(draft)) return draft.provider !== saved.provider;
  return JSON.stringify(draft) !== JSON.stringify(saved);
}
