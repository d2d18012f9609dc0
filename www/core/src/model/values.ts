/**
 * Every value of the open model's rows, by column: for search, filters, counts and columns of any set.
 *
 * Lives in the model's worker. Values are kept once a column, and where they stand as numbers: 100,000 rows with twenty
 * properties take some tens of megabytes, and a search looks at each different value once.
 */

import {
  ANY_SET,
  type CellValue,
  type ColumnChoice,
  type ColumnKind,
  type ModelRow,
} from "../types.ts";

/** Values of some rows: one entry of `row`, `column` and `value` for each of them. */
export interface ValueBlock {
  columns: {
    set: string;
    name: string;
    kind: ColumnKind;
    unit: string | null;
  }[];
  values: CellValue[];
  /** Positions in the list of rows. */
  row: ArrayLike<number>;
  column: ArrayLike<number>;
  value: ArrayLike<number>;
}

/** A column's different values, and which row has which. */
export interface ValueColumn {
  set: string;
  name: string;
  kind: ColumnKind;
  /** null where rows differ in it. */
  unit: string | null;
  values: CellValue[];
  /** Positions of rows, ascending, and the place of their value beside it; a row may stand there several times. */
  rows: number[];
  at: number[];
}

const keyOf = (set: string, name: string, kind: ColumnKind): string => `${kind}\n${set}\n${name}`;

export class Values {
  readonly columns: ValueColumn[] = [];
  readonly #byKey = new Map<string, ValueColumn>();
  readonly #places = new Map<ValueColumn, Map<CellValue, number>>();

  constructor(readonly rows: readonly ModelRow[]) {
    const attributes = [
      ["Name", (row: ModelRow) => row.name],
      ["Class", (row: ModelRow) => row.type],
      ["GlobalId", (row: ModelRow) => row.global_id],
      ["Storey", (row: ModelRow) => row.storey],
    ] as const;
    for (const [name, read] of attributes) {
      const column = this.#column("", name, "attributes", null);
      for (const [at, row] of rows.entries()) this.#put(column, at, read(row));
    }
  }

  /** Takes the values of a block; blocks come in the order of the rows. */
  add(block: ValueBlock): void {
    const columns = block.columns.map(({ set, name, kind, unit }) =>
      this.#column(set, name, kind, unit),
    );
    for (let i = 0; i < block.row.length; i += 1) {
      const column = columns[block.column[i] ?? -1];
      if (column) this.#put(column, block.row[i] ?? 0, block.values[block.value[i] ?? -1] ?? null);
    }
  }

  /** The columns that a key names: of any set all of that name. */
  named(set: string, name: string): ValueColumn[] {
    return this.columns.filter(
      (one) => one.name === name && (set === ANY_SET ? one.set !== "" : one.set === set),
    );
  }

  /** One value a row; where a row has several, the first. */
  cells(set: string, name: string): CellValue[] {
    const cells = new Array<CellValue>(this.rows.length).fill(null);
    for (const { rows, at, values } of this.named(set, name).reverse())
      for (let i = rows.length - 1; i >= 0; i -= 1)
        cells[rows[i] ?? -1] = values[at[i] ?? -1] ?? null;
    return cells;
  }

  /** The cells of a column, and the unit in which all of it is measured. */
  column(set: string, name: string): { values: CellValue[]; unit: string | null } {
    const [first, ...others] = this.named(set, name);
    const alike = others.every(({ unit }) => unit === first?.unit);
    return { values: this.cells(set, name), unit: (alike && first?.unit) || null };
  }

  /** Columns that can be shown, most filled first; a name that several sets have also stands for any of them. */
  choices(): ColumnChoice[] {
    const own = new Set(["Name", "Class", "Storey"]);
    const single = this.columns
      .filter((one) => one.rows.length > 0 && !(one.set === "" && own.has(one.name)))
      .map(
        ({ set, name, kind, unit, rows, values }): ColumnChoice => ({
          ...{ set, name, kind, unit, count: different(rows) },
          numbers: values.every((value) => typeof value === "number"),
        }),
      );
    const byName = new Map<string, ColumnChoice[]>();
    for (const one of single)
      if (one.set !== "") byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
    const any = [...byName].flatMap(([name, all]): ColumnChoice[] => {
      const [first] = all;
      if (!first || all.length < 2) return [];
      const sets = all
        .map(({ set, count }) => ({ set, count }))
        .sort((a, b) => b.count - a.count || order(a.set, b.set));
      const unit = all.every((one) => one.unit === first.unit) ? first.unit : null;
      const count = this.filled(ANY_SET, name);
      const numbers = all.every((one) => one.numbers);
      return [{ set: ANY_SET, name, kind: first.kind, unit: unit ?? null, count, sets, numbers }];
    });
    return [...any, ...single].sort(
      (a, b) => b.count - a.count || order(a.name, b.name) || order(rank(a), rank(b)),
    );
  }

  /** Rows that have a value in the column. */
  filled(set: string, name: string): number {
    const columns = this.named(set, name);
    if (columns.length === 1) return different(columns[0]?.rows ?? []);
    const has = new Uint8Array(this.rows.length);
    for (const { rows } of columns) for (const row of rows) has[row] = 1;
    return has.reduce((sum, one) => sum + one, 0);
  }

  #column(set: string, name: string, kind: ColumnKind, unit: string | null): ValueColumn {
    const key = keyOf(set, name, kind);
    const known = this.#byKey.get(key);
    if (known) {
      if (known.unit !== unit) known.unit = known.rows.length ? null : unit;
      return known;
    }
    const column: ValueColumn = { set, name, kind, unit, values: [], rows: [], at: [] };
    this.#byKey.set(key, column);
    this.#places.set(column, new Map());
    this.columns.push(column);
    return column;
  }

  #put(column: ValueColumn, row: number, value: CellValue): void {
    if (value === null || value === "") return;
    const places = this.#places.get(column);
    let at = places?.get(value);
    if (at === undefined) {
      at = column.values.length;
      column.values.push(value);
      places?.set(value, at);
    }
    column.rows.push(row);
    column.at.push(at);
  }
}

const order = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** Any set stands before the sets. */
const rank = ({ set }: ColumnChoice): string => (set === ANY_SET ? "" : set);

/** How many different numbers an ascending list has. */
function different(rows: readonly number[]): number {
  let n = 0;
  let last = -1;
  for (const row of rows) {
    if (row !== last) n += 1;
    last = row;
  }
  return n;
}
