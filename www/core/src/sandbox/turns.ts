/** Work that is done one at a time, in the order in which it was asked for. */

/** Lets others have the turn until something has come; then waits for a turn again. */
export type Meanwhile = <T>(coming: Promise<T>) => Promise<T>;

export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Does `work` when everything that was asked before is done, or lets it between. */
  async inOrder<T>(work: (meanwhile: Meanwhile) => Promise<T>): Promise<T> {
    let done = await this.#taken();
    const meanwhile: Meanwhile = async (coming) => {
      done();
      try {
        return await coming;
      } finally {
        done = await this.#taken();
      }
    };
    try {
      return await work(meanwhile);
    } finally {
      done();
    }
  }

  /** Waits for its turn; answers what ends it. */
  async #taken(): Promise<() => void> {
    const before = this.#last;
    let done = (): void => undefined;
    this.#last = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    return done;
  }
}
