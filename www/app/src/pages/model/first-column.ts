/** The property that the table shows before a person chose one. */
import { ANY_SET, type ColumnChoice, type ColumnKey } from "@holdpoint/core/types";

/** What many look for, first where the model has it. */
const PREFERRED = ["FireRating", "IsExternal"];

/** One that many look for, in whatever set it stands; else the one that most elements have. */
export function firstColumn(columns: readonly ColumnChoice[]): ColumnKey[] {
  const [most] = [...columns].sort((a, b) => b.count - a.count);
  const first = PREFERRED.map((name) => preferred(columns, name)).find(Boolean) ?? most;
  return first ? [{ set: first.set, name: first.name }] : [];
}

function preferred(columns: readonly ColumnChoice[], name: string): ColumnKey | undefined {
  const [first, ...more] = columns.filter((one) => one.name === name);
  return more.length > 0 ? { set: ANY_SET, name } : first;
}
