// What goes wrong beside the gateway costs what was used, and no account: numbers that no call can reach, answers that
// cannot be read, streams that say zero and break off, admissions whose answer is lost.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LOSE_ALL, LOSE_FIRST, loseAnswers, NO_ALARM } from "./faults.ts";
import type { Budget, Indicator, LedgerRow, List } from "./gateway.ts";
import {
  answer,
  type Call,
  chunk,
  done,
  finish,
  startUpstream,
  type Upstream,
} from "./upstream.ts";
import { type Body, type Edge, eventually, type Keys, startEdge } from "./workerd.ts";

let edge: Edge;
let upstream: Upstream;
let keys: Keys;
let play_with: (call: Call) => unknown;
let whole_again: () => void;

before(async () => {
  upstream = await startUpstream((call) => play_with(call));
  whole_again = loseAnswers();
  edge = await startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url } });
  keys = await edge.keys();
});
after(async () => {
  await edge?.stop();
  await upstream?.stop();
  whole_again?.();
});

const words = { max_tokens: 400, messages: [{ role: "user", content: "some words to count" }] };
const call = (more: object = {}, headers: Record<string, string> = {}) =>
  edge.call(keys.user_token, { ...words, ...more }, headers);
const read = async <T>(path: string, token = keys.admin_token): Promise<T> => {
  const found = await edge.ask<T>("GET", `/gateway/v1/${path}`, { token });
  assert.equal(found.status, 200, `${path}: ${found.raw}`);
  return found.value;
};
const row = async (id: string) =>
  (await read<List<LedgerRow>>("ledger")).items.find((one) => one.request_id === id);
const budget = () => read<Budget>("budgets/dev-day");
/** The row of a call, once nothing is held any more. */
const settled = (given: Response) =>
  eventually(async () => {
    const [value, { held }] = [await row(given.headers.get("x-request-id") ?? ""), await budget()];
    return { ok: value !== undefined && held === 0, value };
  });
const codeOf = async (given: Response) => ((await given.json()) as Body<unknown>).error.code;
const estimated = (one: LedgerRow) => {
  assert.equal(one.usage_source, "estimated");
  assert.ok(one.input > 0 && one.output > 0, JSON.stringify(one));
  assert.ok(one.tokens <= one.held_tokens && one.excess_tokens === 0, JSON.stringify(one));
};

// The first of all: a later call expires later, so that the alarm stands already.
test("an alarm that cannot be set fails no call that was admitted", async () => {
  play_with = (one) => answer(one, "heard", { input: 9, output: 3 });
  const given = await call({}, { "holdpoint-tag": NO_ALARM });
  assert.equal(given.status, 200);
  await given.text();
  const one = await settled(given);
  assert.deepEqual([one.outcome, one.tokens], ["ok", 12]);
  assert.match(edge.log, /account\.alarm/);
});

test("counters that no call can reach are estimated, and the account stays readable", async () => {
  const most = Number.MAX_SAFE_INTEGER;
  for (const number of [most, 1e308, 2 ** 63, -1, 0.5]) {
    play_with = (one) => answer(one, "some words", { input: number, output: number });
    const given = await call();
    assert.equal(given.status, 200);
    await given.text();
    const one = await settled(given);
    estimated(one);
  }
  play_with = (one) => answer(one, "some words", { input: 9, output: 3 });
  const next = await call();
  assert.equal(next.status, 200);
  assert.equal(next.headers.get("holdpoint-tokens"), "12");
  await next.text();
  assert.equal((await read<Indicator>("indicator", keys.user_token)).state, "ok");
});

test("an answer that is no JSON is charged by its bytes", async () => {
  const words = "not JSON ".repeat(10);
  play_with = (one) => {
    one.head(200, { "content-type": "application/json" });
    one.end(words);
  };
  const given = await call();
  assert.deepEqual([given.status, await codeOf(given)], [502, "UPSTREAM_PROTOCOL_ERROR"]);
  const one = await settled(given);
  estimated(one);
  assert.deepEqual(
    [one.outcome, one.output, one.output_bytes],
    ["upstream_error", words.length / 3, words.length],
  );
});

test("a stream that cannot be read is charged by its bytes", async () => {
  const words = "no JSON ".repeat(12);
  play_with = (one) => {
    one.head();
    one.end(`data: ${words}\n\n${done}`);
  };
  const given = await call({ stream: true });
  const text = await given.text();
  assert.match(text, /UPSTREAM_PROTOCOL_ERROR/);
  assert.doesNotMatch(text, /no JSON/);
  const one = await settled(given);
  estimated(one);
  assert.deepEqual([one.outcome, one.output], ["upstream_error", words.length / 3]);
});

test("an answer of values that nobody asked for is read within a part of an isolate", async () => {
  play_with = (one) => {
    one.head(200, { "content-type": "application/json" });
    one.end(
      `{"choices":[{"message":{"content":"heard"}}],"logprobs":[0${",0".repeat(7_000_000)}]}`,
    );
  };
  const given = await call();
  assert.equal(given.status, 200);
  await given.text();
  estimated(await settled(given));
});

test("an answer of nothing is charged by the request", async () => {
  play_with = (one) => {
    one.head(200, { "content-type": "application/json" });
    one.end();
  };
  const given = await call();
  assert.equal(given.status, 502);
  await given.text();
  const one = await settled(given);
  assert.deepEqual([one.outcome, one.usage_source, one.output], ["upstream_error", "estimated", 0]);
  assert.ok(one.input > 0 && one.tokens === one.input);
});

test("a stream that says zero and breaks off is charged by what came", async () => {
  const zero = { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
  play_with = (one) => {
    one.head();
    one.send(chunk("", zero));
    one.send(chunk("some words that came before the cut"));
    one.end();
  };
  const given = await call({ stream: true });
  assert.match(await given.text(), /UPSTREAM_STREAM_CUT/);
  const one = await settled(given);
  estimated(one);
  assert.equal(one.outcome, "upstream_cut");
});

test("a whole stream whose only usage stood before its text is estimated", async () => {
  play_with = (one) => {
    one.head();
    const zero = { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
    one.send(chunk("", zero) + chunk("some words") + finish);
    one.end(done);
  };
  const given = await call({ stream: true });
  await given.text();
  estimated(await settled(given));
});

test("an admission whose answer is lost is asked for again, and held once", async () => {
  play_with = (one) => answer(one, "heard", { input: 9, output: 3 });
  const calls = upstream.calls.length;
  const given = await call({}, { "holdpoint-tag": LOSE_FIRST });
  assert.equal(given.status, 200);
  assert.match(given.headers.get("holdpoint-budget") ?? "", /^dev-day;/);
  await given.text();
  assert.equal(upstream.calls.length, calls + 1);
  const one = await settled(given);
  assert.deepEqual([one.outcome, one.tokens], ["ok", 12]);
});

test("an admission that is never answered calls nobody, and what it holds is freed", async () => {
  const calls = upstream.calls.length;
  const spent = (await budget()).spent;
  const given = await call({}, { "holdpoint-tag": LOSE_ALL });
  assert.deepEqual([given.status, await codeOf(given)], [503, "LEDGER_UNAVAILABLE"]);
  const one = await settled(given);
  assert.deepEqual([one.outcome, one.tokens], ["released", 0]);
  assert.equal(upstream.calls.length, calls);
  assert.equal((await budget()).spent, spent);
});
