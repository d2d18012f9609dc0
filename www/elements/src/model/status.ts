/** The lines above and below the table of elements, and what stands in the place of its rows. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";

export interface Status {
  listed: number;
  of: number;
  sorting: boolean;
  /** An answer to the search is on its way. */
  waits: boolean;
  /** Whether any filter is set. */
  narrows: boolean;
  selected: number;
  keys: string;
}

export interface StatusActs {
  clear(): void;
  /** What narrows is to be named and kept. */
  save(): void;
  deselect(): void;
}

export function statusLine(status: Status, acts: StatusActs): TemplateResult {
  const { listed, of, selected } = status;
  const clear = html`<button
    class="btn quiet s"
    data-testid="hp-clear-filters"
    @click=${acts.clear}
  >
    ${t("model.clear_filters")}</button
  ><button class="btn quiet s" data-testid="hp-save-filter" @click=${acts.save}>
    ${t("saved.save")}
  </button>`;
  const chosen = html`<span class="sep"></span
    ><span class="strong" role="status">${t("model.selected", { n: selected })}</span
    ><button class="btn quiet s" @click=${acts.deselect}>${t("model.clear")}</button>`;
  return html`<div class="statusline">
    <span>${status.sorting ? nothing : t("model.shown", { n: listed, of })}</span>
    ${
      status.waits
        ? html`<span class="meta late">${icon("spin", "s spin")} ${t("find.reading")}</span>`
        : nothing
    }
    ${status.narrows ? clear : nothing} ${selected ? chosen : nothing}
    <slot name="status"></slot>
    <span class="end quiet hide-n">${status.keys}</span>
  </div>`;
}

/** Nothing is found, or the rows are still being sorted. */
export function noRows(found: boolean, clear: () => void): TemplateResult {
  const words = found
    ? html`${t("model.none")} <button class="link" @click=${clear}>${t("model.clear_filters")}</button>`
    : html`${icon("spin", "s spin")} ${t("model.sorting")}`;
  return html`<div role="rowgroup">
    <div role="row">
      <div role="gridcell" class="meta none ${found ? "" : "late"}">${words}</div>
    </div>
  </div>`;
}

/** The search, the columns, the file. */
export function bar(
  field: TemplateResult,
  columns: number,
  choosing: boolean,
  acts: { choose(): void; save(anchor: HTMLElement): void },
): TemplateResult {
  return html`<div class="et-bar">
    ${field}
    <button
      class="btn s"
      aria-expanded=${choosing}
      data-testid="hp-columns-open"
      @click=${acts.choose}
    >
      ${icon("rows", "s")}<span class="wide">${t("columns.title")}</span
      ><span class="vh only-thin">${t("columns.title")}</span><span class="quiet">${columns}</span>
    </button>
    <button
      class="btn s"
      aria-haspopup="menu"
      aria-label=${t("export.table")}
      data-testid="hp-export"
      @click=${(event: Event) => acts.save(event.currentTarget as HTMLElement)}
    >
      ${icon("down", "s")}<span class="wide">${t("export.short")}</span>
    </button>
  </div>`;
}
