/** What is still to be meshed, storey by storey; who looks elsewhere changes the order. */
import type { MeshGroup } from "./protocol.ts";

export class Queue {
  #groups: { storey: number | null; ids: number[]; at: number }[];

  constructor(groups: readonly MeshGroup[]) {
    this.#groups = groups.map(({ storey, ids }) => ({ storey, ids, at: 0 }));
  }

  /** The next element; undefined when there is none. */
  next(): number | undefined {
    for (;;) {
      const [first] = this.#groups;
      if (!first) return undefined;
      const id = first.ids[first.at];
      first.at += 1;
      if (id !== undefined) return id;
      this.#groups.shift();
    }
  }

  /** These storeys come first, in this order. */
  order(storeys: readonly (number | null)[]): void {
    const rank = new Map(storeys.map((storey, i) => [storey, i]));
    const of = (storey: number | null): number => rank.get(storey) ?? storeys.length;
    this.#groups.sort((a, b) => of(a.storey) - of(b.storey));
  }

  /** What is left of it without some elements. */
  without(ids: ReadonlySet<number>): MeshGroup[] {
    return this.#groups.map(({ storey, ids: all, at }) => ({
      storey,
      ids: all.slice(at).filter((id) => !ids.has(id)),
    }));
  }
}
