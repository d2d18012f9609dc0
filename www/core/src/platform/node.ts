/** Node: modules from the package's folder, threads as worker threads. */

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { send } from "../sandbox/network.ts";
import type { ModuleName, Platform, Thread, ThreadName } from "./types.ts";

const MODULES: Record<ModuleName, URL> = {
  core: new URL("../../wasm/core/core_bg.wasm", import.meta.url),
  "check-extension": new URL("../../wasm/check-extension/check-extension_bg.wasm", import.meta.url),
  "check-script": new URL("../../wasm/check-script/check-script_bg.wasm", import.meta.url),
  "check-crew": new URL("../../wasm/check-crew/check-crew_bg.wasm", import.meta.url),
  "check-app": new URL("../../wasm/check-app/check-app_bg.wasm", import.meta.url),
  sandbox: new URL("../../wasm/sandbox/sandbox_bg.wasm", import.meta.url),
  python: new URL("../../wasm/python/python_bg.wasm", import.meta.url),
  crew: new URL("../../wasm/crew/crew_bg.wasm", import.meta.url),
  archive: new URL("../../wasm/archive/archive_bg.wasm", import.meta.url),
};

const WORKERS: Record<ThreadName, URL> = {
  "check-extension": new URL("../check/worker-extension.ts", import.meta.url),
  "check-script": new URL("../check/worker-script.ts", import.meta.url),
  "check-crew": new URL("../check/worker-crew.ts", import.meta.url),
  "check-app": new URL("../check/worker-app.ts", import.meta.url),
  sandbox: new URL("../sandbox/worker.ts", import.meta.url),
};

const THREAD = new URL("./node-thread.ts", import.meta.url);

interface Waiting<Said> {
  resolve(said: Said): void;
  reject(error: Error): void;
}

/** A thread keeps its process alive only while somebody waits for it. */
function threadOf<Asked, Said>(worker: Worker): Thread<Asked, Said> {
  let waiting: Waiting<Said> | undefined;
  const taken = (): Waiting<Said> | undefined => {
    const asker = waiting;
    waiting = undefined;
    worker.unref();
    return asker;
  };
  worker.on("message", (said: Said) => taken()?.resolve(said));
  worker.on("error", (error) => taken()?.reject(error));
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        worker.ref();
        worker.postMessage(message);
      }),
    end: () => void worker.terminate(),
  };
}

export const platform: Platform = {
  compiled: async (name) => WebAssembly.compile(await readFile(MODULES[name])),
  thread: async (name) => threadOf(new Worker(THREAD, { workerData: WORKERS[name].href })),
  send,
};
