/** An answer as a file: CSV, as `bim.export.csv` writes it (ifc-sdk.md §3 "CSV"). */
import type { AnswerTable, Cell, RunView, ScriptAnswer } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import { download } from "./calls.js";

/** A text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

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

function field(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "object") return field(value.name);
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function saveAnswer({ tests }: RunView): void {
  const answer = tests[0]?.answer;
  if (answer) download(`${t("answer.file")}.csv`, new Blob([csv(answer)], { type: "text/csv" }));
}
