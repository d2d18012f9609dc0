/** One question at a time: a name, or whether something may go that no step brings back. */
import type { AskView } from "@holdpoint/elements/shell/asking";

export class Asking {
  #view: AskView | null = null;
  #act: ((name: string) => unknown) | null = null;

  constructor(private readonly changed: () => void) {}

  get view(): AskView | null {
    return this.#view;
  }

  ask(view: AskView, act: (name: string) => unknown): void {
    this.#view = view;
    this.#act = act;
    this.changed();
  }

  go(name: string): void {
    const act = this.#act;
    this.cancel();
    void act?.(name);
  }

  cancel(): void {
    this.#view = null;
    this.#act = null;
    this.changed();
  }
}
