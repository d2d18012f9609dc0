// Forms of the crew editors: the condition of an exit, the members of an agent, words in a whole package.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { claims } from "../../www/app/gallery/crew-package.ts";
import * as crew from "./crew-walk.ts";
import { fitted } from "./page.ts";

const DECISION = "/workflows/1?node=size";

/** The exit of the decision that has this label, in the form. */
const exit = (page: Page, n: number) => page.locator(`hp-crew-exits li[data-exit="${n}"]`);

const edge = async (page: Page, n: number) => (await crew.graph(page)).edges[n];

test("an exit has a condition in words and as a rule, and each can be taken away", async () => {
  const page = await crew.opened(DECISION);
  const missing = exit(page, 7);
  await missing.locator("summary").click();
  const words = missing.getByLabel("In words, for people");
  assert.equal(await words.inputValue(), "photos_ok is false");
  await words.fill("a photo is missing");
  await missing.getByLabel("Variable", { exact: true }).fill("photos_ok");
  await missing.getByLabel("Value", { exact: true }).fill("false");
  await missing.getByLabel("How it is compared").selectOption("!=");
  const { conditionText, conditionExpr } = await edge(page, 7);
  assert.equal(conditionText, "a photo is missing");
  assert.deepEqual(conditionExpr, { "!=": [{ var: "photos_ok" }, false] });
  await missing.locator("summary").getByText("a photo is missing").waitFor();
  await words.fill("");
  await missing.getByLabel("Variable", { exact: true }).fill("");
  await missing.getByLabel("Variable", { exact: true }).press("Tab");
  assert.deepEqual(Object.keys(await edge(page, 7)).sort(), ["from", "label", "to"]);
  await page.getByTestId("hp-undo").click();
  assert.deepEqual((await edge(page, 7)).conditionExpr, { "!=": [{ var: "photos_ok" }, false] });
  await crew.closed(page);
});

test("what is being typed outlives a redraw, and what it ends as is shown as it is kept", async () => {
  const page = await crew.opened(DECISION);
  const label = exit(page, 7).getByLabel(/^Label of the exit/);
  const before = await label.inputValue();
  await label.press("Control+A");
  await page.keyboard.type("still ");
  await page.evaluate(async () => {
    window.hpCrewApp.workflow?.select("size");
    await new Promise((drawn) => requestAnimationFrame(drawn));
  });
  await page.keyboard.type("open ");
  await page.keyboard.press("Tab");
  assert.equal((await edge(page, 7)).label, "still open");
  assert.equal(await label.inputValue(), "still open");
  await label.press("Control+A");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Tab");
  await page.getByTestId("hp-undo").click();
  await page.waitForFunction(
    (was) => window.hpCrewApp.workflow?.workflow?.graph?.edges[7]?.label === was,
    before,
  );
  assert.equal(await label.inputValue(), before, "an undo is shown where nobody types");
  await crew.closed(page);
});

test("a rule that is more than a comparison is written as JSON; what is none is said and not taken", async () => {
  const page = await crew.opened(DECISION);
  const over = exit(page, 6);
  // It has a finding: what it is about is open.
  const rule = over.getByTestId("hp-condition-json");
  assert.match(await rule.inputValue(), /^\{">":\[\{"-":/);
  await over.locator('[data-code="GRAPH_VARIABLE_UNSET"]').waitFor();
  await rule.fill("{");
  await rule.press("Tab");
  await over.getByText("Write one JSON object, or nothing. The rule is as it was.").waitFor();
  assert.equal(await rule.getAttribute("aria-invalid"), "true");
  assert.equal(await rule.inputValue(), "{", "what was written is kept");
  assert.ok((await edge(page, 6)).conditionExpr[">"]);
  await rule.fill('{">": [{"var": "loss_amount"}, 5000]}');
  await rule.press("Tab");
  await over.locator('[data-code="GRAPH_VARIABLE_UNSET"]').waitFor({ state: "detached" });
  await over.getByRole("button", { name: "Show the rule as fields" }).click();
  assert.equal(await over.getByLabel("Value", { exact: true }).inputValue(), "5000");
  await crew.closed(page);
});

test("prompts and menu of an agent are forms; keys that no schema knows stay", async () => {
  const page = await crew.opened("/agents/loss-assessor");
  const menu = [{ description: "Price a part", trigger: "price", key: 1 }];
  await page.evaluate((items) => {
    const app = window.hpCrewApp;
    const was = app.agent?.agent;
    if (was) app.agent?.change({ ...was, menu: items });
  }, menu);
  await page.getByTestId("hp-agent-more").locator("summary").click();
  const prompts = page.getByTestId("hp-agent-prompts");
  await prompts.getByRole("button", { name: "Add prompt" }).click();
  await page.getByText("Fix the marked field to save.").waitFor();
  await prompts.getByLabel("Id").nth(1).fill("compare");
  await prompts.getByLabel("Text").nth(1).fill("Compare the two.\nSay what differs.");
  // What was said under its fields is gone: nothing below moves any more.
  await page.getByText("Fix the marked field to save.").waitFor({ state: "hidden" });
  const items = page.getByTestId("hp-agent-menu");
  await items.getByText("Kept as they are: key").waitFor();
  await items.getByLabel("Runs the file").fill("price.md");
  await items.getByLabel("Only on the web").check();
  await page.getByRole("button", { name: "Add action" }).click();
  await page.getByRole("textbox", { name: "Action 1" }).fill("Read the photos first.");
  await page.getByText("1 action, 2 prompts, 1 menu item").waitFor();
  await crew.checked(page);
  await crew.saved(page);
  const { agents } = JSON.parse(crew.stored("agents.json") ?? "");
  const { prompts: kept, menu: list, critical_actions: actions } = agents[2];
  assert.deepEqual(kept, [
    { id: "sum", content: "Add it up." },
    { id: "compare", content: "Compare the two.\nSay what differs." },
  ]);
  assert.deepEqual(list, [{ ...menu[0], exec: "price.md", "web-only": true }]);
  assert.deepEqual(actions, ["Read the photos first."]);
  await crew.closed(page);
});

test("an error of another agent closes the save, and says so", async () => {
  const page = await crew.opened("/agents/loss-assessor");
  await page.evaluate(
    (text) => {
      window.hpCrewApp.opened?.edit({ "agents.json": text }, "test");
    },
    (claims["agents.json"] ?? "").replace(
      '"role": "Takes the claim, asks for what is missing"',
      '"role": ""',
    ),
  );
  await page.getByText("Fix 1 error to save. Your edits are kept on this device.").waitFor();
  assert.equal(await page.getByTestId("hp-save").isDisabled(), true);
  await crew.closed(page);
});

test("what is found leads to the step, the agent or the asset that says it", async () => {
  const page = await crew.opened();
  const search = page.getByTestId("hp-search");
  await search.fill("puts a FIGURE");
  await page.getByText("1 place").waitFor();
  await page.getByRole("link", { name: "Loss assessor" }).click();
  await page.getByRole("heading", { name: "Loss assessor" }).waitFor();
  await page.goBack();
  await search.fill("photos_ok");
  await page.getByText(/^\d+ places$/).waitFor();
  await page.getByRole("link", { name: "Motor claim, Assess damage" }).first().click();
  await page.getByRole("heading", { name: "Assess damage" }).waitFor();
  await page.goBack();
  await search.fill("nobody says this");
  await page.getByText("Nothing in this package says “nobody says this”.").waitFor();
  await crew.closed(page);
});

test("a finding of a path is shown in the graph, also on a narrow page", async () => {
  const page = await crew.opened("/paths", { width: 390, height: 844 });
  await page.getByRole("link", { name: "Show in graph" }).first().click();
  const node = page.locator('hp-crew-graph [data-node="size"]');
  await node.waitFor();
  assert.equal(await node.getAttribute("aria-current"), "true");
  await fitted(page);
  const box = await node.boundingBox();
  assert.ok(box && box.y > 100 && box.y + box.height < 792, `${box?.y}`);
  await crew.closed(page);
});

test("without a network what is no part of the package is not exported", async () => {
  const page = await crew.opened();
  await page.evaluate(() => {
    window.hpCrewApp.opened?.edit({ "notes.txt": "mine\n" }, "test");
  });
  await page.locator('[data-code="PKG_UNEXPECTED_FILE"]').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByTestId("hp-export").click(),
  ]);
  const names = spawnSync("python3", ["-m", "zipfile", "-l", await download.path()], {
    encoding: "utf8",
  }).stdout;
  assert.match(names, /bmad\.json/);
  assert.doesNotMatch(names, /notes\.txt/);
  await crew.closed(page);
});
