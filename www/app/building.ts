/**
 * A page of development does not wait for every module: what is still being built is answered when it is there, and
 * the page hears meanwhile what it waits for (`src/building.ts`).
 */
import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Plugin, ViteDevServer } from "vite";

const MODULES = fileURLToPath(new URL("../core/wasm/", import.meta.url));
const FILE = /\/wasm\/([\w-]+)\/\1(?:\.js|_bg\.wasm)(?:\?|$)/;
const LOOK_MS = 500;

export function building(): Plugin {
  return {
    name: "building",
    apply: "serve",
    enforce: "pre",
    // A file that is not there yet has its address already; Vite's search for packages must not open it.
    resolveId(source, _importer, { scan }) {
      const [, name] = FILE.exec(source) ?? [];
      if (!name || !source.endsWith(".js")) return null;
      return scan ? `\0${name}` : `${MODULES}${name}/${name}.js`;
    },
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const [, name] = FILE.exec(request.url ?? "") ?? [];
        if (name === undefined) next();
        else built(server, name).then(() => next(), next);
      });
    },
  };
}

/** Waits until `cargo xtask` has finished a module. */
async function built(server: ViteDevServer, name: string): Promise<void> {
  const stamp = `${MODULES}${name}/.built-${name}`;
  for (let waited = 0; !existsSync(stamp); waited += LOOK_MS) {
    if (waited === 0) server.ws.send("holdpoint:building", { name });
    await setTimeout(LOOK_MS);
  }
  server.ws.send("holdpoint:built", { name });
}
