// The sandbox in a worker thread: one file, and every call that is asked of it.
//
// The engine keeps some memory of every realm and gets slower with it, so an example has one realm, and a file has a
// thread of its own.

import { parentPort, workerData } from "node:worker_threads";

import { Activations, initSync, Sandbox } from "../../www/core/wasm/sandbox/sandbox.js";
import { MODEL } from "./foreign-call.ts";

/** What a thread begins with. */
export interface Begun {
  /** The sandbox, compiled once for all threads. */
  module: WebAssembly.Module;
  name: string;
  bytes: Uint8Array;
}
/** A call of an example. */
export interface Asked {
  example: string;
  /** What `call.prepare` made of it. */
  program: unknown;
}

const LOADED_AT = "2026-01-01T00:00:00.000Z";
const { module, name, bytes }: Begun = workerData;
initSync({ module });
const sandbox = new Sandbox(LOADED_AT);
sandbox.load_known(MODEL, name, bytes, LOADED_AT);
const activations = new Activations();

parentPort?.on("message", ({ example, program }: Asked) => {
  const { ended } = JSON.parse(sandbox.call(activations, example, JSON.stringify(program)));
  parentPort?.postMessage(ended);
});
