// Walks through the script editor over an edge in memory: what is shown is what is signed, one apply, one undo, no edit
// lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { EditOpsRequest } from "@holdpoint/core/editor";
import { APPLY, GENERATE, PREVIEW, SAVE } from "./edge/scripts.ts";
import * as script from "./script-walk.ts";

test("a part of a proposal is applied in one task a file, taken back in one step, and made again", async () => {
  const page = await script.opened();
  const [code, form] = [await script.text(page), await script.text(page, "settings_schema.json")];
  await script.proposed(page);
  assert.equal(
    await page.getByTestId("hp-ask").inputValue(),
    "",
    "the words go when there is a preview",
  );
  assert.equal(await page.locator("hp-diff .hunk").count(), 3);
  await script.open(page);
  await page.getByTestId("hp-leave").nth(1).click();
  await page.getByText("Apply 2 changes").waitFor();
  await script.open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  const done = await script.text(page);
  assert.match(done, /text = \(rating/);
  assert.doesNotMatch(done, /< 0/, "what was left is not there");
  assert.match(await script.text(page, "settings_schema.json"), /lowest/);
  assert.equal(script.stored(), done);

  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.press("Control+z");
  assert.deepEqual(
    [await script.text(page), await script.text(page, "settings_schema.json")],
    [code, form],
    "the native undo takes it back in both files",
  );
  assert.equal(await script.becomesStored((kept) => kept === code), code);
  await page.getByTestId("hp-redo").click();
  assert.equal(await script.text(page), done);
  assert.equal(await script.becomesStored((kept) => kept === done), done);

  await script.type(page, "# mine");
  await page.waitForFunction(() => window.hpApp.tool.view().undo.on === false);
  assert.equal(await page.getByTestId("hp-undo").isDisabled(), true);
  const why = (await page.getByTestId("hp-undo").getAttribute("title")) ?? "";
  assert.match(why, /tool\.py changed since/);
  await page.keyboard.press("Control+z");
  assert.equal(await script.text(page), done, "what was typed goes first");
  await page.getByTestId("hp-undo").click();
  assert.deepEqual(
    [await script.text(page), await script.text(page, "settings_schema.json")],
    [code, form],
  );
  await script.closed(page);
});

test("one correlation id goes through generate, preview and apply", async () => {
  const page = await script.opened();
  await script.proposed(page);
  await script.open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  const ids = [GENERATE, PREVIEW, APPLY].flatMap((at) =>
    script.edge.of(at).map(({ headers }) => headers["x-correlation-id"]),
  );
  assert.ok(ids.length >= 3);
  assert.equal(new Set(ids).size, 1);
  await script.closed(page);
});

test("a proposal that moved wants a tick; a new choice takes it away", async () => {
  const page = await script.opened();
  await script.proposed(page, script.moved);
  await page.getByTestId("hp-confirm").waitFor();
  await page.getByText("stands 28 lines higher").waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  await page.getByTestId("hp-confirm-tick").check();
  await script.open(page);
  await page.getByTestId("hp-leave").first().click();
  await page.getByTestId("hp-take").first().click();
  await page.waitForFunction(() => window.hpApp.tool.proposing.confirmed === false);
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  await page.getByTestId("hp-confirm-tick").check();
  await script.open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  await script.closed(page);
});

test("a targeted text that moves makes the proposal stale at once, without a call", async () => {
  const page = await script.opened();
  await script.proposed(page);
  await script.open(page);
  await script.calls(page);
  await script.type(page, "# mine\n");
  await page.getByRole("tab", { name: "Proposal" }).click();
  await page.getByTestId("hp-stale").waitFor();
  assert.deepEqual(
    (await script.calls(page)).filter((call) => call !== SAVE),
    [],
  );
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  await page.getByTestId("hp-preview-again").click();
  await script.open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  assert.match(
    await script.text(page),
    /^# mine\n[\s\S]*text = \(rating/,
    "the edit is saved before the proposal is applied",
  );
  await script.closed(page);
});

test("what was rejected stays rejected when the proposal is shown against the new text", async () => {
  const page = await script.opened();
  await script.proposed(page);
  await script.open(page);
  await page.getByTestId("hp-leave").first().click();
  await page.getByText("Apply 2 changes").waitFor();
  await script.saved(page, "# mine\n# and mine\n");
  await page.getByRole("tab", { name: "Proposal" }).click();
  await page.getByTestId("hp-preview-again").press("Enter");
  await page.getByTestId("hp-stale").waitFor({ state: "detached" });
  await page.getByText("Apply 2 changes").waitFor();
  await script.open(page);
  // The same where another tab was first, and its text comes with the refusal.
  script.edge.saveElsewhere({ "tool.py": `# theirs\n${script.stored()}` });
  await page.getByTestId("hp-apply").press("Enter");
  await page.waitForFunction(() =>
    window.hpApp.tool.proposing.result().before["tool.py"]?.includes("# theirs"),
  );
  await page.getByText("Apply 2 changes").waitFor();
  await script.open(page);
  await page.getByTestId("hp-apply").press("Enter");
  await page.getByTestId("hp-applied").waitFor();
  assert.doesNotMatch(script.stored(), /text = \(rating/, "the first was rejected");
  assert.match(script.stored(), /< 0/);
  await script.closed(page);
});

test("another save before the apply: nothing is dispatched, the fresh preview has to be signed", async () => {
  const page = await script.opened();
  await script.proposed(page);
  await script.open(page);
  const was = await script.text(page);
  script.edge.saveElsewhere({ "tool.py": `# theirs\n${was}` });
  await page.getByTestId("hp-apply").click();
  await page.waitForFunction(() =>
    window.hpApp.tool.editors.text("tool.py").startsWith("# theirs"),
  );
  assert.doesNotMatch(await script.text(page), /text = \(rating/, "the proposal was not applied");
  await script.open(page);
  // Sooner it would be the second click of a double click, which signs nothing that was not seen (base/steady.ts).
  await page.waitForTimeout(500);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  assert.match(script.stored(), /^# theirs\n[\s\S]*text = \(rating/);
  await script.closed(page);
});

test("nothing can be typed between sending and the answer", async () => {
  const page = await script.opened();
  await script.proposed(page);
  await script.open(page);
  script.edge.slow(4_000);
  await page.getByTestId("hp-apply").click();
  await page.getByRole("tab", { name: "tool.py" }).click();
  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.type("x");
  await page.getByTestId("hp-applied").waitFor();
  assert.equal(await script.text(page), script.stored());
  await script.closed(page);
});

test("ops that fit nowhere: what was expected, what is there, and the failure goes back to the model", async () => {
  const page = await script.opened();
  script.answers({ ops: script.elsewhere });
  await script.ask(page);
  await page.getByTestId("hp-error").waitFor();
  await page.getByText("import sys").first().waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  script.answers({ ops: script.ops });
  await page.getByTestId("hp-regenerate").click();
  await script.open(page);
  const [, { body: asked }] = script.edge.of<EditOpsRequest>(GENERATE);
  assert.equal(asked.message, "Let me choose the lowest rating");
  assert.equal(asked.feedback?.error_details.length, 1);
  assert.equal(asked.feedback.ops.length, 1);
  assert.equal(
    await page.locator("hp-conversation .said").count(),
    2,
    "the answer that failed is replaced, the question is not repeated",
  );
  await script.closed(page);
});

test("selection and a fresh cursor go along; an old cursor does not", async () => {
  const page = await script.opened();
  const at = () => page.evaluate(() => window.hpApp.tool.editors.location("tool.py"));
  assert.deepEqual(await at(), {}, "nobody pointed anywhere");
  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.press("Control+Home");
  assert.deepEqual(await at(), { cursor: { pos: 0 } });
  await page.keyboard.press("Shift+ArrowRight");
  assert.deepEqual(await at(), { selection: { from: 0, to: 1 }, cursor: { pos: 1 } });
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(
    await page.evaluate(() => window.hpApp.tool.editors.location("tool.py", Date.now() + 46_000)),
    {},
  );
  await script.closed(page);
});

test("two tabs on one text: both are kept, each place is decided, saved together", async () => {
  const page = await script.opened();
  const was = await script.text(page);
  await script.type(page, "# mine\n");
  script.edge.saveElsewhere({ "tool.py": was.replace("indent=2", "indent=4") });
  await page.keyboard.press("Control+s");
  await page.getByTestId("hp-save-together").waitFor();
  assert.equal(await page.getByTestId("hp-save-together").isDisabled(), true);
  await page.getByTestId("hp-take").first().click();
  await page.getByTestId("hp-leave").nth(1).click();
  await page.getByTestId("hp-save-together").click();
  assert.match(await script.becomesStored((kept) => kept.startsWith("# mine")), /^# mine/);
  assert.match(script.stored(), /indent=4/);
  assert.equal(await script.text(page), script.stored());
  await script.closed(page);
});

test("what only the other tab changed is taken over, and the save goes on", async () => {
  const page = await script.opened();
  await script.type(page, "# mine\n");
  script.edge.saveElsewhere({ "entrypoint.txt": "main\n" });
  await script.save(page, "# mine\n");
  assert.deepEqual(
    [script.stored("entrypoint.txt"), await script.text(page, "entrypoint.txt")],
    ["main\n", "main\n"],
  );
  await script.closed(page);
});

test("closed and opened again: the unsaved text, the words, the proposal and the undo are back", async () => {
  const page = await script.opened();
  const was = await script.text(page);
  await script.proposed(page);
  await script.open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  const done = await script.text(page);
  await script.proposed(page, [
    { op: "patch", target_file: "entrypoint.txt", patch: "@@ -1,1 +1,1 @@\n-run_tool\n+main\n" },
  ]);
  await page.getByTestId("hp-ask").fill("Half a thought");
  const again = () =>
    page.evaluate(async () => {
      window.hpApp.go(null);
      await new Promise((go) => setTimeout(go, 200));
      window.hpApp.go("t1");
    });
  await again();
  await page.getByTestId("hp-ask").waitFor();
  await page.waitForFunction(() => window.hpApp.tool?.view().panel === "proposal");
  assert.equal(await page.getByTestId("hp-ask").inputValue(), "Half a thought");
  assert.equal(await script.text(page), done);
  await page.getByTestId("hp-undo").click();
  assert.equal(await script.text(page), was, "undo after it was opened again");
  await script.type(page, "# mine\n");
  await again();
  await page.waitForFunction(() => window.hpApp.tool?.editors.text("tool.py").startsWith("# mine"));
  assert.doesNotMatch(script.stored(), /^# mine/, "nobody saved it");
  await script.closed(page);
});

test("without a network: typing, the diff and undo work; asking and applying say why not", async () => {
  const page = await script.opened();
  await script.proposed(page);
  await script.open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  await script.proposed(page, [
    { op: "patch", target_file: "entrypoint.txt", patch: "@@ -1,1 +1,1 @@\n-run_tool\n+main\n" },
  ]);
  await script.open(page);
  script.edge.away = true;
  await page.evaluate(() => window.hpApp.setOffline(true));
  await page.getByTestId("hp-leave").first().click();
  await page.getByTestId("hp-take").first().click();
  await page.getByText("Applying needs a connection").waitFor();
  await page.getByText("Asking needs a connection; this draft is kept").waitFor();
  await page.getByTestId("hp-undo").click();
  assert.doesNotMatch(await script.text(page), /text = \(rating/);
  script.edge.away = false;
  await page.evaluate(() => window.hpApp.setOffline(false));
  await script.open(page);
  await script.closed(page);
});

test("by keyboard alone: ask, choose a place, sign, undo", async () => {
  const page = await script.opened();
  script.answers({ ops: script.ops });
  const focused = () =>
    page.evaluate(() => {
      let node = document.activeElement;
      while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
      return {
        id: node instanceof HTMLElement ? (node.dataset.testid ?? "") : "",
        tag: node?.tagName ?? "",
        look: node?.className ?? "",
      };
    });
  for (let i = 0; i < 60 && (await focused()).id !== "hp-ask"; i += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.type("Let me choose");
  await page.keyboard.press("Enter");
  await script.open(page);
  assert.equal(
    (await focused()).tag,
    "H2",
    "the proposal's heading has the focus, not its signature",
  );
  for (let i = 0; i < 20 && !(await focused()).look.includes("hunk"); i += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await page.getByText("Apply 2 changes").waitFor();
  await script.open(page);
  await page.keyboard.press("Control+Enter");
  assert.equal((await focused()).id, "hp-apply");
  assert.equal(await page.getByTestId("hp-applied").count(), 0, "focus alone signs nothing");
  await page.keyboard.press("Enter");
  await page.getByTestId("hp-applied").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByTestId("hp-applied").waitFor({ state: "detached" });
  await script.closed(page);
});

test("a narrow page has one pane at a time, and a proposal comes to the front", async () => {
  const page = await script.opened({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Chat" }).click();
  await script.proposed(page);
  await script.open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  assert.equal(await page.locator('.cm-content[data-file="tool.py"]').isVisible(), true);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await script.closed(page);
});
