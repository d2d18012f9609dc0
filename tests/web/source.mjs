// Loads TypeScript of the web folder into Node, through the page's own build tool.

import { fileURLToPath } from "node:url";

import { createServer } from "vite";

const root = fileURLToPath(new URL("../../www/app", import.meta.url));

/** Modules of `www/elements/src`, by path. */
export const modules = (...paths) => loaded("elements", paths);

/** Modules of the page, `www/app/src`, by path: those that need no page. */
export const pageModules = (...paths) => loaded("app", paths);

async function loaded(folder, paths) {
  const server = await createServer({
    root,
    server: { middlewareMode: true, hmr: false, watch: null },
    appType: "custom",
    logLevel: "error",
    optimizeDeps: { noDiscovery: true },
  });
  const found = [];
  // One after the other: what two of them share must be one module, not two.
  for (const path of paths)
    found.push(
      await server.ssrLoadModule(
        fileURLToPath(new URL(`../../www/${folder}/src/${path}`, import.meta.url)),
      ),
    );
  await server.close();
  return found;
}
