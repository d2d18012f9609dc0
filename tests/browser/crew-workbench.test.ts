// The workbench on the real stack with the scripted model: an example is imported, improved by talking, applied and
// taken back; a reload in the middle of a turn; ended without applying.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Bundle, type Envelope, zipped } from "@holdpoint/core/crew";
import type { Page } from "playwright-core";
import { thrown } from "./road.ts";
import { browser, edge, stack, withStack } from "./stack.ts";
import "../crew-engine.ts";

withStack();

const STEP = "workflows/1/steps/take-claim.md";
const ADDED = "Ask whether the car can be driven";

/** The claims desk, imported under a name of its own: a stack may have been used before. */
async function imported(name: string): Promise<string> {
  const root = fileURLToPath(new URL("../../fixtures/crew/claims-desk", import.meta.url));
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
  const files = Object.fromEntries(
    paths.map((path) => [relative(root, path), readFileSync(path, "utf8")]),
  );
  const form = new FormData();
  form.set("file", await zipped(files), "claims-desk.zip");
  form.set("custom_name", `${name} ${crypto.randomUUID().slice(0, 8)}`);
  const answer = await fetch(`${stack.origin}/packages/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${stack.user_token}` },
    body: form,
  });
  const { data, error } = (await answer.json()) as Envelope<{ project_id: string }>;
  assert.ok(data, JSON.stringify(error));
  return data.project_id;
}

const stored = async (project: string): Promise<string> => {
  const { data } = await edge<Envelope<Bundle>>("GET", `/projects/${project}/bundle`);
  return data?.files[STEP] ?? "";
};

async function bench(project: string, more = ""): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const errors: string[] = [];
  thrown.set(page, errors);
  page.on("pageerror", (error: Error) => errors.push(String(error.stack ?? error)));
  const about = `targetType=step&targetId=take-claim&workflowId=1&source=editor${more}`;
  await page.goto(
    `${stack.origin}/builder/${project}/ai-workbench?${about}#token=${stack.user_token}`,
  );
  await page.getByTestId("wb-composer").waitFor();
  return page;
}

async function ask(page: Page, words: string): Promise<void> {
  await page.getByTestId("wb-composer").locator("textarea").fill(words);
  await page.getByTestId("wb-send").click();
}

const signable = (page: Page): Promise<void> =>
  page.locator('[data-testid="wb-apply"]:not([disabled])').waitFor();

const closed = async (page: Page): Promise<void> => {
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
};

test("a step is improved by talking, looked at, applied, and taken back through the same gate", {
  timeout: 200_000,
}, async () => {
  const project = await imported("Claims desk, talked about");
  const before = await stored(project);
  const page = await bench(project);
  await page
    .getByTestId("wb-budget")
    .getByText(/tokens/)
    .waitFor();
  await ask(page, "Improve this step.");
  await signable(page);
  assert.equal(await stored(project), before, "a proposal writes nothing");
  await page.getByTestId("wb-file").getByText("Take the claim").waitFor();
  await page.getByTestId("wb-diff").getByText(ADDED, { exact: false }).first().waitFor();
  await page.getByTestId("wb-apply").click();
  await page.getByTestId("wb-applied").waitFor();
  assert.match(await stored(project), new RegExp(ADDED));
  await ask(page, "Improve this step.");
  await page.getByText("has that instruction already", { exact: false }).waitFor();
  assert.equal(await page.getByTestId("wb-file").count(), 0);
  await closed(page);
});

test("one press takes back what was applied, every byte of it", {
  timeout: 200_000,
}, async () => {
  const project = await imported("Claims desk, taken back");
  const before = await stored(project);
  const page = await bench(project);
  await ask(page, "Improve this step.");
  await signable(page);
  await page.getByTestId("wb-apply").click();
  await page.getByTestId("wb-applied").waitFor();
  assert.notEqual(await stored(project), before);
  await page.getByTestId("wb-undo").press("Enter");
  await page.getByTestId("wb-applied").getByText("Undone").waitFor();
  assert.equal(await stored(project), before);
  await closed(page);
});

test("a reload in the middle of a turn brings the turn back, and ending applies nothing", {
  timeout: 200_000,
}, async () => {
  const project = await imported("Claims desk, left alone");
  const before = await stored(project);
  const page = await bench(project, "&returnTo=/crew");
  await page.getByTestId("wb-session").getByText(/^as_/).waitFor();
  await ask(page, "Improve this step.");
  await page.getByTestId("wb-stop").waitFor();
  await page.reload();
  await page.getByTestId("wb-message").filter({ hasText: "Improve this step." }).waitFor();
  await signable(page);
  assert.equal(await page.locator('[data-testid="wb-message"][data-role="user"]').count(), 1);
  await page.getByTestId("wb-cancel").click();
  await page.waitForURL("**/crew");
  assert.equal(await stored(project), before);
  await closed(page);
});
