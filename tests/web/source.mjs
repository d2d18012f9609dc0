// Loads TypeScript of the web folder into Node, through the page's own build tool.

import { fileURLToPath } from "node:url";

import { createServer } from "vite";

const root = fileURLToPath(new URL("../../www/app", import.meta.url));

/** Modules of `www/elements/src`, by path. */
export async function modules(...paths) {
  const server = await createServer({ root, server: { middlewareMode: true, hmr: false, watch: null }, appType: "custom", logLevel: "error", optimizeDeps: { noDiscovery: true } });
  const loaded = await Promise.all(paths.map((path) => server.ssrLoadModule(fileURLToPath(new URL(`../../www/elements/src/${path}`, import.meta.url)))));
  await server.close();
  return loaded;
}
