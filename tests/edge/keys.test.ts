// Keys that get another secret and change, what the audit tells of it, and calls that shrink, on real workerd.
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import type { Budget, List } from "./gateway.ts";
import { answer, type Call, last, startUpstream, told } from "./upstream.ts";
import { startEdge } from "./workerd.ts";

let play: (call: Call) => unknown = (call) => answer(call, "ok");

interface Key {
  id: string;
  key: string;
  label: string;
  display: string;
  models: string[];
  clamp: string;
  expires_at: number | null;
  previous_until: number | null;
}

interface Change {
  actor: string;
  action: string;
  target: string;
  detail: Record<string, unknown>;
}

const upstream = await during(startUpstream((call) => play(call)));
const edge = await during(startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url } }));
const keys = await edge.keys();

const admin = <T>(method: string, path: string, body?: object, token = keys.admin_token) =>
  edge.ask<T>(method, `/gateway/v1${path}`, body ? { token, body } : { token });
const made = async (user: string, more: object = {}) => {
  const body = { label: user, user_id: user, scopes: ["llm", "usage"], ...more };
  return (await admin<Key>("POST", "/keys", body)).value;
};
const send = (token: string, headers: Record<string, string> = {}, more: object = {}) =>
  edge.call(token, { max_tokens: 1_000, ...more }, headers);
const code = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;

test("a rotated key has another secret under its id, and the one before for a time", async () => {
  const first = await made("rotated");
  const second = (await admin<Key>("POST", `/keys/${first.id}/rotate`, { grace_seconds: 600 }))
    .value;
  assert.equal(second.id, first.id);
  assert.notEqual(second.key, first.key);
  assert.ok((second.previous_until ?? 0) > Date.now());
  assert.equal((await send(first.key)).status, 200);
  assert.equal((await send(second.key)).status, 200);

  const third = (await admin<Key>("POST", `/keys/${first.id}/rotate`, { grace_seconds: 0 })).value;
  for (const old of [first.key, second.key]) {
    const refused = await send(old);
    assert.deepEqual([refused.status, await code(refused)], [401, "AUTH_INVALID_TOKEN"]);
  }
  assert.equal((await send(third.key)).status, 200);
  const listed = (await admin<Key>("GET", `/keys/${first.id}`)).value;
  assert.equal(listed.display, `hp_***${third.key.slice(-4)}`);
  assert.ok(!JSON.stringify(listed).includes(third.key));
});

test("who may rotate, and what is refused", async () => {
  const key = await made("plain");
  const path = `/keys/${key.id}/rotate`;
  assert.equal((await admin("POST", path, {}, key.key)).status, 403);
  for (const grace_seconds of [-1, 604_801, "x", 1.5]) {
    assert.equal((await admin("POST", path, { grace_seconds })).status, 400, String(grace_seconds));
  }
  assert.equal((await admin("POST", "/keys/none/rotate", {})).status, 404);
  await admin("POST", `/keys/${key.id}/revoke`);
  assert.equal((await admin("POST", path, {})).status, 404);
});

test("a change of a key counts at once, leaves the rest, and stands in the audit", async () => {
  const key = await made("changed", { models: ["other"] });
  const path = `/keys/${key.id}`;
  assert.equal(await code(await send(key.key)), "MODEL_NOT_ALLOWED");
  const after = (await admin<Key>("PATCH", path, { models: [] })).value;
  assert.deepEqual([after.label, after.models, after.clamp], ["changed", [], "allowed"]);
  assert.equal((await send(key.key)).status, 200);
  await admin("PATCH", path, { expires_at: Date.now() - 1 });
  assert.equal(await code(await send(key.key)), "KEY_EXPIRED");
  await admin("PATCH", path, { expires_at: null, label: "new name" });
  assert.equal((await send(key.key)).status, 200);
  for (const bad of [{ label: "" }, { clamp: "often" }, { models: "x" }, { expires_at: "soon" }]) {
    assert.equal((await admin("PATCH", path, bad)).status, 400, JSON.stringify(bad));
  }
  assert.equal((await admin("PATCH", "/keys/none", {})).status, 404);
  assert.equal((await admin("PATCH", path, {}, key.key)).status, 403);

  const list = (await admin<List<Change>>("GET", "/audit?limit=4")).value;
  const acts = list.items.map((change) => [change.actor, change.action, change.target]);
  const changed = ["user:dev", "key.change", key.id];
  assert.deepEqual(acts, [changed, [`key:${key.id}`, "signin.refused", key.id], changed, changed]);
  assert.equal(list.items[0]?.detail.label, "new name");
  const rest = (await admin<List<Change>>("GET", `/audit?cursor=${list.next_cursor}`)).value;
  assert.equal(rest.items[0]?.action, "key.create");
  assert.equal((await admin("GET", "/audit", undefined, key.key)).status, 403);
  assert.ok(!JSON.stringify(list).includes(key.key));
});

test("a call shrinks to what its budget has, never silently, and only where it may", async () => {
  const key = await made("clamped");
  const budget = { scope: "user:clamped", unit: "tokens", period: "total" };
  await admin("PUT", "/budgets/clamped", { ...budget, limit: 400 });
  const room = async () => {
    const { limit, spent, held } = (await admin<Budget>("GET", "/budgets/clamped")).value;
    return limit - spent - held;
  };
  assert.equal(await code(await send(key.key)), "BUDGET_EXHAUSTED");
  assert.equal(await code(await send(key.key, { "holdpoint-clamp": "900" })), "BUDGET_EXHAUSTED");
  const answered = await send(key.key, { "holdpoint-clamp": "50" });
  assert.equal(answered.status, 200);
  const most = Number(answered.headers.get("holdpoint-clamped"));
  assert.ok(most >= 50 && most < 400, String(most));
  assert.equal(last(upstream.calls).body.max_tokens, most);
  assert.equal(answered.headers.get("holdpoint-hold-tokens"), "400", "the last token is spendable");

  // What fits is not touched, whatever the client would take.
  const small = await send(key.key, { "holdpoint-clamp": "5" }, { max_tokens: 10 });
  assert.deepEqual([small.status, small.headers.get("holdpoint-clamped")], [200, null]);

  const path = `/keys/${key.id}`;
  await admin("PATCH", path, { clamp: "never" });
  assert.equal(await code(await send(key.key, { "holdpoint-clamp": "50" })), "BUDGET_EXHAUSTED");
  await admin("PUT", "/budgets/clamped", { ...budget, limit: 1_000 });
  await admin("PATCH", path, { clamp: "always" });
  const always = await send(key.key, {}, { max_tokens: 8_000 });
  assert.ok(Number(always.headers.get("holdpoint-clamped")) >= 256);
  assert.equal(
    await code(await send(key.key, {}, { max_tokens: 8_000, n: 2 })),
    "BUDGET_EXHAUSTED",
  );
  assert.ok((await room()) > 0);
  for (const bad of ["0", "-1", "x", "1.5"]) {
    const refused = await send(key.key, { "holdpoint-clamp": bad });
    assert.deepEqual([refused.status, await code(refused)], [400, "INVALID_REQUEST"], bad);
  }
});

test("a clamped call that is tried again holds what it was given", async () => {
  const key = await made("again");
  const budget = { scope: "user:again", unit: "tokens", period: "total", limit: 400 };
  await admin("PUT", "/budgets/again", budget);
  let calls = 0;
  play = (call) => {
    calls += 1;
    return calls === 1 ? told(call, 429, "{}") : answer(call, "ok");
  };
  const answered = await send(key.key, { "holdpoint-clamp": "50" });
  play = (call) => answer(call, "ok");
  assert.deepEqual([answered.status, answered.headers.get("holdpoint-attempts")], [200, "2"]);
  assert.equal(answered.headers.get("holdpoint-hold-tokens"), "400");
  const { spent, held } = (await admin<Budget>("GET", "/budgets/again")).value;
  assert.deepEqual([spent, held], [10, 0]);
});
