// The gallery of states, or the walks, built and behind a local address; each user builds a copy of its own, so that
// files of tests may run beside each other.

import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import "./page.ts";

const app = fileURLToPath(new URL("../../www/app", import.meta.url));
const builds = fileURLToPath(new URL("../../build", import.meta.url));
const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

/** Builds a mode of the page and serves what it makes. */
async function serve(mode: string): Promise<{ origin: string; stop(): void }> {
  mkdirSync(builds, { recursive: true });
  const folder = mkdtempSync(join(builds, `${mode}-`));
  const made = ["--mode", mode, "--outDir", folder, "--emptyOutDir", "--logLevel", "error"];
  execFileSync("npx", ["vite", "build", ...made], { cwd: app, stdio: "inherit" });
  const server = createServer((request, response) => {
    const file = join(folder, new URL(request.url ?? "/", "http://localhost").pathname);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}

/** The script editor over an edge in memory. */
export async function serveWalk() {
  const { origin, stop } = await serve("walk");
  return { url: `${origin}/walk.html`, stop };
}

/** The gallery; `show` brings an open page to a state. */
export async function serveGallery() {
  const { origin, stop } = await serve("gallery");
  return {
    url: (state: string, theme: string, lang = "en") =>
      `${origin}/gallery.html?state=${state}&theme=${theme}&lang=${lang}`,
    show: async (page: Page, state: string, theme: string, lang = "en") => {
      const what: [string, string, string] = [state, theme, lang];
      await page.evaluate((it) => window.hpShow(...it), what);
      await page.waitForSelector(`html[data-ready="${state}"]`);
      if (state === "source") await page.locator(".cm-content").waitFor();
    },
    stop,
  };
}
