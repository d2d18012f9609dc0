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
  | { method: "tree" | "rows" | "columns" | "choices" | "units" }
  | { method: "column"; set: string; name: string }
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

/** A question with the number of its answer. */
export type Request<Question> = Question & { id: number };

export type ModelResponse =
  | { id: number; progress: OpenProgress }
  | { id: number; result: unknown }
  | { id: number; error: ModelOpenError };
