// People see whom an extension asks (ifc-sdk.md §2): a preview says whom it would have asked and sends nothing, and
// what is installed says whom it asked.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { replies } from "./doors.ts";
import { pages, reviewed } from "./edge/extensions.ts";
import { ofEdge } from "./network.ts";

const { opened, closed } = pages();
const HOST = "api.example.org";
const panel = (page: Page) => page.locator("hp-widget-panel");

/** The doors, counted once a host has answered. */
const asking = replies().map((text) =>
  text
    .replaceAll('"viewer.colorize"]', `"viewer.colorize", "network.fetch:${HOST}"]`)
    .replace('"viewer.colorize"\n', `"viewer.colorize",\n    "network.fetch:${HOST}"\n`)
    .replaceAll(
      '"fixture": "house-small",',
      `"fixture": "house-small",\n      "network": [{ "url": "https://${HOST}/a", "body": {} }],`,
    )
    .replace("export default function", "export default async function")
    .replace("  return { doors:", `  await ctx.fetch("https://${HOST}/a");\n  return { doors:`),
);

test("a preview says whom it would have asked, and the installed extension asks it", async () => {
  const { page } = await opened({ replies: asking });
  const sent: string[] = [];
  await page.context().route(`https://${HOST}/**`, (route) => {
    sent.push(`${route.request().method()} ${route.request().url()}`);
    return route.fulfill({ headers: { "access-control-allow-origin": "*" }, body: "{}" });
  });
  const workers: string[] = [];
  page.on("worker", (worker) => workers.push(new URL(worker.url()).pathname));
  await reviewed(page, "Make a panel that counts the doors");
  await panel(page).getByText(`Would have asked ${HOST} (GET)`).waitFor();
  assert.deepEqual(sent, []);
  assert.equal(await panel(page).getByText("It stopped on this model").count(), 0);
  // Who lets an extension reach a host types its name.
  await page.locator("#typed").fill("doors.count");
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  await panel(page).getByRole("heading", { name: "7" }).waitFor();
  assert.deepEqual(sent, [`GET https://${HOST}/a`]);
  const sends = workers.filter((path) => path.startsWith(ofEdge("NETWORK_WORKER")));
  assert.equal(sends.length, 1, "the edge knows the script that sends by its name");
  await page.getByRole("button", { name: /^Extensions/ }).click();
  await page
    .locator("hp-extensions")
    .getByText(`Asked ${HOST} 1 time since the page was opened`)
    .waitFor();
  await closed(page);
});
