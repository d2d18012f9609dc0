/**
 * What is being written to a model, kept on this device: a tab has its own words, also after a reload; what a tab that
 * is gone left behind comes back where the same is talked about again.
 *
 * Invariant: a tab that is open is the only one that reads and writes its words. A lock of the browser says that it is
 * open; where there are no locks no tab takes the words of another.
 */

/** So long the lock of a page that is just being left is waited for, in ms. */
const LEAVING_MS = 400;
/** So many words that tabs left behind are kept for one target. */
const MAX_LEFT = 8;
const TAB = "holdpoint tab";

interface Kept {
  text: string;
  at: number;
}

export class Drafts {
  readonly #prefix: string;
  #tab = "";
  #words = "";
  #left = false;
  #leave: () => void = () => undefined;

  /** `device`: names the store of whose words these are; `about`: what is talked about. */
  constructor(device: string, about: string) {
    this.#prefix = `${device} workbench ${about} `;
  }

  /** The words that come back: those of this tab, else the newest of a tab that is gone. */
  async open(): Promise<string> {
    await this.#name();
    if (this.#left) return "";
    // What was written meanwhile stands.
    if (this.#words !== "") return this.#words;
    const own = this.#read(this.#prefix + this.#tab) ?? (await this.#found());
    if (this.#words === "" && own?.text) this.keep(own.text);
    return this.#words;
  }

  keep(text: string): void {
    this.#words = text;
    if (this.#tab === "") return;
    const key = this.#prefix + this.#tab;
    const kept: Kept = { text, at: Date.now() };
    device(() =>
      text ? localStorage.setItem(key, JSON.stringify(kept)) : localStorage.removeItem(key),
    );
  }

  /** The words stay for who comes next. */
  close(): void {
    this.#left = true;
    this.#leave();
  }

  /** A tab that was duplicated brings the name of the other one along, which holds its lock: it gets a new one. */
  async #name(): Promise<void> {
    const said = device(() => sessionStorage.getItem(TAB));
    const free = said !== null && (await this.#take(said));
    this.#tab = free ? said : crypto.randomUUID();
    if (!free) await this.#take(this.#tab);
    device(() => sessionStorage.setItem(TAB, this.#tab));
    if (this.#words !== "") this.keep(this.#words);
  }

  /** Whether the lock of this name is held from now on; without locks it is as if it were. */
  async #take(tab: string): Promise<boolean> {
    if (!("locks" in navigator)) return true;
    const signal = AbortSignal.timeout(LEAVING_MS);
    return new Promise((taken) => {
      navigator.locks
        .request(lockOf(this.#prefix, tab), { signal }, () => {
          taken(true);
          return new Promise<void>((leave) => {
            this.#leave = leave;
            if (this.#left) leave();
          });
        })
        .catch(() => taken(false));
    });
  }

  /** The newest words of a tab that is gone; they are this tab's from now on. */
  async #found(): Promise<Kept | null> {
    if (!("locks" in navigator)) return null;
    const { held = [] } = await navigator.locks.query();
    const open = new Set(held.map(({ name }) => name));
    const left = (device(() => Object.keys(localStorage)) ?? [])
      .filter((key) => key.startsWith(this.#prefix))
      .filter((key) => !open.has(lockOf(this.#prefix, key.slice(this.#prefix.length))))
      .map((key) => ({ key, kept: this.#read(key) }))
      .sort((a, b) => (b.kept?.at ?? 0) - (a.kept?.at ?? 0));
    const [newest] = left;
    for (const one of [...(newest ? [newest] : []), ...left.slice(MAX_LEFT)])
      device(() => localStorage.removeItem(one.key));
    return newest?.kept ?? null;
  }

  #read(key: string): Kept | null {
    const said = device(() => localStorage.getItem(key));
    try {
      const kept = JSON.parse(said ?? "null") as Partial<Kept> | null;
      return typeof kept?.text === "string" ? { text: kept.text, at: Number(kept.at) || 0 } : null;
    } catch {
      return null;
    }
  }
}

const lockOf = (prefix: string, tab: string): string => prefix + tab;

/** A browser may forbid its store: then nothing is kept. */
function device<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
