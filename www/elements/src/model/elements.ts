/**
 * The table of elements: type, name, storey, and columns of values; search, filters, chips with counts, sort, several
 * selected, colours. UI.md §3, §11.
 */

import type {
  ColumnChoice,
  FilterSet,
  Found,
  ModelQuery,
  ModelRow,
  SavedFilter,
  ValueFilter,
} from "@holdpoint/core/types";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import "../shell/separator.js";
import type { ExportAsk, ExportTable } from "../base/export-table.js";
import { buttons, forms, ground } from "../base/styles.js";
import { VirtualRows } from "../base/virtual.js";
import { t } from "../text/index.js";
import "./columns.js";
import { chips, styles } from "./elements.styles.js";
import { exported } from "./exported.js";
import { filterSet, filters, type Narrowing, storeysCalled } from "./filters.js";
import "./find.js";
import type { Find } from "./find.js";
import {
  type Colouring,
  columnWidths,
  heads,
  legend,
  type ShownColumn,
  stepped,
  tableRow,
} from "./grid.js";
import { type ModelLine, modelOf } from "./models.js";
import "./saved.js";
import { Sorting } from "./sorting.js";
import { bar, noRows, statusLine } from "./status.js";
import { type Storey, type StoreyName, storeyNames } from "./storeys.js";
import {
  type Count,
  counts,
  filtered,
  live,
  type Marks,
  type SortKey,
  type StoreyKey,
  storeyOf,
} from "./table.js";

export { cell } from "./columns-said.js";
export type { Colouring, ShownColumn } from "./grid.js";

const NOTHING: ModelQuery = { text: "", filters: [] };
/** Height of the head and a little air, in px. */
const HEAD = 40;
/** Least height of rows beside the drawing, in px. */
const MIN_HEIGHT = 96;
@customElement("hp-elements")
export class Elements extends HpElement {
  static override styles = [ground, buttons, forms, chips, styles];
  @property({ attribute: false }) rows: ModelRow[] = [];
  @property({ attribute: false }) storeys: Storey[] = [];
  /** The open models: of several each row says which one it is of. */
  @property({ attribute: false }) models: ModelLine[] = [];
  /** Columns that can be shown; null until every value is read. */
  @property({ attribute: false }) choices: ColumnChoice[] | null = null;
  @property({ attribute: false }) shown: ShownColumn[] = [];
  /** What is searched for: the table changes it, and its host may. */
  @property({ attribute: false }) query: ModelQuery = NOTHING;
  /** The answer to the last search. */
  @property({ attribute: false }) found: Found | null = null;
  /** Whether the chooser of columns stands beside the table. */
  @property({ type: Boolean }) choosing = false;
  /** Filters that a person named. */
  @property({ attribute: false }) saved: SavedFilter[] = [];
  @property({ attribute: false }) selected: number[] = [];
  @property({ attribute: false }) colouring: Colouring | null = null;
  /** Whether rows, the drawing (slot `drawing`) or both stand below the filters. */
  @property() layout: "table" | "model" | "both" = "table";
  /** Height of the rows beside the drawing, in px; null: a third of the place. */
  @state() private rowsHeight: number | null = null;
  @state() private byStorey: ReadonlySet<StoreyKey> = new Set<StoreyKey>();
  @state() private byType: ReadonlySet<string> = new Set<string>();
  @state() private sort: SortKey = "name";
  @state() private down = false;
  @state() private more = false;
  @state() private at = 0;
  @query(".m-scroll") private scroller!: HTMLElement | null;
  @query("hp-find") private field!: Find | null;
  private readonly virtual = new VirtualRows(this, () => this.scroller);
  private order: number[] = [];
  /** Whether no filter leaves anything out. */
  private whole = true;
  private readonly sorting = new Sorting(() => {
    this.sorting.turn(this.down);
    this.#filter();
    this.requestUpdate();
  });
  private chips: { storeys: Count<StoreyKey>[]; types: Count<string>[] } = {
    storeys: [],
    types: [],
  };
  private names: ReadonlyMap<StoreyKey, StoreyName> = new Map();
  /** What filters over values leave, until another answer comes. */
  private fits: Marks = null;
  private live: ReturnType<typeof live> = { byStorey: new Map(), byType: new Map() };
  private picked = new Set<number>();
  private paint = new Map<number, string>();
  private anchor = 0;
  /** What the table itself asked to select: it stands in sight already. */
  private asked: readonly number[] = [];

  protected override get state(): string {
    if (this.rows.length === 0) return "empty";
    if (this.sorting.all.length === 0) return "sorting";
    if (this.order.length === 0) return "none";
    return this.selected.length ? "selected" : "ready";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("rows") || changed.has("storeys")) {
      this.chips = counts(this.rows, this.storeys);
      this.names = storeyNames(this.storeys);
    }
    if (changed.has("rows")) {
      this.#keepChips((changed.get("models") ?? this.models) as ModelLine[]);
      this.fits = null;
      this.at = 0;
    }
    if (typeof this.sort === "number" && this.sort >= this.shown.length) this.sort = "name";
    const ranks =
      changed.has("rows") ||
      changed.has("sort") ||
      (changed.has("shown") && typeof this.sort === "number") ||
      this.sorting.isForeign;
    if (ranks)
      this.sorting.rank(this.rows, this.shown, {
        ...{ sort: this.sort, down: this.down, fresh: changed.has("rows") },
      });
    else if (changed.has("down")) this.sorting.turn(this.down);
    if (
      ranks ||
      ["rows", "query", "found", "byStorey", "byType", "sort", "down"].some((name) =>
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

  /** Another file begins without chips; models that come and go beside others leave those that still are there. */
  #keepChips(before: readonly ModelLine[]): void {
    const stays = before.some(({ id }) => this.models.some((one) => one.id === id));
    const several = stays && Math.max(before.length, this.models.length) > 1;
    const left = <T>(chosen: ReadonlySet<T>, there: Count<T>[]): ReadonlySet<T> =>
      new Set(several ? there.map(({ value }) => value).filter((one) => chosen.has(one)) : []);
    this.byStorey = left(this.byStorey, this.chips.storeys);
    this.byType = left(this.byType, this.chips.types);
  }

  override render() {
    if (this.rows.length === 0) {
      const on = this.models.some((one) => one.on);
      const why = on ? "model.none.elements" : "models.none";
      return html`<p class="meta none">${t(this.models.length ? why : "model.none.open")}</p>`;
    }
    const { byStorey, byType, sort, more, live, names, storeys: all, shown: columns } = this;
    const view = { ...this.chips, ...{ byStorey, byType, sort, more, live, names, all, columns } };
    return html`<div class="m-table">
        ${this.#bar()}<hp-saved
          .saved=${this.saved}
          .now=${this.#narrows() ? filterSet(this.query, view, this.storeys) : null}
          @hp-use-filter=${(event: CustomEvent<FilterSet>) => this.useFilter(event.detail)}
        ></hp-saved>${filters(view, this.#acts)}${
          this.colouring ? legend(this.colouring, () => this.emit("hp-reset-colours")) : nothing
        }
        ${this.#middle()} ${this.#status()}
      </div>
      ${
        this.choosing
          ? html`<hp-columns
              .choices=${this.choices}
              .chosen=${this.shown}
              .of=${this.rows.length}
            ></hp-columns>`
          : nothing
      }`;
  }

  #bar() {
    const { query, found, rows, shown, choosing } = this;
    const field = html`<hp-find
      .text=${query.text}
      .filters=${query.filters}
      .found=${found}
      .of=${rows.length}
      @hp-narrow=${this.#narrowed}
    ></hp-find>`;
    return bar(field, shown.length, choosing, {
      choose: () => this.emit("hp-choosing", { open: !choosing }),
      save: (anchor) => this.emit<ExportAsk>("hp-export", { anchor, table: () => this.table() }),
    });
  }

  /** Words narrow at once by what stands in the rows; a host looks at every value. */
  readonly #narrowed = (event: CustomEvent<ModelQuery>): void => {
    event.stopPropagation();
    this.#search(event.detail);
  };

  #search(query: ModelQuery): void {
    this.query = query;
    this.emit("hp-find", { query });
  }

  /** Takes every filter away. */
  clearFilters(): void {
    this.byStorey = new Set();
    this.byType = new Set();
    this.#search(NOTHING);
  }

  /** Shows only what stands on a storey, as when it was clicked in the tree; a storey without elements shows all. */
  showStorey(key: StoreyKey): void {
    if (this.chips.storeys.some(({ value }) => value === key)) this.byStorey = new Set([key]);
  }

  /** Narrows as a filter says that was kept. */
  useFilter(filter: FilterSet): void {
    this.byStorey = storeysCalled(this.storeys, filter.storeys);
    this.byType = new Set(filter.types);
    this.#search({ text: filter.text, filters: filter.filters });
    this.emit("hp-columns", { columns: filter.columns });
  }

  /** Where a filter gets its name. */
  saveFilter(): void {
    this.renderRoot.querySelector("hp-saved")?.begin();
  }

  /** Adds a filter, as the search does. */
  addFilter(filter: ValueFilter): void {
    this.#search({ ...this.query, filters: [...this.query.filters, filter] });
  }

  /** Where the search is written. */
  focusSearch(): void {
    this.field?.focus();
  }

  /** What is listed, as a file holds it. */
  table(): ExportTable {
    const { rows, order, shown, names, models } = this;
    return exported({ rows, order, shown, names, models });
  }

  /** Rows, the drawing, or the rows above it with an edge that moves. */
  #middle() {
    const drawing = html`<slot name="drawing"></slot>`;
    if (this.layout === "table") return this.#grid();
    if (this.layout === "model") return drawing;
    const most = Math.max(MIN_HEIGHT, this.clientHeight - 2 * MIN_HEIGHT);
    const height = Math.min(most, this.rowsHeight ?? Math.round(this.clientHeight / 3));
    // While the table is hidden it has no height to take a share of.
    const own = this.rowsHeight === null ? nothing : `height:${this.rowsHeight}px`;
    return html`<div class="upper" style=${own}>${this.#grid()}</div>
      <hp-separator
        flat
        .pane=${t("view.divider")}
        .width=${height}
        .min=${MIN_HEIGHT}
        .max=${most}
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
    const all =
      this.order.length > 0 && this.order.every((i) => this.picked.has(this.rows[i]?.id ?? -1));
    const { shown, sort, down } = this;
    const n = shown.length;
    return html`<div
      class="m-scroll scroll"
      style=${columnWidths(n)}
      role="grid"
      aria-label=${t("model.table")}
      aria-multiselectable="true"
      aria-rowcount=${this.order.length + 1}
      @keydown=${this.#keys}
    >
      <div role="rowgroup" class="head">
        ${heads(
          { shown, sort, down, n: this.order.length, all },
          {
            all: () => this.#select(all ? [] : this.#ids(this.order)),
            sort: (key, down) => {
              this.sort = key;
              this.down = down;
            },
          },
        )}
      </div>
      <div role="rowgroup">
        ${space(view.above)}
        ${this.order.slice(view.from, view.to).map((i, at) => this.#row(i, view.from + at))}
        ${space(view.below)}
      </div>
      ${this.order.length === 0 ? noRows(this.sorting.all.length > 0, () => this.clearFilters()) : nothing}
    </div>`;
  }

  #row(i: number, at: number) {
    const row = this.rows[i];
    if (!row) return nothing;
    const { shown } = this;
    return tableRow(
      {
        ...{ row, i, at, shown },
        color: this.paint.get(row.id),
        on: this.picked.has(row.id),
        focusable: at === this.at,
        storey: this.names.get(storeyOf(row)),
        model: this.models.length > 1 ? modelOf(this.models, row.id) : undefined,
      },
      this.#rowActs,
    );
  }

  readonly #rowActs = {
    click: (at: number, event: MouseEvent) => this.#click(at, event),
    context: (at: number, event: MouseEvent) => this.#context(at, event),
    toggle: (at: number) => this.#toggle(at),
  };

  #status() {
    return statusLine(
      {
        listed: this.order.length,
        of: this.rows.length,
        sorting: this.sorting.all.length === 0,
        waits: this.#waits(),
        narrows: this.#narrows(),
        selected: this.selected.length,
        keys: t(this.layout === "table" ? "model.keys" : "view.keys"),
      },
      {
        clear: () => this.clearFilters(),
        save: () => this.saveFilter(),
        deselect: () => this.#select([]),
      },
    );
  }

  #narrows(): boolean {
    const { text, filters } = this.query;
    return text !== "" || filters.length + this.byStorey.size + this.byType.size > 0;
  }

  /** Every value is still to be looked at. */
  #waits(): boolean {
    const { text, filters } = this.query;
    return (text.trim() !== "" || filters.length > 0) && this.found?.query !== this.query;
  }

  #filter(): void {
    const { found } = this;
    const { text: search, filters } = this.query;
    if (filters.length === 0) this.fits = null;
    else if (found && found.query.filters === filters) this.fits = found.fits;
    const query = {
      ...{ search, storeys: this.byStorey, types: this.byType, fits: this.fits },
      texts: found && found.query.text === search ? found.texts : null,
    };
    this.order = filtered(this.rows, this.sorting.all, query);
    this.live = live(this.rows, query);
    this.at = Math.min(this.at, Math.max(0, this.order.length - 1));
    const all = this.order.length === this.sorting.all.length;
    if (all !== this.whole || !all)
      this.emit("hp-shown", { ids: all ? null : this.#ids(this.order) });
    this.whole = all;
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
    const mod = event.ctrlKey || event.metaKey;
    const to = stepped(event.key, this.at, last);
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
  };
}
