// The workbench on a narrow page: one place scrolls for all panes.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { ask, benches, changed } from "./edge/crew.ts";

const bench = benches();
const NARROW = { width: 390, height: 844 };
const LONG = Array.from({ length: 60 }, (_, i) => `Line ${i + 1} of the answer.`).join("\n\n");

const scrolled = (page: Page) => page.locator("main.wb").evaluate((main) => main.scrollTop);
/** How much is below what is in sight. */
const below = (page: Page) =>
  page
    .locator("main.wb")
    .evaluate((main) => main.scrollHeight - main.scrollTop - main.clientHeight);
const pane = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name });
/** What was drawn stands. */
const drawn = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

test("the log follows the newest line from the bottom only", async () => {
  const { page, edge } = await bench.opened({ viewport: NARROW });
  await ask(page, "Tell me all");
  const turn = await edge.begun();
  turn.thinks("model");
  turn.thinks("summary_delta", LONG);
  await page.getByText("Line 60 of the answer.").waitFor();
  await drawn(page);
  assert.ok((await below(page)) < 2, `${await below(page)} px below`);
  turn.calls("builder.step.read", "a");
  await page.getByText("Read a step").waitFor();
  await drawn(page);
  assert.ok((await below(page)) < 2, "also when a row comes");
  await page.locator("main.wb").evaluate((main) => main.scrollTo({ top: 300 }));
  await drawn(page);
  turn.thinks("summary_delta", "\n\nOne line more.");
  await page.getByText("One line more.").waitFor();
  await drawn(page);
  assert.equal(await scrolled(page), 300, "whoever reads further up is left there");
  edge.says(LONG);
  await page.getByTestId("wb-send").waitFor();
  await bench.closed(page);
});

test("each pane comes back where it was left, and another pane's log moves nothing", async () => {
  const { page, edge } = await bench.opened({ viewport: NARROW });
  await ask(page, "Tell me all");
  await edge.begun();
  const texts = Array.from({ length: 30 }, (_, i) =>
    changed({ object: `asset:assets/${i}.md`, file: `assets/${i}.md` }),
  );
  edge.proposes(LONG, { changed: texts });
  await page.getByText("Line 60 of the answer.").waitFor();
  await drawn(page);
  const end = await scrolled(page);
  assert.ok(end > 500, "it stands at its end");
  await pane(page, "Change").click();
  await page.getByTestId("wb-file").first().waitFor();
  assert.equal(await scrolled(page), 0, "a pane that was not seen begins at its top");
  await page.locator("main.wb").evaluate((main) => main.scrollTo({ top: 240 }));
  await drawn(page);
  await pane(page, "Conversation").click();
  await drawn(page);
  assert.equal(await scrolled(page), end);
  await pane(page, "Change").click();
  await drawn(page);
  assert.equal(await scrolled(page), 240);
  await bench.closed(page);
});

test("when the head has scrolled away the bar says what is talked about", async () => {
  const { page, edge } = await bench.opened({ viewport: NARROW });
  const bar = page.locator("header.top");
  await bar.getByText("Claims desk").waitFor();
  const { height } = (await bar.boundingBox()) ?? {};
  await ask(page, "Tell me all");
  await edge.begun();
  edge.says(LONG);
  await bar.getByText("Motor claim").waitFor();
  assert.equal((await bar.boundingBox())?.height, height, "and is as high as before");
  await page.locator("main.wb").evaluate((main) => main.scrollTo({ top: 0 }));
  await bar.getByText("Claims desk").waitFor();
  await bench.closed(page);
});

test("earlier conversations and undo can be reached", async () => {
  const { page, edge } = await bench.opened({ viewport: NARROW });
  await page.locator("hp-wb-head").getByTestId("wb-earlier").click();
  await page.getByRole("menuitem", { name: "Begin a new conversation" }).waitFor();
  await page.keyboard.press("Escape");
  await ask(page, "Improve it");
  await edge.begun();
  edge.proposes("I improve it.", { changed: [changed()] });
  await pane(page, "Change").click();
  await page.locator('[data-testid="wb-apply"]:not([disabled])').click();
  await page.getByTestId("wb-applied").waitFor();
  assert.equal(await page.getByTestId("wb-undo").isVisible(), true);
  await bench.closed(page);
});
