/**
 * What a trial shows on the page: what it selects, and its colours.
 *
 * Invariant: once it is cleared the page is as it was before, but for what a person selected since.
 */
import { type Opening, sameSelection } from "./opening.js";

interface Selection {
  file: Blob | null;
  /** What was selected before. */
  before: number[];
  made: number[];
}

interface Around {
  opening: Opening;
  /** Draws the colours of what is installed again. */
  recolour(): void;
}

export type Groups = Parameters<Opening["colour"]>[1];

export class Stage {
  #selection: Selection | null = null;

  constructor(private readonly around: Around) {}

  /** What the trial selected last, where nothing else is selected since. */
  get #own(): Selection | null {
    const { file, model } = this.around.opening;
    const last = this.#selection;
    return last?.file === file && sameSelection(model.selected, last.made) ? last : null;
  }

  /** What is selected without the trial. */
  get untouched(): number[] {
    return this.#own?.before ?? this.around.opening.model.selected;
  }

  select(ids: number[]): Promise<boolean> {
    const { opening } = this.around;
    this.#selection = { file: opening.file, before: this.untouched, made: ids };
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
