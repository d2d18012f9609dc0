// Whose key a tab has, and whose store the device opens; what stands there for nobody, and what becomes of it.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Credential as Key } from "../../www/app/src/credential.ts";
import type * as Core from "../../www/core/src/unclaimed.ts";
import { startBrowser } from "./browser.ts";
import { serveDevice } from "./device.ts";
import type { Fault } from "./edge/edge.ts";

interface Device {
  Credential: typeof Key;
  device: typeof Core & typeof import("../../www/core/src/store.ts");
}

let browser: Browser;
let context: BrowserContext;
let page: Page;

let site: Awaited<ReturnType<typeof serveDevice>>;

before(async () => {
  site = await serveDevice();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  site?.stop();
});
beforeEach(async () => {
  site.edge.away = false;
  site.edge.faults.clear();
  await context?.close();
  context = await browser.newContext();
  page = await context.newPage();
});

/** What the tab's key is after the page has begun. */
const opened = () =>
  page.evaluate(async () => {
    const { Credential } = window as unknown as Device;
    const key = await Credential.open();
    Object.assign(window, { key });
    const { token, principal, other, refused, offline } = key;
    const of = { token, principal, other, offline, refused: refused?.error.code ?? null };
    return { ...of, address: location.hash, signer: key.asker.signer() };
  });
/** Does something with the key of the tab. */
const key = <T>(act: (key: Key) => T | Promise<T>): Promise<T> =>
  page.evaluate(`(${act})(window.key)`) as Promise<T>;
const link = async (token: string, ...faults: Fault[]) => {
  site.edge.faults.set("GET /v1/models", faults);
  await site.visit(page, `#token=${token}`);
  return opened();
};

test("the first key is taken at once; its name is remembered, the key is not", async () => {
  const first = await link("hp_ann");
  assert.deepEqual(
    [first.token, first.principal, first.signer, first.other, first.address],
    ["hp_ann", "pr_ann", "pr_ann", null, ""],
  );
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  assert.match(kept, /pr_ann/);
  assert.doesNotMatch(kept, /hp_ann/);
});

test("the key of another person is not used before a yes", async () => {
  await link("hp_ann");
  const second = await link("hp_ben");
  assert.deepEqual([second.token, second.principal], ["hp_ann", "pr_ann"]);
  assert.deepEqual(second.other, { token: "hp_ben", principal: "pr_ben" });
  await key((one) => one.switch());
  await site.visit(page);
  const now = await opened();
  assert.deepEqual([now.token, now.principal, now.other], ["hp_ben", "pr_ben", null]);
});

test("also in a tab where nobody has a key the last person is asked", async () => {
  await link("hp_ann");
  const tab = await context.newPage();
  page = tab;
  const found = await link("hp_ben");
  assert.deepEqual([found.token, found.principal], [undefined, "pr_ann"]);
  assert.equal(found.other?.principal, "pr_ben");
});

test("another key of the same person is taken without a word", async () => {
  await link("hp_ann");
  const second = await link("hp_ann_2");
  assert.deepEqual([second.token, second.principal, second.other], ["hp_ann_2", "pr_ann", null]);
});

test("while nobody answers the last person's store opens, and a link waits until it is known whose it is", async () => {
  await link("hp_ann");
  const tab = await context.newPage();
  page = tab;
  site.edge.away = true;
  const away = await link("hp_ben");
  assert.deepEqual([away.token, away.principal, away.other], [undefined, "pr_ann", null]);
  assert.equal(away.offline, true);
  site.edge.away = false;
  assert.equal(await key((one) => one.ask()), false);
  assert.deepEqual(await key((one) => one.other), { token: "hp_ben", principal: "pr_ben" });
  assert.equal(await key((one) => one.token), undefined);
});

test("a server that fails says nothing of a key", async () => {
  for (const status of [429, 500, 503]) {
    const found = await link("hp_ann", { status, code: "BUSY", stays: true });
    assert.deepEqual([found.refused, found.offline, found.principal], [null, true, null]);
  }
  const code = "AUTH_INVALID_TOKEN";
  const wrong = await link("hp_nobody", { status: 401, code, stays: true });
  assert.deepEqual([wrong.refused, wrong.token, wrong.principal], [code, undefined, null]);
});

test("what a tab kept of one person does not stay for the next", async () => {
  await link("hp_ann");
  await page.evaluate(() => sessionStorage.setItem("front", "3"));
  await link("hp_ann_2");
  assert.equal(await page.evaluate(() => sessionStorage.getItem("front")), "3");
  await link("hp_ben");
  await key((one) => one.switch());
  assert.equal(await page.evaluate(() => sessionStorage.getItem("front")), null);
});

test("a second tab has the key of the first one, and keeps no other; not that of somebody else", async () => {
  await link("hp_ann");
  const [first, second] = [page, await context.newPage()];
  page = second;
  await site.visit(page);
  const lent = await opened();
  assert.deepEqual([lent.token, lent.principal, lent.other], ["hp_ann", "pr_ann", null]);
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...localStorage })), /hp_ann/);
  await second.close();
  page = first;
  await key((one) => one.forget());
  page = await context.newPage();
  await site.visit(page);
  assert.equal((await opened()).token, undefined, "the first tab has no key any more");
  await link("hp_ben");
  await key((one) => one.switch());
  page = await context.newPage();
  await page.goto("about:blank");
  await site.visit(page);
  await page.evaluate(() => localStorage.setItem("holdpoint.last", "pr_ann"));
  await site.visit(page);
  const other = await opened();
  assert.deepEqual([other.token, other.principal], [undefined, "pr_ann"]);
});

test("a tab that was signed out stays so beside one that is not", async () => {
  await link("hp_ann");
  const second = await context.newPage();
  page = second;
  await site.visit(page);
  await opened();
  await key((one) => one.signOut());
  await page.evaluate(() => localStorage.setItem("holdpoint.last", "pr_ann"));
  await site.visit(page);
  assert.equal((await opened()).token, undefined);
});

test("signed out, the name is forgotten too", async () => {
  await link("hp_ann");
  await key((one) => one.signOut());
  assert.deepEqual(
    await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)]),
    [[], ["holdpoint.out"]],
  );
  await site.visit(page);
  assert.equal((await opened()).principal, null);
});

test("a key that ended leaves the store with its person", async () => {
  await link("hp_ann");
  await key((one) => one.forget());
  await site.visit(page);
  const now = await opened();
  assert.deepEqual([now.token, now.principal], [undefined, "pr_ann"]);
});

test("each person has a store of their own", async () => {
  await site.visit(page);
  const found = await page.evaluate(async () => {
    const { device } = window as unknown as Device;
    const [ann, ben, nobody] = await Promise.all([
      device.openStore("pr_ann"),
      device.openStore("pr_ben"),
      device.openStore(null),
    ]);
    await ann.put("drafts", "ask", "Ann's");
    return {
      read: [
        await ann.get("drafts", "ask"),
        await ben.get("drafts", "ask"),
        await nobody.get("drafts", "ask"),
      ],
      names: [ann.name, ben.name, nobody.name],
    };
  });
  assert.deepEqual(found.read, ["Ann's", undefined, undefined]);
  assert.deepEqual(found.names, ["holdpoint pr_ann", "holdpoint pr_ben", "holdpoint nobody"]);
});

/** What a page of an earlier build left, and what a person has already. */
const filled = () =>
  page.evaluate(async () => {
    const { device } = window as unknown as Device;
    const put = async (store: string, records: [string, string, unknown][]) => {
      const database = await device.openDatabase(store);
      const areas = [...device.AREAS];
      const transaction = database.transaction(areas, "readwrite");
      for (const [area, at, value] of records) transaction.objectStore(area).put(value, at);
      await new Promise((done) => {
        transaction.oncomplete = done;
      });
      database.close();
    };
    const files = (name: string) => ({ "manifest.json": JSON.stringify({ id: name, name }) });
    const install = (name: string, stored: boolean, change: string) => ({
      record: { id: name, granted: ["model.read"], content_hash: `hash of ${name}` },
      files: files(name),
      stored,
      change,
    });
    await put("holdpoint", [
      [
        "settings",
        "changes",
        [
          { number: 2, title: "Second" },
          { number: 1, title: "First" },
        ],
      ],
      ["settings", "page", { theme: "dark" }],
      ["settings", "history", [{ extension: "doors" }]],
      ["settings", "storage doors", { count: 3 }],
      ["runs", "1", "run 1"],
      ["runs", "2", "run 2"],
      ["drafts", "installed-2", 22],
      ["drafts", "proposed-1", "plan"],
      ["drafts", "proposed-1-may", "may"],
      ["drafts", "ask", "Words"],
      ["drafts", "script-draft:t1:a", { since: 1 }],
      ["drafts", "script-list", []],
      ["installs", "doors", install("doors", false, "2")],
      ["installs", "walls", install("walls", true, "1")],
      [
        "queue",
        "doors",
        { request: { files: files("doors"), granted: [], patch_id: "p" }, change: "2" },
      ],
      ["models", "last", "a model"],
    ]);
    localStorage.setItem("holdpoint workbench p1 tab", '{"text":"Hello","at":1}');
    await put("holdpoint pr_ann", [
      ["settings", "changes", [{ number: 3, title: "Ann's" }]],
      ["runs", "3", "run of Ann"],
      ["installs", "walls", install("walls", true, "3")],
      ["drafts", "ask", "Ann's words"],
    ]);
  });
const inside = (store: string) =>
  page.evaluate(async (name) => {
    const { device } = window as unknown as Device;
    const found = await device.exported(name);
    return JSON.parse(JSON.stringify(found));
  }, store);

test("what is nobody's is named and counted", async () => {
  await site.visit(page);
  assert.equal(await page.evaluate(() => (window as unknown as Device).device.unclaimed()), null);
  await filled();
  const found = await page.evaluate(() => (window as unknown as Device).device.unclaimed());
  assert.deepEqual(found, {
    store: "holdpoint",
    extensions: ["doors", "walls"],
    waiting: ["doors"],
    changes: 2,
    drafts: 3,
    models: 1,
  });
});

test("taken over, all is there beside what the person has, and what was signed waits for their signature", async () => {
  await site.visit(page);
  await filled();
  await page.evaluate(() => (window as unknown as Device).device.takeOver("holdpoint", "pr_ann"));
  const { settings, runs, drafts, installs, queue } = await inside("holdpoint pr_ann");
  assert.deepEqual(
    settings.changes.map(({ number, title }: { number: number; title: string }) => [number, title]),
    [
      [5, "Second"],
      [4, "First"],
      [3, "Ann's"],
    ],
  );
  assert.deepEqual(runs, { 3: "run of Ann", 4: "run 1", 5: "run 2" });
  assert.deepEqual(
    [drafts["installed-5"], drafts["proposed-4"], drafts["proposed-4-may"], drafts.ask],
    [22, "plan", "may", "Ann's words"],
  );
  assert.deepEqual(drafts["script-draft:t1:a"], { since: 1 });
  assert.deepEqual(settings["storage doors"], { count: 3 });
  assert.equal(settings.history, undefined, "the project tells it anew");
  assert.deepEqual([installs.doors.stored, installs.doors.change], [false, "5"]);
  assert.deepEqual([installs.walls.stored, installs.walls.change], [true, "3"], "Ann's stays");
  assert.deepEqual(
    [queue.doors.state, queue.doors.change, queue.doors.request.granted, queue.doors.once],
    ["taken", "5", ["model.read"], undefined],
  );
  assert.equal(queue.walls.state, "taken");
  const left = await page.evaluate(async () => ({
    stores: (await indexedDB.databases()).map(({ name }) => name),
    beside: Object.keys(localStorage),
  }));
  assert.deepEqual(left.stores, ["holdpoint pr_ann"]);
  assert.deepEqual(left.beside, ["holdpoint pr_ann workbench p1 tab"]);
});

test("taken over twice, because the page was left in between, nothing doubles", async () => {
  await site.visit(page);
  await filled();
  // The store of nobody cannot go while another page holds it: as if this one had been left before.
  await page.evaluate(async () => {
    const { device } = window as unknown as Device;
    const real = indexedDB.deleteDatabase;
    indexedDB.deleteDatabase = () => {
      throw new Error("left");
    };
    await device.takeOver("holdpoint", "pr_ann").catch(() => undefined);
    indexedDB.deleteDatabase = real;
    await device.takeOver("holdpoint", "pr_ann");
  });
  const { runs, settings } = await inside("holdpoint pr_ann");
  assert.deepEqual(Object.keys(runs), ["3", "4", "5"]);
  assert.equal(settings.changes.length, 3);
});

test("erased, nothing of it is left, and nothing else goes", async () => {
  await site.visit(page);
  await filled();
  await page.evaluate(() => (window as unknown as Device).device.erase("holdpoint"));
  const left = await page.evaluate(async () => ({
    stores: (await indexedDB.databases()).map(({ name }) => name),
    beside: Object.keys(localStorage),
  }));
  assert.deepEqual(left, { stores: ["holdpoint pr_ann"], beside: [] });
});
