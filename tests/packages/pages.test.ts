// The packed packages in pages of strangers: bundled by Vite, served by Vite, and without any bundler.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { build, createServer } from "vite";

import { serve } from "./server.ts";
import { answer, follow, stranger } from "./stranger.ts";

const CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"];
const PATIENCE_MS = 120_000;

let browser: Browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.HOLDPOINT_CHROMIUM ?? "/usr/bin/chromium",
    args: CHROMIUM_FLAGS,
  });
});
after(async () => {
  await browser?.close();
});

const core = stranger("core");
follow(core, "core");
const elements = stranger("core", "elements");
follow(elements, "elements");

/** An open page, and what went wrong in it. */
async function opened(url: string): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  page.setDefaultTimeout(PATIENCE_MS);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(url);
  return { page, errors };
}

/** What the page of the core's README says in the end. */
async function told(url: string): Promise<unknown> {
  const { page, errors } = await opened(url);
  await page
    .waitForFunction(() => document.querySelector("pre")?.textContent !== "")
    .catch((error) => assert.fail(`${error}\n${errors.join("\n")}`));
  const text = await page.locator("pre").innerText();
  await page.close();
  return JSON.parse(text);
}

/** The diff of the elements' README, shown, taken and left. */
async function walksTheDiff(url: string): Promise<void> {
  const { page, errors } = await opened(url);
  const place = page.locator("hp-diff .hunk");
  await place.waitFor().catch((error) => assert.fail(`${error}\n${errors.join("\n")}`));
  assert.match(await place.innerText(), /export const walls = 13;/);
  assert.equal(await page.locator("hp-diff .hunk.rejected").count(), 0);
  await page.getByTestId("hp-leave").click();
  await page.locator("hp-diff .hunk.rejected").waitFor();
  await page.getByTestId("hp-take").click();
  await page.locator("hp-diff .hunk:not(.rejected)").waitFor();
  assert.deepEqual(errors, []);
  await page.close();
}

/** Builds a page with Vite and serves what it made. */
async function built(root: string, outDir: string) {
  await build({ root, logLevel: "error", build: { outDir, emptyOutDir: true } });
  return serve(outDir);
}

/** Serves a page with Vite's development server. */
async function developed(root: string) {
  const server = await createServer({
    root,
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1", fs: { strict: false } },
  });
  await server.listen();
  const address = server.httpServer?.address();
  assert.ok(address && typeof address === "object");
  return { origin: `http://127.0.0.1:${address.port}`, stop: () => server.close() };
}

test("a bare Vite page, built: diff, preview, check and a declarative test", async (t) => {
  const { origin, stop } = await built(join(core, "vite"), join(core, "vite-out"));
  t.after(stop);
  assert.deepEqual(await told(`${origin}/`), answer(core));
});

test("a bare Vite page, on its development server", async (t) => {
  const { origin, stop } = await developed(join(core, "vite"));
  t.after(stop);
  assert.deepEqual(await told(`${origin}/`), answer(core));
});

test("a plain page with a module script", async (t) => {
  const { origin, stop } = await serve(core);
  t.after(stop);
  assert.deepEqual(await told(`${origin}/plain.html`), answer(core));
});

test("no module is fetched before something asks for it", async (t) => {
  const { origin, asked, stop } = await serve(core);
  t.after(stop);
  writeFileSync(
    join(core, "asks.html"),
    `<!doctype html><pre></pre>
<script type="importmap">
  { "imports": { "@holdpoint/core": "./node_modules/@holdpoint/core/dist/browser/index.js" } }
</script>
<script type="module">
  import { createChecks, createSandboxClient, loadCore } from "@holdpoint/core";
  import { after, before } from "./bundle.js";
  const checks = createChecks("ifc-extension");
  const sandbox = createSandboxClient(checks);
  globalThis.steps = {
    core: async () => (await loadCore()).diff(before, after),
    check: () => checks.check(after),
    test: () => sandbox.test(after),
  };
  document.querySelector("pre").textContent = "ready";
</script>`,
  );
  const { page } = await opened(`${origin}/asks.html`);
  await page.waitForFunction(() => document.querySelector("pre")?.textContent === "ready");
  const fetched = (): string[] =>
    asked.flatMap((path) => /[\w-]+(?:_bg\.wasm|\.txt|\.ifc)$/.exec(path)?.[0] ?? []);
  const step = (name: string) =>
    page.evaluate(
      (it) =>
        (globalThis as unknown as { steps: Record<string, () => Promise<object>> }).steps[
          it
        ]().then(() => null),
      name,
    );
  assert.deepEqual(fetched(), []);
  await step("core");
  assert.deepEqual(fetched(), ["core_bg.wasm"]);
  await step("check");
  assert.deepEqual(fetched(), ["core_bg.wasm", "check-extension_bg.wasm"]);
  await step("test");
  assert.deepEqual(fetched().slice(2), ["sandbox_bg.wasm"]);
  await page.close();
});

test("<hp-diff> in a bare Vite page, built", async (t) => {
  const { origin, stop } = await built(elements, join(elements, "out"));
  t.after(stop);
  await walksTheDiff(`${origin}/`);
});

test("<hp-diff> in a bare Vite page, on its development server", async (t) => {
  const { origin, stop } = await developed(elements);
  t.after(stop);
  await walksTheDiff(`${origin}/`);
});

test("<hp-diff> in a plain page with a module script", async (t) => {
  const { origin, stop } = await serve(elements);
  t.after(stop);
  await walksTheDiff(`${origin}/plain.html`);
});

/** Styles that pages have, and some that nobody should. */
const FOREIGN = `
  html { font-size: 10px; }
  *, *::before, *::after { margin: 0; padding: 0; box-sizing: content-box; font-family: cursive; letter-spacing: 2px; }
  :root { --text: red; --surface: yellow; --s-4: 40px; --font: fantasy; --line: 9px; --diff-add: hotpink; }
  body {
    font: italic 700 30px/3 cursive; color: red; background: yellow; text-align: center; text-transform: uppercase;
    text-indent: 3em; text-shadow: 2px 2px blue; word-spacing: 1em; white-space: pre; cursor: wait; direction: ltr;
    border-collapse: separate; border-spacing: 9px; list-style: square; tab-size: 20; quotes: none; hyphens: auto;
    word-break: break-all; font-variant: small-caps; caption-side: bottom; visibility: visible;
  }
  table, td, tr, section, div { border: 5px dotted lime; background: orange; }
  button { all: unset; font-size: 40px; }
  .hunk, .diff, .code, .ins, .del { display: none; color: white; }
`;

/** Round corners blend with what lies below them. */
const inside = ({
  x,
  y,
  width,
  height,
}: {
  x: number;
  y: number;
  width: number;
  height: number;
}) => ({
  x: x + 4,
  y: y + 4,
  width: width - 8,
  height: height - 8,
});

test("<hp-diff> looks the same in a page of foreign styles", async (t) => {
  const { origin, stop } = await serve(elements);
  t.after(stop);
  const page = (styles: string): string => `<!doctype html><html lang="en">
<style>${styles}</style>
<article style="width: 860px; border: 0; background: white"><hp-diff></hp-diff></article>
<script type="importmap">
  {
    "imports": {
      "@holdpoint/core": "./node_modules/@holdpoint/core/dist/browser/index.js",
      "@holdpoint/elements/diff": "./node_modules/@holdpoint/elements/dist/standalone/diff.js"
    }
  }
</script>
<script type="module" src="./show.js"></script>`;
  const shots: string[] = [];
  for (const [name, styles] of [
    ["bare", ""],
    ["foreign", FOREIGN],
  ]) {
    writeFileSync(join(elements, `${name}.html`), page(styles));
    const { page: shown } = await opened(`${origin}/${name}.html`);
    await shown.locator("hp-diff .hunk").waitFor();
    const box = await shown.locator("hp-diff").boundingBox();
    assert.ok(box);
    const shot = await shown.screenshot({ clip: inside(box) });
    shots.push(`data:image/png;base64,${shot.toString("base64")}`);
    await shown.close();
  }
  const { page: looks } = await opened(`${origin}/bare.html`);
  assert.equal(await looks.evaluate(differing, { shots, blended: BLENDED }), 0);
  await looks.close();
});

/** Edges of a drawing blend with what is below them by their place between two pixels: a channel moves by less. */
const BLENDED = 16;

/** In a page: how many channels of two pictures differ by more than that. */
async function differing({ shots, blended }: { shots: string[]; blended: number }) {
  const pictures = shots.map(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context?.drawImage(image, 0, 0);
    return context?.getImageData(0, 0, image.width, image.height).data;
  });
  const [bare, foreign] = await Promise.all(pictures);
  if (!bare?.length || bare.length !== foreign?.length) return -1;
  return bare.filter((one, i) => Math.abs(one - (foreign[i] ?? 0)) > blended).length;
}

test("<hp-diff> follows the colour scheme of the place where it stands", async (t) => {
  const { origin, stop } = await serve(elements);
  t.after(stop);
  const { page } = await opened(`${origin}/plain.html`);
  await page.locator("hp-diff .hunk").waitFor();
  const ground = () =>
    page
      .locator("hp-diff .diffbox")
      .evaluate((box: Element) => getComputedStyle(box).backgroundColor);
  assert.equal(await ground(), "rgb(255, 255, 255)");
  await page.addStyleTag({ content: "hp-diff { color-scheme: dark; }" });
  assert.equal(await ground(), "rgb(21, 27, 26)");
  await page.close();
});
