/** What the table of elements draws: its head, a row, the legend of colours. Its values and acts are given. */
import type { CellValue, ColumnKey, ModelColumn, ModelRow } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { styleMap } from "lit/directives/style-map.js";
import { integer } from "../base/format.js";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import { cell, columnName, setName, valueOrNone } from "./columns-said.js";
import { kindIcon, numbered } from "./kinds.js";
import type { ModelLine } from "./models.js";
import type { StoreyName } from "./storeys.js";
import type { SortKey } from "./table.js";

/** A column that is shown, one value a row; none while they are read. */
export interface ShownColumn extends ColumnKey, Pick<ModelColumn, "values"> {
  unit?: ModelColumn["unit"];
  numbers?: boolean;
}

/** Colours that an extension gave: they are data, not tokens. `value` is what a group shares in the shown column. */
export interface Colouring {
  name: string;
  groups: { color: string; value?: CellValue; ids: number[] }[];
}

/** Room for so many columns of values; more than one may make the table wider than its place. */
export const columnWidths = (n: number): string =>
  `--values:${n ? `repeat(${n}, minmax(0, 20fr))` : " "};--least:${n > 1 ? 300 + n * 110 : 0}px`;

export interface Heads {
  shown: readonly ShownColumn[];
  sort: SortKey;
  down: boolean;
  /** Rows that are listed, and whether all of them are selected. */
  n: number;
  all: boolean;
}

export interface HeadActs {
  all(): void;
  sort(key: SortKey, down: boolean): void;
}

export function heads(view: Heads, acts: HeadActs): TemplateResult {
  const head = (key: SortKey, look: string, title: string, label: unknown = title) => {
    const on = view.sort === key;
    const order = view.down ? "descending" : "ascending";
    return html`<div role="columnheader" class=${look} aria-sort=${on ? order : nothing}>
      <button
        class="th"
        tabindex="-1"
        title=${title}
        @click=${() => acts.sort(key, on && !view.down)}
      >
        <span class="trunc">${label}</span
        >${on ? icon("up", view.down ? "s turned" : "s") : nothing}
      </button>
    </div>`;
  };
  return html`<div role="row" class="row" aria-rowindex="1">
    <div role="columnheader" class="ck">
      <input
        class="check"
        type="checkbox"
        .checked=${view.all}
        tabindex="-1"
        aria-label=${t("model.select_all", { n: view.n })}
        @change=${acts.all}
      />
    </div>
    ${head("type", "ty", t("model.type"))} ${head("name", "nm", t("model.name"))}
    ${head("storey", "sy", t("model.storey"))}
    ${view.shown.map((one, i) => {
      const set = setName(one);
      const title = [columnName(one), set].filter((part) => part).join(" · ");
      const label = html`${columnName(one)}${set ? html` <span class="quiet">${set}</span>` : nothing}`;
      return head(i, `pv ${one.numbers ? "num" : ""}`, title, label);
    })}
  </div>`;
}

export interface RowView {
  row: ModelRow;
  /** Its place among all rows, and among those listed. */
  i: number;
  at: number;
  color: string | undefined;
  on: boolean;
  focusable: boolean;
  shown: readonly ShownColumn[];
  storey: StoreyName | undefined;
  /** Whose it is, where several models are open. */
  model: ModelLine | undefined;
}

export interface RowActs {
  click(at: number, event: MouseEvent): void;
  context(at: number, event: MouseEvent): void;
  toggle(at: number): void;
}

export function tableRow(view: RowView, acts: RowActs): TemplateResult {
  const { row, at, on, color, storey } = view;
  const name = row.name ?? numbered(row.id);
  const place = storey
    ? html`<span class=${storey.building ? "strong" : ""}>${storey.short}</span>${
        // What does not fit is cut off behind what tells storeys apart.
        storey.building ? ` · ${storey.building}` : nothing
      }`
    : (row.storey ?? nothing);
  return html`<div
    role="row"
    data-row
    class="row body ${on ? "sel" : ""} ${color ? "painted" : ""}"
    aria-rowindex=${at + 2}
    aria-selected=${on}
    tabindex=${view.focusable ? 0 : -1}
    style=${color ? styleMap({ "--c": color }) : nothing}
    @click=${(event: MouseEvent) => acts.click(at, event)}
    @contextmenu=${(event: MouseEvent) => acts.context(at, event)}
  >
    <div role="gridcell" class="ck">
      <input
        class="check"
        type="checkbox"
        tabindex="-1"
        .checked=${on}
        aria-label=${t("model.select", { name })}
        @click=${(event: Event) => {
          event.stopPropagation();
          acts.toggle(at);
        }}
      />
    </div>
    <div role="gridcell" class="ty">
      ${view.model ? modelKey(view.model) : nothing}${icon(kindIcon(row.type))}<span class="trunc"
        >${row.type}</span
      >
    </div>
    <div role="rowheader" class="nm">
      <span class="trunc ${row.name === null ? "quiet" : ""}" title=${name}>${name}</span>
    </div>
    <div role="gridcell" class="sy"><span class="trunc">${place}</span></div>
    ${view.shown.map((one, place) => valueCell(view, one, place))}
  </div>`;
}

const modelKey = ({ name, color }: ModelLine) =>
  html`<span
    class="key"
    role="img"
    aria-label=${name}
    title=${name}
    style=${styleMap({ "--c": color })}
  ></span>`;

/** A value with its unit; the colour of the row stands beside the first. */
function valueCell({ i, color }: RowView, column: ShownColumn, place: number) {
  const value = column.values[i] ?? null;
  const number = typeof value === "number";
  const unit = number && column.unit ? ` ${column.unit}` : "";
  // Until the values are read, nothing is said of them.
  const text = column.values.length ? valueOrNone(value) : "";
  return html`<div role="gridcell" class="pv ${column.numbers ? "num" : ""}">
    ${color && place === 0 ? html`<span class="key"></span>` : nothing}<span
      class="trunc ${value === null ? "quiet" : ""}"
      title=${number ? nothing : text}
      >${text}${unit ? html`<span class="quiet">${unit}</span>` : nothing}</span
    >
  </div>`;
}

/** Rows of a page of the table. */
const PAGE = 10;

/** The row that a key leads to; undefined: it leads to none. */
export const stepped = (key: string, at: number, last: number): number | undefined =>
  ({
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE,
    PageUp: at - PAGE,
    Home: 0,
    End: last,
  })[key];

export function legend(colouring: Colouring, reset: () => void): TemplateResult {
  return html`<div class="legend" role="group" aria-label=${t("model.colours")}>
    <span class="meta strong">${t("model.coloured", { name: colouring.name })}</span>
    <ul>
      ${colouring.groups.map(
        (group) =>
          html`<li>
            <span class="key" style=${styleMap({ "--c": group.color })}></span
            ><span>${group.value === undefined ? t("model.differ") : cell(group.value)}</span>
            <span class="n">${integer(group.ids.length)}</span>
          </li>`,
      )}
    </ul>
    <button class="btn quiet s" @click=${reset}>${t("model.reset")}</button>
  </div>`;
}
