// The built gallery of states behind a local address, and a page that goes from state to state without loading again.
// The walks of the script editor are served the same way.

import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const built = (name) => fileURLToPath(new URL(`../../build/${name}`, import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Serves a folder of `build`. */
async function serve(name) {
  const server = createServer((request, response) => {
    const file = join(built(name), new URL(request.url, "http://localhost").pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

/** The script editor over an edge in memory. */
export async function serveWalk() {
  const { origin, stop } = await serve("walk");
  return { url: `${origin}/walk.html`, stop };
}

/** Serves `build/gallery`; `show` brings an open page to a state. */
export async function serveGallery() {
  const { origin, stop } = await serve("gallery");
  return {
    url: (state, theme, lang = "en") => `${origin}/gallery.html?state=${state}&theme=${theme}&lang=${lang}`,
    show: async (page, state, theme, lang = "en") => {
      await page.evaluate((what) => window.hpShow(...what), [state, theme, lang]);
      await page.waitForSelector(`html[data-ready="${state}"]`);
      if (state === "source") await page.locator(".cm-content").waitFor();
    },
    stop,
  };
}
