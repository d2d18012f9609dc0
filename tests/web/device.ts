// What the device keeps and whose it is, in a Chromium page without the product around it: the stores, and the key
// of the tab. The edge answers whose a key is, or as a test wants.

import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import type { Page } from "playwright-core";
import { principalOf } from "./site.ts";

const ORIGIN = "http://device.test";
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

let built: Promise<string> | undefined;

/** How the edge answers who asks: their name, a refusal by its status and code, or not at all. */
export interface Edge {
  answer(token: string | undefined): { status: number; code?: string } | "none";
}
export const good: Edge = { answer: (token) => (token ? { status: 200 } : { status: 401 }) };

/** Opens an address of the page in this tab. */
export async function visit(page: Page, hash = "", edge: () => Edge = () => good): Promise<void> {
  built ??= script();
  const body = `<!doctype html><script>${(await built).replaceAll("</script", "<\\/script")}</script>`;
  await page.unrouteAll();
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/") return route.fulfill({ contentType: "text/html", body });
    const token = route.request().headers().authorization?.replace("Bearer ", "");
    const said = edge().answer(token);
    if (said === "none") return route.abort();
    const { status, code } = said;
    const known = token !== undefined && status < 400;
    return route.fulfill({
      status,
      contentType: "application/json",
      headers: known ? { "holdpoint-principal": principalOf(token) } : {},
      body: JSON.stringify(code ? { error: { code, message: code } } : { data: [] }),
    });
  });
  await page.goto("about:blank");
  await page.goto(`${ORIGIN}/${hash}`);
}
