/**
 * Who asks, for the edge: the key, taken once from the address or from another open tab, kept for this tab, forgotten
 * with it; and whose store the device opens. The edge says whose a key is (gateway.md §3 "Principal").
 *
 * Invariant: a key is of the person whose store is open. The name of the last person, never their key, is remembered
 * until they sign out, so that their store opens without a network.
 */
import type { ErrorShape } from "@holdpoint/core/types";
import { type Asker, identify } from "./core.js";
import { lendKey, lentKey } from "./lent-key.js";

const KEY = "holdpoint.token";
/** Whose the key of this tab is. */
const OF = "holdpoint.principal";
/** Who signed in last in this browser. */
const LAST = "holdpoint.last";
/** `cargo xtask dev` has a key that is no secret: its page signs itself in, until somebody signs out in this tab. */
declare const HOLDPOINT_DEV_KEY: string;
const OUT = "holdpoint.out";

/** Whoever does not answer within this time is taken to be away. */
const REACHED_MS = 4_000;

/** A key whose person is another one than whose store is open: they are asked first. */
export interface OtherKey {
  token: string;
  principal: string;
}

export class Credential {
  #token: string | undefined;
  #principal: string | null = null;
  /** A key from the address that nobody could say anything of yet. */
  #unknown: string | null = null;
  /** The key of another person, from the address. */
  other: OtherKey | null = null;
  /** Why the key of the address is none. */
  refused: { token: string; error: ErrorShape } | null = null;
  /** Nobody answered when the page began. */
  offline = false;

  /** Takes `#token=…` out of the address bar, before anything is loaded or logged, and finds out whose it is. */
  static async open(): Promise<Credential> {
    const credential = new Credential();
    const found = new URLSearchParams(location.hash.slice(1)).get("token");
    if (found) history.replaceState(null, "", location.pathname + location.search);
    const kept = sessionStorage.getItem(KEY);
    const of = sessionStorage.getItem(OF);
    if (kept && of) [credential.#token, credential.#principal] = [kept, of];
    else credential.#principal = localStorage.getItem(LAST);
    if (!found && !kept) await credential.#borrow();
    lendKey(() => credential);
    const token = found ?? (of ? null : (kept ?? credential.#own()));
    if (token && token !== credential.#token) {
      credential.#unknown = token;
      await credential.ask();
    } else if (!credential.#token) await credential.reached();
    return credential;
  }

  get token(): string | undefined {
    return this.#token;
  }

  /** Whose store is open; null: of those who never signed in. */
  get principal(): string | null {
    return this.#principal;
  }

  /** For the clients of the edge: decisions are sent as those of whose store is open. */
  readonly asker: Asker = {
    token: () => this.#token,
    signer: () => this.#principal ?? undefined,
  };

  /**
   * Asks whose a key of the address is, where one waits for that. Of whose store is open, or of the first one ever, it
   * is taken; true where another store has to be opened for that.
   */
  async ask(): Promise<boolean> {
    const token = this.#unknown;
    if (token === null) return false;
    try {
      const principal = await identify(token);
      this.#unknown = null;
      if (this.#principal !== null && this.#principal !== principal) {
        this.other = { token, principal };
        return false;
      }
      const moved = this.#principal !== principal;
      this.#take(token, principal);
      return moved;
    } catch (error) {
      const shape = error as ErrorShape;
      // Who cannot be asked now is asked when the network is back.
      this.offline = !isUnknown(shape);
      if (this.offline) return false;
      this.#unknown = null;
      this.refused = { token, error: shape };
      return false;
    }
  }

  /** Whether anybody answers now. */
  async reached(): Promise<boolean> {
    this.offline = await isOffline();
    return !this.offline;
  }

  /**
   * Takes a key that a person gave; true where it is of another person than whose store is open. Rejects as the
   * edge.
   */
  async take(token: string): Promise<boolean> {
    const principal = await identify(token);
    const moved = this.#principal !== principal;
    this.#take(token, principal);
    return moved;
  }

  /** The key of the address is taken, now that its person was asked. */
  switch(): void {
    if (this.other) this.#take(this.other.token, this.other.principal);
    this.other = null;
  }

  /** Another tab of the last person may be signed in; not where somebody signed out of this one. */
  async #borrow(): Promise<void> {
    const principal = this.#principal;
    if (principal === null || sessionStorage.getItem(OUT)) return;
    const token = await lentKey(principal);
    if (token) this.#take(token, principal);
  }

  /** The key of a page that is being developed, where nobody has signed out. */
  #own(): string | null {
    return HOLDPOINT_DEV_KEY && !sessionStorage.getItem(OUT) ? HOLDPOINT_DEV_KEY : null;
  }

  #take(token: string, principal: string): void {
    // What a tab keeps is its person's.
    if (sessionStorage.getItem(OF) !== principal) sessionStorage.clear();
    [this.#token, this.#principal] = [token, principal];
    sessionStorage.setItem(KEY, token);
    sessionStorage.setItem(OF, principal);
    localStorage.setItem(LAST, principal);
  }

  /** The key ended, or was refused; whose store is open stays. */
  forget(): void {
    this.#token = undefined;
    sessionStorage.removeItem(KEY);
    sessionStorage.removeItem(OF);
  }

  /** Nobody is signed in, and the last person's name is forgotten. */
  signOut(): void {
    this.forget();
    sessionStorage.clear();
    sessionStorage.setItem(OUT, "1");
    if (localStorage.getItem(LAST) === this.#principal) localStorage.removeItem(LAST);
  }
}

/** Whether the edge says of a key that it is none; anything else says nothing of the key. */
export const isUnknown = (error: ErrorShape): boolean => /^(AUTH_|KEY_|ORIGIN_)/.test(error.code);

/** Whether nobody answers. */
async function isOffline(): Promise<boolean> {
  if (!navigator.onLine) return true;
  return fetch("/v1/models", { signal: AbortSignal.timeout(REACHED_MS) }).then(
    () => false,
    () => true,
  );
}
