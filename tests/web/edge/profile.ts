// One's own model at an edge in memory (ai-sessions.md §8): it keeps what is saved, and the mask of a key.

import type { LlmProfile, LlmProfileBody, LlmProfileTested } from "@holdpoint/core/crew";
import { Edge, type Routes } from "./edge.ts";

/** Calls of the edge, as `of` and `faults` name them. */
export const SAVE = "PUT /users/me/llm-profile";
export const TEST = "POST /users/me/llm-profile/test";

export const unset: LlmProfile = {
  ...{ provider: "disabled", baseUrl: null, model: null, apiKeyMasked: null, apiKeyOrigin: null },
  ...{ timeoutSeconds: 60, contextWindow: null, healthStatus: "unknown" },
  ...{ lastTestedAt: null, savedAt: null },
  effectiveAvailability: { available: false, code: "AI_DISABLED", message: "No model is set up." },
  resolution: { policy: "allow-all", profile: "off", system: "off", systemModel: null },
};

export class ProfileEdge extends Edge {
  profile = unset;
  /** What a test of a model comes to. */
  found: LlmProfileTested = {
    ...{
      ok: true,
      code: "OK",
      message: "The model answered.",
      hints: [],
      latencyMs: 5,
      said: null,
    },
  };
  protected override readonly routes: Routes = {
    "GET /users/me/llm-profile": () => this.profile,
    [SAVE]: ({ body }) => this.#keep(body as unknown as LlmProfileBody),
    [TEST]: ({ body }) => {
      const lastTestedAt = new Date().toISOString();
      if (!body) this.profile = { ...this.profile, healthStatus: "failed", lastTestedAt };
      return this.found;
    },
  };

  #keep({ apiKey, ...rest }: LlmProfileBody): LlmProfile {
    const { profile } = this;
    const kept = apiKey === undefined ? profile.apiKeyMasked : apiKey && `***${apiKey.slice(-4)}`;
    const origin = rest.baseUrl ? new URL(rest.baseUrl).origin : null;
    this.profile = {
      ...profile,
      ...(rest as Partial<LlmProfile>),
      apiKeyMasked: kept,
      apiKeyOrigin: kept ? origin : null,
      savedAt: new Date().toISOString(),
      resolution: {
        ...profile.resolution,
        profile: rest.provider === "openai-compatible" ? "used" : "ready",
        system: rest.provider === "system" ? "used" : "ready",
        systemModel: "Standard",
      },
    };
    return this.profile;
  }
}
