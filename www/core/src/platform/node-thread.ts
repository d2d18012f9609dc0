/** A worker thread of Node that looks like a Web Worker to the module that it runs. */

import { parentPort, workerData } from "node:worker_threads";

/** The module that it runs, by its address. */
const address: string = workerData;

interface Scope {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: unknown }) => void) | null;
}

const scope: Scope = {
  postMessage: (message) => parentPort?.postMessage(message),
  onmessage: null,
};
Object.assign(globalThis, { self: scope });

await import(address);
parentPort?.on("message", (data: unknown) => scope.onmessage?.({ data }));
