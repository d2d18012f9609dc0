// Every state of the page (UI.md §6, §7) from fixtures: nothing for axe to say, no sideways scroll, in both themes.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { serveGallery } from "./gallery.mjs";

const app = fileURLToPath(new URL("../../www/app", import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const CHROMIUM_FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader",
];

let gallery, browser;

before(async () => {
  execFileSync("npx", ["vite", "build", "--mode", "gallery", "--logLevel", "error"], { cwd: app, stdio: "inherit" });
  gallery = await serveGallery();
  browser = await chromium.launch({ executablePath: process.env.HOLDPOINT_CHROMIUM ?? "/usr/bin/chromium", args: CHROMIUM_FLAGS });
}, { timeout: 120_000 });

after(async () => {
  await browser?.close();
  gallery?.stop();
});

/** A page of its own at a state. */
async function opened(state, width, theme) {
  const context = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(gallery.url(state, theme));
  await page.waitForSelector(`html[data-ready="${state}"]`);
  return page;
}

for (const width of [1440, 390]) {
  for (const theme of ["light", "dark"]) {
    test(`axe has nothing to say at ${width} px, ${theme}`, { timeout: 600_000 }, async (t) => {
      const page = await opened("empty", width, theme);
      await page.evaluate(axe);
      for (const state of await page.evaluate("window.hpStates")) {
        await t.test(state, async () => {
          await gallery.show(page, state, theme);
          const found = await page.evaluate(async () => {
            const answer = await window.axe.run(document, { resultTypes: ["violations"] });
            return answer.violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 120)}`);
          });
          assert.deepEqual(found, []);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "it scrolls sideways");
        });
      }
      await page.context().close();
    });
  }
}

test("Install is there in review and nowhere else", async () => {
  for (const [state, want] of [["plan", 0], ["running", 0], ["source", 0], ["error", 0], ["review", 1], ["confirm", 1]]) {
    const page = await opened(state, 1440, "light");
    assert.equal(await page.getByTestId("hp-install").count(), want, state);
    await page.context().close();
  }
});

test("a closed signature says why beside it", async () => {
  const page = await opened("confirm", 1440, "light");
  const button = page.getByTestId("hp-install");
  assert.equal(await button.isDisabled(), true);
  const reason = await button.evaluate((node) => node.getRootNode().getElementById(node.getAttribute("aria-describedby")).textContent);
  assert.match(reason, /fire\.coverage/);
  await page.context().close();
});

test("Mod Enter brings focus to the signature and does not press it", async () => {
  const page = await opened("review", 1440, "light");
  let signed = false;
  await page.exposeFunction("told", () => (signed = true));
  await page.evaluate(() => document.querySelector("hp-page").addEventListener("hp-act", () => window.told()));
  await page.keyboard.press("Control+Enter");
  assert.equal(await page.getByTestId("hp-install").evaluate((node) => node.getRootNode().activeElement === node), true);
  assert.equal(signed, false);
  await page.context().close();
});

test("F6 goes through the panes and back", async () => {
  const page = await opened("installed", 1440, "light");
  const at = () => page.evaluate(() => document.querySelector("hp-page").shadowRoot.activeElement?.closest("[data-f6]")?.className ?? "");
  const seen = [];
  for (let i = 0; i < 4; i += 1) {
    await page.keyboard.press("F6");
    seen.push((await at()).split(" ")[1]);
  }
  assert.deepEqual(new Set(seen), new Set(["left", "mid", "dock", "work"]));
  await page.context().close();
});

test("the table draws the rows in sight and no more, and extends a selection by keys", async () => {
  const page = await opened("table", 1440, "light");
  const rows = page.locator("hp-elements [data-row]");
  assert.ok((await rows.count()) < 80, "418 rows are not all drawn");
  const chosen = page.evaluate(() => new Promise((resolve) => document.querySelector("hp-page").addEventListener("hp-select", (event) => resolve(event.detail.ids.length), { once: true })));
  await page.locator('hp-elements .body[tabindex="0"]').focus();
  await page.keyboard.press("Shift+ArrowDown");
  assert.equal(await chosen, 2);
  await page.context().close();
});
