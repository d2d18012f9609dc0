// Calls that are sent again with the same key, and calls that no budget counts, on real workerd.
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import type { LedgerRow, List, NewKey } from "./gateway.ts";
import { answer, type Call, startUpstream, told } from "./upstream.ts";
import { eventually, startEdge } from "./workerd.ts";

let play: (call: Call) => unknown = (call) => answer(call, "ok");

const upstream = await during(startUpstream((call) => play(call)));
const edge = await during(startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url } }));
const keys = await edge.keys();

const send = (key: string | undefined, token = keys.user_token, at = edge) =>
  at.call(token, { max_tokens: 8 }, key === undefined ? {} : { "idempotency-key": key });
interface Refused {
  error: { code: string; details?: { request_id?: string } };
}

/** Status, code, the call that is named, and whether to try again. */
const refusal = async (response: Response) => {
  const { error } = (await response.json()) as Refused;
  const retry = response.headers.get("x-should-retry");
  return [response.status, error.code, error.details?.request_id, retry];
};
const rows = async () => {
  const path = "/gateway/v1/ledger?limit=100";
  const { value } = await edge.ask<List<LedgerRow>>("GET", path, { token: keys.admin_token });
  return value.items;
};

test("a key is spent on one call: while it runs, and after it", async () => {
  let running: Call | undefined;
  play = (call) => {
    running = call;
  };
  const first = send("once-1");
  const open = await eventually(() => ({ ok: running !== undefined, value: running as Call }));
  const again = await refusal(await send("once-1"));
  assert.deepEqual([again[0], again[1], again[3]], [409, "IDEMPOTENCY_IN_PROGRESS", "true"]);

  play = (call) => answer(call, "other");
  assert.equal((await send("once-2")).status, 200, "another key is another call");
  assert.equal((await send(undefined)).status, 200, "without a key nothing is compared");

  answer(open, "first");
  const answered = await first;
  const id = answered.headers.get("x-request-id");
  assert.equal(answered.status, 200);
  assert.equal(again[2], id);
  const calls = upstream.calls.length;
  assert.deepEqual(await refusal(await send("once-1")), [409, "IDEMPOTENCY_REPLAYED", id, "false"]);
  assert.equal(upstream.calls.length, calls);
  assert.equal((await rows()).filter((row) => row.request_id.startsWith(id ?? "?")).length, 1);
});

test("a key belongs to who uses it", async () => {
  play = (call) => answer(call, "ok");
  const other = await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: { label: "other", user_id: "other", scopes: ["llm"] },
  });
  assert.equal((await send("shared")).status, 200);
  assert.equal((await send("shared", other.value.key)).status, 200);
});

test("a call that took nothing frees its key", async () => {
  play = (call) => told(call, 400, '{"error":{"message":"no"}}');
  assert.equal((await send("refused")).status, 400);
  play = (call) => answer(call, "ok");
  assert.equal((await send("refused")).status, 200);
  assert.equal((await refusal(await send("refused")))[1], "IDEMPOTENCY_REPLAYED");
});

test("a key has 1 to 128 visible characters", async () => {
  for (const bad of ["k".repeat(129), "a b"]) {
    assert.equal((await send(bad)).status, 400, bad);
  }
  assert.equal((await send("k".repeat(128))).status, 200);
});

test("what no budget counts is refused, unless the operator allows it", async () => {
  play = (call) => answer(call, "ok");
  const budget = "/gateway/v1/budgets/dev-day";
  const calls = upstream.calls.length;
  const deleted = await edge.ask("DELETE", budget, { token: keys.admin_token });
  assert.equal(deleted.status, 200);
  assert.deepEqual((await refusal(await send(undefined))).slice(0, 2), [402, "NO_BUDGET"]);
  const anthropic = await fetch(`${edge.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": keys.user_token, "content-type": "application/json" },
    body: '{"model":"default","max_tokens":8,"messages":[{"role":"user","content":"x"}]}',
  });
  const { error } = (await anthropic.json()) as { error: { type: string } };
  assert.deepEqual([anthropic.status, error.type], [402, "billing_error"]);
  assert.equal(upstream.calls.length, calls);

  const open = await startEdge({
    variables: { UPSTREAM_BASE_URL: upstream.url, ALLOW_NO_BUDGET: "1" },
  });
  try {
    const { user_token, admin_token } = await open.keys();
    await open.ask("DELETE", budget, { token: admin_token });
    assert.equal((await send(undefined, user_token, open)).status, 200);
  } finally {
    await open.stop();
  }
});
