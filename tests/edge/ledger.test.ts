// Money that adds up: a ledger is dumped and recomputed elsewhere, and what nobody works on any more is not held.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { dumped, verified } from "./dump.ts";
import { answer, type Call, chunk, startUpstream, type Upstream } from "./upstream.ts";
import { type Edge, eventually, type Keys, startEdge } from "./workerd.ts";

let edge: Edge;
let upstream: Upstream;
let keys: Keys;
let play_with: (call: Call) => unknown;

beforeEach(async () => {
  upstream = await startUpstream((call) => play_with(call));
  edge = await startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url, LOOK_MS: "700" } });
  keys = await edge.keys();
});
afterEach(async () => {
  await edge?.stop();
  await upstream?.stop();
});

const call = (more?: object) => edge.call(keys.user_token, more);
const budget = () => edge.budget();
const rows = () => edge.ledger();

const dump = () => dumped(edge, keys.admin_token);

test("a dumped ledger adds up, also while calls run, and shows what was changed by hand", async () => {
  play_with = (one) => {
    if (!one.body.stream) return answer(one, "ok", { input: 9, output: 4 });
    one.head();
    one.send(chunk("a"));
  };
  for (let left = 6; left > 0; left -= 1) await (await call()).arrayBuffer();
  const stream = await call({ stream: true });
  await stream.body?.getReader().read();
  const text = await dump();
  const good = verified(text);
  assert.equal(good.status, 0, good.told);
  assert.match(good.told, /^0 differences; 1 windows agree, 0 .*; 6 rows, 1 open calls/);

  const forged = text.replace(/"spent":78/, '"spent":77');
  assert.notEqual(forged, text);
  const bad = verified(forged);
  assert.equal(bad.status, 1);
  assert.match(bad.told, /dev-day from \d+: spent is 77, its rows give 78/);
  const twice = text
    .split("\n")
    .flatMap((line) => (line.includes('"ledger"') ? [line, line] : line));
  assert.equal(verified(twice.join("\n")).status, 1);
  assert.equal(verified(text.split("\n").slice(0, -2).join("\n")).status, 2);
  assert.equal(verified("no dump").status, 2);
});

test("only an administrator dumps, and a cursor that nobody gave is refused", async () => {
  const denied = await edge.ask("GET", "/gateway/v1/dump", { token: keys.user_token });
  assert.deepEqual([denied.status, denied.value.error.code], [403, "SCOPE_DENIED"]);
  const strange = await edge.ask("GET", "/gateway/v1/dump?cursor=x", { token: keys.admin_token });
  assert.deepEqual([strange.status, strange.value.error.code], [400, "INVALID_REQUEST"]);
});

test("what a killed process held is free again without any further call", async () => {
  play_with = (one) => {
    one.head();
    one.send(chunk("a"));
  };
  const stream = await call({ stream: true });
  await stream.body?.getReader().read();
  await eventually(async () => {
    const value = await budget();
    return { ok: value.held > 0, value };
  });
  await edge.kill();
  await edge.start();
  const freed = await eventually(
    async () => {
      const value = await budget();
      return { ok: value.held === 0, value };
    },
    { ms: 8_000 },
  );
  const [row] = await rows();
  assert.equal(row?.outcome, "expired");
  assert.equal(freed.spent, row?.tokens, "what was reported is charged");
  assert.equal(verified(await dump()).status, 0);
});

test("a killed call whose answer had begun is charged what was sent, not what was held", async () => {
  play_with = (one) => {
    one.head(200, { "content-type": "application/json" });
    one.send('{"id":');
  };
  void call().catch(() => {});
  await new Promise((woken) => setTimeout(woken, 900));
  const { held } = await budget();
  assert.ok(held > 0);
  await edge.kill();
  await edge.start();
  const freed = await eventually(
    async () => {
      const value = await budget();
      return { ok: value.held === 0, value };
    },
    { ms: 8_000 },
  );
  assert.ok(freed.spent > 0 && freed.spent < held / 2, `${freed.spent} of ${held}`);
  assert.equal((await rows())[0]?.usage_source, "estimated");
});

test("a call that still runs is left alone, however long it takes", async () => {
  let waiting: Call | undefined;
  play_with = (one) => {
    waiting = one;
  };
  const asked = call();
  await new Promise((woken) => setTimeout(woken, 2_600));
  assert.ok((await budget()).held > 0);
  assert.deepEqual(await rows(), []);
  if (waiting) answer(waiting, "late", { input: 5, output: 2 });
  assert.equal((await asked).status, 200);
  assert.deepEqual([(await budget()).spent, (await budget()).held], [7, 0]);
});
