/** The elements that a widget names. Pure. */
import { type ElementRef, expressIdOf, type Json, type ModelRow } from "@holdpoint/core/types";

/** The element that a reference means; without a model one of the active model. */
type Meant = (ref: ElementRef) => number | undefined;

/** By an express id, a GlobalId, or a reference that holds one of them; nothing where no element has it. */
function entityOf(value: Json, rows: readonly ModelRow[], meant: Meant): number | undefined {
  if (typeof value === "number") return meant({ expressId: value });
  if (typeof value === "string") {
    const own = meant({ expressId: Number(value) });
    const is = ({ id, global_id }: ModelRow): boolean =>
      global_id === value || (String(expressIdOf(id)) === value && id === own);
    return rows.find(is)?.id;
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  const { expressId, modelId } = value;
  if (typeof expressId === "number" && typeof modelId === "string")
    return meant({ modelId, expressId });
  return entityOf(expressId ?? value.ref ?? value.globalId ?? null, rows, meant);
}

/** The elements of a value, each once: one of them, or a list. */
export function entitiesOf(value: Json, rows: readonly ModelRow[], meant: Meant): number[] {
  const all = Array.isArray(value) ? value : [value];
  return [...new Set(all.flatMap((one) => entityOf(one, rows, meant) ?? []))];
}

/** The GlobalIds of elements by their references. */
export function globalIds(
  elements: readonly (ElementRef | null)[],
  rows: readonly ModelRow[],
  meant: Meant,
): (string | null)[] {
  const ids = new Map(rows.map((row) => [row.id, row.global_id]));
  return elements.map((ref) => (ref && ids.get(meant(ref) ?? -1)) ?? null);
}
