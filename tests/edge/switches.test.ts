// Kill switches: calls of a key, a provider or the account are stopped by an administrator, at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import type { List, NewKey } from "./gateway.ts";
import { answer, type Call, chunk, done, finish, startUpstream, usage } from "./upstream.ts";
import { type Body, eventually, startEdge } from "./workerd.ts";

let play_with: (call: Call) => unknown = (one) => answer(one, "ok");

interface Switch {
  scope: string;
  stopped: boolean;
  reason: string | null;
  actor: string | null;
}

const upstream = await during(startUpstream((call) => play_with(call)));
const edge = await during(startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url } }));
const keys = await edge.keys();

const call = (more: object = {}, token = keys.user_token) =>
  edge.call(token, { max_tokens: 8, ...more });
const put = (scope: string, body: object, token = keys.admin_token) =>
  edge.ask<Switch>("PUT", `/gateway/v1/switches/${scope}`, { token, body });
const told = async (response: Response) => {
  const { error } = (await response.json()) as Body<unknown>;
  return [response.status, error?.code];
};

test("a stopped account refuses before its budget is asked, and what runs is settled", async () => {
  let running: Call | undefined;
  play_with = (one) => {
    running = one;
    one.head();
    one.send(chunk("a"));
  };
  const stream = await call({ stream: true });
  const thrown = await put("account:dev", { stopped: true, reason: "A key leaked." });
  assert.deepEqual(
    [thrown.status, thrown.value.stopped, thrown.value.actor],
    [200, true, "user:dev"],
  );
  const calls = upstream.calls.length;
  const refused = await call({ max_tokens: 16_000, n: 16 });
  const { error } = (await refused.json()) as Body<unknown>;
  assert.deepEqual(
    [refused.status, error.code, error.details.scope, error.details.reason],
    [403, "CALLS_STOPPED", "account:dev", "A key leaked."],
  );
  assert.equal(refused.headers.get("x-should-retry"), "false");
  const run = await edge.ask("POST", "/gateway/v1/runs", {
    token: keys.user_token,
    body: { tokens: 10 },
  });
  assert.deepEqual([run.status, run.value.error.code], [403, "CALLS_STOPPED"]);
  assert.equal(upstream.calls.length, calls, "nobody was called");
  running?.send(finish + usage(5, 3));
  running?.end(done);
  assert.ok((await stream.text()).endsWith(done));
  const settled = await eventually(async () => {
    const value = await edge.budget();
    return { ok: value.held === 0, value };
  });
  assert.equal(settled.spent, 8);
  await edge.kill();
  await edge.start();
  assert.deepEqual(await told(await call()), [403, "CALLS_STOPPED"], "it holds over a restart");
  play_with = (one) => answer(one, "ok");
  assert.equal((await put("account:dev", { stopped: false })).status, 200);
  assert.equal((await call()).status, 200);
});

test("one key or one provider is stopped alone", async () => {
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: { label: "lost", user_id: "bo", scopes: ["llm"] },
  });
  const { id, key } = made.value;
  assert.equal((await put(`key:${id}`, { stopped: true, reason: "lost laptop" })).status, 200);
  assert.deepEqual(await told(await call({}, key)), [403, "CALLS_STOPPED"]);
  assert.equal((await call()).status, 200);
  assert.equal((await put(`key:${id}`, { stopped: false })).status, 200);
  const { value } = await edge.ask<List<{ provider: string }>>(
    "GET",
    "/gateway/v1/ledger?limit=1",
    {
      token: keys.admin_token,
    },
  );
  const provider = `provider:${value.items[0]?.provider}`;
  assert.equal((await put(provider, { stopped: true, reason: "outage" })).status, 200);
  assert.deepEqual(await told(await call({}, key)), [403, "CALLS_STOPPED"]);
  const listed = await edge.ask<List<Switch>>("GET", "/gateway/v1/switches", {
    token: keys.admin_token,
  });
  assert.deepEqual(
    listed.value.items.map((one) => [one.scope, one.reason]),
    [[provider, "outage"]],
  );
  assert.equal((await put(provider, { stopped: false })).status, 200);
  assert.equal((await call({}, key)).status, 200);
});

test("a switch that would stop nothing is refused, and only an administrator throws one", async () => {
  const on = { stopped: true, reason: "test" };
  for (const [scope, status] of [
    ["key:0000000000", 404],
    ["provider:mian", 404],
    ["account:other", 400],
    ["user:", 400],
    ["everything", 400],
  ] as const)
    assert.equal((await put(scope, on)).status, status, scope);
  for (const body of [{ stopped: true }, { stopped: true, reason: " " }, { stopped: "yes" }, {}])
    assert.equal((await put("account:dev", body)).status, 400, JSON.stringify(body));
  const long = await put("account:dev", { stopped: true, reason: "x".repeat(501) });
  assert.deepEqual([long.status, long.value.error.details.pointer], [400, "/reason"]);
  assert.equal((await put("account:dev", on, keys.user_token)).status, 403);
  assert.equal((await call()).status, 200);
});

test("a stopped user is refused with every key, and goes on when it is let go", async () => {
  const stopped = await put("user:dev", { stopped: true, reason: "on leave" });
  assert.deepEqual([stopped.status, stopped.value.stopped], [200, true]);
  assert.deepEqual(await told(await call()), [403, "CALLS_STOPPED"]);
  await put("user:dev", { stopped: false });
  assert.equal((await call()).status, 200);
});
