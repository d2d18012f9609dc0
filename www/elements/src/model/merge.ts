/**
 * Properties of several elements as one list: what is equal stands, what differs is counted. Of quantities, areas and
 * volumes are summed, and lengths are a range: the sum of seven heights is no height. Pure. UI.md §11.
 */
import type { CellValue, ElementDetail } from "@holdpoint/core/types";

export interface Merged {
  name: string;
  unit: string | null;
  /** Different values, missing ones not counted. */
  different: number;
  /** The value where there is just one. */
  value: CellValue;
  /** Elements that have it, and that lack it. */
  have: number;
  lack: number;
  /** Of areas and volumes: the sum. */
  sum: number | null;
  /** Of other quantities that differ: the smallest and the largest. */
  range: { from: number; to: number } | null;
}

export interface MergedGroup {
  name: string;
  kind: "properties" | "quantities";
  values: Merged[];
}

/** A group of all elements, with every value that they have for a name. */
interface Gathered {
  kind: "properties" | "quantities";
  values: Map<string, { unit: string | null; all: CellValue[] }>;
}

export function merged(elements: ElementDetail[]): MergedGroup[] {
  const groups = new Map<string, Gathered>();
  for (const element of elements)
    for (const group of element.groups) {
      const key = `${group.kind}\n${group.name}`;
      const mine: Gathered = groups.get(key) ?? { kind: group.kind, values: new Map() };
      groups.set(key, mine);
      for (const { name, value, unit } of group.values) {
        const known = mine.values.get(name) ?? { unit: unit ?? null, all: [] };
        known.all.push(value);
        mine.values.set(name, known);
      }
    }
  return [...groups].map(([key, { kind, values }]) => ({
    name: key.slice(key.indexOf("\n") + 1),
    kind,
    values: [...values].map(([name, { unit, all }]) => one(name, unit, all, elements.length, kind)),
  }));
}

/** Units of areas and volumes, as models write them. */
const SUMMED = /[²³]|[a-z][23]$|square|cubic/i;

const least = (numbers: number[]): number => numbers.reduce((a, b) => Math.min(a, b), Infinity);
const most = (numbers: number[]): number => numbers.reduce((a, b) => Math.max(a, b), -Infinity);

function one(
  name: string,
  unit: string | null,
  all: CellValue[],
  of: number,
  kind: "properties" | "quantities",
): Merged {
  const given = all.filter((value) => value !== null && value !== "");
  const distinct = new Set(given);
  const numbers = given.filter((value): value is number => typeof value === "number");
  const measured =
    kind === "quantities" && of > 1 && numbers.length === given.length && numbers.length > 0;
  const sums = measured && SUMMED.test(unit ?? "");
  const sum = sums ? numbers.reduce((a, b) => a + b, 0) : null;
  const ends = { from: least(numbers), to: most(numbers) };
  return {
    name,
    unit,
    range: measured && !sums && distinct.size > 1 ? ends : null,
    different: distinct.size,
    value: distinct.size === 1 ? (given[0] ?? null) : null,
    have: given.length,
    lack: of - given.length,
    sum,
  };
}
