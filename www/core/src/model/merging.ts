/** Answers of several models as one: columns that can be shown, and searches. Pure. */

import {
  ANY_SET,
  type CellValue,
  type ColumnChoice,
  type ColumnKey,
  type Found,
  type ModelColumn,
  type ModelQuery,
  type Suggestions,
} from "../types.ts";

/** Suggestions that are offered at once; as many as one model gives. */
const MOST = { properties: 6, values: 8 };

const keyOf = ({ set, name }: ColumnKey): string => `${set}\n${name}`;

/**
 * Most filled first. A name that has one set in each model, and not the same in all, stands for any of them as well.
 */
export function mergedChoices(lists: readonly ColumnChoice[][]): ColumnChoice[] {
  const [only] = lists;
  if (lists.length === 1 && only) return only;
  const single = new Map<string, ColumnChoice>();
  for (const one of lists.flat()) {
    if (one.set === ANY_SET) continue;
    const known = single.get(keyOf(one));
    single.set(keyOf(one), known ? together(known, one) : one);
  }
  const byName = new Map<string, ColumnChoice[]>();
  for (const one of single.values())
    if (one.set !== "") byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  const any = [...byName].flatMap(([name, all]): ColumnChoice[] => {
    const [first] = all;
    if (!first || all.length < 2) return [];
    const whole = all.reduce(together, { ...first, count: 0 });
    const sets = all.map(({ set, count }) => ({ set, count })).sort((a, b) => b.count - a.count);
    const count = lists.reduce((sum, list) => sum + filled(list, name), 0);
    return [{ ...whole, set: ANY_SET, count, sets }];
  });
  return [...any, ...single.values()].sort((a, b) => b.count - a.count || order(a.name, b.name));
}

/** Rows of one model that have a value of that name in any set. */
function filled(list: readonly ColumnChoice[], name: string): number {
  const own = list.filter((one) => one.name === name && one.set !== "");
  return (own.find(({ set }) => set === ANY_SET) ?? own[0])?.count ?? 0;
}

const together = (a: ColumnChoice, b: ColumnChoice): ColumnChoice => ({
  ...a,
  count: a.count + b.count,
  unit: a.unit === b.unit ? (a.unit ?? null) : null,
  numbers: Boolean(a.numbers && b.numbers),
});

/** Cells come model after model; what models differ in is not said. */
export function mergedColumn(all: readonly ModelColumn[]): ModelColumn {
  const [only] = all;
  if (all.length === 1 && only) return only;
  const filled = all.filter(({ values }) => values.some((value) => value !== null));
  const [first] = filled;
  return {
    values: all.flatMap(({ values }) => values),
    unit: filled.every(({ unit }) => unit === first?.unit) ? (first?.unit ?? null) : null,
    numbers: filled.length > 0 && filled.every(({ numbers }) => numbers),
  };
}

export function mergedFound(query: ModelQuery, all: readonly Found[]): Found {
  const [only] = all;
  if (all.length === 1 && only) return only;
  return {
    query,
    fits: query.filters.length ? joined(all.map((one) => one.fits)) : null,
    texts: query.text.trim() ? joined(all.map((one) => one.texts)) : null,
    suggestions: suggestions(all.map((one) => one.suggestions)),
  };
}

/** One list of marks; of a model that gives none every row is left. */
function joined(lists: readonly (Uint8Array | null)[]): Uint8Array {
  const out = new Uint8Array(lists.reduce((sum, list) => sum + (list?.length ?? 0), 0));
  let at = 0;
  for (const list of lists) {
    if (!list) continue;
    out.set(list, at);
    at += list.length;
  }
  return out;
}

function suggestions(all: readonly Suggestions[]): Suggestions {
  const properties = summed(
    all.flatMap((one) => one.properties),
    keyOf,
    (a, b) => ({ ...a, count: a.count + b.count }),
  );
  const values = summed(
    all.flatMap((one) => one.values),
    ({ filter }) => `${keyOf(filter)}\n${filter.op}\n${mark(filter.value)}`,
    (a, b) => ({ ...a, n: a.n + b.n }),
  );
  return {
    properties: properties.slice(0, MOST.properties),
    values: values.slice(0, MOST.values),
    contains: all.reduce((sum, one) => sum + one.contains, 0),
  };
}

/** Texts and numbers that look alike are two values. */
const mark = (value: CellValue): string => `${typeof value} ${value}`;

function summed<T>(all: readonly T[], key: (one: T) => string, sum: (a: T, b: T) => T): T[] {
  const found = new Map<string, T>();
  for (const one of all) {
    const known = found.get(key(one));
    found.set(key(one), known ? sum(known, one) : one);
  }
  return [...found.values()];
}

const order = (a: string, b: string): number => Number(a > b) - Number(a < b);
