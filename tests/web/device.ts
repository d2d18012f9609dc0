// What the device keeps and whose it is, in a Chromium page without the product around it: the stores, and the key
// of the tab. The edge answers whose a key is, or as a test wants.

import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import type { Page } from "playwright-core";
import { Edge, type Routes } from "./edge/edge.ts";
import { listen } from "./site.ts";

const ROOT = new URL("../../www/", import.meta.url);
const CORE = fileURLToPath(new URL("core/src/page-parts.ts", ROOT));

/** The page takes from the core what it needs, without its modules of WebAssembly. */
const lean: Plugin = {
  name: "lean",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /core\.js$/ }, () => ({ path: CORE }));
    onLoad({ filter: /page-parts\.ts$/ }, () => ({
      contents:
        'export * from "./http.ts"; export * from "./store.ts"; export * from "./unclaimed.ts";',
      loader: "ts",
      resolveDir: fileURLToPath(new URL("core/src", ROOT)),
    }));
  },
};

const script = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { Credential } from "./credential.ts";
        import * as device from "./core.js";
        Object.assign(window, { Credential, device });
      `,
      resolveDir: fileURLToPath(new URL("app/src", ROOT)),
      loader: "ts",
    },
    bundle: true,
    format: "iife",
    write: false,
    define: { HOLDPOINT_DEV_KEY: '""' },
    plugins: [lean],
  });
  return outputFiles[0]?.text ?? "";
};

/** Whose a key is, is all that it is asked. */
class DeviceEdge extends Edge {
  protected override readonly routes: Routes = {};
}

/** A page of the device over an edge; `visit` opens an address of it in a tab. */
export async function serveDevice() {
  const body = `<!doctype html><script>${(await script()).replaceAll("</script", "<\\/script")}</script>`;
  const edge = new DeviceEdge();
  const { origin, stop } = await listen(async (request, response) => {
    if (await edge.serve(request, response)) return;
    response.writeHead(200, { "content-type": "text/html" }).end(body);
  });
  const visit = async (page: Page, hash = ""): Promise<void> => {
    await page.goto("about:blank");
    await page.goto(`${origin}/${hash}`);
  };
  return { edge, visit, stop };
}
