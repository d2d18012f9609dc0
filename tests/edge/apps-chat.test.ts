// Runs of the app builder on the real stack: a scripted model reads, changes and proposes, a person applies
// (app-builder.md §9, §10).
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type App,
  atScriptedEdge,
  type Envelope,
  heard,
  type Maker,
  type Signable,
  signed,
  type Version,
  whole,
} from "./apps.ts";
import { exposition, type Family, type Labels, summedUp } from "./exposition.ts";
import { eventually } from "./workerd.ts";

const HEADING = 'Make the heading say "Allotment club", and add a counter button.';
let ada: Maker;
atScriptedEdge((maker) => {
  ada = maker;
});

interface Proposal extends Signable {
  id: string;
  state: string;
  files: { path: string; status: string; diff: { hunks: { id: string }[] } }[];
}

function asks(app: App, input: string, more: object = {}) {
  return ada.ask("POST", `/${app.id}/builder/chat/stream`, {
    input,
    base_revision_id: app.current_draft_revision_id,
    ...more,
  });
}

async function runs(app: App, input: string, more: object = {}): Promise<Envelope[]> {
  const answer = await asks(app, input, more);
  assert.equal(answer.status, 200, answer.raw);
  assert.equal(answer.headers.get("content-type"), "text/event-stream; charset=utf-8");
  return heard(answer.raw);
}

const titles = (events: Envelope[]) =>
  events
    .filter((event) => event.event === "tool" && event.data.status !== "started")
    .map((event) => event.data.title);

test("a request becomes a proposal, and its apply one step", async () => {
  const app = await ada.make("Allotment");
  await ada.built(app.id, app.current_draft_revision_id);
  const events = await runs(app, HEADING);
  const done = whole(events);
  assert.equal(done.data.outcome, "succeeded", JSON.stringify(events.slice(-4)));
  assert.deepEqual(titles(events), [
    "Read src/App.tsx",
    "Changed 2 files",
    "Handed the changes in",
  ]);
  const ops = events.find((event) => event.event === "patch_ops");
  assert.deepEqual(ops?.data.verified, { compile: true, tests: true, build: true, bundle: true });
  assert.ok((done.data.usage?.input_tokens ?? 0) > 0);

  const id = done.data.proposal_id;
  assert.equal(ops?.data.proposal_id, id);
  const unchanged = await ada.show(app.id);
  assert.equal(unchanged.current_draft_revision_id, app.current_draft_revision_id);
  const proposal = await ada.good<Proposal>("GET", `/${app.id}/builder/proposals/${id}`);
  assert.deepEqual(
    proposal.files.map(({ path, status }) => [path, status]),
    [
      ["src/App.tsx", "modified"],
      ["src/Counter.tsx", "added"],
    ],
  );
  const refused = { ...signed(proposal), result_hash: proposal.base_hash };
  const path = `/${app.id}/builder/proposals/${id}/apply`;
  assert.deepEqual(await ada.refused("POST", path, refused), [409, "PROPOSAL_STALE"]);
  const version = await ada.good<Version>("POST", path, signed(proposal));
  assert.deepEqual(
    [version.origin_kind, version.source_revision_id],
    ["coding_run", app.current_draft_revision_id],
  );
  assert.match(version.files?.["src/App.tsx"] ?? "", /<h1>Allotment club<\/h1>/);
  assert.deepEqual(await ada.refused("POST", path, signed(proposal)), [409, "PROPOSAL_STALE"]);
  const taken = await ada.good("POST", `/${app.id}/builder/undo`, { base_revision_id: version.id });
  assert.equal(taken.restored_from_revision_id, app.current_draft_revision_id);

  const { items } = await ada.good("GET", `/${app.id}/builder/conversations`);
  assert.equal(items.length, 1);
  assert.deepEqual(
    [items[0].outcome, items[0].user_prompt, items[0].proposal_id, items[0].tool_summary.total],
    ["succeeded", HEADING, id, 3],
  );
  assert.equal(items[0].result_revision_id, version.id);
});

test("a change that is not taken is repaired, and hunks of a proposal can be left", async () => {
  const app = await ada.make("Hours");
  await ada.built(app.id, app.current_draft_revision_id);
  const events = await runs(app, "Add a note about opening hours below the heading.");
  const done = whole(events);
  assert.equal(done.data.outcome, "succeeded", JSON.stringify(events.slice(-4)));
  assert.ok(titles(events).includes("A change was not taken"));
  const failed = events.find((event) => event.data.title === "A change was not taken");
  assert.equal(failed?.diagnostics?.[0]?.code, "PATH_NOT_ALLOWED");
  const path = `/${app.id}/builder/proposals/${done.data.proposal_id}`;
  const proposal = await ada.good<Proposal>("GET", path);
  const hunks = proposal.files.find((file) => file.path === "src/App.tsx")?.diff.hunks ?? [];
  assert.equal(hunks.length, 2, "an import, and where it is used");
  const unused = { accept: { "src/App.tsx": [hunks[1]?.id] } };
  const lost = { accept: { "src/Hours.tsx": false } };
  assert.deepEqual(await ada.refused("POST", `${path}/preview`, lost), [
    422,
    "BUILDER_COMPILE_FAILED",
  ]);
  const picked = await ada.good<Proposal>("POST", `${path}/preview`, unused);
  assert.notEqual(picked.result_hash, proposal.result_hash);
  const left = await ada.good("POST", `${path}/discard`);
  assert.equal(left.state, "discarded");
  assert.deepEqual(await ada.refused("POST", `${path}/apply`, signed(proposal)), [
    409,
    "PROPOSAL_STALE",
  ]);
});

test("a question is asked or answered, and changes nothing", async () => {
  const app = await ada.make("Colours");
  const asked = await runs(app, "Change the colour.");
  assert.equal(whole(asked).data.outcome, "needs_input");
  const thread = asked[0]?.data.thread_id;
  assert.match(String(thread), /^[0-9a-f]{32}$/);
  const board = await ada.make("Board", { template_key: "dashboard" });
  const answered = await runs(
    board,
    "Which file draws the side bar, and which one holds the sample data? Do not change anything.",
    { mode: "answer" },
  );
  assert.equal(whole(answered).data.outcome, "answered");
  const words = answered.filter((event) => event.event === "token");
  assert.match(words.map((event) => event.data.content).join(""), /src\/components\/Sidebar\.tsx/);
});

test("what cannot begin is refused before the first byte", async () => {
  const app = await ada.make("Refusals");
  const path = `/${app.id}/builder/chat/stream`;
  const base_revision_id = app.current_draft_revision_id;
  const cases: [object, number, string][] = [
    [{ input: " ", base_revision_id }, 400, "EMPTY_INPUT"],
    [{ input: "Hello" }, 400, "BASE_REVISION_REQUIRED"],
    [{ input: "Hello", base_revision_id: "rev_0" }, 409, "REVISION_CONFLICT"],
    [{ input: "Hello", base_revision_id, mode: "write" }, 422, "INVALID_INPUT"],
    [{ input: "Hello", base_revision_id, from: "cs_99" }, 404, "NOT_FOUND"],
  ];
  for (const [body, status, code] of cases)
    assert.deepEqual(await ada.refused("POST", path, body), [status, code], JSON.stringify(body));
  const none = `/${app.id}/builder/chat/${"0".repeat(32)}`;
  assert.deepEqual(await ada.refused("GET", `${none}/events`), [404, "NOT_FOUND"]);
  assert.deepEqual(await ada.refused("POST", `${none}/cancel`), [404, "NOT_FOUND"]);
  assert.deepEqual(await ada.refused("GET", `/${app.id}/builder/proposals/cs_99`), [
    404,
    "NOT_FOUND",
  ]);
});

test("a run is read again from any place, and its key answers once", async () => {
  const app = await ada.make("Resumed");
  const body = { input: "Change the colour.", base_revision_id: app.current_draft_revision_id };
  const path = `/${app.id}/builder/chat/stream`;
  const headers = { "idempotency-key": "one" };
  const first = heard((await ada.ask("POST", path, body, headers)).raw);
  whole(first);
  const again = heard((await ada.ask("POST", path, body, headers)).raw);
  assert.deepEqual(again, first, "the same run");
  const request = first[0]?.request_id;
  for (let at = 0; at <= first.length; at += 1) {
    const id = `${request}:${at}`;
    const rest = await ada.ask("GET", `/${app.id}/builder/chat/${request}/events`, undefined, {
      "last-event-id": id,
    });
    assert.deepEqual(heard(rest.raw), first.slice(at), `behind ${id}`);
  }
  const { items } = await ada.good("GET", `/${app.id}/builder/conversations`);
  assert.equal(items.length, 1);
});

/** How much a sample rose. */
const rose = (from: Map<string, Family>, to: Map<string, Family>, name: string, labels: Labels) =>
  summedUp(to, name, labels) - summedUp(from, name, labels);

test("runs, builds and what became of proposals are counted, without a word of them", async () => {
  const { admin_token: token } = await ada.edge.keys();
  const scraped = async () => (await ada.edge.ask<string>("GET", "/metrics", { token })).raw;
  const app = await ada.make("Unspoken");
  await ada.built(app.id, app.current_draft_revision_id);
  const before = exposition(await scraped());
  const done = whole(await runs(app, HEADING));
  const path = `/${app.id}/builder/proposals/${done.data.proposal_id}`;
  const proposal = await ada.good<Proposal>("GET", path);
  const version = await ada.good<Version>("POST", `${path}/apply`, signed(proposal));
  await ada.built(app.id, version.id);
  await ada.good("POST", `/${app.id}/builder/undo`, { base_revision_id: version.id });
  await ada.good("GET", `/${app.id}/builder/state`);
  const run = { outcome: done.data.outcome ?? "", code: "", template: "blank-react" };
  const counts: [string, Labels][] = [
    ["hp_turns_total", run],
    ["hp_turn_seconds_count", {}],
    ["hp_turn_first_seconds_count", {}],
    ["hp_turn_proposal_seconds_count", {}],
    ["hp_builds_total", { kind: "gate", result: "succeeded" }],
    ["hp_builds_total", { kind: "draft", result: "reused" }],
    ["hp_applied_total", { template: "blank-react" }],
    ["hp_taken_back_total", { how: "undo" }],
  ];
  const after = await eventually(async () => {
    const value = exposition(await scraped());
    const ok = counts.every(([name, labels]) => rose(before, value, name, labels) > 0);
    return { ok, value };
  });
  assert.equal(rose(before, after, "hp_turns_total", run), 1);
  const used = done.data.usage?.input_tokens ?? 0;
  assert.equal(rose(before, after, "hp_turn_tokens_total", { class: "input" }), used);
  for (const word of ["Unspoken", "Allotment", "App.tsx", app.id, app.slug])
    assert.ok(!(await scraped()).includes(word), word);
});
