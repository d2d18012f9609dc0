/** What passes between the page and the sandbox's Web Worker. */

import type { ErrorShape, Json } from "../types.ts";
import type { Waits } from "./requests.ts";

export type SandboxRequest =
  | { type: "start"; module: WebAssembly.Module }
  /** A file beside those that the sandbox of this key has; `id` is the model's, where the page has reckoned it. */
  | { type: "open"; key: string; id?: string | undefined; name: string; bytes: Uint8Array }
  | { type: "close"; key: string; id: string }
  /** A canonical fixture by id, or a synthetic one by its content as JSON. */
  | { type: "fixture"; id: string; content?: string | undefined }
  /** What was done on copies of the models, as the effects of a call have it. */
  | { type: "apply"; key: string; changes: string }
  /** A program in a realm of its own. */
  | { type: "run"; key: string; program: string }
  /** A program in the realm of an activation, which the first call opens. */
  | { type: "call"; key: string; session: string; program: string }
  /** What a call that waits was replied, `NetworkReply[]` as JSON. */
  | { type: "resume"; session: string; replies: string }
  /** The last program of an activation, and what was left for its end. */
  | { type: "finish"; key: string; session: string; program: string }
  | { type: "forget"; session: string };

export type SandboxResponse =
  | { type: "ready" }
  | { type: "opened" }
  | { type: "made"; bytes: Uint8Array }
  | { type: "done" }
  | { type: "refused"; message: string }
  | { type: "ran"; outcome: Json }
  | ({ type: "waits" } & Waits)
  /** The instance is lost; the worker must be ended. */
  | ({ type: "trapped"; code: "FUEL" | "MEMORY" | "STACK" | "SANDBOX_FAULT" } & ErrorShape);
