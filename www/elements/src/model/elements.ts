/**
 * The table of elements: type, name, storey, one property; search, chips, sort, several selected, colours. UI.md §3.
 */

import type { CellValue, ColumnChoice, ModelRow } from "@holdpoint/core/types";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { styleMap } from "lit/directives/style-map.js";
import { HpElement } from "../base/element.js";
import "../shell/separator.js";
import { decimal, integer } from "../base/format.js";
import { icon } from "../base/icons.js";
import { buttons, forms, ground } from "../base/styles.js";
import { VirtualRows } from "../base/virtual.js";
import { type Language, language, t } from "../text/index.js";
import { styles } from "./elements.styles.js";
import { filters, type Narrowing, searchBar } from "./filters.js";
import { kindIcon } from "./kinds.js";
import {
  type Count,
  counts,
  filtered,
  keys,
  ordered,
  type Ranks,
  ranked,
  type SortKey,
} from "./table.js";

/** Colours that an extension gave: they are data, not tokens. `value` is what a group shares in the shown column. */
export interface Colouring {
  name: string;
  groups: { color: string; value?: CellValue; ids: number[] }[];
}

/** Height of the head and a little air, in px. */
const HEAD = 40;
/** Least height of rows beside the drawing, in px. */
const MIN_HEIGHT = 96;
@customElement("hp-elements")
export class Elements extends HpElement {
  static override styles = [ground, buttons, forms, styles];
  @property({ attribute: false }) rows: ModelRow[] = [];
  /** The same names are no change, whatever list they come in. */
  @property({
    attribute: false,
    hasChanged: (now: string[], before: string[] | undefined) =>
      now.join("\n") !== before?.join("\n"),
  })
  storeys: string[] = [];
  @property({ attribute: false }) columns: ColumnChoice[] = [];
  @property({ attribute: false }) column: { set: string; name: string } | null = null;
  @property({ attribute: false }) values: CellValue[] = [];
  @property({ attribute: false }) selected: number[] = [];
  @property({ attribute: false }) colouring: Colouring | null = null;
  /** Whether rows, the drawing (slot `drawing`) or both stand below the filters. */
  @property() layout: "table" | "model" | "both" = "table";
  /** Height of the rows beside the drawing, in px; null: half of the place. */
  @state() private rowsHeight: number | null = null;
  @state() private search = "";
  @state() private byStorey: ReadonlySet<string | null> = new Set<string | null>();
  @state() private byType: ReadonlySet<string> = new Set<string>();
  @state() private sort: SortKey = "name";
  @state() private down = false;
  @state() private more = false;
  @state() private at = 0;
  @query(".m-scroll") private scroller!: HTMLElement | null;
  private readonly virtual = new VirtualRows(this, () => this.scroller);
  private order: number[] = [];
  /** All rows in their order, before anything is searched. */
  private all: number[] = [];
  /** Whether no filter leaves anything out. */
  private whole = true;
  private keys: CellValue[] = [];
  private ranks: Ranks | null = null;
  private ranking: Promise<Ranks> | null = null;
  private chips: { storeys: Count<string | null>[]; types: Count<string>[] } = {
    storeys: [],
    types: [],
  };
  private picked = new Set<number>();
  private paint = new Map<number, string>();
  private anchor = 0;
  /** What the table itself asked to select: it stands in sight already. */
  private asked: readonly number[] = [];
  private sorted: Language | null = null;

  protected override get state(): string {
    if (this.rows.length === 0) return "empty";
    if (this.all.length === 0) return "sorting";
    if (this.order.length === 0) return "none";
    return this.selected.length ? "selected" : "ready";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("rows") || changed.has("storeys")) {
      this.chips = counts(this.rows, this.storeys);
      if (changed.has("rows")) {
        this.byStorey = new Set();
        this.byType = new Set();
        this.search = "";
        this.at = 0;
      }
    }
    if (
      changed.has("rows") ||
      changed.has("sort") ||
      (changed.has("values") && this.sort === "property") ||
      this.sorted !== language()
    )
      this.#rank(changed.has("rows"));
    if (changed.has("down")) this.#sort();
    if (
      ["rows", "values", "search", "byStorey", "byType", "sort", "down"].some((name) =>
        changed.has(name),
      )
    )
      this.#filter();
    if (changed.has("selected")) this.picked = new Set(this.selected);
    if (changed.has("colouring"))
      this.paint = new Map(
        (this.colouring?.groups ?? []).flatMap((group) =>
          group.ids.map((id) => [id, group.color] as const),
        ),
      );
  }

  override render() {
    if (this.rows.length === 0) return html`<p class="meta none">${t("model.none.open")}</p>`;
    const { columns, column } = this;
    const view = { ...this.#narrowing(), ...this.chips, columns, column };
    return html`<div class="m-table">
      ${searchBar(view, this.#acts)}${filters(view, this.#acts)}${
        this.colouring ? this.#legend(this.colouring) : nothing
      }
      ${this.#middle()} ${this.#status()}
    </div>`;
  }

  #narrowing(): Narrowing {
    const { search, byStorey, byType, sort, more } = this;
    return { search, byStorey, byType, sort, more };
  }

  /** Rows, the drawing, or the rows above it with an edge that moves. */
  #middle() {
    const drawing = html`<slot name="drawing"></slot>`;
    if (this.layout === "table") return this.#grid();
    if (this.layout === "model") return drawing;
    const height = this.rowsHeight ?? Math.round(this.clientHeight / 3);
    return html`<div class="upper" style="height:${height}px">${this.#grid()}</div>
      <hp-separator
        flat
        .pane=${t("view.divider")}
        .width=${height}
        .min=${MIN_HEIGHT}
        .max=${Math.max(MIN_HEIGHT, this.clientHeight - 2 * MIN_HEIGHT)}
        @hp-width=${(event: CustomEvent<{ width: number }>) => {
          event.stopPropagation();
          this.rowsHeight = event.detail.width;
        }}
      ></hp-separator>
      ${drawing}`;
  }

  #grid() {
    const view = this.virtual.window(this.order.length);
    const space = (height: number) =>
      height ? html`<div role="presentation" style="height:${height}px"></div>` : nothing;
    return html`<div
      class="m-scroll scroll"
      role="grid"
      aria-label=${t("model.table")}
      aria-multiselectable="true"
      aria-rowcount=${this.order.length + 1}
      @keydown=${this.#keys}
    >
      <div role="rowgroup" class="head">${this.#heads()}</div>
      <div role="rowgroup">
        ${space(view.above)}
        ${this.order.slice(view.from, view.to).map((i, at) => this.#row(i, view.from + at))}
        ${space(view.below)}
      </div>
      ${this.order.length === 0 ? this.#noRows() : nothing}
    </div>`;
  }

  #heads() {
    const all =
      this.order.length > 0 && this.order.every((i) => this.picked.has(this.rows[i]?.id ?? -1));
    return html`<div role="row" class="row" aria-rowindex="1">
      <div role="columnheader" class="ck">
        <input
          class="check"
          type="checkbox"
          .checked=${all}
          tabindex="-1"
          aria-label=${t("model.select_all", { n: this.order.length })}
          @change=${() => this.#select(all ? [] : this.#ids(this.order))}
        />
      </div>
      ${this.#head("type", "ty", t("model.type"))} ${this.#head("name", "nm", t("model.name"))}
      ${this.#head("storey", "sy", t("model.storey"))}
      ${this.#head("property", "pv", this.column?.name ?? "")}
    </div>`;
  }

  /** Nothing is found, or the rows are still being sorted. */
  #noRows() {
    const found = this.all.length > 0;
    return html`<div role="rowgroup">
      <div role="row">
        <div role="gridcell" class="meta none ${found ? "" : "late"}">
          ${found ? t("model.none") : html`${icon("spin", "s spin")} ${t("model.sorting")}`}
        </div>
      </div>
    </div>`;
  }

  #status() {
    const shown = t("model.shown", { n: this.order.length, of: this.rows.length });
    const n = this.selected.length;
    return html`<div class="statusline">
      <span>${this.all.length === 0 ? nothing : shown}</span>
      ${
        n
          ? html`<span class="sep"></span
              ><span class="strong" role="status">${t("model.selected", { n })}</span
              ><button class="btn quiet s" @click=${() => this.#select([])}>
                ${t("model.clear")}
              </button>`
          : nothing
      }
      <slot name="status"></slot>
      <span class="end quiet hide-n"
        >${t(this.layout === "table" ? "model.keys" : "view.keys")}</span
      >
    </div>`;
  }

  /**
   * Ranks what the rows are sorted by; until that is done the rows stand as before, and rows of another model not at
   * all.
   */
  #rank(fresh: boolean): void {
    this.sorted = language();
    this.keys = keys(this.rows, this.values, this.sort);
    if (fresh) this.all = [];
    const ranks = ranked(this.keys);
    if (!(ranks instanceof Promise)) {
      this.ranking = null;
      this.ranks = ranks;
      this.#sort();
      return;
    }
    this.ranks = null;
    this.ranking = ranks;
    void ranks.then((done) => {
      if (this.ranking !== ranks) return;
      this.ranking = null;
      this.ranks = done;
      this.#sort();
      this.requestUpdate();
    });
  }

  #sort(): void {
    if (!this.ranks) return;
    this.all = ordered(this.keys, this.ranks, this.down);
    this.#filter();
  }

  #filter(): void {
    this.order = filtered(this.rows, this.all, {
      search: this.search,
      storeys: this.byStorey,
      types: this.byType,
    });
    this.at = Math.min(this.at, Math.max(0, this.order.length - 1));
    const all = this.order.length === this.all.length;
    if (all !== this.whole || !all)
      this.emit("hp-shown", { ids: all ? null : this.#ids(this.order) });
    this.whole = all;
  }

  #legend(colouring: Colouring) {
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
      <button class="btn quiet s" @click=${() => this.emit("hp-reset-colours")}>
        ${t("model.reset")}
      </button>
    </div>`;
  }

  #head(key: SortKey, look: string, label: string) {
    const on = this.sort === key;
    const order = this.down ? "descending" : "ascending";
    const flip = () => {
      this.down = on ? !this.down : false;
      this.sort = key;
    };
    return html`<div
      role="columnheader"
      class=${look}
      aria-sort=${on ? order : nothing}
    >
      ${
        label
          ? html`<button class="th" tabindex="-1" @click=${flip}>
              <span class="trunc">${label}</span
              >${on ? icon("up", this.down ? "s turned" : "s") : nothing}
            </button>`
          : nothing
      }
    </div>`;
  }

  #row(i: number, at: number) {
    const row = this.rows[i];
    if (!row) return nothing;
    const color = this.paint.get(row.id);
    const on = this.picked.has(row.id);
    const name = row.name ?? t("model.unnamed", { id: String(row.id) });
    const value = this.values[i] ?? null;
    return html`<div
      role="row"
      data-row
      class="row body ${on ? "sel" : ""} ${color ? "painted" : ""}"
      aria-rowindex=${at + 2}
      aria-selected=${on}
      tabindex=${at === this.at ? 0 : -1}
      style=${color ? styleMap({ "--c": color }) : nothing}
      @click=${(event: MouseEvent) => this.#click(at, event)}
      @contextmenu=${(event: MouseEvent) => this.#context(at, event)}
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
            this.#toggle(at);
          }}
        />
      </div>
      <div role="gridcell" class="ty">
        ${icon(kindIcon(row.type))}<span class="trunc">${row.type}</span>
      </div>
      <div role="rowheader" class="nm">
        <span class="trunc ${row.name === null ? "quiet" : ""}" title=${name}>${name}</span>
      </div>
      <div role="gridcell" class="sy"><span class="trunc">${row.storey ?? nothing}</span></div>
      <div role="gridcell" class="pv">
        ${color ? html`<span class="key"></span>` : nothing}${
          this.column
            ? html`<span class="trunc ${value === null ? "quiet" : ""}">${cell(value)}</span>`
            : nothing
        }
      </div>
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (!changed.has("selected") || this.selected.length === 0) return;
    const mine =
      this.asked.length === this.selected.length && this.asked.every((id) => this.picked.has(id));
    this.asked = [];
    if (!mine) this.#reveal();
  }

  /** Selected elsewhere, as by an extension: the first of it comes into sight where none of it is. */
  #reveal(): void {
    const places = this.order.flatMap((i, at) =>
      this.picked.has(this.rows[i]?.id ?? -1) ? [at] : [],
    );
    const [first] = places;
    if (first === undefined || places.some((at) => this.virtual.shows(at, HEAD))) return;
    this.at = first;
    this.anchor = first;
    this.virtual.bring(first);
  }

  #ids = (order: number[]): number[] => order.map((i) => this.rows[i]?.id ?? -1);

  #select(ids: number[]): void {
    this.asked = ids;
    this.emit("hp-select", { ids });
  }

  #toggle(at: number): void {
    const id = this.rows[this.order[at] ?? -1]?.id;
    if (id === undefined) return;
    this.at = at;
    this.anchor = at;
    this.#select(
      this.picked.has(id) ? this.selected.filter((other) => other !== id) : [...this.selected, id],
    );
  }

  #extend(to: number): void {
    const [low, high] = [Math.min(this.anchor, to), Math.max(this.anchor, to)];
    this.#select(this.#ids(this.order.slice(low, high + 1)));
  }

  #click(at: number, event: MouseEvent): void {
    this.at = at;
    if (event.shiftKey) this.#extend(at);
    else if (event.ctrlKey || event.metaKey) this.#toggle(at);
    else {
      this.anchor = at;
      this.#select(this.#ids([this.order[at] ?? -1]));
    }
  }

  /** What a menu is asked for is selected first, where it is not. */
  #context(at: number, event: MouseEvent): void {
    const id = this.rows[this.order[at] ?? -1]?.id;
    if (id === undefined) return;
    this.at = at;
    if (!this.picked.has(id)) {
      this.anchor = at;
      this.#select([id]);
    }
    this.emit("hp-context", { slot: "contextMenu.entity", event, anchor: event.currentTarget });
  }

  #keys(event: KeyboardEvent): void {
    const last = this.order.length - 1;
    const page = 10;
    const mod = event.ctrlKey || event.metaKey;
    const to = {
      ArrowDown: this.at + 1,
      ArrowUp: this.at - 1,
      PageDown: this.at + page,
      PageUp: this.at - page,
      Home: 0,
      End: last,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.#go(Math.max(0, Math.min(last, to)), event.shiftKey);
      return;
    }
    if (event.key === " ") this.#toggle(this.at);
    else if (event.key === "Enter") this.#select(this.#ids([this.order[this.at] ?? -1]));
    else if (event.key.toLowerCase() === "a" && mod) this.#select(this.#ids(this.order));
    else if (event.key === "Escape" && this.selected.length) this.#select([]);
    else return;
    event.preventDefault();
  }

  #go(at: number, extend: boolean): void {
    this.at = at;
    if (extend) this.#extend(at);
    else this.anchor = at;
    this.virtual.reveal(at, HEAD);
    void this.updateComplete.then(() =>
      this.renderRoot
        .querySelector<HTMLElement>('.body[tabindex="0"]')
        ?.focus({ preventScroll: true }),
    );
  }

  readonly #acts = {
    narrow: (change: Partial<Narrowing>): void => void Object.assign(this, change),
    column: (value: string): void => {
      const [set, name] = value.split("\n");
      this.emit("hp-column", set !== undefined && name !== undefined ? { set, name } : null);
    },
  };
}

export function cell(value: CellValue): string {
  if (value === null || value === "") return t("model.not_given");
  if (typeof value === "boolean") return value ? t("model.yes") : t("model.no");
  return typeof value === "number" ? decimal(value) : value;
}
