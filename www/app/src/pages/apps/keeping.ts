/**
 * Text that no version has, kept twice: on this device at once, and at the edge a moment later, so that it is there on
 * another one (app-builder.md §3 `working-copy`).
 */
import type { Files } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { AppEditors } from "@holdpoint/elements/apps/editors";
import { type Around, failed } from "./around.js";
import type { KeptDraft, KeptDrafts } from "./kept.js";
import type { Saving } from "./saving.js";

export class Keeping {
  /** The edge keeps text of this page. */
  #sent = false;

  constructor(
    private readonly around: Around,
    private readonly drafts: KeptDrafts,
    private readonly saving: Saving,
    private readonly editors: AppEditors,
  ) {}

  /** `asking`: the words in the composer. */
  async keep(asking: string): Promise<void> {
    const { head, dirty } = this.saving;
    const pick = (files: Files): Files =>
      Object.fromEntries(Object.entries(files).filter(([path]) => dirty.has(path)));
    await this.drafts.keep({
      base_revision_id: head.version.id,
      base: pick(head.files),
      files: pick(dirty.size ? this.editors.texts() : {}),
      paths: [...dirty],
      asking,
      at: Date.now(),
    });
  }

  /** The edge keeps what is not saved, and lets it go once it is. False where it could not be sent. */
  async send(): Promise<boolean> {
    const { head, dirty, two, app } = this.saving;
    const some = dirty.size > 0;
    if (!some && !this.#sent) return true;
    if (two || !this.around.online()) return false;
    const files = some ? this.editors.texts() : head.files;
    try {
      await this.around.api.keepWork(app, { base_revision_id: head.version.id, files });
      this.#sent = some;
      return true;
    } catch (error) {
      // It is kept on this device; the next change asks again.
      failed(this.around, error);
      return false;
    }
  }

  /** What this device kept comes back, else what the edge kept; where the draft moved meanwhile, the two meet. */
  async restore(draft: KeptDraft | null): Promise<void> {
    if (draft?.paths.length) {
      const over = (files: Files): Files => {
        const rest = Object.entries(this.saving.head.files).filter(
          ([path]) => !draft.paths.includes(path),
        );
        return { ...Object.fromEntries(rest), ...files };
      };
      this.#sent = true;
      return this.#back(draft.base_revision_id, over(draft.base), over(draft.files));
    }
    if (!this.around.online()) return;
    try {
      const kept = await this.around.api.keptWork(this.saving.app);
      if (!kept || !Object.keys(kept.files).length) return;
      const { head } = this.saving;
      const same = kept.base_revision_id === head.version.id;
      const base = same ? head.files : (await this.saving.read(kept.base_revision_id)).files;
      this.#sent = true;
      await this.#back(kept.base_revision_id, base, kept.files);
    } catch (error) {
      failed(this.around, error);
    }
  }

  async #back(base: string, before: Files, now: Files): Promise<void> {
    const { head } = this.saving;
    this.editors.replace(now);
    if (base !== head.version.id) {
      this.saving.head = { version: { ...head.version, id: base }, files: before };
      this.saving.compared();
      if (!(await this.saving.join(head))) return;
    }
    this.saving.compared();
    if (this.saving.dirty.size) this.around.toast(t("apps.kept.back"));
  }
}
