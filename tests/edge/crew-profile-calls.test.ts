// The test of a user's own model against a server that does as it is told: what it finds, what it costs, what leaves
// (ai-sessions.md §8 "Test", gateway.md §10 "BYOK").
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { freePort } from "../ports.ts";
import type { Budget, LedgerRow, List } from "./gateway.ts";
import {
  own,
  PLAIN,
  save,
  secrets,
  show,
  startOwn,
  type Tested,
  tryOut,
  userKey,
} from "./profile.ts";
import { answer, type Call, last, startUpstream, told } from "./upstream.ts";
import { eventually } from "./workerd.ts";

let play: (call: Call) => unknown = (call) => answer(call, "ok");

const server = await during(startUpstream((call) => play(call)));
// The platform's model has a price, users' own have none.
const UPSTREAM_PRICE = '{"input":1000000,"output":1000000}';
const edge = await during(startOwn({ ...secrets("k1"), UPSTREAM_PRICE }));
const keys = await edge.keys();

/** A fresh user, so that ten tests a minute are enough for each. */
let users = 0;
const somebody = () => {
  users += 1;
  return userKey(edge, keys, `user-${users}`);
};
async function tested(token: string, body?: unknown): Promise<Tested> {
  const { status, value, raw } = await tryOut(edge, token, body === undefined ? {} : { body });
  assert.equal(status, 200, raw);
  assert.equal(value.error, null);
  assert.ok(Number.isInteger(value.data.latencyMs) && value.data.latencyMs >= 0, raw);
  assert.ok(value.data.ok || value.data.hints.length > 0, raw);
  return value.data;
}
interface Payer {
  user_id: string;
  payer: string;
  provider: string;
  cost: number | null;
}
const ledger = async () =>
  (
    await edge.ask<List<LedgerRow & Payer>>("GET", "/gateway/v1/ledger", {
      token: keys.admin_token,
    })
  ).value.items;

test("the saved profile is asked for one token, and what it said is noted", async () => {
  const token = await somebody();
  play = (call) => answer(call, "ok", { input: 9, output: 1 });
  assert.equal((await save(edge, token, own(server.url, { timeoutSeconds: 5 }))).status, 200);
  const found = await tested(token);
  assert.deepEqual([found.ok, found.code, found.hints, found.said], [true, "OK", [], null]);

  const call = last(server.calls);
  assert.equal(call.path, "/v1/chat/completions");
  assert.equal(call.headers.authorization, `Bearer ${PLAIN}`);
  assert.deepEqual([call.body.model, call.body.max_tokens], ["writer-large", 1]);
  const shown = (await show(edge, token)).value.data;
  assert.equal(shown.healthStatus, "ok");
  assert.match(shown.lastTestedAt ?? "", /^20\d\d-/);
  // Another save is another profile, which nobody tested.
  const again = await save(edge, token, own(server.url, { apiKey: undefined }));
  assert.equal(again.value.data.healthStatus, "unknown");
});

test("a test is metered in full and counts in no budget of the platform", async () => {
  const token = await somebody();
  play = (call) => answer(call, "ok", { input: 9, output: 1 });
  const before = await edge.ask<Budget>("GET", "/gateway/v1/budgets/dev-day", {
    token: keys.admin_token,
  });
  await tested(token, own(server.url));
  const row = await eventually(async () => {
    const value = (await ledger()).find((one) => one.user_id === `user-${users}`);
    return { ok: value !== undefined, ...(value ? { value } : {}) };
  });
  assert.deepEqual(
    [row.payer, row.provider, row.tokens, row.cost, row.tag, row.outcome],
    ["byok", "byok", 10, null, "llm-profile-test", "ok"],
  );
  const now = await edge.ask<Budget>("GET", "/gateway/v1/budgets/dev-day", {
    token: keys.admin_token,
  });
  assert.deepEqual([now.value.spent, now.value.held], [before.value.spent, before.value.held]);
});

test("budgets of own keys count, and one of money asks for prices", async () => {
  const token = await somebody();
  play = (call) => answer(call, "ok", { input: 9, output: 1 });
  const put = (unit: string, payer: string, limit: number) =>
    edge.ask("PUT", `/gateway/v1/budgets/own-${unit}`, {
      token: keys.admin_token,
      body: { scope: `user:user-${users}`, unit, period: "day", limit, payer },
    });
  assert.equal((await put("requests", "byok", 1)).status, 200);
  assert.equal((await tested(token, own(server.url))).ok, true);
  const spent = await tryOut(edge, token, { body: own(server.url) });
  assert.deepEqual([spent.status, spent.value.error?.code], [429, "BUDGET_EXCEEDED"]);
  assert.equal(spent.value.error.details?.budget, "own-requests");
  await edge.ask("DELETE", "/gateway/v1/budgets/own-requests", { token: keys.admin_token });
  const nothing = await put("cost", "byok", 1_000_000);
  assert.deepEqual([nothing.status, nothing.value.error.code], [503, "MODEL_NOT_PRICED"]);
  assert.equal((await put("cost", "any", 1_000_000)).status, 200);
  const unpriced = await tryOut(edge, token, { body: own(server.url) });
  assert.deepEqual([unpriced.status, unpriced.value.error?.code], [503, "MODEL_NOT_PRICED"]);
  assert.equal((await put("nonsense", "nobody", 1)).status, 400);
});

test("what a server answers is told apart, in its own words, redacted and cut", async () => {
  const token = await somebody();
  assert.equal((await save(edge, token, own(server.url))).status, 200);
  const words = (text: string) => JSON.stringify({ error: { message: text } });
  const rows: [number, string, string][] = [
    [
      401,
      words(`Incorrect API key provided: ${PLAIN}`),
      "Incorrect API key provided: ***REDACTED***",
    ],
    [403, words("no such project"), "no such project"],
    [429, words("slow down"), "slow down"],
    [404, words("no model writer-large"), "no model writer-large"],
    [400, "plain words", "plain words"],
    [500, words("x".repeat(500)), `${"x".repeat(299)}…`],
  ];
  for (const [status, body, text] of rows) {
    play = (call) => told(call, status, body);
    const found = await tested(token);
    assert.deepEqual(
      [found.ok, found.code, found.said],
      [false, "AI_PROVIDER_ERROR", { status, text }],
    );
    assert.match(found.message, new RegExp(`\\b${status}\\b`));
  }
  const asked = server.calls.length;
  await tested(token);
  assert.equal(server.calls.length, asked + 1, "asked once, whatever it answers");
  assert.equal((await show(edge, token)).value.data.healthStatus, "failed");
});

test("a redirect is never followed", async () => {
  const token = await somebody();
  let reached = 0;
  const other = await startUpstream((call) => {
    reached += 1;
    answer(call, "ok");
  });
  play = (call) => {
    call.head(302, { location: `${other.url}/chat/completions` });
    call.end();
  };
  const found = await tested(token, own(server.url));
  assert.deepEqual([found.code, found.said?.status, reached], ["AI_PROVIDER_ERROR", 302, 0]);
  await other.stop();
});

test("refused, timed out and unreachable are told apart", async () => {
  const token = await somebody();
  const port = await freePort();
  const nobody = await tested(token, own(`http://127.0.0.1:${port}/v1`));
  assert.deepEqual([nobody.ok, nobody.code], [false, "AI_PROVIDER_UNREACHABLE"]);
  assert.ok(!nobody.message.includes(String(port)), "nothing about ports");
  play = () => {};
  const slow = await tested(token, own(server.url, { timeoutSeconds: 1 }));
  assert.deepEqual([slow.ok, slow.code], [false, "AI_PROVIDER_TIMEOUT"]);
  assert.ok(slow.latencyMs >= 900 && slow.latencyMs < 20_000, String(slow.latencyMs));
  // Silent in the middle.
  play = (call) => {
    call.head(200, { "content-type": "application/json" });
    call.send('{"choices":');
  };
  assert.equal(
    (await tested(token, own(server.url, { timeoutSeconds: 1 }))).code,
    "AI_PROVIDER_TIMEOUT",
  );
  play = (call) => call.cut();
  assert.equal((await tested(token, own(server.url))).code, "AI_PROVIDER_UNREACHABLE");
});

test("an answer that is too large or no answer of a model is cut off", async () => {
  const token = await somebody();
  play = async (call) => {
    call.head(200, { "content-type": "application/json" });
    const piece = Buffer.alloc(1 << 20, 0x20);
    for (let sent = 0; sent < 64 && !call.gone; sent += 1) {
      call.send(piece);
      await new Promise((next) => setTimeout(next, 5));
    }
    call.end("{}");
  };
  const large = await tested(token, own(server.url));
  assert.equal(large.code, "AI_PROVIDER_ERROR");
  assert.equal(await last(server.calls).closed, true, "it was not read to its end");
  play = (call) => told(call, 200, "<html>hello</html>");
  assert.equal((await tested(token, own(server.url))).code, "AI_PROVIDER_ERROR");
});

test("without a body and a profile nothing is called; a disabled one says so", async () => {
  const token = await somebody();
  const asked = server.calls.length;
  for (const body of [undefined, { provider: "disabled" }, {}]) {
    const found = await tested(token, body);
    assert.deepEqual([found.ok, found.code], [false, "AI_DISABLED"]);
  }
  assert.equal(server.calls.length, asked);
});

test("fields of a profile that is tried out are found, not refused", async () => {
  const token = await somebody();
  for (const [change, code] of [
    [{ model: "" }, "LLM_PROFILE_MISSING_MODEL"],
    [{ timeoutSeconds: "5" }, "LLM_PROFILE_INVALID_TIMEOUT"],
    [{ provider: "x" }, "LLM_PROFILE_INVALID_PROVIDER"],
    [{ apiKey: "***" }, "LLM_PROFILE_INVALID_API_KEY"],
    [{ baseUrl: undefined }, "LLM_PROFILE_MISSING_BASE_URL"],
  ] as const) {
    const found = await tested(token, own(server.url, change));
    assert.deepEqual([found.ok, found.code], [false, code]);
  }
});

test("a profile that is tried out is not stored, and the stored key goes to its own origin only", async () => {
  const token = await somebody();
  play = (call) => answer(call, "ok");
  const other = await startUpstream((call) => answer(call, "ok"));
  assert.equal((await save(edge, token, own(server.url))).status, 200);
  const before = (await show(edge, token)).value.data;
  const keep = { apiKey: undefined, model: "other" };

  assert.equal((await tested(token, own(server.url, keep))).ok, true);
  assert.equal(last(server.calls).headers.authorization, `Bearer ${PLAIN}`);
  assert.equal((await tested(token, own(server.url, { ...keep, apiKey: null }))).ok, true);
  assert.equal(last(server.calls).headers.authorization, undefined);
  assert.equal((await tested(token, own(other.url, keep))).ok, true);
  assert.equal(last(other.calls).headers.authorization, undefined);
  assert.ok(
    !JSON.stringify(other.calls.map(({ headers, raw }) => [headers, raw])).includes("SECRETWORD"),
  );
  assert.equal((await tested(token, own(other.url, { apiKey: "sk-another-key-9f3c" }))).ok, true);
  assert.equal(last(other.calls).headers.authorization, "Bearer sk-another-key-9f3c");
  assert.deepEqual(
    (await show(edge, token)).value.data,
    before,
    "nothing is stored, no health either",
  );
  await other.stop();
});

test("ten tests a minute and user", async () => {
  const [ann, bob] = [await somebody(), await somebody()];
  for (let made = 0; made < 10; made += 1) assert.equal((await tested(ann)).code, "AI_DISABLED");
  const over = await tryOut(edge, ann);
  assert.deepEqual([over.status, over.value.error?.code], [429, "RATE_LIMITED"]);
  assert.ok(Number(over.headers.get("retry-after")) > 0);
  assert.equal((await tested(bob)).code, "AI_DISABLED", "another user's tests are counted apart");
});
