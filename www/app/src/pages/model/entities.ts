/** The element that a widget names. Pure. */
import type { Json, ModelRow } from "@holdpoint/core/types";

/** By an express id, a GlobalId, or a reference that holds one of them; nothing where no element has it. */
export function entityOf(value: Json, rows: readonly ModelRow[]): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string")
    return rows.find((row) => row.global_id === value || String(row.id) === value)?.id;
  if (value !== null && typeof value === "object" && !Array.isArray(value))
    return entityOf(value.expressId ?? value.ref ?? value.globalId ?? null, rows);
  return undefined;
}
