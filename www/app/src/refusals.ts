/** What is wanted of the edge and refused: said above the page until something is done. */
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";

/** Where refusals of a page are said; `W` is what a person may want there. */
export interface Refusing<W> {
  /** A failure that concerns the whole page: sign-in, the network. */
  failed(error: ErrorShape): void;
  /** What was wanted and not done; it stands above the page until something is. */
  refused(wanted: W, error: ErrorShape): void;
  /** Something was done: what was refused before is not said any longer. */
  done(): void;
}

/** The page hears of a failure of the edge; anything else is a fault of ours and goes on. */
export function failed(around: Pick<Refusing<never>, "failed">, error: unknown): ErrorShape {
  if (!isRefusal(error)) throw error;
  around.failed(error);
  return error;
}

/** The same, said above the page: what was wanted was not done. */
export function refused<W>(around: Omit<Refusing<W>, "done">, wanted: W, error: unknown): null {
  around.refused(wanted, failed(around, error));
  return null;
}

/** Does something at the edge; null where it was refused, which is then said. */
export async function tried<W, T>(
  around: Refusing<W>,
  wanted: W,
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
