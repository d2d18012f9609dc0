/** Who asks, for the edge: the token, taken once from the address, kept for this tab, forgotten with it. */
const KEY = "holdpoint.token";

export class Credential {
  #token: string | undefined;

  /** Takes `#token=…` out of the address bar, before anything is loaded or logged. */
  static open(): Credential {
    const credential = new Credential();
    const found = new URLSearchParams(location.hash.slice(1)).get("token");
    if (found) {
      history.replaceState(null, "", location.pathname + location.search);
      credential.take(found);
    } else credential.#token = sessionStorage.getItem(KEY) ?? undefined;
    return credential;
  }

  get token(): string | undefined {
    return this.#token;
  }

  take(token: string): void {
    this.#token = token;
    sessionStorage.setItem(KEY, token);
  }

  forget(): void {
    this.#token = undefined;
    sessionStorage.removeItem(KEY);
  }
}
