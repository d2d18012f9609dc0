// A picture of every state of the gallery, wide and narrow, light and dark, in `target/shots/`; those that a document
// shows are renewed in `docs/shots/` as well. Run by `cargo xtask shots`.

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startBrowser } from "../web/browser.ts";
import { serveGallery } from "../web/gallery.ts";
import { shrunk } from "./png.ts";

const out = fileURLToPath(new URL("../../target/shots/", import.meta.url));
const docs = fileURLToPath(new URL("../../docs/shots/", import.meta.url));
/** The pictures in git, each shown by a document; at most a dozen. */
const KEPT = ["review-1440-light.png", "scripts-proposal-1440-light.png"];
/** States of the crew pages, which are in three languages. */
const CREW = [
  "crew-packages",
  "crew-package",
  "crew-paths",
  "crew-versions",
  "crew-workflow",
  "crew-agent",
  "crew-asset",
  "crew-compare",
  "wb-preview",
  "wb-claims",
  "wb-confirm",
  "wb-conflict",
  "wb-context",
];
/** Beside English: states whose words are long. */
const SPOKEN: Record<string, readonly string[]> = {
  sv: [
    "empty",
    "plan",
    "overbudget",
    "running",
    "review",
    "confirm",
    "notstored",
    "signin-expired",
    "scripts-list",
    "scripts-proposal",
    "scripts-confirm",
    "scripts-overbudget",
    ...CREW,
  ],
  zh: CREW,
};
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const gallery = await serveGallery();
const browser = await startBrowser();
let count = 0;
try {
  for (const viewport of sizes) {
    const page = await (await browser.newContext({ viewport, reducedMotion: "reduce" })).newPage();
    await page.goto(gallery.url("empty", "light"));
    await page.waitForSelector("html[data-ready]");
    const states = await page.evaluate(() => window.hpStates);
    for (const theme of ["light", "dark"]) {
      for (const state of states) {
        await gallery.show(page, state, theme);
        const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
        writeFileSync(`${out}${state}-${viewport.width}-${theme}.png`, shrunk(picture));
        count += 1;
      }
    }
    for (const [lang, spoken] of Object.entries(SPOKEN)) {
      for (const state of spoken) {
        await gallery.show(page, state, "light", lang);
        const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
        writeFileSync(`${out}${state}-${viewport.width}-light-${lang}.png`, shrunk(picture));
        count += 1;
      }
    }
    await page.context().close();
  }
} finally {
  await browser.close();
  gallery.stop();
}
for (const name of KEPT) copyFileSync(`${out}${name}`, `${docs}${name}`);
console.log(`${count} pictures in target/shots/, ${KEPT.length} of them renewed in docs/shots/`);
