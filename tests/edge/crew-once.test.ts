// Requests of conversations that are sent again under the same key (ai-sessions.md §1 "Idempotency").
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { chat, replies, type Session, startTalk, type TurnResult } from "./talk.ts";
import { type Call, last, told } from "./upstream.ts";
import { eventually } from "./workerd.ts";

const talk = await during(startTalk());

const say = (session: Session, content: string, key: string, more: object = {}) =>
  talk.ask<TurnResult>(
    "POST",
    `${session.path}/messages`,
    { content, ...more },
    { headers: { "idempotency-key": key } },
  );
const spoken = async (session: Session) =>
  (await talk.shown(session)).messages.items.map(({ content }) => content);

/** Counts the calls of the model. */
function counts(answer = (call: Call, at: number) => replies(call, chat(`Answer ${at}.`))) {
  const made: Call[] = [];
  talk.play = (call) => answer(call, made.push(call));
  return made;
}

test("a message under a key is said once, and another body under it never", async () => {
  const session = await talk.session();
  const made = counts();
  const first = await say(session, "Hello.", "k1");
  const again = await say(session, "Hello.", "k1");
  assert.deepEqual([first.status, again.status, again.value.data], [200, 200, first.value.data]);
  const other = await say(session, "Hello?", "k1");
  assert.deepEqual([other.status, other.value.error.code], [409, "IDEMPOTENCY_CONFLICT"]);
  const elsewhere = await talk.session({}, session.project);
  const there = await say(elsewhere, "Hello.", "k1");
  assert.deepEqual([there.status, there.value.error.code], [409, "IDEMPOTENCY_CONFLICT"]);
  assert.equal((await say(session, "Hello.", "k2")).value.data.assistantSummary, "Answer 2.");
  assert.equal(made.length, 2);
  assert.deepEqual(await spoken(session), ["Hello.", "Answer 1.", "Hello.", "Answer 2."]);
  const stream = await talk.stream(
    "POST",
    `${session.path}/messages?stream=1`,
    { content: "Hello." },
    { "idempotency-key": "k1" },
  );
  assert.deepEqual(last(await stream.all()).data.data, first.value.data, "its log is read");
  const alias = session.path.replace("/projects/", "/packages/");
  const headers = { "idempotency-key": "k1" };
  const named = await talk.ask("POST", `${alias}/messages`, { content: "Hello." }, { headers });
  assert.deepEqual([named.status, named.value.data], [200, first.value.data]);
  assert.equal(made.length, 2);
});

test("a message under a key that failed is said again", async () => {
  const session = await talk.session();
  counts((call) => told(call, 500, "oops"));
  assert.equal((await say(session, "Write.", "k")).status, 502);
  counts((call) => replies(call, chat("Back.")));
  const again = await say(session, "Write.", "k");
  assert.deepEqual([again.status, again.value.data.assistantSummary], [200, "Back."]);
  assert.deepEqual((await say(session, "Write.", "k")).value.data, again.value.data);
});

test("a message under a key that is still answered is waited for, plain or as a stream", async () => {
  const session = await talk.session();
  let go: () => void = () => {};
  const gate = new Promise<void>((open) => {
    go = open;
  });
  const made = counts(async (call) => {
    await gate;
    replies(call, chat("At last."));
  });
  const [first, second] = [say(session, "Write.", "k"), say(session, "Write.", "k")];
  await eventually(() => ({ ok: made.length > 0 }));
  const third = say(session, "Write.", "k");
  const headers = { "idempotency-key": "k" };
  const stream = await talk.stream(
    "POST",
    `${session.path}/messages`,
    { content: "Write." },
    headers,
  );
  assert.equal(stream.response.status, 200);
  go();
  const all = await Promise.all([first, second, third]);
  const [one] = all;
  for (const answer of all)
    assert.deepEqual([answer.status, answer.value.data], [200, one?.value.data], answer.raw);
  assert.deepEqual(last(await stream.all()).data.data, one?.value.data);
  assert.equal(made.length, 1);
});

test("what is kept under a key outlives the process", async () => {
  const session = await talk.session();
  counts();
  const first = await say(session, "Hello.", "k");
  await talk.edge.kill();
  await talk.edge.start();
  assert.deepEqual((await say(session, "Hello.", "k")).value.data, first.value.data);
  const made = counts(async (call) => {
    await call.closed;
  });
  void say(session, "And now?", "broken").catch(() => undefined);
  await eventually(() => ({ ok: made.length > 0 }));
  await talk.edge.kill();
  await talk.edge.start();
  talk.play = (call) => replies(call, chat("Now."));
  const again = await say(session, "And now?", "broken");
  assert.deepEqual([again.status, again.value.data?.assistantSummary], [200, "Now."], again.raw);
});

test("two requests for a session under one key make one", async () => {
  const project = await talk.project();
  counts();
  const body = { targetType: "asset", targetId: "assets/a.md", mode: "create", userPrompt: "Go." };
  const path = `/projects/${project}/ai/sessions`;
  const open = () =>
    talk.ask<{ sessionId: string }>("POST", path, body, { headers: { "idempotency-key": "o" } });
  const made = await Promise.all([open(), open(), open()]);
  const ids = new Set(made.map(({ value }) => value.data.sessionId));
  assert.equal(ids.size, 1, made.map(({ raw }) => raw).join("\n"));
  const { items } = await talk.good<{ items: object[] }>("GET", path);
  assert.equal(items.length, 1);
});

test("a session whose first turn does not begin is not there", async () => {
  const project = await talk.project();
  const path = `/projects/${project}/ai/sessions`;
  const asked = { token: talk.keys.admin_token };
  const budget = { scope: "user:dev", unit: "tokens", period: "minute", limit: 1 };
  const put = await talk.edge.ask("PUT", "/gateway/v1/budgets/none", { ...asked, body: budget });
  assert.equal(put.status, 200, put.raw);
  const body = { targetType: "asset", targetId: "assets/a.md", mode: "create", userPrompt: "Go." };
  const refused = await talk.ask("POST", path, body);
  assert.ok(refused.status >= 400, refused.raw);
  assert.deepEqual((await talk.good<{ items: object[] }>("GET", path)).items, []);
  await talk.edge.ask("DELETE", "/gateway/v1/budgets/none", asked);
});
