/** The sandbox in a Web Worker. Endless code does not answer: the page ends this worker at its limit. */

import { Activations, initSync, Sandbox, why } from "../../wasm/sandbox/sandbox.js";
import type { SandboxRequest, SandboxResponse } from "./protocol.ts";

declare const self: {
  postMessage(message: SandboxResponse): void;
  onmessage: ((event: MessageEvent<SandboxRequest>) => void) | null;
};

const models = new Map<string, Sandbox>();
/** Made with the module, which `start` brings. */
let activations: Activations;

/** The opened model; without one, a sandbox that has none. */
function on(key: string): Sandbox {
  const sandbox = models.get(key) ?? new Sandbox(new Date().toISOString());
  models.set(key, sandbox);
  return sandbox;
}

const tell = (response: SandboxResponse): void => self.postMessage(response);

function trapped(error: unknown): SandboxResponse {
  const reason = why();
  if (reason === "MEMORY")
    return { type: "trapped", code: "MEMORY", message: "The code used more memory than it may." };
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
      activations = new Activations();
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
    case "close":
      models.get(request.key)?.free();
      models.delete(request.key);
      return { type: "done" };
    case "run":
      return { type: "ran", outcome: JSON.parse(on(request.key).run(request.program)) };
    case "call":
      return {
        type: "ran",
        outcome: JSON.parse(on(request.key).call(activations, request.session, request.program)),
      };
    case "finish":
      return {
        type: "ran",
        outcome: JSON.parse(on(request.key).end(activations, request.session, request.program)),
      };
    case "forget":
      activations.forget(request.session);
      return { type: "done" };
  }
}

self.onmessage = ({ data }: MessageEvent<SandboxRequest>) => {
  try {
    tell(take(data));
  } catch (error) {
    tell(trapped(error));
  }
};
