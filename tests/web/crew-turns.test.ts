// A crew session as a conversation apart from every page: what a broken connection, an expired turn and a second
// message under one id mean (ai-sessions.md §9).

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CrewRoutes,
  type CrewSessions,
  type CrewTalk,
  type Framed,
  idle,
  type Runtime,
  type SessionAnswer,
  type SessionMessage,
  stepped,
} from "@holdpoint/core/crew";
import { EdgeDriver, Session } from "@holdpoint/core/session";

const TURN = "turn_1";
const row = (id: string, role: "user" | "assistant", content: string): SessionMessage => ({
  ...{ id, role, content, turnId: TURN, status: "ok", createdAt: 1 },
});
const frame = (n: number, event: string, data: unknown): Framed =>
  ({ id: `${TURN}:${n}`, event, data }) as Framed;
const begun = frame(1, "turn", { turnId: TURN, messageId: "msg_1", seq: 1 });
const delta = (n: number, text: string): Framed =>
  frame(n, "runtime", { kind: "thinking", payload: { phase: "summary_delta", text } });
const result = (n: number, assistantSummary: string): Framed =>
  frame(n, "result", { data: { turnId: TURN, assistantSummary, hasChange: false }, error: null });
const offline = () => Object.assign(new Error("No answer."), { code: "OFFLINE", status: 0 });

/** An edge that plays a stream a call; what is thrown breaks it. */
function played(
  streams: (Framed | Error)[][],
  read: Partial<SessionAnswer> = {},
  older: SessionMessage[] = [],
) {
  const calls: string[] = [];
  const next = async function* (): AsyncGenerator<Framed> {
    for (const one of streams.shift() ?? []) {
      if (one instanceof Error) throw one;
      yield one;
    }
  };
  const api = {
    read: async (_session: string, before: string | null = null) => ({
      messages: { items: [], nextCursor: null },
      activeTurn: null,
      ...read,
      ...(before ? { messages: { items: older, nextCursor: null } } : {}),
    }),
    message: (_session: string, { clientMessageId }: { clientMessageId: string }) => {
      calls.push(`message ${clientMessageId}`);
      return next();
    },
    events: (_session: string, turn: string, after: string | null) => {
      calls.push(`events ${turn} ${after}`);
      return next();
    },
    stop: async (_session: string, turn: string) => calls.push(`stop ${turn}`),
  } as unknown as CrewSessions;
  const session = new Session<CrewTalk>(
    new EdgeDriver(new CrewRoutes(api, "as_1", undefined, 1), 1),
    (event) => {
      if (event.is === "notice") calls.push(event.code);
    },
  );
  const ask = () => session.send({ text: "Why?", clientMessageId: "c1", exclude: [] });
  const words = () => session.view.messages.map(({ who, text, state }) => [who, text, state]);
  return { session, calls, ask, words };
}

test("a stream that breaks is gone on with behind its last event, however long the network is away", async () => {
  const { ask, calls, words } = played([
    [begun, delta(2, "Be"), offline()],
    [offline()],
    [offline()],
    [offline()],
    [offline()],
    [delta(2, "Be"), delta(3, "cause"), result(4, "Because.")],
  ]);
  await ask();
  assert.deepEqual(words(), [
    ["you", "Why?", "done"],
    ["assistant", "Because.", "done"],
  ]);
  assert.deepEqual([...new Set(calls)], ["message c1", `events ${TURN} ${TURN}:2`]);
});

test("a connection that breaks before the turn has an id follows the turn that runs", async () => {
  const { ask, calls, words } = played([[], [begun, result(2, "Because.")]], {
    activeTurn: { turnId: TURN },
  });
  await ask();
  assert.deepEqual(calls, ["message c1", `events ${TURN} null`]);
  assert.deepEqual(words().at(-1), ["assistant", "Because.", "done"]);
});

test("where no turn runs the same message is sent again under its own id", async () => {
  const { ask, calls } = played([[], [begun, result(2, "Because.")]]);
  await ask();
  assert.deepEqual(calls, ["message c1", "message c1"]);
});

test("a turn whose events are gone is told by what the session holds", async () => {
  const expired = Object.assign(new Error("Gone."), { code: "AI_TURN_EXPIRED", status: 410 });
  const { ask, session, calls, words } = played([[begun, delta(2, "Be")], [expired]], {
    messages: {
      items: [row("m1", "user", "Why?"), row("m2", "assistant", "Because.")],
      nextCursor: null,
    },
  });
  await ask();
  assert.equal(calls.at(-1), "AI_TURN_EXPIRED");
  assert.equal(session.view.failure, null, "it is no failure");
  await session.resume();
  assert.deepEqual(words(), [
    ["you", "Why?", "done"],
    ["assistant", "Because.", "done"],
  ]);
});

test("a turn that was stopped at the edge ends as stopped, one that failed says why", async () => {
  const stopped = played([
    [begun, frame(2, "error", { error: { code: "AI_TURN_STOPPED", message: "" } })],
  ]);
  await stopped.ask();
  assert.equal(stopped.session.view.failure, null);
  const failed = played([
    [begun, frame(2, "error", { error: { code: "AI_PROVIDER_TIMEOUT", message: "Slow." } })],
  ]);
  await failed.ask();
  assert.equal(failed.session.view.failure?.error?.code, "AI_PROVIDER_TIMEOUT");
  assert.equal(failed.session.view.pending?.clientMessageId, "c1");
});

test("a reload reads all pages, and the turn that runs from its start", async () => {
  const { session, calls, words } = played(
    [[begun, delta(2, "Be"), result(3, "Because.")]],
    {
      activeTurn: { turnId: TURN },
      messages: { items: [row("m1", "user", "Why?")], nextCursor: "before m1" },
    },
    [{ ...row("m0", "user", "Hello"), turnId: "turn_0" }],
  );
  await session.resume();
  while (session.view.turn) await new Promise((done) => setTimeout(done));
  assert.deepEqual(calls, [`events ${TURN} null`]);
  assert.deepEqual(words(), [
    ["you", "Hello", "done"],
    ["you", "Why?", "done"],
    ["assistant", "Because.", "done"],
  ]);
});

test("what a turn does: tools stay with their end, a thought goes when another comes", () => {
  const told: Runtime[] = [
    { kind: "thinking", payload: { phase: "model" } },
    {
      kind: "function_call",
      payload: { name: "builder.step.read", callId: "a", state: "started" },
    },
    {
      kind: "function_call",
      payload: { name: "builder.step.read", callId: "a", state: "ended", ok: false, code: "X" },
    },
    { kind: "thinking", payload: { phase: "validation_repair" } },
    { kind: "thinking", payload: { phase: "model" } },
  ];
  const { steps, calls, repairs } = told.reduce((so, one, i) => stepped(so, one, i * 10), idle);
  assert.deepEqual(
    steps.map(({ what, state, from, to, code }) => [what, state, from, to, code]),
    [
      ["builder.step.read", "failed", 10, 20, "X"],
      ["model", "running", 40, null, ""],
    ],
  );
  assert.deepEqual([calls, repairs], [2, 1]);
});
