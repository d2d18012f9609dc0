// Two builds and two tabs: a tab goes on with the build that it began with, whatever is served meanwhile.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { ExtensionsEdge, ready } from "./edge/extensions.ts";
import { type Site, serve } from "./site.ts";

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};
/** A file that Vite names by its content. */
const HASHED = /^(.*)-([\w-]{8})(\.\w+)$/;

type Build = Map<string, Buffer>;

/** The same page as another build has it: each file that is named by its content has another name. */
function rebuilt(folder: string): Build {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => statSync(join(folder, path)).isFile() && !/\.(br|gz|map)$/.test(path),
  );
  const names = paths.flatMap((path) => {
    const [, name, hash, ending] = HASHED.exec(path.split("/").pop() ?? "") ?? [];
    return name && hash
      ? [[`${name}-${hash}${ending}`, `${name}-${[...hash].reverse().join("")}${ending}`]]
      : [];
  }) as [string, string][];
  const renamed = (text: string): string =>
    names.reduce((done, [before, after]) => done.replaceAll(before, after), text);
  const build: Build = new Map();
  for (const path of paths) {
    const bytes = readFileSync(join(folder, path));
    const text = /\.(js|css|html)$/.test(path);
    build.set(`/${renamed(path)}`, text ? Buffer.from(renamed(bytes.toString())) : bytes);
  }
  const before = readFileSync(join(folder, "sw.js"), "utf8");
  assert.ok(before.includes(nameOf(before)), "the worker names its build by its list");
  const worker = renamed(before);
  build.set("/sw.js", Buffer.from(worker.replaceAll(nameOf(before), nameOf(worker))));
  return build;
}

/** The name of a build, from the list in its service worker. */
function nameOf(worker: string): string {
  const [list = "[]"] = /\["\.\/"[^\]]*\]/.exec(worker) ?? [];
  return createHash("sha256")
    .update(JSON.stringify(JSON.parse(list)))
    .digest("hex")
    .slice(0, 12);
}

let site: Site;
let browser: Browser;
let context: BrowserContext;
/** What is served instead of the first build. */
let newer: Build | null = null;
const missing: string[] = [];

before(
  async () => {
    const edge = new ExtensionsEdge();
    site = await serve("page", async (pathname, request, response) => {
      if (await edge.serve(request, response)) return true;
      if (!newer) return false;
      const path = pathname === "/" ? "/index.html" : pathname;
      const file = newer.get(path);
      if (!file) missing.push(path);
      const type = TYPES[extname(path)] ?? "application/octet-stream";
      response.writeHead(file ? 200 : 404, { "content-type": type }).end(file ?? "");
      return true;
    });
    browser = await startBrowser();
    context = await browser.newContext();
  },
  { timeout: 180_000 },
);

after(async () => {
  await browser?.close();
  site?.stop();
});

async function opened(): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`${site.origin}/#token=hp_web`);
  await ready(page);
  return page;
}

const copies = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("holdpoint-")));

/** Waits until the offline copy that controls the page is the active one of the newest build. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const ready = await navigator.serviceWorker.ready;
    await ready.update();
    while (ready.installing || ready.waiting || ready.active?.state !== "activated")
      await new Promise((resolve) => setTimeout(resolve, 50));
  });

test("an old tab loads what it needs late after a new build has taken over, until it is closed", async () => {
  const old = await opened();
  await settled(old);
  const [first = ""] = await copies(old);
  assert.notEqual(first, "");

  newer = rebuilt(site.folder);
  const young = await opened();
  await settled(young);
  const both = await copies(young);
  assert.equal(both.length, 2, "the copy of the old tab's build is kept");
  assert.ok(both.includes(first));

  // Parts that the old tab has not asked for yet: scripts, and a module that a Web Worker of it loads.
  const parts = readdirSync(join(site.folder, "assets")).filter((name) =>
    /\.(js|wasm)$/.test(name),
  );
  const loaded = await old.evaluate(async (names) => {
    const known = new Set(performance.getEntriesByType("resource").map((one) => one.name));
    const late = names.filter((name) => !known.has(`${location.origin}/assets/${name}`));
    const [script = ""] = late.filter((name) => name.endsWith(".js") && !/worker/.test(name));
    const [module = ""] = late.filter((name) => name.endsWith(".wasm"));
    const asks = `fetch("${location.origin}/assets/${module}").then((it) => postMessage(it.status), String)`;
    const worker = new Worker(URL.createObjectURL(new Blob([asks])));
    const status = new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    return {
      script,
      module,
      names: Object.keys(await import(`/assets/${script}`)).length > 0,
      status: await Promise.race([status, new Promise((late) => setTimeout(late, 5_000))]),
    };
  }, parts);
  assert.notEqual(loaded.script, "");
  assert.notEqual(loaded.module, "");
  assert.deepEqual([loaded.names, loaded.status], [true, 200]);
  const asked = missing.filter((path) => path.startsWith("/assets/"));
  assert.deepEqual(asked, [], "nothing of the old build was asked of the server");

  // A reload of the young tab is no reason to pull the old build away either.
  await young.reload();
  await settled(young);
  assert.equal((await copies(young)).length, 2);

  await old.close();
  for (let tries = 0; tries < 10 && (await copies(young)).length > 1; tries += 1) {
    await young.reload();
    await settled(young);
  }
  assert.deepEqual((await copies(young)).length, 1, "with its last tab the old build goes");
  assert.equal((await copies(young)).includes(first), false);
});

test("the interpreter of scripts is kept when it was loaded first, and is there without a network", async () => {
  const page = await opened();
  await settled(page);
  const served = newer ?? new Map<string, Buffer>();
  const parts = [...served.keys()].filter((path) => path.startsWith("/assets/python/"));
  assert.equal(parts.length, 4);
  const kept = () =>
    page.evaluate(async (paths) => {
      const found = await Promise.all(paths.map((path) => caches.match(path)));
      return found.filter((one) => one !== undefined).length;
    }, parts);
  const loads = () =>
    page.evaluate(async (paths) => {
      const all = await Promise.all(paths.map(async (path) => (await fetch(path)).arrayBuffer()));
      return all.reduce((sum, one) => sum + one.byteLength, 0);
    }, parts);
  assert.equal(await kept(), 0);
  const size = await loads();
  while ((await kept()) < parts.length) await page.waitForTimeout(50);
  await context.setOffline(true);
  assert.equal(await loads(), size);
  await context.setOffline(false);
});

test("without a network the newest build opens", async () => {
  const page = await opened();
  await settled(page);
  await context.setOffline(true);
  await page.reload();
  await ready(page);
  await context.setOffline(false);
});
