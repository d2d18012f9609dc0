/** What every part of the workbench stands on: the edge, the engine, and how to be drawn again. */
import type { CrewApi, CrewSessions, Diffs } from "@holdpoint/core/crew";
import type { Core, ErrorShape } from "@holdpoint/core/types";

export interface Around {
  core: Core;
  /** Names the store of whoever's page this is. */
  device: string;
  compare: Diffs;
  sessions: CrewSessions;
  projects: CrewApi;
  online(): boolean;
  /** The page is drawn again, once for many changes. */
  changed(): void;
  /** A failure that concerns the whole page: sign-in, the network. */
  failed(error: ErrorShape): void;
  /** What was wanted and not done; it stands above the page until something is. */
  refused(
    wanted: "apply" | "cancel" | "undo" | "preview" | "conversations",
    error: ErrorShape,
  ): void;
  done(): void;
  /** After a call that may have cost something. */
  spent(): void;
  /** Leads to another page of this origin. */
  leave(to: string): void;
  /** Says the session in the address, so that a reload finds it. */
  address(session: string): void;
  focus(where: "chat" | "middle" | "foot"): void;
}
