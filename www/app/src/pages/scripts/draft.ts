/**
 * What an open script keeps on this device: unsaved texts, the words in the composer, the proposal in front, the steps
 * that can be taken back. A reload, a crash or a lost network loses nothing.
 *
 * Each tab has its own record, held by a lock as long as the tab lives; a tab that opens takes over one that nobody
 * holds. So two tabs on one script never write over each other's edits.
 */
import type { Accept, EditOp, FileId, Location, Tool, VirtualFiles } from "@holdpoint/core/editor";
import type { Store } from "@holdpoint/core/types";
import type { Group } from "@holdpoint/elements/script/group";

export interface KeptProposal {
  id: string;
  message: string;
  words: string;
  ops: EditOp[];
  base: VirtualFiles;
  active: FileId;
  location: Location;
  taken: Accept | null;
  at: number;
  repaired: boolean;
}

export interface Draft {
  base_revision_id: string;
  /** Of the files that are not saved: the stored text that they began from, and the text now. */
  base: Partial<VirtualFiles>;
  files: Partial<VirtualFiles>;
  since: number;
  asking: string;
  mode: "chat" | "edit";
  proposal: KeptProposal | null;
  undoable: Group[];
  redoable: Group[];
}

const AREA = "drafts";
const PREFIX = "script-draft:";
/** Steps that stay reachable on the device after a reload. */
const MAX_STEPS = 5;

export class Drafts {
  #key = "";
  #release: () => void = () => undefined;

  private constructor(private readonly store: Store) {}

  /** Takes over what a closed tab left, or begins a record of its own. */
  static async open(store: Store, tool: string): Promise<{ drafts: Drafts; draft: Draft | null }> {
    const drafts = new Drafts(store);
    const mine = `${PREFIX}${tool}:`;
    const found = await Promise.all(
      (await store.keys(AREA))
        .filter((key) => key.startsWith(mine))
        .map(async (key) => ({ key, draft: await store.get<Draft>(AREA, key) })),
    );
    found.sort((a, b) => (b.draft?.since ?? 0) - (a.draft?.since ?? 0));
    for (const { key, draft } of found)
      if (draft && (await drafts.#hold(key))) return { drafts, draft };
    await drafts.#hold(mine + crypto.randomUUID());
    return { drafts, draft: null };
  }

  /** True once this tab alone has the record. Browsers without locks share it. */
  async #hold(key: string): Promise<boolean> {
    if (!("locks" in navigator)) {
      this.#key = key;
      return true;
    }
    return new Promise((resolve) => {
      void navigator.locks.request(`holdpoint ${key}`, { ifAvailable: true }, (lock) => {
        if (!lock) return void resolve(false);
        this.#key = key;
        resolve(true);
        return new Promise<void>((release) => (this.#release = release));
      });
    });
  }

  async keep(draft: Draft): Promise<void> {
    const nothing =
      !Object.keys(draft.files).length &&
      !draft.asking &&
      !draft.proposal &&
      !draft.undoable.length &&
      !draft.redoable.length;
    if (nothing) await this.store.delete(AREA, this.#key);
    else
      await this.store.put(AREA, this.#key, {
        ...draft,
        undoable: draft.undoable.slice(-MAX_STEPS),
        redoable: draft.redoable.slice(-MAX_STEPS),
      });
  }

  close(): void {
    this.#release();
  }
}

/** The last stored state of a script that this device saw, for opening it without a network. */
export const copies = {
  keep: (store: Store, tool: Tool): Promise<void> =>
    store.put(AREA, `script-copy:${tool.tool_id}`, tool),
  get: (store: Store, id: string): Promise<Tool | undefined> =>
    store.get<Tool>(AREA, `script-copy:${id}`),
};

/** What waits on this device, by script. */
export async function waiting(
  store: Store,
): Promise<Map<string, { unsaved: boolean; proposal: boolean }>> {
  const out = new Map<string, { unsaved: boolean; proposal: boolean }>();
  for (const key of await store.keys(AREA)) {
    if (!key.startsWith(PREFIX)) continue;
    const draft = await store.get<Draft>(AREA, key);
    const id = key.slice(PREFIX.length, key.lastIndexOf(":"));
    const had = out.get(id);
    out.set(id, {
      unsaved: (had?.unsaved ?? false) || Object.keys(draft?.files ?? {}).length > 0,
      proposal: (had?.proposal ?? false) || !!draft?.proposal,
    });
  }
  return out;
}
