/**
 * What one signature changed, in all its files: applied in one task, taken back in one task (script-tool.md §11).
 *
 * Invariant: a step of a group happens in every file of it or in none. It is blocked as soon as one of its files has
 * another text than the step left there.
 */
import type { FileId, Replacement } from "@holdpoint/core/editor";
import { depth, native, replacing, type Target, textOf, unshade } from "./document.js";

export type Texts = Partial<Record<FileId, string>>;

export interface Group {
  patch_id: string;
  before: Texts;
  after: Texts;
  places: number;
  at: number;
}

/** Finds the smallest replacements between two texts. */
export type ChangesOf = (before: string, after: string) => Replacement[];

const paths = (texts: Texts): FileId[] => Object.keys(texts) as FileId[];

export class Groups {
  undoable: Group[] = [];
  redoable: Group[] = [];
  /** How deep the native history of a file was right after a step, by file. */
  #depths = new Map<string, { undo: number; redo: number }>();

  constructor(
    private readonly target: (path: FileId) => Target,
    private readonly changes: ChangesOf,
  ) {}

  /** One transaction a file, in one task; files that do not change are not touched. */
  apply(group: Group): void {
    for (const path of paths(group.after)) {
      this.#put(path, group.after[path] ?? "", group.patch_id);
      this.#note(path, group);
    }
    this.undoable.push(group);
    this.redoable = [];
  }

  /** The files that moved since, so that the step cannot be taken; null when there is no step. */
  blocked(step: "undo" | "redo"): FileId[] | null {
    const group = this.#next(step);
    if (!group) return null;
    const left = step === "undo" ? group.after : group.before;
    return paths(left).filter((path) => textOf(this.target(path).state) !== left[path]);
  }

  /** Takes the newest group back, or makes it again, in all its files. Null when there is none or it is blocked. */
  step(step: "undo" | "redo"): Group | null {
    const group = this.#next(step);
    if (!group || this.blocked(step)?.length) return null;
    const goal = step === "undo" ? group.before : group.after;
    for (const path of paths(goal)) {
      const target = this.target(path);
      if (this.#newest(path, group, step)) native(target, step);
      if (textOf(target.state) !== goal[path])
        this.#put(path, goal[path] ?? "", step === "redo" ? group.patch_id : "");
      else if (step === "undo") unshade(target);
      this.#note(path, group);
    }
    (step === "undo" ? this.undoable : this.redoable).pop();
    (step === "undo" ? this.redoable : this.undoable).push(group);
    return group;
  }

  /** Whether the next native step of this file would be the group's own. */
  owns(path: FileId, step: "undo" | "redo"): boolean {
    const group = this.#next(step);
    if (!group || !(path in group.after)) return false;
    const left = step === "undo" ? group.after : group.before;
    return (
      textOf(this.target(path).state) === left[path] &&
      (this.#newest(path, group, step) || depth(this.target(path).state, step) === 0)
    );
  }

  #next(step: "undo" | "redo"): Group | undefined {
    return (step === "undo" ? this.undoable : this.redoable).at(-1);
  }

  #put(path: FileId, text: string, patch: string): void {
    const target = this.target(path);
    target.dispatch(
      replacing(target.state, this.changes(textOf(target.state), text), patch ? { patch } : {}),
    );
  }

  #note(path: FileId, group: Group): void {
    const { state } = this.target(path);
    this.#depths.set(`${path} ${group.patch_id}`, {
      undo: depth(state, "undo"),
      redo: depth(state, "redo"),
    });
  }

  #newest(path: FileId, group: Group, step: "undo" | "redo"): boolean {
    const noted = this.#depths.get(`${path} ${group.patch_id}`);
    return (
      noted !== undefined && depth(this.target(path).state, step) === noted[step] && noted[step] > 0
    );
  }
}
