/**
 * What was signed in an open script, and the way back and forth over it (script-tool.md §11 "One undo").
 *
 * The texts move first, in all files in one task; the edge follows. Without a network they are an edit like any other.
 */
import { FILES, type VirtualFiles } from "@holdpoint/core/editor";
import { isRefusal } from "@holdpoint/core/session";
import { t } from "@holdpoint/elements";
import type { Editors } from "@holdpoint/elements/script/editors";
import type { ScriptView, StepView } from "@holdpoint/elements/script/view";
import type { ProposalCard, Turn } from "@holdpoint/elements/talk/view";
import { type Around, failed, refused } from "./around.js";
import type { Saving } from "./saving.js";

export interface Signed {
  id: string;
  patch: string;
  before: Partial<VirtualFiles>;
  after: Partial<VirtualFiles>;
  places: number;
  of: number;
  print: string;
}
interface Took extends Omit<Signed, "before" | "after"> {
  files: number;
  at: number;
}
type Step = "undo" | "redo";

export class Steps {
  /** The line above the page: what was signed last, while it stands. */
  applied: ScriptView["applied"] = null;
  /** What was signed, by patch: for the words of later steps. */
  readonly #took = new Map<string, Took>();

  constructor(
    private readonly around: Around,
    private readonly editors: Editors,
    private readonly saving: Saving,
    private readonly ends: {
      moved(): void;
      /** What became of the proposal of a call. */
      decided(key: string, as: "applied" | "undone"): void;
    },
  ) {}

  /** Changes all files in one task; from here on it is one step. */
  signed({ before, after, ...what }: Signed): void {
    const took: Took = { ...what, files: Object.keys(after).length, at: Date.now() };
    this.editors.groups.apply({
      patch_id: what.patch,
      before,
      after,
      places: what.places,
      at: took.at,
    });
    this.#took.set(what.patch, took);
    this.applied = {
      print: took.print,
      places: took.places,
      files: took.files,
      at: took.at,
      change: true,
    };
  }

  /** What became of the proposal of a message; null while nothing was decided. */
  card({ key, decided }: Turn): ProposalCard | null {
    if (!decided) return null;
    const took = [...this.#took.values()].find((one) => one.id === key);
    const { files = 0, of: places = 0, places: taken = 0 } = took ?? {};
    return { state: decided.as, files, places, taken, at: decided.at, stalePath: "" };
  }

  /** Back or forth over one signature. */
  async take(step: Step): Promise<void> {
    const view = this.view(step);
    if (!view.on) {
      if (view.reason) this.around.toast(`${t(`script.${step}`)}: ${view.reason}`);
      return;
    }
    const group = this.editors.groups.step(step);
    if (!group) return this.#there(step);
    const took = this.#took.get(group.patch_id);
    if (took) this.ends.decided(took.id, step === "undo" ? "undone" : "applied");
    const files = Object.keys(group.after).length;
    this.applied =
      step === "redo" && took
        ? { print: took.print, places: group.places, files, at: group.at, change: false }
        : null;
    this.around.toast(
      t(step === "undo" ? "script.undone" : "script.redone", {
        places: t("script.places", { n: group.places }),
        files: t("script.files.n", { n: files }),
      }),
    );
    this.ends.moved();
    if (!this.around.online()) return;
    try {
      const { head } = this.saving;
      const answer = await this.around.api.step(head.tool_id, step, head.revision_id);
      this.saving.stored(answer.revision_id, answer.virtual_files, answer);
    } catch (error) {
      // The texts are as the person wants them; what the edge did not take is saved as an edit.
      if (failed(this.around, error).code === "CONFLICT") await this.saving.meet();
    }
    this.ends.moved();
  }

  /** After a reload without what this device kept: the revision still knows the way. */
  async #there(step: Step): Promise<void> {
    this.editors.lock(true);
    try {
      const { head } = this.saving;
      const answer = await this.around.api.step(head.tool_id, step, head.revision_id);
      this.editors.lock(false);
      this.editors.replace(answer.virtual_files);
      this.applied = null;
      this.saving.stored(answer.revision_id, answer.virtual_files, answer);
    } catch (error) {
      this.editors.lock(false);
      if (isRefusal(error) && error.code === "CONFLICT") await this.saving.meet();
      refused(this.around, "step", error);
    }
    this.ends.moved();
  }

  /** Whether the step can be taken, or why not. */
  view(step: Step): StepView {
    const { groups } = this.editors;
    const group = (step === "undo" ? groups.undoable : groups.redoable).at(-1);
    const size = { places: group?.places ?? 0, files: Object.keys(group?.after ?? {}).length };
    const off = (reason: string): StepView => ({ on: false, reason, ...size });
    const on: StepView = { on: true, reason: "", ...size };
    if (group) {
      const path = groups.blocked(step)?.[0];
      return path ? off(t("script.undo.blocked", { path })) : on;
    }
    const { head } = this.saving;
    if (!(step === "undo" ? head.can_undo : head.can_redo)) return off(t(`script.${step}.none`));
    const moved = FILES.find(
      (path) =>
        (step === "undo" && head.undo_blocked?.includes(path)) ||
        this.saving.dirty().includes(path),
    );
    if (moved) return off(t("script.undo.blocked", { path: moved }));
    return this.around.online() ? on : off(t("script.undo.offline"));
  }
}
