// A mode of the page behind a local address.

import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const app = fileURLToPath(new URL("../../www/app", import.meta.url));
const builds = fileURLToPath(new URL("../../build", import.meta.url));
const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

/** Where `cargo xtask test` has built every mode, a folder each; who runs one file builds what it needs. */
const shared = process.env.HOLDPOINT_SITES;

/** Addresses of the page itself. */
const PAGE = /^\/$|^\/(scripts|crew|builder|apps|usage)(\/|$)/;

export interface Site {
  origin: string;
  /** Where the build lies. */
  folder: string;
  stop(): void;
}

/** Answers what is no file of the build; `false`: it is one. */
type Answers = (
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<boolean>;

function build(mode: string): string {
  mkdirSync(builds, { recursive: true });
  const folder = mkdtempSync(join(builds, `${mode}-`));
  const made = ["--mode", mode, "--outDir", folder, "--emptyOutDir", "--logLevel", "error"];
  const env = { ...process.env, HOLDPOINT_QUICK: "1" };
  execFileSync("npx", ["vite", "build", ...made], { cwd: app, stdio: "inherit", env });
  return folder;
}

/** Answers at an address of its own, without a slash at its end. */
export async function listen(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Serves a mode of the page. */
export async function serve(mode: string, answers?: Answers): Promise<Site> {
  const folder = shared ? join(shared, mode) : build(mode);
  const { origin, stop } = await listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (await answers?.(pathname, request, response)) return;
    const asked = join(folder, PAGE.test(pathname) ? "index.html" : pathname);
    const isThere = existsSync(asked) && statSync(asked).isFile();
    // As the edge does: who opens an address reads in a page that nothing is there.
    if (!isThere && !request.headers.accept?.includes("text/html")) {
      response.writeHead(404).end();
      return;
    }
    const file = isThere ? asked : join(folder, "index.html");
    response.writeHead(isThere ? 200 : 404, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
    });
    createReadStream(file).pipe(response);
  });
  return {
    origin,
    folder,
    stop() {
      stop();
      if (!shared) rmSync(folder, { recursive: true, force: true });
    },
  };
}
