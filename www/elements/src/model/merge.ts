/**
 * Properties of several elements as one list: values with who has them. Of quantities, areas, volumes and masses of one
 * unit are summed, and lengths are a range: the sum of seven heights is no height. Pure. UI.md §11.
 */
import type { CellValue, ElementDetail, PropertyGroup } from "@holdpoint/core/types";

/** A value, and the elements that have it. */
export interface Shared {
  value: CellValue;
  ids: number[];
}

export interface Merged {
  name: string;
  /** null where elements differ in it. */
  unit: string | null;
  /** Different values, the most frequent first. */
  values: Shared[];
  /** Elements that have none. */
  none: number[];
  /** Of what adds up: the sum. */
  sum: number | null;
  /** Of other measures that differ: the smallest and the largest. */
  range: { from: number; to: number } | null;
}

export interface MergedGroup {
  name: string;
  kind: PropertyGroup["kind"];
  values: Merged[];
}

/** What all elements have for a name. */
interface Gathered {
  units: Set<string>;
  measure: string | null;
  given: { id: number; value: CellValue }[];
}

export function merged(elements: readonly ElementDetail[]): MergedGroup[] {
  const groups = new Map<string, { kind: PropertyGroup["kind"]; values: Map<string, Gathered> }>();
  for (const { id, groups: own } of elements)
    for (const group of own) {
      const key = `${group.kind}\n${group.name}`;
      const mine = groups.get(key) ?? { kind: group.kind, values: new Map<string, Gathered>() };
      groups.set(key, mine);
      for (const { name, value, unit, measure } of group.values) {
        const known: Gathered = mine.values.get(name) ?? {
          ...{ units: new Set(), measure: measure ?? null, given: [] },
        };
        if (value !== null && value !== "") {
          known.units.add(unit ?? "");
          known.given.push({ id, value });
        } else if (unit && known.given.length === 0) known.units.add(unit);
        mine.values.set(name, known);
      }
    }
  const all = elements.map(({ id }) => id);
  return [...groups].map(([key, { kind, values }]) => ({
    name: key.slice(key.indexOf("\n") + 1),
    kind,
    values: [...values].map(([name, gathered]) => one(name, gathered, all, kind)),
  }));
}

/** What elements say of themselves, as one line. */
export function read(
  name: string,
  elements: readonly ElementDetail[],
  value: (element: ElementDetail) => CellValue,
): Merged {
  const given = elements
    .map((element) => ({ id: element.id, value: value(element) }))
    .filter((one) => one.value !== null && one.value !== "");
  const all = elements.map(({ id }) => id);
  return one(name, { units: new Set(), measure: null, given }, all, "properties");
}

/** Quantities that add up, by their class; where a file does not say it, by units of area, volume and mass. */
const SUMMED_CLASS = /^IfcQuantity(Area|Volume|Weight|Count)$/;
const SUMMED_UNIT = /[²³]|[a-z][23]$|square|cubic|^(k?g|t)$/i;

const least = (numbers: number[]): number => numbers.reduce((a, b) => Math.min(a, b), Infinity);
const most = (numbers: number[]): number => numbers.reduce((a, b) => Math.max(a, b), -Infinity);

function one(
  name: string,
  { units, measure, given }: Gathered,
  all: readonly number[],
  kind: PropertyGroup["kind"],
): Merged {
  const values = new Map<CellValue, number[]>();
  for (const { id, value } of given) {
    const ids = values.get(value);
    if (ids) ids.push(id);
    else values.set(value, [id]);
  }
  const [unit = ""] = units;
  const alike = units.size <= 1;
  const numbers = given.map(({ value }) => value).filter((value) => typeof value === "number");
  const counted = all.length > 1 && alike && numbers.length === given.length && numbers.length > 0;
  const quantity = counted && kind === "quantities";
  const adds = measure ? SUMMED_CLASS.test(measure) : SUMMED_UNIT.test(unit);
  const sums = quantity && adds;
  const measured = counted && !sums && (quantity || unit !== "");
  const has = new Set(given.map(({ id }) => id));
  return {
    name,
    unit: alike && unit ? unit : null,
    values: [...values]
      .map(([value, ids]) => ({ value, ids }))
      .sort((a, b) => b.ids.length - a.ids.length),
    none: all.filter((id) => !has.has(id)),
    sum: sums ? numbers.reduce((a, b) => a + b, 0) : null,
    range: measured && values.size > 1 ? { from: least(numbers), to: most(numbers) } : null,
  };
}
