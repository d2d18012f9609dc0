// What a newcomer met on the script page: a refusal is read in the model's words, and after a restore the conversation
// no longer says that what came later is applied.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatEvent, ChatMessage } from "@holdpoint/core/editor";
import { violations } from "./axe.ts";
import { CLEAR, GENERATE } from "./edge/scripts.ts";
import { description } from "./page.ts";
import * as script from "./script-walk.ts";

const BACK = "Back to the chat";

test("a refusal in words is said once, in those words, and stands with its reason after a reload", async () => {
  const page = await script.opened();
  const words = "I would rather not: that deletes the log.";
  script.answers({
    outcome: "parse_failed",
    ops: [],
    assistant_message: words,
    code: "EDITOPS_NO_OBJECT",
  });
  await script.ask(page);
  await page.getByRole("heading", { name: "No usable suggestion" }).waitFor();
  assert.equal(await page.locator("hp-conversation").getByText(words).count(), 1);
  // What is a sentence of ours is no word of the model's.
  script.answers({
    outcome: "parse_failed",
    ops: [],
    assistant_message: "Ask again.",
    args: { case: "ANSWER_UNUSABLE" },
  });
  await script.ask(page, "Again");
  await page.locator("hp-outcome").getByText("The answer was no change that can be read").waitFor();
  assert.equal(await page.locator("hp-conversation .said").getByText("Ask again.").count(), 0);

  // As the thread has it: what the edge said in place of an answer is said in the words of the page.
  const ended: [string, string, string, string][] = [
    ["parse_failed", "I would rather not: that deletes the log.", "failed", "edit_ops"],
    ["timeout", "The model did not answer in time.", "failed", "edit_ops"],
    ["truncated", "The answer became too long.", "failed", "edit_ops"],
    ["upstream_error", "Half of an ans", "failed", "chat"],
    ["", "", "complete", "chat"],
  ];
  script.edge.messages = ended.map(([failure_outcome, content, status, kind], n) => ({
    ...{ message_id: `m${n}`, turn_id: `t${n}`, role: "assistant", content, status, kind },
    ...{ created_at: 0, correlation_id: `c${n}` },
    ...(failure_outcome ? { failure_outcome } : {}),
  })) as ChatMessage[];
  await page.evaluate(() => window.hpApp.tool.talking.session.resume());
  const said = page.locator("hp-conversation .said");
  const all = async () =>
    (await said.allInnerTexts()).map((text) => text.split(/\n+/).slice(-2).join(" | "));
  assert.match((await all())[0] ?? "", /No usable suggestion.*I would rather not/);
  assert.match((await all())[1] ?? "", /The model took too long \| The model took too long$/);
  assert.match((await all())[2] ?? "", /The answer was cut \| It ended in the middle/);
  assert.match((await all())[3] ?? "", /The model did not answer \| Half of an ans$/);
  assert.match((await all())[4] ?? "", /No words came with this answer\.$/);
  await script.closed(page);
});

test("after a restore what was applied later is undone in the conversation", async () => {
  const page = await script.opened();
  await script.proposed(page);
  await page.getByTestId("hp-apply").click();
  const card = page.locator("hp-conversation .pcard");
  await card.getByText("Applied").first().waitFor();
  await page.getByTestId("hp-history").click();
  await page.locator('[data-version="rev_1"]').click();
  await page.getByTestId("hp-restore").click();
  await page.getByRole("button", { name: BACK }).click();
  await card.getByText("Undone", { exact: true }).waitFor();
  assert.equal(await card.getByText("Applied").count(), 0);
  await script.closed(page);
});

test("a question that nobody answers, and one whose answer breaks off, do not end in silence", async () => {
  const page = await script.opened();
  const meta = {
    enabled: true,
    correlation_id: "c",
    turn_id: "t",
    assistant_message_id: "m",
  } as const;
  const chats: ChatEvent[][] = [
    [
      { event: "meta", data: meta },
      { event: "done", data: { enabled: true, reason: "stop" } },
    ],
    [
      { event: "meta", data: meta },
      { event: "delta", data: { text: "Half of" } },
    ],
  ];
  script.edge.said.push(...chats);
  await page.getByTestId("hp-mode-chat").click();
  await script.ask(page, "Qwertz?");
  await page
    .locator("hp-conversation .said")
    .getByText("No words came with this answer.")
    .waitFor();
  await script.ask(page, "And now?");
  await page.getByRole("heading", { name: "The model did not answer" }).waitFor();
  await page.locator("hp-conversation .said").getByText("Half of").waitFor();
  await script.closed(page);
});

test("the conversation that was cleared comes back, until somebody asks or the message goes", async () => {
  const page = await script.opened();
  const said = page.locator("hp-conversation .said");
  const clear = page.getByTestId("hp-clear");
  await script.ask(page, "First");
  await said.nth(1).waitFor();
  await script.calls(page);
  await clear.press("Enter");
  await said.first().waitFor({ state: "detached" });
  await page.locator("hp-toast").getByText("The conversation was cleared").waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-toast-undo").press("Enter");
  assert.equal(await said.count(), 2);
  assert.deepEqual(await script.calls(page), [], "nothing was cleared at the edge");

  await clear.press("Enter");
  await page.locator("hp-toast").getByRole("button", { name: "Close" }).press("Enter");
  await script.edge.until(CLEAR);

  // What is asked next has nothing of what was cleared.
  await script.ask(page, "Second");
  await said.nth(1).waitFor();
  await clear.press("Enter");
  await script.calls(page);
  await script.ask(page, "Third");
  await said.getByText("Third").waitFor();
  assert.deepEqual(
    (await script.calls(page)).filter((call) => call === CLEAR || call === GENERATE),
    [CLEAR, GENERATE],
  );
  assert.equal(await said.getByText("Second").count(), 0);

  await said.nth(1).waitFor();
  script.fails({ code: "SERVICE_UNAVAILABLE", status: 503 });
  await clear.press("Enter");
  await page.locator("hp-toast").getByRole("button", { name: "Close" }).press("Enter");
  await page.getByTestId("hp-problem").getByText("The chat was not cleared.").waitFor();
  assert.equal(await said.count(), 2, "where it is refused it stands");

  // Whoever leaves the script has cleared it, too.
  await clear.press("Enter");
  await page.evaluate(() => window.hpApp.go(null));
  await script.edge.until(CLEAR);
  await page.evaluate(() => window.hpApp.go("t1"));
  await page.getByTestId("hp-ask").waitFor();
  assert.equal(await said.count(), 0);
  await script.closed(page);
});

test("a name that begins with @ is completed from the files, by keyboard", async () => {
  const page = await script.opened();
  const ask = page.getByTestId("hp-ask");
  await ask.pressSequentially("Explain @set");
  const offered = page.getByTestId("hp-mention");
  await offered.first().waitFor();
  assert.deepEqual(await offered.allInnerTexts(), ["settings_schema.json"]);
  assert.deepEqual(await violations(page), []);
  await ask.press("Enter");
  assert.equal(await ask.inputValue(), "Explain @settings_schema.json ");
  assert.equal(await page.locator("hp-conversation .said").count(), 0, "nothing was asked by it");
  await script.closed(page);
});

test("when one may ask again is said as people say it", async () => {
  const page = await script.opened();
  const failing = {
    code: "BUDGET_EXCEEDED",
    status: 429,
    headers: { "retry-after": String(56 * 60) },
    details: { resets_at: Date.now() + 56 * 60_000 },
  };
  script.fails(failing);
  await script.ask(page);
  await page
    .locator("hp-outcome")
    .getByText(/^(\d\d:\d\d|\d+ \w+), in 56 minutes$/)
    .waitFor();
  assert.match(
    await page.getByTestId("hp-send").evaluate(description),
    /^Ask opens in 56 minutes$/,
  );
  assert.match(
    await page.getByTestId("hp-way-again").evaluate(description),
    /^Opens in 56 minutes\.$/,
  );
  await script.closed(page);
});
