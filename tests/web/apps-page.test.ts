// The page of an app over an edge in memory: what goes along with a request, what waits for the end of a run or of a
// build, parts that are asked for again, and the settings.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { type AppsEdge, apps, CHANGE } from "./edge/apps.ts";
import { drafted } from "./page.ts";

const { opened, other, closed } = apps();

async function ask(page: Page, text: string): Promise<void> {
  await page.getByTestId("hp-ask").fill(text);
  await page.getByTestId("hp-send").click();
}
const frame = (page: Page) =>
  page.locator("hp-preview").frameLocator('[data-testid="hp-preview-frame"]');

test("a name that fits several files is asked about before anything is sent", async () => {
  const { page, edge } = await opened();
  await ask(page, "Fix @due");
  await page.getByTestId("hp-ambiguous").getByText("src/lib/due.ts").waitFor();
  assert.equal(edge.runs.length, 0);
  await page.getByTestId("hp-ambiguous").getByText("src/lib/due.ts").click();
  await page.getByTestId("hp-ambiguous").waitFor({ state: "detached" });
  assert.equal(edge.runs.length, 0, "nothing is sent without Ask");
  await page.getByTestId("hp-send").click();
  const run = await edge.begun();
  assert.equal(run.body.input, "Fix @src/lib/due.ts");
  run.end("answered");
  await page.getByTestId("hp-send").waitFor();
  await closed(page);
});

test("an element of the preview goes along with its file and line; of several the token asks which", async () => {
  const { page, edge } = await opened();
  await frame(page).getByRole("heading").waitFor();
  await page.getByTestId("hp-select-element").click();
  await frame(page).locator("html[style*=crosshair]").waitFor({ state: "attached" });
  await frame(page).getByRole("button").click();
  await page.getByTestId("hp-picked").getByText('"Add snag"').waitFor();
  assert.equal(await page.getByTestId("hp-send").isDisabled(), true, "it fits two files");
  await page.getByTestId("hp-which").selectOption("src/Foot.tsx:1");
  await ask(page, "Make it green");
  const run = await edge.begun();
  assert.match(run.body.input, /^Make it green\n\n.*button "Add snag" @src\/Foot\.tsx:1$/);
  run.end("answered");
  await page.getByTestId("hp-picked").waitFor({ state: "detached" });
  await closed(page);
});

test("the next request waits for the end of the run, and of another page nothing is known", async () => {
  const { page, edge } = await opened();
  const theirs = await other(edge);
  await ask(page, "First");
  const run = await edge.begun();
  await page.getByTestId("hp-ask").fill("Second");
  await page.getByTestId("hp-queue").click();
  await page.getByTestId("hp-queued").getByText("Second").waitFor();
  assert.equal(await theirs.getByTestId("hp-queued").count(), 0);
  run.end("succeeded", "cs_1");
  const next = await edge.begun(2);
  assert.deepEqual([next.body.input, next.body.from], ["Second", "cs_1"]);
  next.end("answered");
  await closed(page, theirs);
});

test("what waits ends with the page: a reload asks nothing, and the words are in the field", async () => {
  const { page, edge } = await opened();
  await ask(page, "First");
  const run = await edge.begun();
  await page.getByTestId("hp-ask").fill("Second");
  await page.getByTestId("hp-queue").click();
  await page.getByTestId("hp-queued").waitFor();
  await drafted(page, "Second");
  await page.reload();
  await page.getByTestId("hp-draft").waitFor();
  run.end("answered");
  await page.waitForFunction(
    () =>
      document
        .querySelector("#page, hp-apps-page")
        ?.shadowRoot?.querySelector("hp-app-talk")
        ?.shadowRoot?.querySelector("hp-composer")
        ?.shadowRoot?.querySelector("textarea")?.value === "Second",
  );
  assert.equal(edge.runs.length, 1);
  await closed(page);
});

test("a version is published when it is ready by the page that was told to, once", async () => {
  const { page, edge } = await opened({
    part: "/publish",
    given: (given) => (given.build = "running"),
  });
  const theirs = await other(edge, "/publish");
  await page.getByTestId("hp-publish-wait").click();
  await page.getByText("Do not publish then").waitFor();
  assert.equal(await theirs.getByText("Do not publish then").count(), 0);
  edge.builds("succeeded");
  await page.getByTestId("hp-open-page").waitFor();
  await theirs.getByTestId("hp-publish-state").waitFor();
  assert.equal(edge.of("POST /admin/apps/app_1/publish").length, 1);
  await closed(page, theirs);
});

test("a part of a proposal is asked for again with its lines, and goes on from the proposal", async () => {
  const { page, edge } = await opened();
  await ask(page, "Two");
  (await edge.begun()).end("succeeded", "cs_1");
  await page.getByTestId("hp-redo-part").click();
  await page.getByTestId("hp-picked").waitFor();
  assert.equal(edge.runs.length, 1, "nothing is sent without Ask");
  await ask(page, "Three, not two");
  const run = await edge.begun(2);
  assert.equal(run.body.from, "cs_1");
  assert.match(
    run.body.input,
    /^Three, not two\n\n.*@src\/lib\/due\.ts:1:\n-export const due = 1;\n\+export const due = 2;$/,
  );
  run.end("answered");
  await closed(page);
});

const BUILD = { stage: "build", code: null, error: null, diagnostics: [] };
const NONE = { compile: false, tests: false, build: false, bundle: false };
const UNBUILT = { preview_url: null, verified: NONE };

/** A proposal whose result is being built: it cannot be signed yet. */
async function building(page: Page, edge: AppsEdge): Promise<void> {
  edge.result = { ...UNBUILT, build: { ...BUILD, status: "running" } };
  await ask(page, "Two");
  (await edge.begun()).end("succeeded", "cs_1");
  await page.getByText("Opens when the result is built.").waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
}

test("a result is signed once it is built", async () => {
  const { page, edge } = await opened();
  await building(page, edge);
  edge.result = { build: null };
  await page.locator('[data-testid="hp-apply"]:not([disabled])').waitFor();
  assert.equal(await page.getByText("It was not built").count(), 0, "nothing is to be ticked");
  await closed(page);
});

test("a result that does not build says where, and is not signed", async () => {
  const { page, edge } = await opened();
  await building(page, edge);
  const said = "Cannot find name 'Hours'.";
  const found = { code: "TYPE_ERROR", severity: "error", message: said, path: "src/App.tsx" };
  const failed = { ...BUILD, code: "TYPECHECK_FAILED", error: said, diagnostics: [found] };
  edge.result = { ...UNBUILT, build: { ...failed, status: "failed" } } as typeof edge.result;
  await page.getByTestId("hp-result-errors").getByText("src/App.tsx").waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  assert.equal(await page.getByText("It was not built").count(), 0, "no tick opens it");
  const gates = await page.locator("[data-gate]").allInnerTexts();
  assert.deepEqual(
    gates,
    ["Checked", "No passed tests", "Build failed"],
    "only what was checked is built",
  );
  const asks = () => edge.of("POST /cs_1/preview").length;
  const before = asks();
  await page.waitForTimeout(1_500);
  assert.equal(asks(), before, "what has failed is not asked after");
  await closed(page);
});

test("a change is explained in an answer: of a proposal, and of two versions", async () => {
  const { page, edge } = await opened();
  await ask(page, "Two");
  (await edge.begun()).end("succeeded", "cs_1");
  await page.getByTestId("hp-explain").first().click();
  await page.getByTestId("hp-send").click();
  const run = await edge.begun(2);
  assert.equal(run.body.mode, "answer");
  assert.deepEqual(run.body.explain, { from: "rev_3", to: "cs_1", path: "src/lib/due.ts" });
  run.end("answered");
  await page.getByTestId("hp-part-versions").click();
  await page.locator('[data-version="rev_2"]').click();
  await page.getByTestId("hp-explain-all").click();
  await page.getByTestId("hp-picked").waitFor();
  await page.getByTestId("hp-send").click();
  assert.deepEqual((await edge.begun(3)).body.explain, { from: "rev_2", to: "rev_3" });
  edge.runs[2].end("answered");
  await closed(page);
});

test("settings are saved; what is refused stands at its field and is kept", async () => {
  const { page, edge } = await opened({ part: "/settings" });
  const save = page.getByTestId("hp-save-settings");
  assert.equal(await save.isDisabled(), true, "nothing was changed");
  await page.getByTestId("hp-env-add").click();
  const [name, value] = [0, 1].map((n) => page.getByTestId("hp-env-row").locator("input").nth(n));
  await name?.fill("VITE_MAIL_KEY");
  await value?.fill("q7Zt91fKe0aBcDeFgHiJ");
  const pointer = "/settings/env/VITE_MAIL_KEY";
  edge.faults.set(CHANGE, [{ status: 422, code: "ENV_SECRET_VALUE", details: { pointer } }]);
  await save.click();
  await page.getByTestId("hp-env-row").getByRole("alert").waitFor();
  assert.equal(await value?.inputValue(), "q7Zt91fKe0aBcDeFgHiJ");
  await value?.fill("https://api.example.com");
  await page.getByTestId("hp-app-slug").fill("taken");
  edge.faults.set(CHANGE, [{ status: 409, code: "SLUG_TAKEN" }]);
  await save.click();
  await page.locator('[data-testid="hp-app-slug"][aria-invalid="true"]').waitFor();
  await page.getByTestId("hp-app-slug").fill("free");
  await save.click();
  await page.getByText("Settings saved").waitFor();
  assert.deepEqual(edge.of(CHANGE).at(-1)?.body, {
    slug: "free",
    settings: { env: { VITE_MAIL_KEY: "https://api.example.com" } },
  });
  await closed(page);
});

test("a phone has the settings; an app is deleted once it was asked again, and the list is there", async () => {
  const { page, edge } = await opened({ part: "/settings", viewport: { width: 390, height: 844 } });
  assert.deepEqual(await violations(page), []);
  assert.equal(await sideways(page), false);
  await page.getByTestId("hp-delete").click();
  await page.getByTestId("hp-end-not").click();
  assert.equal(edge.gone, false);
  await page.getByTestId("hp-archive").click();
  await page.getByTestId("hp-end-do").click();
  await page.getByText("Take out of the archive").waitFor();
  assert.deepEqual(
    edge.of(CHANGE).map(({ body }) => body),
    [{ status: "archived" }],
  );
  await page.getByTestId("hp-delete").click();
  await page.getByTestId("hp-end-do").click();
  await page.waitForURL(/\/apps$/);
  await page.getByText("Deleted: Snags").waitFor();
  assert.equal(edge.gone, true);
  await closed(page);
});
