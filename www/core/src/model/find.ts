/** Which rows fit a search, and what could be searched for: over the values of the open model. Pure. */

import { readNumber } from "../numbers.ts";
import {
  ANY_SET,
  type CellValue,
  type Found,
  type ModelQuery,
  type Suggestions,
  type ValueFilter,
} from "../types.ts";
import type { ValueColumn, Values } from "./values.ts";

/** So many properties and values are offered at once. */
const MOST_PROPERTIES = 6;
const MOST_VALUES = 8;

const lower = (value: CellValue): string => String(value).toLowerCase();

/** A search with what it may become. */
export function find(values: Values, query: ModelQuery): Found {
  const fits = query.filters.length ? filtered(values, query.filters) : null;
  const words = query.text.trim().toLowerCase();
  const texts = words ? containing(values, words) : null;
  return { query, fits, texts, suggestions: suggestions(values, query, fits, texts) };
}

/** A one for each row that fits every filter. */
function filtered(values: Values, filters: readonly ValueFilter[]): Uint8Array {
  const all = new Uint8Array(values.rows.length).fill(1);
  for (const filter of filters) {
    const one = matching(values, filter);
    for (let i = 0; i < all.length; i += 1) if (one[i] === 0) all[i] = 0;
  }
  return all;
}

/** A one for each row that fits a filter. A row that has no value is not unlike another: ≠ wants a value. */
function matching(values: Values, { set, name, op, value }: ValueFilter): Uint8Array {
  const out = new Uint8Array(values.rows.length);
  const columns = values.named(set, name);
  const fits = test(op, value);
  for (const column of columns) mark(column, op === "none" ? () => true : fits, out);
  if (op === "none") for (let i = 0; i < out.length; i += 1) out[i] = out[i] === 1 ? 0 : 1;
  return out;
}

function test(op: ValueFilter["op"], wanted: CellValue): (value: CellValue) => boolean {
  const is = (value: CellValue): boolean =>
    value === wanted || lower(value) === lower(wanted) || same(value, wanted);
  const number = Number(wanted);
  const measured = (fits: (value: number) => boolean) => (value: CellValue) =>
    typeof value === "number" && !Number.isNaN(number) && fits(value);
  switch (op) {
    case "=":
      return is;
    case "≠":
      return (value) => !is(value);
    case "<":
      return measured((value) => value < number);
    case "≤":
      return measured((value) => value <= number);
    case ">":
      return measured((value) => value > number);
    case "≥":
      return measured((value) => value >= number);
    case "contains":
      return (value) => lower(value).includes(lower(wanted));
    default:
      return () => true;
  }
}

/** A number that was typed is the number of the file, as far as a person sees it. */
function same(value: CellValue, wanted: CellValue): boolean {
  if (typeof value !== "number" || wanted === null || wanted === "") return false;
  return Math.abs(value - Number(wanted)) <= 0.0005;
}

function containing(values: Values, words: string): Uint8Array {
  const out = new Uint8Array(values.rows.length);
  const fits = (value: CellValue): boolean => lower(value).includes(words);
  for (const column of values.columns) mark(column, fits, out);
  values.rows.forEach((row, i) => {
    if (`#${row.id}` === words) out[i] = 1;
  });
  return out;
}

/** Each different value is looked at once. */
function mark(column: ValueColumn, fits: (value: CellValue) => boolean, out: Uint8Array): void {
  const hits = Uint8Array.from(column.values, (value) => (fits(value) ? 1 : 0));
  if (!hits.includes(1)) return;
  const { rows, at } = column;
  for (let i = 0; i < rows.length; i += 1) if (hits[at[i] ?? -1] === 1) out[rows[i] ?? -1] = 1;
}

// ── what may be searched for ──────────────────────────────────────────────────────────────────────────────────────

function suggestions(
  values: Values,
  { text, locale = "en" }: ModelQuery,
  fits: Uint8Array | null,
  texts: Uint8Array | null,
): Suggestions {
  const begun = /^(.+?)\s*(=|≠|!=|<=|≤|<|>=|≥|>)\s*(.*)$/.exec(text.trim());
  const contains = texts ? count(texts, fits) : 0;
  const named = begun ? columnsOf(values, begun[1] ?? "") : null;
  if (begun && named) {
    const rest = (begun[3] ?? "").trim();
    const typed = written(values, named, OPS[begun[2] ?? ""] ?? "=", rest, fits, locale);
    const listed = valuesOf(values, named, rest.toLowerCase(), fits);
    const own = listed.filter(({ filter }) => lower(filter.value) !== rest.toLowerCase());
    return { properties: [], values: [...typed, ...(typed.length ? own : listed)], contains };
  }
  const words = text.trim().toLowerCase();
  if (!words) return { properties: [], values: [], contains: 0 };
  const properties = values
    .choices()
    .filter(({ set, name }) => set !== "" && name.toLowerCase().includes(words))
    .sort((a, b) => begins(b.name, words) - begins(a.name, words))
    .slice(0, MOST_PROPERTIES)
    .map(({ set, name, count }) => ({ set, name, count }));
  const [first] = properties;
  const none = first ? missing(values, first.set, first.name, fits) : [];
  return { properties, values: [...none, ...matches(values, words, fits)], contains };
}

/** As they are typed. */
const OPS: Record<string, ValueFilter["op"]> = {
  ...{ "=": "=", "≠": "≠", "!=": "≠", "<": "<", "≤": "≤", "<=": "≤" },
  ...{ ">": ">", "≥": "≥", ">=": "≥" },
};

/** The filter just as it was typed, once it has a value. */
function written(
  values: Values,
  column: { set: string; name: string },
  op: ValueFilter["op"],
  text: string,
  fits: Uint8Array | null,
  locale: string,
): Suggestions["values"] {
  if (text === "") return [];
  const said = readNumber(text, locale);
  const filter = { ...column, op, value: "value" in said ? said.value : text };
  return [{ filter, n: count(matching(values, filter), fits) }];
}

const begins = (name: string, words: string): number =>
  Number(name.toLowerCase().startsWith(words));

/** The property that a person names, any set or `Set.Name`. */
function columnsOf(values: Values, text: string): { set: string; name: string } | null {
  const words = text.trim().toLowerCase();
  const is = (one: ValueColumn): boolean => one.name.toLowerCase() === words;
  const own = values.columns.filter(is);
  const [first] = own;
  if (first) return { set: own.length > 1 ? ANY_SET : first.set, name: first.name };
  const whole = values.columns.find((one) => `${one.set}.${one.name}`.toLowerCase() === words);
  return whole ? { set: whole.set, name: whole.name } : null;
}

/** Values of one property, the most frequent first, and that there is none. */
function valuesOf(
  values: Values,
  { set, name }: { set: string; name: string },
  words: string,
  fits: Uint8Array | null,
): Suggestions["values"] {
  const counts = new Map<CellValue, number>();
  for (const column of values.named(set, name))
    for (const [value, n] of counted(column, fits, (one) => lower(one).includes(words)))
      counts.set(value, (counts.get(value) ?? 0) + n);
  const listed = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_VALUES)
    .map(([value, n]) => ({ filter: { set, name, op: "=" as const, value }, n }));
  return [...listed, ...(words ? [] : missing(values, set, name, fits))];
}

function missing(values: Values, set: string, name: string, fits: Uint8Array | null) {
  const filter = { set, name, op: "none" as const, value: null };
  const n = count(matching(values, filter), fits);
  return n > 0 ? [{ filter, n }] : [];
}

/** Values of any property that contain the words, the most frequent first. */
function matches(values: Values, words: string, fits: Uint8Array | null): Suggestions["values"] {
  const found: Suggestions["values"] = [];
  for (const column of values.columns) {
    if (column.set === "" && column.name === "GlobalId") continue;
    const { set, name } = column;
    for (const [value, n] of counted(column, fits, (one) => lower(one).includes(words)))
      found.push({ filter: { set, name, op: "=", value }, n });
  }
  return found.sort((a, b) => b.n - a.n).slice(0, MOST_VALUES - 1);
}

/** How many rows have each value that is wanted. */
function counted(
  { values, rows, at }: ValueColumn,
  fits: Uint8Array | null,
  wanted: (value: CellValue) => boolean,
): [CellValue, number][] {
  const hits = Uint8Array.from(values, (value) => (wanted(value) ? 1 : 0));
  if (!hits.includes(1)) return [];
  const counts = new Uint32Array(values.length);
  for (let i = 0; i < rows.length; i += 1) {
    const value = at[i] ?? -1;
    if (hits[value] === 1 && fits?.[rows[i] ?? -1] !== 0) counts[value] = (counts[value] ?? 0) + 1;
  }
  return values.flatMap((value, i): [CellValue, number][] =>
    (counts[i] ?? 0) > 0 ? [[value, counts[i] ?? 0]] : [],
  );
}

const count = (marks: Uint8Array, fits: Uint8Array | null): number =>
  marks.reduce((sum, one, i) => sum + (fits?.[i] === 0 ? 0 : one), 0);
