/** One answer of the edge, as far as it is there: what came before stays where the next answer fails. */
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import type { PartView } from "@holdpoint/elements/usage/view";

export class Part<T> {
  value: T | null = null;
  #state: PartView["state"] = "loading";
  #problem: ErrorShape | null = null;
  #asked = 0;

  constructor(
    private readonly heard: {
      changed(): void;
      /** A failure that concerns the whole page: sign-in, the network. */
      failed(error: ErrorShape): void;
    },
  ) {}

  /** Only the latest question is answered; what was loaded for something else goes first (`fresh`). */
  async load(ask: () => Promise<T>, fresh = false): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    if (fresh) this.value = null;
    if (this.value === null) this.#state = "loading";
    this.heard.changed();
    try {
      const value = await ask();
      if (asked !== this.#asked) return;
      this.value = value;
      this.#state = "ready";
      this.#problem = null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (asked !== this.#asked) return;
      this.heard.failed(error);
      this.#problem = error;
      // Without a network what is there stays, and the page says so once.
      this.#state = error.code === "OFFLINE" && this.value !== null ? "ready" : "failed";
    }
    this.heard.changed();
  }

  /** What it holds was changed here. */
  set(value: T): void {
    this.#asked += 1;
    this.value = value;
    this.#state = "ready";
    this.#problem = null;
    this.heard.changed();
  }

  get problem(): ErrorShape | null {
    return this.#problem;
  }

  get view(): PartView {
    return { state: this.#state, problem: this.#state === "failed" ? this.#problem : null };
  }
}
