/**
 * What an open app keeps on this device: text that no version has, and the words in the composer. A reload, a crash or
 * a lost network loses nothing.
 */
import type { BuilderState } from "@holdpoint/core/apps";
import type { Files, Store } from "@holdpoint/core/types";
import { AREA, drafted, TabDrafts } from "../../tab-drafts.js";

export interface KeptDraft {
  base_revision_id: string;
  /** The files of that version, as far as they were changed; a path that is absent was not there. */
  base: Files;
  /** The same paths as they are now; a path that is absent is deleted. */
  files: Files;
  paths: string[];
  asking: string;
  at: number;
}

const PREFIX = "app-draft:";
const COPY = "app-copy:";

export class KeptDrafts {
  private constructor(private readonly drafts: TabDrafts<KeptDraft>) {}

  static async open(
    store: Store,
    app: string,
  ): Promise<{ drafts: KeptDrafts; draft: KeptDraft | null }> {
    const { drafts, draft } = await TabDrafts.open<KeptDraft>(
      store,
      `${PREFIX}${app}:`,
      (one) => one.at,
    );
    return { drafts: new KeptDrafts(drafts), draft };
  }

  keep(draft: KeptDraft): Promise<void> {
    return this.drafts.keep(draft.paths.length || draft.asking ? draft : null);
  }

  close(): void {
    this.drafts.close();
  }
}

/** An app as this device saw it last, for opening it without a network. */
export interface AppCopy {
  state: BuilderState;
  files: Files;
}

export const copies = {
  keep: (store: Store, copy: AppCopy): Promise<void> =>
    store.put(AREA, COPY + copy.state.app.id, copy),
  get: (store: Store, id: string): Promise<AppCopy | undefined> =>
    store.get<AppCopy>(AREA, COPY + id),
  forget: (store: Store, id: string): Promise<void> => store.delete(AREA, COPY + id),
};

/** The apps with text on this device that no version has. */
export async function unsaved(store: Store): Promise<Set<string>> {
  const all = await drafted<KeptDraft>(store, PREFIX);
  return new Set(all.filter(([, draft]) => draft.paths.length).map(([id]) => id));
}
