// More of a budget for a time: refused, asked for, granted, spent, ended.
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import type { Budget, Indicator, List, NewKey } from "./gateway.ts";
import { answer, startUpstream } from "./upstream.ts";
import { question, startEdge } from "./workerd.ts";

const HOUR = 3_600_000;

interface Extension {
  id: string;
  state: string;
  budget: string;
  user_id: string;
  asked: number;
  amount: number | null;
}

const upstream = await during(startUpstream((one) => answer(one, "ok", { input: 5, output: 5 })));
const edge = await during(startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url } }));
const keys = await edge.keys();

const call = () =>
  edge.ask("POST", "/v1/chat/completions", { token: keys.user_token, body: question() });
const put = (id: string, value: object) =>
  edge.ask<Budget & { granted?: number }>("PUT", `/gateway/v1/budgets/${id}`, {
    token: keys.admin_token,
    body: value,
  });
const post = (path: string, body?: object, token = keys.admin_token) =>
  edge.ask<Extension>("POST", `/gateway/v1/budgets/${path}`, { token, body });

test("a refusal names the page that asks for more; what is granted lets the call through", async () => {
  await put("small", { scope: "user:dev", unit: "tokens", period: "day", limit: 50 });
  const refused = await call();
  const { code, details } = refused.value.error;
  assert.deepEqual([refused.status, code, details.budget], [402, "BUDGET_EXHAUSTED", "small"]);
  const missing = details.need - 50;
  assert.equal(details.extension_url, `/usage?budget=small&ask=${missing}`);

  const asking = { amount: missing, reason: "A large model." };
  const asked = await post("small/extensions", asking, keys.user_token);
  assert.deepEqual([asked.status, asked.value.state, asked.value.asked], [201, "asked", missing]);
  assert.equal((await call()).status, 402, "asking is not having");

  const path = `small/extensions/${asked.value.id}`;
  const more = { amount: missing, until: Date.now() + HOUR };
  assert.equal((await post(`${path}/grant`, more, keys.user_token)).status, 403);
  const granted = await post(`${path}/grant`, more);
  assert.deepEqual([granted.status, granted.value.state], [200, "granted"]);
  const shown = await edge.ask<Indicator>("GET", "/gateway/v1/indicator", {
    token: keys.user_token,
  });
  assert.equal(shown.value.budget?.limit, 50 + missing);
  assert.equal((await call()).status, 200);

  const ended = await post(`${path}/end`);
  assert.deepEqual([ended.status, ended.value.state], [200, "ended"]);
  const after = await edge.ask<Budget>("GET", "/gateway/v1/budgets/small", {
    token: keys.admin_token,
  });
  assert.deepEqual([after.value.limit, after.value.spent], [50, 10], "nothing is taken back");
  const again = await call();
  assert.equal(again.value.error.details.limit, 50);
  assert.deepEqual(
    [(await post(`${path}/deny`)).status, (await post(`${path}/end`)).status],
    [409, 200],
  );
  await edge.ask("DELETE", "/gateway/v1/budgets/small", { token: keys.admin_token });
});

test("people ask for budgets of their own, and see their own requests", async () => {
  await put("bo", { scope: "user:bo", unit: "requests", period: "total", limit: 1 });
  const asking = { amount: 3, reason: "more" };
  assert.equal((await post("bo/extensions", asking, keys.user_token)).status, 404);
  assert.equal((await post("nothing/extensions", asking, keys.user_token)).status, 404);
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: { label: "bo", user_id: "bo", scopes: ["llm", "usage"] },
  });
  const { key } = made.value;
  const asked = await post("bo/extensions", asking, key);
  assert.equal(asked.status, 201);
  const list = async (token: string) =>
    (await edge.ask<List<Extension>>("GET", "/gateway/v1/extensions", { token })).value.items;
  assert.deepEqual(
    (await list(key)).map((one) => [one.budget, one.user_id, one.state]),
    [["bo", "bo", "asked"]],
  );
  assert.ok((await list(keys.admin_token)).length >= 2);
  assert.ok((await list(keys.user_token)).every((one) => one.user_id === "dev"));
  const denied = await post(`bo/extensions/${asked.value.id}/deny`);
  assert.deepEqual([denied.status, denied.value.state], [200, "denied"]);
});

test("what cannot be granted is refused where it stands", async () => {
  const asked = await post("dev-day/extensions", { amount: 1, reason: "x" }, keys.user_token);
  const grant = (body: object) => post(`dev-day/extensions/${asked.value.id}/grant`, body);
  for (const [body, pointer] of [
    [{ amount: 0, until: Date.now() + HOUR }, "/amount"],
    [{ amount: 2 ** 53, until: Date.now() + HOUR }, "/amount"],
    [{ amount: 1, until: Date.now() - 1 }, "/until"],
    [{ amount: 1, until: Date.now() + 32 * 24 * HOUR }, "/until"],
  ] as const) {
    const told = await grant(body);
    assert.deepEqual(
      [told.status, told.value.error.code, told.value.error.details.pointer],
      [400, "INVALID_REQUEST", pointer],
    );
  }
  assert.equal((await grant({ amount: 1 })).status, 400);
  for (const body of [{ amount: 1 }, { amount: 1, reason: "" }, { amount: -1, reason: "x" }])
    assert.equal((await post("dev-day/extensions", body, keys.user_token)).status, 400);
  assert.equal((await post("dev-day/extensions/ext_none/end")).status, 404);
});
