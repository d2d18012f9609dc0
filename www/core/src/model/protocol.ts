/** What passes between the page and the model's Web Worker. */

import type { ModelOpenError, ModelQuery, OpenProgress } from "../types.ts";
import type { BcfVersion } from "./checks.ts";

export type ModelQuestion =
  | { method: "open"; file: Blob; name: string }
  | { method: "tree" | "rows" | "columns" | "choices" | "units" }
  | { method: "column"; set: string; name: string }
  | { method: "details"; ids: number[] }
  | { method: "search"; text: string }
  | { method: "find"; query: ModelQuery }
  /** What a call of an extension did: records before and after, as JSON. */
  | { method: "apply"; edits: string }
  /** An IDS file; a BCF file. */
  | { method: "check" | "issues"; file: Uint8Array }
  /** `NewTopic[]` as JSON. */
  | { method: "bcf"; topics: string; version: BcfVersion };

export type ModelRequest = ModelQuestion & { id: number };

export type ModelResponse =
  | { id: number; progress: OpenProgress }
  | { id: number; result: unknown }
  | { id: number; error: ModelOpenError };
