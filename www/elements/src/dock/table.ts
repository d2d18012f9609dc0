/**
 * A table of a panel. No column is hidden: where a row has no room for its columns, its values stand one below the
 * other with their titles.
 */
import type { CellValue, ElementRef, Json } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import type { ExportTable } from "../base/export-table.js";
import { calendar, integer, percent } from "../base/format.js";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import { words } from "./binding.js";
import { drawn, elementsOf, member, notGiven, plain } from "./cells.js";
import type { Column, Table } from "./nodes.js";
import type { PanelHost } from "./render.js";
import { measure, measured, type Titled, titled, untitled } from "./units.js";

/** Rows that a table draws; the checker bounds the widget, not the data. */
const MAX_ROWS = 2_000;

export function table(node: Table, data: Json | undefined, host: PanelHost): TemplateResult {
  const rows = Array.isArray(data) ? data : [];
  if (rows.length === 0)
    return html`<p class="meta w-none">
      ${words(node.emptyText, host.state) || t("dock.empty_table")}
    </p>`;
  const run = node.rowCommand;
  const titles = node.columns.map((column) => headOf(column, rows, host));
  return html`<div
    class="w-table scroll"
    tabindex="0"
    role="group"
    aria-label=${t("app.scrolls", { name: titles[0]?.label ?? "" })}
  >
    <table class="t ${many(node.columns.length)}" role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${node.columns.map(
            (column, i) =>
              html`<th
                scope="col"
                role="columnheader"
                class=${look(column.align, column.format)}
                style=${column.width ? `width:${column.width}px` : nothing}
              >
                ${titles[i]?.label}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.slice(0, MAX_ROWS).map(
          (row) =>
            html`<tr role="row">
              ${node.columns.map((column, i) =>
                cell(
                  row,
                  column,
                  titles[i] ?? untitled(""),
                  i === 0,
                  run ? () => host.command(run, { row }) : null,
                  host,
                ),
              )}
            </tr>`,
        )}
      </tbody>
    </table>
    ${host.save ? exporting(node, rows, host, host.save) : nothing}
  </div>`;
}

/** The unit leaves a title for the numbers of its column; where there are none, the title stays as it is. */
function headOf({ title, field }: Column, rows: Json[], host: PanelHost): Titled {
  const label = words(title, host.state);
  const hasNumbers = rows.some((row) => typeof member(row, field) === "number");
  return hasNumbers ? titled(label) : untitled(label);
}

function exporting(
  node: Table,
  rows: Json[],
  host: PanelHost,
  save: NonNullable<PanelHost["save"]>,
) {
  const table = (): ExportTable => ({
    name: "",
    ...(rows.some((row) => elementsOf(row).length === 1) ? { elements: rows.map(refOf) } : {}),
    columns: node.columns.map((column) => exported(column, rows, host)),
  });
  return html`<p class="w-save">
    <button
      class="btn quiet s"
      aria-haspopup="menu"
      data-testid="hp-export-panel"
      @click=${(event: Event) => save({ anchor: event.currentTarget as HTMLElement, table })}
    >
      ${icon("down", "s")}<span>${t("export.table")}</span>
    </button>
  </p>`;
}

/** Values that bring one unit are numbers of it; of several units each value keeps its own, as text. */
function exported(column: Column, rows: Json[], host: PanelHost): ExportTable["columns"][number] {
  const cells = rows.map((row) => member(row, column.field));
  const { label: title, unit } = headOf(column, rows, host);
  const own = new Set(cells.flatMap((cell) => measure(cell)?.unit ?? []));
  if (own.size !== 1) return { title, unit, values: cells.map(scalar) };
  return {
    title,
    unit: [...own][0] ?? null,
    values: cells.map((cell) => measure(cell)?.value ?? scalar(cell)),
  };
}

/** The element that a row is about. */
function refOf(row: Json): ElementRef | null {
  const [only, second] = elementsOf(row);
  if (only === undefined || second !== undefined) return null;
  const [expressId, modelId] = [member(only, "expressId"), member(only, "modelId")];
  if (typeof expressId !== "number") return null;
  return typeof modelId === "string" ? { modelId, expressId } : { expressId };
}

function scalar(value: Json | undefined): CellValue {
  if (value === undefined || value === null) return null;
  return typeof value === "object" ? plain(value) : value;
}

/** How soon a row stands one value to a line: more columns need more width. */
function many(columns: number): string {
  if (columns > 7) return "c8";
  if (columns > 4) return "c5";
  return columns > 3 ? "c4" : "";
}

const NUMBERS = ["number", "percent", "integer"];

/** Numbers stand on the right where nothing else is said. */
function look(align: string | undefined, format = ""): string {
  if (align === "right" || (!align && NUMBERS.includes(format))) return "num";
  return align === "center" ? "center" : "";
}

/** Its title stands beside the value where a row has no room for its columns. */
function cell(
  row: Json,
  { field, format, align }: Column,
  { label, unit }: Titled,
  first: boolean,
  run: (() => void) | null,
  host: PanelHost,
): TemplateResult {
  const value = member(row, field);
  const content = formatted(value, format, unit);
  const side = look(align, format);
  const own = elementsOf(row);
  // A row leads to its command, else to its element; a number of elements to these.
  const counts = own.length > 0 && value === own.length;
  const go =
    (first && run) || (counts || (first && own.length > 0) ? () => host.entity(own) : null);
  const body = go ? html`<button class="rowlink" @click=${go}>${content}</button>` : content;
  return first
    ? html`<th scope="row" role="rowheader" class=${side}>${body}</th>`
    : html`<td role="cell" class=${side} data-title=${label}>${body}</td>`;
}

function formatted(
  value: Json | undefined,
  format: string | undefined,
  unit: string | null,
): string | TemplateResult {
  if (value === undefined || value === null || value === "") return notGiven();
  if (typeof value === "number") return numbered(value, format, unit);
  if (format === "date" && typeof value === "string" && !Number.isNaN(Date.parse(value)))
    return calendar(Date.parse(value));
  return drawn(value);
}

function numbered(
  value: number,
  format: string | undefined,
  unit: string | null,
): string | TemplateResult {
  if (format === "integer") return measured(value, unit, integer);
  if (format === "date") return calendar(value);
  if (format !== "percent") return measured(value, unit);
  return html`<span class="bar" aria-hidden="true"
      ><i style="width:${Math.max(0, Math.min(1, value)) * 100}%"></i
    ></span>
    <span class="pct">${percent(value)}</span>`;
}
