/** Answers to what is asked while drawing, each asked once, and a drawing when one is there. */
export class Answers<T> {
  /** Null: no answer came of it; undefined: it is on its way. */
  readonly #known = new Map<string, T | null | undefined>();

  constructor(private readonly changed: () => void) {}

  get(key: string, ask: () => Promise<T>): T | null | undefined {
    if (!this.#known.has(key)) {
      const take = (value: T | null): void => {
        this.#known.set(key, value);
        this.changed();
      };
      this.#known.set(key, undefined);
      ask().then(take, () => take(null));
    }
    return this.#known.get(key);
  }
}
