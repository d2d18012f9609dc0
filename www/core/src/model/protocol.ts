/** What passes between the page and the model's Web Worker. */

import type { ModelOpenError, ModelQuery, OpenProgress } from "../types.ts";
import type { BcfVersion } from "./checks.ts";

type Both =
  | { method: "open"; file: Blob; name: string }
  /** What a call of an extension did: records before and after, as JSON. */
  | { method: "apply"; edits: string };

/** Of the worker that has the viewer's model. */
export type ModelQuestion =
  | Both
  | { method: "choices" | "units" }
  /** A block of a list, without its end. */
  | { method: "tree" | "rows"; from: number; to: number }
  | { method: "column"; set: string; name: string; from: number; to: number }
  | { method: "preferred"; names: string[] }
  | { method: "named"; name: string }
  | { method: "details"; ids: number[] }
  | { method: "find"; query: ModelQuery };

/** Of the worker that has a copy for files that others bring. */
export type CheckQuestion =
  | Both
  /** An IDS file; a BCF file. */
  | { method: "check" | "issues"; file: Uint8Array }
  /** `NewTopic[]` as JSON. */
  | { method: "bcf"; topics: string; version: BcfVersion };

/** What is asked where no model is open. */
export const NOT_OPEN: ModelOpenError = {
  code: "MODEL_INVALID",
  message: "No model is open.",
  args: { case: "NOT_OPEN" },
};

/** What is said of a file that ended the module, or that its memory does not hold. */
export const NOT_READ: ModelOpenError = {
  code: "MODEL_INVALID",
  message: "The file could not be read to its end: it may be too large for this device.",
  args: { case: "NOT_READ" },
};

/** A question with the number of its answer. */
export type Request<Question> = Question & { id: number };

export type ModelResponse =
  | { id: number; progress: OpenProgress }
  | { id: number; result: unknown }
  | { id: number; error: ModelOpenError };
