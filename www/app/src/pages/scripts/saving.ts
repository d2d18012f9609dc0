/**
 * The stored head of a script and the texts of this page: saving by hand, and what happens when another tab was first.
 *
 * Invariant: nothing is sent over a head that this page has not seen, and no text of either side is dropped before a
 * person decided (script-tool.md §6).
 */
import {
  FILES,
  type FileId,
  local,
  type Step,
  type Tool,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import { isRefusal } from "@holdpoint/core/session";
import { format, t } from "@holdpoint/elements";
import type { Editors } from "@holdpoint/elements/script/editors";
import type { ProposedFile, ScriptView, TwoVersionsView } from "@holdpoint/elements/script/view";
import { type Around, failed, moment, refused } from "./around.js";
import { copies } from "./draft.js";

interface Two {
  theirs: Tool;
  paths: FileId[];
  decided: Record<string, Record<string, boolean>>;
  at: number;
}

export class Saving {
  head: Tool;
  saving = false;
  two: Two | null = null;
  /** Since when there is text that is not saved. */
  since = 0;
  #savedAt: number | null;

  constructor(
    tool: Tool,
    private readonly around: Around,
    private readonly editors: Editors,
    private readonly told: (revision: string) => void,
  ) {
    this.head = tool;
    this.#savedAt = tool.updated_at === undefined ? null : moment(tool.updated_at);
  }

  dirty(): FileId[] {
    return FILES.filter((path) => this.editors.text(path) !== this.head.virtual_files[path]);
  }

  /** A step was stored: it is the head from now on. */
  stored(
    revision: string,
    files: Partial<VirtualFiles>,
    can: Partial<Pick<Step, "can_undo" | "can_redo">>,
  ): void {
    this.head = {
      ...this.head,
      revision_id: revision,
      virtual_files: { ...this.head.virtual_files, ...files },
      ...can,
    };
    this.#savedAt = Date.now();
    if (!this.dirty().length) this.since = 0;
    void copies.keep(this.around.store, this.head);
    this.told(revision);
    this.around.done();
  }

  /** It has another title; no version was made of that. */
  renamed(title: string): void {
    this.head = { ...this.head, title };
    void copies.keep(this.around.store, this.head);
    this.around.changed();
  }

  /** Saves what is not saved. False: it was not, and the page says why. */
  async save(): Promise<boolean> {
    const paths = this.dirty();
    if (this.two || this.saving) return false;
    if (!paths.length) return true;
    if (!this.around.online()) {
      this.around.refused("save", { code: "OFFLINE", message: "" });
      return false;
    }
    this.saving = true;
    this.around.changed();
    const sent = Object.fromEntries(
      paths.map((path) => [path, this.editors.text(path)]),
    ) as Partial<VirtualFiles>;
    try {
      const { revision_id } = await this.around.api.save(
        this.head.tool_id,
        this.head.revision_id,
        sent,
      );
      this.saving = false;
      this.editors.groups.redoable = [];
      this.stored(revision_id, sent, { can_redo: false });
      return true;
    } catch (error) {
      this.saving = false;
      if (!isRefusal(error)) throw error;
      if (error.code === "CONFLICT") return (await this.meet()) && this.save();
      refused(this.around, "save", error);
      this.around.changed();
      return false;
    }
  }

  /**
   * Somebody else was first: what only one side changed is taken together, what both changed is shown to the person.
   * False while that is undecided.
   */
  async meet(): Promise<boolean> {
    let theirs: Tool;
    try {
      theirs = await this.around.api.tool(this.head.tool_id);
    } catch (error) {
      failed(this.around, error);
      return false;
    }
    return this.join(theirs);
  }

  join(theirs: Tool): boolean {
    if (theirs.revision_id === this.head.revision_id) return true;
    const base = this.head.virtual_files;
    const mine = this.editors.texts();
    const both = FILES.filter(
      (path) =>
        mine[path] !== base[path] &&
        theirs.virtual_files[path] !== base[path] &&
        mine[path] !== theirs.virtual_files[path],
    );
    if (both.length) {
      this.two = { theirs, paths: both, decided: {}, at: Date.now() };
      this.around.changed();
      return false;
    }
    const had = this.dirty();
    this.editors.replace(
      Object.fromEntries(
        FILES.filter((path) => mine[path] === base[path]).map((path) => [
          path,
          theirs.virtual_files[path],
        ]),
      ),
    );
    this.head = theirs;
    this.#savedAt = theirs.updated_at === undefined ? Date.now() : moment(theirs.updated_at);
    void copies.keep(this.around.store, theirs);
    this.around.toast(t(had.length ? "script.two.merged" : "script.two.updated"));
    this.around.changed();
    return true;
  }

  decide(path: string, id: string, mine: boolean): void {
    if (!this.two) return;
    this.two = {
      ...this.two,
      decided: { ...this.two.decided, [path]: { ...this.two.decided[path], [id]: mine } },
    };
    this.around.changed();
  }

  /** The two versions: saved together, mine kept as a script of its own, or theirs. */
  async settle(way: "save" | "copy" | "take"): Promise<void> {
    const two = this.two;
    if (!two) return;
    const mine = this.editors.texts();
    const joined = { ...theirsOf(two), ...(way === "save" ? this.#joined(two) : {}) };
    try {
      if (way === "copy") {
        const title = t("script.copy.title", { title: this.head.title });
        await this.around.api.create(title, { virtual_files: mine });
        this.around.toast(t("script.two.copied", { title }));
      }
    } catch (error) {
      refused(this.around, "create", error);
      return;
    }
    const base = this.head.virtual_files;
    this.two = null;
    this.head = two.theirs;
    this.editors.replace({
      ...Object.fromEntries(
        FILES.filter((path) => mine[path] === base[path]).map((path) => [
          path,
          two.theirs.virtual_files[path],
        ]),
      ),
      ...joined,
    });
    this.around.changed();
    if (way !== "take" || this.dirty().length) await this.save();
  }

  #joined(two: Two): Partial<VirtualFiles> {
    return Object.fromEntries(
      this.#files(two).map((file) => {
        const accept = file.diff.hunks
          .map((hunk) => hunk.id)
          .filter((id) => two.decided[file.path]?.[id] === true);
        return [
          file.path,
          this.around.core.call<{ text: string }>("text.select", {
            before: file.before,
            after: file.after,
            accept,
          }).text,
        ];
      }),
    );
  }

  #files(two: Two): ProposedFile[] {
    return two.paths.map((path) => {
      const [before, after] = [two.theirs.virtual_files[path], this.editors.text(path)];
      return { path, before, after, diff: this.around.core.textDiff(before, after) };
    });
  }

  view(layout: "split" | "uni"): TwoVersionsView | null {
    const { two } = this;
    if (!two) return null;
    return {
      at: two.theirs.updated_at === undefined ? two.at : moment(two.theirs.updated_at),
      since: this.since || two.at,
      files: this.#files(two),
      decided: two.decided,
      print: this.#print(two),
      saving: this.saving,
      layout,
    };
  }

  /** The fingerprint of what would be saved over theirs, as far as it is decided. */
  #print(two: Two): string {
    const theirs = two.theirs.virtual_files;
    const hash = local.resultHash(this.around.core, theirs, { ...theirs, ...this.#joined(two) });
    return hash ? format.fingerprint(hash) : "";
  }

  /** What keeps a proposal from being signed. */
  blocks(): "saving" | "elsewhere" | "" {
    if (this.two) return "elsewhere";
    return this.saving ? "saving" : "";
  }

  saved(): ScriptView["saved"] {
    return { state: this.#state(), at: this.#savedAt };
  }

  #state(): ScriptView["saved"]["state"] {
    if (this.two) return "elsewhere";
    if (this.saving) return "saving";
    if (!this.dirty().length) return "saved";
    return this.around.online() ? "unsaved" : "offline";
  }
}

const theirsOf = (two: Two): Partial<VirtualFiles> =>
  Object.fromEntries(two.paths.map((path) => [path, two.theirs.virtual_files[path]]));
