// A question gets its answer from a script that runs at once and may read the model alone; the answer becomes a tool
// without a model, or the plan of one. What is neither a question nor a wish for a tool is asked back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { ScriptAnswer } from "@holdpoint/core/types";
import type { Page } from "playwright-core";
import { replies } from "./doors.ts";
import { ask, pages, ready } from "./edge/extensions.ts";
import { pageModules } from "./source.ts";

const { opened, closed } = pages();
const ASK = "How many doors are there?";
const SCHEMA = new URL("../../crates/sdk/schemas/ifc/manifest.schema.json", import.meta.url);

const script = (source: string): string =>
  `\`\`\`hp:file path="src/script.js"\n${source}\n\`\`\`\n`;
const DOORS = `const doors = bim.query.byType("IfcDoor");
return {
  text: "There are " + doors.length + " doors.",
  figure: doors.length,
  rows: doors.map((element) => ({ element, Tag: element.tag })),
};`;

const answer = (page: Page) => page.locator("hp-answer");
async function answered(page: Page, words = ASK): Promise<void> {
  await ask(page, words);
  await answer(page)
    .getByText(/There are \d+ doors\./)
    .waitFor();
}
const selected = (page: Page) =>
  page.evaluate(() => document.querySelector("hp-page")?.view?.model.selected.length ?? -1);

test("a question is answered at once, with elements to select, and nothing is installed", async () => {
  const { page, edge } = await opened({ replies: [script(DOORS)] });
  await answered(page);
  assert.equal(edge.replies.length, 0, "one call");
  assert.equal(edge.installs.length, 0);
  assert.equal(await page.locator("hp-road").count(), 0, "no plan and no review is about it");
  assert.match(await page.locator("hp-workbench .p-head").innerText(), /Script\s+ran once/);
  const figure = answer(page).locator(".vlink");
  const doors = Number(await figure.innerText());
  assert.ok(doors > 0);
  await figure.click();
  await page.waitForFunction(
    (n) => document.querySelector("hp-page")?.view?.model.selected.length === n,
    doors,
  );
  await answer(page).locator("tbody .rowb").first().click();
  await page.waitForFunction(
    () => document.querySelector("hp-page")?.view?.model.selected.length === 1,
  );
  const did = answer(page).locator("section").last();
  await did.getByText("needed by").waitFor();
  assert.match(await did.innerText(), /script\.js, line 1[\s\S]*Changed nothing, saved nothing/);
  await closed(page);
});

test("an answer outlives a reload, and runs again without a model", async () => {
  const { page, edge } = await opened({ replies: [script(DOORS)] });
  await answered(page);
  await page.reload();
  await ready(page);
  await answer(page)
    .getByText(/There are \d+ doors\./)
    .waitFor();
  await page.getByRole("button", { name: "Run again" }).click();
  await answer(page)
    .getByText(/There are \d+ doors\./)
    .waitFor();
  assert.equal(edge.replies.length, 0);
  await page.getByRole("button", { name: "Earlier changes" }).click();
  await page.locator("hp-history").getByText("Answered once").waitFor();
  await closed(page);
});

test("a script that ran becomes a tool: named, reviewed, installed, and it runs after a reload", async () => {
  const { page, edge } = await opened({ replies: [script(DOORS)] });
  await answered(page);
  await page.getByTestId("hp-make").click();
  const name = page.locator("hp-promote #name");
  assert.equal(await name.inputValue(), "How many doors are there");
  await name.fill("");
  assert.ok(await page.getByTestId("hp-promote-go").isDisabled(), "it needs a name");
  await name.fill("Door count");
  await page.locator("hp-promote #key").fill("Ctrl+Nonsense+");
  // By key: behind a click its place answers to no other action for a moment, and Install comes there.
  await page.getByTestId("hp-promote-go").press("Enter");
  await page.locator("hp-promote [role=alert]").waitFor();
  await page.locator("hp-promote #key").fill("");
  await page.locator("hp-promote #category").fill("Doors");
  await page.keyboard.press("Enter");
  await page.locator("hp-review").getByText("not tested").waitFor();
  await page.getByText("None: made from a script that ran").waitFor();
  await page.locator('[data-testid="hp-install"]:not([disabled])').click();
  await page.locator("hp-stamp").waitFor();
  const [installed] = edge.installs;
  assert.equal(installed.origin, "promoted");
  assert.deepEqual(installed.granted, ["model.read"]);
  assert.ok(!("plan" in installed), "nobody planned it");
  assert.equal(JSON.parse(installed.files["manifest.json"]).id, "local.tools.door-count");
  assert.equal(edge.replies.length, 0, "no model was asked again");

  await page.reload();
  await ready(page);
  await page.getByRole("button", { name: "Extensions" }).first().click();
  const list = page.locator("hp-extensions");
  await list.getByText("Door count").first().waitFor();
  assert.equal(await list.getByText("Switched off").count(), 0);
  await list.getByRole("button", { name: "Door count" }).first().click();
  await list.getByText(/There are \d+ doors\./).waitFor();
  await closed(page);
});

test("an answer is found in the list again, and its form is left without a tool", async () => {
  const { page } = await opened({ replies: [script(DOORS)] });
  await answered(page);
  await page.getByRole("button", { name: "Ask something else" }).click();
  await page.getByRole("button", { name: "Earlier changes" }).click();
  await page
    .locator("hp-history")
    .getByRole("button", { name: /How many doors/ })
    .first()
    .click();
  await answer(page).waitFor();
  await page.getByTestId("hp-make").click();
  await page.getByRole("button", { name: "Back to the answer" }).click();
  await answer(page)
    .getByText(/There are \d+ doors\./)
    .waitFor();
  await closed(page);
});

test("a script that asks for more than to read is written again, and one that throws is mended", async () => {
  const selects = script(`bim.viewer.select(bim.query.byType("IfcDoor"));\nreturn "done";`);
  const throws = script("const nothing = null;\nreturn nothing.length;");
  const { page, edge } = await opened({ replies: [selects, throws, script(DOORS)] });
  await answered(page);
  assert.equal(edge.replies.length, 0);
  assert.equal(await selected(page), 0, "nothing was selected");
  await closed(page);
});

test("a question without an answer says so, and changes nothing", async () => {
  const empty = script("return null;");
  const { page } = await opened({
    replies: [empty, script("return undefined;"), script("return {};")],
  });
  await ask(page, ASK);
  const callout = page.locator("hp-workbench [role=alert]");
  await callout.waitFor();
  assert.match(
    await callout.innerText(),
    /No answer (after 3 attempts|: it kept making)|Nothing was changed/,
  );
  await page.getByRole("button", { name: "Open the source and fix it" }).waitFor();
  await closed(page);
});

test("words of a model are the answer where it wrote no script", async () => {
  const { page } = await opened({
    replies: ["Which doors are meant: those of the escape route, or all?"],
  });
  await ask(page, ASK);
  await page.locator("hp-conversation").getByText("Which doors are meant").waitFor();
  await closed(page);
});

test("what is neither a question nor a wish for a tool is asked back, and not asked twice", async () => {
  const { page, edge } = await opened({ replies: [script(DOORS), ...replies()] });
  for (const words of [
    "Show all doors coloured by width",
    "أرني كل الأبواب",
    "I need a list of all doors",
  ]) {
    await ask(page, words);
    const log = page.locator("hp-conversation");
    await log.getByText("Answer it once, or make a tool").waitFor();
    assert.equal(await log.getByText("This is a question").count(), 0);
    await page.getByTestId("hp-clear").click();
  }
  assert.equal(edge.replies.length, 3, "no model was asked");
  await ask(page, "Show all doors coloured by width");
  await page.getByRole("button", { name: "Answer it once" }).click();
  await answer(page)
    .getByText(/There are \d+ doors\./)
    .waitFor();
  await page.getByRole("button", { name: "Plan a tool instead" }).click();
  await page.getByTestId("hp-approve").waitFor();
  await closed(page);
});

test("just run it once leads to an answer, and back to the same plan without asking again", async () => {
  const [plan = "", ...files] = replies();
  const { page, edge } = await opened({ replies: [plan, script(DOORS), ...files] });
  await ask(page, "Make a panel that counts the doors");
  await page.getByRole("button", { name: "Just run it once" }).click();
  await answer(page)
    .getByText(/There are \d+ doors\./)
    .waitFor();
  await page.getByRole("button", { name: "Plan a tool instead" }).click();
  assert.equal(edge.replies.length, 1, "the plan is the one that stood");
  await page.getByTestId("hp-approve").click();
  await page.getByTestId("hp-install").waitFor();
  await closed(page);
});

test("a script is edited by hand, and run; what does not run stays to be mended", async () => {
  const { page } = await opened({ replies: [script(DOORS)] });
  await answered(page);
  await answer(page).locator(".code summary").click();
  // A browser scrolls the button to where the summary was: so soon, that would be its double click.
  await page.waitForTimeout(550);
  await answer(page).getByRole("button", { name: "Edit by hand" }).click();
  const editor = page.locator("hp-source .cm-content");
  const write = async (source: string) => {
    await editor.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(source);
  };
  await write("return window.name;");
  await page
    .locator("hp-source hp-findings")
    .getByText(/window/)
    .first()
    .waitFor();
  await page.getByTestId("hp-save").click();
  await page.locator("hp-workbench [role=alert]").getByText("Your edit did not run").waitFor();
  await page.getByRole("button", { name: "Open the source and fix it" }).click();
  await write('return "By hand.";');
  await page.getByTestId("hp-save").click();
  await answer(page).getByText("By hand.").first().waitFor();
  await closed(page);
});

test("a tool may have the icons that its manifest may name", async () => {
  type Module = typeof import("../../www/app/src/pages/model/kind.ts");
  const [{ ICONS }] = await pageModules<[Module]>("pages/model/kind.ts");
  const schema = readFileSync(SCHEMA, "utf8");
  const [, listed = ""] = /"x-icons": (\[[^\]]*\])/.exec(schema) ?? [];
  assert.deepEqual([...ICONS], JSON.parse(listed));
});

test("an answer is a file that spreadsheets read", async () => {
  type Module = typeof import("../../www/app/src/pages/model/answer-file.ts");
  const [{ csv }] = await pageModules<[Module]>("pages/model/answer-file.ts");
  const row = (
    id: number,
    name: string,
    ...cells: ScriptAnswer["tables"][number]["rows"][number]["cells"]
  ) => ({
    element: { id, name },
    cells,
  });
  const table = {
    ...{ title: "", of_elements: true, columns: ["Width, m", "Note"], total: 2, elements: [] },
    rows: [row(7, '=1+1 "x"', 0.9, null), row(9, "D-2", 1200, { id: 3, name: "W; 1" })],
  };
  const found: ScriptAnswer = { text: "", figure: null, facts: [], tables: [table] };
  assert.equal(csv(found), 'Element,#,"Width, m",Note\n"\'=1+1 ""x""",7,0.9,\nD-2,9,1200,"W; 1"\n');
  const second = {
    ...table,
    title: "walls",
    of_elements: false,
    columns: ["a"],
    rows: [{ element: null, cells: [true] }],
  };
  assert.match(csv({ ...found, tables: [table, second] }), /\n\nwalls\na\ntrue\n$/);
});
