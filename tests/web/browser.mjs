// A built page of the web folder, and the browser that looks at it.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const app = fileURLToPath(new URL("../../www/app", import.meta.url));
const CHROMIUM_FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader",
];

/** Builds what a mode of the page's build makes, into `build/<mode>`. */
export const build = (mode) => execFileSync("npx", ["vite", "build", "--mode", mode, "--logLevel", "error"], { cwd: app, stdio: "inherit" });

export const startBrowser = () => chromium.launch({ executablePath: process.env.HOLDPOINT_CHROMIUM ?? "/usr/bin/chromium", args: CHROMIUM_FLAGS });
