/** What every part of the crew pages stands on: the engine, the edge, the device, and how to be drawn again. */
import type { CrewApi } from "@holdpoint/core/crew";
import type { Checks, Core, ErrorShape, Store } from "@holdpoint/core/types";
import type { Failing } from "@holdpoint/elements";

export { failed, refused, tried } from "../../refusals.js";

/** What a person wanted when the edge refused; nothing of it was done. */
export type Wanted =
  | "create"
  | "duplicate"
  | "export"
  | "import"
  | "read"
  | "remove"
  | "rename"
  | "restore"
  | "save"
  | "step";

export interface Around {
  core: Core;
  checks: Pick<Checks, "call">;
  api: CrewApi;
  store: Store;
  online(): boolean;
  /** The page is drawn again, once for many changes. */
  changed(): void;
  toast(text: string, sub?: string): void;
  /** A failure that concerns the whole page: sign-in, the network. */
  failed(error: ErrorShape): void;
  /** What was wanted and not done; it stands above the page until something is. */
  refused(wanted: Wanted, error: Failing): void;
  /** Something was done: what was refused before is not said any longer. */
  done(): void;
}
