/** What the device keeps: one IndexedDB database, one object store an area. Nothing else of the product touches it. */

import type { Store } from "./types.ts";

const DATABASE = "holdpoint";
const VERSION = 1;
const AREAS = ["runs", "drafts", "models", "installs", "queue", "settings"] as const;

function promised<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    for (const area of AREAS) {
      if (!request.result.objectStoreNames.contains(area)) request.result.createObjectStore(area);
    }
  };
  return promised(request);
}

/** Opens the device's store. Rejects where the browser keeps nothing (some private windows). */
export async function openStore(): Promise<Store> {
  const database = await open();
  const area = (name: string, mode: IDBTransactionMode): IDBObjectStore =>
    database.transaction(name, mode).objectStore(name);
  return {
    get: (name, key) => promised(area(name, "readonly").get(key)),
    put: async (name, key, value) => {
      await promised(area(name, "readwrite").put(value, key));
    },
    delete: async (name, key) => {
      await promised(area(name, "readwrite").delete(key));
    },
    keys: async (name) => (await promised(area(name, "readonly").getAllKeys())).map(String),
  };
}
