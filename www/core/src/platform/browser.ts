/** A page: modules over the network, threads as Web Workers. */

import { NetworkThread } from "../sandbox/network-thread.ts";
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

const WORKERS: Record<ThreadName, () => Worker> = {
  "check-extension": () =>
    new Worker(new URL("../check/worker-extension.ts", import.meta.url), { type: "module" }),
  "check-script": () =>
    new Worker(new URL("../check/worker-script.ts", import.meta.url), { type: "module" }),
  "check-crew": () =>
    new Worker(new URL("../check/worker-crew.ts", import.meta.url), { type: "module" }),
  "check-app": () =>
    new Worker(new URL("../check/worker-app.ts", import.meta.url), { type: "module" }),
  sandbox: () => new Worker(new URL("../sandbox/worker.ts", import.meta.url), { type: "module" }),
};

async function fetched(url: URL): Promise<Response> {
  const response = await fetch(url);
  const type = response.headers.get("content-type") ?? "";
  // A development server answers its page for a file that it does not know.
  if (!response.ok || type.startsWith("text/html"))
    throw new Error(
      `${url.href} is not served. Leave @holdpoint/core out of what a bundler packs anew.`,
    );
  return response;
}

function threadOf<Asked, Said>(worker: Worker): Thread<Asked, Said> {
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Said>) => resolve(data);
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error(event.message || "Its worker did not start."));
        };
        worker.postMessage(message);
      }),
    end: () => worker.terminate(),
  };
}

const network = new NetworkThread(
  () => new Worker(new URL("../sandbox/network-worker.ts", import.meta.url), { type: "module" }),
);

export const platform: Platform = {
  async compiled(name) {
    const response = await fetched(MODULES[name]);
    return response.headers.get("content-type")?.startsWith("application/wasm")
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer());
  },
  thread: async (name) => threadOf(WORKERS[name]()),
  send: (request, ended) => network.send(request, ended),
};
