/** The sandbox in a Web Worker. Endless code does not answer: the page ends this worker at its limit. */

import { Sandbox, initSync, why } from "../../wasm/sandbox/sandbox.js";
import type { SandboxRequest, SandboxResponse } from "./protocol.ts";

declare const self: {
  postMessage(message: SandboxResponse): void;
  onmessage: ((event: MessageEvent<SandboxRequest>) => void) | null;
};

const models = new Map<string, Sandbox>();

const tell = (response: SandboxResponse): void => self.postMessage(response);

function trapped(error: unknown): SandboxResponse {
  const reason = why();
  if (reason === "MEMORY") return { type: "trapped", code: "MEMORY", message: "The code used more memory than it may." };
  if (reason !== undefined) return { type: "trapped", code: "SANDBOX_FAULT", message: reason };
  if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) {
    return { type: "trapped", code: "STACK", message: "The code called itself too deeply." };
  }
  return { type: "trapped", code: "SANDBOX_FAULT", message: String(error) };
}

function take(request: SandboxRequest): SandboxResponse {
  switch (request.type) {
    case "start":
      initSync({ module: request.module });
      return { type: "ready" };
    case "open": {
      const sandbox = new Sandbox(new Date().toISOString());
      try {
        sandbox.load_model(request.name, request.bytes);
      } catch (error) {
        return { type: "refused", message: error instanceof Error ? error.message : String(error) };
      }
      models.get(request.key)?.free();
      models.set(request.key, sandbox);
      return { type: "opened" };
    }
    case "run": {
      const sandbox = models.get(request.key) ?? new Sandbox(new Date().toISOString());
      models.set(request.key, sandbox);
      return { type: "ran", outcome: JSON.parse(sandbox.run(request.program)) };
    }
  }
}

self.onmessage = ({ data }: MessageEvent<SandboxRequest>) => {
  try {
    tell(take(data));
  } catch (error) {
    tell(trapped(error));
  }
};
