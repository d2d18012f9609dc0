// Numbers by a seed: the same seed draws the same program, on every machine.

/** A generator of numbers (mulberry32). */
export class Dice {
  constructor(private state: number) {}

  /** A whole number from 0 to below `count`. */
  upTo(count: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }

  /** Whether a thing of so many hundredths happens. */
  chance(percent: number): boolean {
    return this.upTo(100) < percent;
  }

  /** One of a list. */
  of<T>(list: readonly T[]): T {
    return list[this.upTo(list.length)] as T;
  }

  /** From `least` to `most` things, each drawn. */
  list<T>(least: number, most: number, draw: (index: number) => T): T[] {
    const count = least + this.upTo(most - least + 1);
    return Array.from({ length: count }, (_, index) => draw(index));
  }
}
