/** The chooser of columns, beside the table: searched, most filled first, several at once. UI.md §11. */
import { ANY_SET, type ColumnChoice, type ColumnKey } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { listed } from "../base/format.js";
import { icon } from "../base/icons.js";
import { breakable } from "../base/split.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { columnName, isColumn, setName } from "./columns-said.js";

/** Lines that are drawn; a search leads to the others. */
const MOST = 200;
/** Sets that are named of a column of any set. */
const SETS = 2;

const own = css`
  :host { display: flex; flex-direction: column; min-height: 0; background: var(--surface); }
  .p-head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding: var(--s-2) var(--s-4) var(--s-2) var(--pad);
    border-bottom: 1px solid var(--line-2);
  }
  h3 { font-size: var(--t-small); line-height: var(--l-small); font-weight: var(--w-strong); }
  .bar { display: flex; gap: var(--s-4); padding: var(--s-4); border-bottom: 1px solid var(--line-2); }
  .bar .input { flex: 1; min-width: 0; }
  ul { flex: 1; min-height: 0; }
  label {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr) 108px;
    gap: 0 var(--s-4);
    padding: var(--s-3) var(--s-5);
    align-items: start;
    font-size: var(--t-small);
    line-height: var(--l-small);
    border-bottom: 1px solid var(--line);
    cursor: pointer;
  }
  label:hover { background: var(--hover); }
  .check { margin-top: 2px; }
  .name { overflow-wrap: anywhere; }
  :checked ~ .name { font-weight: var(--w-strong); }
  .name .sub {
    display: block;
    font-weight: var(--w-normal);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
  }
  .fill { font-size: var(--t-meta); line-height: var(--l-meta); text-align: end; color: var(--text-2); }
  .bar-f { display: block; height: 4px; margin-top: var(--s-2); background: var(--active); }
  .bar-f i { display: block; height: 100%; background: var(--text-2); }
  .none { padding: var(--pad); }
  .foot {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: var(--s-4);
    border-top: 1px solid var(--line-2);
    background: var(--sunken);
  }
  .foot .meta { margin-inline-start: auto; }
`;

@customElement("hp-columns")
export class Columns extends HpElement {
  static override styles = [ground, buttons, forms, own];
  /** null until every value is read. */
  @property({ attribute: false }) choices: ColumnChoice[] | null = null;
  @property({ attribute: false }) chosen: ColumnKey[] = [];
  /** Rows of the model. */
  @property({ type: Number }) of = 0;
  @state() private search = "";
  @state() private byName = false;
  @query("input[type=search]") private field!: HTMLInputElement | null;

  protected override get state(): string {
    if (!this.choices) return "reading";
    return this.choices.length ? "ready" : "empty";
  }

  override render() {
    return html`<div class="p-head">
        <h3>${t("columns.title")}</h3>
        <button
          class="btn quiet s icon"
          aria-label=${t("columns.close")}
          @click=${() => this.emit("hp-columns-close")}
        >
          ${icon("cross")}
        </button>
      </div>
      <div class="bar">
        <input
          class="input"
          type="search"
          aria-label=${t("columns.search", { n: this.choices?.length ?? 0 })}
          placeholder=${t("columns.search", { n: this.choices?.length ?? 0 })}
          .value=${this.search}
          @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
          @keydown=${(event: KeyboardEvent) => this.#escape(event)}
        /><select
          class="select"
          aria-label=${t("columns.order")}
          @change=${(event: Event) =>
            (this.byName = (event.target as HTMLSelectElement).value === "name")}
        >
          <option value="filled">${t("columns.filled")}</option>
          <option value="name">${t("columns.by_name")}</option>
        </select>
      </div>
      ${this.#list()}
      <div class="foot">
        <button class="btn s primary" @click=${() => this.emit("hp-columns-close")}>
          ${t("columns.done")}
        </button>
        <button
          class="btn s quiet"
          ?disabled=${this.chosen.length === 0}
          @click=${() => this.emit("hp-columns", { columns: [] })}
        >
          ${t("columns.reset")}
        </button>
        <span class="meta" role="status">${t("columns.n", { n: this.chosen.length })}</span>
      </div>`;
  }

  #list() {
    if (!this.choices)
      return html`<p class="meta none late">${icon("spin", "s spin")} ${t("columns.reading")}</p>`;
    const fit = this.#fitting(this.choices);
    if (fit.length === 0)
      return html`<p class="meta none">
        ${t(this.choices.length ? "columns.none_fit" : "columns.none")}
      </p>`;
    return html`<ul class="scroll" tabindex="0" aria-label=${t("columns.title")}>
      ${fit.slice(0, MOST).map((one) => html`<li>${this.#line(one)}</li>`)}
      ${
        fit.length > MOST
          ? html`<li class="meta none">${t("columns.more", { n: fit.length - MOST })}</li>`
          : nothing
      }
    </ul>`;
  }

  #fitting(choices: ColumnChoice[]): ColumnChoice[] {
    const words = this.search.trim().toLowerCase();
    const fits = (one: ColumnChoice): boolean =>
      [columnName(one), one.set, ...(one.sets ?? []).map(({ set }) => set)].some((text) =>
        text.toLowerCase().includes(words),
      );
    const fit = words ? choices.filter(fits) : choices;
    if (!this.byName) return fit;
    return [...fit].sort((a, b) => columnName(a).localeCompare(columnName(b)));
  }

  #line(one: ColumnChoice) {
    const on = this.chosen.some((key) => isColumn(key, one));
    return html`<label>
      <input
        class="check"
        type="checkbox"
        .checked=${on}
        @change=${() => this.#flip(one, on)}
      /><span class="name">${breakable(columnName(one))}<span class="sub">${about(one)}</span></span
      ><span class="fill"
        >${t("find.of", { n: one.count, of: this.of })}<span class="bar-f" aria-hidden="true"
          ><i style="width:${this.of ? (one.count / this.of) * 100 : 0}%"></i></span
      ></span>
    </label>`;
  }

  #flip({ set, name }: ColumnKey, on: boolean): void {
    const rest = this.chosen.filter((one) => !isColumn(one, { set, name }));
    const columns = on ? rest : [...this.chosen, { set, name }];
    this.emit("hp-columns", { columns: columns.map(({ set, name }) => ({ set, name })) });
  }

  #escape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || this.search !== "") return;
    event.stopPropagation();
    this.emit("hp-columns-close");
  }

  override focus(): void {
    this.field?.focus();
  }
}

/** The set of a column, or those of any set; its unit. */
function about(one: ColumnChoice): string {
  const parts = [one.set === ANY_SET ? anySet(one) : setName(one) || t("column.attribute")];
  if (one.unit) parts.push(one.unit);
  return parts.join(" · ");
}

function anySet({ sets = [] }: ColumnChoice): string {
  const named = sets.slice(0, SETS).map(({ set, count }) => `${set} ${count}`);
  const more = sets.length - named.length;
  const all = more > 0 ? [...named, t("model.more", { n: more })] : named;
  return `${t("column.any")}: ${listed(all)}`;
}
