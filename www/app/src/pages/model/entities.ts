/** The elements that a widget names. Pure. */
import { expressIdOf, type Json, type ModelRow } from "@holdpoint/core/types";

/** The element of the active model with an express id. */
type Active = (expressId: number) => number;

/** By an express id, a GlobalId, or a reference that holds one of them; nothing where no element has it. */
function entityOf(value: Json, rows: readonly ModelRow[], active: Active): number | undefined {
  if (typeof value === "number") return active(value);
  if (typeof value === "string") {
    const is = ({ id, global_id }: ModelRow): boolean =>
      global_id === value || (String(expressIdOf(id)) === value && id === active(Number(value)));
    return rows.find(is)?.id;
  }
  if (value !== null && typeof value === "object" && !Array.isArray(value))
    return entityOf(value.expressId ?? value.ref ?? value.globalId ?? null, rows, active);
  return undefined;
}

/** The elements of a value, each once: one of them, or a list. Express ids are those of the active model. */
export function entitiesOf(value: Json, rows: readonly ModelRow[], active: Active): number[] {
  const all = Array.isArray(value) ? value : [value];
  return [...new Set(all.flatMap((one) => entityOf(one, rows, active) ?? []))];
}

/** The GlobalIds of elements by their numbers. */
export function globalIds(
  elements: readonly (number | null)[],
  rows: readonly ModelRow[],
): (string | null)[] {
  const ids = new Map(rows.map((row) => [row.id, row.global_id]));
  return elements.map((id) => (id === null ? null : (ids.get(id) ?? null)));
}
