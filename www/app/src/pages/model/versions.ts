/**
 * The versions that a run keeps: what differs between them, and going back to one.
 *
 * Invariant: while a choice is on its way to the run, nothing is signed.
 */
import type { Core, FileDiff, HumanEvent, RunView, VersionView } from "@holdpoint/core/types";

interface Run {
  readonly view: RunView;
  send(event: HumanEvent): Promise<void>;
}

type Diffs = Readonly<Record<string, FileDiff[]>>;
const NONE: Diffs = {};

export class Versions {
  choosing = false;
  /** Of the versions with these hashes. */
  #known = "";
  #diffs = NONE;

  constructor(
    private readonly run: Run,
    private readonly around: { core: Pick<Core, "diff">; changed(): void },
  ) {}

  /** Of each other version, by its content hash: what differs from it in the one that is shown. */
  get diffs(): Diffs {
    const { state, versions } = this.run.view;
    const shown = versions.find((one) => one.shown);
    if (state !== "review" || !shown || versions.length < 2) return NONE;
    const known = [shown, ...versions].map((one) => one.result_hash).join(" ");
    if (known !== this.#known) {
      this.#diffs = this.#compared(shown, versions);
      this.#known = known;
    }
    return this.#diffs;
  }

  #compared(shown: VersionView, versions: VersionView[]): Diffs {
    const others = versions.filter((one) => one !== shown);
    const { core } = this.around;
    return Object.fromEntries(
      others.map((one) => [one.result_hash, core.diff(one.files, shown.files).files]),
    );
  }

  async choose(hash: string): Promise<void> {
    if (this.choosing) return;
    this.choosing = true;
    this.around.changed();
    try {
      await this.run.send({ type: "Choose", result_hash: hash });
    } finally {
      this.choosing = false;
      this.around.changed();
    }
  }
}
