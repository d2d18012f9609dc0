/** The listed rows of the table of elements, as a file holds them. Pure. */
import type { CellValue, ModelRow } from "@holdpoint/core/types";
import type { ExportTable } from "../base/export-table.js";
import { t } from "../text/index.js";
import { columnName, setName } from "./columns-said.js";
import { storeyName } from "./filters.js";
import type { ShownColumn } from "./grid.js";
import { type ModelLine, modelOf } from "./models.js";
import type { StoreyName } from "./storeys.js";
import { type StoreyKey, storeyOf } from "./table.js";

export interface Listed {
  rows: readonly ModelRow[];
  /** Places of the listed rows, in their order. */
  order: readonly number[];
  shown: readonly ShownColumn[];
  names: ReadonlyMap<StoreyKey, StoreyName>;
  models: readonly ModelLine[];
}

export function exported({ rows, order, shown, names, models }: Listed): ExportTable {
  const listed = order.flatMap((i) => rows[i] ?? []);
  const at = (values: readonly CellValue[]) => order.map((i) => values[i] ?? null);
  const place = (row: ModelRow): string | null => {
    const storey = storeyOf(row);
    return storey === null ? null : storeyName(storey, names);
  };
  return {
    name: t("model.title"),
    ids: listed.map((row) => row.global_id),
    columns: [
      { title: t("model.type"), values: listed.map((row) => row.type) },
      { title: t("model.name"), values: listed.map((row) => row.name) },
      { title: t("model.storey"), values: listed.map(place) },
      ...(models.length > 1
        ? [
            {
              title: t("props.model"),
              values: listed.map(({ id }) => modelOf(models, id)?.name ?? null),
            },
          ]
        : []),
      ...shown.map((one) => {
        const title = [columnName(one), one.set === "" ? "" : setName(one)];
        return {
          title: title.filter((part) => part).join(" · "),
          unit: one.unit ?? null,
          values: at(one.values),
        };
      }),
    ],
  };
}
