// A call of an example on a file and what it must answer, with what the facts of all examples share.

import type { ForeignModel, Product } from "./foreign-model.ts";
import type { Value } from "./foreign-step.ts";

export type Row = Record<string, Value | undefined>;
export interface Call {
  /** The contribution that is called. */
  command?: string;
  exporter?: string;
  lens?: string;
  idsValidator?: string;
  args?: unknown;
  options?: unknown;
  /** What it answers, without the words of its widget. */
  value?: unknown;
  /** Numbers of the products that it selects, colours or frames; `color` where it colours. */
  viewer?: { op: string; refs?: number[]; color?: string; label?: string }[];
  exports?: { filename: string; text: string }[];
}
export type Facts = (model: ForeignModel) => Call[];

/** What every file is called in its thread. */
export const MODEL = "0123456789abcdef";
export const ids = (products: Product[]): number[] => products.map(({ id }) => id);
export const refOf = ({ id }: Product) => ({ modelId: MODEL, expressId: id });
export const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
/** The first that is there. */
export const first = <T>(...values: (T | null | undefined)[]): T | null =>
  values.find((value) => value !== null && value !== undefined) ?? null;

/** Rows that belong together, in the order in which each group is met first. */
export function grouped<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/** A file as `bim.export.csv` writes it (ifc-sdk.md §3). */
export function csv(rows: Row[], columns: [field: string, title: string][]): string {
  const cell = (value: Value | undefined): string => {
    if (value === null || value === undefined) return "";
    const shown = typeof value === "string" ? value.replace(/^[=+\-@\t\r]/, "'$&") : String(value);
    return /[",;\t\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  const lines = [
    columns.map(([, title]) => title),
    ...rows.map((row) => columns.map(([field]) => row[field])),
  ];
  return lines.map((line) => `${line.map(cell).join(",")}\n`).join("");
}

/** Columns whose titles are their fields. */
export const plain = (fields: string): [string, string][] =>
  fields.split(" ").map((one) => [one, one]);
