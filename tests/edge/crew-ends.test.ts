// What ends a turn from outside: a cancelled or deleted session, a deleted project, a deleted workflow
// (ai-sessions.md §2, §3, §9).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import {
  calls,
  change,
  chat,
  replies,
  type Session,
  startTalk,
  type TurnEvent,
  writes,
} from "./talk.ts";
import { type Call, last } from "./upstream.ts";
import { eventually } from "./workerd.ts";

const talk = await during(startTalk());

const GOOD = writes("assets/a.md", "# Policy\n");

/** A model that stages something and then does not come to an end. */
function endless(): { held: Call[]; caught: () => Promise<unknown> } {
  const held: Call[] = [];
  let made = 0;
  talk.play = async (call) => {
    made += 1;
    if (made === 1)
      return calls(call, { id: "a", name: "builder.change.stage", args: { changeSet: GOOD } });
    held.push(call);
    await call.closed;
  };
  return { held, caught: () => eventually(() => ({ ok: held.length > 0 })) };
}

const ends = (events: TurnEvent[]) =>
  events.filter(({ event }) => event === "result" || event === "error");

const outside: [string, (session: Session) => [string, string]][] = [
  ["a session that is cancelled", ({ path }) => ["POST", `${path}/cancel`]],
  ["a session that is deleted", ({ path }) => ["DELETE", path]],
  ["a project that is deleted", ({ project }) => ["DELETE", `/projects/${project}`]],
];
for (const [name, request] of outside) {
  test(`${name} ends its turn, once, for everybody who listens`, async () => {
    const session = await talk.session();
    const model = endless();
    const plain = talk.say(session, "Write.");
    await model.caught();
    const { activeTurn } = await talk.shown(session);
    const stream = await talk.events(session, String(activeTurn?.turnId));
    await stream.until((events) => events.length > 0);
    const [method, path] = request(session);
    await talk.good(method, path);
    const answer = await plain;
    assert.deepEqual(
      [answer.status, answer.value.error.code],
      [409, "AI_TURN_STOPPED"],
      answer.raw,
    );
    const events = await stream.all();
    assert.deepEqual(
      ends(events).map(({ event, data }) => [event, data.error?.code]),
      [["error", "AI_TURN_STOPPED"]],
    );
    assert.equal(last(events), ends(events)[0], "it is the last one");
    assert.ok(await model.held[0]?.closed, "its model is not listened to any more");
    const gone = await talk.ask("GET", `${session.path}/preview`);
    assert.ok([404, 409].includes(gone.status), "nothing is proposed any more");
    const more = await talk.say(session, "And now?");
    assert.ok([404, 409].includes(more.status), more.raw);
  });
}

test("messages and a cancel that come at once leave no turn behind", async () => {
  const project = await talk.project();
  talk.play = async (call) => {
    await new Promise((later) => setTimeout(later, 300));
    if (!call.gone) replies(call, change("Done.", GOOD));
  };
  for (let round = 0; round < 8; round += 1) {
    const session = await talk.session({}, project);
    const said = talk.say(session, "Write.");
    await new Promise((later) => setTimeout(later, round * 4));
    const cancelled = talk.ask("POST", `${session.path}/cancel`);
    const [answer, end] = await Promise.all([said, cancelled]);
    assert.equal(end.status, 200, end.raw);
    assert.ok(
      ["AI_TURN_STOPPED", "AI_SESSION_NOT_ACTIVE"].includes(answer.value.error?.code),
      `${round}: ${answer.raw}`,
    );
    const shown = await talk.shown(session);
    assert.deepEqual([shown.activeTurn, shown.session.status], [null, "cancelled"]);
    assert.ok([undefined, "rejected"].includes(shown.latestSuggestion?.status), `${round}`);
  }
});

test("an answer that comes after its workflow was deleted proposes nothing", async () => {
  const project = await talk.project();
  for (const name of ["First", "Second"])
    await talk.good("POST", `/projects/${project}/workflows`, { name });
  const session = await talk.session(
    { targetType: "workflow", targetId: undefined, workflowId: 1, mode: "optimize" },
    project,
  );
  const { document } = await talk.good<{ document: string }>(
    "GET",
    `/projects/${project}/workflows/1`,
  );
  const set = {
    schemaVersion: "1.0",
    targetType: "workflow",
    mode: "optimize",
    operations: [
      {
        op: "upsert",
        targetType: "workflow",
        target: { workflowId: 1 },
        payload: { workflowMarkdown: `${document}More.\n` },
      },
    ],
  };
  const held: Call[] = [];
  talk.play = async (call) => {
    held.push(call);
    if (held.length > 1) return replies(call, change("Done.", set));
    await talk.good("DELETE", `/projects/${project}/workflows/1`);
    replies(call, change("Done.", set));
  };
  const answer = await talk.say(session, "Write.");
  assert.ok(answer.status >= 400, answer.raw);
  const shown = await talk.shown(session);
  assert.deepEqual([shown.session.status, shown.activeTurn], ["failed", null]);
  assert.ok([undefined, "rejected"].includes(shown.latestSuggestion?.status));
});

test("a stop that comes behind the end stops nothing", async () => {
  const session = await talk.session();
  talk.play = (call) => replies(call, chat("Hello."));
  const { turnId } = await talk.said(session, "Hello.");
  const stop = await talk.good("POST", `${session.path}/turns/${turnId}/stop`);
  assert.deepEqual(stop, { stopped: false });
});
