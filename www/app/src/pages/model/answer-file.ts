/** An answer as a file: CSV, as `bim.export.csv` writes it (ifc-sdk.md §3 "CSV"). */
import type { AnswerTable, Cell, RunView, ScriptAnswer } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import { field as cellOf } from "../../tables/files.js";
import { download } from "./calls.js";

/** The tables of an answer, one below the other, with a line between them. */
export function csv({ tables }: ScriptAnswer): string {
  return tables.map(rows).join("\n");
}

function rows({ title, of_elements: named, columns, rows }: AnswerTable): string {
  const head = [...(named ? [t("answer.element"), "#"] : []), ...columns];
  const body = rows.map(({ element, cells }) => [
    ...(named ? [element?.name ?? "", element ? element.id : null] : []),
    ...cells,
  ]);
  const lines = [...(title ? [[title]] : []), head, ...body];
  return lines.map((line) => `${line.map(field).join(",")}\n`).join("");
}

const field = (value: Cell): string =>
  cellOf(value !== null && typeof value === "object" ? value.name : value);

export function saveAnswer({ tests }: RunView): void {
  const answer = tests[0]?.answer;
  if (answer) download(`${t("answer.file")}.csv`, new Blob([csv(answer)], { type: "text/csv" }));
}
