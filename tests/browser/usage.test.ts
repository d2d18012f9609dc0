// A budget on the real stack: a warning, a refusal, a request for more, an operator's grant; and the life of a key.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorShape, Indicator } from "@holdpoint/core/types";
import type { Page } from "playwright-core";
import { ask, opened, thrown } from "./road.ts";
import { browser, edge, stack, withStack } from "./stack.ts";

const QUESTION = "How many doors are there?";
const ANSWER = /The model has \d+ doors\./;
/** Calls of the budget, so many of them as are 75 %, and how many more are asked for. */
const LIMIT = 8;
const WARNED = 6;
const MORE = 9;

withStack();

/** A call of a client of one's own: its status. */
async function call(key: string): Promise<number> {
  const answer = await fetch(`${stack.origin}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "default",
      max_tokens: 64,
      messages: [{ role: "user", content: "Make a tool that faxes the door list" }],
    }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** A person with a budget of calls, and their key. */
async function person(user: string): Promise<string> {
  const body = { scope: `user:${user}`, unit: "requests", period: "total", limit: LIMIT };
  await edge("PUT", `/gateway/v1/budgets/${user}`, body, stack.admin_token);
  const { key } = await edge<{ key: string }>(
    "POST",
    "/gateway/v1/keys",
    { label: user, user_id: user, scopes: ["llm", "usage", "edit"] },
    stack.admin_token,
  );
  return key;
}

/** What is spent of the budget of calls; the tightest of the others stands before it at first. */
async function spent(key: string): Promise<number> {
  const { budget, others } = await edge<Indicator>("GET", "/gateway/v1/indicator", undefined, key);
  const own = [budget, ...others].find((one) => one?.unit === "requests");
  return own?.spent ?? assert.fail("there is no budget of calls");
}

async function spendTo(wanted: number, key: string): Promise<void> {
  for (let n = await spent(key); n < wanted; n += 1) assert.equal(await call(key), 200);
  assert.equal(await spent(key), wanted);
}

/** The usage page of whoever signs in with the key, in a browser context of their own. */
async function usage(key: string): Promise<Page> {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  thrown.set(page, errors);
  page.on("pageerror", (error: Error) => errors.push(String(error.stack ?? error)));
  await page.goto(`${stack.origin}/usage#token=${key}`);
  await page.locator("hp-ledger:not([data-state=loading])").waitFor();
  return page;
}

/** All that is drawn, also within the elements. */
const drawn = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const inside = (root: ParentNode): string =>
      [...root.querySelectorAll("*")]
        .map((node) => (node.shadowRoot ? inside(node.shadowRoot) : "") + node.outerHTML)
        .join("");
    return inside(document);
  });

async function closed(page: Page): Promise<void> {
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
}

test("a budget warns, refuses, and goes on after an operator granted what was asked for", {
  timeout: 90_000,
}, async () => {
  const user = `mira-${Date.now()}`;
  const key = await person(user);
  const page = await opened(browser, `${stack.origin}/#token=${key}`);
  await page.locator("hp-budget[data-state=ok]").waitFor();
  await ask(page, QUESTION);
  await page.locator("hp-answer").getByText(ANSWER).waitFor();

  await spendTo(WARNED, key);
  await page.reload();
  await page.locator("hp-budget[data-state=warn]").waitFor();

  // The rest goes elsewhere: the page learns it from the refusal.
  await spendTo(LIMIT, key);
  await page.locator("hp-workbench").getByRole("button", { name: "New change" }).click();
  const refusal = page.waitForResponse((answer) => answer.status() === 402);
  await ask(page, QUESTION);
  const { error }: { error: ErrorShape } = await (await refusal).json();
  const callout = page.locator("hp-workbench [role=alert]");
  await callout
    .getByText("No answer: the budget did not allow more. Nothing was changed.")
    .waitFor();
  await callout.getByText("have the budget raised").waitFor();
  await page.locator("hp-budget[data-state=out]").click();
  await page.getByText("The last call was refused: it did not fit.").waitFor();
  assert.equal(await page.getByTestId("hp-usage-link").getAttribute("href"), "/usage");

  assert.equal(error.details?.extension_url, `/usage?budget=${user}&ask=1`);
  await page.keyboard.press("Escape");
  await callout.getByTestId("hp-ask-more").click();
  await page.waitForURL(`${stack.origin}${error.details.extension_url}`);
  await page.locator("hp-usage-budget[data-state=out]").waitFor();
  const requests = page.locator("hp-budget-requests");
  assert.equal(await requests.getByLabel("Budget").inputValue(), user);
  assert.equal(await page.getByTestId("hp-request-amount").inputValue(), "1");
  await page.getByTestId("hp-request-amount").fill(String(MORE));
  await page.getByTestId("hp-request-reason").fill("The tender is due on Friday.");
  await page.getByTestId("hp-request-send").click();
  await requests.getByText(`${MORE} more calls of ${user}`).waitFor();
  await requests.getByText("Waits for an answer").waitFor();

  const operator = await usage(stack.admin_token);
  const row = operator.locator("[data-request]").filter({ hasText: user });
  await row.getByText("The tender is due on Friday.").waitFor();
  await row.getByTestId("hp-grant").click();
  assert.equal(await row.getByTestId("hp-grant-amount").inputValue(), String(MORE));
  await row.getByTestId("hp-grant-now").click();
  await row.getByText("Granted", { exact: true }).waitFor();
  await operator.locator("hp-usage-changes").getByText(`Granted more of ${user}`).waitFor();
  await closed(operator);

  await page.reload();
  await requests.getByText("Granted", { exact: true }).waitFor();
  await page.locator("hp-usage-budget[data-state=ok]").waitFor();
  await page.goto(stack.origin);
  await page.locator("hp-workbench").getByRole("button", { name: "New change" }).click();
  await ask(page, QUESTION);
  await page.locator("hp-answer").getByText(ANSWER).waitFor();
  await page.locator("hp-budget[data-state=ok]").waitFor();
  await closed(page);
});

test("an operator sees whose calls were made, and makes, replaces and revokes a key that is shown once", {
  timeout: 90_000,
}, async () => {
  const user = `noor-${Date.now()}`;
  await spendTo(1, await person(user));
  const page = await usage(stack.admin_token);
  const calls = page.locator("hp-ledger").getByRole("row").filter({ hasText: user });
  await calls.getByText("Done").waitFor();
  const sum = page.getByTestId("hp-sums").getByRole("row").filter({ hasText: user });
  await sum.getByText(`of ${LIMIT} calls`).waitFor();

  const label = `Nightly ${user}`;
  await page.getByTestId("hp-key-new").click();
  await page.getByTestId("hp-key-label").fill(label);
  await page.getByTestId("hp-key-user").fill(user);
  const first = await kept(page);
  assert.equal(await call(first), 200);
  await page.getByTestId("hp-calls-refresh").click();
  await calls.nth(1).waitFor();

  const row = page.locator("hp-keys").getByRole("row").filter({ hasText: label });
  await row.getByTestId("hp-key-replace").click();
  await page.getByLabel("The old secret works for").selectOption({ label: "No longer" });
  const second = await kept(page);
  assert.deepEqual([await call(first), await call(second)], [401, 200]);

  await row.getByTestId("hp-key-revoke").click();
  await page.getByTestId("hp-answer-revoke").click();
  await row.getByText("Revoked").waitFor();
  assert.equal(await call(second), 401);
  await closed(page);
});

/** Makes the key of the form that is open, puts it away, and leaves nothing of it in the page. */
async function kept(page: Page): Promise<string> {
  await page.getByTestId("hp-key-make").click();
  const key = await page.getByTestId("hp-key-text").innerText();
  assert.ok((await drawn(page)).includes(key));
  await page.getByTestId("hp-key-kept").click();
  await page.getByTestId("hp-key-text").waitFor({ state: "detached" });
  assert.equal((await drawn(page)).includes(key), false, "the key is still in the page");
  return key;
}
