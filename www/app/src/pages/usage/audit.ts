/** What was changed in the account, the latest first. */
import type { ChangesView } from "@holdpoint/elements/usage/view";
import { type Around, tried } from "./around.js";
import { changeLine } from "./lines.js";
import { Part } from "./part.js";
import type { AuditRow, Slice } from "./wire.js";

const PAGE = 20;

export class Audit {
  readonly part: Part<Slice<AuditRow>>;
  #loading = false;

  constructor(private readonly around: Around) {
    this.part = new Part(around);
  }

  load = (): Promise<void> => this.part.load(() => this.around.api.audit(null, PAGE));

  async more(): Promise<void> {
    const had = this.part.value;
    if (!had || had.next_cursor === null || this.#loading) return;
    this.#loading = true;
    this.around.changed();
    const error = await tried(this.around, async () => {
      const page = await this.around.api.audit(had.next_cursor, PAGE);
      this.part.set({ items: [...had.items, ...page.items], next_cursor: page.next_cursor });
    });
    this.#loading = false;
    if (error) this.around.refused(error);
    this.around.changed();
  }

  view(now: number): ChangesView {
    const { items = [], next_cursor = null } = this.part.value ?? {};
    const labels = this.around.labels();
    return {
      ...this.part.view,
      lines: items.map((row) => changeLine(row, labels)),
      more: next_cursor !== null,
      loading: this.#loading,
      now,
    };
  }
}
