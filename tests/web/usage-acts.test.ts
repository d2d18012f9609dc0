// What is done on the usage page, over an edge in memory: budgets are set, keys made and ended, more is asked for and
// granted.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExtensionRow } from "../../www/app/src/pages/usage/wire.ts";
import { violations } from "./axe.ts";
import { usage } from "./edge/usage.ts";
import { focusOn } from "./page.ts";

const { opened, closed } = usage();
const MICROS = 1_000_000;

test("a limit is set with the whole budget, without what was granted; a refusal stands in the form", async () => {
  const { page, edge } = await opened();
  edge.faults.set("PUT /budgets/ann", [{ status: 400, code: "MODEL_NOT_PRICED" }]);
  await page.getByRole("button", { name: "Set limit: ann, this month" }).click();
  const limit = page.getByTestId("hp-budget-limit");
  assert.equal(await limit.inputValue(), "150", "50 of the 200 were granted");
  await limit.fill("many");
  await page.getByTestId("hp-budget-save").click();
  await page.getByText("Write the limit as a number.").waitFor();
  await focusOn(limit);
  await limit.fill("175,50");
  await page.getByTestId("hp-budget-save").click();
  await page.locator("hp-usage-form").getByText("MODEL_NOT_PRICED.").waitFor();
  edge.faults.clear();
  await page.getByTestId("hp-budget-save").click();
  await page.locator("hp-usage-form").waitFor({ state: "detached" });
  assert.deepEqual(edge.of("PUT /budgets/ann").at(-1)?.body, {
    ...{ scope: "user:ann", unit: "cost", period: "month", payer: "platform" },
    limit: 175.5 * MICROS,
  });
  await closed(page);
});

test("a budget is made and deleted, the latter after a question that keeps it where one stays", async () => {
  const { page, edge } = await opened();
  await page.getByTestId("hp-budget-new").click();
  const form = page.locator("hp-usage-form");
  await form.getByLabel("Id of the budget").fill("calls");
  await form.getByLabel("Counts the calls of").selectOption("user");
  await form.getByLabel("A person").fill("cem");
  await form.getByLabel("Counts", { exact: true }).selectOption("requests");
  await form.getByLabel("Limit, in calls").fill("500");
  await page.getByTestId("hp-budget-save").click();
  const { body } = await edge.until("PUT /budgets/calls");
  const wanted = { scope: "user:cem", unit: "requests", period: "month", payer: "platform" };
  assert.deepEqual(body, { ...wanted, limit: 500 });
  const remove = page.getByRole("button", { name: "Delete: ann, this month" });
  await remove.click();
  await page.getByTestId("hp-answer-stay").click();
  assert.equal(edge.of("DELETE /budgets/ann").length, 0);
  await page.waitForFunction(
    () => !document.querySelector("hp-usage-page")?.matches("[data-state=question]"),
  );
  await focusOn(remove, "the focus is back where it was");
  await remove.click();
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-answer-delete").click();
  await edge.until("DELETE /budgets/ann");
  await remove.waitFor({ state: "detached" });
  await closed(page);
});

test("a key is shown once: then it is in no part of the page, of the device or of the address", async () => {
  const { page, edge } = await opened();
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await page.getByTestId("hp-key-new").click();
  await focusOn(page.getByTestId("hp-key-label"));
  await page.getByTestId("hp-key-make").click();
  await page.getByText("Give the key a name.").waitFor();
  await page.getByTestId("hp-key-label").fill("Nightly");
  await page.getByTestId("hp-key-user").fill("cem");
  await page.getByLabel("Models, all if empty").fill("writer-*, small");
  await page.getByRole("checkbox", { name: "Own usage" }).uncheck();
  await page.getByTestId("hp-key-make").click();
  assert.equal(await page.getByTestId("hp-key-text").innerText(), "hp_test_made_only_now");
  const { body } = await edge.until("POST /keys");
  const { expires_at: ends, ...rest } = body;
  assert.deepEqual(rest, {
    ...{ label: "Nightly", user_id: "cem", scopes: ["llm"], models: ["writer-*", "small"] },
    ...{ origins: [], clamp: "allowed" },
  });
  assert.ok(Math.abs(Number(ends) - Date.now() - 90 * 86_400_000) < 600_000);
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-key-kept").click();
  await page.getByTestId("hp-key-text").waitFor({ state: "detached" });
  await page.getByRole("rowheader", { name: "Nightly" }).waitFor();
  const kept = await page.evaluate(() => {
    const drawn = (root: ParentNode): string =>
      [...root.querySelectorAll("*")]
        .map((node) => (node.shadowRoot ? drawn(node.shadowRoot) : "") + node.outerHTML)
        .join("");
    const stores = [localStorage, sessionStorage].map((store) => JSON.stringify({ ...store }));
    return [drawn(document), ...stores, location.href, JSON.stringify(history.state)].join();
  });
  assert.doesNotMatch(kept + said.join(), /made_only_now/);
  await closed(page);
});

test("a key gets another secret for a time, and ends for good after a question", async () => {
  const { page, edge } = await opened();
  await page.getByRole("button", { name: "Replace: Laptop" }).click();
  await page.getByLabel("The old secret works for").selectOption({ label: "1 hour" });
  await page.getByTestId("hp-key-make").click();
  assert.equal(await page.getByTestId("hp-key-text").innerText(), "hp_test_replaced_only_now");
  assert.deepEqual((await edge.until("POST /keys/k1/rotate")).body, { grace_seconds: 3_600 });
  await page.getByTestId("hp-key-kept").click();
  await page
    .locator("hp-keys")
    .getByText(/^Old secret works until/)
    .waitFor();
  await page.getByRole("button", { name: "Revoke: Viewer" }).click();
  await page.getByRole("heading", { name: "Revoke the key Viewer?" }).waitFor();
  assert.equal(edge.of("POST /keys/k2/revoke").length, 0);
  await page.getByTestId("hp-answer-revoke").click();
  await page.locator("hp-keys").getByText("Revoked").waitFor();
  assert.equal(await page.getByRole("button", { name: "Revoke: Viewer" }).count(), 0);
  await closed(page);
});

test("a key is changed: only what is another now is sent, and what is wrong stands under its field", async () => {
  const { page, edge } = await opened({
    given: (edge) => {
      const [laptop] = edge.keys;
      assert.ok(laptop);
      Object.assign(laptop, { models: ["writer"], last_used_day: null, scopes: ["admin"] });
    },
  });
  const change = page.getByRole("button", { name: "Change: Laptop" });
  await page.locator("hp-keys").getByText("No model call yet").waitFor();
  await change.click();
  await focusOn(page.getByTestId("hp-key-label"));
  await page.getByTestId("hp-key-make").press("Enter");
  await page.locator("hp-usage-form").waitFor({ state: "detached" });
  assert.equal(edge.of("PATCH /keys/k1").length, 0, "nothing was another");
  await change.click();
  await page.getByTestId("hp-key-label").fill("Workstation");
  await page.getByTestId("hp-key-origins").fill("https://a.example, b.example/path");
  await page.getByTestId("hp-key-make").click();
  await page.getByText("Write each address with https://").waitFor();
  await focusOn(page.getByTestId("hp-key-origins"));
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-key-origins").fill("https://a.example");
  await page.getByTestId("hp-key-ends").selectOption({ label: "After 30 days" });
  await page.getByTestId("hp-key-clamp").selectOption("always");
  edge.faults.set("PATCH /keys/k1", [{ status: 503, code: "LEDGER_UNAVAILABLE" }]);
  await page.getByTestId("hp-key-make").click();
  await page.locator("hp-usage-form").getByText("LEDGER_UNAVAILABLE.").waitFor();
  assert.equal(await page.getByTestId("hp-key-label").inputValue(), "Workstation");
  edge.faults.clear();
  await page.getByTestId("hp-key-make").click();
  await page.getByRole("rowheader", { name: "Workstation" }).waitFor();
  const { expires_at: ends, ...rest } = (await edge.until("PATCH /keys/k1", 2)).body;
  const wanted = { label: "Workstation", origins: ["https://a.example"], clamp: "always" };
  assert.deepEqual(rest, wanted, "the models stayed");
  assert.ok(Math.abs(Number(ends) - Date.now() - 30 * 86_400_000) < 600_000);
  await focusOn(page.locator("hp-keys h2"));
  await closed(page);
});

test("a refusal leads here: the address opens the request with its budget and its amount", async () => {
  const { page, edge } = await opened({ token: "hp_bea", part: "?budget=bea&ask=2500000" });
  const amount = page.getByTestId("hp-request-amount");
  await amount.waitFor();
  assert.equal(await amount.inputValue(), "2.8", "a tenth over what is missing, at least");
  await page.getByTestId("hp-request-send").click();
  await page.getByText("Say why, in a line.").waitFor();
  await page.getByTestId("hp-request-reason").fill("The tender is due.");
  edge.faults.set("POST /budgets/bea/extensions", [{ status: 409, code: "CONFLICT" }]);
  await page.getByTestId("hp-request-send").click();
  await page.locator("hp-budget-requests").getByText("CONFLICT.").waitFor();
  assert.equal(await page.getByTestId("hp-request-reason").inputValue(), "The tender is due.");
  edge.faults.clear();
  await page.getByTestId("hp-request-send").click();
  await page.getByText("Waits for an answer").waitFor();
  const { body } = await edge.until("POST /budgets/bea/extensions", 2);
  assert.deepEqual(body, { amount: 2.8 * MICROS, reason: "The tender is due." });
  await page.getByText("$2.80 more of bea").waitFor();
  assert.equal(await page.getByTestId("hp-grant").count(), 0, "nobody grants their own");
  await closed(page);
});

test("an operator grants an amount for a time, denies, and ends what was granted", async () => {
  const row: Omit<ExtensionRow, "id"> = {
    ...{ budget: "ann", user_id: "ann", asked: 5 * MICROS, reason: "More.", amount: null },
    ...{ state: "asked", until: null, asked_at: 0, decided_at: null, decided_by: null },
  };
  const { page, edge } = await opened({
    given: (edge) => {
      edge.requests = [
        { id: "ex_1", ...row },
        { id: "ex_2", ...row },
      ];
    },
  });
  const path = (id: string, verb: string) => `POST /budgets/ann/extensions/${id}/${verb}`;
  await page.getByTestId("hp-grant").first().click();
  const amount = page.getByTestId("hp-grant-amount");
  assert.equal(await amount.inputValue(), "5");
  await amount.fill("3");
  await page.getByLabel("For how long").selectOption({ label: "31 days" });
  await page.getByTestId("hp-grant-now").click();
  const { body } = await edge.until(path("ex_1", "grant"));
  assert.equal(body.amount, 3 * MICROS);
  const most = Date.now() + 31 * 86_400_000;
  assert.ok(Number(body.until) < most && Number(body.until) > most - 600_000);
  await page.getByText("Granted", { exact: true }).waitFor();
  await page.getByTestId("hp-deny").click();
  await edge.until(path("ex_2", "deny"));
  await page.getByTestId("hp-end").click();
  await page.getByTestId("hp-answer-end").click();
  await edge.until(path("ex_1", "end"));
  await page.getByText("Ended", { exact: true }).waitFor();
  await closed(page);
});

test("by keyboard: F6 goes through the parts; a key is made, put away, and the focus stays in its part", async () => {
  const { page } = await opened();
  await page.locator("hp-keys").getByRole("cell", { name: "hp_***k1" }).waitFor();
  const focus = () =>
    page.evaluate(() => {
      const path: string[] = [];
      let node = document.activeElement;
      for (; node; node = node.shadowRoot?.activeElement ?? null)
        path.push(node.tagName.toLowerCase());
      return path.slice(1);
    });
  const seen: (string | undefined)[] = [];
  for (let i = 0; i < 6; i += 1) {
    await page.keyboard.press("F6");
    seen.push((await focus())[0]);
  }
  const parts = ["hp-usage-budget", "hp-usage-sums", "hp-ledger", "hp-keys", "hp-budget-requests"];
  assert.deepEqual(seen.slice(0, 5), parts);
  await page.getByTestId("hp-key-new").focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("hp-key-label").waitFor();
  await page.keyboard.type("Nightly");
  await page.keyboard.press("Tab");
  await page.keyboard.type("cem");
  await page.keyboard.press("Enter");
  await page.getByTestId("hp-key-text").waitFor();
  assert.deepEqual((await focus()).slice(0, 2), ["hp-keys", "hp-key-once"]);
  await page.getByTestId("hp-key-kept").focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("hp-key-text").waitFor({ state: "detached" });
  await focusOn(page.locator("hp-keys h2"), "the focus stays in its part");
  await closed(page);
});
