// Budgets of money and the prices that they need, on real workerd (gateway.md §4): one upstream that variables
// describe, with a price and without.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Budget, LedgerRow, List } from "./gateway.ts";
import { answer, startUpstream, type Upstream } from "./upstream.ts";
import { type Answer, type Edge, eventually, startEdge } from "./workerd.ts";

let upstream: Upstream;
const edges: Edge[] = [];

before(async () => {
  upstream = await startUpstream((call) => answer(call, "ok", { input: 1_000, output: 20 }));
});
after(async () => {
  for (const edge of edges) await edge.stop();
  await upstream?.stop();
});

const PRICE = '{"input":3000000,"output":15000000}';
async function start(more: Record<string, string>, stateDir?: string): Promise<Edge> {
  const variables = { UPSTREAM_BASE_URL: upstream.url, UPSTREAM_MODEL: "m", ...more };
  const edge = await startEdge({ variables, ...(stateDir ? { stateDir } : {}) });
  edges.push(edge);
  return edge;
}
const put = async (edge: Edge, limit: number, more: object = {}): Promise<Answer<Budget>> =>
  edge.ask("PUT", "/gateway/v1/budgets/money", {
    token: (await edge.keys()).admin_token,
    body: { scope: "account:dev", unit: "cost", period: "day", limit, ...more },
  });
const call = async (edge: Edge): Promise<Answer> =>
  edge.ask("POST", "/v1/chat/completions", {
    token: (await edge.keys()).user_token,
    body: {
      model: "default",
      max_tokens: 20,
      messages: [{ role: "user", content: "x".repeat(1_000) }],
    },
  });
const says = (answer: Answer) => {
  const { code, message } = answer.value.error;
  for (const place of ["UPSTREAM_PRICE", "GATEWAY_CONFIG"])
    assert.ok(message.includes(place), message);
  return [answer.status, code];
};

test("without prices no budget of money is set; tokens are counted, money is not told", async () => {
  const edge = await start({});
  for (const payer of ["platform", "byok", "any"])
    assert.deepEqual(says(await put(edge, 1_000_000, { payer })), [503, "MODEL_NOT_PRICED"]);
  assert.equal((await call(edge)).status, 200);
  const { admin_token: token } = await edge.keys();
  const row = await eventually(async () => {
    const rows = await edge.ask<List<LedgerRow & { cost: number | null }>>(
      "GET",
      "/gateway/v1/ledger",
      { token },
    );
    const [value] = rows.value.items;
    return value ? { ok: true, value } : { ok: false };
  });
  assert.deepEqual([row.tokens, row.cost], [1_020, null]);
});

test("with a price money is held, charged, and ends calls", async () => {
  const edge = await start({ UPSTREAM_PRICE: PRICE });
  assert.equal((await put(edge, 0)).status, 200);
  const before = upstream.calls.length;
  const none = await call(edge);
  assert.deepEqual([none.status, none.value.error.code], [402, "BUDGET_EXHAUSTED"]);
  assert.equal(upstream.calls.length, before, "nothing was sent");

  // 1000 × 3 + 20 × 15 micros a call; held is up to some 1 200 × 3 more.
  assert.equal((await put(edge, 8_000)).status, 200);
  for (const spent of [3_300, 6_600]) {
    assert.equal((await call(edge)).status, 200);
    await eventually(async () => {
      const { value } = await edge.ask<Budget>("GET", "/gateway/v1/budgets/money", {
        token: (await edge.keys()).admin_token,
      });
      return { ok: value.held === 0 && value.spent === spent, value };
    });
  }
  const over = await call(edge);
  assert.deepEqual([over.status, over.value.error.code], [429, "BUDGET_EXCEEDED"]);
});

test("where prices were taken away a budget of money refuses the call and the quote", async () => {
  const priced = await start({ UPSTREAM_PRICE: PRICE });
  const keys = await priced.keys();
  assert.equal((await put(priced, 1_000_000)).status, 200);
  await priced.kill();

  const edge = await start({}, priced.dir);
  edge.tokens = keys;
  const before = upstream.calls.length;
  assert.deepEqual(says(await call(edge)), [503, "MODEL_NOT_PRICED"]);
  assert.equal(upstream.calls.length, before, "nothing was sent");
  const quote = await edge.ask("POST", "/gateway/v1/quote", {
    token: keys.user_token,
    body: {
      model: "default",
      input_tokens: { min: 1, max: 9 },
      output_tokens: { min: 1, max: 9 },
    },
  });
  assert.deepEqual(says(quote), [503, "MODEL_NOT_PRICED"]);
});

test("a price that is no price leaves no model, and the log says what to correct", async () => {
  const edge = await start({ UPSTREAM_PRICE: '{"input":3000000,"Output":15000000}' });
  const lost = await call(edge);
  assert.deepEqual([lost.status, lost.value.error.code], [404, "MODEL_NOT_FOUND"]);
  assert.match(edge.log, /UPSTREAM_PRICE: `Output` is no member of a price/);
});
