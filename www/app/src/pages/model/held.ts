/**
 * Which tab a change goes on in. A run has one driver: in a second tab it would ask the model a second time.
 *
 * Invariant: a change that is held here goes on nowhere else until it is let go or another tab takes it over. The lock
 * says so at once, where there are locks; the device's store says so in every case, because it refuses whatever a tab
 * writes to a change that another tab has claimed since.
 */

import type { Claim, Store } from "@holdpoint/core/types";

/** The claim of a change in its store, and with the store's name its lock: each person has changes of these numbers. */
const RECORD = (key: string): string => `change ${key}`;
/** The code of a write by a tab that was replaced. */
const REPLACED = "WRITER_REPLACED";
/** What waits for a write of a tab that was replaced goes no further: the tab lets the change go. */
const never = new Promise<never>(() => undefined);

export class Held {
  /** Another tab took it over. */
  lost = false;
  #release: () => void = () => undefined;
  #claim: Promise<Claim> | undefined;

  private constructor(
    private readonly key: string,
    private readonly onLost: () => void,
  ) {}

  /** The change for this tab; null while another one has it. `onLost` hears that another tab took it over. */
  static async take(
    store: Store,
    key: string,
    over: boolean,
    onLost: () => void,
  ): Promise<Held | null> {
    const held = new Held(key, onLost);
    if (!(await held.#lock(store.name, over))) return null;
    try {
      await held.#claimed(store);
    } catch (error) {
      held.release();
      throw error;
    }
    return held;
  }

  /** A change that has ended may stand in several tabs; the one that writes to it takes it from the others. */
  static look(key: string, onLost: () => void): Held {
    return new Held(key, onLost);
  }

  release(): void {
    this.#release();
  }

  /** The store, for what belongs to the change. */
  over(store: Store): Store {
    return {
      name: store.name,
      get: (area, key) => store.get(area, key),
      keys: (area) => store.keys(area),
      claim: (record) => store.claim(record),
      put: (area, key, value) => this.#write(store, (claim) => store.put(area, key, value, claim)),
      delete: (area, key) => this.#write(store, (claim) => store.delete(area, key, claim)),
      update: (area, key, change) =>
        this.#write(store, (claim) => store.update(area, key, change, claim)),
    };
  }

  async #write<T>(store: Store, write: (claim: Claim) => Promise<T>): Promise<T> {
    try {
      return await write(await this.#claimed(store));
    } catch (error) {
      if ((error as { code?: string }).code !== REPLACED) throw error;
      this.#replaced();
      return never;
    }
  }

  #claimed(store: Store): Promise<Claim> {
    this.#claim ??= store.claim(RECORD(this.key));
    return this.#claim;
  }

  #replaced(): void {
    if (this.lost) return;
    this.lost = true;
    this.onLost();
  }

  /** Without locks (no secure context) nothing can be known of other tabs, and the newest one has the change. */
  #lock(name: string, over: boolean): Promise<boolean> {
    if (!("locks" in navigator)) return Promise.resolve(true);
    return new Promise((resolve) => {
      let mine = false;
      const held = (lock: Lock | null): Promise<void> => {
        resolve(lock !== null);
        if (!lock) return Promise.resolve();
        mine = true;
        return new Promise<void>((end) => {
          this.#release = () => {
            mine = false;
            end();
          };
        });
      };
      const how: LockOptions = over ? { steal: true } : { ifAvailable: true };
      navigator.locks.request(`${name} ${RECORD(this.key)}`, how, held).catch(() => {
        if (mine) this.#replaced();
      });
    });
  }
}
