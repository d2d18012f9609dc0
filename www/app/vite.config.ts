/**
 * The page's build. `gallery.html` is for pictures and accessibility checks and is left out of the product.
 *
 * `HOLDPOINT_ORIGIN` (set by `cargo xtask dev`) is where the Worker answers; the page and the API then share one origin.
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const origin = process.env["HOLDPOINT_ORIGIN"];
const proxied = ["/api", "/gateway", "/v1"];

export default defineConfig(({ mode }) => ({
  base: "./",
  build: {
    target: "es2022",
    sourcemap: false,
    rollupOptions: { input: { index: here(mode === "gallery" ? "gallery.html" : "index.html") } },
    outDir: mode === "gallery" ? "dist-gallery" : "dist",
  },
  worker: { format: "es" },
  server: origin ? { proxy: Object.fromEntries(proxied.map((path) => [path, { target: origin, changeOrigin: false }])) } : {},
}));
