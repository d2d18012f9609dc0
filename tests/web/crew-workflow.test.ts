// The editor of a workflow: the graph by mouse and by keyboard, the fields of a step, saving, conflicts, no network.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { claims } from "../../www/app/gallery/crew-package.ts";
import * as crew from "./crew-walk.ts";
import { fitted } from "./page.ts";

const STEP = "workflows/1/steps/assess.md";
const EDITOR = "/workflows/1?node=assess";

/** The node that has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return (at as HTMLElement | null)?.dataset.node ?? "";
  });

const node = (page: Page, id: string) => page.locator(`hp-crew-graph [data-node="${id}"]`);

test("a field writes its own bytes of the head, and the node; the save names its revision", async () => {
  const page = await crew.opened(EDITOR);
  await page.getByLabel("Title").fill("Look at it");
  await crew.saved(page);
  assert.equal(
    crew.stored(STEP),
    claims[STEP]
      .replace('title: "Assess damage"', 'title: "Look at it"')
      .replace("# Assess damage", "# Look at it"),
  );
  const { nodes } = await crew.graph(page);
  assert.equal(nodes[3].title, "Look at it");
  assert.deepEqual(crew.asked(), [`PUT /projects/${crew.ID}/workflows/1 on 1`]);
  await crew.closed(page);
});

test("a finding stands under its field, and its fix is a link", async () => {
  const page = await crew.opened(EDITOR);
  await page.getByRole("button", { name: "Write artifacts/assessment.md" }).click();
  await page.locator('[data-code="STEP_OUTPUT_PATH"]').waitFor({ state: "detached" });
  assert.match((await crew.now(page, STEP)) ?? "", /outputs:\n {2}- "artifacts\/assessment.md"\n/);
  await crew.closed(page);
});

test("the text is edited below the head, and stays byte for byte elsewhere", async () => {
  const page = await crew.opened(EDITOR);
  await page.locator("hp-crew-text .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("One more line.");
  await page.waitForFunction(
    (path) => window.hpCrewApp.opened?.files[path].endsWith("One more line."),
    STEP,
  );
  assert.equal(await crew.now(page, STEP), `${claims[STEP]}One more line.`);
  await crew.closed(page);
});

test("a title and its heading change together, in the field and in the text", async () => {
  const page = await crew.opened(EDITOR);
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("");
  await title.pressSequentially("Look at it ");
  assert.match((await crew.now(page, STEP)) ?? "", /^# Look at it$/m);
  const text = page.locator("hp-crew-text .cm-content");
  await text.getByText("# Look at it").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" twice");
  await page.waitForFunction(
    (path) => window.hpCrewApp.opened?.files[path].includes("# Look at it twice"),
    STEP,
  );
  assert.equal(await title.inputValue(), "Look at it twice");
  const { nodes } = await crew.graph(page);
  assert.equal(nodes[3].title, "Look at it twice");
  // A heading that says something else is left alone.
  await text.getByText("# Look at it twice").click();
  await page.keyboard.press("Home");
  await page.keyboard.type("#");
  await title.fill("Another");
  assert.match((await crew.now(page, STEP)) ?? "", /^## Look at it twice$/m);
  await crew.closed(page);
});

test("a head that cannot be read has no fields; the whole file is in the editor", async () => {
  const page = await crew.opened(EDITOR);
  await page.evaluate(
    (path) => window.hpCrewApp.opened?.edit({ [path]: "---\ntitle: [\n---\n# A\n" }, "test"),
    STEP,
  );
  await page.getByText("The head of this file cannot be read").waitFor();
  assert.equal(await page.getByLabel("Title").count(), 0);
  await page.getByText("title: [").waitFor();
  await crew.closed(page);
});

test("one tab stop; arrows follow the edges, Enter opens the step, F fits", async () => {
  const page = await crew.opened(EDITOR);
  await fitted(page);
  assert.equal(await page.locator('hp-crew-graph [data-node][tabindex="0"]').count(), 1);
  await node(page, "assess").focus();
  const walk: [string, string][] = [
    ["ArrowDown", "size"],
    ["ArrowDown", "settle"],
    ["ArrowRight", "fraud"],
    ["ArrowUp", "size"],
    ["Home", "collect"],
    ["ArrowDown", "cover"],
  ];
  for (const [key, want] of walk) {
    await page.keyboard.press(key);
    assert.equal(await focused(page), want, key);
  }
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Check cover" }).waitFor();
  await node(page, "cover").focus();
  const scale = () => page.locator("hp-crew-graph .stage").getAttribute("style");
  const was = await scale();
  await page.keyboard.press("+");
  assert.notEqual(await scale(), was);
  await page.keyboard.press("f");
  const box = await node(page, "end").boundingBox();
  assert.ok(box && box.y + box.height < 900, "the end is in view");
  await crew.closed(page);
});

test("a node is added, connected and deleted, and undo brings each step back", async () => {
  const page = await crew.opened("/workflows/1?node=end");
  const before = await crew.now(page, "workflows/1/workflow.graph.json");
  await page.getByTestId("hp-add-node").click();
  await page.getByRole("menuitem", { name: "Decision" }).click();
  await page.getByRole("heading", { name: "New decision" }).waitFor();
  assert.match((await crew.now(page, "workflows/1/steps/decision.md")) ?? "", /nodeId: "decision"/);
  await page.getByTestId("hp-connect").selectOption("letter");
  await page.getByTestId("hp-connect").selectOption("end");
  const { edges } = await crew.graph(page);
  assert.deepEqual(
    edges.slice(-2).map((one: { to: string; isDefault?: boolean }) => [one.to, one.isDefault]),
    [
      ["letter", true],
      ["end", undefined],
    ],
  );
  await node(page, "decision").focus();
  await page.keyboard.press("Delete");
  await node(page, "decision").waitFor({ state: "detached" });
  assert.equal(await crew.now(page, "workflows/1/steps/decision.md"), undefined);
  for (let n = 0; n < 4; n += 1) await page.getByTestId("hp-undo").click();
  assert.equal(await crew.now(page, "workflows/1/workflow.graph.json"), before);
  await page.getByText("Nothing has been edited.").waitFor();
  await page.getByTestId("hp-redo").click();
  await node(page, "decision").waitFor();
  await crew.closed(page);
});

test("by mouse a node is moved, and pulled to another one", async () => {
  const page = await crew.opened(EDITOR);
  await fitted(page);
  const centre = async (id: string) => {
    const box = await node(page, id).boundingBox();
    assert.ok(box);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, foot: box.y + box.height };
  };
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  const assess = await centre("assess");
  await drag({ x: assess.x, y: assess.foot }, await centre("join"));
  const { edges } = await crew.graph(page);
  assert.deepEqual([edges.at(-1).from, edges.at(-1).to], ["assess", "join"]);
  // Also from a node that is not selected.
  const letter = await centre("letter");
  await drag({ x: letter.x, y: letter.foot }, await centre("decline"));
  const drawn = (await crew.graph(page)).edges.at(-1);
  assert.deepEqual([drawn.from, drawn.to], ["letter", "decline"]);
  // A node that is let go on another stands beside it.
  const [settle, cover] = [await centre("settle"), await centre("cover")];
  await drag(settle, cover);
  const [put, on] = [
    await node(page, "settle").boundingBox(),
    await node(page, "cover").boundingBox(),
  ];
  assert.ok(put && on);
  const beside = put.x >= on.x + on.width || put.x + put.width <= on.x;
  assert.ok(
    beside || put.y >= on.y + on.height || put.y + put.height <= on.y,
    JSON.stringify([put, on]),
  );
  await page.getByTestId("hp-undo").click();
  const fraud = await centre("fraud");
  await drag(fraud, { x: fraud.x - 60, y: fraud.y + 40 });
  const moved = await centre("fraud");
  assert.ok(Math.abs(moved.x - fraud.x + 60) < 12, `${moved.x} after ${fraud.x}`);
  const { metadata } = await crew.graph(page);
  assert.deepEqual(Object.keys(metadata.positions), ["fraud"]);
  await page.getByRole("button", { name: "Arrange automatically" }).click();
  assert.equal((await crew.graph(page)).metadata, undefined);
  await crew.closed(page);
});

test("the list says the same as the drawing, and opens the step", async () => {
  const page = await crew.opened(EDITOR);
  await page.getByRole("button", { name: "List", exact: true }).click();
  const row = page.locator('hp-crew-nodes tr[data-node="size"]');
  const text = (await row.innerText()).replace(/\s+/g, " ");
  assert.match(text, /How large\? size Decision up to €5,000 → to Settle payment default/);
  await row.getByRole("button", { name: "How large?" }).click();
  await page.getByRole("heading", { name: "How large?" }).waitFor();
  await crew.closed(page);
});

test("somebody else was first: nothing is written, both sides are shown, the edit is kept", async () => {
  const page = await crew.opened(EDITOR);
  const theirs = claims[STEP].replace("List each", "Name each");
  await page.getByLabel("Title").fill("Mine");
  crew.edge.elsewhere(crew.ID, { [STEP]: theirs }, "user:mia");
  crew.edge.elsewhere(crew.ID, { "assets/guides/assessment.md": "# Another\n" });
  await page.getByTestId("hp-save").click();
  await page
    .getByTestId("hp-conflict")
    .getByText(/^Motor claim was saved by mia \(\d\d:\d\d\) .* It is version 2 now\.$/)
    .waitFor();
  assert.equal(crew.stored(STEP), theirs);
  assert.equal(await page.getByRole("textbox", { name: "Title" }).inputValue(), "Mine");
  assert.equal(await page.getByTestId("hp-save").isDisabled(), true);
  await page
    .locator("hp-crew-conflict")
    .getByText("Name each")
    .first()
    .waitFor({ state: "attached" });
  await page.getByTestId("hp-save-mine").click();
  await page.waitForFunction(() => window.hpCrewApp.opened?.edits().size === 0);
  assert.match(crew.stored(STEP) ?? "", /title: "Mine"/);
  await crew.closed(page);
});

test("after a conflict both are put together: by member, by line, and by choice where both changed", async () => {
  const page = await crew.opened(EDITOR);
  const theirs = claims[STEP]
    .replace("List each", "Name each")
    .replace('title: "Assess damage"', 'title: "Theirs"');
  const graph = "workflows/1/workflow.graph.json";
  const was = crew.stored(graph) ?? "";
  const title = was.replace('"title": "Write the letter"', '"title": "Send the letter"');
  crew.edge.elsewhere(crew.ID, { [STEP]: theirs, [graph]: title }, "user:mia");
  await page.getByLabel("Title").fill("Mine");
  await page.getByTestId("hp-save").click();
  const merge = page.getByTestId("hp-merge");
  await merge.getByText("At 1 place both did", { exact: false }).waitFor();
  const both = page.getByTestId("hp-save-both");
  assert.equal(await both.isDisabled(), true);
  await merge
    .getByRole("group", { name: "Mine, title" })
    .getByLabel("Mine", { exact: false })
    .check();
  await both.click();
  await page.waitForFunction(() => window.hpCrewApp.opened?.edits().size === 0);
  const stored = crew.stored(STEP) ?? "";
  assert.match(
    stored,
    /title: "Mine"[\s\S]*# Mine[\s\S]*1\. Name each/,
    "mine by member, theirs by line",
  );
  const { nodes } = await crew.graph(page);
  assert.deepEqual([nodes[3].title, nodes[9].title], ["Mine", "Send the letter"]);
  assert.equal(crew.asked().length, 2, "one save was refused, one was made");
  await crew.closed(page);
});

test("after a conflict theirs can be taken, and undo brings the edit back", async () => {
  const page = await crew.opened(EDITOR);
  await page.getByLabel("Title").fill("Mine");
  crew.edge.elsewhere(crew.ID, { [STEP]: "---\nnodeId: assess\n---\n" });
  await page.getByTestId("hp-save").click();
  await page.getByTestId("hp-take-theirs").click();
  await page.getByText("Nothing has been edited.").waitFor();
  await page.getByTestId("hp-undo").click();
  assert.match((await crew.now(page, STEP)) ?? "", /title: "Mine"/);
  await crew.closed(page);
});

test("without a network an edit waits on this device, and is sent when it is back", async () => {
  const page = await crew.opened(EDITOR);
  await crew.offline(page, true);
  await page.getByLabel("Title").fill("Written on the train");
  await page.getByTestId("hp-save").click();
  await page.getByText("2 files on this device, not yet stored").waitFor();
  assert.equal(crew.stored(STEP), claims[STEP]);
  await crew.offline(page, false);
  await page.waitForFunction(() => window.hpCrewApp.opened?.edits().size === 0);
  assert.match(crew.stored(STEP) ?? "", /Written on the train/);
  await crew.closed(page);
});

test("edits are there again when the package is opened again", async () => {
  const page = await crew.opened(EDITOR);
  await page.getByLabel("Title").fill("Half done");
  await page.evaluate(() => window.hpCrewApp.go("/crew"));
  await page.getByText("Not yet stored").waitFor();
  await page.getByRole("link", { name: "Claims desk" }).click();
  await page.getByRole("link", { name: "Motor claim", exact: true }).click();
  await node(page, "assess").click();
  assert.equal(await page.getByRole("textbox", { name: "Title" }).inputValue(), "Half done");
  await crew.closed(page);
});

test("dropped edits come back by undo; with none left undo takes the package a version back", async () => {
  const page = await crew.opened(EDITOR);
  await page.getByLabel("Title").fill("New");
  await page.getByTestId("hp-drop").click();
  assert.equal(await crew.now(page, STEP), claims[STEP]);
  await page.getByTestId("hp-undo").click();
  await crew.saved(page);
  assert.match(crew.stored(STEP) ?? "", /title: "New"/);
  await page.getByRole("button", { name: "Undo: the last saved change" }).click();
  await page.getByText("Undone").waitFor();
  assert.equal(crew.stored(STEP), claims[STEP]);
  await crew.closed(page);
});

test("a narrow page shows one pane at a time, the list first", async () => {
  const page = await crew.opened("/workflows/1", { width: 390, height: 844 });
  await page.locator("hp-crew-nodes").getByRole("button", { name: "Assess damage" }).click();
  await page.getByLabel("Title").waitFor();
  assert.equal(await page.locator("hp-crew-nodes").isVisible(), false);
  assert.equal(await page.getByTestId("hp-save").isVisible(), true);
  await page.getByRole("button", { name: "Graph" }).click();
  await node(page, "assess").waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await crew.closed(page);
});
