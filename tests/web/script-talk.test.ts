// The script pages: conversation, versions, and what could not be done.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatEvent, EditOpsAnswer } from "@holdpoint/core/editor";
import { copied, description } from "./page.ts";
import * as script from "./script-walk.ts";

test("the chat streams, stops in the middle and keeps what came", async () => {
  const page = await script.opened();
  script.edge.slow(150);
  const events: ChatEvent[] = [
    {
      event: "meta",
      data: { enabled: true, correlation_id: "c", turn_id: "t", assistant_message_id: "m" },
    },
    ...["It ", "reads ", "doors ", "and ", "more ", "and ", "more."].map((part) => ({
      event: "delta" as const,
      data: { text: part },
    })),
    { event: "done", data: { enabled: true, reason: "stop" } },
  ];
  script.edge.said.push(events);
  await page.getByTestId("hp-mode-chat").click();
  await script.ask(page, "What does it do?");
  await page.locator("hp-conversation").getByText("It reads").waitFor();
  script.edge.slow(60_000);
  await page.getByTestId("hp-cancel").click();
  await page.locator("hp-conversation").getByText("stopped by you").waitFor();
  const came = await page.locator("hp-conversation .said").last().textContent();
  await page.waitForTimeout(500);
  assert.equal(
    await page.locator("hp-conversation .said").last().textContent(),
    came,
    "late events are dropped",
  );
  assert.equal(await page.getByTestId("hp-send").isVisible(), true);
  await script.closed(page);
});

test("Esc stops a call, also from inside the conversation", async () => {
  const page = await script.opened();
  script.edge.slow(60_000);
  await script.ask(page);
  await page.getByTestId("hp-cancel").waitFor();
  await page.locator("hp-conversation").focus();
  await page.keyboard.press("Escape");
  await page.getByTestId("hp-cancel").waitFor({ state: "detached" });
  assert.equal(await page.getByTestId("hp-send").isVisible(), true);
  await script.closed(page);
});

test("a stopped generation proposes nothing", async () => {
  const page = await script.opened();
  script.edge.slow(60_000);
  script.answers({ ops: script.ops });
  await script.ask(page);
  await page.getByTestId("hp-cancel").click();
  await page.getByTestId("hp-outcome").waitFor();
  assert.equal(await page.getByTestId("hp-proposal").count(), 0);
  assert.equal(
    await page.getByTestId("hp-ask").inputValue(),
    "Let me choose the lowest rating",
    "the words are kept",
  );
  await script.closed(page);
});

test("each outcome has its words", async () => {
  const page = await script.opened();
  const cases: [EditOpsAnswer["outcome"], string][] = [
    ["truncated", "The answer was cut"],
    ["parse_failed", "No usable suggestion"],
    ["non_patch_ops", "No usable suggestion"],
    ["incompatible_ops", "No place named"],
    ["timeout", "The model took too long"],
    ["upstream_error", "The model did not answer"],
    ["context_exceeded", "Too much text at once"],
    ["remote_fallback_required", "Wants an outside model"],
  ];
  for (const [outcome, words] of cases) {
    script.answers({
      outcome,
      ops: [],
      assistant_message: "",
      enabled: outcome !== "remote_fallback_required",
    });
    await script.ask(page, `Case ${outcome}`);
    await page.locator("hp-outcome").getByRole("heading", { name: words }).waitFor();
    assert.equal(await page.locator("hp-outcome").getAttribute("data-state"), outcome);
  }
  await script.closed(page);
});

test("a request that is answered in words leaves the field", async () => {
  const page = await script.opened();
  script.answers({ outcome: "empty", ops: [], assistant_message: "It does already." });
  await script.ask(page, "Sort them");
  await page.locator("hp-conversation .said").getByText("It does already.").waitFor();
  assert.equal(await page.getByTestId("hp-ask").inputValue(), "");
  await script.closed(page);
});

test("an edge that asked no model is not heard as the model", async () => {
  const page = await script.opened();
  script.answers({
    outcome: "empty",
    ops: [],
    assistant_message: "The assistant is switched off here.",
    enabled: false,
    code: "FEATURE_OFF",
  });
  await script.ask(page, "Wider");
  await page.locator("hp-outcome").getByText("The assistant is switched off here.").waitFor();
  assert.equal(await page.locator("hp-outcome").getAttribute("data-state"), "upstream_error");
  assert.equal(
    await page
      .locator("hp-conversation .said")
      .getByText("The assistant is switched off here.")
      .count(),
    0,
  );
});

test("over budget: nothing was asked, the message stays, and the sizes are said", async () => {
  const page = await script.opened();
  script.fails({
    code: "MESSAGE_OVER_BUDGET",
    status: 422,
    details: { budget: 12_032, system: 1_820, user: 11_540 },
  });
  await script.ask(page);
  await page.getByTestId("hp-over").waitFor();
  assert.equal(await page.getByTestId("hp-ask").inputValue(), "Let me choose the lowest rating");
  assert.equal(await page.getByTestId("hp-send").isDisabled(), true);
  await page.getByText("12,032 tokens").waitFor();
  await page.getByTestId("hp-ask").fill("Shorter");
  await page.getByTestId("hp-over").waitFor({ state: "detached" });
  await script.closed(page);
});

test("a version is compared with now and restored; a checkpoint is kept", async () => {
  const page = await script.opened();
  const was = await script.text(page);
  await script.saved(page, "# mine\n");
  await page.getByTestId("hp-history").click();
  await page.getByTestId("hp-checkpoint-name").fill("It works");
  await page.getByTestId("hp-checkpoint").click();
  await page.locator("hp-history").getByText("It works").waitFor();
  await page.locator('[data-version="rev_1"]').click();
  await page.locator("hp-compare hp-diff .hunk").first().waitFor();
  await page.getByTestId("hp-restore").click();
  await page.waitForFunction((want) => window.hpApp.tool.editors.text("tool.py") === want, was);
  assert.equal(script.stored(), was);
  await script.closed(page);
});

test("two versions that are ticked are compared, the older on the left", async () => {
  const page = await script.opened();
  await script.saved(page, "# one\n");
  await script.saved(page, "# two\n");
  await page.getByTestId("hp-history").click();
  await page.locator('[data-tick="rev_3"]').check();
  const compare = page.getByTestId("hp-compare");
  assert.equal(await compare.isDisabled(), true);
  await page.locator("hp-history").getByText("Tick another version").waitFor();
  await page.locator('[data-tick="rev_2"]').check();
  await compare.click();
  const hunk = page.locator("hp-compare hp-diff .hunk");
  await hunk.first().waitFor();
  assert.deepEqual(
    await hunk.first().locator("table.split td.code.ins").allInnerTexts(),
    ["# two"],
    "only what the newer has more",
  );
  assert.equal(
    await page.getByTestId("hp-restore").count(),
    0,
    "what is compared is no version to restore",
  );
  await page.locator('[data-tick="rev_1"]').check();
  assert.deepEqual(
    await page.evaluate(() => window.hpApp.tool.versions.ticked),
    ["rev_2", "rev_1"],
    "two at most",
  );
  await page.locator("hp-compare").getByRole("button", { name: "Back" }).click();
  await page.locator("hp-compare").waitFor({ state: "detached" });
  await script.closed(page);
});

test("a refused save is said above the page with what was kept, until one is stored", async () => {
  const page = await script.opened();
  await script.type(page, "# mine\n");
  script.fails({ code: "SERVICE_UNAVAILABLE", status: 503 });
  await page.keyboard.press("Control+s");
  const said = page.getByTestId("hp-problem");
  await said.getByRole("alert").waitFor();
  assert.match(
    await said.getByRole("alert").innerText(),
    /Not saved\. Your text is kept on this device\.\s+The server is not ready/,
  );
  assert.equal(await page.locator("hp-toast .toast").count(), 0, "a failure is no toast");
  assert.match(await script.text(page), /^# mine/);
  await page.keyboard.press("Control+s");
  await said.waitFor({ state: "detached" });
  assert.match(script.stored(), /^# mine/);
  await script.closed(page);
});

test("where another request runs, the page says when one may ask again, and asks nothing before", async () => {
  const page = await script.opened();
  script.fails({ code: "REQUEST_IN_FLIGHT", status: 409, headers: { "retry-after-ms": "5000" } });
  await script.ask(page);
  const again = page.getByTestId("hp-way-again");
  await again.waitFor();
  await page
    .locator("hp-outcome")
    .getByText(/One request at a time/)
    .waitFor();
  assert.equal(await again.isDisabled(), true);
  assert.match(await again.evaluate(description), /^Opens in [1-5] seconds?\.$/);
  assert.equal(await page.locator("hp-outcome hp-copy").evaluate(copied), "REQUEST_IN_FLIGHT");
  const send = page.getByTestId("hp-send");
  assert.equal(await send.isDisabled(), true, "the composer waits too");
  assert.match(await send.evaluate(description), /^Ask opens in [1-5] seconds?$/);
  await script.calls(page);
  await page.getByTestId("hp-ask").press("Enter");
  assert.deepEqual(await script.calls(page), [], "Enter asks nothing while it waits");
  script.answers({ ops: script.ops });
  await page.locator("hp-outcome button:enabled").first().waitFor();
  await again.click();
  await script.open(page);
  await script.closed(page);
});

test("an undo from the bar that goes leaves the focus with the texts; the list of versions follows", async () => {
  const page = await script.opened();
  await page.getByTestId("hp-history").click();
  const lines = page.locator("hp-history [data-version]");
  await lines.getByText("Created").waitFor();
  await page.getByRole("button", { name: "Back to the chat" }).click();
  await script.proposed(page);
  await script.open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  await page.getByTestId("hp-history").click();
  await lines.getByText("Applied a proposal").waitFor();
  await page.getByRole("button", { name: "Undo all" }).click();
  await lines.getByText("Undone").waitFor();
  assert.equal(
    await page.evaluate(
      () => document.querySelector("#page")?.shadowRoot?.activeElement?.localName,
    ),
    "hp-file-tabs",
  );
  await script.closed(page);
});

test("an error that there was no connection goes with the connection", async () => {
  const page = await script.opened();
  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.type("x");
  await page.evaluate(() => window.hpApp.setOffline(true));
  await page.keyboard.press("Control+s");
  const line = page.getByTestId("hp-problem");
  await line.getByText("There is no connection.").waitFor();
  await page.evaluate(() => window.hpApp.setOffline(false));
  await line.waitFor({ state: "detached" });
  await script.closed(page);
});

test("versions and a conversation that could not be read say so with their details, and are read again", async () => {
  const page = await script.opened();
  const failing = { code: "SERVICE_UNAVAILABLE", status: 503, details: { part: "project" } };
  const back = page.getByRole("button", { name: "Back to the chat" });
  const parts: [() => Promise<void>, string][] = [
    [() => page.getByTestId("hp-history").click(), "hp-history"],
    [
      () =>
        back.click().then(() => page.evaluate(() => window.hpApp.tool.talking.session.resume())),
      "hp-conversation",
    ],
  ];
  for (const [show, within] of parts) {
    script.fails(failing);
    await show();
    const part = page.locator(within).getByTestId("hp-unread");
    await part.getByText("The server is not ready.").waitFor();
    assert.match(
      await part.locator("hp-copy").evaluate(copied),
      /^SERVICE_UNAVAILABLE\n[\s\S]*"part": "project"/,
    );
    await part.getByRole("button", { name: "Try again" }).click();
    await part.waitFor({ state: "detached" });
  }
  await script.closed(page);
});

test("what comes soon is not said to be loading", async () => {
  const page = await script.opened();
  const seen = () =>
    page.evaluate(
      () =>
        document
          .querySelector("#page")
          ?.shadowRoot?.querySelector("hp-drawer")
          ?.shadowRoot?.querySelector("hp-history")
          ?.shadowRoot?.querySelector(".late")
          ?.checkVisibility({ visibilityProperty: true }) ?? null,
    );
  script.edge.slow(1_500);
  await page.getByTestId("hp-history").click();
  assert.equal(await seen(), false);
  await page.locator("hp-history").getByText("Reading the versions").waitFor();
  assert.equal(await seen(), true);
  await script.closed(page);
});

test("a script that could not be opened is asked for again", async () => {
  const page = await script.opened();
  await page.evaluate(() => window.hpApp.go(null));
  await page.locator("hp-tools tbody tr").waitFor();
  script.fails({ code: "SERVICE_UNAVAILABLE", status: 503 });
  await page.evaluate(() => window.hpApp.go("t1"));
  await page.getByRole("heading", { name: "could not be opened" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator('.cm-content[data-file="tool.py"]').waitFor();
  await script.closed(page);
});

test("Restore carries the fingerprint of what it changes", async () => {
  const page = await script.opened();
  const was = await script.text(page);
  await script.saved(page, "# mine\n");
  await page.getByTestId("hp-history").click();
  await page.locator('[data-version="rev_1"]').click();
  const shown = await page.getByTestId("hp-restore").locator(".fp").innerText();
  const want = await page.evaluate(async (code) => {
    const bytes = new TextEncoder();
    const field = (value: string) => {
      const body = bytes.encode(value);
      const length = new DataView(new ArrayBuffer(8));
      length.setBigUint64(0, BigInt(body.length));
      return [...new Uint8Array(length.buffer), ...body];
    };
    const hash = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new Uint8Array([...field("tool.py"), ...field(code)])),
    );
    return [...hash.slice(0, 4)]
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("")
      .toUpperCase();
  }, was);
  assert.equal(shown.replace(" ", ""), want);
  await script.closed(page);
});
