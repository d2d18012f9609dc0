// The workbench over an edge in memory: asked, streamed, stopped, asked again, restored in the middle of a turn.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, benches, changed, SESSION } from "./edge/crew.ts";

const bench = benches();

test("an answer in words is streamed, said once, and proposes nothing", async () => {
  const { page, edge } = await bench.opened();
  await page.getByTestId("wb-session").getByText(SESSION).waitFor();
  assert.match(page.url(), /sessionId=as_/, "a reload finds the session");
  await ask(page, "What happens today?");
  const turn = await edge.begun();
  turn.thinks("composing");
  turn.thinks("model");
  turn.thinks("summary_delta", "It takes ");
  turn.thinks("summary_delta", "the claim.");
  await page.getByText("It takes the claim.").waitFor();
  assert.equal(await page.getByTestId("wb-composer").locator("textarea").inputValue(), "");
  assert.equal(await page.getByTestId("wb-send").count(), 0, "one turn at a time");
  edge.says("It takes the claim.\n\n- Then it ends.");
  await page.locator('[data-testid="wb-message"] li').getByText("Then it ends.").waitFor();
  const rows = page.getByTestId("wb-message");
  assert.deepEqual(
    await rows.evaluateAll((all) =>
      all.map((one) => [(one as HTMLElement).dataset.role, (one as HTMLElement).dataset.status]),
    ),
    [
      ["user", "ok"],
      ["assistant", "ok"],
    ],
  );
  assert.equal(await page.getByTestId("wb-apply").isDisabled(), true);
  await page.getByText("Nothing is proposed. Answers in words change nothing.").waitFor();
  await bench.closed(page);
});

test("markup in an answer is text", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Say it");
  await edge.begun();
  edge.says("<img src=x onerror=alert(1)> and <b>bold</b>");
  await page.getByText("<img src=x onerror=alert(1)>").waitFor();
  assert.equal(await page.locator('[data-testid="wb-message"] img').count(), 0);
  await bench.closed(page);
});

test("what a turn does stands row by row, and a tool's name stays long enough to be read", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Look at it");
  const turn = await edge.begun();
  turn.thinks("model");
  await page.getByTestId("wb-runtime").waitFor();
  await page.evaluate(() => {
    window.heard = [];
    const note = () => {
      const talk = document
        .querySelector("hp-workbench-page")
        ?.shadowRoot?.querySelector("hp-wb-talk")
        ?.shadowRoot?.querySelector("hp-conversation");
      const runtime = talk?.shadowRoot?.querySelector("hp-wb-runtime")?.shadowRoot;
      const last = [...(runtime?.querySelectorAll("[data-tool]") ?? [])].at(-1);
      const name = (last as HTMLElement | undefined)?.dataset.tool ?? "";
      const heard = window.heard as [string, number][];
      if (name !== heard.at(-1)?.[0]) heard.push([name, performance.now()]);
      requestAnimationFrame(note);
    };
    note();
  });
  turn.calls("builder.workflow.read", "c1");
  turn.calls("builder.workflow.read", "c1", true);
  turn.calls("builder.step.read", "c2");
  turn.calls("builder.step.read", "c2", false, "STEP_NOT_FOUND");
  turn.calls("builder.files.delete", "c3");
  turn.calls("builder.files.delete", "c3", false, "AI_TOOL_NOT_ALLOWED");
  turn.thinks("validation_repair");
  await page.getByText("Repairing, 1 of 2").waitFor();
  const heard = (await page.evaluate(() => window.heard)) as [string, number][];
  const names = heard.map(([name]) => name);
  assert.ok(names.includes("builder.workflow.read"), `${names}: it was shown`);
  const at = names.indexOf("builder.workflow.read");
  assert.ok(heard[at + 1][1] - heard[at][1] >= 690, "it stood for 700 ms");
  await page.locator('[data-tool="builder.step.read"].failed').getByText("Not found").waitFor();
  await page.getByText("Refused: there is no such tool").waitFor();
  assert.equal(await page.getByText("AI_TOOL_NOT_ALLOWED").count(), 0, "a code is no word");
  edge.says("Done.");
  await page.getByTestId("wb-runtime").waitFor({ state: "detached" });
  await bench.closed(page);
});

test("a turn is stopped at the edge too, and what had come stays", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Write much");
  const turn = await edge.begun();
  turn.thinks("summary_delta", "Much");
  await page.getByText("Much", { exact: true }).waitFor();
  await page.getByTestId("wb-stop").click();
  await page.getByTestId("wb-send").waitFor();
  await page.getByText("stopped by you").waitFor();
  while (!turn.over) await new Promise((done) => setTimeout(done, 20));
  assert.equal(edge.of(`POST /turns/${turn.id}/stop`).length, 1);
  await bench.closed(page);
});

test("a turn that fails says why and what helps, and is asked again under its own id", async () => {
  const { page, edge } = await bench.opened();
  assert.equal(await page.getByTestId("wb-retry").count(), 0, "only after a failure");
  await ask(page, "Improve it");
  await edge.begun();
  edge.fails("AI_PROVIDER_TIMEOUT", ["Ask for less at once."]);
  await page.getByTestId("wb-failure").getByText("Ask for less at once.").waitFor();
  assert.equal(await page.locator('[data-role="user"][data-status="failed"]').count(), 1);
  await page.getByTestId("wb-retry").click();
  await edge.begun(2);
  edge.says("Here it is.");
  await page.getByText("Here it is.").waitFor();
  assert.equal(await page.locator('[data-role="user"]').count(), 1, "it is said once");
  assert.deepEqual(
    edge.sent.map(({ content }) => content),
    ["Improve it", "Improve it"],
  );
  assert.equal(edge.sent[0].clientMessageId, edge.sent[1].clientMessageId);
  assert.equal(await page.getByTestId("wb-retry").count(), 0);
  await bench.closed(page);
});

test("a message that is refused before its turn is in the field again", async () => {
  const { page, edge } = await bench.opened();
  edge.faults.set("POST /messages", [{ status: 403, code: "AI_WORKBENCH_READ_ONLY" }]);
  await ask(page, "Improve it");
  await page.getByTestId("wb-failure").waitFor();
  assert.equal(
    await page.getByTestId("wb-composer").locator("textarea").inputValue(),
    "Improve it",
  );
  assert.equal(await page.getByTestId("wb-message").count(), 0, "a refused message leaves no row");
  const details = { extension_url: "/usage?budget=mei&ask=5" };
  edge.faults.set("POST /messages", [{ status: 402, code: "BUDGET_EXHAUSTED", details }]);
  await page.getByTestId("wb-send").click();
  const more = page.getByTestId("wb-failure").getByRole("link", { name: "Ask for more" });
  assert.equal(await more.getAttribute("href"), details.extension_url);
  await bench.closed(page);
});

test("a reload in the middle of a turn brings back messages, the turn and what was being written", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "First");
  await edge.begun();
  edge.says("One.");
  await page.getByText("One.").waitFor();
  await ask(page, "Second");
  const turn = await edge.begun(2);
  turn.thinks("model");
  turn.thinks("summary_delta", "Half of ");
  await page.getByText("Half of").waitFor();
  await page.getByTestId("wb-composer").locator("textarea").fill("A third thought");
  await page.reload();
  await page.getByText("Half of").waitFor();
  assert.equal(
    await page.getByTestId("wb-composer").locator("textarea").inputValue(),
    "A third thought",
  );
  turn.thinks("summary_delta", "the answer.");
  await page.getByText("Half of the answer.").waitFor();
  edge.proposes("Half of the answer.", { changed: [changed()] });
  await page.getByTestId("wb-file").waitFor();
  assert.equal(await page.getByTestId("wb-message").count(), 4, "nothing is said twice");
  assert.equal(edge.sessions, 1, "and no second session was made");
  await page.reload();
  await page.getByTestId("wb-file").waitFor();
  await page.getByText("Check passed").first().waitFor();
  assert.equal(await page.getByTestId("wb-apply").isEnabled(), true, "the proposal comes back");
  await bench.closed(page);
});

test("a stream that breaks is taken up behind its last event", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Tell me");
  const turn = await edge.begun();
  turn.thinks("summary_delta", "Once ");
  await page.getByText("Once").waitFor();
  turn.breaks();
  turn.thinks("summary_delta", "upon a time.");
  await page.getByText("Once upon a time.").waitFor();
  edge.says("Once upon a time.");
  await page.getByTestId("wb-send").waitFor();
  assert.equal(edge.sent.length, 1, "it is not asked again");
  const [again] = edge.of(`GET /turns/${turn.id}/events`);
  assert.equal(again?.headers["last-event-id"], `${turn.id}:2`);
  await bench.closed(page);
});

test("the same target without a session in the address finds the newest one", async () => {
  const { page, edge } = await bench.opened({
    given: (it) => {
      it.sessions = 1;
      it.messages.push({
        id: "msg_1",
        turnId: "turn_1",
        role: "user",
        content: "Said before",
        status: "ok",
        createdAt: 1_000,
      });
    },
  });
  await page.getByText("Said before").waitFor();
  assert.equal(edge.sessions, 1);
  await bench.closed(page);
});

test("Enter sends, Shift Enter breaks the line, and neither does while a word is composed", async () => {
  const { page, edge } = await bench.opened();
  const field = page.getByTestId("wb-composer").locator("textarea");
  await field.fill("One");
  await field.press("Shift+Enter");
  await field.pressSequentially("two");
  await field.dispatchEvent("keydown", { key: "Enter", isComposing: true });
  assert.equal(edge.sent.length, 0);
  await field.press("Enter");
  await edge.begun();
  assert.equal(edge.sent[0].content, "One\ntwo");
  edge.says("Good.");
  await page.getByText("Good.").waitFor();
  await bench.closed(page);
});

test("without a model nothing can be asked, and the pill leads to the profile", async () => {
  const { page, edge } = await bench.opened({
    given: (it) => {
      it.profile = {
        provider: "disabled",
        effectiveAvailability: { available: false, code: "AI_DISABLED", message: "Off." },
      };
    },
  });
  await page.getByTestId("wb-off").waitFor();
  const pill = page.getByTestId("wb-provider-pill");
  assert.equal(await pill.getAttribute("href"), "/crew/profile");
  assert.equal(await pill.getAttribute("title"), "No model is set up");
  await page.getByTestId("wb-composer").locator("textarea").fill("Hello");
  assert.equal(await page.getByTestId("wb-send").isDisabled(), true);
  assert.equal(edge.sent.length, 0);
  await bench.closed(page);
});

test("an address that says too little makes no call and leads back", async () => {
  const { page, edge } = await bench.opened({
    part: "?targetType=step&targetId=second-look&returnTo=/crew/prj_1%3Ftab=paths",
  });
  const card = page.getByTestId("wb-query-error");
  await card.locator("code", { hasText: "workflowId" }).waitFor();
  assert.equal(await card.getByTestId("wb-back").getAttribute("href"), "/crew/prj_1?tab=paths");
  await page.waitForLoadState("networkidle");
  assert.deepEqual(
    edge.asked.filter(({ path }) => /^\/(projects|users)\//.test(path)),
    [],
  );
  await bench.closed(page);
});

test("what goes along can be left out, and the message says so", async () => {
  const { page, edge } = await bench.opened();
  await page.getByTestId("wb-budget").getByText("6,120 of 11,200 tokens").waitFor();
  await page.getByTestId("wb-tab-ctx").click();
  await page.getByTestId("wb-context").getByText("Intake clerk").waitFor();
  assert.equal(await page.getByTestId("wb-trimmed").locator("li").count(), 1);
  const switches = page.getByTestId("wb-context").getByRole("switch");
  assert.equal(await switches.first().isDisabled(), true, "the target always goes along");
  await page.locator('[data-object="agent:clerk"]').getByRole("switch").uncheck();
  await page.locator('[data-object="agent:clerk"]').getByText("left out").waitFor();
  await page.getByTestId("wb-tab-chat").click();
  await ask(page, "Improve it");
  await edge.begun();
  assert.deepEqual(edge.sent[0].exclude, ["agent:clerk"]);
  edge.says("Good.");
  await page.getByText("Good.").waitFor();
  await bench.closed(page);
});
