// What a newcomer met in the first minutes: a column that says whose values it has, menus and tables that stay in
// sight, and files that are not what they seem.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { pages } from "./edge/extensions.ts";

const { opened, closed } = pages();
const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../fixtures/ifc/${name}`, import.meta.url));
const HOUSE = fixture("house-small.ifc");

/** Hands a file to the input that a button opens. */
async function picks(page: Page, button: Locator, name: string, buffer: Buffer): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button.click()]);
  await chooser.setFiles({ name, mimeType: "application/octet-stream", buffer });
}
const opens = (page: Page, name: string, bytes: Buffer): Promise<void> =>
  picks(page, page.getByRole("button", { name: "Open another model" }), name, bytes);

test("the first column has the values of every set, says so, and its menu stays in the window", async () => {
  const { page } = await opened();
  const head = page.locator("hp-elements").getByRole("columnheader").last();
  await head.getByText("FireRating any set").waitFor();
  const wall = page.locator("hp-elements [data-row]").filter({ hasText: "Wall G1" });
  await page.locator("hp-find input").fill("Wall G1");
  await wall.getByText("REI 60").waitFor();

  await page.getByTestId("hp-models-add").click();
  const box = await page.getByRole("menu").boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 1440, JSON.stringify(box));
  await closed(page);
});

test("table and drawing both come back from a narrow window", async () => {
  const { page } = await opened();
  await page.getByRole("button", { name: "Both" }).click();
  await page.locator("hp-view3d").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator("hp-elements").waitFor({ state: "hidden" });
  await page.waitForTimeout(300);
  // What is drawn meanwhile has no height to take a share of.
  await page.locator("hp-elements").evaluate(async (table) => {
    const element = table as HTMLElement & {
      requestUpdate(): void;
      updateComplete: Promise<boolean>;
    };
    element.requestUpdate();
    await element.updateComplete;
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  const rows = await page.locator("hp-elements .upper").boundingBox();
  assert.ok(rows && rows.height > 150, JSON.stringify(rows));
  await page.locator("hp-elements [data-row]").first().waitFor();
  await closed(page);
});

test("a file that is cut off leaves the open model, and what is said of files can be put away", async () => {
  const { page } = await opened();
  await opens(page, "half.ifc", HOUSE.subarray(0, HOUSE.length / 2));
  const said = page.locator("hp-open");
  await said.getByText("half.ifc is cut off").waitFor();
  await said.getByText("house-small.ifc is still open", { exact: false }).waitFor();
  await page.locator("header.top").getByText("house-small.ifc").waitFor();
  await said.getByRole("button", { name: "Close" }).click();
  await said.waitFor({ state: "detached" });

  await opens(page, "empty-model.ifc", fixture("empty-model.ifc"));
  await page.locator("header.top").getByText("empty-model.ifc").waitFor();
  await opens(page, "README.md", Buffer.from("# Notes\n"));
  await said.getByText("README.md is not an IFC file").waitFor();
  await page.getByText("This model has no elements.").waitFor();
  assert.equal(await page.getByText("No model is open").count(), 0);
  await closed(page);
});

test("what is picked for a check and is for none is no bad model", async () => {
  const { page } = await opened();
  const button = page.getByRole("button", { name: "Check with an IDS file" }).first();
  await picks(page, button, "README.md", Buffer.from("# Notes\n"));
  await page.locator("hp-checks").getByText("README.md is not an IDS or BCF file").waitFor();
  assert.equal(await page.locator("hp-open").count(), 0);
  await closed(page);
});
