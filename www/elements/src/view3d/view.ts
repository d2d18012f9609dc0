/** What the 3D view shows, as values. */
import type { MeshBatch } from "@holdpoint/core/geometry";

/** An element that is not drawn, or not as the file says. */
export interface NotDrawn {
  id: number;
  why: string;
}

/** Where a menu of extensions is asked for: on elements, on the drawing beside them, in the tree. */
export type ContextSlot = "contextMenu.entity" | "contextMenu.canvas" | "contextMenu.tree";

export interface View3d {
  /** All batches of the open model so far. */
  batches: readonly MeshBatch[];
  /** How many there are: the list itself grows. */
  count: number;
  state: "reading" | "drawing" | "stopped" | "done" | "failed";
  /** Elements that were asked for, of how many. */
  done: number;
  total: number;
  /** What went wrong, where nothing can be drawn. */
  message: string;
  failed: readonly NotDrawn[];
  /** Metres in the file's unit of length. */
  unit: number;
  /** Height of the view's origin over the file's zero, in metres, for what has a level. */
  origin: readonly [number, number, number];
  selected: readonly number[];
  hidden: ReadonlySet<number>;
  ghosted: ReadonlySet<number>;
  /** Whether what is not isolated is drawn as a ghost. */
  ghosts: boolean;
  glass: ReadonlySet<number>;
  /** Colours of an extension by element; empty where there are none, or they are off. */
  paint: ReadonlyMap<number, string>;
  /** Whether there are colours at all, and whether they are drawn. */
  colours: "none" | "on" | "off";
  /** Elements that an extension flies to; another list is another flight. */
  flight: readonly number[] | null;
  /** What is selected, in words. */
  picked: { name: string; more: string } | null;
  /** What an element is called. */
  name(id: number): string;
}

/** What a person does to the elements of the view, beyond selecting. */
export type View3dAct = "isolate" | "hide" | "show" | "ghost" | "colours" | "stop" | "on";
