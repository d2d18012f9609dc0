/** Standing wishes of a person: they go with every prompt of a run, and are kept on the device (authoring.md §4). */
import type { Store } from "@holdpoint/core/types";
import type { WishesView } from "@holdpoint/elements";

const KEPT = "wishes";

export class Wishes {
  /** What goes with a request; empty where a person has none. */
  kept = "";
  #draft: string | null = null;

  constructor(private readonly around: { store: Store; changed(): void }) {}

  async load(): Promise<void> {
    this.kept = (await this.around.store.get<string>("settings", KEPT)) ?? "";
  }

  /** Null while they are not looked at. */
  get view(): WishesView | null {
    return this.#draft === null ? null : { draft: this.#draft, kept: this.kept };
  }

  open(): void {
    this.#draft ??= this.kept;
    this.around.changed();
  }

  write(text: string): void {
    this.#draft = text;
    this.around.changed();
  }

  async keep(): Promise<void> {
    if (this.#draft === null) return;
    this.kept = this.#draft.trim();
    this.leave();
    await this.around.store.put("settings", KEPT, this.kept);
  }

  leave(): void {
    if (this.#draft === null) return;
    this.#draft = null;
    this.around.changed();
  }
}
