// Limits of a scope: calls that are open at once, and their rate, for all relays of an account together.
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { answer, type Call, startUpstream } from "./upstream.ts";
import { eventually, question, startEdge } from "./workerd.ts";

let play_with: (call: Call) => unknown = (one) => answer(one, "ok");

interface Limit {
  scope: string;
  max_in_flight: number | null;
  in_flight: number;
}

const upstream = await during(startUpstream((call) => play_with(call)));
const edge = await during(startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url } }));
const keys = await edge.keys();

const call = () =>
  edge.ask("POST", "/v1/chat/completions", {
    token: keys.user_token,
    body: question({ max_tokens: 4 }),
  });
const asked = (method: string, scope: string, body?: object) =>
  edge.ask<Limit>(method, `/gateway/v1/limits/${scope}`, { token: keys.admin_token, body });

test("of twenty calls at once as many run as may be open, and the next one runs when they ended", async () => {
  const waiting: Call[] = [];
  play_with = (one) => void waiting.push(one);
  const put = await asked("PUT", "user:dev", { max_in_flight: 6 });
  assert.deepEqual([put.status, put.value.max_in_flight, put.value.in_flight], [200, 6, 0]);
  const all = Array.from({ length: 20 }, call);
  await eventually(async () => ({ ok: waiting.length >= 6, value: waiting.length }));
  const refused = await Promise.race(all);
  assert.equal(refused.status, 429);
  assert.deepEqual(
    [
      refused.value.error.code,
      refused.value.error.details.scope,
      refused.value.error.details.limit,
    ],
    ["TOO_MANY_IN_FLIGHT", "user:dev", 6],
  );
  assert.equal((await asked("GET", "user:dev")).value.in_flight, 6);
  for (const one of waiting) answer(one, "ok");
  const ended = await Promise.all(all);
  assert.equal(ended.filter((one) => one.status === 200).length, 6);
  play_with = (one) => answer(one, "ok");
  assert.equal((await call()).status, 200);
  assert.equal((await asked("DELETE", "user:dev")).status, 200);
  assert.equal((await asked("GET", "user:dev")).status, 404);
});

test("a rate holds over a restart, and says how long to wait", async () => {
  play_with = (one) => answer(one, "ok");
  const rate = { count: 2, per_ms: 60_000 };
  assert.equal((await asked("PUT", "account:dev", { rate })).status, 200);
  assert.deepEqual([(await call()).status, (await call()).status], [200, 200]);
  await edge.kill();
  await edge.start();
  const { status, value } = await call();
  assert.deepEqual([status, value.error.code], [429, "RATE_LIMITED"]);
  const wait = value.error.details.retry_after_ms;
  assert.ok(wait > 15_000 && wait <= 30_000, `${wait}`);
  assert.equal((await asked("DELETE", "account:dev")).status, 200);
  assert.equal((await call()).status, 200);
});

test("limits that mean nothing are refused where they stand", async () => {
  const none = await asked("PUT", "user:dev", { rate: { count: 0, per_ms: 1 } });
  assert.deepEqual(
    [none.status, none.value.error.code, none.value.error.details.pointer],
    [400, "INVALID_REQUEST", "/rate/count"],
  );
  for (const body of [{ max_in_flight: -1 }, { maximum: 3 }, { rate: { count: 1 } }])
    assert.equal((await asked("PUT", "user:dev", body)).status, 400, JSON.stringify(body));
  assert.equal((await asked("PUT", "somebody", { max_in_flight: 1 })).status, 400);
  assert.equal((await asked("PUT", "account:other", { max_in_flight: 1 })).status, 400);
});
