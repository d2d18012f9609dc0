/** What every part of an open app stands on: the engine, the edge, the device, and how to be drawn again. */
import type { AppsApi } from "@holdpoint/core/apps";
import { changes, type Replacement } from "@holdpoint/core/editor";
import type { Api, Checks, Core, ErrorShape, Store } from "@holdpoint/core/types";

export { failed, refused } from "../../refusals.js";

/** What a person wanted when the edge refused; nothing of it was done. */
export type Wanted =
  | "apply"
  | "build"
  | "checkpoint"
  | "create"
  | "discard"
  | "propose"
  | "publish"
  | "read"
  | "restore"
  | "rollback"
  | "save"
  | "settings"
  | "step"
  | "unpublish"
  | "upload";

export interface Around {
  core: Core;
  checks: Pick<Checks, "call">;
  api: AppsApi;
  gateway: Pick<Api, "quote">;
  store: Store;
  online(): boolean;
  /** The currency of what is spent. */
  currency(): string;
  /** The page is drawn again, once for many changes. */
  changed(): void;
  toast(text: string, sub?: string): void;
  /** A failure that concerns the whole page: sign-in, the network. */
  failed(error: ErrorShape): void;
  /** What was wanted and not done; it stands above the page until something is. */
  refused(wanted: Wanted, error: ErrorShape): void;
  done(): void;
  /** After a call that may have cost something. */
  spent(): void;
  /** Where a person goes on. */
  focus(where: "review" | "code" | "chat" | "workspace"): void;
  /** What was open is there no longer: the list is. */
  leave(): void;
}

/** The smallest replacements between two texts. */
export const diffed =
  ({ core }: Pick<Around, "core">) =>
  (before: string, after: string): Replacement[] =>
    changes(before, after, core.textDiff(before, after, 0));
