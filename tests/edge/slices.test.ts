// A part of a budget lent to a relay (gateway.md §6 "Slices"): calls within it ask nobody, are told in batches, add up
// with everything else, and stop when their account says so.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { dumped, verified } from "./dump.ts";
import { answer, type Call, chunk, startUpstream, type Upstream } from "./upstream.ts";
import { type Edge, eventually, type Keys, startEdge } from "./workerd.ts";

/** A call that is open. */
interface Running {
  request_id: string;
  user_id: string;
  alias: string;
  tag: string | null;
  tokens: number;
  at: number;
  deadline: number;
}

let edge: Edge;
let upstream: Upstream;
let keys: Keys;
let play_with: (call: Call) => unknown;

beforeEach(async () => {
  play_with = (one) => answer(one, "ok", { input: 9, output: 4 });
  upstream = await startUpstream((call) => play_with(call));
  edge = await startEdge({
    variables: {
      UPSTREAM_BASE_URL: upstream.url,
      RELAY_SHARDS: "1",
      SLICE_FROM_CALLS: "2",
      LOOK_MS: "400",
    },
  });
  keys = await edge.keys();
});
afterEach(async () => {
  await edge?.stop();
  await upstream?.stop();
});

const call = (more: object = {}, headers: Record<string, string> = {}) =>
  edge.call(keys.user_token, more, headers);
const answered = async (more: object = {}, headers: Record<string, string> = {}) => {
  const one = await call(more, headers);
  return { status: one.status, id: one.headers.get("x-request-id"), text: await one.text() };
};
const budget = () => edge.budget();
const rows = () => edge.ledger();
/** The ids of what is held. */
const held = async () =>
  (await dumped(edge, keys.admin_token))
    .split("\n")
    .filter((line) => line.startsWith('{"table":"hold"'))
    .map((line): string => JSON.parse(line).row.request_id);
const lent = async () => (await held()).filter((id) => id.endsWith(".slice")).length;

/** Calls one after another until something is lent. */
async function until_lent(): Promise<number> {
  for (let made = 1; made <= 20; made += 1) {
    assert.equal((await answered()).status, 200);
    if ((await lent()) > 0) return made;
  }
  throw new Error("nothing was lent");
}

/** Nothing is held any more, and every window is what its rows add up to. */
async function rests(calls: number): Promise<void> {
  const told = await eventually(
    async () => {
      const value = await budget();
      return { ok: value.held === 0, value };
    },
    { ms: 8_000 },
  );
  const all = await rows();
  assert.equal(all.length, calls, "a row a call");
  assert.equal(
    told.spent,
    all.reduce((sum, row) => sum + row.tokens, 0),
  );
  const text = verified(await dumped(edge, keys.admin_token));
  assert.equal(text.status, 0, text.told);
}

test("many calls of a key are admitted within slices, each is charged once, and what is left comes back", async () => {
  const made = await until_lent();
  let done = 0;
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (; done < 120; ) {
        done += 1;
        assert.equal((await answered()).status, 200);
      }
    }),
  );
  await rests(made + done);
  assert.equal(await lent(), 0);
});

test("a slice is held while calls come, and a quiet key's is given back though a call runs", async () => {
  await until_lent();
  assert.ok((await budget()).held > 0);
  play_with = (one) => {
    one.head();
    one.send(chunk("a"));
  };
  const stream = await call({ stream: true });
  await stream.body?.getReader().read();
  const id = stream.headers.get("x-request-id") ?? "";
  assert.ok(!(await held()).includes(id), "the account does not hold the call itself");
  const hold = Number(stream.headers.get("holdpoint-hold-tokens"));
  const value = await eventually(
    async () => {
      const value = (await budget()).held;
      return { ok: value === hold, value };
    },
    { ms: 6_000 },
  );
  assert.equal(value, hold, "the running call alone is held");
});

test("a call within a slice is listed and counted among those that run, until it ends", async () => {
  await until_lent();
  let running: Call | undefined;
  play_with = (one) => {
    running = one;
    one.head();
    one.send(chunk("a"));
  };
  const stream = await call({ stream: true }, { "holdpoint-tag": "long" });
  const id = stream.headers.get("x-request-id") ?? "";
  assert.ok(!(await held()).includes(id), "the account does not hold the call itself");
  const listed = async (token: string) => {
    const path = "/gateway/v1/usage/running";
    return (await edge.ask<{ items: Running[] }>("GET", path, { token })).value.items;
  };
  const [item, ...more] = await listed(keys.user_token);
  const tokens = Number(stream.headers.get("holdpoint-hold-tokens"));
  assert.deepEqual(
    [item?.request_id, item?.user_id, item?.alias, item?.tag, item?.tokens, more],
    [id, "dev", "default", "long", tokens, []],
  );
  assert.ok((item?.deadline ?? 0) > (item?.at ?? 0), JSON.stringify(item));
  const key = { label: "ben", user_id: "ben", scopes: ["usage"] };
  const other = await edge.ask<{ key: string }>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: key,
  });
  assert.deepEqual(await listed(other.value.key), [], "another user's are not told");
  assert.deepEqual(await listed(keys.admin_token), [item]);
  const counted = async () =>
    (await edge.ask("GET", "/metrics", { token: keys.admin_token })).raw.match(
      /^hp_in_flight (\d+)$/m,
    )?.[1];
  assert.equal(await counted(), "1");
  running?.end();
  await stream.text();
  assert.deepEqual([await listed(keys.admin_token), await counted()], [[], "0"]);
});

test("a revoked key is refused as soon as its revocation was answered", async () => {
  await until_lent();
  const [row] = await rows();
  const revoked = await edge.ask("POST", `/gateway/v1/keys/${row?.key_id}/revoke`, {
    token: keys.admin_token,
  });
  assert.equal(revoked.status, 200, JSON.stringify(revoked.value));
  assert.match((await answered()).text, /KEY_REVOKED/);
  await eventually(async () => {
    const value = (await budget()).held;
    return { ok: value === 0, value };
  });
});

test("a budget that was lowered refuses at once, though more was lent", async () => {
  await until_lent();
  const { spent } = await budget();
  const lowered = await edge.ask("PUT", "/gateway/v1/budgets/dev-day", {
    token: keys.admin_token,
    body: { scope: "account:dev", unit: "tokens", period: "day", limit: spent },
  });
  assert.equal(lowered.status, 200, JSON.stringify(lowered.value));
  const one = await answered();
  assert.equal(one.status, 402, one.text);
});

test("calls that no budget counts any more are refused at once, though something was lent", async () => {
  await until_lent();
  const gone = await edge.ask("DELETE", "/gateway/v1/budgets/dev-day", { token: keys.admin_token });
  assert.equal(gone.status, 200, JSON.stringify(gone.value));
  assert.match((await answered()).text, /NO_BUDGET/);
});

test("a thrown switch stops calls that something was lent for", async () => {
  await until_lent();
  const thrown = await edge.ask("PUT", "/gateway/v1/switches/account:dev", {
    token: keys.admin_token,
    body: { stopped: true, reason: "leak" },
  });
  assert.equal(thrown.status, 200, JSON.stringify(thrown.value));
  assert.match((await answered()).text, /CALLS_STOPPED/);
});

test("a key of somebody else, a call under an idempotency key and one that may shrink ask the account", async () => {
  await until_lent();
  const wrong = await fetch(`${edge.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${keys.user_token.slice(0, -3)}AAA`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ model: "default", messages: [{ role: "user", content: "x" }] }),
  });
  assert.equal(wrong.status, 401);
  const once = await answered({}, { "idempotency-key": "one" });
  const again = await answered({}, { "idempotency-key": "one" });
  assert.deepEqual([once.status, again.status], [200, 409], again.text);
  assert.equal((await answered({}, { "holdpoint-clamp": "10" })).status, 200);
});

test("a killed process is charged what its slices had left, never more than its limit", async () => {
  await until_lent();
  const { held, spent } = await budget();
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
  assert.equal(freed.spent, spent + held, "what nobody told is charged as it was held");
  const text = verified(await dumped(edge, keys.admin_token));
  assert.equal(text.status, 0, text.told);
});
