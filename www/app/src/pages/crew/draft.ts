/**
 * What of a package this device keeps: the last stored state that it saw, and the edits of a person on it.
 *
 * Invariant: an edit leaves the device only when it was stored, or dropped by the person.
 */
import type { Bundle, Project } from "@holdpoint/core/crew";
import type { Store } from "@holdpoint/core/types";

const AREA = "drafts";
const COPY = "crew-copy:";
const DRAFT = "crew-draft:";

/** A file as it was stored when its edit began, and as it is now; null: it is not there. */
export interface Edit {
  was: string | null;
  now: string | null;
}

export interface Draft {
  edits: Record<string, Edit>;
  /** Paths that a person saved without a network: they are sent when it is back. */
  queued: string[];
}

export interface Copy {
  bundle: Bundle;
  project: Project | null;
}

export const copies = {
  keep: (store: Store, copy: Copy): Promise<void> =>
    store.put(AREA, COPY + copy.bundle.projectId, copy),
  get: (store: Store, id: string): Promise<Copy | undefined> => store.get<Copy>(AREA, COPY + id),
  forget: (store: Store, id: string): Promise<void> => store.delete(AREA, COPY + id),
};

export const drafts = {
  async keep(store: Store, id: string, draft: Draft): Promise<void> {
    if (Object.keys(draft.edits).length) await store.put(AREA, DRAFT + id, draft);
    else await store.delete(AREA, DRAFT + id);
  },
  get: (store: Store, id: string): Promise<Draft | undefined> => store.get<Draft>(AREA, DRAFT + id),
  forget: (store: Store, id: string): Promise<void> => store.delete(AREA, DRAFT + id),
};

/** The packages that have edits on this device. */
export async function unsaved(store: Store): Promise<Set<string>> {
  const keys = await store.keys(AREA);
  return new Set(keys.filter((key) => key.startsWith(DRAFT)).map((key) => key.slice(DRAFT.length)));
}
