/** Filters that a person named: kept on this device, with everything else of theirs. */
import type { SavedFilter, Store } from "@holdpoint/core/types";
import { type SavedAsk, t } from "@holdpoint/elements";

const KEY = "filters";

interface Page {
  draw(): void;
  toast(text: string, sub: string, undo: () => unknown): void;
}

export class SavedFilters {
  /** In the order of their names. */
  all: SavedFilter[] = [];

  constructor(
    private readonly store: Store,
    private readonly page: Page,
  ) {}

  async load(): Promise<void> {
    this.all = (await this.store.get<SavedFilter[]>("settings", KEY)) ?? [];
  }

  /** A name stands once: saved again, it is another filter. */
  act(ask: SavedAsk): Promise<void> {
    if (ask.act === "remove") return this.#remove(ask.id);
    const { name } = ask;
    const others = (id?: string) => (one: SavedFilter) => one.id !== id && one.name !== name;
    if (ask.act === "save")
      return this.#change((all) => [
        ...all.filter(others()),
        { id: crypto.randomUUID(), name, ...ask.filter },
      ]);
    return this.#change((all) => {
      const renamed = all.find((one) => one.id === ask.id);
      return renamed ? [...all.filter(others(ask.id)), { ...renamed, name }] : all;
    });
  }

  async #remove(id: string): Promise<void> {
    const gone = this.all.find((one) => one.id === id);
    if (!gone) return;
    await this.#change((all) => all.filter((one) => one.id !== id));
    const back = () => this.#change((all) => [...all.filter((one) => one.id !== id), gone]);
    this.page.toast(t("saved.removed", { name: gone.name }), "", back);
  }

  /** What another tab keeps meanwhile stays. */
  async #change(change: (all: SavedFilter[]) => SavedFilter[]): Promise<void> {
    const sorted = (all: SavedFilter[]) => all.sort((a, b) => a.name.localeCompare(b.name));
    const kept = await this.store
      .update<SavedFilter[]>("settings", KEY, (now) => sorted(change(now ?? [])))
      .catch(() => undefined);
    this.all = kept ?? sorted(change(this.all));
    this.page.draw();
  }
}
