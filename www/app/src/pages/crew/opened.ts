/**
 * An open package: what is stored, the edits on it, what the check says of both together, steps back and on.
 *
 * Owns the texts that all editors of the page read and write. Invariants: nothing is sent over a state that this page
 * has not seen; an edit that is not stored is on the device.
 */
import { type CrewPackage, openPackage } from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { Diagnostic, Files } from "@holdpoint/core/types";
import type { Around } from "./around.js";
import { type Copy, copies, type Draft, drafts, type Edit } from "./draft.js";
import { KIND } from "./kind.js";

/** After so long without typing it is checked, in ms. */
const PAUSE_MS = 250;
const MAX_STEPS = 100;

interface Checked {
  state: "checking" | "ready" | "trapped";
  findings: Diagnostic[];
  at: number;
  ms: number;
}

interface Step {
  what: string;
  edits: Map<string, Edit>;
}

/** Changes of files: their text, or null to remove one. */
export type Changes = Readonly<Record<string, string | null>>;

export class Opened {
  checked: Checked = { state: "checking", findings: [], at: 0, ms: 0 };
  #copy: Copy;
  #edits: Map<string, Edit>;
  #queued: Set<string>;
  #files: Files | null = null;
  #pack: CrewPackage | null = null;
  #undoable: Step[] = [];
  #redoable: Step[] = [];
  /** What the newest step is about, so that typing on makes one step. */
  #typing = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  private constructor(
    copy: Copy,
    draft: Draft | undefined,
    private readonly around: Around,
  ) {
    this.#copy = copy;
    this.#edits = new Map(Object.entries(draft?.edits ?? {}));
    this.#queued = new Set(draft?.queued);
    void this.check();
  }

  /** From the edge; without a network from what this device has seen of it. */
  static async open(id: string, around: Around): Promise<Opened> {
    const draft = await drafts.get(around.store, id);
    try {
      const copy = await read(id, around);
      await copies.keep(around.store, copy);
      return new Opened(copy, draft, around);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const copy = error.code === "OFFLINE" ? await copies.get(around.store, id) : undefined;
      if (!copy) throw error;
      around.failed(error);
      return new Opened(copy, draft, around);
    }
  }

  get id(): string {
    return this.#copy.bundle.projectId;
  }
  get stored(): Copy["bundle"] {
    return this.#copy.bundle;
  }
  get project(): Copy["project"] {
    return this.#copy.project;
  }

  /** All files as they are with the edits. */
  get files(): Files {
    if (this.#files) return this.#files;
    const files = { ...this.stored.files };
    for (const [path, { now }] of this.#edits) {
      if (now === null) delete files[path];
      else files[path] = now;
    }
    this.#files = files;
    return files;
  }

  get pack(): CrewPackage {
    this.#pack ??= openPackage(this.files, this.stored.name);
    return this.#pack;
  }

  edits(of: (path: string) => boolean = () => true): Map<string, Edit> {
    return new Map([...this.#edits].filter(([path]) => of(path)));
  }

  queued(of: (path: string) => boolean = () => true): string[] {
    return [...this.#queued].filter(of);
  }

  // ── edits ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Makes an edit; what changes nothing is none. `typing`: what is typed on and on is one step. */
  edit(changes: Changes, what: string, typing = ""): void {
    const { files } = this;
    const real = Object.entries(changes).filter(([path, now]) => now !== (files[path] ?? null));
    if (!real.length) {
      this.around.changed();
      return;
    }
    this.#step(what, typing);
    for (const [path, now] of real) this.#put(path, now);
    this.#after();
  }

  #step(what: string, typing = ""): void {
    if (!typing || typing !== this.#typing || !this.#undoable.length)
      this.#undoable = [...this.#undoable, { what, edits: new Map(this.#edits) }].slice(-MAX_STEPS);
    this.#typing = typing;
    this.#redoable = [];
  }

  #put(path: string, now: string | null): void {
    const was = this.#edits.get(path)?.was ?? this.stored.files[path] ?? null;
    if (now === was) this.#edits.delete(path);
    else this.#edits.set(path, { was, now });
    this.#queued.delete(path);
  }

  /** What the next step back or on is; null where there is none on this device. */
  next(step: "undo" | "redo"): string | null {
    return (step === "undo" ? this.#undoable : this.#redoable).at(-1)?.what ?? null;
  }

  take(step: "undo" | "redo"): boolean {
    const [from, to] =
      step === "undo" ? [this.#undoable, this.#redoable] : [this.#redoable, this.#undoable];
    const taken = from.pop();
    if (!taken) return false;
    to.push({ what: taken.what, edits: this.#edits });
    this.#edits = new Map(taken.edits);
    this.#typing = "";
    this.#after();
    return true;
  }

  /** Edits of some files are dropped; a step brings them back. */
  drop(of: (path: string) => boolean, what: string): void {
    this.#step(what);
    for (const path of this.edits(of).keys()) {
      this.#edits.delete(path);
      this.#queued.delete(path);
    }
    this.#after();
  }

  /** They are sent when the network is back. */
  queue(paths: Iterable<string>): void {
    for (const path of paths) this.#queued.add(path);
    this.#after();
  }

  unqueue(paths: Iterable<string>): void {
    for (const path of paths) this.#queued.delete(path);
    this.#after();
  }

  #after(): void {
    this.#files = null;
    this.#pack = null;
    void drafts.keep(this.around.store, this.id, {
      edits: Object.fromEntries(this.#edits),
      queued: this.queued(),
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(), PAUSE_MS);
    this.around.changed();
  }

  // ── what is stored ─────────────────────────────────────────────────────────────────────────────────────────────

  /** Reads what is stored now. Edits stay; those that are stored are none any more. */
  async refresh(): Promise<void> {
    this.replace(await read(this.id, this.around));
  }

  /** What was just stored by this page: edits that it holds are none any more, and steps before it are the edge's. */
  async saved(): Promise<void> {
    await this.refresh();
    this.#undoable = [];
    this.#redoable = [];
    this.#typing = "";
    this.around.changed();
  }

  replace(copy: Copy): void {
    this.#copy = copy;
    for (const [path, edit] of this.#edits)
      if (edit.now === (copy.bundle.files[path] ?? null)) {
        this.#edits.delete(path);
        this.#queued.delete(path);
      }
    void copies.keep(this.around.store, copy);
    this.#after();
  }

  /** Files that both sides changed, or that this side changed in a part that the other side did. */
  rebase(paths: Iterable<string>): void {
    for (const path of paths) {
      const edit = this.#edits.get(path);
      if (edit) this.#edits.set(path, { ...edit, was: this.stored.files[path] ?? null });
    }
    this.#after();
  }

  // ── the check ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Where the user is, also without a network; an answer that a later state overtook is dropped. */
  async check(): Promise<void> {
    clearTimeout(this.#timer);
    this.#asked += 1;
    const asked = this.#asked;
    const begun = performance.now();
    try {
      const { diagnostics } = await this.around.checks.call<{ diagnostics: Diagnostic[] }>(
        "bundle.check",
        { kind: KIND, files: this.files },
      );
      if (asked !== this.#asked) return;
      const ms = performance.now() - begun;
      this.checked = { state: "ready", findings: diagnostics, at: Date.now(), ms };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (asked !== this.#asked) return;
      this.checked = { state: "trapped", findings: [], at: Date.now(), ms: 0 };
    }
    this.around.changed();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
  }
}

async function read(id: string, { api }: Around): Promise<Copy> {
  const [bundle, project] = await Promise.all([api.bundle(id), api.project(id)]);
  return { bundle, project };
}
