// Without a network: the page opens from its copy, a hand edit is checked, tested and installed, and goes out later.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredExtension } from "@holdpoint/core/types";
import { opened, panel, reviewed, rows, thrown } from "./road.ts";
import { browser, edge, stack, withStack } from "./stack.ts";

const SUMMARY = "4 of 13 walls have a fire rating";

withStack();

const project = async () => {
  const listed = await edge<{ items: StoredExtension[] }>("GET", "/api/v1/extensions");
  return listed.items;
};

test("what was in review is edited, tested and installed offline, and stored when the network is back", {
  timeout: 180_000,
}, async () => {
  const page = await opened(browser, stack.url);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.waitForFunction(
    async () => (await caches.match("./", { ignoreSearch: true })) !== undefined,
  );
  await reviewed(page, "Add a panel that shows fire-rating coverage by storey");

  await page.context().setOffline(true);
  await page.reload();
  await rows(page);
  await page.getByText("You are offline").or(page.locator("hp-notice")).first().waitFor();

  await page.getByTestId("hp-install").waitFor();
  await page.locator("hp-approval").getByRole("button", { name: "Edit source" }).click();
  await page.getByRole("tab", { name: "src/table.js" }).click();
  const code = page.locator(".cm-content");
  await code.getByText("walls have a fire rating").waitFor();
  await code.click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// Read by hand.\n");
  await page.locator("hp-approval").getByText("1 file").first().waitFor();
  await page.getByTestId("hp-save").click();

  await page.getByTestId("hp-install").click();
  await page.locator("hp-workbench").getByText("Not yet stored").first().waitFor();
  await panel(page, SUMMARY);
  assert.deepEqual(await project(), [], "the project knows nothing of it yet");
  await page.reload();
  await rows(page);
  await panel(page, SUMMARY);

  await page.context().setOffline(false);
  await page
    .locator("hp-widget-panel")
    .getByText("Not yet stored")
    .waitFor({ state: "detached", timeout: 120_000 });
  assert.deepEqual(
    (await project()).map((one) => one.id),
    ["fire.coverage"],
  );
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});
