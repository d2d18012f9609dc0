// Runs of an app as the page hears them: frames, lines, a stream that breaks anywhere, and builds that come meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AppAsk,
  AppRoutes,
  type AppTalk,
  type AppTurn,
  advanced,
  type BuilderEvent,
  begun,
  type Framed,
  follow,
  framed,
  messagesOf,
  type RunEvent,
} from "@holdpoint/core/apps";
import { EdgeDriver, Session } from "@holdpoint/core/session";

const REQUEST = "9c1e".repeat(8);

/** The events of a run that writes, fails a test, repairs it and proposes. */
const run: RunEvent[] = (
  [
    ["status", "start", { content: "Reading the project", model: "m", thread_id: "t" }],
    ["tool", "inspect", { call_id: "c1", tool: "read_file", status: "started", title: "Reading" }],
    ["tool", "inspect", { call_id: "c1", tool: "read_file", status: "ok", title: "Read a.ts" }],
    ["token", "assistant_response", { content: "I add " }],
    ["token", "assistant_response", { content: "a line." }],
    [
      "tool",
      "test",
      { call_id: "c2", tool: "run_targeted_tests", status: "failed", title: "1 failed" },
    ],
    [
      "tool",
      "worker_build",
      { call_id: "c3", tool: "build", status: "started", title: "Building" },
    ],
    ["usage", "worker_build", { input_tokens: 8, output_tokens: 2 }],
    ["patch_ops", "patch_ready", { proposal_id: "cs_1", summary: "Added a line." }],
    ["done", "complete", { outcome: "succeeded", turn_id: "turn_1", proposal_id: "cs_1" }],
  ] as const
).map(([event, stage, data], i) => ({
  ...{ event, stage, data, request_id: REQUEST, seq: i + 1, ts: "2026-11-27T10:00:00.000Z" },
  ...(event === "tool" ? { data: { iteration: 1, elapsed_ms: 5, ...data } } : {}),
})) as unknown as RunEvent[];

const frameOf = (event: RunEvent): Framed => ({
  id: `${event.request_id}:${event.seq}`,
  event: event.event,
  data: event as unknown as Framed["data"],
});

test("a frame is its event, its id and one JSON object; anything else is passed over", () => {
  assert.deepEqual(framed({ id: "a:1", event: "tool", data: '{"seq":1}' }), {
    id: "a:1",
    event: "tool",
    data: { seq: 1 },
  });
  assert.deepEqual(framed({ id: undefined, event: undefined, data: "{}" }), {
    id: "",
    event: "message",
    data: {},
  });
  for (const data of ["", "{", "1", "null", "[1]", '"a"'])
    assert.equal(framed({ id: "a:1", event: "tool", data }), null, data);
});

test("a tool has one line, and the road stands where the run does", () => {
  const steps = run.map((_, i) => run.slice(0, i + 1).reduce(advanced, begun).step);
  assert.deepEqual(steps, [
    ...["ask", "ask", "ask", "ask", "ask", "test", "build", "build", "review", "review"],
  ]);
  const whole = run.reduce(advanced, begun);
  assert.deepEqual(
    whole.lines.map(({ id, title, state, elapsed }) => [id, title, state, elapsed]),
    [
      ["c1", "Read a.ts", "ok", 5],
      ["c2", "1 failed", "failed", 5],
      ["c3", "Building", "failed", null],
    ],
  );
  assert.equal(whole.thread, "t");
  assert.deepEqual(whole.spent, { input_tokens: 8, output_tokens: 2 });
});

test("told again from its start, or in part, a run is the same", () => {
  const whole = run.reduce(advanced, begun);
  for (let from = 0; from < run.length; from += 1)
    assert.deepEqual([...run, ...run.slice(from)].reduce(advanced, begun), whole);
});

/** An edge whose stream breaks off after so many frames, each time that it is asked. */
function edge(breaks: number[]) {
  const asked: (string | null)[] = [];
  const told = async function* (after: number) {
    const n = breaks.shift() ?? run.length;
    let sent = 0;
    for (const event of run.slice(after)) {
      if (sent === n) throw new TypeError("network error");
      sent += 1;
      yield frameOf(event);
    }
  };
  const api = {
    turns: async () => ({ items: [], next_cursor: null }),
    cancel: async () => ({}),
    chat: () => told(0),
    run: (_app: string, request: string, after: string | null) => {
      assert.equal(request, REQUEST);
      asked.push(after);
      return told(Number(after?.split(":")[1] ?? 0));
    },
  };
  return { api, asked };
}

const ask: AppAsk = { text: "Add a line", mode: "edit", base: "rev_1", from: "draft" };

function session(api: ReturnType<typeof edge>["api"], active: string | null = null) {
  const proposals: string[] = [];
  const routes = new AppRoutes(api, "app_1", async () => active, 0);
  const one = new Session<AppTalk>(new EdgeDriver(routes, 0), (event) => {
    if (event.is === "proposal") proposals.push(event.proposal.proposal_id);
  });
  return { session: one, proposals };
}

test("broken after any frame, a run is gone on from there, whole and without a word twice", async () => {
  for (let at = 1; at < run.length; at += 1) {
    const { api, asked } = edge([at]);
    const { session: one, proposals } = session(api);
    await one.send(ask);
    const [mine, answer] = one.view.messages;
    assert.equal(mine?.text, "Add a line", `after ${at}`);
    assert.equal(answer?.state, "done", `after ${at}`);
    assert.equal(answer?.text, "Added a line.", `after ${at}`);
    assert.deepEqual(answer?.run, run.reduce(advanced, begun), `after ${at}`);
    assert.deepEqual(asked, [`${REQUEST}:${at}`]);
    assert.deepEqual(proposals, ["cs_1"]);
  }
});

test("broken before its first frame, a run that goes on is followed, else the request is sent again", async () => {
  for (const active of [REQUEST, null]) {
    const { api, asked } = edge([0]);
    const keys: string[] = [];
    const chat = (_app: string, _body: unknown, key: string) => {
      keys.push(key);
      return api.chat();
    };
    const routes = new AppRoutes({ ...api, chat }, "app_1", async () => active, 0);
    const one = new Session<AppTalk>(new EdgeDriver(routes, 0));
    await one.send(ask);
    assert.equal(one.view.messages.at(-1)?.state, "done");
    assert.deepEqual(asked, active ? [null] : []);
    assert.equal(new Set(keys).size, 1, "one key, so that it is done once");
    assert.equal(keys.length, active ? 1 : 2);
  }
});

test("the words of the model are written as they come, once also where the stream broke between them", async () => {
  const { api } = edge([4]);
  const words: string[] = [];
  const { session: one } = session(api);
  one.subscribe(() => words.push(one.view.messages.at(-1)?.text ?? ""));
  await one.send(ask);
  assert.ok(words.includes("I add a line."));
  assert.ok(!words.some((text) => text.includes("I add I add")));
});

test("after a reload the run that goes on is told from its start under its own id", async () => {
  const { api, asked } = edge([]);
  const { session: one, proposals } = session(api, REQUEST);
  await one.resume();
  while (one.view.turn) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.deepEqual(asked, [null]);
  assert.deepEqual(proposals, ["cs_1"]);
  assert.equal(one.view.messages.at(-1)?.run?.lines.length, 3);
});

test("a run whose events are gone ends, and the list is asked what became of it", async () => {
  const { api } = edge([]);
  const gone = { code: "EVENTS_EXPIRED", message: "gone" };
  const heard: string[] = [];
  const broken = {
    ...api,
    // biome-ignore lint/correctness/useYield: a stream that is refused has no event.
    run: async function* (): AsyncGenerator<Framed> {
      throw gone;
    },
  };
  const routes = new AppRoutes(broken, "app_1", async () => REQUEST, 0);
  const one = new Session<AppTalk>(new EdgeDriver(routes, 0), (event) => heard.push(event.is));
  await one.resume();
  while (one.view.turn) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.ok(heard.includes("notice") && heard.at(-1) === "ended", heard.join());
});

test("what the model says after a tool is a paragraph of its own, as it comes and afterwards", async () => {
  const [status, begins, ends, token] = run;
  const again = [begins, ends, token].map((event, i) => ({ ...event, seq: 5 + i }));
  const twice = [status, begins, ends, token, ...again, ...run.slice(-1)] as RunEvent[];
  const stream = async function* () {
    for (const event of twice) yield frameOf(event);
  };
  const { session: one } = session({ ...edge([]).api, chat: stream });
  await one.send(ask);
  assert.equal(one.view.messages.at(-1)?.text, "I add \n\nI add ");
  const tool_trace = twice as unknown as AppTurn["tool_trace"];
  const turn = { user_prompt: "Add", request_id: REQUEST, created_at: "", tool_trace } as AppTurn;
  const later = (summary: string) => messagesOf({ ...turn, assistant_summary: summary })[1]?.text;
  assert.equal(later("I add I add "), "I add \n\nI add ");
  assert.equal(later("Added."), "Added.");
});

test("what was said before is the request and what came of it", () => {
  const turn = {
    ...{ id: "turn_1", thread_id: "t", request_id: REQUEST, revision_id: "rev_1" },
    ...{ result_revision_id: null, user_prompt: "Add", assistant_summary: "Added." },
    ...{ failure_code: null, usage: null, created_at: "2026-11-27T10:00:00.000Z" },
    ...{ outcome: "succeeded" as const, proposal_id: "cs_1", status: null, app_id: "app_1" },
    ...{ assistant_rationale: "", assistant_assumptions: [], patch_operations: [] },
    ...{ tool_summary: { total: 0, completed: 0, failed: 0, tools: [] }, created_by: "ann" },
    tool_trace: run as unknown as AppTurn["tool_trace"],
  };
  const [mine, answer] = messagesOf(turn);
  assert.deepEqual([mine?.who, mine?.text, mine?.state], ["you", "Add", "done"]);
  assert.deepEqual([answer?.text, answer?.state, answer?.proposal], ["Added.", "done", "cs_1"]);
  assert.equal(answer?.run?.lines.length, 3);
  const ends = { failed: "failed", budget_exceeded: "failed", cancelled: "cancelled" } as const;
  for (const [outcome, state] of Object.entries(ends)) {
    const [, said] = messagesOf({
      ...turn,
      outcome: outcome as keyof typeof ends,
      failure_code: "RUN_STALLED",
    });
    assert.equal(said?.state, state, outcome);
    assert.equal(said?.error?.code, "RUN_STALLED");
  }
});

test("what happens to an app is heard over a stream that ends, from its last event, until it is stopped", async () => {
  const asked: (string | null)[] = [];
  const told: BuilderEvent["event"][] = [];
  const build = { revision_id: "rev_1", build_status: "running", build_seq: 1 };
  const api = {
    async *events(_app: string, after: string | null): AsyncGenerator<Framed> {
      asked.push(after);
      yield { id: `e:${asked.length}`, event: "build", data: build };
      yield { id: "", event: "hello", data: {} };
      if (asked.length === 1) throw new TypeError("network error");
    },
  };
  let agains = 0;
  await new Promise<void>((resolve) => {
    const stop = follow(api, "app_1", {
      event: ({ event }) => told.push(event),
      again: () => {
        agains += 1;
        stop();
        resolve();
      },
      refused: (error) => assert.fail(error.code),
    });
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(asked, [null, "e:1"]);
  assert.deepEqual(told, ["build", "build"]);
  assert.equal(agains, 1);
});

test("a stream that is refused is told once, and not asked for again", async () => {
  let asked = 0;
  const api = {
    // biome-ignore lint/correctness/useYield: a stream that is refused has no event.
    async *events(): AsyncGenerator<Framed> {
      asked += 1;
      throw { code: "NOT_FOUND", message: "gone", status: 404 };
    },
  };
  const error = await new Promise<{ code: string }>((resolve) => {
    follow(api, "app_1", {
      event: () => assert.fail("an event"),
      again: () => assert.fail("again"),
      refused: resolve,
    });
  });
  assert.equal(error.code, "NOT_FOUND");
  assert.equal(asked, 1);
});
