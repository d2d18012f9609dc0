/**
 * The draft and the texts of this page: saving by hand, and what happens when the draft moved meanwhile.
 *
 * Invariant: nothing is sent over a version that this page has not seen, and no text of either side is dropped before a
 * person decided (app-builder.md §1, §4).
 */
import type { AppVersion, SavedVersion } from "@holdpoint/core/apps";
import { isRefusal } from "@holdpoint/core/session";
import type { Diagnostic, ErrorShape, Files, Json } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { AppEditors } from "@holdpoint/elements/apps/editors";
import type { AppConflictView, CodeView } from "@holdpoint/elements/apps/view";
import type { DiffFile } from "@holdpoint/elements/diff/view";
import { type Around, failed, refused } from "./around.js";
import { merged } from "./merging.js";

/** A version with its files. */
export interface Head {
  version: AppVersion;
  files: Files;
}

interface Two {
  theirs: Head;
  /** What fits together, with theirs where both meet. */
  files: Files;
  mine: Files;
  meet: string[];
  decided: Record<string, Record<string, boolean>>;
}

export interface SavingEnds {
  /** There is another draft. */
  moved(version: AppVersion): void;
  /** Texts or what is compared with them changed. */
  texts(): void;
}

export class Saving {
  saving = false;
  two: Two | null = null;
  refused: CodeView["refused"] = null;
  /** Paths whose text is another than the draft's. */
  dirty: ReadonlySet<string> = new Set();
  #once = { of: "", key: "" };

  constructor(
    readonly app: string,
    public head: Head,
    private readonly around: Around,
    private readonly editors: AppEditors,
    private readonly ends: SavingEnds,
  ) {}

  /** A text was changed by a hand. */
  touched(path: string): void {
    const same = this.editors.has(path)
      ? this.editors.text(path) === this.head.files[path]
      : !(path in this.head.files);
    const dirty = new Set(this.dirty);
    if (same) dirty.delete(path);
    else dirty.add(path);
    this.dirty = dirty;
    this.refused = null;
  }

  /** All texts are compared anew. */
  compared(): void {
    const paths = new Set([...this.editors.paths, ...Object.keys(this.head.files)]);
    this.dirty = new Set(
      [...paths].filter((path) =>
        this.editors.has(path)
          ? this.editors.text(path) !== this.head.files[path]
          : path in this.head.files,
      ),
    );
    this.ends.texts();
  }

  /** The texts are the draft's again. */
  drop(): void {
    this.refused = null;
    this.editors.replace(this.head.files);
    this.compared();
  }

  #operations(): Json[] {
    return [...this.dirty]
      .sort()
      .map(
        (path): Json =>
          this.editors.has(path)
            ? { op: "upsert_file", path, content: this.editors.text(path) }
            : { op: "delete_file", path },
      );
  }

  /** Saves what is not saved. False: it was not, and the page says why. */
  async save(): Promise<boolean> {
    if (this.two || this.saving) return false;
    if (!this.dirty.size) return true;
    if (!this.around.online()) {
      this.around.refused("save", { code: "OFFLINE", message: "" });
      return false;
    }
    const operations = this.#operations();
    const sent = this.editors.texts();
    const base_revision_id = this.head.version.id;
    const of = JSON.stringify([base_revision_id, operations]);
    if (this.#once.of !== of) this.#once = { of, key: crypto.randomUUID() };
    this.saving = true;
    this.refused = null;
    this.around.changed();
    try {
      const { app } = this;
      const body = { base_revision_id, operations };
      const saved = await this.around.api.save(app, body, this.#once.key);
      this.saving = false;
      this.#saved(saved, sent);
      return true;
    } catch (error) {
      this.saving = false;
      if (!isRefusal(error)) throw error;
      // Where an answer came, the same request is another one; where none did, it may have been done.
      if (error.code !== "OFFLINE") this.#once = { of: "", key: "" };
      if (error.code === "REVISION_CONFLICT") return (await this.meet()) && this.save();
      this.#refused(error);
      return false;
    }
  }

  #saved(saved: SavedVersion, sent: Files): void {
    this.head = { version: saved, files: saved.files ?? sent };
    this.compared();
    this.around.done();
    this.around.toast(t("apps.saved", { n: String(saved.number) }));
    this.ends.moved(saved);
  }

  /** What is wrong with the text stands beside it; all else above the page. */
  #refused(error: ErrorShape): void {
    const found = error.details?.diagnostics;
    const findings = (Array.isArray(found) ? found : []) as unknown as Diagnostic[];
    if (findings.length || error.code.startsWith("BUILDER_")) this.refused = { error, findings };
    else refused(this.around, "save", error);
    this.around.changed();
  }

  /** The draft moved: what only one side changed is taken together. False while a person has to decide. */
  async meet(): Promise<boolean> {
    try {
      const { app, current_draft_revision: draft } = await this.around.api.state(this.app);
      if (draft.id === this.head.version.id) return true;
      return await this.join(await this.read(draft.id ?? app.current_draft_revision_id));
    } catch (error) {
      failed(this.around, error);
      return false;
    }
  }

  async read(id: string): Promise<Head> {
    const version = await this.around.api.version(this.app, id);
    return { version, files: version.files ?? {} };
  }

  /** `mine`: texts that the newer version has taken up already, as far as they stand as they were. */
  async join(theirs: Head, mine: Files = {}): Promise<boolean> {
    if (theirs.version.id === this.head.version.id) return true;
    const now = this.editors.texts();
    const taken = Object.entries(mine).filter(([path, text]) => now[path] === text);
    const base = { ...this.head.files, ...Object.fromEntries(taken) };
    const had = this.dirty.size > 0;
    const { files, meet } = await merged(this.around.checks, base, now, theirs.files);
    if (meet.length) {
      this.two = { theirs, files, mine: now, meet, decided: {} };
      this.around.changed();
      return false;
    }
    this.#adopt(theirs, files);
    if (had) this.around.toast(t("apps.merged", { n: String(theirs.version.number) }));
    return true;
  }

  #adopt(theirs: Head, files: Files): void {
    this.two = null;
    this.refused = null;
    this.head = theirs;
    this.editors.replace(files);
    this.compared();
    this.ends.moved(theirs.version);
    this.around.changed();
  }

  decide(path: string, id: string, mine: boolean): void {
    if (!this.two) return;
    const { decided } = this.two;
    this.two = {
      ...this.two,
      decided: { ...decided, [path]: { ...decided[path], [id]: mine } },
    };
    this.around.changed();
  }

  /** Both together as it was decided, all of mine where both meet, or theirs there. */
  settle(way: "together" | "mine" | "theirs"): void {
    const { two } = this;
    if (!two) return;
    const files = { ...two.files };
    if (way !== "theirs")
      for (const path of two.meet) {
        const text = way === "mine" ? two.mine[path] : this.#picked(two, path);
        if (text === undefined || (text === "" && !(path in two.mine))) delete files[path];
        else files[path] = text;
      }
    this.#adopt(two.theirs, files);
  }

  #picked(two: Two, path: string): string {
    const [before, after] = [two.theirs.files[path] ?? "", two.mine[path] ?? ""];
    const accept = Object.entries(two.decided[path] ?? {})
      .filter(([, mine]) => mine)
      .map(([id]) => id);
    return this.around.core.call<{ text: string }>("text.select", { before, after, accept }).text;
  }

  conflict(layout: "split" | "uni"): AppConflictView | null {
    const { two } = this;
    if (!two) return null;
    const files = two.meet.map((path): DiffFile => {
      const before = two.theirs.files[path] ?? "";
      return { path, before, diff: this.around.core.textDiff(before, two.mine[path] ?? "") };
    });
    const open = files.reduce(
      (sum, { path, diff }) =>
        sum + (diff?.hunks.filter(({ id }) => two.decided[path]?.[id] === undefined).length ?? 0),
      0,
    );
    const { version } = two.theirs;
    return {
      number: version.number,
      at: Date.parse(version.created_at),
      changed: [...this.dirty],
      meet: two.meet,
      files,
      decided: two.decided,
      layout,
      foot: {
        state: open ? "closed" : "plain",
        reason: open ? t("script.two.open", { n: open }) : t("apps.conflict.done"),
        reasonIcon: open ? "lock" : "ok",
        reasonLook: open ? "c-hold" : "c-pass",
        before: [
          { id: "mine", label: t("apps.conflict.keep"), testid: "hp-two-mine", alt: true },
          { id: "theirs", label: t("apps.conflict.take"), testid: "hp-two-theirs", alt: true },
        ],
        main: {
          id: "together",
          label: t("apps.conflict.join"),
          look: "primary",
          testid: "hp-two-together",
        },
      },
    };
  }
}
