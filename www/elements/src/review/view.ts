/** What a person looks at before signing, as values: each part where there is one. */
import type { Asking, DiffFile } from "../diff/view.js";
import type { Found } from "../findings/view.js";
import type { GrantView } from "./grants.js";
import type { TestList } from "./test-list.js";

/** A sentence for something that a person has to look at, and where it is. */
export interface Reason {
  text: string;
  short: string;
  path: string | null;
  hunk: string | null;
}

export interface ReviewView {
  /** What has to be looked at and ticked; null where nothing asks for it. */
  confirm: { reasons: readonly Reason[]; confirmed: boolean } | null;
  /**
   * What it may do; `typed`: the id as far as it is typed, `id`: what has to be; `planned`: whether it is what the plan
   * says, in words; `letter`: which of several versions it is.
   */
  permissions: {
    grants: GrantView;
    typed: string;
    id: string;
    upgrade: boolean;
    planned: string;
    letter: string;
  } | null;
  tests: Pick<TestList, "tests" | "weakened" | "accepted" | "approved" | "note" | "running"> | null;
  /** What was done to it on its way. */
  notes: readonly string[];
  /** It came in a second answer, after the first did not fit. */
  repaired: boolean;
  /** What the checks find that was not there before. */
  findings: readonly Found[];
  change: {
    files: readonly DiffFile[];
    /** Above all files; without one each has a box. */
    heading: string;
    layout: "split" | "uni";
    /** Files that are not what was previewed. */
    stale: readonly string[];
    /** The places that are taken, by file; null where a change is signed whole. */
    taken: Readonly<Record<string, readonly string[]>> | null;
    /** What a model can be asked of a place; nothing where absent. */
    asks?: Asking;
  };
  /** It is on its way: nothing can be chosen. */
  busy: boolean;
}
