// What a place in a program may name and do.

import type { Dice } from "./dice.ts";

/** How a function is written. */
export interface Sort {
  generator: boolean;
  async: boolean;
}

/** A declared name. */
interface Name {
  name: string;
  /** Whether it may be assigned to. */
  mutable: boolean;
}

/** Numbers of names in a program. */
export interface Counter {
  next: number;
}

/** A place: the names in sight, and which jumps and words are allowed. */
export class Scope {
  readonly names: Name[] = [];
  /** Labels of blocks around, and those of loops. */
  labels: { label: string; loop: boolean }[] = [];
  inLoop = false;
  inSwitch = false;
  /** Inside a function whose `return` is no end of the program. */
  inFunction = false;
  /** Inside a `finally`, and in no function inside that. */
  inFinally = false;
  sort: Sort = { generator: false, async: true };
  /** `this`, `super.` and `arguments`. */
  has = { this: false, super: false, arguments: false };
  /** Private names of the classes around. */
  privates: string[] = [];

  constructor(
    readonly counter: Counter,
    readonly outer: Scope | null = null,
  ) {}

  /** A block inside. */
  block(change: Partial<Scope> = {}): Scope {
    const inner = new Scope(this.counter, this);
    const { labels, inLoop, inSwitch, inFunction, inFinally, sort, has, privates } = this;
    return Object.assign(
      inner,
      { labels, inLoop, inSwitch, inFunction, inFinally, sort, has, privates },
      change,
    );
  }

  /** The inside of a function; arrows keep what their surroundings have. */
  body(sort: Sort, arrow: boolean, method = false): Scope {
    const has = arrow ? this.has : { this: method, super: method, arguments: true };
    const outside = { labels: [], inLoop: false, inSwitch: false, inFinally: false };
    return this.block({ ...outside, inFunction: true, sort, has });
  }

  /** A name that no other place of the program has. */
  fresh(letter = "v"): string {
    this.counter.next += 1;
    return `${letter}${this.counter.next}`;
  }

  declare(name: string, mutable: boolean): string {
    this.names.push({ name, mutable });
    return name;
  }

  /** Every name in sight. */
  private all(): Name[] {
    return [...(this.outer?.all() ?? []), ...this.names];
  }

  /** A name in sight; the nearer ones more often. */
  name(dice: Dice): string | null {
    const all = this.all();
    return all.length === 0 ? null : dice.of(dice.chance(60) ? all.slice(-5) : all).name;
  }

  /** A name that may be assigned to. */
  target(dice: Dice): string | null {
    const all = this.all().filter((own) => own.mutable);
    return all.length === 0 ? null : dice.of(dice.chance(60) ? all.slice(-4) : all).name;
  }
}
