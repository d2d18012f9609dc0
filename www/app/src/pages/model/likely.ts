/** What a run will likely cost: what the runs so far did, or nothing where these are too few to say. Pure. */
import type { HistoryEntry } from "@holdpoint/core/types";
import type { Amount } from "@holdpoint/elements/base/format";

/** Fewer runs say nothing of the next one. */
const FEWEST = 3;
/** Older runs were of other habits, and of other models. */
const NEWEST = 20;

/** `history`: newest first. Runs in another currency, as those of another model may be, are left out. */
export function likely(
  history: readonly Pick<HistoryEntry, "cause" | "spent">[],
  currency: string,
  most: Amount,
): Amount | null {
  const runs = history
    .flatMap(({ cause, spent }) => (cause === "install" && spent ? [spent] : []))
    .filter((spent) => spent.tokens > 0 && spent.currency === currency)
    .slice(0, NEWEST);
  if (runs.length < FEWEST) return null;
  const tokens = median(runs.map((run) => run.tokens));
  const cost = median(runs.map((run) => run.cost));
  // No run goes over what is held for it.
  return { tokens: Math.min(tokens, most.tokens), cost: Math.min(cost, most.cost) };
}

/** Of two in the middle the larger one: what is said to be likely is rather too much. */
function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
