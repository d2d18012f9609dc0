/** A result that a person says is wrong: it becomes a test that fails, and then a repair (authoring.md §7). */
import type { EventKind, RunView } from "@holdpoint/core/types";
import { t, type WrongField, type WrongView } from "@holdpoint/elements";
import type { Picked } from "@holdpoint/elements/dock/pick";
import type { Around } from "./change.js";

type TestFirst = NonNullable<Extract<EventKind, { type: "Repair" }>["test"]>;

/** What a person says is wrong: how it is called, and what asks for its repair. */
export interface Repairable {
  name: string;
  repair(text: string, test: TestFirst): Promise<void>;
}

/** Elements that are named; more say how many. */
const MAX_NAMED = 20;
const MAX_NAME_CHARS = 80;

const nothing = { where: "", shows: "", should: "", why: "", elements: [] };

export class Wrong {
  #said: Omit<WrongView, "selected"> | null = null;

  constructor(
    /** Null while nothing can be said of it. */
    private readonly of: () => Repairable | null,
    private readonly around: Pick<Around, "changed" | "selection">,
  ) {}

  get view(): WrongView | null {
    if (!this.#said || !this.of()) return null;
    return { ...this.#said, selected: this.around.selection().length };
  }

  open(): void {
    this.#said ??= nothing;
    this.around.changed();
  }

  /** A person points at it in the preview. */
  pick({ where, shows }: Picked): void {
    if (this.#said) this.#said = { ...this.#said, where, shows };
    this.around.changed();
  }

  write(name: WrongField, value: string): void {
    if (!this.#said) return;
    if (name !== "elements") this.#said = { ...this.#said, [name]: value };
    else this.#said = { ...this.#said, elements: value ? this.#selected() : [] };
    this.around.changed();
  }

  #selected(): string[] {
    const names = this.around.selection().map((name) => name.slice(0, MAX_NAME_CHARS));
    const more = names.length - MAX_NAMED;
    return [...names.slice(0, MAX_NAMED), ...(more > 0 ? [t("wrong.more", { n: more })] : [])];
  }

  /** The test that shows it is asked for; what comes `then` is the repair, or nothing. */
  async go(test: TestFirst): Promise<void> {
    const [view, of] = [this.view, this.of()];
    if (!of || !view?.should.trim()) return;
    const { where, shows, should, why, elements } = view;
    const lines = [
      t("wrong.words", {
        name: of.name,
        where: where.trim() || t("wrong.words.result"),
        shows: shows.trim() || "?",
        should: should.trim(),
      }),
      elements.length ? t("wrong.words.elements", { elements: elements.join(", ") }) : "",
      why.trim(),
    ];
    await of.repair(lines.filter(Boolean).join("\n"), test);
  }

  /** The run left the review: what was said is what it works at. */
  moved({ state }: RunView): void {
    if (state !== "review") this.#said = null;
  }

  leave(): void {
    this.#said = null;
    this.around.changed();
  }
}
