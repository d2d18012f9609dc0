/**
 * What an open script keeps on this device: unsaved texts, the words in the composer, the proposal in front, the steps
 * that can be taken back. A reload, a crash or a lost network loses nothing.
 */
import type { Accept, EditOp, FileId, Location, Tool, VirtualFiles } from "@holdpoint/core/editor";
import type { Store } from "@holdpoint/core/types";
import type { Group } from "@holdpoint/elements/script/group";
import { AREA, drafted, TabDrafts } from "../../tab-drafts.js";

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
  /** The conversation was cleared, and the edge has not heard of it. */
  clearing?: boolean;
}

const PREFIX = "script-draft:";
/** Steps that stay reachable on the device after a reload. */
const MAX_STEPS = 5;

export class Drafts {
  private constructor(private readonly drafts: TabDrafts<Draft>) {}

  static async open(store: Store, tool: string): Promise<{ drafts: Drafts; draft: Draft | null }> {
    const { drafts, draft } = await TabDrafts.open<Draft>(
      store,
      `${PREFIX}${tool}:`,
      (one) => one.since,
    );
    return { drafts: new Drafts(drafts), draft };
  }

  keep(draft: Draft): Promise<void> {
    const nothing =
      !Object.keys(draft.files).length &&
      !draft.asking &&
      !draft.proposal &&
      !draft.clearing &&
      !draft.undoable.length &&
      !draft.redoable.length;
    const undoable = draft.undoable.slice(-MAX_STEPS);
    const redoable = draft.redoable.slice(-MAX_STEPS);
    return this.drafts.keep(nothing ? null : { ...draft, undoable, redoable });
  }

  close(): void {
    this.drafts.close();
  }
}

/** The last stored state of a script that this device saw, for opening it without a network. */
export const copies = {
  keep: (store: Store, tool: Tool): Promise<void> =>
    store.put(AREA, `script-copy:${tool.tool_id}`, tool),
  get: (store: Store, id: string): Promise<Tool | undefined> =>
    store.get<Tool>(AREA, `script-copy:${id}`),
};

/** Nothing of a script stays on this device. */
export async function forget(store: Store, id: string): Promise<void> {
  const own = (await store.keys(AREA)).filter(
    (key) => /^script-[^:]+:/.test(key) && key.split(":")[1] === id,
  );
  await Promise.all(own.map((key) => store.delete(AREA, key)));
}

/** What waits on this device, by script. */
export async function waiting(
  store: Store,
): Promise<Map<string, { unsaved: boolean; proposal: boolean }>> {
  const out = new Map<string, { unsaved: boolean; proposal: boolean }>();
  for (const [id, draft] of await drafted<Draft>(store, PREFIX)) {
    const had = out.get(id);
    out.set(id, {
      unsaved: (had?.unsaved ?? false) || Object.keys(draft.files).length > 0,
      proposal: (had?.proposal ?? false) || !!draft.proposal,
    });
  }
  return out;
}
