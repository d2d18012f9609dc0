/**
 * What stands on the device for a person, and what stands there for nobody: written before stores had a name, or by
 * somebody who never signed in.
 *
 * Invariants: what is nobody's is taken over in one transaction or not at all; what was signed by nobody known is kept
 * to be signed anew and is never sent.
 */

import { AREAS, NAMELESS, openDatabase, promised, storeName } from "./store.ts";
import type { Files, StoreArea } from "./types.ts";

/** What a store holds, by name and count. */
export interface Belongings {
  /** Names the store. */
  store: string;
  /** Names of extensions that the device has. */
  extensions: string[];
  /** Names of those that were signed and not stored yet. */
  waiting: string[];
  changes: number;
  /** Unsaved work on scripts and packages, and words that were not sent. */
  drafts: number;
  /** Model files that were opened. */
  models: number;
}

/** A record of an area as it stands. */
type Records = Record<StoreArea, Map<string, unknown>>;

interface Kept {
  record: { id: string; granted?: string[] };
  files: Files;
  stored: boolean;
  change: string;
}
interface Line {
  number: number;
}

const CHANGES = "changes";
/** What the keys of work begin with that pages keep beside the store. */
const besideOf = (store: string): string => `${store} workbench `;
/** Drafts that a person wrote. */
const WRITTEN = ["script-draft:", "crew-draft:"];
/** Records of a change: their name ends with its number, before what else they say. */
const OF_CHANGE = /^(installed|proposed)-(\d+)(-may)?$/;
/** Settings that are the project's, or of the look of the page. */
const ASKED_ANEW = /^(history|talk .*|page|current|writer .*)$/;

/** What stands in a store; null where it was never made. */
async function read(name: string): Promise<Records | null> {
  const known = await indexedDB.databases?.();
  if (known && !known.some((one) => one.name === name)) return null;
  const database = await openDatabase(name);
  try {
    const transaction = database.transaction(AREAS, "readonly");
    const all = AREAS.map(async (area) => {
      const store = transaction.objectStore(area);
      const [keys, values] = await Promise.all([
        promised(store.getAllKeys()),
        promised(store.getAll()),
      ]);
      return [area, new Map(keys.map((key, at) => [String(key), values[at]]))] as const;
    });
    return Object.fromEntries(await Promise.all(all)) as Records;
  } finally {
    database.close();
  }
}

/** What the device has for a person. */
export async function belongings(principal: string | null): Promise<Belongings> {
  const name = storeName(principal);
  return counted(name, (await read(name)) ?? nothing());
}

const nothing = (): Records =>
  Object.fromEntries(AREAS.map((area) => [area, new Map()])) as unknown as Records;

function counted(store: string, records: Records): Belongings {
  const words = (records.drafts.get("ask") as string | undefined) ? 1 : 0;
  const written = [...records.drafts.keys()].filter((key) =>
    WRITTEN.some((one) => key.startsWith(one)),
  );
  const lines = records.settings.get(CHANGES) as Line[] | undefined;
  return {
    store,
    extensions: [...records.installs.values()].map((kept) => named((kept as Kept).files)),
    waiting: [...records.queue].map(([key, row]) => {
      const files = (row as { request?: { files?: Files } }).request?.files;
      return files ? named(files) : key;
    }),
    changes: Math.max(lines?.length ?? 0, records.runs.size),
    drafts: words + written.length + beside(store).length,
    models: records.models.size,
  };
}

/** The first store of nobody that holds something; empty ones are erased. */
export async function unclaimed(): Promise<Belongings | null> {
  for (const name of [NAMELESS, storeName(null)]) {
    const records = await read(name);
    const found = counted(name, records ?? nothing());
    if (holds(found)) return found;
    if (records) await erase(name);
  }
  return null;
}

const holds = ({ extensions, waiting, changes, drafts }: Belongings): boolean =>
  extensions.length + waiting.length + changes + drafts > 0;

/** Erases a store, and what pages keep beside it. */
export async function erase(store: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(store);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    // Another tab closes it when it hears of it; then it goes.
    request.onblocked = () => resolve();
  });
  for (const key of beside(store)) localStorage.removeItem(key);
}

/** Keys of what pages keep beside a store. */
const beside = (store: string): string[] =>
  Object.keys(localStorage).filter((key) => key.startsWith(besideOf(store)));

/** Everything in a store, for a file: what is no text there is left out. */
export async function exported(store: string): Promise<Record<string, Record<string, unknown>>> {
  const records = (await read(store)) ?? nothing();
  return Object.fromEntries(
    AREAS.filter((area) => area !== "models").map((area) => [
      area,
      Object.fromEntries(records[area]),
    ]),
  );
}

/**
 * Gives what is nobody's to a person. Numbers of changes follow those that the person has; of what both have, the
 * person's stays. Signed extensions wait to be signed anew.
 */
export async function takeOver(store: string, principal: string): Promise<void> {
  const mark = `taken ${store}`;
  const from = await read(store);
  const database = await openDatabase(storeName(principal));
  try {
    const transaction = database.transaction(AREAS, "readwrite");
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const area = (name: StoreArea): IDBObjectStore => transaction.objectStore(name);
    // A page that was left in between has taken it already.
    if (from && (await promised(area("settings").get(mark))) === undefined) {
      const mine = (await promised(area("settings").get(CHANGES))) as Line[] | undefined;
      const runs = (await promised(area("runs").getAllKeys())).map(Number);
      const offset = Math.max(0, ...runs, ...(mine ?? []).map((line) => line.number));
      const lines = ((from.settings.get(CHANGES) as Line[] | undefined) ?? []).map((line) => ({
        ...line,
        number: line.number + offset,
      }));
      await promised(area("settings").put([...lines, ...(mine ?? [])], CHANGES));
      for (const [name, key, value] of moved(from, offset)) {
        const there = await promised(area(name).getKey(key));
        if (there === undefined) await promised(area(name).put(value, key));
      }
      await promised(area("settings").put(Date.now(), mark));
    }
    await done;
  } finally {
    database.close();
  }
  for (const key of beside(store)) {
    const kept = localStorage.getItem(key);
    const now = besideOf(storeName(principal)) + key.slice(besideOf(store).length);
    if (kept !== null) localStorage.setItem(now, kept);
  }
  await erase(store);
  await forgetMark(principal, mark);
}

/** Once the source is gone its mark means nothing; a later store of nobody is another one. */
async function forgetMark(principal: string, mark: string): Promise<void> {
  const database = await openDatabase(storeName(principal));
  await promised(
    database.transaction("settings", "readwrite").objectStore("settings").delete(mark),
  );
  database.close();
}

/** The records of nobody as a person keeps them. */
function* moved(from: Records, offset: number): Generator<[StoreArea, string, unknown]> {
  const numbered = (key: string): string => String(Number(key) + offset);
  for (const [key, run] of from.runs) yield ["runs", numbered(key), run];
  for (const [key, draft] of from.drafts)
    yield [
      "drafts",
      key.replace(OF_CHANGE, (_, what, number, more = "") => `${what}-${numbered(number)}${more}`),
      draft,
    ];
  for (const [key, model] of from.models) yield ["models", key, model];
  for (const [key, setting] of from.settings)
    if (key !== CHANGES && !ASKED_ANEW.test(key)) yield ["settings", key, setting];
  for (const [key, one] of from.installs) {
    const kept = one as Kept;
    const waiting = from.queue.get(key) as { request?: object; change?: string } | undefined;
    const change = kept.change ? numbered(kept.change) : "";
    yield ["installs", key, { ...kept, change, stored: false }];
    const granted = kept.record.granted ?? [];
    const request = { origin: "authored", ...waiting?.request, files: kept.files, granted };
    yield ["queue", key, { request, change, name: named(kept.files), state: "taken" }];
  }
}

/** What a bundle calls itself. */
function named(files: Files): string {
  try {
    const { name, id } = JSON.parse(files["manifest.json"] ?? "{}") as Record<string, unknown>;
    return String(name ?? id ?? "");
  } catch {
    return "";
  }
}
