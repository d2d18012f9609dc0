/** Colours of elements, group by group. Pure. */
import { type CellValue, modelPlaceOf } from "@holdpoint/core/types";

export type Groups = { color: string; value?: CellValue; ids: number[] }[];

/** What is left without the models at some places. */
export function without(groups: Groups, places: ReadonlySet<number>): Groups {
  const left = groups.map((one) => ({
    ...one,
    ids: one.ids.filter((id) => !places.has(modelPlaceOf(id))),
  }));
  return left.filter(({ ids }) => ids.length > 0);
}

/** Later colours lie over earlier ones: each element keeps its last. */
export function lastColours(groups: Groups): Groups {
  const last = new Map<number, Groups[number]>();
  for (const group of groups) for (const id of group.ids) last.set(id, group);
  const byMeaning = new Map<string, Groups[number]>();
  for (const [id, { color, value }] of last) {
    const key = `${color} ${value ?? ""}`;
    const group = byMeaning.get(key) ?? {
      color,
      ids: [],
      ...(value === undefined ? {} : { value }),
    };
    group.ids.push(id);
    byMeaning.set(key, group);
  }
  return [...byMeaning.values()];
}
