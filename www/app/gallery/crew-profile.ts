/** Each state of the page of one's own model (UI.md §12) as a `ProfilePageView`. */
import type { LlmProfile, LlmProfileTested } from "@holdpoint/core/crew";
import type { ModelProfileView } from "@holdpoint/elements/crew/model-profile/view";
import type { ProfilePageView } from "../src/pages/crew/profile/page-view.js";
import { indicator, minute } from "./fixtures.js";

const now = minute(30);

const saved: LlmProfile = {
  provider: "openai-compatible",
  baseUrl: "https://models.northbridge.example/v1",
  model: "writer-large",
  apiKeyMasked: "sk-***4b7e",
  apiKeyOrigin: "https://models.northbridge.example",
  timeoutSeconds: 60,
  contextWindow: 16_000,
  healthStatus: "unknown",
  lastTestedAt: null,
  savedAt: new Date(minute(2)).toISOString(),
  effectiveAvailability: {
    available: true,
    code: "OK",
    message: "Your own model is used: writer-large.",
  },
  resolution: {
    policy: "allow-openai-compatible-only",
    profile: "used",
    system: "off",
    systemModel: null,
  },
};
const unset: LlmProfile = {
  ...saved,
  provider: "disabled",
  baseUrl: null,
  model: null,
  apiKeyMasked: null,
  apiKeyOrigin: null,
  contextWindow: null,
  savedAt: null,
  effectiveAvailability: {
    available: true,
    code: "OK",
    message: "Holdpoint's model is used: Scripted model.",
  },
  resolution: {
    policy: "allow-all",
    profile: "off",
    system: "used",
    systemModel: "Scripted model",
  },
};
const tested = new Date(minute(29)).toISOString();
const refused: LlmProfileTested = {
  ok: false,
  code: "AI_PROVIDER_ERROR",
  message: "The server answered 401. Look at what it said, then try again.",
  hints: [
    "Replace the key; this one may have been withdrawn.",
    "Check that the key may use the model writer-large.",
  ],
  latencyMs: 412,
  said: { status: 401, text: "Incorrect API key provided" },
};
const good: LlmProfileTested = {
  ok: true,
  code: "OK",
  message: "The model answered.",
  hints: [],
  latencyMs: 640,
  said: null,
};

const page = (
  profile: Partial<ModelProfileView>,
  more: Partial<ProfilePageView> = {},
): ProfilePageView => ({
  indicator,
  now,
  offline: false,
  problem: null,
  menu: null,
  toast: null,
  signIn: null,
  theme: "light",
  density: "comfortable",
  language: "en",
  profile: {
    state: "ready",
    profile: saved,
    problem: null,
    busy: "",
    offline: false,
    refused: null,
    tested: null,
    now,
    ...profile,
  },
  budgetOpen: false,
  ...more,
});

const failing = { ...saved, healthStatus: "failed", lastTestedAt: tested } as const;
const states: Record<string, () => ProfilePageView> = {
  "profile-loading": () => page({ state: "loading", profile: null }),
  "profile-unset": () => page({ profile: unset }),
  "profile-saved": () => page({}),
  "profile-system": () =>
    page({
      profile: {
        ...saved,
        provider: "system",
        effectiveAvailability: unset.effectiveAvailability,
        resolution: { ...unset.resolution, profile: "ready" },
      },
    }),
  "profile-none": () =>
    page({
      profile: {
        ...saved,
        provider: "disabled",
        effectiveAvailability: {
          available: false,
          code: "AI_DISABLED",
          message: "No model is used: you chose so. Choose another one under Your model.",
        },
        resolution: { ...unset.resolution, profile: "off", system: "ready" },
      },
    }),
  "profile-good": () =>
    page({ profile: { ...saved, healthStatus: "ok", lastTestedAt: tested }, tested: good }),
  "profile-refused": () => page({ profile: failing, tested: refused }),
  "profile-field": () =>
    page({
      refused: {
        code: "LLM_PROFILE_INVALID_BASE_URL",
        message: "Use a public address: this one is not public.",
        args: { case: "URL_PRIVATE_ADDRESS" },
        details: { pointer: "/baseUrl", code: "URL_PRIVATE_ADDRESS" },
      },
    }),
  "profile-no-keys": () =>
    page({
      refused: {
        code: "LLM_PROFILE_ENCRYPTION_ERROR",
        message:
          "Keys can be neither stored nor used here now. Ask whoever runs Holdpoint for an active key.",
      },
    }),
  "profile-blocked": () =>
    page({
      profile: {
        ...saved,
        resolution: {
          policy: "disable-all",
          profile: "blocked",
          system: "blocked",
          systemModel: "Scripted model",
        },
      },
    }),
  "profile-testing": () => page({ busy: "testing" }),
  "profile-offline": () => page({ offline: true }, { offline: true }),
  "profile-failed": () =>
    page({
      state: "failed",
      profile: null,
      problem: { code: "INTERNAL", message: "Something failed here. Try again." },
    }),
};

export const profileStateNames = Object.keys(states);
export const profileViewOf = (name: string): ProfilePageView | null => states[name]?.() ?? null;
