// Runs hold a share and not the whole, so many a key, and give back when they rest (gateway.md §6 "Runs").
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import type { GatewayRun, NewKey } from "./gateway.ts";
import { answer, startUpstream } from "./upstream.ts";
import { eventually, question, startEdge } from "./workerd.ts";

const upstream = await during(startUpstream((call) => answer(call, "ok", { input: 5, output: 5 })));
const edge = await during(
  startEdge({
    variables: {
      UPSTREAM_BASE_URL: upstream.url,
      MAX_OPEN_RUNS: "3",
      RUN_IDLE_MS: "6000",
      RUN_KEEP_MS: "500",
    },
  }),
);
const keys = await edge.keys();

const ask = (method: string, path: string, token: string, body?: object) =>
  edge.ask<GatewayRun>(method, `/gateway/v1/runs${path}`, { token, body });
const budget = () => edge.budget();
const call = (token: string) =>
  edge.ask("POST", "/v1/chat/completions", { token, body: question() });
const another = async (name: string) =>
  (
    await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
      token: keys.admin_token,
      body: { label: name, user_id: name, scopes: ["llm", "usage"] },
    })
  ).value;

test("no open run holds the whole of an account's budget, and resting ones give back by themselves", async () => {
  const { limit } = await budget();
  const whole = await ask("POST", "", keys.user_token, { tokens: limit });
  assert.deepEqual([whole.status, whole.value.error.code], [402, "BUDGET_EXHAUSTED"]);
  const { key: other } = await another("other");
  const opened: string[] = [];
  for (const token of [keys.user_token, other])
    for (let n = 0; n < 4; n++) {
      const run = await ask("POST", "", token, { tokens: Math.floor(limit / 5) });
      if (run.status === 201 || run.status === 200) opened.push(run.value.id);
      else assert.match(run.value.error.code, /^(TOO_MANY_IN_FLIGHT|BUDGET_HELD)$/, run.raw);
    }
  assert.equal(opened.length, 4, "three of one key, and the rest of the share");
  const { held } = await budget();
  assert.ok(held <= limit * 0.8, `${held} of ${limit}`);
  for (const token of [keys.user_token, other]) assert.equal((await call(token)).status, 200);
  // Nobody asks for anything: the alarm gives back, and then forgets.
  await eventually(
    async () => {
      const value = (await budget()).held;
      return { ok: value === 0, value };
    },
    { ms: 20_000 },
  );
  await eventually(async () => {
    const found = await Promise.all(opened.map((id) => ask("GET", `/${id}`, keys.user_token)));
    const value = found.map((one) => one.status);
    return { ok: value.every((status) => status === 404), value };
  });
});

test("a revoked key gives back what its runs hold", async () => {
  const { key, id } = await another("soon-gone");
  assert.equal((await ask("POST", "", key, { tokens: 1_000 })).status < 300, true);
  assert.equal((await budget()).held, 1_000);
  await edge.ask("POST", `/gateway/v1/keys/${id}/revoke`, { token: keys.admin_token });
  assert.equal((await budget()).held, 0);
});
