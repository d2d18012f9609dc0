/**
 * Drafts on this device, one a tab: a record is held by a lock as long as its tab lives, and a tab that opens takes
 * over one that nobody holds. So two tabs on one thing never write over each other's edits.
 */
import type { Store } from "@holdpoint/core/types";

/** Where pages keep drafts, and what they saw last. */
export const AREA = "drafts";
/** So long the lock of a page that is just being left is waited for, in ms. */
const LEAVING_MS = 400;

export class TabDrafts<T> {
  #key = "";
  #release: () => void = () => undefined;

  private constructor(private readonly store: Store) {}

  /** Takes over the newest that a closed tab left, or begins a record of its own. */
  static async open<T>(
    store: Store,
    mine: string,
    at: (draft: T) => number,
  ): Promise<{ drafts: TabDrafts<T>; draft: T | null }> {
    const drafts = new TabDrafts<T>(store);
    const keys = (await store.keys(AREA)).filter((key) => key.startsWith(mine));
    const found = await Promise.all(
      keys.map(async (key) => ({ key, draft: await store.get<T>(AREA, key) })),
    );
    const age = (draft: T | undefined) => (draft ? at(draft) : 0);
    found.sort((a, b) => age(b.draft) - age(a.draft));
    for (const { key, draft } of found)
      if (draft && (await drafts.#hold(key))) return { drafts, draft };
    await drafts.#hold(mine + crypto.randomUUID());
    return { drafts, draft: null };
  }

  /** True once this tab alone has the record. Browsers without locks share it. */
  async #hold(key: string): Promise<boolean> {
    if (!("locks" in navigator)) {
      this.#key = key;
      return true;
    }
    const signal = AbortSignal.timeout(LEAVING_MS);
    return new Promise((resolve) => {
      navigator.locks
        .request(`holdpoint ${key}`, { signal }, () => {
          this.#key = key;
          resolve(true);
          return new Promise<void>((release) => (this.#release = release));
        })
        .catch(() => resolve(false));
    });
  }

  /** Keeps a draft; `null` takes the record out, for nothing is left in it. */
  keep(draft: T | null): Promise<void> {
    return draft === null
      ? this.store.delete(AREA, this.#key)
      : this.store.put(AREA, this.#key, draft);
  }

  close(): void {
    this.#release();
  }
}

/** All drafts below a prefix, each with the id of what it is of. */
export async function drafted<T>(store: Store, prefix: string): Promise<[string, T][]> {
  const out: [string, T][] = [];
  for (const key of await store.keys(AREA)) {
    if (!key.startsWith(prefix)) continue;
    const draft = await store.get<T>(AREA, key);
    if (draft) out.push([key.slice(prefix.length, key.lastIndexOf(":")), draft]);
  }
  return out;
}
