// The pages of apps on the real stack with the scripted model and the build runner: an app is made from a template,
// changed by asking, looked at, applied, published, and opened by its address; edited by hand; a reload in the middle
// of a run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { App, BuilderState } from "@holdpoint/core/apps";
import { strFromU8, unzipSync } from "fflate";
import type { FrameLocator, Page } from "playwright-core";
import { thrown } from "./road.ts";
import { browser, edge, stack, withStack } from "./stack.ts";

withStack();

const HEADING = "Allotment club";
const REQUEST = `Make the heading say "${HEADING}", and add a counter button.`;
/** A cold build installs its packages first. */
const BUILD_MS = 180_000;

interface Looks {
  width?: number;
  height?: number;
}

async function apps({ width = 1440, height = 900 }: Looks = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(BUILD_MS);
  const errors: string[] = [];
  thrown.set(page, errors);
  page.on("pageerror", (error: Error) => errors.push(String(error.stack ?? error)));
  await page.goto(`${stack.origin}/apps#token=${stack.user_token}`);
  return page;
}

/** A new app from the smallest template, open and built. Names are new: a stack may have been used before. */
async function made(page: Page): Promise<string> {
  await page.getByTestId("hp-app-name").fill(`Allotment ${crypto.randomUUID().slice(0, 8)}`);
  await page.getByTestId("hp-template-blank-react").check();
  await page.getByTestId("hp-create").click();
  await page.waitForURL(/\/apps\/app_/);
  await built(page);
  return new URL(page.url()).pathname.split("/")[2] ?? "";
}

const built = (page: Page): Promise<void> =>
  page.locator('[data-testid="hp-build-badge"][data-phase="succeeded"]').waitFor();

const frame = (page: Page): FrameLocator =>
  page.locator("hp-preview").first().frameLocator('[data-testid="hp-preview-frame"]');

const stateOf = (app: string): Promise<BuilderState> =>
  edge<BuilderState>("GET", `/admin/apps/${app}/builder/state`);

async function ask(page: Page, words: string): Promise<void> {
  await page.getByTestId("hp-ask").fill(words);
  await page.getByTestId("hp-send").click();
}

const signable = (page: Page): Promise<void> =>
  page.locator('[data-testid="hp-apply"]:not([disabled])').waitFor();

/** What the device keeps, as one text; runs in the page. */
async function kept(): Promise<string> {
  const heard = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((done) => {
      request.onsuccess = () => done(request.result);
    });
  let all = "";
  for (const { name = "" } of await indexedDB.databases()) {
    const database = await heard(indexedDB.open(name));
    all += JSON.stringify(
      await heard(database.transaction("drafts").objectStore("drafts").getAll()),
    );
    database.close();
  }
  return all;
}

const closed = async (page: Page): Promise<void> => {
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
};

test("an app is made, changed by asking, looked at, applied, published, and opened by its address", {
  timeout: 600_000,
}, async () => {
  const page = await apps();
  const app = await made(page);
  await frame(page).getByRole("heading", { level: 1 }).waitFor();
  const before = await stateOf(app);

  await ask(page, REQUEST);
  await signable(page);
  const during = await stateOf(app);
  assert.equal(
    during.current_draft_revision.id,
    before.current_draft_revision.id,
    "a proposal writes nothing",
  );
  const shown = page.locator("hp-diff").getByText(HEADING, { exact: false });
  await shown.filter({ visible: true }).first().waitFor();
  const print = await page.getByTestId("hp-result-print").innerText();
  assert.ok((await page.getByTestId("hp-apply").innerText()).includes(print), "one fingerprint");

  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-draft").getByText("2").waitFor();
  await built(page);
  await frame(page).getByRole("heading", { name: HEADING }).waitFor();
  const after = await stateOf(app);
  assert.equal(after.current_draft_revision.origin_kind, "coding_run");
  assert.equal(after.app.status, "draft", "applying publishes nothing");

  await page.getByTestId("hp-part-publish").click();
  await page.getByTestId("hp-publish").click();
  const address = await page.getByTestId("hp-address").getAttribute("href");
  assert.ok(address);
  const visitor = await page.context().newPage();
  await visitor.goto(address);
  await visitor.getByRole("heading", { name: HEADING }).waitFor();
  await visitor.close();

  await page.getByTestId("hp-unpublish").click();
  await page.getByTestId("hp-address").waitFor({ state: "detached" });
  const { status } = await edge<App>("GET", `/admin/apps/${app}`);
  assert.equal(status, "draft");
  await closed(page);
});

test("a reload in the middle of a run goes on with it, and what it proposes waits", {
  timeout: 600_000,
}, async () => {
  const page = await apps();
  await made(page);
  await ask(page, REQUEST);
  await page.getByTestId("hp-run").waitFor();
  await page.reload();
  await page.getByTestId("hp-proposal-card").or(page.getByTestId("hp-apply")).first().waitFor();
  if (await page.getByTestId("hp-look").count()) await page.getByTestId("hp-look").click();
  await signable(page);
  await page.getByTestId("hp-discard").click();
  await page.getByTestId("hp-apply").waitFor({ state: "detached" });
  await closed(page);
});

test("text that is not saved outlives a reload; a save becomes a version, and undo takes it back", {
  timeout: 600_000,
}, async () => {
  const page = await apps();
  const app = await made(page);
  await page.getByTestId("hp-front-code").click();
  const text = page.locator(".cm-content");
  await text.click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// A note of mine\n");
  await page.locator('hp-code-tree [data-path="src/App.tsx"] .dot').waitFor();
  // What the device keeps is written a moment after the last key.
  while (!(await page.evaluate(kept)).includes("// A note of mine")) await page.waitForTimeout(50);
  await page.reload();
  await page.getByTestId("hp-front-code").click();
  await text.getByText("// A note of mine").waitFor();

  await page.getByTestId("hp-save").click();
  await page.getByTestId("hp-draft").getByText("2").waitFor();
  const saved = await stateOf(app);
  assert.equal(saved.current_draft_revision.origin_kind, "manual_save");
  await page.getByTestId("hp-undo").click();
  await page.getByTestId("hp-draft").getByText("3").waitFor();
  await text.getByText("// A note of mine").waitFor({ state: "detached" });
  await closed(page);
});

test("a save that does not build keeps the text and the preview, and says where", {
  timeout: 600_000,
}, async () => {
  const page = await apps();
  const app = await made(page);
  await page.getByTestId("hp-front-code").click();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("import './nowhere';\n");
  await page.getByTestId("hp-save").click();
  await page.getByTestId("hp-save-refused").waitFor();
  await page.locator(".cm-content").getByText("nowhere").waitFor();
  const { current_draft_revision: draft } = await stateOf(app);
  assert.equal(draft.number, 1);
  await page.getByTestId("hp-front-preview").click();
  await frame(page).getByRole("heading", { level: 1 }).waitFor();
  await closed(page);
});

test("what a person points at in the preview goes along with its file and line", {
  timeout: 600_000,
}, async () => {
  const page = await apps();
  await made(page);
  const heading = frame(page).getByRole("heading", { level: 1 });
  await heading.waitFor();
  await page.getByTestId("hp-select-element").click();
  await frame(page).locator("html[style*=crosshair]").waitFor({ state: "attached" });
  await heading.click();
  const token = page.getByTestId("hp-picked");
  await token.getByText((await heading.innerText()).slice(0, 20)).waitFor();
  await token.getByText(/src\/App\.tsx:\d+/).waitFor({ state: "attached" });
  await page.getByTestId("hp-ask").fill("See @App");
  await page.getByTestId("hp-mention").first().waitFor();
  await page.keyboard.press("Enter");
  assert.match(await page.getByTestId("hp-ask").inputValue(), /^See @src\/App\S+ $/);
  await closed(page);
});

test("settings refuse a secret and a taken address at their fields; a value builds the draft again", {
  timeout: 600_000,
}, async () => {
  const page = await apps();
  const taken = await made(page);
  const { slug } = (await stateOf(taken)).app;
  await page.goto(`${stack.origin}/apps`);
  const app = await made(page);
  await page.getByTestId("hp-part-settings").click();
  await page.getByTestId("hp-env-add").click();
  const fields = page.getByTestId("hp-env-row").locator("input");
  await fields.nth(0).fill("VITE_TITLE");
  await fields.nth(1).fill("sk-live-0123456789");
  const save = page.getByTestId("hp-save-settings");
  await save.click();
  await page.getByTestId("hp-env-row").getByRole("alert").waitFor();
  assert.deepEqual((await stateOf(app)).app.settings.env, {});
  await fields.nth(1).fill("Allotments");
  await page.getByTestId("hp-app-slug").fill(slug);
  await save.click();
  await page.locator('[data-testid="hp-app-slug"][aria-invalid="true"]').waitFor();
  await page.getByTestId("hp-app-slug").fill(`${slug}-2`);
  await save.click();
  await page.locator('[data-testid="hp-save-settings"][disabled]').waitFor();
  const { app: kept } = await stateOf(app);
  assert.deepEqual([kept.slug, kept.settings.env], [`${slug}-2`, { VITE_TITLE: "Allotments" }]);
  await built(page);
  await page.getByTestId("hp-delete").click();
  await page.getByTestId("hp-end-do").click();
  await page.waitForURL(/\/apps$/);
  await closed(page);
});

/** What the page offers to download now: its name, and where it lies. */
async function downloaded(page: Page): Promise<{ name: string; path: string }> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator('[data-testid="hp-download"]:not([disabled])').click(),
  ]);
  return { name: file.suggestedFilename(), path: await file.path() };
}

const filesOf = async (app: string, revision: string): Promise<Record<string, string>> => {
  const path = `/admin/apps/${app}/builder/revisions/${revision}?include=files`;
  return (await edge<{ files: Record<string, string> }>("GET", path)).files;
};

test("a service is set up without a model, applied and built; what is exported of it is what git makes", {
  timeout: 600_000,
}, async () => {
  const page = await apps();
  const app = await made(page);
  const first = (await stateOf(app)).current_draft_revision;

  await page.getByTestId("hp-part-services").click();
  await page.locator('[data-testid="hp-scaffold-pick"][data-key="rest-api"]').click();
  const field = page.getByTestId("hp-scaffold-field");
  await field.fill("api.example.com");
  await field.press("Enter");
  await page.locator('[data-testid="hp-scaffold-field"][aria-invalid="true"]').waitFor();
  await field.fill("https://api.example.com/v1");
  await field.press("Enter");
  await signable(page);
  assert.equal((await stateOf(app)).current_draft_revision.id, first.id, "nothing is written yet");
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-draft").getByText("2").waitFor();
  await built(page);
  await frame(page).getByRole("heading", { level: 1 }).waitFor();
  const second = (await stateOf(app)).current_draft_revision;
  assert.equal(second.origin_kind, "scaffold");
  const files = await filesOf(app, second.id);
  assert.match(files["src/services/api.ts"] ?? "", /https:\/\/api\.example\.com\/v1/);

  const folder = mkdtempSync(join(tmpdir(), "holdpoint-export-"));
  try {
    await page.getByTestId("hp-part-export").click();
    const archive = await downloaded(page);
    assert.match(archive.name, /-2\.zip$/);
    const zip = unzipSync(new Uint8Array(readFileSync(archive.path)));
    const texts = Object.entries(zip).map(([path, bytes]) => [path, strFromU8(bytes)]);
    assert.deepEqual(Object.fromEntries(texts), files);
    await page.getByTestId("hp-format").filter({ hasText: "Patch" }).click();
    await page.getByTestId("hp-export-from").selectOption(first.id);
    await page.getByText(/-1-2\.patch/).waitFor();
    const patch = await downloaded(page);
    assert.match(patch.name, /-1-2\.patch$/);
    const clone = join(folder, "clone");
    for (const [path, text] of Object.entries(await filesOf(app, first.id))) {
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      writeFileSync(join(clone, path), text);
    }
    execFileSync("git", ["apply", patch.path], { cwd: clone });
    for (const [path, text] of Object.entries(files))
      assert.equal(readFileSync(join(clone, path), "utf8"), text, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await closed(page);
});

test("who signs in next on the device finds nothing that was typed before; who typed it finds it again", {
  timeout: 600_000,
}, async () => {
  const page = await apps();
  const app = await made(page);
  await page.getByTestId("hp-ask").fill("Words of mine");
  await page.getByTestId("hp-front-code").click();
  const text = page.locator(".cm-content");
  await text.click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// A note of mine\n");
  const all = ["// A note of mine", "Words of mine"];
  for (let here = ""; !all.every((words) => here.includes(words)); here = await page.evaluate(kept))
    await page.waitForTimeout(50);
  const body = { user_id: "eve", label: "eve", scopes: ["llm", "edit"] };
  const { key } = await edge<{ key: string }>("POST", "/gateway/v1/keys", body, stack.admin_token);
  const signsIn = async (token: string) => {
    await page.goto("about:blank");
    await page.goto(`${stack.origin}/apps/${app}#token=${token}`);
    await page.getByRole("button", { name: "Sign in with the link" }).click();
  };
  await signsIn(key);
  await page.getByText("There is no such app").waitFor();
  assert.equal(await page.getByTestId("hp-ask").count(), 0, "what the device kept is not shown");
  await signsIn(stack.user_token);
  await page.getByTestId("hp-front-code").click();
  await text.getByText("// A note of mine").waitFor();
  assert.equal(await page.getByTestId("hp-ask").inputValue(), "Words of mine");
  await closed(page);
});

test("a phone reviews, applies and publishes", { timeout: 600_000 }, async () => {
  const page = await apps({ width: 390, height: 844 });
  await made(page);
  await page.locator(".tabs-n button").first().click();
  await ask(page, REQUEST);
  await signable(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-draft").getByText("2").waitFor();
  await built(page);
  await frame(page).getByRole("heading", { name: HEADING }).waitFor();
  await page.getByTestId("hp-part-publish").click();
  await page.getByTestId("hp-publish").click();
  await page.getByTestId("hp-address").waitFor();
  await closed(page);
});
