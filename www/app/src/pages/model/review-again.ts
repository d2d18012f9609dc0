/**
 * What was signed on this device and was not stored as it was: it is looked at again, as it would change things
 * now.
 */
import type { Api } from "@holdpoint/core/types";
import { bringing } from "./change-lines.js";
import type { Changes } from "./changes.js";
import type { Undecidable } from "./queue.js";

export async function reviewAgain(
  { id, row }: Undecidable,
  changes: Changes,
  api: Api,
): Promise<void> {
  const { change, request, state } = row;
  if (change !== "" && state !== "taken") {
    // What was just signed is on its way into the run, which would stand over the review.
    if (changes.current?.key === change) await changes.current.signing.rested;
    await changes.open(change);
    if (changes.current?.key === change) return;
  }
  // This device has no change that could go on: its files are reviewed as those that a person brings.
  const standing = await api.extension(id).catch(() => null);
  const files = bringing(request.files, request.origin);
  await changes.bring(row.name || id, null, files, standing?.files ?? {});
}
