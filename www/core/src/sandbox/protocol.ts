/** What passes between the page and the sandbox's Web Worker. */

import type { Json } from "../types.ts";

export type SandboxRequest =
  | { type: "start"; module: WebAssembly.Module }
  | { type: "open"; key: string; name: string; bytes: Uint8Array }
  | { type: "run"; key: string; program: string };

export type SandboxResponse =
  | { type: "ready" }
  | { type: "opened" }
  | { type: "refused"; message: string }
  | { type: "ran"; outcome: Json }
  /** The instance is lost; the worker must be ended. */
  | { type: "trapped"; code: "MEMORY" | "STACK" | "SANDBOX_FAULT"; message: string };
