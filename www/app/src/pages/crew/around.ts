/** What every part of the crew pages stands on: the engine, the edge, the device, and how to be drawn again. */
import type { CrewApi } from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { Checks, Core, ErrorShape, Store } from "@holdpoint/core/types";
import type { Failing } from "@holdpoint/elements";

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

/** The page hears of a failure of the edge; anything else is a fault of ours and goes on. */
export function failed(around: Around, error: unknown): ErrorShape {
  if (!isRefusal(error)) throw error;
  around.failed(error);
  return error;
}

/** The same, said above the page: what was wanted was not done. */
export function refused(around: Around, wanted: Wanted, error: unknown): null {
  around.refused(wanted, failed(around, error));
  return null;
}

/** Does something at the edge; null where it was refused, which is then said. */
export async function tried<T>(
  around: Around,
  wanted: Wanted,
  act: () => Promise<T>,
): Promise<T | null> {
  try {
    const answer = await act();
    around.done();
    return answer;
  } catch (error) {
    return refused(around, wanted, error);
  }
}
