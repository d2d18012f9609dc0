/**
 * What the Rust core says without a code, in Swedish: the English sentence and its twin. See `spoken.ts`.
 *
 * The English side must stand in the sources as it stands here; `tests/web/texts.test.ts` compares them.
 */
import { bundle } from "./sv.core.bundle.js";
import { edge } from "./sv.core.edge.js";
import { script } from "./sv.core.script.js";

/** The first pattern that fits is taken: the more particular ones stand first in each list. */
export const core: readonly (readonly [english: string, swedish: string])[] = [
  ...bundle,
  ...script,
  ...edge,
  // A call, a test or a line before a sentence that is known.
  ["{who}: {*said}", "{who}: {*said}"],
];
