// The page of `cargo xtask dev`: its address opens signed in and holds no key; who signs out stays out; a page that is
// built knows no key. Python runs in it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { startBrowser } from "./browser.ts";
import { ProfileEdge, unset } from "./edge/profile.ts";
import { ScriptsEdge } from "./edge/scripts.ts";
import { listen } from "./site.ts";
import "./page.ts";

const root = fileURLToPath(new URL("../../www/app", import.meta.url));
let site: Awaited<ReturnType<typeof listen>>;
let browser: Browser;
const edge = new ProfileEdge();
edge.profile = {
  ...unset,
  effectiveAvailability: { available: true, code: "OK", message: "S is used." },
  resolution: { policy: "allow-all", profile: "off", system: "used", systemModel: "S" },
};
/** The keys that the edge was asked with. */
const keys = () => [...new Set(edge.asked.flatMap(({ headers }) => headers.authorization ?? []))];

/** The page as it is developed, over an edge or over none. */
async function developed(origin: string | null): Promise<{ vite: ViteDevServer; url: string }> {
  if (origin) process.env.HOLDPOINT_ORIGIN = origin;
  else delete process.env.HOLDPOINT_ORIGIN;
  const vite = await createServer({
    root,
    logLevel: "error",
    cacheDir: fileURLToPath(new URL("../../build/vite-dev-test", import.meta.url)),
    server: { host: "127.0.0.1", port: 0, hmr: false, watch: null },
  });
  await vite.listen();
  delete process.env.HOLDPOINT_ORIGIN;
  const [address] = vite.resolvedUrls?.local ?? [];
  if (!address) throw new Error("vite does not listen");
  return { vite, url: new URL("/crew/profile", address).href };
}
async function opened(url: string): Promise<Page> {
  const page = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(url, { waitUntil: "commit" });
  return page;
}

before(async () => {
  site = await listen((request, response) => void edge.serve(request, response));
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  site?.stop();
});

test("the address that dev prints opens signed in, and there is no key in it", async () => {
  const { vite, url } = await developed(site.origin);
  try {
    const page = await opened(url);
    await page.getByTestId("hp-used").getByText("S is used.").waitFor();
    assert.deepEqual(keys(), ["Bearer dev"]);
    assert.equal(page.url(), url);

    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign out, keep my work here" }).click();
    await page.locator("hp-sign-in").waitFor();
    await page.reload();
    await page.locator("hp-sign-in").waitFor();
    await page.context().close();
  } finally {
    await vite.close();
  }
});

test("where the development server does not answer, a sentence says so", async () => {
  const { vite, url } = await developed(null);
  const page = await (await browser.newContext()).newPage();
  await page.goto(url, { waitUntil: "commit" });
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    await new Promise<void>((done) => {
      if (navigator.serviceWorker.controller) done();
      navigator.serviceWorker.addEventListener("controllerchange", () => done(), { once: true });
    });
  });
  await page.locator("hp-sign-in, [data-state=offline], hp-profile-page").first().waitFor();
  await vite.close();
  await page.reload();
  await page.getByRole("heading", { name: "The development server does not answer" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.context().close();
});

test("a page without a development edge asks for a key", async () => {
  edge.asked.length = 0;
  const { vite, url } = await developed(null);
  try {
    const page = await opened(url);
    await page.locator("hp-sign-in, [data-state=offline], hp-profile-page").first().waitFor();
    await page.waitForTimeout(500);
    assert.deepEqual(keys(), []);
    assert.equal(await page.getByTestId("hp-used").count(), 0);
    await page.context().close();
  } finally {
    await vite.close();
  }
});

test("a script runs in the page of development", async () => {
  const scripts = new ScriptsEdge();
  const its = await listen((request, response) => void scripts.serve(request, response));
  const { vite, url } = await developed(its.origin);
  try {
    const page = await opened(new URL("/walk.html", url).href);
    await page.waitForSelector('html[data-ready="walk"]');
    await page.locator('.cm-content[data-file="tool.py"]').waitFor();
    const [column] = await page.evaluate(async () => {
      const { editors, running } = window.hpApp.tool;
      const schemas = { "settings_schema.json": "", "input_schema.json": "" };
      const tool = "def run(settings, inputs):\n    return 6 * 7\n";
      editors.replace({ ...schemas, "entrypoint.txt": "run", "tool.py": tool });
      await running.start();
      return running.view().columns;
    });
    assert.equal(column?.error, null);
    assert.equal(column?.state, "done");
    await page.context().close();
  } finally {
    await vite.close();
    its.stop();
  }
});
