/**
 * A table as a file: CSV in two dialects, a workbook, JSON. Numbers stay numbers, and no text becomes a formula. Pure;
 * runs in a worker (`worker.ts`).
 */
import type { CellValue } from "@holdpoint/core/types";
import type { ExportTable } from "@holdpoint/elements/base/export-table";

export const FORMATS = ["csv", "ssv", "xlsx", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** Rows of a sheet, its head among them: the format has no more. */
export const MAX_SHEET_ROWS = 1_048_576;
/** Characters of a cell of a sheet. */
const MAX_CELL = 32_767;
/** A name of a sheet has none of these, and is this long. */
const SHEET_NAME = /[[\]*?/\\:]/g;
const MAX_SHEET_NAME = 31;
/** Rows that become one piece of text. */
const PIECE = 4_000;

/** A text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** How a dialect writes: what stands between cells, and the point of a number. */
interface Dialect {
  between: string;
  point: string;
  /** For spreadsheets, which take a file without it for another encoding. */
  mark: string;
}

const DIALECTS: Record<"csv" | "ssv", Dialect> = {
  csv: { between: ",", point: ".", mark: "" },
  ssv: { between: ";", point: ",", mark: "\ufeff" },
};

export const typeOf: Record<Format, string> = {
  csv: "text/csv",
  ssv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  json: "application/json",
};

export const endingOf = (format: Format): string => (format === "ssv" ? "csv" : format);

const count = ({ columns }: ExportTable): number => columns[0]?.values.length ?? 0;

const headOf = ({ title, unit }: ExportTable["columns"][number]): string =>
  unit ? `${title} (${unit})` : title;

/** One cell of CSV, quoted where it has to be. */
export function field(value: CellValue, { between, point }: Dialect = DIALECTS.csv): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value).replace(".", point);
  if (typeof value === "boolean") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) || text.includes(between)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** In pieces: the text of a whole model in one is more than needs to be held. */
export function csv(table: ExportTable, format: "csv" | "ssv"): string[] {
  const dialect = DIALECTS[format];
  const line = (cells: CellValue[]) =>
    `${cells.map((cell) => field(cell, dialect)).join(dialect.between)}\r\n`;
  const ids = table.ids ? [{ title: "GlobalId", values: table.ids }] : [];
  const columns = [...table.columns, ...ids];
  const pieces = [dialect.mark + line(columns.map(headOf))];
  for (let from = 0; from < count(table); from += PIECE) {
    const to = Math.min(count(table), from + PIECE);
    let piece = "";
    for (let i = from; i < to; i += 1)
      piece += line(columns.map(({ values }) => values[i] ?? null));
    pieces.push(piece);
  }
  return pieces;
}

/** Rows as objects, each with the GlobalId of its element where rows are elements. */
export function json(table: ExportTable): string[] {
  const { columns, ids } = table;
  const units = columns.flatMap(({ title, unit }) => (unit ? [[title, unit]] : []));
  const head = { name: table.name, units: Object.fromEntries(units) };
  const pieces = [`${JSON.stringify(head, null, 1).slice(0, -2)},\n "rows": [`];
  for (let i = 0; i < count(table); i += 1) {
    const cells = columns.map(({ title, values }) => [title, values[i] ?? null]);
    const row = { ...(ids ? { GlobalId: ids[i] ?? null } : {}), ...Object.fromEntries(cells) };
    pieces.push(`${i > 0 ? "," : ""}\n  ${JSON.stringify(row)}`);
  }
  return [...pieces, "\n ]\n}\n"];
}

/** Sheet, cells by row; texts stay texts whatever they begin with. */
export function sheet(table: ExportTable): { name: string; rows: SheetCell[][] } {
  const ids = table.ids ? [{ title: "GlobalId", values: table.ids }] : [];
  const columns = [...table.columns, ...ids];
  const cell = (value: CellValue): SheetCell => {
    if (value === null || value === "") return null;
    return typeof value === "string" ? { value: value.slice(0, MAX_CELL), type: String } : value;
  };
  const head = columns.map((one) => ({
    value: headOf(one),
    type: String,
    fontWeight: "bold" as const,
  }));
  const rows = Array.from({ length: count(table) }, (_, i) =>
    columns.map(({ values }) => cell(values[i] ?? null)),
  );
  const name = table.name.replace(SHEET_NAME, " ").slice(0, MAX_SHEET_NAME);
  return { name, rows: [head, ...rows] };
}

export type SheetCell =
  | { value: string; type: StringConstructor; fontWeight?: "bold" }
  | number
  | boolean
  | null;

/** The file of a table. What writes workbooks is loaded for the first of them. */
export async function fileOf(table: ExportTable, format: Format): Promise<Blob> {
  const type = typeOf[format];
  if (format === "json") return new Blob(json(table), { type });
  if (format !== "xlsx") return new Blob(csv(table, format), { type });
  const { default: write } = await import("write-excel-file/universal");
  const { name, rows } = sheet(table);
  const file = await write(rows, { sheet: name, stickyRowsCount: 1 }).toBlob();
  return new Blob([file], { type });
}
