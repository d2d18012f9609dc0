// What a provider was sent is paid for, try by try, whatever became of it; what never left, and what it refused, is
// free (gateway.md §6 "Settle").
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { freePort } from "../ports.ts";
import type { Budget, LedgerRow, List, NewKey } from "./gateway.ts";
import { answer, type Call, play, sleep, startUpstream, told } from "./upstream.ts";
import { type Body, eventually, startEdge } from "./workerd.ts";

let play_with: (call: Call) => unknown;

const LATE_MS = 300;

const upstream = await during(startUpstream((call) => play_with(call)));
const edge = await during(
  startEdge({
    variables: {
      UPSTREAM_BASE_URL: upstream.url,
      FIRST_BYTE_MS: String(LATE_MS),
      TOTAL_MS: "4000",
    },
  }),
);
const keys = await edge.keys();

const rows = async (on = edge, token = keys.admin_token) =>
  (await on.ask<List<LedgerRow>>("GET", "/gateway/v1/ledger?limit=100", { token })).value.items;
const budget = async (id: string) =>
  (await edge.ask<Budget>("GET", `/gateway/v1/budgets/${id}`, { token: keys.admin_token })).value;
const code = async (given: Response) => ((await given.json()) as Body<unknown>).error.code;

/** Somebody with a key and budgets of their own, so that each case counts for itself. */
async function somebody(name: string, requests: number) {
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: { label: name, user_id: name, scopes: ["llm", "usage"] },
  });
  assert.equal(made.status, 201, made.raw);
  for (const [unit, limit] of [
    ["requests", requests],
    ["tokens", 1_000_000],
  ] as const)
    await edge.ask("PUT", `/gateway/v1/budgets/${name}-${unit}`, {
      token: keys.admin_token,
      body: { scope: `user:${name}`, unit, period: "day", limit },
    });
  const known = new Set((await rows()).map((row) => row.request_id));
  const calls = upstream.calls.length;
  return {
    call: (more: object = {}, on = edge, token = made.value.key) =>
      fetch(`${on.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "default",
          max_tokens: 40,
          messages: [{ role: "user", content: "some words that a provider would count" }],
          ...more,
        }),
      }),
    sent: () => upstream.calls.length - calls,
    /** The rows of this one, oldest first, once nothing is held. */
    rows: () =>
      eventually(async () => {
        const own = (await rows()).filter((row) => !known.has(row.request_id)).reverse();
        const held =
          (await budget(`${name}-tokens`)).held + (await budget(`${name}-requests`)).held;
        return { ok: held === 0 && own.length > 0, value: own };
      }),
    requests: async () => (await budget(`${name}-requests`)).spent,
    tokens: async () => (await budget(`${name}-tokens`)).spent,
  };
}

test("a budget of one request a day lets one request reach a provider that is always late", async () => {
  play_with = (one) => one.closed;
  const late = await somebody("late", 1);
  const seen: [number, string][] = [];
  for (let n = 0; n < 3; n++) {
    const given = await late.call({ stream: true });
    seen.push([given.status, await code(given)]);
  }
  assert.deepEqual(seen, [
    [504, "UPSTREAM_TIMEOUT"],
    [429, "BUDGET_EXCEEDED"],
    [429, "BUDGET_EXCEEDED"],
  ]);
  assert.equal(late.sent(), 1);
  const [row, ...more] = await late.rows();
  assert.deepEqual([more.length, await late.requests()], [0, 1]);
  assert.deepEqual([row?.outcome, row?.usage_source, row?.output], ["timeout", "estimated", 0]);
  assert.ok(row && row.input > 0 && row.tokens === row.input && row.tokens < row.held_tokens);
  assert.equal(await late.tokens(), row.tokens);
});

/** Name, what the provider does, the answer's status and code, the row's outcome; each of both tries. */
const taken: [string, (call: Call) => unknown, number, string, string][] = [
  ["a first byte that is late", (one) => one.closed, 504, "UPSTREAM_TIMEOUT", "timeout"],
  [
    "a head without a byte behind it",
    (one) => {
      one.head();
      return one.closed;
    },
    504,
    "UPSTREAM_TIMEOUT",
    "timeout",
  ],
  [
    "a reset before the first byte",
    (one) => one.cut(),
    502,
    "UPSTREAM_UNREACHABLE",
    "upstream_error",
  ],
  [
    "a reset behind the head",
    async (one) => {
      one.head();
      await sleep(30);
      one.cut();
    },
    502,
    "UPSTREAM_ERROR",
    "upstream_error",
  ],
  ["408", (one) => told(one, 408, "{}"), 502, "UPSTREAM_ERROR", "upstream_error"],
  ["500", (one) => told(one, 500, "{}"), 502, "UPSTREAM_ERROR", "upstream_error"],
  ["503", (one) => told(one, 503, "busy"), 502, "UPSTREAM_ERROR", "upstream_error"],
];

for (const [name, handle, status, said, outcome] of taken) {
  test(`${name}: each try is a request and its input`, async () => {
    play_with = handle;
    const one = await somebody(name.replaceAll(/[^a-z0-9]/g, ""), 100);
    const given = await one.call({ stream: true });
    assert.deepEqual([given.status, await code(given)], [status, said]);
    const own = await one.rows();
    const id = given.headers.get("x-request-id") ?? "";
    assert.deepEqual(
      own.map((row) => [row.request_id, row.outcome, row.usage_source]),
      [
        [id, outcome, "estimated"],
        [`${id}.2`, outcome, "estimated"],
      ],
    );
    for (const row of own)
      assert.ok(row.input > 0 && row.tokens === row.input, JSON.stringify(row));
    assert.deepEqual([one.sent(), await one.requests()], [2, 2]);
    assert.equal(await one.tokens(), 2 * (own[0]?.tokens ?? 0));
  });
}

for (const status of [400, 401, 403, 404, 409, 413, 422, 425, 429]) {
  test(`a refusal ${status} costs nothing`, async () => {
    play_with = (one) => told(one, status, '{"error":{"message":"no"}}');
    const one = await somebody(`refused${status}`, 100);
    for (const stream of [true, false]) await (await one.call({ stream })).text();
    for (const row of await one.rows())
      assert.deepEqual([row.outcome, row.tokens, row.usage_source], ["released", 0, "none"]);
    assert.deepEqual([await one.requests(), await one.tokens()], [0, 0]);
    assert.ok(one.sent() >= 2);
  });
}

for (const status of [400, 429]) {
  test(`a refusal ${status} that reports what it took is charged that`, async () => {
    const usage = { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 };
    play_with = (one) =>
      told(one, status, JSON.stringify({ error: { message: "filtered" }, choices: [], usage }));
    const one = await somebody(`filtered${status}`, 100);
    await (await one.call()).text();
    const own = await one.rows();
    for (const row of own) assert.deepEqual([row.tokens, row.usage_source], [13, "reported"]);
    assert.deepEqual([await one.requests(), await one.tokens()], [one.sent(), 13 * one.sent()]);
  });
}

test("an answer of nothing was a request, and so is the second try", async () => {
  play_with = (one) => told(one, 200, "");
  const one = await somebody("nothing", 100);
  const given = await one.call();
  assert.deepEqual([given.status, await code(given)], [502, "UPSTREAM_PROTOCOL_ERROR"]);
  const [row] = await one.rows();
  assert.deepEqual(
    [row?.outcome, row?.usage_source, await one.requests()],
    ["upstream_error", "estimated", 2],
  );
  assert.ok(row && row.input > 0);
});

test("a retry that finds no room is not made, and the first failure is told", async () => {
  play_with = (one) => told(one, 500, "{}");
  const one = await somebody("noroom", 1);
  const given = await one.call();
  assert.deepEqual([given.status, await code(given)], [502, "UPSTREAM_ERROR"]);
  assert.deepEqual([one.sent(), await one.requests(), (await one.rows()).length], [1, 1, 1]);
});

test("a retry that succeeds is held and charged by itself", async () => {
  let tries = 0;
  play_with = (one) => {
    tries += 1;
    if (tries === 1) told(one, 500, "{}");
    else if (one.body.stream) play(one, ["a", "b"], { input: 9 });
    else answer(one, "ok", { input: 9, output: 2 });
  };
  for (const stream of [true, false]) {
    tries = 0;
    const one = await somebody(`again${stream}`, 100);
    const given = await one.call({ stream });
    await given.text();
    const id = given.headers.get("x-request-id");
    assert.deepEqual([given.status, given.headers.get("holdpoint-attempts")], [200, "2"]);
    const [first, second, ...more] = await one.rows();
    assert.equal(more.length, 0);
    assert.deepEqual([first?.request_id, first?.usage_source], [id, "estimated"]);
    assert.deepEqual(
      [second?.request_id, second?.outcome, second?.usage_source, second?.tokens],
      [`${id}.2`, "ok", "reported", 11],
    );
    assert.deepEqual([await one.requests(), await one.tokens()], [2, (first?.tokens ?? 0) + 11]);
  }
});

test("what never left costs nothing: nobody listens", async () => {
  const port = await freePort();
  const nowhere = await startEdge({
    variables: { UPSTREAM_BASE_URL: `http://127.0.0.1:${port}/v1` },
  });
  try {
    const { user_token, admin_token } = await nowhere.keys();
    const given = await fetch(`${nowhere.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${user_token}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "default", messages: [{ role: "user", content: "x" }] }),
    });
    assert.deepEqual([given.status, await code(given)], [502, "UPSTREAM_UNREACHABLE"]);
    const own = await eventually(async () => {
      const value = await rows(nowhere, admin_token);
      return { ok: value.length === 2, value };
    });
    assert.deepEqual(
      own.map((row) => [row.outcome, row.tokens]),
      [
        ["released", 0],
        ["released", 0],
      ],
    );
  } finally {
    await nowhere.stop();
  }
});
