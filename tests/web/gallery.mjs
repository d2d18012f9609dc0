// The built gallery of states behind a local address, and a page that goes from state to state without loading again.

import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../build/gallery", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Serves `build/gallery`; `show` brings an open page to a state. */
export async function serveGallery() {
  const server = createServer((request, response) => {
    const file = join(built, new URL(request.url, "http://localhost").pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    url: (state, theme, lang = "en") => `${origin}/gallery.html?state=${state}&theme=${theme}&lang=${lang}`,
    show: async (page, state, theme, lang = "en") => {
      await page.evaluate((what) => window.hpShow(...what), [state, theme, lang]);
      await page.waitForSelector(`html[data-ready="${state}"]`);
      if (state === "source") await page.locator(".cm-content").waitFor();
    },
    stop: () => server.close(),
  };
}
