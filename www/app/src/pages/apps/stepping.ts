/** One step back or forth in the history of an app, one at a time. */
import type { SteppedVersion } from "@holdpoint/core/apps";
import { t } from "@holdpoint/elements";
import type { StepView } from "@holdpoint/elements/apps/view";
import { type Around, refused } from "./around.js";
import { type Facts, numberOf } from "./facts.js";

export interface StepEnds {
  facts(): Facts;
  /** Text of this page that no version has. */
  unsaved(): boolean;
  /** There is another draft. */
  moved(answer: SteppedVersion): Promise<void>;
}

export class Stepping {
  #busy = false;

  constructor(
    private readonly app: string,
    private readonly around: Around,
    private readonly ends: StepEnds,
  ) {}

  async step(step: "undo" | "redo"): Promise<void> {
    if (!this.view(step).on) return;
    this.#busy = true;
    this.around.changed();
    try {
      const answer = await this.around.api.step(this.app, step, this.ends.facts().draft.id);
      this.around.done();
      await this.ends.moved(answer);
      const n = String(numberOf(answer.restored_from_revision_id) || "");
      this.around.toast(t(step === "undo" ? "apps.undone" : "apps.redone", { n }));
    } catch (error) {
      refused(this.around, "step", error);
    } finally {
      this.#busy = false;
      this.around.changed();
    }
  }

  /** Whether the step can be taken, or why not. */
  view(step: "undo" | "redo"): StepView {
    const off = (reason: string): StepView => ({ on: false, reason });
    if (!this.around.online()) return off(t("apps.off.offline"));
    if (this.ends.unsaved()) return off(t("apps.off.unsaved"));
    if (this.#busy) return off(t("apps.stepping"));
    const { canUndo, canRedo } = this.ends.facts();
    const can = step === "undo" ? canUndo : canRedo;
    return can ? { on: true, reason: "" } : off(t(`apps.${step}.none`));
  }
}
