// What a newcomer met on the script page: a refusal is read in the model's words, and after a restore the conversation
// no longer says that what came later is applied.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as script from "./script-walk.ts";

const BACK = "Back to the chat";

test("a refusal in words is shown in those words, and they stay in the conversation", async () => {
  const page = await script.opened();
  const words = "I would rather not: that deletes the log.";
  await script.answers(page, {
    outcome: "parse_failed",
    ops: [],
    assistant_message: words,
    code: "EDITOPS_NO_OBJECT",
  });
  await script.ask(page);
  await page.locator("hp-outcome").getByText(words).waitFor();
  await page.locator("hp-conversation .said").getByText(words).waitFor();
  // What is a sentence of ours is no word of the model's.
  await script.answers(page, {
    outcome: "parse_failed",
    ops: [],
    assistant_message: "Ask again.",
    args: { case: "ANSWER_UNUSABLE" },
  });
  await script.ask(page, "Again");
  await page.locator("hp-outcome").getByText("The answer was no change that can be read").waitFor();
  assert.equal(await page.locator("hp-conversation .said").getByText("Ask again.").count(), 0);
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
