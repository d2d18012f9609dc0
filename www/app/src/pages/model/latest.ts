/**
 * The answer to what is asked while drawing: the last one that came, and a drawing when a newer one is there.
 *
 * Invariant: an answer to an older question never covers one to a newer question.
 */
export class Latest<T> {
  #key: string | undefined;
  #value: T | null = null;
  #pending: Promise<void> | undefined;

  constructor(private readonly changed: () => void) {}

  /** What is known of `key`, or of the question before while this one is asked; null where nothing is. */
  get(key: string, ask: () => Promise<T>): T | null {
    if (key !== this.#key) {
      this.#key = key;
      const pending: Promise<void> = ask().then(
        (value) => this.#take(pending, value),
        () => this.#take(pending, null),
      );
      this.#pending = pending;
    }
    return this.#value;
  }

  /** Whether the last question is answered. */
  get settled(): boolean {
    return this.#pending === undefined;
  }

  /** Forgets everything: the next question is asked anew. */
  clear(): void {
    this.#key = undefined;
    this.#value = null;
    this.#pending = undefined;
  }

  #take(pending: Promise<void>, value: T | null): void {
    if (this.#pending !== pending) return;
    this.#pending = undefined;
    this.#value = value;
    this.changed();
  }
}
