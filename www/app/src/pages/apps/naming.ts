/**
 * Names of files in a request that fit several: they are asked about before it is sent (vite-app.md §10).
 *
 * Invariant: never a silent guess; a person chooses the file, or leaves the name as it is.
 */
import { isRefusal } from "@holdpoint/core/session";
import { named } from "@holdpoint/elements/talk/mentions";
import type { SeveralView } from "@holdpoint/elements/talk/view";
import type { Around } from "./around.js";

/** Of the answer of `mentions.resolve` what is asked about. */
interface Mention {
  raw: string;
  start: number;
  end: number;
  status: "resolved" | "folder" | "ambiguous" | "unknown";
  candidates?: string[];
}

/** The lines behind a name, which stay behind the file that is chosen. */
const LINES = /(:\d+(-\d+)?|#L\d+(-L?\d+)?)$/;

export class Naming {
  #open: readonly Mention[] = [];
  /** Names that a person leaves as they are. */
  #left = new Set<string>();

  constructor(
    private readonly around: Pick<Around, "checks">,
    private readonly paths: () => readonly string[],
  ) {}

  /** Whether names of a text have to be decided first. */
  async asks(text: string): Promise<boolean> {
    this.#open = [];
    if (!text.includes("@")) return false;
    try {
      const { mentions } = await this.around.checks.call<{ mentions: Mention[] }>(
        "mentions.resolve",
        { text, paths: this.paths() },
      );
      this.#open = mentions.filter(
        ({ status, raw }) => status === "ambiguous" && !this.#left.has(raw),
      );
    } catch (error) {
      // The edge resolves them too, and says what it did not find.
      if (!isRefusal(error)) throw error;
    }
    return this.#open.length > 0;
  }

  /** The text with a file in the place of a name; null: the name is left. */
  decided(text: string, raw: string, path: string | null): string {
    if (path === null) {
      this.#left.add(raw);
      return text;
    }
    return this.#open
      .filter((one) => one.raw === raw)
      .toReversed()
      .reduce((now, { start, end }) => {
        const lines = LINES.exec(raw)?.[0] ?? "";
        return now.slice(0, start) + named(path) + lines + now.slice(end);
      }, text);
  }

  /** Other words: what was open in those before is no question any more. */
  forget(): void {
    this.#open = [];
  }

  /** The request was taken. */
  done(): void {
    this.#open = [];
    this.#left.clear();
  }

  get view(): readonly SeveralView[] {
    const seen = new Set<string>();
    return this.#open
      .filter(({ raw }) => !seen.has(raw) && seen.add(raw))
      .map(({ raw, candidates = [] }) => ({ raw, candidates }));
  }
}
