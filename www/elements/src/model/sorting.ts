/** The order of the table's rows: ranked once for what they are sorted by, in slices where that takes long. */
import type { CellValue, ModelRow } from "@holdpoint/core/types";
import { type Language, language } from "../text/index.js";
import { keys, ordered, type Ranks, ranked, type SortKey } from "./table.js";

export class Sorting {
  /** All rows in their order, before anything is searched; empty until rows of another model are ranked. */
  all: number[] = [];
  #keys: CellValue[] = [];
  #ranks: Ranks | null = null;
  #ranking: Promise<Ranks> | null = null;
  #in: Language | null = null;

  /** `later` is called when an order is there that was not there at once. */
  constructor(private readonly later: () => void) {}

  /** Whether names stand in the order of another language. */
  get isForeign(): boolean {
    return this.#in !== language();
  }

  /** Ranks what rows are sorted by; until that is done they stand as before, and `fresh` ones not at all. */
  rank(
    rows: ModelRow[],
    shown: readonly { values: CellValue[] }[],
    by: { sort: SortKey; down: boolean; fresh: boolean },
  ): void {
    this.#in = language();
    this.#keys = keys(rows, shown, by.sort);
    if (by.fresh) this.all = [];
    const ranks = ranked(this.#keys);
    if (!(ranks instanceof Promise)) {
      this.#ranking = null;
      this.#ranks = ranks;
      this.turn(by.down);
      return;
    }
    this.#ranks = null;
    this.#ranking = ranks;
    void ranks.then((done) => {
      if (this.#ranking !== ranks) return;
      this.#ranking = null;
      this.#ranks = done;
      this.later();
    });
  }

  /** The other way round, or as ranked since. */
  turn(down: boolean): void {
    if (this.#ranks) this.all = ordered(this.#keys, this.#ranks, down);
  }
}
