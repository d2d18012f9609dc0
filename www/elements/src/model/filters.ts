/** What narrows the table of elements beside the search: storeys and types; chips where there is room, else lists. */

import type { FilterSet, ModelQuery } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { integer } from "../base/format.js";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import { columnName } from "./columns-said.js";
import { kindName } from "./kinds.js";
import { byBuilding, type Storey, type StoreyName, whole } from "./storeys.js";
import type { Count, SortKey, StoreyKey } from "./table.js";

/** Chips before "n more". */
const CHIPS = 6;
const sorts = ["name", "type", "storey"] as const;

/** What a person chose; empty sets leave everything. */
export interface Narrowing {
  byStorey: ReadonlySet<StoreyKey>;
  byType: ReadonlySet<string>;
  sort: SortKey;
  /** Whether all types have a chip. */
  more: boolean;
}

/** What there is to choose from. */
export interface Choices {
  storeys: Count<StoreyKey>[];
  types: Count<string>[];
  /** How many rows each would show now. */
  live: { byStorey: ReadonlyMap<StoreyKey, number>; byType: ReadonlyMap<string, number> };
  names: ReadonlyMap<StoreyKey, StoreyName>;
  all: readonly Storey[];
  columns: readonly { set: string; name: string }[];
}

export interface Acts {
  narrow(change: Partial<Narrowing>): void;
}

type Filters = Narrowing & Choices;

export function filters(view: Filters, acts: Acts): TemplateResult {
  return html`<div class="et-wide">
      ${view.storeys.length > 1 ? storeyLines(view, acts) : nothing} ${typeChips(view, acts)}
    </div>
    <div class="et-thin">
      ${storeyList(view, acts)} ${typeList(view, acts)} ${sortList(view, acts)}
    </div>`;
}

/** One line, or one for each building where names repeat. */
function storeyLines(view: Filters, acts: Acts) {
  if (!byBuilding(view.names)) return storeyChips(view, acts, t("model.storey"), view.storeys);
  const buildings = [...new Set(view.all.map((one) => one.building))];
  const of = new Map(view.all.map((one) => [one.key, one.building]));
  const line = (name: string, building: string | undefined) => {
    const own = view.storeys.filter(({ value }) => of.get(value) === building);
    return own.length ? storeyChips(view, acts, name, own) : nothing;
  };
  return html`${buildings.map((one) => line(one || t("model.storey"), one))}
  ${line(t("model.storey.none"), undefined)}`;
}

function storeyChips(
  { byStorey, names, live }: Filters,
  acts: Acts,
  label: string,
  storeys: Count<StoreyKey>[],
) {
  const one = ({ value }: Count<StoreyKey>) =>
    chip(
      names.get(value)?.short ?? storeyName(value, names),
      live.byStorey.get(value) ?? 0,
      byStorey.has(value),
      () => acts.narrow({ byStorey: flipped(byStorey, value) }),
    );
  return html`<div class="chips" role="group" aria-label=${label}>
    <span class="meta" aria-hidden="true">${label}</span>${storeys.map(one)}
  </div>`;
}

function typeChips({ types, byType, more, live }: Filters, acts: Acts) {
  const one = ({ value }: Count<string>) =>
    chip(kindName(value), live.byType.get(value) ?? 0, byType.has(value), () =>
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
    ${on ? icon("check", "s") : nothing}<span>${label}</span> <span class="n">${integer(n)}</span>
  </button>`;
}

function storeyList({ storeys, byStorey, names, live }: Filters, acts: Acts) {
  const choose = (event: Event) => {
    const i = Number(written(event));
    acts.narrow({ byStorey: i < 0 ? new Set() : new Set([storeys[i]?.value ?? null]) });
  };
  return html`<select
    class="select ${byStorey.size ? "on" : ""}"
    aria-label=${t("model.storey")}
    @change=${choose}
  >
    <option value="-1" ?selected=${byStorey.size === 0}>${t("model.all_storeys")}</option>
    ${storeys.map(
      (one, i) =>
        html`<option value=${i} ?selected=${byStorey.has(one.value)}>
          ${storeyName(one.value, names)} (${integer(live.byStorey.get(one.value) ?? 0)})
        </option>`,
    )}
  </select>`;
}

function typeList({ types, byType, live }: Filters, acts: Acts) {
  const choose = (event: Event) => {
    const value = written(event);
    acts.narrow({ byType: new Set(value ? [value] : []) });
  };
  return html`<select
    class="select ${byType.size ? "on" : ""}"
    aria-label=${t("model.type")}
    @change=${choose}
  >
    <option value="" ?selected=${byType.size === 0}>${t("model.all_types")}</option>
    ${types.map(
      (one) =>
        html`<option value=${one.value} ?selected=${byType.has(one.value)}>
          ${kindName(one.value)} (${integer(live.byType.get(one.value) ?? 0)})
        </option>`,
    )}
  </select>`;
}

function sortList({ sort, columns }: Filters, acts: Acts) {
  const values: SortKey[] = [...sorts, ...columns.keys()];
  const name = (key: SortKey): string => {
    if (typeof key !== "number") return t(`model.sort.${key}`);
    const column = columns[key];
    return t("model.sort.by", { column: column ? columnName(column) : "–" });
  };
  return html`<select
    class="select"
    aria-label=${t("model.sort")}
    @change=${(event: Event) => acts.narrow({ sort: values[Number(written(event))] ?? "name" })}
  >
    ${values.map(
      (key, i) => html`<option value=${i} ?selected=${key === sort}>${name(key)}</option>`,
    )}
  </select>`;
}

/** What narrows, as it is kept: storeys by name, for in another file they have other numbers. */
export function filterSet(
  query: ModelQuery,
  { byStorey, byType, columns }: Pick<Filters, "byStorey" | "byType" | "columns">,
  storeys: readonly Storey[],
): FilterSet {
  const named = storeys.filter(({ key }) => byStorey.has(key)).map(({ name }) => name);
  return {
    ...{ text: query.text.trim(), filters: query.filters, types: [...byType].sort() },
    storeys: [...new Set(byStorey.has(null) ? [...named, null] : named)],
    columns: columns.map(({ set, name }) => ({ set, name })),
  };
}

/** All storeys that have one of the names. */
export const storeysCalled = (
  storeys: readonly Storey[],
  names: FilterSet["storeys"],
): ReadonlySet<StoreyKey> =>
  new Set([
    ...storeys.filter(({ name }) => names.includes(name)).map(({ key }) => key),
    ...(names.includes(null) ? [null] : []),
  ]);

export function storeyName(value: StoreyKey, names: ReadonlyMap<StoreyKey, StoreyName>): string {
  const name = names.get(value);
  if (name) return whole(name);
  return value === null ? t("model.storey.none") : String(value);
}

const written = (event: Event): string =>
  (event.target as HTMLInputElement | HTMLSelectElement).value;

function flipped<T>(all: ReadonlySet<T>, one: T): ReadonlySet<T> {
  const next = new Set(all);
  if (!next.delete(one)) next.add(one);
  return next;
}
