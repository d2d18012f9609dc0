/**
 * What narrows the table of elements: search, storeys, types, the shown column; chips where there is room, else lists.
 */

import type { ColumnChoice } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import { kindName } from "./kinds.js";
import type { Count, SortKey } from "./table.js";

/** Chips before "n more". */
const CHIPS = 6;
const sorts: readonly SortKey[] = ["name", "type", "storey", "property"];

/** What a person chose; empty sets leave everything. */
export interface Narrowing {
  search: string;
  byStorey: ReadonlySet<string | null>;
  byType: ReadonlySet<string>;
  sort: SortKey;
  /** Whether all types have a chip. */
  more: boolean;
}

/** What there is to choose from. */
export interface Choices {
  storeys: Count<string | null>[];
  types: Count<string>[];
  columns: ColumnChoice[];
  column: { set: string; name: string } | null;
}

export interface Acts {
  narrow(change: Partial<Narrowing>): void;
  /** A column by its set and name in lines of their own; empty for none. */
  column(value: string): void;
}

type Filters = Narrowing & Choices;

export function searchBar(view: Filters, acts: Acts): TemplateResult {
  return html`<div class="et-bar">
    <div class="box">
      ${icon("search", "s")}<input
        class="input"
        type="search"
        aria-label=${t("model.search")}
        placeholder=${t("model.search")}
        .value=${view.search}
        @input=${(event: Event) => acts.narrow({ search: written(event) })}
      />
    </div>
    <label class="meta nowrap wide" for="col">${t("model.column")}</label
    ><select class="select wide" id="col" @change=${(event: Event) => acts.column(written(event))}>
      ${columns(view)}
    </select>
  </div>`;
}

export function filters(view: Filters, acts: Acts): TemplateResult {
  return html`<div class="et-wide">
      ${view.storeys.length > 1 ? storeyChips(view, acts) : nothing} ${typeChips(view, acts)}
    </div>
    <div class="et-thin">
      ${storeyList(view, acts)} ${typeList(view, acts)}
      <select
        class="select"
        aria-label=${t("model.column")}
        @change=${(event: Event) => acts.column(written(event))}
      >
        ${columns(view)}
      </select>
      ${sortList(view, acts)}
    </div>`;
}

function columns({ columns, column }: Choices) {
  const chosen = column ? `${column.set}\n${column.name}` : "";
  return html`<option value="" ?selected=${chosen === ""}>${t("model.column.none")}</option>
    ${columns.map((one) => {
      const value = `${one.set}\n${one.name}`;
      return html`<option value=${value} ?selected=${value === chosen}>
        ${one.name} · ${one.set}
      </option>`;
    })}`;
}

function storeyChips({ storeys, byStorey }: Filters, acts: Acts) {
  const one = ({ value, n }: Count<string | null>) =>
    chip(storeyName(value), n, byStorey.has(value), () =>
      acts.narrow({ byStorey: flipped(byStorey, value) }),
    );
  return html`<div class="chips" role="group" aria-label=${t("model.storey")}>
    <span class="meta" aria-hidden="true">${t("model.storey")}</span>${storeys.map(one)}
  </div>`;
}

function typeChips({ types, byType, more }: Filters, acts: Acts) {
  const one = ({ value, n }: Count<string>) =>
    chip(kindName(value), n, byType.has(value), () =>
      acts.narrow({ byType: flipped(byType, value) }),
    );
  const shown = more ? types : types.slice(0, CHIPS);
  const rest = html`<button
    class="chip"
    aria-expanded=${more}
    @click=${() => acts.narrow({ more: !more })}
  >
    ${more ? t("model.less") : t("model.more", { n: types.length - CHIPS })}
  </button>`;
  return html`<div class="chips" role="group" aria-label=${t("model.type")}>
    <span class="meta" aria-hidden="true">${t("model.type")}</span>${shown.map(one)}
    ${types.length > CHIPS ? rest : nothing}
  </div>`;
}

function chip(label: string, n: number, on: boolean, flip: () => void) {
  return html`<button class="chip" aria-pressed=${on} @click=${flip}>
    ${on ? icon("check", "s") : nothing}<span>${label}</span> <span class="n">${n}</span>
  </button>`;
}

function storeyList({ storeys, byStorey }: Filters, acts: Acts) {
  const choose = (event: Event) => {
    const i = Number(written(event));
    acts.narrow({ byStorey: i < 0 ? new Set() : new Set([storeys[i]?.value ?? null]) });
  };
  return html`<select
    class="select ${byStorey.size ? "on" : ""}"
    aria-label=${t("model.storey")}
    @change=${choose}
  >
    <option value="-1">${t("model.all_storeys")}</option>
    ${storeys.map(
      (one, i) =>
        html`<option value=${i} ?selected=${byStorey.has(one.value)}>
          ${storeyName(one.value)} (${one.n})
        </option>`,
    )}
  </select>`;
}

function typeList({ types, byType }: Filters, acts: Acts) {
  const choose = (event: Event) => {
    const value = written(event);
    acts.narrow({ byType: new Set(value ? [value] : []) });
  };
  return html`<select
    class="select ${byType.size ? "on" : ""}"
    aria-label=${t("model.type")}
    @change=${choose}
  >
    <option value="">${t("model.all_types")}</option>
    ${types.map(
      (one) =>
        html`<option value=${one.value} ?selected=${byType.has(one.value)}>
          ${kindName(one.value)} (${one.n})
        </option>`,
    )}
  </select>`;
}

function sortList({ sort, column }: Filters, acts: Acts) {
  const name = (key: SortKey): string =>
    key === "property"
      ? t("model.sort.by", { column: column?.name ?? "–" })
      : t(`model.sort.${key}`);
  return html`<select
    class="select"
    aria-label=${t("model.sort")}
    @change=${(event: Event) => acts.narrow({ sort: written(event) as SortKey })}
  >
    ${sorts.map(
      (key) => html`<option value=${key} ?selected=${key === sort}>${name(key)}</option>`,
    )}
  </select>`;
}

const storeyName = (value: string | null): string => value ?? t("model.storey.none");

const written = (event: Event): string =>
  (event.target as HTMLInputElement | HTMLSelectElement).value;

function flipped<T>(all: ReadonlySet<T>, one: T): ReadonlySet<T> {
  const next = new Set(all);
  if (!next.delete(one)) next.add(one);
  return next;
}
