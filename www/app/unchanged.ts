/**
 * A page of development fetches a script as text by its address (`?url`): Vite would rewrite what it serves there, and
 * a rewritten script is a module, which no classic worker runs.
 */
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const PREFIX = "/@unchanged";
const SCRIPT = /^(.*\.[cm]?js)\?url$/;

export function unchanged(): Plugin {
  /** Files that a module of the page asked the address of. */
  const asked = new Set<string>();
  return {
    name: "unchanged",
    apply: "serve",
    enforce: "pre",
    load(id) {
      const [, file] = SCRIPT.exec(id) ?? [];
      if (!file) return null;
      asked.add(file);
      return `export default ${JSON.stringify(PREFIX + file)}`;
    },
    configureServer({ middlewares }) {
      middlewares.use(PREFIX, async (request, response, next) => {
        const file = decodeURI(request.url ?? "");
        if (!asked.has(file)) return next();
        response.setHeader("content-type", "text/javascript");
        response.end(await readFile(file));
      });
    },
  };
}
