/**
 * The page's build. `--mode gallery` builds the gallery of states, for pictures and accessibility checks, instead;
 * `--mode walk` pages that are opened at once, for walks through them.
 *
 * `HOLDPOINT_ORIGIN` (set by `cargo xtask dev`) is where the Worker answers; page and API then share one origin.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, transformWithEsbuild } from "vite";
import { building } from "./building.ts";
import { compressed } from "./compressed.ts";
import { unchanged } from "./unchanged.ts";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const origin = process.env.HOLDPOINT_ORIGIN;
/** The document of what is built beside the page, by mode. */
const beside: Record<string, string> = { gallery: "gallery.html", walk: "walk.html" };
const proxied = [
  "/api",
  "/gateway",
  "/v1",
  "/projects",
  "/packages",
  "/users",
  "/admin",
  "/healthz",
  "/metrics",
];

/** The workspace's version, and the revision where git knows one: what is built elsewhere has none. */
function version(): string {
  const manifest = readFileSync(here("../../Cargo.toml"), "utf8");
  const [, number] = /^\[workspace\.package\]\nversion = "(.+)"$/m.exec(manifest) ?? [];
  if (!number) throw new Error("Cargo.toml names no version of the workspace.");
  const git = spawnSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: here("."),
    encoding: "utf8",
  });
  return git.status === 0 ? `${number} (${git.stdout.trim()})` : number;
}

/** The files of the interpreter that runs scripts: loaded when they are needed first, not with the page. */
const PYTHON = ["pyodide.asm.js", "pyodide.asm.wasm", "pyodide.js", "python_stdlib.zip"];
const LATE = "assets/python/";

function pythonBytes(): number {
  const { resolve } = createRequire(import.meta.url);
  return PYTHON.reduce((sum, name) => sum + statSync(resolve(`pyodide/${name}`)).size, 0);
}

/** Writes `sw.js` with the list of everything that was built. */
function offline(): Plugin {
  return {
    name: "offline",
    apply: "build",
    enforce: "post",
    async generateBundle(_options, bundle) {
      const built = Object.keys(bundle)
        .filter((name) => name !== "index.html" && !name.endsWith(".map"))
        .filter((name) => !name.startsWith(LATE))
        .sort();
      const assets = JSON.stringify(["./", ...built.map((name) => `./${name}`)]);
      const build = createHash("sha256").update(assets).digest("hex").slice(0, 12);
      const define = { ASSETS: assets, BUILD: JSON.stringify(build) };
      this.emitFile({
        type: "asset",
        fileName: "sw.js",
        source: await serviceWorker("sw.ts", define),
      });
    },
  };
}

/** Serves the one that says that the development server is away. */
function away(): Plugin {
  return {
    name: "away",
    apply: "serve",
    configureServer({ middlewares }) {
      middlewares.use("/sw.js", async (_request, response) => {
        response.setHeader("content-type", "text/javascript");
        const define = { AWAY: JSON.stringify(readFileSync(here("away.html"), "utf8")) };
        response.end(await serviceWorker("sw-dev.ts", define));
      });
    },
  };
}

/** A script of `src/` as a classic one, which is what a service worker of every browser is. */
async function serviceWorker(name: string, define: Record<string, string>): Promise<string> {
  const source = readFileSync(here(`src/${name}`), "utf8");
  const { code } = await transformWithEsbuild(source, name, { define, format: "esm" });
  return code.replace(/export \{\};?\s*$/, "");
}

export default defineConfig(({ mode }) => ({
  // From the root: the script pages have addresses of their own.
  base: "/",
  define: {
    HOLDPOINT_VERSION: JSON.stringify(version()),
    HOLDPOINT_PYTHON_BYTES: String(pythonBytes()),
    // The bearer of a development edge, which knows it on loopback alone (gateway.md §3 "Dev token").
    HOLDPOINT_DEV_KEY: JSON.stringify(origin ? "dev" : ""),
  },
  plugins: beside[mode]
    ? [unchanged()]
    : [
        unchanged(),
        building(),
        offline(),
        away(),
        compressed(here(`../../build/compressed${process.env.HOLDPOINT_QUICK ? "-quick" : ""}`)),
      ],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { index: here(beside[mode] ?? "index.html") },
      output: {
        assetFileNames: ({ names = [] }) =>
          PYTHON.some((name) => names.includes(name))
            ? `${LATE}[name]-[hash][extname]`
            : "assets/[name]-[hash][extname]",
      },
    },
    outDir: here(beside[mode] ? `../../build/${mode}` : "dist"),
    emptyOutDir: true,
  },
  worker: { format: "es" },
  server: origin
    ? {
        proxy: Object.fromEntries(
          proxied.map((path) => [path, { target: origin, changeOrigin: false }]),
        ),
      }
    : {},
}));
