/** How columns, filters and values are said. Pure. */
import { ANY_SET, type CellValue, type ColumnKey, type ValueFilter } from "@holdpoint/core/types";
import { decimal } from "../base/format.js";
import { has, t } from "../text/index.js";

/** `FireRating`; what an element says of itself has a word. */
export function columnName({ set, name }: ColumnKey): string {
  const key = `column.${name}`;
  return set === "" && has(key) ? t(key) : name;
}

/** The set of a column; nothing where it stands in none. */
export function setName({ set }: ColumnKey): string {
  return set === ANY_SET ? t("column.any") : set;
}

export const keyOf = ({ set, name }: ColumnKey): string => `${set}\n${name}`;

export const isColumn = (a: ColumnKey, b: ColumnKey): boolean =>
  a.set === b.set && a.name === b.name;

/** A cell of the table, or a value of the panel. */
export function cell(value: CellValue): string {
  if (value === null || value === "") return t("model.not_given");
  if (typeof value === "boolean") return value ? t("model.yes") : t("model.no");
  return typeof value === "number" ? decimal(value) : value;
}

/** A value among others of its kind, where none is one of them. */
export const valueOrNone = (value: CellValue): string =>
  value === null || value === "" ? t("model.value.none") : cell(value);

/** What a filter asks of its column, in two parts: how, and what. */
export function filterSays({ op, value }: ValueFilter): { how: string; what: string } {
  if (op === "none") return { how: "", what: t("model.value.none") };
  if (op === "some") return { how: "", what: t("model.value.some") };
  if (op === "contains") return { how: "", what: `“${cell(value)}”` };
  return { how: op === "=" ? "" : op, what: cell(value) };
}

export function filterText(filter: ValueFilter): string {
  const { how, what } = filterSays(filter);
  return [columnName(filter), how, what].filter((part) => part).join(" ");
}
