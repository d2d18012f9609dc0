/**
 * What the device keeps: one IndexedDB database a person, one object store an area. Nothing else of the product touches
 * it.
 *
 * Invariant: a store is opened by its person's name alone, so nothing of one person is read for another.
 */

import type { Claim, Store } from "./types.ts";

/** Before stores had a name there was one for everybody. */
export const NAMELESS = "holdpoint";
const VERSION = 1;
export const AREAS = ["runs", "drafts", "models", "installs", "queue", "settings"] as const;

/** The store of a person, as the edge names them; null: of those who never signed in. */
export const storeName = (principal: string | null): string =>
  principal === null ? `${NAMELESS} nobody` : `${NAMELESS} ${principal}`;

/** Where the number of each claim stands; it is compared in the transaction of the write. */
const CLAIMS = "settings";
const claimKey = (record: string): string => `writer ${record}`;

/** Another writer claimed the record since. */
export class WriterReplaced extends Error {
  readonly code = "WRITER_REPLACED";

  constructor(record: string) {
    super(`Another tab goes on with ${record}.`);
  }
}

export function promised<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, VERSION);
  request.onupgradeneeded = () => {
    for (const area of AREAS) {
      if (!request.result.objectStoreNames.contains(area)) request.result.createObjectStore(area);
    }
  };
  return promised(request);
}

/**
 * Opens what the device keeps for a person. Rejects where the browser keeps nothing (some private windows). `onErased`
 * hears that another tab erases it: nothing can be written any more.
 */
export async function openStore(
  principal: string | null = null,
  onErased: () => void = () => undefined,
): Promise<Store> {
  const name = storeName(principal);
  const database = await openDatabase(name);
  database.onversionchange = () => {
    database.close();
    onErased();
  };
  const area = (name: string, mode: IDBTransactionMode): IDBObjectStore =>
    database.transaction(name, mode).objectStore(name);

  /** Writes in one transaction, in which a claim that is no longer the newest is refused. */
  async function written<T>(
    name: string,
    claim: Claim | undefined,
    work: (area: IDBObjectStore) => Promise<T>,
  ): Promise<T> {
    const names = claim ? [...new Set([name, CLAIMS])] : name;
    const transaction = database.transaction(names, "readwrite");
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    done.catch(() => undefined);
    try {
      if (claim) {
        const newest = transaction.objectStore(CLAIMS).get(claimKey(claim.record));
        if ((await promised(newest)) !== claim.number) throw new WriterReplaced(claim.record);
      }
      const value = await work(transaction.objectStore(name));
      await done;
      return value;
    } catch (error) {
      // An aborted transaction cannot be aborted again.
      if (transaction.error === null) transaction.abort();
      throw error;
    }
  }

  return {
    name,
    get: (name, key) => promised(area(name, "readonly").get(key)),
    put: (name, key, value, claim) =>
      written(name, claim, async (store) => {
        await promised(store.put(value, key));
      }),
    delete: (name, key, claim) =>
      written(name, claim, async (store) => {
        await promised(store.delete(key));
      }),
    keys: async (name) => (await promised(area(name, "readonly").getAllKeys())).map(String),
    update: (name, key, change, claim) =>
      written(name, claim, async (store) => {
        const value = change(await promised(store.get(key)));
        if (value === undefined) await promised(store.delete(key));
        else await promised(store.put(value, key));
        return value;
      }),
    claim: (record) =>
      written(CLAIMS, undefined, async (store) => {
        const key = claimKey(record);
        const number = ((await promised<number | undefined>(store.get(key))) ?? 0) + 1;
        await promised(store.put(number, key));
        return { record, number };
      }),
  };
}
