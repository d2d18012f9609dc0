/** A person's own edits of the files: kept, checked as they are typed, and given to the run when they are saved. */
import type { Files, Inferred, Range, RunView } from "@holdpoint/core/types";
import type { ChangeView } from "@holdpoint/elements";
import type { Around } from "./change.js";

/** An edit is checked this long after the last key. */
const CHECK_MS = 250;

type SourceView = NonNullable<ChangeView["source"]>;

/** Whose files are edited. */
export interface Edited {
  readonly view: RunView;
  checked(): SourceView["check"];
  /** The run hears of the files of a person. */
  edit(files: Files): Promise<void>;
}

export class SourceEdit {
  view: SourceView | null = null;
  /** The edits are in front. */
  shown = false;
  /** The run has not heard of the files yet: what is shown is what they were. */
  writing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly change: Edited,
    private readonly around: Pick<Around, "checks" | "changed">,
  ) {}

  open(at: { path: string; range?: Range } | null): void {
    const { files, edited } = this.change.view;
    if (Object.keys(files).length === 0) return;
    // What nobody edited follows what is shown: another version may have been chosen.
    if (this.view && this.view.files === this.view.base) this.view = null;
    // An edit that did not pass is what its author goes on with.
    this.view ??= {
      base: files,
      files: edited ?? files,
      check: edited ? null : this.change.checked(),
      checkedAt: Date.now(),
      at: null,
    };
    this.view = { ...this.view, at };
    if (!this.view.check) void this.#check();
    this.shown = true;
    this.around.changed();
  }

  edit(files: Files): void {
    if (!this.view) return;
    this.view = { ...this.view, files, at: null };
    this.around.changed();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#check();
    }, CHECK_MS);
  }

  /** Checks the hand edits as they stand; an answer for older ones is dropped. */
  async #check(): Promise<void> {
    const files = this.view?.files;
    if (!files) return;
    const check = await this.#checked(files).catch(() => null);
    if (this.view?.files !== files) return;
    this.view = { ...this.view, check, checkedAt: Date.now() };
    this.around.changed();
  }

  async #checked(files: Files): Promise<SourceView["check"]> {
    const { checks } = this.around;
    const { work, plan } = this.change.view;
    if (work !== "script")
      return checks.check(files, {
        origin: work === "promoted" ? work : "hand",
        ...(plan ? { plan: plan.plan } : {}),
      });
    const [[path, source] = ["", ""]] = Object.entries(files);
    const { ok, diagnostics } = await checks.call<Inferred>("capability.infer", { source });
    return { ok, diagnostics: diagnostics.map((one) => ({ ...one, path })) };
  }

  async save(): Promise<void> {
    const files = this.view?.files;
    if (!files) return;
    await this.#write(files);
  }

  /** Lets the edits go; where a saved one did not pass, the best bundle is checked and shown again. */
  async drop(): Promise<void> {
    const { files, edited } = this.change.view;
    if (edited) await this.#write(files);
    else this.leave(true);
  }

  /** A person's own files. Until the run has them what is shown is what they were, and nothing is signed. */
  async #write(files: Files): Promise<void> {
    this.writing = true;
    this.leave(true);
    try {
      await this.change.edit(files);
    } finally {
      this.writing = false;
      this.around.changed();
    }
  }

  leave(drop: boolean): void {
    if (drop) this.view = null;
    this.shown = false;
    this.around.changed();
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
