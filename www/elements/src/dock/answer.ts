/** The result of a command that nobody draws: text, or a table where it is rows (ifc-sdk.md §1). */

import type { Json } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { t } from "../text/index.js";
import { shown } from "./binding.js";
import { draw, type PanelHost } from "./render.js";

/** Columns of a table, and characters of a text, that are shown. */
const MAX_COLUMNS = 12;
const MAX_CHARS = 4_000;

export function shownAnswer(value: Json, name: string): TemplateResult {
  const rows = rowsOf(value);
  if (rows) {
    const said = inside(value).text;
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
    return html`${typeof said === "string" ? html`<p>${said}</p>` : nothing}${draw(
      {
        type: "Table",
        data: "$",
        columns: names.map((one) => ({ title: one.startsWith("$") ? `$${one}` : one, field: one })),
      },
      still(rows.map(named)),
    )}`;
  }
  const text = typeof value === "object" ? JSON.stringify(value, null, 2) : shown(value);
  return html`<div
    class="scroll"
    tabindex="0"
    role="group"
    aria-label=${t("app.scrolls", { name })}
  >
    <pre>${text.slice(0, MAX_CHARS)}</pre>
  </div>`;
}

/** The members of an object; none of anything else. */
const inside = (value: Json | undefined): { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

/** A row whose elements stand there by their names. */
function named(row: Record<string, Json>): Record<string, Json> {
  const shows = (value: Json): Json => {
    const { ref, name } = inside(value);
    return ref === undefined ? value : (name ?? `#${inside(ref).expressId}`);
  };
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, shows(value)]));
}

/** A list of objects, or an object with such a list `rows`. */
export function rowsOf(value: Json): Record<string, Json>[] | null {
  const list = inside(value).rows ?? value;
  const rows = Array.isArray(list)
    ? list.filter(
        (row): row is Record<string, Json> =>
          row !== null && typeof row === "object" && !Array.isArray(row),
      )
    : [];
  return rows.length && Array.isArray(list) && rows.length === list.length ? rows : null;
}

/** A host for what only stands there. */
const still = (state: Json): PanelHost => ({
  state,
  busy: false,
  tab: () => undefined,
  setTab: () => undefined,
  command: () => undefined,
  entity: () => undefined,
  save: null,
  write: () => undefined,
  selection: () => [],
});
