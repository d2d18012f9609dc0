/**
 * Applying what a person signed.
 *
 * Owns the order of things: saved before applied, locked between send and answer, one task for all files.
 */

import {
  type ApplyAnswer,
  type ApplyRequest,
  FILES,
  type FileId,
  type Preview,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import type { Editors } from "@holdpoint/elements/script/editors";
import { type Around, refused } from "./around.js";
import type { Proposing } from "./proposing.js";
import type { Saving } from "./saving.js";
import type { Steps } from "./steps.js";
import type { Talking } from "./talking.js";

/** The open script, as far as applying changes it. */
export interface Applied {
  readonly editors: Editors;
  readonly proposing: Proposing;
  readonly saving: Saving;
  readonly steps: Steps;
  readonly talking: Talking;
  save(): Promise<boolean>;
}

export interface Ends {
  /** The files changed; this is the first of them. */
  applied(first: FileId): void;
  /** Somebody else was first: the two versions are shown. */
  meets(): void;
}

/** The proposal as it was signed. */
interface Seen extends ReturnType<Proposing["result"]> {
  id: string;
  print: string;
}

export class Applying {
  constructor(
    private readonly around: Around,
    private readonly script: Applied,
    private readonly ends: Ends,
  ) {}

  /** Signs what is shown: saves, locks, sends, and then changes all files in one task. */
  async apply(): Promise<void> {
    const { editors, proposing, saving, talking } = this.script;
    if (proposing.closed() || !(await this.script.save())) return;
    const request = proposing.signature(saving.head.revision_id);
    const { kept } = proposing;
    if (!request || !kept) return;
    // As it stands now, and not as it may stand when the answer comes.
    const seen = { id: kept.id, print: proposing.print, ...proposing.result() };
    editors.lock(true);
    proposing.applying(true);
    try {
      const answer = await talking.session.decide({ apply: request, key: kept.id });
      editors.lock(false);
      if (!answer) return;
      if (answer.applied && answer.ok) this.#dispatched(seen, request, answer);
      else proposing.refused(answer, editors.texts());
    } catch (error) {
      editors.lock(false);
      try {
        if (!isRefusal(error)) throw error;
        await this.#refused(error, (error.details?.preview ?? null) as unknown as Preview | null);
      } finally {
        // Not before: what was refused would be open to be signed while the other version is fetched.
        if (proposing.phase === "applying") proposing.applying(false);
      }
    }
  }

  #dispatched(seen: Seen, request: ApplyRequest, answer: ApplyAnswer): void {
    const { editors, proposing, saving, steps } = this.script;
    const after = Object.fromEntries(
      answer.changed_files.map((path) => [path, answer.after_virtual_files[path as FileId]]),
    ) as Partial<VirtualFiles>;
    proposing.close();
    steps.signed({ ...seen, patch: answer.meta.patch_id ?? request.patch_id, after });
    const revision = answer.revision_id ?? saving.head.revision_id;
    saving.stored(revision, after, { can_undo: true, can_redo: false });
    const first = FILES.find((path) => path in after) ?? "tool.py";
    editors.reveal(first, seen.before[first] ?? "");
    this.ends.applied(first);
  }

  /** Nothing was dispatched: the fresh preview of the answer stands instead, and the person looks again. */
  async #refused(error: ErrorShape, preview: Preview | null): Promise<void> {
    const { editors, proposing, saving } = this.script;
    if (error.code === "CONFLICT" && !(await saving.meet())) return this.ends.meets();
    if (error.code === "CONFLICT" || error.code === "CONFIRMATION_REQUIRED")
      return proposing.refused(preview, editors.texts());
    refused(this.around, "apply", error);
    if (error.code === "OFFLINE") void saving.meet();
  }
}
