// A conversation apart from every page: one turn at a time, closed once, nothing said twice, no words lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Driver,
  EdgeDriver,
  type EdgeRoutes,
  type Heard,
  Session,
  type SessionTypes,
  type TurnEvent,
} from "@holdpoint/core/session";

type Event = TurnEvent<SessionTypes>;

/** A turn that a test performs itself. */
interface Held {
  tell(event: Event): void;
  /** The driver's call is over. */
  over(): void;
  refuse(code: string, retryMs?: number): void;
  signal: AbortSignal;
}

/** A session whose turns wait for the test, and what it told. */
function held() {
  const turns: Held[] = [];
  const told: string[] = [];
  const driver: Driver<SessionTypes> = {
    load: async () => ({ messages: [] }),
    turn: (_request, tell, signal) =>
      new Promise((over, reject) => {
        const refuse = (code: string, retryMs?: number) =>
          reject({ code, message: code, ...(retryMs === undefined ? {} : { retryMs }) });
        turns.push({ tell, over: () => over(), refuse, signal });
      }),
  };
  const session = new Session(driver, (event) => told.push(event.is));
  return { session, turns, told };
}

const words = (session: Session<SessionTypes>) =>
  session.view.messages.map(({ who, text, state }) => [who, text, state]);
const begun: Event[] = [{ is: "asked" }, { is: "taken" }, { is: "answer", message: {} }];

test("an answer is written bit by bit, and the view that was given out is not changed", async () => {
  const { session, turns } = held();
  session.write(" Why? ");
  const asked = session.send({ text: "Why?" });
  const before = session.view;
  for (const event of begun) turns[0].tell(event);
  turns[0].tell({ is: "delta", text: "Be" });
  assert.equal(session.view.draft, "", "the words leave the composer when they are taken");
  assert.deepEqual(words(session), [
    ["you", "Why?", "done"],
    ["assistant", "Be", "writing"],
  ]);
  turns[0].tell({ is: "delta", text: "cause" });
  turns[0].tell({ is: "ended", how: "done" });
  turns[0].over();
  assert.equal(await asked, true);
  assert.deepEqual(words(session)[1], ["assistant", "Because", "done"]);
  assert.deepEqual([before.messages, before.draft], [[], " Why? "]);
});

test("a turn is closed exactly once", async () => {
  const { session, turns, told } = held();
  const asked = session.send({ text: "Why?" });
  for (const event of begun) turns[0].tell(event);
  turns[0].tell({ is: "ended", how: "done" });
  turns[0].tell({
    is: "ended",
    how: "failed",
    failure: { outcome: "x", message: "", error: null },
  });
  turns[0].tell({ is: "delta", text: "late" });
  turns[0].refuse("SERVICE_UNAVAILABLE");
  await asked;
  assert.equal(told.filter((is) => is === "ended" || is === "refused").length, 1);
  assert.deepEqual(words(session)[1], ["assistant", "", "done"]);
  assert.equal(session.view.failure, null);
});

test("a driver that falls silent leaves a cancelled turn and no open one", async () => {
  const { session, turns } = held();
  const asked = session.send({ text: "Why?" });
  for (const event of begun) turns[0].tell(event);
  turns[0].over();
  await asked;
  assert.equal(session.view.turn, null);
  assert.equal(session.view.messages.at(-1)?.state, "cancelled");
});

test("after stop nothing more is heard, what came stays, and the next turn is its own", async () => {
  const { session, turns } = held();
  void session.send({ text: "Why?" });
  for (const event of begun) turns[0].tell(event);
  turns[0].tell({ is: "delta", text: "Be" });
  session.stop();
  assert.equal(turns[0].signal.aborted, true);
  assert.deepEqual(words(session)[1], ["assistant", "Be", "cancelled"]);
  assert.equal(session.view.failure, null, "something came");
  void session.send({ text: "And?" });
  for (const event of begun) turns[1].tell(event);
  turns[0].tell({ is: "delta", text: "cause" });
  turns[0].tell({ is: "proposal", key: "k", proposal: null });
  turns[0].tell({ is: "ended", how: "done" });
  turns[0].over();
  assert.deepEqual(words(session), [
    ["you", "Why?", "done"],
    ["assistant", "Be", "cancelled"],
    ["you", "And?", "done"],
    ["assistant", "", "writing"],
  ]);
  assert.equal(session.view.turn?.request.text, "And?");
});

test("a turn that is stopped before anything came says so and can be asked again", () => {
  const { session, turns } = held();
  void session.send({ text: "Why?" });
  turns[0].tell({ is: "asked" });
  session.stop();
  assert.equal(session.view.failure?.outcome, "cancelled");
  assert.equal(session.view.pending?.text, "Why?");
  void session.send({ text: "Why?" });
  turns[1].tell({ is: "asked" });
  assert.deepEqual(words(session), [["you", "Why?", "done"]], "the words are not said twice");
});

test("a second send while a turn is in flight is refused and changes nothing", async () => {
  const { session, turns } = held();
  void session.send({ text: "Why?" });
  turns[0].tell({ is: "asked" });
  const before = session.view;
  assert.equal(await session.send({ text: "And?" }), false);
  assert.equal(session.view, before);
  assert.equal(turns.length, 1);
});

test("a refused send keeps the words and leaves the conversation as it was", async () => {
  const { session, turns, told } = held();
  session.write("Why?");
  const asked = session.send({ text: "Warum?", typed: "Why?" });
  for (const event of begun) turns[0].tell(event);
  assert.equal(session.view.draft, "");
  turns[0].refuse("REQUEST_IN_FLIGHT", 3_000);
  await asked;
  assert.equal(session.view.draft, "Why?", "as they were typed");
  assert.deepEqual(words(session), []);
  const { failure, pending } = session.view;
  assert.deepEqual([failure?.error?.code, pending?.text], ["REQUEST_IN_FLIGHT", "Warum?"]);
  assert.ok((failure?.waits ?? 0) > Date.now() + 2_000, "and says when one may ask again");
  assert.equal(told.at(-1), "refused");
});

test("what a person wrote meanwhile is not replaced by the words of a refused send", async () => {
  const { session, turns } = held();
  const asked = session.send({ text: "Why?" });
  session.write("And then?");
  turns[0].tell({ is: "taken" });
  turns[0].refuse("OFFLINE");
  await asked;
  assert.equal(session.view.draft, "And then?");
});

test("an answer that is asked for anew gives way", async () => {
  const { session, turns } = held();
  void session.send({ text: "Why?" });
  for (const event of begun) turns[0].tell(event);
  turns[0].tell({ is: "ended", how: "done" });
  void session.send({ text: "Why?", replaces: true });
  turns[1].tell({ is: "asked" });
  assert.deepEqual(words(session), [["you", "Why?", "done"]]);
});

test("a decision is noted on the message whose turn proposed", async () => {
  const { session, turns } = held();
  void session.send({ text: "Why?" });
  turns[0].tell({ is: "answer", message: { text: "So", key: "k1" } });
  turns[0].tell({ is: "proposal", key: "k1", proposal: null });
  turns[0].tell({ is: "ended", how: "done" });
  session.decided("k1", "applied");
  assert.equal(session.view.messages[0]?.decided?.as, "applied");
});

test("what was decided before the conversation was read stands over what is read", async () => {
  const old = { id: "1", who: "assistant", text: "So", at: 1, state: "done", key: "k1" } as const;
  const read = { ...old, decided: { as: "applied", at: 1 } } as const;
  const driver = { load: async () => ({ messages: [read] }), turn: async () => undefined };
  const session = new Session<SessionTypes>(driver);
  session.decided("k1", "undone");
  await session.resume();
  assert.equal(session.view.messages[0]?.decided?.as, "undone");
});

test("a conversation that could not be read says why, and what was said meanwhile stays", async () => {
  let fails = true;
  const driver: Driver<SessionTypes> = {
    load: async () => {
      if (fails) throw { code: "SERVICE_UNAVAILABLE", message: "Not ready." };
      return { messages: [{ id: "1", who: "you", text: "Old", at: 1, state: "done" }] };
    },
    turn: async (_request, tell) => begun.forEach(tell),
  };
  const session = new Session(driver);
  await session.resume();
  assert.deepEqual(
    [session.view.state, session.view.problem?.code],
    ["failed", "SERVICE_UNAVAILABLE"],
  );
  fails = false;
  const reading = session.resume();
  await session.send({ text: "New" });
  await reading;
  assert.equal(session.view.messages[0]?.text, "New");
});

// ── at the edge ──────────────────────────────────────────────────────────────────────────────────────────────────────

const parts = ["Be", "cau", "se"];
/** The events of a turn from an id on; `breaks`: after so many of them the connection is lost. */
async function* stream(from: number, breaks = Infinity): AsyncGenerator<Heard<SessionTypes>> {
  const all: Event[] = [
    ...parts.map((text): Event => ({ is: "delta", text })),
    { is: "ended", how: "done" },
  ];
  for (const [at, event] of all.entries()) {
    if (at < from) continue;
    if (at >= breaks) throw new TypeError("network error");
    yield { id: `t:${at}`, events: [event] };
  }
}

const routes = (more: Partial<EdgeRoutes<SessionTypes>>): EdgeRoutes<SessionTypes> => ({
  load: async () => ({ messages: [] }),
  ask: () => stream(0),
  clear: async () => undefined,
  ...more,
});
const atEdge = (more: Partial<EdgeRoutes<SessionTypes>>) =>
  new Session(new EdgeDriver(routes(more), 0));

test("a broken stream is taken up after its last event, and nothing is said twice", async () => {
  const after: (string | null)[] = [];
  const session = atEdge({
    ask: () => stream(0, 2),
    // An edge that repeats the event it was asked after.
    rest: (_key, last) => {
      after.push(last);
      return stream(Number(last?.slice(2)), after.length === 1 ? 2 : Infinity);
    },
  });
  await session.send({ text: "Why?" });
  assert.deepEqual(after, ["t:1", "t:1"]);
  assert.deepEqual(words(session)[1], ["assistant", "Because", "done"]);
});

test("a stream that nobody goes on with keeps what came and ends as cancelled", async () => {
  const session = atEdge({ ask: () => stream(0, 2) });
  await session.send({ text: "Why?" });
  assert.deepEqual(words(session)[1], ["assistant", "Becau", "cancelled"]);
  assert.equal(session.view.pending?.text, "Why?");
});

test("an edge that is gone is not asked for ever", async () => {
  let asked = 0;
  const session = atEdge({
    ask: () => stream(0, 1),
    rest: () => {
      asked += 1;
      return stream(1, 1);
    },
  });
  await session.send({ text: "Why?" });
  assert.equal(session.view.turn, null);
  assert.ok(asked < 10, `${asked} times`);
});

test("what the edge refuses before its first event is no turn", async () => {
  const session = atEdge({
    // biome-ignore lint/correctness/useYield: it fails before it has anything to give.
    ask: async function* () {
      throw { code: "RATE_LIMITED", message: "Later." };
    },
  });
  await session.send({ text: "Why?" });
  assert.deepEqual([words(session), session.view.draft], [[], "Why?"]);
});

test("a turn that runs while the page is read anew is told from its start, once", async () => {
  const session = atEdge({
    load: async () => ({
      messages: [
        { id: "1", who: "you", text: "Why?", at: 1, state: "done" },
        { id: "2", who: "assistant", text: "Be", at: null, state: "writing", since: 1 },
      ],
      running: { key: "turn_1", request: { text: "Why?" }, message: "2" },
    }),
    rest: (key, last) => {
      assert.deepEqual([key, last], ["turn_1", null]);
      return stream(0);
    },
  });
  const ended = new Promise<void>((resolve) =>
    session.subscribe(() => session.view.messages[1]?.state === "done" && resolve()),
  );
  await session.resume();
  assert.equal(await session.send({ text: "And?" }), false, "one turn at a time");
  await ended;
  assert.deepEqual(words(session), [
    ["you", "Why?", "done"],
    ["assistant", "Because", "done"],
  ]);
});

test("a stopped turn is not taken up again, and the edge hears of it", async () => {
  const stopped: string[] = [];
  let rests = 0;
  const session = atEdge({
    ask: async function* (_request, _key, signal) {
      yield { id: "t:0", events: [{ is: "delta", text: "Be" } as Event] };
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError"))),
      );
    },
    rest: () => {
      rests += 1;
      return stream(1);
    },
    stop: async (key) => stopped.push(key),
  });
  const asked = session.send({ text: "Why?" });
  await new Promise((resolve) => setTimeout(resolve));
  session.stop();
  await asked;
  session.stop();
  assert.deepEqual([rests, stopped.length], [0, 1]);
  assert.deepEqual(words(session)[1], ["assistant", "Be", "cancelled"]);
});

test("a turn that is stopped while its stream is to be taken up again stays stopped", async () => {
  let rests = 0;
  const rest = () => {
    rests += 1;
    return stream(1);
  };
  const session = new Session(new EdgeDriver(routes({ ask: () => stream(0, 1), rest }), 20));
  const asked = session.send({ text: "Why?" });
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(session.view.turn !== null, true, "it waits");
  session.stop();
  await asked;
  assert.equal(rests, 0);
});
