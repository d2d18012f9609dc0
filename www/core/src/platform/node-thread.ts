/** A worker thread of Node that looks like a Web Worker to the module that it runs. */

import { parentPort, workerData } from "node:worker_threads";

/** The module that it runs, by its address. */
const address: string = workerData;

interface Scope {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: unknown }) => void) | null;
}

// `self` is the global object itself: Wasm looks there for clocks too.
const scope = globalThis as unknown as Scope;
Object.assign(scope, {
  self: globalThis,
  postMessage: (message: unknown) => parentPort?.postMessage(message),
});

await import(address);
parentPort?.on("message", (data: unknown) => scope.onmessage?.({ data }));
