// How runs of the app builder end that do not go well: stopped, broken off, refused, out of bounds; a model that
// misbehaves changes nothing (app-builder.md §9, §10, §18).
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { during } from "../during.ts";
import { type App, type Envelope, heard, Maker, whole } from "./apps.ts";
import { calls } from "./talk.ts";
import { type Call, chunk, done as ended, finish, play, sleep, startUpstream } from "./upstream.ts";
import { eventually, startEdge } from "./workerd.ts";

let model: (call: Call) => unknown;

const upstream = await during(startUpstream((call) => model(call)));
// One millionth a token.
const UPSTREAM_PRICE = '{"input":1000000,"output":1000000}';
const variables = { UPSTREAM_BASE_URL: upstream.url, UPSTREAM_PRICE, RUN_STALL_SECONDS: "4" };
const edge = await during(startEdge({ variables }));
const ada = new Maker(edge, (await edge.keys()).user_token);
beforeEach(() => {
  upstream.calls.length = 0;
});

const CHANGE = { op: "upsert_file", path: "src/new.ts", content: "export {};\n" };
const stage = (call: Call, operation: object = CHANGE) =>
  calls(call, { id: "s", name: "apply_patch_dry_run", args: { operations: [operation] } });
const propose = (call: Call) =>
  calls(call, { id: "p", name: "propose", args: { summary: "Done." } });

/** Plays one step a call, and the last again and again. */
function plays(...steps: ((call: Call) => unknown)[]): void {
  let made = 0;
  model = (call) => {
    const step = steps[Math.min(made, steps.length - 1)];
    made += 1;
    return step?.(call);
  };
}

function asks(app: App, more: object = {}) {
  const body = { input: "Change it.", base_revision_id: app.current_draft_revision_id, ...more };
  return ada.ask("POST", `/${app.id}/builder/chat/stream`, body);
}

async function runs(app: App, more: object = {}): Promise<Envelope[]> {
  const answer = await asks(app, more);
  assert.equal(answer.status, 200, answer.raw);
  return heard(answer.raw);
}

/** The request of the run that goes on. */
async function active(app: App): Promise<string> {
  const look = async () => {
    const { active_run } = await ada.good("GET", `/${app.id}/builder/state`);
    return { ok: active_run !== null, value: active_run as string };
  };
  return eventually(look);
}

const code = (events: Envelope[]) => events.find((event) => event.event === "error")?.data.code;

/** That the draft is the one before. */
async function untouched(app: App): Promise<void> {
  const now = await ada.show(app.id);
  assert.equal(now.current_draft_revision_id, app.current_draft_revision_id);
}

test("a run that is stopped keeps what it staged, and the next may begin at once", async () => {
  const app = await ada.make("Stopped");
  plays(stage, async (call) => {
    await call.closed;
  });
  const answer = asks(app);
  const request = await active(app);
  const second = await asks(app);
  assert.deepEqual([second.status, second.value.error.code], [409, "RUN_ACTIVE"]);
  assert.equal((second.value.error.details as { request_id?: string }).request_id, request);
  await eventually(() => ({ ok: upstream.calls.length === 2 }));
  const began = Date.now();
  const stopped = await ada.good("POST", `/${app.id}/builder/chat/${request}/cancel`);
  assert.deepEqual(stopped, { request_id: request, cancelled: true });
  assert.ok(Date.now() - began < 5_000);
  const done = whole(heard((await answer).raw));
  assert.equal(done.data.outcome, "cancelled");
  const proposal = await ada.good("GET", `/${app.id}/builder/proposals/${done.data.proposal_id}`);
  assert.deepEqual([proposal.state, proposal.files[0].path], ["parked", "src/new.ts"]);
  await untouched(app);
  plays((call) => play(call, ["Nothing to do."]));
  assert.equal(whole(await runs(app)).data.outcome, "answered");
  const again = await ada.good("POST", `/${app.id}/builder/chat/${request}/cancel`);
  assert.equal(again.cancelled, false);
});

test("a run goes on from a proposal, and its changes are relative to the draft", async () => {
  const app = await ada.make("From a proposal");
  plays(stage, propose);
  const first = whole(await runs(app));
  assert.equal(first.data.outcome, "unverified", "there is no build runner");
  plays((call) => stage(call, { ...CHANGE, path: "src/more.ts" }), propose);
  const second = whole(await runs(app, { from: first.data.proposal_id }));
  const path = `/${app.id}/builder/proposals/${second.data.proposal_id}`;
  const { files } = await ada.good("GET", path);
  assert.deepEqual(
    files.map((file: { path: string }) => file.path),
    ["src/more.ts", "src/new.ts"],
  );
});

test("a run whose edge was killed ends with one done", async () => {
  const app = await ada.make("Killed");
  plays(stage, async (call) => {
    await call.closed;
  });
  const answer = asks(app).catch(() => undefined);
  const request = await active(app);
  await eventually(() => ({ ok: upstream.calls.length === 2 }));
  await edge.kill();
  await answer;
  await edge.start();
  const events = heard((await ada.ask("GET", `/${app.id}/builder/chat/${request}/events`)).raw);
  assert.equal(whole(events).data.outcome, "failed");
  assert.equal(code(events), "RUN_INTERRUPTED");
  await untouched(app);
  const { items } = await ada.good("GET", `/${app.id}/builder/conversations`);
  assert.deepEqual([items[0].status, items[0].failure_code], ["failed", "RUN_INTERRUPTED"]);
});

test("a model that misbehaves ends within bounds and never changes the draft", async () => {
  const app = await ada.make("Hostile");
  const forbidden = (call: Call) =>
    calls(
      call,
      { id: "a", name: "publish", args: {} },
      { id: "b", name: "builder.revision.save", args: { files: {} } },
      { id: "c", name: "apply_patch_dry_run", args: "no JSON" },
      { id: "d", name: "apply_patch_dry_run", args: { operations: [] } },
      { id: "e", name: "propose", args: { summary: "Nothing." } },
    );
  plays(forbidden, (call) => play(call, ["I could not."]));
  const events = await runs(app);
  assert.equal(whole(events).data.outcome, "answered");
  const codes = events.filter((event) => event.event === "tool" && event.data.status === "failed");
  assert.deepEqual(
    codes.map((event) => event.data.code),
    ["AI_TOOL_FORBIDDEN", "AI_TOOL_FORBIDDEN", "TOOL_INPUT_INVALID", "PROPOSAL_REFUSED"],
  );
  const broken = { ...CHANGE, content: "import './gone';\n" };
  plays((call) => stage(call, broken), propose);
  const looped = await runs(app);
  assert.equal(whole(looped).data.outcome, "failed");
  assert.equal(code(looped), "LOOP_REPEATED_DIAGNOSTIC");
  plays((call) => calls(call, { id: "l", name: "list_files", args: {} }));
  const endless = await runs(app);
  assert.equal(code(endless), "RUN_LIMIT_REACHED");
  assert.equal(upstream.calls.filter((call) => call.body !== null).length > 24, true);
  await untouched(app);
});

test("a run whose model says nothing for too long ends, whatever its provider sends meanwhile", async () => {
  const app = await ada.make("Stalled");
  let closed: Promise<boolean> | undefined;
  plays(stage, async (call) => {
    closed = call.closed;
    call.head();
    while (!call.gone) {
      call.send(": keep-alive\n\n");
      call.send(chunk(""));
      await sleep(100);
    }
  });
  const events = await runs(app);
  const done = whole(events);
  assert.deepEqual([done.data.outcome, code(events)], ["failed", "RUN_STALLED"]);
  assert.match(String(done.data.proposal_id), /^cs_/, "what was staged is kept");
  assert.equal(await closed, true, "the provider is left");
  await untouched(app);
  // A model that goes on saying something has all the time of a run.
  plays(async (call) => {
    call.head();
    for (let words = 0; words < 6; words += 1) {
      call.send(chunk("word "));
      await sleep(1_000);
    }
    call.send(finish);
    call.end(ended);
  });
  assert.equal(whole(await runs(app)).data.outcome, "answered");
});

test("a model that cannot be asked ends a run that began", async () => {
  const app = await ada.make("Unavailable");
  plays(stage, (call) => {
    call.head(500, { "content-type": "application/json" });
    call.end("{}");
  });
  const events = await runs(app);
  const done = whole(events);
  assert.equal(done.data.outcome, "failed");
  assert.equal(code(events), "MODEL_UNAVAILABLE");
  assert.match(String(done.data.proposal_id), /^cs_/, "what was staged is kept");
});

test("what a run may cost is held before its first call, and ends it", async () => {
  const app = await ada.make("Bounded");
  plays((call) => play(call, ["Nothing to do."]));
  const other = await asks(app, { model: "another" });
  assert.deepEqual([other.status, other.value.error.code], [422, "INVALID_INPUT"]);
  const enough = await runs(app, { max_cost_micros: 2_000_000, model: "default" });
  assert.equal(whole(enough).data.outcome, "answered");
  plays(stage, propose);
  const little = await asks(app, { max_cost_micros: 1 });
  assert.deepEqual([little.status, little.value.error.code], [402, "RUN_BUDGET_EXCEEDED"]);
  await untouched(app);
});
