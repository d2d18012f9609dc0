/**
 * What calls have changed in a model that a person opened, so that it can be done again where the model is opened
 * anew.
 *
 * Invariant: it has one entry a changed record, however often the record was changed, so it grows with the model and
 * not with time; a model itself is bounded (`SDK_LIMIT`, `MODEL_SIZE`).
 */

import type { RecordEdit } from "../types.ts";

export class ModelChanges {
  readonly #records: Map<number, RecordEdit>;

  constructor(before?: ModelChanges) {
    this.#records = new Map(before ? before.#records : []);
  }

  /** Adds what a call did. A record that is again what it was at first has no entry any more. */
  add(edits: RecordEdit[]): void {
    for (const { id, before, after } of edits) {
      const first = this.#records.get(id);
      const edit = { id, before: first ? first.before : before, after };
      if (edit.before === edit.after) this.#records.delete(id);
      else this.#records.set(id, edit);
    }
  }

  /** How many records differ from the file's. */
  get size(): number {
    return this.#records.size;
  }

  /** All changes: records stand by number, so their order does not matter. */
  list(): RecordEdit[] {
    return [...this.#records.values()];
  }
}
