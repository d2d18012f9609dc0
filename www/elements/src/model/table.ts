/**
 * What the table of elements shows: search, filter, sort. Pure, tested without a page.
 *
 * Values are ranked once; then every order and every search of 100,000 rows is linear. Ranking many different names
 * takes long, so it is done in slices.
 */
import { type CellValue, expressIdOf, type ModelRow } from "@holdpoint/core/types";
import { inSlices } from "../base/slices.js";
import { type Language, language } from "../text/index.js";

/** A column, by its name or its place among those that a person chose. */
export type SortKey = "type" | "name" | "storey" | number;

/** A storey by its number in the file; by its name where rows do not know the number; null: none. */
export type StoreyKey = number | string | null;

export const storeyOf = ({ storey, storey_id }: ModelRow): StoreyKey => storey_id ?? storey;

/** Ones for rows that something leaves; null where it leaves all. */
export type Marks = Uint8Array | null;

export interface TableQuery {
  search: string;
  storeys: ReadonlySet<StoreyKey>;
  types: ReadonlySet<string>;
  /** What filters over values leave. */
  fits?: Marks;
  /** Rows that contain the search in any of their values. */
  texts?: Marks;
}

const collators = new Map<Language, Intl.Collator>();

/** Numbers inside names count as numbers; å, ä, ö stand where the language has them. */
function order(): Intl.Collator {
  const known =
    collators.get(language()) ??
    new Intl.Collator(language(), { numeric: true, sensitivity: "base" });
  collators.set(language(), known);
  return known;
}

/** The different values of a column in their order. */
export type Ranks = ReadonlyMap<CellValue, number>;

/** What a row is sorted by; a column of values holds one a row. */
export function keys(
  rows: ModelRow[],
  columns: readonly { values: CellValue[] }[],
  sort: SortKey,
): CellValue[] {
  const values = typeof sort === "number" ? (columns[sort]?.values ?? []) : [];
  return rows.map((row, i) => (typeof sort === "number" ? (values[i] ?? null) : row[sort]));
}

/** So many different values are ranked at once: sooner than a frame is missed. */
const AT_ONCE = 2_000;

/** A promise where ranking takes longer than may be waited for. */
export function ranked(values: readonly CellValue[]): Ranks | Promise<Ranks> {
  const different = [...new Set(values)].filter((value) => value !== null);
  const numbered = (sorted: CellValue[]): Ranks => new Map(sorted.map((value, i) => [value, i]));
  return different.length <= AT_ONCE
    ? numbered(different.sort(compare))
    : inSlices(different, compare).then(numbered);
}

/**
 * Indices of all rows. Nothing stands last in either direction: a missing value is no smallest value. Equal ones keep
 * their order.
 */
export function ordered(values: readonly CellValue[], ranks: Ranks, down: boolean): number[] {
  const rank = Int32Array.from(values, (value) =>
    value === null ? ranks.size : (ranks.get(value) ?? ranks.size),
  );
  // Where each rank begins: so many rows come before it.
  const begins = new Int32Array(ranks.size + 2);
  const begin = (at: number): number => begins[at] ?? 0;
  for (const one of rank) begins[place(one) + 1] = begin(place(one) + 1) + 1;
  for (let at = 1; at < begins.length; at += 1) begins[at] = begin(at) + begin(at - 1);
  const out = new Array<number>(values.length);
  for (const [i, one] of rank.entries()) {
    const at = begin(place(one));
    begins[place(one)] = at + 1;
    out[at] = i;
  }
  return out;

  function place(one: number): number {
    return down && one < ranks.size ? ranks.size - 1 - one : one;
  }
}

/** Those of `order` that a query leaves. */
export function filtered(rows: ModelRow[], order: readonly number[], query: TableQuery): number[] {
  const words = matched(rows, query);
  return order.filter((i) => {
    const row = rows[i];
    return (
      row !== undefined &&
      words?.[i] !== 0 &&
      (query.storeys.size === 0 || query.storeys.has(storeyOf(row))) &&
      (query.types.size === 0 || query.types.has(row.type))
    );
  });
}

const marked = new WeakMap<TableQuery, Marks>();

/**
 * What search and filters leave: what stands in the rows themselves is found at once, values when they are read. Looked
 * for once for a query.
 */
function matched(rows: ModelRow[], query: TableQuery): Marks {
  const known = marked.get(query);
  if (known !== undefined) return known;
  const marks = looked(rows, query);
  marked.set(query, marks);
  return marks;
}

function looked(rows: ModelRow[], { search, fits = null, texts = null }: TableQuery): Marks {
  const words = search.trim().toLowerCase();
  if (words === "") return fits;
  const own = searched(rows);
  const [, numbered] = /^#(\d+)$/.exec(words) ?? [];
  const id = numbered === undefined ? null : Number(numbered);
  const marks = new Uint8Array(rows.length);
  rows.forEach((row, i) => {
    if (fits?.[i] === 0) return;
    const is = texts?.[i] === 1 || own[i]?.includes(words) || expressIdOf(row.id) === id;
    if (is) marks[i] = 1;
  });
  return marks;
}

function compare(a: CellValue, b: CellValue): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return order().compare(String(a), String(b));
}

const texts = new WeakMap<ModelRow[], string[]>();

/** What is searched in, by row; made once for a model. */
function searched(rows: ModelRow[]): string[] {
  const known =
    texts.get(rows) ??
    rows.map((row) => `${row.name ?? ""}\n${row.type}\n${row.global_id ?? ""}`.toLowerCase());
  texts.set(rows, known);
  return known;
}

export interface Count<T> {
  value: T;
  n: number;
}

/** How many rows have each storey and type, storeys in the order given, types by count. */
export function counts(
  rows: ModelRow[],
  storeys: readonly { key: StoreyKey }[],
): { storeys: Count<StoreyKey>[]; types: Count<string>[] } {
  const { byStorey, byType } = counted(rows);
  const listed = storeys.map(
    ({ key }): Count<StoreyKey> => ({
      value: key,
      n: byStorey.get(key) ?? 0,
    }),
  );
  const none = byStorey.get(null);
  if (none !== undefined) listed.push({ value: null, n: none });
  const types = [...byType]
    .map(([value, n]) => ({ value, n }))
    .sort((a, b) => b.n - a.n || order().compare(a.value, b.value));
  return { storeys: listed.filter((one) => one.n > 0), types };
}

/** How many rows each storey and type would show: a chip keeps to everything but the chips of its own line. */
export function live(
  rows: ModelRow[],
  query: TableQuery,
): { byStorey: ReadonlyMap<StoreyKey, number>; byType: ReadonlyMap<string, number> } {
  return counted(rows, matched(rows, query), query);
}

function counted(rows: ModelRow[], marks: Marks = null, query: TableQuery | null = null) {
  const byStorey = new Map<StoreyKey, number>();
  const byType = new Map<string, number>();
  rows.forEach((row, i) => {
    if (marks?.[i] === 0) return;
    const storey = storeyOf(row);
    if (!query?.types.size || query.types.has(row.type))
      byStorey.set(storey, (byStorey.get(storey) ?? 0) + 1);
    if (!query?.storeys.size || query.storeys.has(storey))
      byType.set(row.type, (byType.get(row.type) ?? 0) + 1);
  });
  return { byStorey, byType };
}
