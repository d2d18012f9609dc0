/** What every part of an open script stands on: the engine, the edge, the device, and how to be drawn again. */

import type { EditorApi, FactsOf } from "@holdpoint/core/editor";
import type { PythonRunner } from "@holdpoint/core/python-run";
import type { Checks, Core, ErrorShape, Store } from "@holdpoint/core/types";

export { failed, refused, tried } from "../../refusals.js";

/** What a person wanted when the edge refused; nothing of it was done. */
export type Wanted =
  | "apply"
  | "back"
  | "checkpoint"
  | "clear"
  | "create"
  | "download"
  | "read"
  | "remove"
  | "rename"
  | "restore"
  | "save"
  | "step"
  | "upload";

export interface Around {
  core: Core;
  checks: Pick<Checks, "call">;
  facts: FactsOf | null;
  api: EditorApi;
  store: Store;
  /** Runs scripts on this device. */
  runner: PythonRunner;
  /** The scripted model answers; null until that is known. */
  scripted(): boolean | null;
  online(): boolean;
  /** The page is drawn again, once for many changes. */
  changed(): void;
  /** What was done; `undo` takes it back, `over` hears that nobody can any more. */
  toast(text: string, sub?: string, undo?: () => unknown, over?: () => unknown): void;
  /** A failure that concerns the whole page: sign-in, the network. */
  failed(error: ErrorShape): void;
  /** What was wanted and not done; it stands above the page until something is. */
  refused(wanted: Wanted, error: ErrorShape): void;
  /** Something was done: what was refused before is not said any longer. */
  done(): void;
  /** After a call that may have cost something. */
  spent(): void;
  focus(where: "panel" | "tabs" | "chat" | "run"): void;
}

/** A time of the wire: milliseconds, or an ISO text. */
export function moment(at: number | string | undefined): number {
  if (at === undefined) return Date.now();
  return typeof at === "number" ? at : Date.parse(at);
}
