/**
 * Applying what a person signed, and taking it back.
 *
 * Owns the order of things: what is sent are the hashes of what is shown; a dialog comes first where something is
 * deleted or looks like a secret; a conflict brings a fresh change and asks again (ai-sessions.md §11, crew-package.md
 * §10.1). An undo is the inverse, applied at once: who presses it has signed what comes back.
 */
import type {
  Applied,
  ApplyBody,
  ChangePreview,
  Revision,
  RevisionBase,
  SetFinding,
} from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import type { Around } from "./around.js";
import { type Change, isNewer, printOf } from "./change.js";

/** What an apply finds at the bench, and leaves there. */
export interface Signed {
  readonly change: Change | null;
  /** Reads the newest proposal again, and shows it. */
  fresh(): Promise<Change | null>;
  /** The newest proposal, checked and not shown. Throws a refusal. */
  newest(): Promise<Change | null>;
  /** It was applied: nothing is proposed any more. */
  wrote(change: Change, answer: Applied): void;
  decide(body: ApplyBody): Promise<Applied>;
}

export interface Conflict {
  before: Change;
  objects: readonly string[];
  /** What was saved meanwhile, newest first, as far as the edge knows. */
  saved: readonly Revision[];
}

/** What was applied last, and can be taken back. */
export interface Written {
  change: Change;
  print: string;
  at: number;
  newer: readonly SetFinding[];
  /** The counters that came of it. */
  counters: RevisionBase;
  /** It took back what was applied before. */
  undone: boolean;
}

export class Applying {
  sending = false;
  /** The dialog is open; whether its tick is set. */
  confirm: { confirmed: boolean } | null = null;
  conflict: Conflict | null = null;
  written: Written | null = null;
  undoing = false;
  /** The set that takes back what was applied. */
  inverse = "";
  /** Whether that set takes back an apply, and not an undo. */
  #takesBack = true;

  constructor(
    private readonly around: Around,
    private readonly bench: Signed,
  ) {}

  /** Another proposal stands there: what was said of the last one is over. */
  reset(): void {
    this.confirm = null;
    this.conflict = null;
  }

  /** The signature in the foot: asks first where it has to. */
  async sign(): Promise<void> {
    const preview = this.bench.change?.answer.preview;
    if (!preview || this.sending) return;
    if (preview.confirm.length) this.confirm = { confirmed: false };
    else await this.#apply(this.bench.change);
    this.around.changed();
  }

  tick(confirmed: boolean): void {
    if (this.confirm) this.confirm = { confirmed };
    this.around.changed();
  }

  back(): void {
    if (this.sending || !this.confirm) return;
    this.confirm = null;
    this.around.changed();
    this.around.focus("foot");
  }

  /** The signature in the dialog. */
  async confirmed(): Promise<void> {
    if (this.confirm?.confirmed) await this.#apply(this.bench.change);
  }

  async #apply(change: Change | null): Promise<void> {
    const preview = change?.answer.preview;
    if (!change || !preview || this.sending) return;
    this.sending = true;
    this.around.changed();
    try {
      const answer = await this.bench.decide(bodyOf(change, preview));
      this.reset();
      this.written = {
        change,
        print: printOf(change),
        at: Date.now(),
        newer: answer.warnings.filter(isNewer),
        counters: answer.newRevision,
        undone: change.suggestion.changeSetId === this.inverse && this.#takesBack,
      };
      this.inverse = "";
      this.bench.wrote(change, answer);
      this.around.done();
      this.around.focus("middle");
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#refused(error, change);
    } finally {
      this.sending = false;
      this.around.changed();
    }
  }

  /** Nothing was written: where the edge has a fresh change, it stands instead. */
  async #refused(error: ErrorShape, before: Change): Promise<void> {
    this.confirm = null;
    if (error.code !== "OFFLINE") this.written = null;
    if (error.code === "CONFLICT") {
      const { objects, saved } = error.details ?? {};
      await this.bench.fresh();
      this.conflict = {
        before,
        objects: Array.isArray(objects) ? objects.map(keyOf) : [],
        saved: Array.isArray(saved) ? (saved as unknown as Revision[]) : [],
      };
      this.around.focus("middle");
      return;
    }
    this.around.failed(error);
    this.around.refused("apply", error);
    if (error.code !== "OFFLINE") await this.bench.fresh();
  }

  /** Takes back what was applied. What cannot be taken back as it is stands there as a proposal, with the reason. */
  async undo(session: string): Promise<void> {
    const set = this.written?.change.suggestion.changeSetId;
    if (!set || this.undoing) return;
    this.undoing = true;
    this.#takesBack = !this.written?.undone;
    this.around.changed();
    try {
      const { changeSetId } = await this.around.sessions.revert(session, set);
      this.inverse = changeSetId;
      const inverse = await this.bench.newest();
      const whole = inverse?.answer.preview && inverse.answer.validation?.valid !== false;
      if (whole) return await this.#apply(inverse);
      this.written = null;
      await this.bench.fresh();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.around.failed(error);
      this.around.refused("undo", error);
    } finally {
      this.undoing = false;
      this.around.changed();
    }
  }
}

/** An object that stands in the way: a key, or a row that has one. */
const keyOf = (said: unknown): string =>
  typeof said === "string" ? said : String((said as { object?: unknown } | null)?.object ?? "");

function bodyOf({ suggestion }: Change, preview: ChangePreview): ApplyBody {
  const { changeSetId, baseHash, resultHash, confirmToken } = preview;
  const { revisions } = suggestion.changeSet;
  return {
    changeSetId,
    confirmSource: "ui_manual_apply",
    ...(revisions ? { revisionBase: revisions } : {}),
    preview: { baseHash, resultHash },
    ...(confirmToken ? { confirmToken } : {}),
  };
}
