// Every outcome of a request for a proposal, and what it leaves in the thread (script-tool.md §6, §7).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import {
  code,
  entry,
  events,
  nowhere,
  proposes,
  sample,
  says,
  startDesk,
  uuid,
  width,
} from "./desk.ts";
import { type Call, chunk, last, sleep } from "./upstream.ts";

const desk = await during(
  startDesk({ variables: { CHAT_OPS_TIMEOUT_MS: "700", CHAT_TIMEOUT_MS: "700" } }),
);

const upstream_says = (status: number, body: unknown) => (call: Call) => {
  call.head(status, { "content-type": "application/json" });
  call.end(JSON.stringify(body));
};
const insert = {
  op: "insert",
  target_file: "tool.py",
  target: { kind: "cursor" },
  content: "# x\n",
};
const select = { op: "delete", target_file: "tool.py", target: { kind: "selection" } };

/** Outcome, what the model does, more of the request, status of the turn, code. */
const cases: [string, (call: Call) => unknown, object, string, string?][] = [
  ["ok", (call) => says(call, proposes("Wider.", width(900))), {}, "complete"],
  [
    "ok",
    (call) => says(call, proposes("At the cursor.", insert)),
    { cursor: { pos: 0 } },
    "complete",
  ],
  ["empty", (call) => says(call, proposes("Nothing to do.")), {}, "complete"],
  ["truncated", (call) => says(call, '{"ops": [', "length"), {}, "failed", "EDITOPS_TRUNCATED"],
  ["parse_failed", (call) => says(call, "I would rather not."), {}, "failed", "EDITOPS_NO_OBJECT"],
  ["parse_failed", (call) => says(call, '{"ops": 3}'), {}, "failed", "EDITOPS_SHAPE"],
  [
    "non_patch_ops",
    (call) => says(call, proposes("", insert)),
    {},
    "failed",
    "EDITOPS_OP_NOT_ALLOWED",
  ],
  [
    "incompatible_ops",
    (call) => says(call, proposes("", select)),
    { cursor: { pos: 0 } },
    "failed",
  ],
  ["timeout", (call) => call.head(), {}, "failed", "UPSTREAM_TIMEOUT"],
  ["upstream_error", upstream_says(500, {}), {}, "failed", "UPSTREAM_ERROR"],
  ["upstream_error", upstream_says(401, {}), {}, "failed", "UPSTREAM_AUTH_FAILED"],
  [
    "upstream_error",
    async (call) => {
      call.head();
      call.send(chunk("{"));
      await sleep(50);
      call.cut();
    },
    {},
    "failed",
    "UPSTREAM_STREAM_CUT",
  ],
  [
    "upstream_error",
    upstream_says(400, { error: { message: "bad", code: "x" } }),
    {},
    "failed",
    "UPSTREAM_BAD_REQUEST",
  ],
  [
    "context_exceeded",
    upstream_says(400, { error: { message: "too long", code: "context_length_exceeded" } }),
    {},
    "failed",
  ],
];

for (const [outcome, play, more, status, wanted] of cases) {
  test(`${outcome}${wanted ? ` (${wanted})` : ""}`, async () => {
    desk.play = play;
    const tool = await desk.create();
    const id = uuid();
    const got = await desk.edit(tool, "Make it wider.", more, { id });
    assert.deepEqual(
      [got.status, got.value.outcome, got.value.enabled],
      [200, outcome, true],
      got.raw,
    );
    assert.equal(got.headers.get("x-correlation-id"), id);
    if (wanted) assert.equal(got.value.code, wanted);
    assert.equal(got.value.ops.length > 0, outcome === "ok");
    assert.deepEqual(got.value.base_fingerprints, tool.base_fingerprints);
    assert.ok(got.value.assistant_message, "there is something to read");
    const [asked, answered, ...rest] = await desk.thread(tool);
    assert.deepEqual([rest.length, asked.role, asked.content], [0, "user", "Make it wider."]);
    assert.deepEqual([answered.status, answered.correlation_id], [status, id]);
    assert.equal(answered.failure_outcome, status === "failed" ? outcome : undefined);
    assert.ok(!answered.content.includes("ops"), "the thread never gets ops");
    assert.deepEqual((await desk.tool(tool)).virtual_files, sample, "nothing was applied");
    const [row] = await desk.ledger();
    assert.equal(row.tag, "editor", "the call went through relay and account");
  });
}

test("the model gets all five files and its history, never a failed turn", async () => {
  const tool = await desk.create();
  desk.play = (call) => says(call, "no json");
  await desk.edit(tool, "First, in vain.");
  desk.play = (call) => says(call, proposes("Done so.", width(900)));
  const id = uuid();
  const ops = (await desk.edit(tool, "Second, with success.", {}, { id })).value.ops;
  const applied = await desk.apply(tool, ops, {}, { id });
  assert.equal(applied.value.applied, true, applied.raw);
  const moved = await desk.tool(tool);
  desk.play = (call) => says(call, '{"assistant_message": "Nothing to do.", "ops": []}');
  await desk.edit(moved, "Third.");
  const { messages } = last(desk.upstream.calls).body;
  assert.deepEqual(
    messages.map((message) => message.role),
    ["system", "user", "assistant", "user"],
  );
  assert.equal(messages[1].content, "Second, with success.");
  assert.match(messages[2].content, /^Done so\.\n\n\(The person applied this proposal\.\)$/);
  const payload = JSON.parse(messages[3].content);
  assert.deepEqual(Object.keys(payload), ["message", "active_file", "virtual_files"]);
  assert.deepEqual(payload.virtual_files, moved.virtual_files);
  const undone = await desk.ask("POST", `/tools/${tool.tool_id}/undo`, {
    base_revision_id: moved.revision_id,
  });
  assert.equal(undone.status, 200);
  const turns = await desk.thread(tool);
  assert.equal(turns.find((message) => message.content === "Done so.")?.decision, "undone");
});

test("an answer that fits nowhere is repaired once, by itself", async () => {
  const tool = await desk.create();
  const calls = desk.upstream.calls.length;
  desk.play = (call) => {
    const payload = JSON.parse(last(call.body.messages).content);
    says(call, proposes("Wider.", payload.previous_attempt ? width(900) : nowhere));
  };
  const got = (await desk.edit(tool, "Make it wider.")).value;
  assert.deepEqual([got.outcome, got.repaired, got.ops.length], ["ok", true, 1]);
  assert.equal((await desk.preview(tool, got.ops)).value.verdict, "clean");
  const [, second] = desk.upstream.calls.slice(calls);
  const [failure] = JSON.parse(last(second.body.messages).content).previous_attempt.failures;
  assert.deepEqual([failure.code, failure.target_file], ["no_match", "tool.py"]);
  assert.equal(desk.upstream.calls.length - calls, 2);
  assert.equal((await desk.thread(tool)).length, 2);

  desk.play = (call) => says(call, proposes("Wider.", nowhere));
  const vain = (await desk.edit(tool, "Once more.")).value;
  assert.deepEqual(
    [vain.outcome, vain.ops.length],
    ["ok", 1],
    "the person sees why it does not fit",
  );
  assert.equal(desk.upstream.calls.length - calls, 4, "and the model is not asked a third time");
});

test("regeneration replaces the answer and does not repeat the question", async () => {
  const tool = await desk.create();
  desk.play = (call) => says(call, proposes("Try one.", nowhere));
  const first = (await desk.edit(tool, "Make it wider.")).value;
  desk.play = (call) => says(call, proposes("Try two.", width(900)));
  const feedback = {
    ops: first.ops,
    error_details: (await desk.preview(tool, first.ops)).value.error_details,
  };
  const got = await desk.edit(tool, "Make it wider.", { feedback });
  assert.equal(got.value.outcome, "ok");
  assert.deepEqual(
    (await desk.thread(tool)).map((message) => message.content),
    ["Make it wider.", "Try two."],
  );
  const { messages } = last(desk.upstream.calls).body;
  assert.deepEqual(
    messages.map((message) => message.role),
    ["system", "user"],
    "nor does the model get it twice",
  );
  const payload = JSON.parse(last(messages).content);
  assert.equal(payload.previous_attempt.failures[0].code, "no_match");
});

test("over budget: one code, before anything is written or called", async () => {
  const tool = await desk.create();
  desk.play = (call) => says(call, proposes("Fine.", entry("main")));
  await desk.edit(tool, "Something small.");
  const before = await desk.thread(tool);
  const calls = desk.upstream.calls.length;
  const virtual_files = { ...sample, "usage_instructions.md": "word ".repeat(12_000) };
  const got = await desk.edit({ ...tool, virtual_files }, "Change it.");
  assert.deepEqual(code(got), [422, "MESSAGE_OVER_BUDGET"], got.raw);
  assert.deepEqual(Object.keys(got.value.error.details).sort(), ["budget", "system", "user"]);
  const chat = await desk.ask("POST", `/tools/${tool.tool_id}/chat`, {
    message: "x",
    active_file: "usage_instructions.md",
    virtual_files,
  });
  assert.deepEqual(code(chat), [422, "MESSAGE_OVER_BUDGET"], chat.raw);
  assert.deepEqual(await desk.thread(tool), before);
  assert.equal(desk.upstream.calls.length, calls);
  const long = await desk.edit(tool, "x".repeat(20_001));
  assert.deepEqual([...code(long), long.value.error.details.max], [413, "INPUT_TOO_LARGE", 20_000]);
});

const OFF: [string, Record<string, string>][] = [
  ["FEATURE_OFF", { EDITOR_AI: "off" }],
  ["SYSTEM_OVER_BUDGET", { EDITOR_SYSTEM_CAP: "10" }],
];

for (const [why, variables] of OFF) {
  test(`off for a call (${why}): said so, nothing written, no model asked`, async () => {
    const off = await startDesk({ variables, play: (call) => call.cut() });
    try {
      const tool = await off.create();
      const got = await off.edit(tool, "Make it wider.");
      assert.deepEqual(
        [got.status, got.value.enabled, got.value.code, got.value.ops],
        [200, false, why, []],
        got.raw,
      );
      assert.ok(got.value.assistant_message);
      const chat = await off.ask("POST", `/tools/${tool.tool_id}/chat`, { message: "Why?" });
      assert.equal(chat.headers.get("content-type"), "text/event-stream");
      const [frame, ...rest] = events(chat.raw);
      assert.deepEqual(
        [frame.event, frame.data.enabled, frame.data.code, rest],
        ["done", false, why, []],
      );
      assert.ok(frame.data.message);
      assert.deepEqual(await off.thread(tool), []);
      assert.equal(off.upstream.calls.length, 0);
    } finally {
      await off.stop();
    }
  });
}

test("a spent budget refuses with its numbers before anything is written", async () => {
  const budget = { scope: "user:dev", unit: "tokens", period: "day", limit: 10 };
  await desk.edge.ask("PUT", "/gateway/v1/budgets/tight", { token: desk.admin, body: budget });
  try {
    const tool = await desk.create();
    const calls = desk.upstream.calls.length;
    const got = await desk.edit(tool, "Make it wider.");
    assert.deepEqual(code(got), [402, "BUDGET_EXHAUSTED"], got.raw);
    assert.deepEqual(
      [got.value.error.details.budget, got.value.error.details.limit],
      ["tight", 10],
    );
    const chat = await desk.ask("POST", `/tools/${tool.tool_id}/chat`, { message: "Why?" });
    assert.deepEqual(code(chat), [402, "BUDGET_EXHAUSTED"]);
    assert.deepEqual(await desk.thread(tool), []);
    assert.equal(desk.upstream.calls.length, calls);
  } finally {
    await desk.edge.ask("DELETE", "/gateway/v1/budgets/tight", { token: desk.admin });
  }
});
