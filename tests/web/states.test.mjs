// Every state of the page (UI.md §6, §7) from fixtures: nothing for axe to say, no sideways scroll, in both themes.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const app = fileURLToPath(new URL("../../www/app", import.meta.url));
const built = fileURLToPath(new URL("../../build/gallery", import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const CHROMIUM_FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader",
];

let server, origin, browser;

before(async () => {
  execFileSync("npx", ["vite", "build", "--mode", "gallery", "--logLevel", "error"], { cwd: app, stdio: "inherit" });
  server = createServer((request, response) => {
    const file = join(built, new URL(request.url, "http://localhost").pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({ executablePath: process.env.HOLDPOINT_CHROMIUM ?? "/usr/bin/chromium", args: CHROMIUM_FLAGS });
}, { timeout: 120_000 });

after(async () => {
  await browser?.close();
  server?.close();
});

async function context(width) {
  return browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 }, reducedMotion: "reduce" });
}

async function show(page, state, theme) {
  await page.goto(`${origin}/gallery.html?state=${state}&theme=${theme}`);
  await page.waitForSelector(`html[data-ready="${state}"]`);
  if (state === "source") await page.locator(".cm-content").waitFor();
}

async function opened(state, width, theme) {
  const page = await (await context(width)).newPage();
  await show(page, state, theme);
  return page;
}

for (const width of [1440, 390]) {
  for (const theme of ["light", "dark"]) {
    test(`axe has nothing to say at ${width} px, ${theme}`, { timeout: 600_000 }, async (t) => {
      const page = await opened("empty", width, theme);
      for (const state of await page.evaluate("window.hpStates")) {
        await t.test(state, async () => {
          await show(page, state, theme);
          await page.evaluate(axe);
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
