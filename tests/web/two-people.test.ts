// Two people at one browser: what one of them has on the device is not read, shown, sent or erased for the other, and
// what was there before anybody signed in is offered, never sent.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { replies } from "./doors.ts";
import { INSTALL, pages, ready, reviewed } from "./edge/extensions.ts";

const { opened, closed, edgeOf, url } = pages();
const ASK = "Make a panel that counts the doors";
const NAME = "Door count";

const question = (page: Page, id: string) => page.getByTestId(`hp-answer-${id}`);
/** A link of the page with a key in it, opened in the same tab. */
async function link(page: Page, token: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(url(`/#token=${token}`));
}
const rows = (page: Page, store: string) =>
  page.evaluate(
    (name) =>
      new Promise<string[]>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const database = request.result;
          if (!database.objectStoreNames.contains("queue")) return resolve([]);
          const keys = database.transaction("queue").objectStore("queue").getAllKeys();
          keys.onsuccess = () => {
            database.close();
            resolve(keys.result.map(String));
          };
        };
      }),
    store,
  );
const stores = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? "").sort());

/** Ann signs while nobody answers: it waits on the device. */
async function signedOffline() {
  const { page, edge } = await opened({ token: "hp_ann", replies: replies() });
  await reviewed(page, ASK);
  // What is tried on the model needs its module.
  await page.locator('[data-testid="hp-install"]:enabled').waitFor();
  await page.context().setOffline(true);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-workbench").getByText("On this device, not yet stored").waitFor();
  assert.deepEqual(edge.installs, []);
  return { page, edge };
}
/** Nothing of Ann's stands on the page. */
async function nothingOf(page: Page): Promise<void> {
  await ready(page);
  await page.getByTestId("hp-extensions").click();
  await page
    .locator("hp-extensions")
    .getByText("No extension is installed", { exact: false })
    .waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.getByText(NAME).count(), 0);
  assert.equal(await page.getByText(ASK).count(), 0);
  assert.equal(await page.getByTestId("hp-waiting").count(), 0);
}

test("a link with the key of another person asks first, and what waits is sent as its own person only", async () => {
  const { page, edge: ann } = await signedOffline();
  ann.faults.set(INSTALL, ["down"]);
  await page.context().setOffline(false);
  await link(page, "hp_ben");
  await page.getByRole("heading", { name: "This link is for somebody else" }).waitFor();
  assert.equal(await page.locator("hp-elements").count(), 0, "nothing stands behind the question");
  assert.deepEqual(await violations(page), []);
  const ben = edgeOf("hp_ben");
  assert.deepEqual(ben.keys, []);

  await question(page, "stay").click();
  await ready(page);
  await page.locator("hp-workbench").getByText("Not yet stored").first().waitFor();
  assert.deepEqual(ben.keys, [], "nothing was sent as somebody else");

  await link(page, "hp_ben");
  await question(page, "switch").click();
  await nothingOf(page);
  assert.deepEqual(ben.keys, []);
  assert.deepEqual(await rows(page, "holdpoint pr_ann"), ["doors.count"], "Ann's row is untouched");

  ann.faults.clear();
  await link(page, "hp_ann_2");
  await question(page, "switch").click();
  await ready(page);
  await page.locator("hp-toast").getByText(NAME).waitFor();
  assert.deepEqual([ann.installs.length, ben.installs.length], [1, 0]);
  assert.deepEqual(await rows(page, "holdpoint pr_ann"), []);
  await page.locator("hp-widget-panel").getByText("7").first().waitFor();
  await closed(page);
});

test("a link with another key of the same person signs in without a word", async () => {
  const { page } = await opened({ token: "hp_ann" });
  await link(page, "hp_ann_2");
  await ready(page);
  assert.equal(await page.locator("hp-question").count(), 0);
  await closed(page);
});

test("signed out, the next person finds nothing; back again, everything is there and is sent", async () => {
  const { page, edge: ann } = await signedOffline();
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign out" }).waitFor();
  await page.getByText("1 extension that you signed is not yet stored", { exact: false }).waitFor();
  await page.getByText(NAME).first().waitFor();
  assert.deepEqual(await violations(page), []);
  ann.faults.set(INSTALL, ["down"]);
  await page.context().setOffline(false);
  await question(page, "keep").click();
  const token = page.getByTestId("hp-token");
  await token.fill("hp_ben");
  await page.getByTestId("hp-sign-in").click();
  await nothingOf(page);
  const ben = edgeOf("hp_ben");
  assert.deepEqual([ben.keys, ann.installs], [[], []]);

  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await question(page, "keep").click();
  ann.faults.clear();
  await token.fill("hp_ann");
  await page.getByTestId("hp-sign-in").click();
  await page.locator("hp-toast").getByText(NAME).waitFor();
  assert.deepEqual([ann.installs.length, ben.installs.length], [1, 0]);
  await closed(page);
});

test("signed out and erased, nothing of it is left on the device", async () => {
  const { page } = await signedOffline();
  edgeOf("hp_ann").faults.set(INSTALL, ["down"]);
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await question(page, "erase").click();
  await page.getByTestId("hp-token").waitFor();
  assert.ok(!(await stores(page)).includes("holdpoint pr_ann"));
  const left = await page.evaluate(() => [
    ...Object.entries(localStorage),
    ...Object.entries(sessionStorage),
  ]);
  assert.deepEqual(left, [["holdpoint.out", "1"]]);
  await closed(page);
});

test("the last person's work opens while nobody answers, and waits for a key of theirs", async () => {
  const { page, edge: ann } = await signedOffline();
  ann.faults.set(INSTALL, ["down"]);
  await page.context().setOffline(false);
  const context = page.context();
  const other = await context.newPage();
  // An open tab of hers would sign the other one in.
  await page.close();
  await other.route(/\/(api|gateway|v1)\//, (route) => route.abort());
  await other.goto(url());
  await ready(other);
  await other.getByText("You are offline", { exact: false }).first().waitFor();
  await other.locator("hp-workbench").getByText("Not yet stored").first().waitFor();
  await other.unroute(/\/(api|gateway|v1)\//);
  await other.evaluate(() => dispatchEvent(new Event("online")));
  await other.getByTestId("hp-token").waitFor();
  assert.equal(ann.keys.filter((key) => key !== ann.keys[0]).length, 0);
  const before = ann.keys.length;
  ann.faults.clear();
  await other.getByTestId("hp-token").fill("hp_ann");
  await other.getByTestId("hp-sign-in").click();
  await other.locator("hp-toast").getByText(NAME).waitFor();
  assert.deepEqual([ann.installs.length, ann.keys.length > before], [1, true]);
  await closed(page);
});

/** Before stores had a name: an install that somebody signed offline, and a change. */
async function nameless(page: Page, files: Record<string, string>): Promise<void> {
  await page.evaluate(async (bundle) => {
    const request = indexedDB.open("holdpoint", 1);
    const areas = ["runs", "drafts", "models", "installs", "queue", "settings"];
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      request.onupgradeneeded = () => {
        for (const area of areas) request.result.createObjectStore(area);
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const record = {
      id: "doors.count",
      version: "0.1.0",
      content_hash: "sha256:old",
      granted: ["model.read"],
      enabled: true,
      origin: "authored",
      installed_at: 1,
      sdk_version: "1.0.0",
      revision_id: "",
      can_undo: false,
      can_redo: false,
    };
    const transaction = database.transaction(areas, "readwrite");
    const put = (area: string, key: string, value: unknown) =>
      transaction.objectStore(area).put(value, key);
    put("installs", "doors.count", { record, files: bundle, stored: false, change: "" });
    put("queue", "doors.count", {
      request: {
        files: bundle,
        granted: ["model.read"],
        base_hash: null,
        patch_id: "p",
        result_hash: "r",
        origin: "authored",
      },
      change: "",
    });
    put("drafts", "ask", "Words that were not sent");
    await new Promise((done) => {
      transaction.oncomplete = done;
    });
    database.close();
  }, files);
}

/** The files of the extension as a run makes them, signed once by somebody. */
async function signedFiles(): Promise<Record<string, string>> {
  const { page, edge } = await opened({ token: "hp_carol", replies: replies() });
  await reviewed(page, ASK);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  await closed(page);
  const [install] = edge.installs;
  assert.ok(install);
  return install.files;
}

test("what was nobody's is offered by name, never sent, and signed anew by who takes it over", async () => {
  const files = await signedFiles();
  const { page, edge: ann } = await opened({ token: "hp_ann" });
  await nameless(page, files);
  await page.reload();
  await page
    .getByRole("heading", { name: "There is work on this device that is nobody's" })
    .waitFor();
  await page.getByText(NAME).first().waitFor();
  assert.deepEqual(await violations(page), []);
  await question(page, "later").click();
  await ready(page);
  assert.deepEqual(ann.keys, []);

  await page.reload();
  const saved = page.waitForEvent("download");
  await question(page, "save").click();
  assert.equal((await saved).suggestedFilename(), "holdpoint-device.json");
  await question(page, "take").click();
  await ready(page);
  const notice = page.getByTestId("hp-waiting");
  await notice.getByText("was signed before you signed in", { exact: false }).waitFor();
  assert.deepEqual(ann.keys, [], "nothing that nobody signed is sent");
  assert.ok(!(await stores(page)).includes("holdpoint"));
  await notice.getByRole("button", { name: "Review" }).click();
  await page.getByTestId("hp-install").waitFor({ timeout: 120_000 });
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  await notice.waitFor({ state: "detached" });
  assert.deepEqual(ann.installs.length, 1);
  await closed(page);
});

test("what was nobody's can be erased", async () => {
  const { page, edge } = await opened({ token: "hp_ann" });
  await nameless(page, { "manifest.json": '{"id":"doors.count","name":"Door count"}' });
  await page.reload();
  await question(page, "erase").click();
  await ready(page);
  assert.ok(!(await stores(page)).includes("holdpoint"));
  assert.deepEqual(edge.keys, []);
  await closed(page);
});
