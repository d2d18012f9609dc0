/**
 * What calls have changed in the model that a person opened, so that it can be done again where the model is opened
 * anew.
 *
 * Invariant: it has one entry a changed record, however often the record was changed, so it grows with the model and
 * not with time; a model itself is bounded (`SDK_LIMIT`, `MODEL_SIZE`).
 */

import type { Json } from "../types.ts";

/** The model of the file in a thread. Models that calls make beside it end with their thread. */
const OPENED = "model-1";

/** A record before and after a change, as STEP text; null where there is none (`ModelEdit` of the model). */
export interface RecordEdit {
  id: number;
  before: string | null;
  after: string | null;
}
/** Edits of a model, as the effects of a call have them. */
interface Changed {
  modelId: string;
  edits: RecordEdit[];
}

export class ModelChanges {
  readonly #records: Map<number, RecordEdit>;

  constructor(before?: ModelChanges) {
    this.#records = new Map(before ? before.#records : []);
  }

  /** Adds what a call did. A record that is again what it was at first has no entry any more. */
  add(changes: Json[]): void {
    for (const { modelId, edits } of changes as unknown as Changed[]) {
      if (modelId !== OPENED) continue;
      for (const { id, before, after } of edits) {
        const first = this.#records.get(id);
        const edit = { id, before: first ? first.before : before, after };
        if (edit.before === edit.after) this.#records.delete(id);
        else this.#records.set(id, edit);
      }
    }
  }

  /** How many records differ from the file's. */
  get size(): number {
    return this.#records.size;
  }

  /** All changes, as the sandbox takes them: records stand by number, so their order does not matter. */
  list(): Json[] {
    if (this.#records.size === 0) return [];
    return [{ modelId: OPENED, edits: [...this.#records.values()] }] as unknown as Json[];
  }
}
