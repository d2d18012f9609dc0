// Loads TypeScript of the web folder into Node, through the page's own build tool.

import { fileURLToPath } from "node:url";

import { createServer } from "vite";

const root = fileURLToPath(new URL("../../www/app", import.meta.url));

/** A path for each module of `T`. */
type Paths<T extends unknown[]> = { [Module in keyof T]: string };

/** Modules of `www/elements/src`, by path. */
export const modules = <T extends unknown[]>(...paths: Paths<T>): Promise<T> =>
  loaded("elements", paths);

/** Modules of the page, `www/app/src`, by path: those that need no page. */
export const pageModules = <T extends unknown[]>(...paths: Paths<T>): Promise<T> =>
  loaded("app", paths);

async function loaded<T extends unknown[]>(folder: string, paths: Paths<T>): Promise<T> {
  const server = await createServer({
    root,
    server: { middlewareMode: true, hmr: false, watch: null },
    appType: "custom",
    logLevel: "error",
    optimizeDeps: { noDiscovery: true },
  });
  const found: unknown[] = [];
  // One after the other: what two of them share must be one module, not two.
  for (const path of paths)
    found.push(
      await server.ssrLoadModule(
        fileURLToPath(new URL(`../../www/${folder}/src/${path}`, import.meta.url)),
      ),
    );
  await server.close();
  return found as T;
}
