/** A table as its elements hand it to the page, which makes a file of it. */
import type { CellValue, ElementRef } from "@holdpoint/core/types";

export interface ExportTable {
  /** What it is called, also as a sheet. */
  name: string;
  /** GlobalIds of its rows, where rows are elements. */
  ids?: (string | null)[];
  /** Where only their references are known: the page finds the GlobalIds. */
  elements?: (ElementRef | null)[];
  /** One value a row in each. */
  columns: { title: string; unit?: string | null; values: CellValue[] }[];
}

/** A person wants a file of a table; the table is made once they have chosen which. */
export interface ExportAsk {
  anchor: HTMLElement;
  table(): ExportTable;
}
