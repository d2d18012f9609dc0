/** The elements that a widget names. Pure. */
import type { Json, ModelRow } from "@holdpoint/core/types";

/** By an express id, a GlobalId, or a reference that holds one of them; nothing where no element has it. */
function entityOf(value: Json, rows: readonly ModelRow[]): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string")
    return rows.find((row) => row.global_id === value || String(row.id) === value)?.id;
  if (value !== null && typeof value === "object" && !Array.isArray(value))
    return entityOf(value.expressId ?? value.ref ?? value.globalId ?? null, rows);
  return undefined;
}

/** The elements of a value, each once: one of them, or a list. */
export function entitiesOf(value: Json, rows: readonly ModelRow[]): number[] {
  const all = Array.isArray(value) ? value : [value];
  return [...new Set(all.flatMap((one) => entityOf(one, rows) ?? []))];
}

/** The GlobalIds of elements by their numbers. */
export function globalIds(
  elements: readonly (number | null)[],
  rows: readonly ModelRow[],
): (string | null)[] {
  const ids = new Map(rows.map((row) => [row.id, row.global_id]));
  return elements.map((id) => (id === null ? null : (ids.get(id) ?? null)));
}
