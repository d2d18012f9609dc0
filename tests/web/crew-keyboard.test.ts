// A small package from nothing, by keyboard alone: list, package, graph, step, agent, asset, export.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as crew from "./crew-walk.ts";
import { arrives, focusedName, press, tabTo, typed } from "./page.ts";

test("a package is built, checked and exported without a mouse", { timeout: 180_000 }, async () => {
  const page = await crew.opened("list");
  await typed(page, /hp-package-name/, "Site diary");
  await press(page, /hp-create/);
  await page.getByRole("heading", { name: "Site diary" }).waitFor();
  await crew.checked(page);

  await press(page, /^First workflow$/);
  await page.getByRole("heading", { name: "First workflow" }).waitFor();
  await tabTo(page, /^node start/);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.hpCrewApp.workflow?.selected === "start");
  await arrives(page, /Title/, "Enter goes into the fields of the step");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Read the diary");
  await press(page, /hp-add-node/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "New decision" }).waitFor();
  await arrives(page, /Title/, "a new node is named next");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Anything open?");

  // A second exit, back to the start, with its condition.
  await tabTo(page, /hp-connect/);
  await page.keyboard.type("Read");
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    () => (window.hpCrewApp.workflow?.workflow?.graph?.edges.length ?? 0) === 3,
  );
  await tabTo(page, /Label of the exit to Read the diary/, "Shift+Tab");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("still open");
  await press(page, /^Condition none yet.*exit still open/);
  await typed(page, /In words, for people/, "an entry has no answer");
  await tabTo(page, /hp-save/);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.hpCrewApp.opened?.edits().size === 0);
  const { edges } = await page.evaluate(
    () => window.hpCrewApp.workflow?.workflow?.graph ?? { edges: [] },
  );
  assert.deepEqual(
    edges.map(({ from, to, conditionText }) => [from, to, conditionText]),
    [
      ["start", "decision", undefined],
      ["decision", "end", undefined],
      ["decision", "start", "an entry has no answer"],
    ],
  );
  const errors = await page.evaluate(() =>
    window.hpCrewApp.opened?.checked.findings.filter(({ severity }) => severity === "error"),
  );
  assert.deepEqual(errors, []);

  await press(page, /^Site diary$/);
  await press(page, /hp-new-asset/);
  await page.waitForFunction(() => window.hpCrewApp.parts?.naming?.what === "asset");
  await tabTo(page, /hp-part-name/);
  await page.keyboard.type("guides/diary.md");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "assets/guides/diary.md" }).waitFor();
  await tabTo(page, /assets\/guides\/diary\.md$/);
  await page.locator("hp-crew-text .cm-content").waitFor();
  await tabTo(page, /^assets\/guides\/diary\.md \||^assets\/guides\/diary\.md$/);
  await page.keyboard.type("# Diary");
  await page.keyboard.press("Control+S");
  await page.waitForFunction(() => window.hpCrewApp.opened?.edits().size === 0);

  await press(page, /^Site diary$/);
  await crew.checked(page);
  await tabTo(page, /hp-export/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.keyboard.press("Enter"),
  ]);
  assert.equal(download.suggestedFilename(), "Site diary.zip");
  await crew.closed(page);
});

test("tabs by arrows, undo and redo by keys, and F6 between the panes of an editor", async () => {
  const page = await crew.opened("/workflows/1?node=assess");
  const pane = () =>
    page.evaluate(() => {
      const host = document.querySelector("hp-crew-page")?.shadowRoot?.activeElement;
      return (
        host?.shadowRoot?.activeElement?.closest("[data-f6]")?.getAttribute("aria-label") ?? ""
      );
    });
  const seen = new Set<string>();
  for (let n = 0; n < 3; n += 1) {
    await page.keyboard.press("F6");
    seen.add(await pane());
  }
  assert.ok(seen.has("Graph of Motor claim") && seen.has("Step"), [...seen].join());
  await page.locator('hp-crew-graph [data-node="fraud"]').focus();
  await page.keyboard.press("Delete");
  await page.locator('hp-crew-graph [data-node="fraud"]').waitFor({ state: "detached" });
  assert.match(await focusedName(page), /^node /, "the focus stays in the graph");
  await page.keyboard.press("Control+Z");
  await page.locator('hp-crew-graph [data-node="fraud"]').waitFor();
  await page.keyboard.press("Control+Shift+Z");
  await page.locator('hp-crew-graph [data-node="fraud"]').waitFor({ state: "detached" });
  await crew.closed(page);
});
