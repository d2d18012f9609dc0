/** What the checks of extensions found, element by element. */
import type { ElementRef, Json } from "@holdpoint/core/types";
import type { VerdictView } from "@holdpoint/elements";
import type { Opening } from "./opening.js";

/** The verdicts of a check on models that are on; the sandbox has judged their shape. */
export function verdicts(value: Json, opening: Pick<Opening, "model" | "element">): VerdictView[] {
  const list = value as unknown as { ref: ElementRef; ok: boolean; message?: string | null }[];
  const names = new Map(opening.model.rows.map((row) => [row.id, row.name ?? row.type]));
  return list.flatMap(({ ref, ok, message }) => {
    const id = opening.element(ref);
    // Its model is closed or off by now.
    if (id === undefined) return [];
    return [{ id, name: names.get(id) ?? `#${ref.expressId}`, ok, message: message ?? "" }];
  });
}
