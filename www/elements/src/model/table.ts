/** What the table of elements shows: search, filter, sort. Pure, so that 100,000 rows are sorted once and tested without a page. */
import type { CellValue, ModelRow } from "@holdpoint/core/types";
import { language, type Language } from "../text/index.js";

export type SortKey = "type" | "name" | "storey" | "property";
export interface TableQuery { search: string; storeys: ReadonlySet<string | null>; types: ReadonlySet<string>; sort: SortKey; down: boolean }

const collators = new Map<Language, Intl.Collator>();

/** Numbers inside names count as numbers; å, ä, ö stand where the language has them. */
function order(): Intl.Collator {
  const known = collators.get(language()) ?? new Intl.Collator(language(), { numeric: true, sensitivity: "base" });
  collators.set(language(), known);
  return known;
}

/** Indices into `rows`, filtered and sorted; `column` holds one value a row. */
export function shown(rows: ModelRow[], column: CellValue[], query: TableQuery): number[] {
  const words = query.search.trim().toLowerCase();
  const out: number[] = [];
  rows.forEach((row, i) => {
    if (query.storeys.size && !query.storeys.has(row.storey)) return;
    if (query.types.size && !query.types.has(row.type)) return;
    if (words && !found(row, words)) return;
    out.push(i);
  });
  const key = (i: number): CellValue => {
    const row = rows[i];
    if (!row) return null;
    return query.sort === "property" ? (column[i] ?? null) : row[query.sort];
  };
  const sign = query.down ? -1 : 1;
  return out.sort((a, b) => compare(key(a), key(b), sign) || a - b);
}

/** Nothing stands last in either direction: a missing value is no smallest value. */
function compare(a: CellValue, b: CellValue, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * order().compare(String(a), String(b));
}

function found(row: ModelRow, words: string): boolean {
  return (row.name ?? "").toLowerCase().includes(words) || row.type.toLowerCase().includes(words) || (row.global_id ?? "").toLowerCase().includes(words) || `#${row.id}` === words;
}

export interface Count<T> { value: T; n: number }

/** How many rows have each storey and type, storeys in the order given, types by count. */
export function counts(rows: ModelRow[], storeys: string[]): { storeys: Count<string | null>[]; types: Count<string>[] } {
  const byStorey = new Map<string | null, number>();
  const byType = new Map<string, number>();
  for (const row of rows) {
    byStorey.set(row.storey, (byStorey.get(row.storey) ?? 0) + 1);
    byType.set(row.type, (byType.get(row.type) ?? 0) + 1);
  }
  const listed: Count<string | null>[] = storeys.map((value) => ({ value, n: byStorey.get(value) ?? 0 }));
  const none = byStorey.get(null);
  if (none !== undefined) listed.push({ value: null, n: none });
  const types = [...byType].map(([value, n]) => ({ value, n })).sort((a, b) => b.n - a.n || order().compare(a.value, b.value));
  return { storeys: listed.filter((one) => one.n > 0), types };
}
