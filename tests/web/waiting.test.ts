// What was signed stays on the device until it is stored, whatever the server answers, and the page says the truth
// about why it waits.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { replies } from "./doors.ts";
import type { Fault } from "./edge/edge.ts";
import {
  type ExtensionsEdge,
  INSTALL,
  pages,
  ready,
  reviewed,
  signed as stores,
} from "./edge/extensions.ts";

const { opened, closed, url } = pages();
const ASK = "Make a panel that counts the doors";
const NAME = "Door count";

const column = (page: Page) => page.locator("hp-workbench");
/** What somebody signed while the server answers so. */
async function signed(faults: Fault[]): Promise<{ page: Page; edge: ExtensionsEdge }> {
  const { page, edge } = await opened({ token: "hp_ann", replies: replies() });
  await reviewed(page, ASK);
  edge.faults.set(INSTALL, faults);
  await page.getByTestId("hp-install").click();
  return { page, edge };
}
const waits = (page: Page) => column(page).getByText("On this device, not yet stored").waitFor();
/** The whole column as a person reads it. */
const words = (page: Page) => column(page).evaluate((one) => one.shadowRoot?.textContent ?? "");

const SAID: [string, Fault, RegExp][] = [
  [
    "429",
    { stays: true, status: 429, code: "RATE_LIMITED", headers: { "retry-after": "3600" } },
    /The server asks to wait/,
  ],
  ["500", { stays: true, status: 500, code: "INTERNAL" }, /The server could not store it now/],
  [
    "503",
    { stays: true, status: 503, code: "LEDGER_UNAVAILABLE" },
    /The server could not store it now/,
  ],
  ["401", { stays: true, status: 401, code: "KEY_REVOKED" }, /It is sent when you sign in again/],
];
for (const [name, fault, said] of SAID)
  test(`${name} keeps what was signed, and the page says why; then it is stored`, async () => {
    const { page, edge } = await signed([fault]);
    await waits(page);
    assert.match(await words(page), said);
    assert.doesNotMatch(await words(page), /The project moved|without a connection/);
    await page.getByTestId("hp-waiting").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.reload();
    await ready(page);
    await column(page).getByText("Not yet stored").first().waitFor();
    await page.getByTestId("hp-waiting").getByText(said).waitFor();
    assert.deepEqual(edge.installs, []);
    edge.faults.clear();
    await page.getByRole("button", { name: "Send now" }).click();
    await page.locator("hp-toast").getByText(NAME).waitFor();
    assert.equal(edge.installs.length, 1);
    assert.equal(new Set(edge.keys).size, 1, "with one key from the first time on");
    await page.getByTestId("hp-waiting").waitFor({ state: "detached" });
    await closed(page);
  });

test("an answer that was lost is asked for again, and counts as stored", async () => {
  const { page, edge } = await signed(["lost"]);
  await waits(page);
  assert.equal(edge.installs.length, 1, "it was stored");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.locator("hp-toast").getByText(NAME).waitFor();
  await column(page).getByText("On this device, not yet stored").waitFor({ state: "detached" });
  assert.deepEqual([edge.installs.length, edge.keys.length], [1, 2]);
  assert.equal(edge.keys[0], edge.keys[1]);
  assert.ok(edge.keys[0]);
  await closed(page);
});

test("a page that is left while it sends loses nothing and stores once", async () => {
  const { page, edge } = await signed(["down"]);
  await waits(page);
  edge.faults.clear();
  await page.reload();
  await ready(page);
  await page.locator("hp-toast").getByText(NAME).waitFor();
  assert.equal(edge.installs.length, 1);
  await closed(page);
});

test("two tabs send a row once, and both say that it is stored", async () => {
  const { page, edge } = await signed(["down"]);
  await waits(page);
  const other = await page.context().newPage();
  other.setDefaultTimeout(120_000);
  await other.goto(url("/#token=hp_ann"));
  await ready(other);
  await other.getByTestId("hp-extensions").click();
  await other.locator("hp-extensions").getByText("Not yet stored").waitFor();
  edge.faults.clear();
  const before = edge.keys.length;
  await Promise.all(
    [page, other].map((one) => one.evaluate(() => dispatchEvent(new Event("online")))),
  );
  await column(page).getByText("On this device, not yet stored").waitFor({ state: "detached" });
  await other.locator("hp-extensions").getByText("Not yet stored").waitFor({ state: "detached" });
  assert.equal(edge.installs.length, 1);
  assert.equal(edge.keys.length - before, 1, "sent once");
  await closed(page);
});

test("where the check module does not load the row stays, and is sent all the same", async () => {
  const { page, edge } = await signed(["down"]);
  await waits(page);
  const module = /check[^/]*\.wasm/;
  await page.context().route(module, (route) => route.abort());
  await page.reload();
  await ready(page);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.waitForTimeout(500);
  assert.deepEqual(edge.installs, []);
  edge.faults.clear();
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.locator("hp-toast").getByText(NAME).waitFor();
  assert.equal(edge.installs.length, 1);
  await page.context().unroute(module);
  await page.reload();
  await ready(page);
  await page.locator("hp-widget-panel").getByText("7").first().waitFor();
  await column(page).getByText("Not yet stored").waitFor({ state: "detached" });
  await closed(page);
});

const REVIEW: [string, string, RegExp][] = [
  ["409", "CONFLICT", /The project moved while you were offline/],
  ["422", "BUNDLE_INVALID", /The project did not take it/],
];
for (const [status, code, said] of REVIEW)
  test(`${status} ${code} leads back to the review, also after a reload, and says what happened`, async () => {
    const { page, edge } = await signed(["down"]);
    await waits(page);
    edge.faults.set(INSTALL, [{ status: Number(status), code }]);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await column(page).getByText(said).waitFor();
    await page.reload();
    await ready(page);
    await column(page).getByText(said).waitFor();
    const sent = edge.keys.length;
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByTestId("hp-waiting").waitFor();
    assert.equal(edge.keys.length, sent, "it is not sent again by itself");
    await stores(page);
    await page.getByTestId("hp-waiting").waitFor({ state: "detached" });
    assert.equal(edge.installs.length, 1);
    await closed(page);
  });

/** In the page: every run as it was before its last event. */
async function forgets(): Promise<void> {
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name = "" } of await indexedDB.databases()) {
    const base = await done(indexedDB.open(name));
    const runs = base.transaction("runs", "readwrite").objectStore("runs");
    for (const key of await done(runs.getAllKeys())) {
      const run = (await done(runs.get(key))) as { events: object[] };
      await done(runs.put({ ...run, events: run.events.slice(0, -1) }, key));
    }
    base.close();
  }
}

test("a page that was left before its run kept the refusal says it all the same", async () => {
  const { page, edge } = await signed(["down"]);
  await waits(page);
  edge.faults.set(INSTALL, [{ status: 422, code: "BUNDLE_INVALID" }]);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  const said = column(page).getByText(/The project did not take it/);
  await said.waitFor();
  await page.evaluate(forgets);
  await page.reload();
  await ready(page);
  await said.waitFor();
  await stores(page);
  await page.getByTestId("hp-waiting").waitFor({ state: "detached" });
  assert.equal(edge.installs.length, 1);
  await closed(page);
});
