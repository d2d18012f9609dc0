/** The open models as the device keeps them: each file once, by the hash of what it holds, and which of them are on. */
import type { Store } from "@holdpoint/core/types";
import type { OpenModel } from "../../core.js";

const OPEN = "open models";

/** Of the list; the file stands for itself. */
interface Listed {
  id: string;
  name: string;
  on: boolean;
}

export class KeptModels {
  /** One writing after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly store: Store) {}

  /** What was open at the last visit, in its order. */
  async read(): Promise<{ name: string; on: boolean; file: Blob }[]> {
    const listed = (await this.store.get<Listed[]>("settings", OPEN)) ?? [];
    const found = await Promise.all(
      listed.map(async ({ id, name, on }) => {
        const file = await this.store.get<Blob>("models", id);
        return file ? [{ name, on, file }] : [];
      }),
    );
    return found.flat();
  }

  /** What a browser has no room for is not there at the next visit. */
  keep(models: readonly OpenModel[]): Promise<void> {
    const files = new Map(models.map(({ facts: { model_id }, file }) => [model_id, file]));
    const listed = models.map(
      ({ facts, on }): Listed => ({ id: facts.model_id, name: facts.name, on }),
    );
    this.#last = this.#last.then(() => this.#write(listed, files)).catch(() => undefined);
    return this.#last;
  }

  async #write(listed: Listed[], files: ReadonlyMap<string, Blob>): Promise<void> {
    const { store } = this;
    const there = new Set(await store.keys("models"));
    await store.put("settings", OPEN, listed);
    for (const id of there) if (!files.has(id)) await store.delete("models", id);
    for (const [id, file] of files) if (!there.has(id)) await store.put("models", id, file);
  }
}
