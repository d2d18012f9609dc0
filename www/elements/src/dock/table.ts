/**
 * A table of a panel. No column is hidden: where a row has no room for its columns, its values stand one below the
 * other with their titles.
 */
import type { Json } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { calendar, decimal, integer, percent } from "../base/format.js";
import { t } from "../text/index.js";
import { words } from "./binding.js";
import { member, notGiven, plain } from "./cells.js";
import type { Table } from "./nodes.js";
import type { PanelHost } from "./render.js";

/** Rows that a table draws; the checker bounds the widget, not the data. */
const MAX_ROWS = 2_000;

export function table(node: Table, data: Json | undefined, host: PanelHost): TemplateResult {
  const rows = Array.isArray(data) ? data : [];
  if (rows.length === 0)
    return html`<p class="meta w-none">
      ${words(node.emptyText, host.state) || t("dock.empty_table")}
    </p>`;
  const run = node.rowCommand;
  return html`<div
    class="w-table scroll"
    tabindex="0"
    role="group"
    aria-label=${t("app.scrolls", { name: words(node.columns[0]?.title, host.state) })}
  >
    <table class="t ${many(node.columns.length)}" role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${node.columns.map(
            (column) =>
              html`<th
                scope="col"
                role="columnheader"
                class=${look(column.align, column.format)}
                style=${column.width ? `width:${column.width}px` : nothing}
              >
                ${words(column.title, host.state)}
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
                  words(column.title, host.state),
                  i === 0,
                  run ? () => host.command(run, { row }) : null,
                ),
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
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

/** `title` stands beside the value where a row has no room for its columns. */
function cell(
  row: Json,
  { field, format, align }: Table["columns"][number],
  title: string,
  first: boolean,
  run: (() => void) | null,
): TemplateResult {
  const content = formatted(member(row, field), format);
  const side = look(align, format);
  const body =
    run && first ? html`<button class="rowlink" @click=${run}>${content}</button>` : content;
  return first
    ? html`<th scope="row" role="rowheader" class=${side}>${body}</th>`
    : html`<td role="cell" class=${side} data-title=${title}>${body}</td>`;
}

function formatted(value: Json | undefined, format: string | undefined): string | TemplateResult {
  if (value === undefined || value === null || value === "") return notGiven();
  if (typeof value === "number") return numbered(value, format);
  if (format === "date" && typeof value === "string" && !Number.isNaN(Date.parse(value)))
    return calendar(Date.parse(value));
  return plain(value);
}

function numbered(value: number, format: string | undefined): string | TemplateResult {
  if (format === "integer") return integer(value);
  if (format === "date") return calendar(value);
  if (format !== "percent") return decimal(value);
  return html`<span class="bar" aria-hidden="true"
      ><i style="width:${Math.max(0, Math.min(1, value)) * 100}%"></i
    ></span>
    <span class="pct">${percent(value)}</span>`;
}
