/**
 * Lists of a model in blocks, as its worker gives them and the page puts them together: a message is a few milliseconds
 * of work, however large the model is. Pure.
 */

import type { CellValue, ModelColumn, ModelRow, TreeNode } from "../types.ts";

/** So many rows, lines of the tree, cells and elements in full a message has at most. */
export const MOST = { rows: 2_000, lines: 5_000, cells: 10_000, details: 50 } as const;

/** `text` is JSON: it crosses as it is, and is read where it is needed. */
export interface RowBlock {
  text: string;
  id: Uint32Array;
  /** A place among the classes of the block, and among its storeys and one. */
  class: Uint32Array;
  storey: Uint32Array;
}
export interface TreeBlock {
  text: string;
  /** The line that a line hangs under and one. */
  parent: Uint32Array;
  /** Its row and one; 0 for the next node of the text. */
  row: Uint32Array;
}
export interface ColumnBlock {
  text: string;
  /** A place among the values of the block and one; 0 without a value. */
  at: Uint32Array;
}

interface RowTexts {
  count: number;
  types: string[];
  storeys: { id: number; name: string | null }[];
  names: (string | null)[];
  global_ids: (string | null)[];
}
interface TreeTexts {
  count: number;
  nodes: Omit<TreeNode, "children">[];
}
export interface ColumnTexts {
  count: number;
  values: CellValue[];
  /** Of the numbers among them, each once. */
  units: (string | null)[];
}

/** Asks for block after block; `put` takes one and says how many there are of what blocks hold. */
export async function paged<Block>(
  most: number,
  ask: (from: number, to: number) => Promise<Block>,
  put: (block: Block) => number,
): Promise<void> {
  const count = put(await ask(0, most));
  const next = (from: number) => (from < count ? ask(from, from + most) : null);
  // One is on its way while the one before it is put.
  let coming = next(most);
  for (let from = 2 * most; coming; from += most) {
    const block = await coming;
    coming = next(from);
    put(block);
  }
}

export function putRows(block: RowBlock, rows: ModelRow[]): number {
  const { count, types, storeys, names, global_ids } = JSON.parse(block.text) as RowTexts;
  for (const [i, id] of block.id.entries()) {
    const storey = storeys[(block.storey[i] ?? 0) - 1];
    rows.push({
      id,
      type: types[block.class[i] ?? -1] ?? "",
      name: names[i] ?? null,
      global_id: global_ids[i] ?? null,
      storey: storey?.name ?? null,
      storey_id: storey?.id ?? null,
    });
  }
  return count;
}

/** A tree that grows line by line. */
export class Tree {
  readonly tops: TreeNode[] = [];
  readonly #lines: TreeNode[] = [];

  constructor(private readonly rows: readonly ModelRow[]) {}

  put(block: TreeBlock): number {
    const { count, nodes } = JSON.parse(block.text) as TreeTexts;
    let own = 0;
    for (const [i, at] of block.row.entries()) {
      const row = this.rows[at - 1];
      const node = row
        ? { id: row.id, type: row.type, name: row.name, children: [] }
        : { ...(nodes[own++] ?? { id: 0, type: "", name: null }), children: [] };
      this.#lines.push(node);
      const above = this.#lines[(block.parent[i] ?? 0) - 1];
      (above?.children ?? this.tops).push(node);
    }
    return count;
  }
}

/** A column that grows cell by cell. */
export class Cells {
  readonly #values: CellValue[] = [];
  readonly #units = new Set<string | null>();
  #numbers = true;

  put(block: ColumnBlock): number {
    const { count, values, units } = JSON.parse(block.text) as ColumnTexts;
    for (const at of block.at) this.#values.push(values[at - 1] ?? null);
    for (const unit of units) this.#units.add(unit);
    this.#numbers &&= values.every((value) => typeof value === "number");
    return count;
  }

  /** What was put so far; rows that differ in their unit have none. */
  get column(): ModelColumn {
    const [unit = null, another] = this.#units;
    const one = another === undefined ? unit : null;
    return { values: this.#values, unit: one, numbers: this.#numbers && this.#units.size > 0 };
  }
}

/** Some of all cells of a column, as a block. */
export function columnBlock(
  { values: cells, unit }: Pick<ModelColumn, "values" | "unit">,
  from: number,
  to: number,
): ColumnBlock {
  const values: CellValue[] = [];
  const places = new Map<CellValue, number>();
  const own = cells.slice(from, to);
  const at = Uint32Array.from(own, (value) => {
    if (value === null) return 0;
    let place = places.get(value);
    if (place === undefined) {
      place = values.push(value);
      places.set(value, place);
    }
    return place;
  });
  const units = values.some((value) => typeof value === "number") ? [unit] : [];
  const texts: ColumnTexts = { count: cells.length, values, units };
  return { text: JSON.stringify(texts), at };
}
