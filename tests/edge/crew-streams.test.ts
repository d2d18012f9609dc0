// The events of a turn: in their order, cut and resumed, stopped, and after a restart (ai-sessions.md §9).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import {
  calls,
  change,
  chat,
  framed,
  names,
  replies,
  type Session,
  speaks,
  startTalk,
  type TurnEvent,
  writes,
} from "./talk.ts";
import { type Call, last } from "./upstream.ts";
import { eventually } from "./workerd.ts";

const talk = await during(startTalk({ SSE_PING_MS: "200" }));

const GOOD = writes("assets/a.md", "# Policy\n");

/** A model that waits, so that a turn is caught in the middle; `go` lets it answer. */
function waits(answer: (call: Call) => unknown = (call) => replies(call, chat("At last."))) {
  let go: () => void = () => {};
  const gate = new Promise<void>((open) => {
    go = open;
  });
  const asked: Call[] = [];
  talk.play = async (call) => {
    asked.push(call);
    await Promise.race([gate, call.closed]);
    if (!call.gone) await answer(call);
  };
  const called = () => eventually(() => ({ ok: asked.length > 0 }));
  return { asked, called, go: () => go() };
}

/** A turn with everything in it: tools, an invalid set, a repair. */
function busy(): void {
  let made = 0;
  talk.play = (call) => {
    made += 1;
    if (made === 1) {
      return calls(
        call,
        { id: "a", name: "builder.context.get", args: {} },
        { id: "b", name: "builder.change.apply", args: {} },
      );
    }
    if (made === 2) return replies(call, change("Astray.", writes("assets/b.md", "x")));
    return replies(call, change("Done.", GOOD));
  };
}

const ends = (events: TurnEvent[]) =>
  events.filter(({ event }) => event === "result" || event === "error").length;

test("events tell the turn from its first to its only last one", async () => {
  const session = await talk.session();
  busy();
  const stream = await talk.streamed(session, "Write.");
  const { headers, status } = stream.response;
  assert.deepEqual(
    [status, headers.get("content-type"), headers.get("cache-control")],
    [200, "text/event-stream; charset=utf-8", "no-store"],
  );
  assert.ok(headers.get("x-request-id"));
  const events = await stream.all();
  assert.ok(stream.text.startsWith("retry: 2000\n"));
  assert.deepEqual(names(events), [
    "turn",
    "composing",
    "model",
    "builder.context.get started",
    "builder.context.get ended",
    "builder.change.apply ended AI_TOOL_FORBIDDEN",
    "model",
    "summary_delta",
    "validating",
    "validation_repair",
    "model",
    "summary_delta",
    "validating",
    "result",
  ]);
  const turn = events[0]?.data.turnId;
  assert.deepEqual(
    events.map(({ id }) => id),
    events.map((_, at) => `${turn}:${at + 1}`),
    "numbers begin at 1 and have no gap",
  );
  const result = last(events).data.data;
  assert.deepEqual([result?.turnId, result?.valid], [turn, true]);
  assert.equal(last(events).data.error, null);
  const plain = await talk.events(session, String(turn));
  assert.deepEqual(await plain.all(), events, "the log is read again from its start");
});

test("a stream that is cut at any event goes on behind it", async () => {
  const session = await talk.session();
  busy();
  const whole = await talk.streamed(session, "Write.");
  const events = await whole.all();
  const turn = String(events[0]?.data.turnId);
  for (let seen = 1; seen <= events.length; seen += 1) {
    const rest = await (await talk.events(session, turn, `${turn}:${seen}`)).all();
    assert.deepEqual([...events.slice(0, seen), ...rest], events, `cut behind ${seen}`);
  }
  for (const other of ["nonsense", `${turn}x:3`, "turn_0000000000000999:3"]) {
    const all = await (await talk.events(session, turn, other)).all();
    assert.deepEqual(all, events, "who has seen nothing of it reads it from the start");
  }
});

test("a client that leaves ends nothing, and finds the turn again while it runs", async () => {
  const session = await talk.session();
  const model = waits();
  const stream = await talk.streamed(session, "Write.");
  await stream.until((events) => events.length >= 3);
  const [first] = stream.events;
  const turn = String(first?.data.turnId);
  stream.leave();
  await model.called();
  const shown = await talk.shown(session);
  assert.equal(shown.activeTurn?.turnId, turn);
  const again = await talk.events(session, turn, `${turn}:1`);
  await again.until((events) => events.length >= 2);
  await eventually(() => {
    void again.until(() => again.text.includes(": hb"));
    return { ok: again.text.includes(": hb") };
  });
  model.go();
  const rest = await again.all();
  assert.deepEqual(names(rest), ["composing", "model", "summary_delta", "result"]);
  assert.equal((await talk.shown(session)).activeTurn, null);
  assert.equal(model.asked.length, 1);
});

test("a plain request that leaves ends nothing either", async () => {
  const session = await talk.session();
  const model = waits();
  const leave = new AbortController();
  const answer = talk
    .ask("POST", `${session.path}/messages`, { content: "Write." }, { signal: leave.signal })
    .catch(() => "left");
  await model.called();
  leave.abort();
  assert.equal(await answer, "left");
  model.go();
  await eventually(async () => {
    const { messages } = await talk.shown(session);
    return { ok: last(messages.items).content === "At last." };
  });
});

test("a second message waits for the first", async () => {
  const session = await talk.session();
  const model = waits();
  const first = talk.said(session, "Write.");
  await model.called();
  const second = await talk.say(session, "And more.");
  assert.deepEqual([second.status, second.value.error.code], [409, "AI_TURN_IN_PROGRESS"]);
  const elsewhere = await talk.session({}, session.project);
  talk.play = (call) => replies(call, chat("Elsewhere."));
  assert.equal((await talk.said(elsewhere, "Hello.")).assistantSummary, "Elsewhere.");
  model.go();
  assert.equal((await first).assistantSummary, "At last.");
  const roles = (await talk.shown(session)).messages.items.map(({ role }) => role);
  assert.deepEqual(roles, ["user", "assistant"]);
});

test("who stops a turn ends it, and what it staged stays", async () => {
  const session = await talk.session();
  let made = 0;
  const held: Call[] = [];
  talk.play = async (call) => {
    made += 1;
    if (made === 1) {
      return calls(call, { id: "a", name: "builder.change.stage", args: { changeSet: GOOD } });
    }
    held.push(call);
    await call.closed;
  };
  const stream = await talk.streamed(session, "Write.");
  await eventually(() => ({ ok: held.length > 0 }));
  await stream.until((events) => events.length > 0);
  const turn = String(stream.events[0]?.data.turnId);
  const stopped = await talk.good("POST", `${session.path}/turns/${turn}/stop`);
  assert.deepEqual(stopped, { stopped: true });
  const events = await stream.all();
  assert.deepEqual(
    [last(events).event, last(events).data.error?.code],
    ["error", "AI_TURN_STOPPED"],
  );
  assert.equal(ends(events), 1);
  assert.ok(await held[0]?.closed, "its model is not listened to any more");
  const again = await talk.good("POST", `${session.path}/turns/${turn}/stop`);
  assert.deepEqual(again, { stopped: false });
  const shown = await talk.shown(session);
  assert.deepEqual([shown.latestSuggestion?.status, shown.session.status], ["staged", "active"]);
  assert.deepEqual(
    shown.messages.items.map(({ role, status }) => [role, status]),
    [["user", "failed"]],
  );
});

test("an error is said in the language of its reader", async () => {
  const session = await talk.session();
  talk.play = (call) => speaks(call, "prose");
  const swedish = { "accept-language": "sv" };
  const stream = await talk.stream(
    "POST",
    `${session.path}/messages?stream=1`,
    { content: "Write." },
    swedish,
  );
  const spoken = last(await stream.all()).data.error;
  const english = await talk.say(session, "Write.");
  assert.equal(spoken?.code, english.value.error.code);
  assert.notEqual(spoken?.message, english.value.error.message);
});

test("turns that are not there, and not one's own, answer alike", async () => {
  const session = await talk.session();
  const nothing = await talk.events(session, "turn_0000000000000999");
  assert.equal(nothing.response.status, 404);
  await nothing.until(() => false);
  assert.ok(nothing.text.includes("AI_TURN_NOT_FOUND"));
  const stop = await talk.ask("POST", `${session.path}/turns/nonsense/stop`);
  assert.deepEqual([stop.status, stop.value.error.code], [404, "AI_TURN_NOT_FOUND"]);
  talk.play = (call) => replies(call, chat("Hello."));
  const said = await talk.said(session, "Hello.");
  const other = await talk.session({}, session.project);
  const foreign = await talk.events(other, said.turnId);
  assert.equal(foreign.response.status, 404);
  foreign.leave();
});

/** Ends the process while a turn runs, starts another on the same state, and hears how the turn ended. */
async function restarted(session: Session, turn: string): Promise<TurnEvent[]> {
  await talk.edge.kill();
  await talk.edge.start();
  return (await talk.events(session, turn)).all();
}

test("a turn of an object that went away is ended once", async () => {
  const session = await talk.session();
  const model = waits();
  const stream = await talk.streamed(session, "Write.", { clientMessageId: "c1" });
  await model.called();
  await stream.until((events) => events.length >= 3);
  const before_kill = framed(stream.text);
  const turn = String(before_kill[0]?.data.turnId);
  const events = await restarted(session, turn);
  assert.deepEqual(events.slice(0, before_kill.length), before_kill, "what was told stays told");
  assert.deepEqual(
    [last(events).event, last(events).data.error?.code, ends(events)],
    ["error", "AI_TURN_INTERRUPTED", 1],
  );
  assert.deepEqual(await (await talk.events(session, turn)).all(), events, "and it ended once");
  const shown = await talk.shown(session);
  assert.deepEqual([shown.activeTurn, shown.session.status], [null, "active"]);
  assert.equal(shown.messages.items[0]?.status, "failed");
  talk.play = (call) => replies(call, chat("Again."));
  const again = await talk.said(session, "Write.", { clientMessageId: "c1" });
  assert.equal(again.assistantSummary, "Again.");
  const users = (await talk.shown(session)).messages.items.filter(({ role }) => role === "user");
  assert.equal(users.length, 1);
});

test("a restart between two effects leaves nothing half done", async () => {
  const session = await talk.session();
  let made = 0;
  const held: Call[] = [];
  talk.play = async (call) => {
    made += 1;
    if (made === 1) {
      return calls(call, { id: "a", name: "builder.change.stage", args: { changeSet: GOOD } });
    }
    held.push(call);
    await call.closed;
  };
  const stream = await talk.streamed(session, "Write.");
  await eventually(() => ({ ok: held.length > 0 }));
  await stream.until((events) => events.length > 0);
  const turn = String(stream.events[0]?.data.turnId);
  const events = await restarted(session, turn);
  assert.equal(last(events).data.error?.code, "AI_TURN_INTERRUPTED");
  const shown = await talk.shown(session);
  assert.equal(shown.latestSuggestion?.status, "staged", "what was staged is whole");
  const valid = await talk.good<{ valid: boolean }>(
    "POST",
    `/projects/${session.project}/ai/change/validate`,
    { sessionId: session.id },
  );
  assert.equal(valid.valid, true);
});

/** A set that only tools of a model staged and checked: the answer of its turn proposes nothing. */
async function unseen(session: Session): Promise<string> {
  talk.script(
    (call) => calls(call, { id: "a", name: "builder.change.stage", args: { changeSet: GOOD } }),
    (call) => calls(call, { id: "b", name: "builder.change.validate", args: {} }),
    (call) => replies(call, chat("I looked at it.")),
  );
  const { preview, latestSuggestion } = await talk.said(session, "Look.");
  assert.deepEqual([preview, latestSuggestion?.status], [null, "validated"]);
  return String(latestSuggestion?.changeSetId);
}

interface Refusal {
  objects: string[];
  preview: { baseHash: string; resultHash: string; changeSetId: string };
}

test("what nobody was shown is not signed: an apply without hashes shows it first", async () => {
  const session = await talk.session();
  const changeSetId = await unseen(session);
  const apply = (more: object = {}) =>
    talk.ask<{ applied: boolean }>("POST", `${session.path}/apply`, {
      changeSetId,
      confirmSource: "ui_manual_apply",
      ...more,
    });
  const refused = await apply();
  assert.deepEqual([refused.status, refused.value.error.code], [409, "CONFLICT"], refused.raw);
  const { objects, preview } = refused.value.error.details as unknown as Refusal;
  assert.deepEqual([objects, preview.changeSetId], [[], changeSetId]);
  const wrong = await apply({ preview: { ...preview, resultHash: preview.baseHash } });
  assert.deepEqual([wrong.status, wrong.value.error.code], [409, "CONFLICT"]);
  const applied = await apply();
  assert.deepEqual([applied.status, applied.value.data.applied], [200, true], applied.raw);
});

test("who names what the preview says signs it, and the answer of a turn is a preview", async () => {
  const session = await talk.session();
  const changeSetId = await unseen(session);
  const seen = await talk.good<{ preview: { baseHash: string; resultHash: string } }>(
    "GET",
    `${session.path}/preview`,
  );
  const body = { changeSetId, confirmSource: "ui_manual_apply" };
  const applied = await talk.good<{ applied: boolean }>("POST", `${session.path}/apply`, {
    ...body,
    preview: { baseHash: seen.preview.baseHash, resultHash: seen.preview.resultHash },
  });
  assert.equal(applied.applied, true);

  for (const streams of [true, false]) {
    const other = await talk.session();
    talk.play = (call) => replies(call, change("Done.", GOOD));
    let id: string | null | undefined;
    if (streams) {
      const events = await (await talk.streamed(other, "Write.")).all();
      const result = last(events).data as { data?: { changeSetId?: string } };
      id = result.data?.changeSetId;
    } else id = (await talk.said(other, "Write.")).changeSetId;
    const done = await talk.good<{ applied: boolean }>("POST", `${other.path}/apply`, {
      ...body,
      changeSetId: id,
    });
    assert.equal(done.applied, true, `${streams}`);
  }
});
