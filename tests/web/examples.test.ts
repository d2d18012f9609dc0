// The page of examples: each is a click from its review, and nothing is installed before it is signed there.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { ask, pages } from "./edge/extensions.ts";

const folder = new URL("../../fixtures/extensions/", import.meta.url);
const examples = readdirSync(folder);
const { opened, closed } = pages();

const row = (page: Page, id: string) => page.locator(`hp-examples [data-example="${id}"]`);

async function listed(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Ten examples to install" }).click();
  await row(page, "examples.door-schedule").waitFor();
}

test("an example is reviewed, signed and shown on the open model, and one undo takes it back", async () => {
  const { page, edge } = await opened();
  await listed(page);
  assert.equal(await page.locator("hp-examples tbody tr").count(), examples.length);
  const door = row(page, "examples.door-schedule");
  assert.match(await door.innerText(), /Panel[\s\S]*Medium risk/);
  await door.getByRole("button", { name: "Review Door schedule" }).click();

  const install = page.getByTestId("hp-install");
  await install.waitFor({ timeout: 120_000 });
  assert.equal(await page.locator("hp-examples").count(), 0, "the model is back");
  assert.equal(edge.installs.length, 0, "nothing is installed before it is signed");
  await install.click();
  // The preview shows the panel already: only the stamp says that it is installed.
  await page.locator("hp-stamp").waitFor({ timeout: 120_000 });
  await page.locator("hp-widget-panel").getByText("7 doors").first().waitFor({ timeout: 120_000 });

  const [signed] = edge.installs;
  assert.ok(signed);
  const files = Object.keys(signed.files).sort();
  for (const path of files)
    assert.equal(
      signed.files[path],
      readFileSync(new URL(`door-schedule/${path}`, folder), "utf8"),
    );
  assert.ok(files.includes("manifest.json") && files.includes("README.md"), files.join(" "));
  assert.equal(signed.origin, "hand");

  await page.goto(`${page.url().split("#")[0]}#examples`);
  const { version } = JSON.parse(signed.files["manifest.json"] ?? "{}");
  await door.getByText(`Installed ${version}`).waitFor();
  await door.getByRole("button", { name: "Undo the install of Door schedule" }).click();
  await door.getByRole("button", { name: "Review Door schedule" }).waitFor();
  await closed(page);
});

test("while a change is being made an example waits, and says why", async () => {
  const { page } = await opened();
  await page.route("**/v1/chat/completions", () => undefined);
  await ask(page, "Make a panel that counts the doors");
  await page.getByTestId("hp-stop").waitFor();
  await page.goto(`${page.url().split("#")[0]}#examples`);
  await row(page, "examples.door-schedule")
    .getByRole("button", { name: "Review Door schedule" })
    .click();
  await page.getByText("One request at a time").first().waitFor();
  await page.getByTestId("hp-stop").waitFor();
  assert.equal(await page.getByRole("heading", { name: "Change 2" }).count(), 0);
  await closed(page);
});

test("examples that could not be loaded are asked for again", async () => {
  const { page } = await opened();
  await page.route(/example-files/, (route) => route.abort());
  await page.getByRole("link", { name: "Ten examples to install" }).click();
  const again = page.getByTestId("hp-examples-again");
  await again.waitFor();
  await page.unroute(/example-files/);
  await again.click();
  await row(page, "examples.door-schedule").waitFor();
  await closed(page);
});

test("the kinds are told apart, the browser's way back leaves, and all of it works by keyboard", async () => {
  const { page } = await opened();
  await page.getByRole("link", { name: "Ten examples to install" }).focus();
  await page.keyboard.press("Enter");
  await row(page, "examples.storey-colours").waitFor();
  await page.getByRole("button", { name: /^Lenses/ }).focus();
  await page.keyboard.press("Space");
  assert.equal(await page.locator("hp-examples tbody tr").count(), 1);
  assert.match(await page.locator("hp-examples tbody").innerText(), /Storey colours/);
  await page.goBack();
  await page.locator("hp-elements").waitFor();
  assert.equal(await page.locator("hp-examples").count(), 0);
  await closed(page);
});

for (const width of [1440, 390])
  for (const theme of ["light", "dark"] as const)
    test(`the examples are drawn for everybody: ${width}, ${theme}`, async () => {
      const { page } = await opened({ viewport: { width, height: 900 }, colorScheme: theme });
      await page.goto(`${page.url().split("#")[0]}#examples`);
      await row(page, "examples.cobie-sheets").waitFor();
      assert.deepEqual(await violations(page), []);
      assert.equal(await sideways(page), false, "nothing scrolls sideways");
      if (process.env.HOLDPOINT_SHOTS)
        await page.screenshot({
          path: `${process.env.HOLDPOINT_SHOTS}/examples-${width}-${theme}.png`,
        });
      await closed(page);
    });
