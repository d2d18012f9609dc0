// A plain file server, as a stranger has one: it knows types of files and nothing of the packages.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

export interface Served {
  origin: string;
  /** Paths that were asked for, in order. */
  asked: string[];
  stop(): void;
}

/** Serves a folder on loopback. */
export async function serve(folder: string): Promise<Served> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    asked.push(pathname);
    const file = join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (pathname === "/favicon.ico") {
      response.writeHead(204).end();
      return;
    }
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, asked, stop: () => server.close() };
}
