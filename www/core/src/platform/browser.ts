/** A page: modules and fixtures over the network, threads as Web Workers. */

import type { ModuleName, Platform, Thread } from "./types.ts";

const MODULES: Record<ModuleName, URL> = {
  core: new URL("../../wasm/core/core_bg.wasm", import.meta.url),
  check: new URL("../../wasm/check/check_bg.wasm", import.meta.url),
  sandbox: new URL("../../wasm/sandbox/sandbox_bg.wasm", import.meta.url),
  python: new URL("../../wasm/python/python_bg.wasm", import.meta.url),
  crew: new URL("../../wasm/crew/crew_bg.wasm", import.meta.url),
};

/** Files of the page, so that the first test ever also runs offline. */
const FIXTURES: Record<string, URL> = {
  "empty-model": new URL("../../../../fixtures/ifc/empty-model.ifc", import.meta.url),
  "house-small": new URL("../../../../fixtures/ifc/house-small.ifc", import.meta.url),
  "office-fire": new URL("../../../../fixtures/ifc/office-fire.ifc", import.meta.url),
};

const WORKERS = {
  check: () => new Worker(new URL("../check/worker.ts", import.meta.url), { type: "module" }),
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

export const platform: Platform = {
  async compiled(name) {
    const response = await fetched(MODULES[name]);
    return response.headers.get("content-type")?.startsWith("application/wasm")
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer());
  },
  async fixture(id) {
    const url = FIXTURES[id];
    return url ? new Uint8Array(await (await fetched(url)).arrayBuffer()) : new Uint8Array();
  },
  thread: async (name) => threadOf(WORKERS[name]()),
};
