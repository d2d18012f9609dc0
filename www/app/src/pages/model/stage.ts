/**
 * What a trial shows on the page: what it selects, and its colours.
 *
 * Invariant: once it is cleared the page is as it was before, but for what a person selected since.
 */
import type { Groups } from "./colours.js";
import { type Opening, sameSelection } from "./opening.js";

interface Selection {
  /** The models that extensions saw. */
  sight: string;
  /** What was selected before. */
  before: number[];
  made: number[];
}

interface Around {
  opening: Opening;
  /** Draws the colours of what is installed again. */
  recolour(): void;
}

export class Stage {
  #selection: Selection | null = null;

  constructor(private readonly around: Around) {}

  /** What the trial selected last, where nothing else is selected since. */
  get #own(): Selection | null {
    const { sight, model } = this.around.opening;
    const last = this.#selection;
    return last?.sight === sight && sameSelection(model.selected, last.made) ? last : null;
  }

  /** What is selected without the trial. */
  get untouched(): number[] {
    return this.#own?.before ?? this.around.opening.model.selected;
  }

  select(ids: number[]): Promise<boolean> {
    const { opening } = this.around;
    this.#selection = { sight: opening.sight, before: this.untouched, made: ids };
    return opening.select(ids);
  }

  colour(name: string, groups: Groups): void {
    this.around.opening.colour(name, groups);
  }

  clear(): void {
    this.around.recolour();
    const own = this.#own;
    this.#selection = null;
    if (own) void this.around.opening.select(own.before);
  }
}
