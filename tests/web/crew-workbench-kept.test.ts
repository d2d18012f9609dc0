// What the workbench keeps over an edge in memory: what turns came to after a reload, words that wait in a tab, the
// conversations before, who saved what meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Revision, SessionMessage, SetFinding } from "@holdpoint/core/crew";
import type { Page } from "playwright-core";
import { ask, benches, changed } from "./edge/crew.ts";

const bench = benches();

const finding = (code: string, more: Partial<SetFinding> = {}): SetFinding => ({
  ...{ code, severity: "warning", path: "", message: `${code} is meant.` },
  ...more,
});
const revision = (n: number, actor: string, paths: string[]): Revision => ({
  ...{ revision: n, cause: "save", actor, about: null, name: "Claims desk", changed: paths },
  at: Date.UTC(2026, 10, 12, 14, n),
});
const words = (page: Page) => page.getByTestId("wb-composer").locator("textarea");
const signable = (page: Page): Promise<void> =>
  page.locator('[data-testid="wb-apply"]:not([disabled])').waitFor();

test("a reload brings back claims, refused tools and the number of repairs", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Improve it");
  await edge.begun();
  edge.proposes(
    "The decision letter names the excess.",
    {
      changed: [changed()],
      validation: {
        valid: false,
        schemaFailed: false,
        errors: [finding("AGENT_NOT_FOUND", { severity: "error", path: "operations[0]" })],
        warnings: [],
      },
    },
    {
      warnings: [
        finding("AI_TOOL_FORBIDDEN"),
        finding("SUMMARY_OMITS_CHANGE", { args: { object: "step:collect" } }),
      ],
      usage: { promptTokens: 1, completionTokens: 1, iterations: 3, repairs: 2 },
    },
  );
  const seen = async () => {
    await page.getByTestId("wb-errors").getByText("after 2 of 2 repairs").waitFor();
    await page.getByTestId("hp-claims").getByText("Changes the step Take the claim").waitFor();
    await page.getByTestId("wb-file").getByText("Not said").waitFor();
    await page.getByText("AI_TOOL_FORBIDDEN is meant.").waitFor();
  };
  await seen();
  await page.reload();
  await seen();
  await bench.closed(page);
});

test("a reload says why the last turn failed, and that it can be asked again", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Improve it");
  await edge.begun();
  edge.fails("AI_PROVIDER_TIMEOUT", ["Ask for less at once."]);
  await page.getByTestId("wb-failure").waitFor();
  await page.reload();
  await page.getByTestId("wb-failure").getByText("Ask for less at once.").waitFor();
  await page.getByTestId("wb-retry").click();
  await edge.begun(2);
  assert.equal(edge.sent[0].clientMessageId, edge.sent[1].clientMessageId);
  edge.says("Here it is.");
  await page.getByText("Here it is.").waitFor();
  await bench.closed(page);
});

test("a reload says of each proposal whether it was applied", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Improve it");
  await edge.begun();
  edge.proposes("First.", { changed: [changed()] });
  await signable(page);
  await page.getByTestId("wb-apply").click();
  await page.locator('[data-card="applied"]').getByText("Version 4, by you.").waitFor();
  await ask(page, "And more");
  await edge.begun(2);
  edge.proposes("Second.", { changed: [changed()] });
  await signable(page);
  await page.reload();
  await page.locator('[data-card="applied"]').waitFor();
  await page.locator('[data-card="passed"]').waitFor();
  assert.equal(await page.locator("[data-card]").count(), 2);
  await bench.closed(page);
});

test("two tabs keep words of their own; what a closed one left comes back", async () => {
  const { page } = await bench.opened();
  await words(page).fill("Of the first tab");
  const other = await page.context().newPage();
  await other.goto(`${page.url()}#token=hp_web`);
  await words(other).waitFor();
  await other.getByTestId("wb-budget").getByText("tokens").waitFor();
  assert.equal(await words(other).inputValue(), "", "the words of an open tab are its own");
  await words(other).fill("Of the second tab");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("hp-workbench-page") !== null);
  await page.getByTestId("wb-budget").getByText("tokens").waitFor();
  assert.equal(await words(page).inputValue(), "Of the first tab");
  await other.reload();
  await other.getByTestId("wb-budget").getByText("tokens").waitFor();
  assert.equal(await words(other).inputValue(), "Of the second tab");
  const url = other.url();
  await other.close();
  const third = await page.context().newPage();
  await third.goto(`${url}#token=hp_web`);
  await third.getByTestId("wb-budget").getByText("tokens").waitFor();
  assert.equal(await words(third).inputValue(), "Of the second tab", "nothing is lost");
  assert.equal(await words(page).inputValue(), "Of the first tab");
  await bench.closed(page);
});

const said: SessionMessage = {
  ...{ id: "msg_old", turnId: "turn_old", role: "user", status: "ok", createdAt: 1_000 },
  content: "Said long ago",
};

test("earlier conversations are listed, an ended one is only read, and a new one begins empty", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Said today");
  await edge.begun();
  edge.says("An answer of today.");
  await page.getByText("An answer of today.").waitFor();
  edge.earlier.push({
    session: {
      ...{ sessionId: "as_ffffffffffffffff", projectId: "prj_1", workflowId: 1, targetId: "1" },
      ...{ targetType: "workflow", mode: "optimize", status: "cancelled" },
      ...{ createdAt: 1, updatedAt: 1, title: "Said long ago", suggestionStatus: "applied" },
    },
    messages: [said],
  });
  await page.getByTestId("wb-earlier").first().click();
  const menu = page.getByRole("menu", { name: "Earlier conversations about Motor claim" });
  const shown = menu.getByRole("menuitem", { name: /Said today/ });
  assert.equal(await shown.isDisabled(), true, "the one that is open");
  await menu.getByRole("menuitem", { name: /Said long ago.*applied · ended/ }).click();
  await page.getByTestId("wb-message").getByText("Said long ago").waitFor();
  await page.getByTestId("wb-over").waitFor();
  assert.match(page.url(), /sessionId=as_00112233445566aa/, "a reload goes on with the newest");
  await words(page).fill("More");
  assert.equal(await page.getByTestId("wb-send").isDisabled(), true);
  await words(page).fill("");
  await page.getByTestId("wb-over").getByRole("button").click();
  await page.getByText("Say in plain words what should change.", { exact: false }).waitFor();
  assert.equal(await page.getByTestId("wb-message").count(), 0);
  assert.equal(edge.sessions, 2);
  await ask(page, "Said in the new one");
  await edge.begun();
  edge.says("An answer of the new one.");
  await page.getByText("An answer of the new one.").waitFor();
  await page.reload();
  await page.getByText("An answer of the new one.").waitFor();
  await bench.closed(page);
});

test("conversations that cannot be read say so, and nothing else changes", async () => {
  const { page } = await bench.opened();
  await page.getByTestId("wb-budget").getByText("tokens").waitFor();
  await page.route("**/ai/sessions?*", (route) =>
    route.fulfill({
      status: 500,
      json: { data: null, error: { code: "INTERNAL", message: "Something failed here." } },
    }),
  );
  await page.getByTestId("wb-earlier").first().click();
  await page.getByTestId("hp-problem").getByText("could not be read", { exact: false }).waitFor();
  assert.equal(await words(page).isEnabled(), true);
  await bench.closed(page);
});

test("a conflict says who saved what and when, and leads there", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Improve it");
  await edge.begun();
  edge.proposes("I improve it.", { changed: [changed()] });
  await signable(page);
  edge.faults.set("POST /apply", [
    {
      status: 409,
      code: "CONFLICT",
      details: {
        objects: ["step:collect"],
        saved: [
          revision(32, "user:mei", ["workflows/1/steps/collect.md", "agents.json"]),
          revision(31, "user:jonas", ["workflows/1/workflow.md"]),
        ],
      },
    },
  ]);
  await page.getByTestId("wb-apply").click();
  const call = page.getByTestId("wb-conflict");
  await call
    .getByText(/^mei saved Take the claim, Agents at .*, while you were looking\.$/)
    .waitFor();
  await call.getByText(/^jonas saved Motor claim at /).waitFor();
  const link = call.getByTestId("wb-saved");
  assert.equal(await link.innerText(), "Show version 32");
  assert.equal(await link.getAttribute("href"), "/crew/prj_1/compare/31/32");
  await bench.closed(page);
});

test("what was applied over a newer version says what was saved there, and by whom", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Improve it");
  await edge.begun();
  edge.proposes("I improve it.", { changed: [changed()] });
  await signable(page);
  edge.warnings = [
    finding("AI_REVISION_BASE_MISMATCH", { field: "agentsRevision", provided: 7, current: 8 }),
  ];
  edge.revisions = [
    revision(12, "user:ada", ["workflows/1/steps/collect.md"]),
    revision(11, "user:mei", ["agents.json"]),
    revision(10, "user:jonas", ["agents.json"]),
  ];
  await page.getByTestId("wb-apply").click();
  const row = page.getByRole("row", { name: /^Agents 7 8/ });
  await row.getByText(/^Agents by mei, /).waitFor();
  assert.equal(await row.getByText("jonas", { exact: false }).count(), 0, "one version is between");
  await page.getByText("The conversation goes on from version 4.", { exact: false }).waitFor();
  await bench.closed(page);
});
