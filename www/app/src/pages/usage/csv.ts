/**
 * Calls as a file of comma-separated values, read page by page.
 *
 * A cell that a spreadsheet would take for a formula is written with an apostrophe before it.
 */
import type { LedgerItem, Slice } from "./wire.js";

/** So many rows are written at most. */
export const MOST_ROWS = 10_000;

const COLUMNS = [
  ...(["request_id", "at", "closed_at", "user_id", "key_id", "run_id", "tag", "template"] as const),
  ...(["protocol", "alias", "provider", "model", "payer", "outcome", "usage_source"] as const),
  ...(["input", "cached_input", "cache_write", "output", "reasoning", "tokens"] as const),
  ...(["cost", "held_tokens", "held_cost", "excess_tokens", "excess_cost"] as const),
  ...(["status", "attempts", "stream", "ttfb_ms", "total_ms"] as const),
] satisfies (keyof LedgerItem)[];

/** Times are written as dates, in UTC. */
const TIMES: ReadonlySet<keyof LedgerItem> = new Set(["at", "closed_at"]);

/** The calls as the text of a file; money in micros, as the ledger counts it. */
export function csv(rows: readonly LedgerItem[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => cell(textOf(row, column))).join(","));
  return `${[COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
}

function textOf(row: LedgerItem, column: keyof LedgerItem): string {
  const value = row[column];
  if (value === null || value === undefined) return "";
  return TIMES.has(column) ? new Date(Number(value)).toISOString() : String(value);
}

export function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What is loaded, and the pages after it. `read` hears how many rows there are, and answers whether to go on. */
export async function everyCall(
  loaded: Slice<LedgerItem>,
  next: (cursor: string) => Promise<Slice<LedgerItem>>,
  read: (rows: number) => boolean,
): Promise<LedgerItem[] | null> {
  const rows = [...loaded.items];
  let cursor = loaded.next_cursor;
  while (cursor !== null && rows.length < MOST_ROWS) {
    if (!read(rows.length)) return null;
    const page = await next(cursor);
    rows.push(...page.items);
    cursor = page.next_cursor;
  }
  return read(rows.length) ? rows.slice(0, MOST_ROWS) : null;
}
