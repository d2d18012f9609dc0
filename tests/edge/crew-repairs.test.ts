// Answers of a model that a turn repairs, passes over or ends with (ai-sessions.md §6).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import {
  calls,
  carried,
  change,
  chat,
  type Play,
  replies,
  speaks,
  startTalk,
  writes,
} from "./talk.ts";
import { last, sleep, told } from "./upstream.ts";

const talk = await during(startTalk());

const GOOD = writes("assets/a.md", "# Policy\n");
/** Its only object is none of the session's. */
const ASTRAY = writes("assets/b.md", "# Policy\n");

for (const times of [1, 2]) {
  test(`a bad answer ${times === 1 ? "once" : "twice"} is repaired`, async () => {
    const session = await talk.session();
    const bad: Play = (call) => speaks(call, '{"responseType": "change",');
    const { made } = talk.script(...Array<Play>(times).fill(bad), (call) =>
      replies(call, change("Done.", GOOD)),
    );
    const result = await talk.said(session, "Write.");
    assert.deepEqual([result.valid, result.usage.repairs, made.length], [true, times, times + 1]);
    const [answer, feedback] = carried(last(made)).slice(-2);
    assert.deepEqual([answer?.role, feedback?.role], ["assistant", "user"]);
    const [words, errors] = feedback?.content.split("\n") ?? [];
    assert.equal(
      words,
      "Your answer was refused. Repair it and send the complete JSON object again.",
    );
    assert.equal(
      (JSON.parse(errors ?? "") as { errors: { code: string }[] }).errors[0]?.code,
      "AI_BAD_RESPONSE",
    );
  });
}

test("a bad answer three times ends the turn, and the words of the person stay", async () => {
  const session = await talk.session();
  const { made } = talk.script((call) => speaks(call, "Sorry, here is prose."));
  const answer = await talk.say(session, "Write.");
  assert.deepEqual(
    [answer.status, answer.value.error.code, made.length],
    [502, "AI_BAD_RESPONSE", 3],
  );
  assert.equal(answer.value.data, null);
  const { messages, session: shown } = await talk.shown(session);
  assert.deepEqual(
    messages.items.map(({ role, content, status }) => [role, content, status]),
    [["user", "Write.", "failed"]],
  );
  assert.equal(shown.status, "active");
});

test("a set that stage refuses is a bad answer", async () => {
  const session = await talk.session();
  const edits = {
    ...GOOD,
    operations: [{ ...GOOD.operations[0], payload: { edits: [{ find: "x", replace: "y" }] } }],
  };
  const { made } = talk.script((call) => replies(call, change("Edited.", edits)));
  const answer = await talk.say(session, "Edit.");
  assert.deepEqual(
    [answer.status, answer.value.error.code, made.length],
    [502, "AI_BAD_RESPONSE", 3],
  );
  assert.equal((await talk.shown(session)).latestSuggestion, null, "nothing was staged");
});

test("an invalid set is repaired", async () => {
  const session = await talk.session();
  const { made } = talk.script(
    (call) => replies(call, change("Astray.", ASTRAY)),
    (call) => replies(call, change("Done.", GOOD)),
  );
  const result = await talk.said(session, "Write.");
  assert.equal(made.length, 2);
  assert.equal(result.usage.repairs, 1);
  const feedback = last(carried(last(made))).content;
  assert.ok(feedback.includes("IMPACT_SCOPE_VIOLATION"), feedback);
});

test("a set that never holds is shown with its errors", async () => {
  const session = await talk.session();
  const { made } = talk.script((call) => replies(call, change("Astray.", ASTRAY)));
  const result = await talk.said(session, "Write.");
  assert.deepEqual(
    [made.length, result.hasChange, result.valid, result.usage.repairs],
    [3, true, false, 2],
  );
  assert.equal(result.warnings[0]?.code, "AI_VALIDATION_FAILED");
  assert.ok(result.errors.length > 0);
  assert.equal(result.preview, null);
  const applied = await talk.ask("POST", `${session.path}/apply`, {
    changeSetId: result.changeSetId,
    confirmSource: "ui_manual_apply",
  });
  assert.ok(applied.status >= 400, applied.raw);
});

test("endless tools use eight calls", async () => {
  const session = await talk.stored("Text.");
  const { made } = talk.script((call) =>
    calls(call, { id: "a", name: "builder.asset.read", args: { path: "assets/a.md" } }),
  );
  const answer = await talk.say(session, "Read on.");
  assert.deepEqual([answer.status, answer.value.error.code], [502, "AI_TOOL_LOOP_LIMIT_EXCEEDED"]);
  assert.equal(made.length, 8);
});

test("prose round a fence is passed over", async () => {
  const session = await talk.session();
  talk.script((call) =>
    speaks(
      call,
      `Here it is:\n\`\`\`json\n${JSON.stringify(change("Done.", GOOD))}\n\`\`\`\nEnjoy.`,
    ),
  );
  const result = await talk.said(session, "Write.");
  assert.deepEqual(
    [result.valid, result.assistantSummary, result.usage.repairs],
    [true, "Done.", 0],
  );
});

const failures: [string, Play, number, string][] = [
  ["401", (call) => told(call, 401, '{"error":{"message":"no"}}'), 502, "AI_PROVIDER_ERROR"],
  ["429", (call) => told(call, 429, '{"error":{"message":"slow down"}}'), 502, "AI_PROVIDER_ERROR"],
  ["500", (call) => told(call, 500, "oops"), 502, "AI_PROVIDER_ERROR"],
  ["closed", (call) => call.cut(), 502, "AI_PROVIDER_UNREACHABLE"],
  [
    "cut in the middle",
    async (call) => {
      call.head();
      call.send('data: {"choices":[{"index":0,"delta":{"content":"{"},"finish_reason":null}]}\n\n');
      await sleep(50);
      call.cut();
    },
    502,
    "AI_PROVIDER_ERROR",
  ],
];
for (const [name, plays, status, code] of failures) {
  test(`a provider that fails (${name}) ends the turn with a code`, async () => {
    const session = await talk.session();
    talk.script(plays);
    const answer = await talk.say(session, "Write.");
    assert.deepEqual([answer.status, answer.value.error.code], [status, code], answer.raw);
    const { messages } = await talk.shown(session);
    assert.deepEqual(
      messages.items.map(({ role, status }) => [role, status]),
      [["user", "failed"]],
    );
    talk.script((call) => replies(call, chat("Back.")));
    assert.equal((await talk.said(session, "Again.")).assistantSummary, "Back.");
  });
}
