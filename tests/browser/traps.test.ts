// A module that breaks off takes its worker with it and nothing else: the page lives on, the next call is answered by a
// fresh worker, and a run goes on without the event that it broke off in (ENGINE §9).

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Files, Json, Review } from "@holdpoint/core/types";
import type { Locator, Page } from "playwright-core";
import { ask, opened, reviewed, rows, stored, thrown } from "./road.ts";
import { browser, edge, stack, withStack } from "./stack.ts";
import { trapAtReplies, trapInCalls } from "./traps.ts";

const FIRE = "Add a panel that shows fire-rating coverage by storey";
/** Tries of a plan, and of the call of each. */
const PLANS = 3;
const CALLS = 3;

withStack();

/** A page without the copy that a service worker keeps: its answers pass by a test's routes. */
const fresh = (): Promise<Page> => opened(browser, stack.url, { serviceWorkers: "block" });

const COMMANDS: Files = {
  "manifest.json": JSON.stringify({
    manifestVersion: 1,
    id: "two.commands",
    name: "Two commands",
    description: "For the tests.",
    version: "0.1.0",
    engines: { ifcLiteSdk: "^1.0.0" },
    capabilities: ["model.read"],
    activation: [],
    entry: { commands: { "two.doors": "src/doors.js", "two.walls": "src/walls.js" } },
    contributes: {
      commands: [
        { id: "two.doors", title: "Doors" },
        { id: "two.walls", title: "Walls" },
      ],
    },
    tests: ["doors", "walls"].map((name) => ({
      name,
      command: `two.${name}`,
      fixture: "house-small",
      expect: { logs: 0 },
    })),
  }),
  "src/doors.js": `export default (ctx) => ctx.bim.query.count("IfcDoor") + " doors";\n`,
  "src/walls.js": `export default (ctx) => ctx.bim.query.count("IfcWall") + " walls";\n`,
};

async function install(files: Files) {
  const path = "/api/v1/extensions";
  const granted = ["model.read"];
  const seen = await edge<Review>("POST", `${path}/review`, { files, base_hash: null, granted });
  const { base_hash, patch_id, result_hash, confirm_token } = seen;
  const hashes = { base_hash, patch_id, result_hash, confirm_token };
  await edge("POST", path, { files, granted, origin: "hand", ...hashes });
}

/** Closes a page whose routes may still be answering. */
async function left(page: Page) {
  await page.context().unrouteAll({ behavior: "ignoreErrors" });
  await page.context().close();
}

/** What a notice gives to whoever copies its details. */
const details = (notice: Locator): Promise<string> =>
  notice.evaluate((element) => (element as HTMLElement & { details: string }).details);

test("a call of the checks that traps answers CHECK_TRAPPED, and a fresh worker answers the next one", {
  timeout: 120_000,
}, async () => {
  await install(COMMANDS);
  const page = await fresh();
  const list = page.locator("hp-extensions");
  const button = (title: string) => list.getByRole("button", { name: `Run ${title}` });
  const run = (title: string) => button(title).click();
  // What is installed was checked once: its worker is not one of those that are counted.
  await page.getByTestId("hp-extensions").click();
  await button("Doors").waitFor();
  const started = await trapInCalls(page, '"id":"two.walls"');
  await page.reload();
  await rows(page);
  await page.getByTestId("hp-extensions").click();
  const answer = list.locator(".answer pre");

  await run("Doors");
  await answer.getByText("7 doors").waitFor();
  assert.equal(started.count, 1);
  for (const workers of [2, 3]) {
    await run("Walls");
    const problem = page.getByTestId("hp-problem");
    await problem.waitFor();
    assert.match(await details(problem), /CHECK_TRAPPED.*unreachable/s);
    await run("Doors");
    await problem.waitFor({ state: "detached" });
    await answer.getByText("7 doors").waitFor();
    assert.equal(started.count, workers);
  }
  assert.deepEqual(thrown.get(page), []);
  await left(page);
});

test("checks that could not be loaded answer CHECK_NOT_LOADED, and are loaded by the next call", {
  timeout: 120_000,
}, async () => {
  const page = await fresh();
  const module = /check-extension_bg-[^/]+\.wasm$/;
  await page.context().route(module, (route) => route.abort());
  await page.reload();
  await rows(page);
  await ask(page, FIRE);
  const problem = page.getByTestId("hp-problem");
  await problem.getByText("The checks could not be loaded").waitFor();
  assert.match(await details(problem), /CHECK_NOT_LOADED/);
  await page.context().unroute(module);
  await page.getByTestId("hp-send").click();
  await page.getByTestId("hp-approve").waitFor();
  assert.equal(await problem.count(), 0);
  await left(page);
});

const kept = async (page: Page) => {
  const run = await stored<{ events: { type: string; reply?: Json }[] } | null>(page, "runs", "1");
  return run?.events.map((event) => event.type) ?? [];
};

test("a run that traps at a reply is restored without it, as after a call that failed, and goes on", {
  timeout: 180_000,
}, async () => {
  const page = await fresh();
  const started = await trapAtReplies(page, 1);
  await reviewed(page, FIRE);
  assert.equal(started.count, 2, "one that trapped, one that did not");
  const [asked, failed, reply] = await kept(page);
  assert.deepEqual([asked, failed, reply], ["Asked", "TransportError", "Reply"]);
  assert.deepEqual(thrown.get(page), []);
  await left(page);
});

test("a run that traps at every reply comes to its end and does not go round in circles", {
  timeout: 180_000,
}, async () => {
  const page = await fresh();
  const started = await trapAtReplies(page, Number.POSITIVE_INFINITY);
  await ask(page, FIRE);
  await page.getByText("No plan came out of it").waitFor();
  assert.deepEqual(await kept(page), ["Asked", ...Array(PLANS * CALLS).fill("TransportError")]);
  assert.equal(started.count, 1 + PLANS * CALLS);
  assert.deepEqual(thrown.get(page), []);
  // The page is whole: what needs no model is answered by the checks as before.
  await page.getByTestId("hp-extensions").click();
  const list = page.locator("hp-extensions");
  await list.getByRole("button", { name: "Run Doors" }).click();
  await list.locator(".answer pre").getByText("7 doors").waitFor();
  await left(page);
});
