// The page of an app over an edge in memory: services that become proposals, a version as a file, what the console of
// a fresh app says, and storage that the browser does not give to a preview.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { apps, EXPORT, SET_UP } from "./edge/apps.ts";

const { opened, closed } = apps();

const field = (page: Page) => page.getByTestId("hp-scaffold-field");
const set = (page: Page) => page.getByTestId("hp-scaffold-go");

test("a service asks for its fields, and its faults stand there; what comes is a proposal to be signed", async () => {
  const { page, edge } = await opened();
  await page.getByTestId("hp-part-services").click();
  const makes = page.getByTestId("hp-scaffold-makes");
  await makes.getByText("src/services/api.ts").waitFor();
  await makes.getByText("VITE_API_URL").waitFor();
  await makes.getByText("(Address)").waitFor();
  await field(page).fill("api.example.com");
  await makes.getByText("Add the origin of api.example.com.").waitFor();
  const refusal = { status: 422, code: "INVALID_INPUT", details: { pointer: "/values/base_url" } };
  edge.faults.set(SET_UP, [refusal]);
  await set(page).click();
  await page.locator('[data-testid="hp-scaffold-field"][aria-invalid="true"]').waitFor();
  assert.equal(await field(page).inputValue(), "api.example.com", "what was typed is kept");
  assert.deepEqual(await violations(page), []);
  await field(page).fill("https://api.example.com");
  await field(page).press("Enter");
  await page.locator('[data-testid="hp-apply"]:not([disabled])').waitFor();
  assert.match(page.url(), /\/apps\/app_1$/, "it is looked at in the workspace");
  assert.deepEqual(edge.of(SET_UP).at(-1)?.body, {
    base_revision_id: "rev_3",
    values: { base_url: "https://api.example.com" },
  });
  assert.equal(edge.runs.length, 0, "no model is asked");
  await closed(page);
});

test("a proposal of a service that was put aside is found again, after a reload too, until it is decided", async () => {
  const { page, edge } = await opened({ part: "/services" });
  await field(page).fill("https://api.example.com");
  await set(page).click();
  await page.getByTestId("hp-review-close").click();
  await page.getByTestId("hp-part-services").click();
  await page.getByTestId("hp-offer").waitFor();
  await page.reload();
  await page.getByTestId("hp-offer").getByRole("button").click();
  await page.getByTestId("hp-discard").click();
  await page.getByTestId("hp-review-close").waitFor({ state: "detached" });
  await page.getByTestId("hp-part-services").click();
  await field(page).waitFor();
  assert.equal(await page.getByTestId("hp-offer").count(), 0);
  assert.equal(edge.of("POST /cs_1/discard").length, 1);
  await closed(page);
});

test("a refused set-up says so above the page, and nothing is opened", async () => {
  const { page, edge } = await opened({ part: "/services", viewport: { width: 390, height: 844 } });
  await field(page).fill("https://api.example.com");
  edge.faults.set(SET_UP, [{ status: 409, code: "REVISION_CONFLICT" }]);
  await set(page).click();
  await page.getByText("No proposal was made").waitFor();
  assert.equal(await field(page).inputValue(), "https://api.example.com");
  assert.equal(await sideways(page), false);
  assert.deepEqual(await violations(page), []);
  await closed(page);
});

async function saved(page: Page): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByTestId("hp-download").click(),
  ]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

test("two versions that are compared are exported as they stand there, in each form, under their names", async () => {
  const { page, edge } = await opened({ part: "/versions" });
  await page.locator('[data-version="rev_2"]').click();
  await page.getByTestId("hp-export-these").click();
  await page.getByTestId("hp-export-begins").getByText("diff --git").waitFor();
  const patch = "format=patch&to=rev_3&from=rev_2";
  const first = await saved(page);
  assert.equal(first.name, "snags-2-3.patch");
  assert.ok(first.text.endsWith(`${patch}\n`));
  await page.getByTestId("hp-export-from").selectOption("rev_2");
  await page.getByTestId("hp-export-to").selectOption("rev_3");
  await page.getByTestId("hp-format").filter({ hasText: "Commit" }).click();
  await page.getByText("snags-2-3.json").waitFor();
  assert.equal((await saved(page)).name, "snags-2-3.json");
  const command = page.getByTestId("hp-export-command");
  const asked = "--into . --branch snags-3 --from rev_2 --to rev_3";
  assert.ok((await command.innerText()).startsWith("holdpoint app export app_1 --edge http"));
  assert.ok((await command.innerText()).endsWith(asked));
  await page.getByTestId("hp-format").filter({ hasText: "ZIP" }).click();
  await page.getByText("snags-3.zip").waitFor();
  assert.equal(await page.getByTestId("hp-export-from").count(), 0, "an archive is of one version");
  const exports = edge.of(EXPORT).map(({ query }) => String(query));
  assert.equal(exports.at(-1), "format=zip&to=rev_3");
  assert.ok(exports.includes("format=commit&to=rev_3&from=rev_2"));
  assert.deepEqual(await violations(page), []);
  await closed(page);
});

test("an export that is refused says why, downloads nothing, and can be tried again", async () => {
  const { page, edge } = await opened({
    part: "/export",
    viewport: { width: 390, height: 844 },
    given: (edge) =>
      void edge.faults.set(EXPORT, [{ status: 503, code: "STORAGE_UNAVAILABLE", stays: true }]),
  });
  await page.getByTestId("hp-unread").waitFor();
  assert.equal(await page.getByTestId("hp-download").isDisabled(), true);
  assert.deepEqual(await violations(page), []);
  assert.equal(await sideways(page), false);
  edge.faults.clear();
  await page.getByTestId("hp-unread").getByRole("button").first().click();
  await page.getByText("snags-3.zip").waitFor();
  await closed(page);
});

test("the console of an app that was just made has no red line", async () => {
  const lines: string[] = [];
  const { page } = await opened();
  page.on("console", (line) => {
    if (line.type() === "error") lines.push(`${line.text()} ${line.location().url}`);
  });
  await page.reload();
  await page.locator("hp-preview").frameLocator("iframe").getByRole("heading").waitFor();
  await page.getByTestId("hp-send").waitFor();
  assert.deepEqual(lines, []);
  await closed(page);
});

test("a browser that keeps nothing for the preview is told of once; one that does is not spoken of", async () => {
  const { page, edge } = await opened();
  const shown = page.locator("hp-preview").frameLocator("iframe").getByRole("heading");
  await shown.waitFor();
  assert.equal(await page.getByTestId("hp-no-storage").count(), 0);
  edge.preview += "/unkept";
  await page.reload();
  await page.getByTestId("hp-storage-seen").click();
  await page.getByTestId("hp-no-storage").waitFor({ state: "detached" });
  await page.getByLabel("Load again").click();
  await shown.waitFor();
  await page.getByTestId("hp-send").waitFor();
  assert.equal(await page.getByTestId("hp-no-storage").count(), 0, "it was read");
  await closed(page);
});
