/** What the page of a user's own model shows. */
import type { LlmProfile, LlmProfileTested } from "@holdpoint/core/crew";
import type { ErrorShape } from "@holdpoint/core/types";

export interface ModelProfileView {
  state: "loading" | "ready" | "failed";
  profile: LlmProfile | null;
  /** Why it could not be read. */
  problem: ErrorShape | null;
  busy: "" | "saving" | "testing";
  offline: boolean;
  /** Why the last save was refused; its pointer says which field. */
  refused: ErrorShape | null;
  /** What the last test found. */
  tested: LlmProfileTested | null;
  now: number;
}
