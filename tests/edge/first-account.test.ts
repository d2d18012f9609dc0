// The first account of a production deployment is opened once, by whoever has its secret (gateway.md §3).
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import type { Budget, List, NewKey } from "./gateway.ts";
import { provider, shared } from "./tokens.ts";
import { answer, startUpstream, type Upstream } from "./upstream.ts";
import { type Edge, eventually, question, startEdge } from "./workerd.ts";

const SECRET = randomBytes(24).toString("hex");

interface Opened {
  account: string;
  key: NewKey & { label: string; user_id: string; scopes: string[] };
}
interface Change {
  actor: string;
  action: string;
  target: string;
}

let upstream: Upstream;
const edges: Edge[] = [];

before(async () => {
  upstream = await startUpstream((call) => answer(call, "ok"));
});
after(async () => {
  for (const edge of edges) await edge.stop();
  await upstream?.stop();
});

async function start(variables: Record<string, string>): Promise<Edge> {
  const edge = await startEdge({
    variables: { ENVIRONMENT: "production", UPSTREAM_BASE_URL: upstream.url, ...variables },
  });
  edges.push(edge);
  return edge;
}
const open = (edge: Edge, secret: string, user_id = "anna") =>
  edge.ask<Opened>("POST", `/gateway/v1/accounts?user_id=${user_id}`, { token: secret });
const call = (edge: Edge, token: string) =>
  edge.ask("POST", "/v1/chat/completions", { token, body: question({ max_tokens: 8 }) });

test("the secret opens the account once, and its key does what an account needs", async () => {
  const edge = await start({ FIRST_ACCOUNT: "org:acme", FIRST_ACCOUNT_SECRET: SECRET });
  const last = SECRET.endsWith("0") ? "1" : "0";
  for (const wrong of ["guess", SECRET.slice(0, -1), `${SECRET}0`, SECRET.slice(0, -1) + last]) {
    const given = await open(edge, wrong);
    assert.deepEqual([given.status, given.value.error.code], [404, "NOT_FOUND"], wrong);
  }

  const opened = await open(edge, SECRET);
  assert.equal(opened.status, 201, opened.raw);
  assert.equal(opened.value.account, "org:acme");
  const { id, key, user_id, scopes } = opened.value.key;
  assert.match(key, /^hp_live_/);
  assert.equal(user_id, "anna");
  assert.deepEqual([...scopes].sort(), ["admin", "edit", "llm", "metrics", "usage"]);
  const ask = <T>(method: string, path: string, body?: object) =>
    edge.ask<T>(method, `/gateway/v1${path}`, { token: key, body });

  for (const user of ["anna", "bob"]) {
    const again = await open(edge, SECRET, user);
    assert.deepEqual([again.status, again.value.error.code], [409, "CONFLICT"], user);
  }
  assert.equal((await open(edge, "guess")).status, 404);

  const none = await call(edge, key);
  assert.deepEqual([none.status, none.value.error?.code], [402, "NO_BUDGET"]);
  const budget = { scope: "account:acme", unit: "tokens", period: "day", limit: 10_000 };
  const put = await ask<Budget>("PUT", "/budgets/acme-day", budget);
  assert.equal(put.status, 200, put.raw);
  const further = await ask<NewKey>("POST", "/keys", {
    label: "robot",
    user_id: "robot",
    scopes: ["llm"],
  });
  assert.equal(further.status, 201, further.raw);
  assert.match(further.value.key, /^hp_live_/);
  for (const token of [key, further.value.key]) assert.equal((await call(edge, token)).status, 200);
  await eventually(async () => {
    const { value } = await ask<Budget>("GET", "/budgets/acme-day");
    return { ok: value.held === 0 && value.spent === 20, value };
  });

  const audit = await ask<List<Change>>("GET", "/audit");
  const changes = audit.value.items.map(({ actor, target }) => [actor, target]);
  for (const target of ["acme-day", further.value.id])
    assert.ok(
      changes.some(([who, what]) => who === "user:anna" && what === target),
      audit.raw,
    );
  const { action } = audit.value.items.find(({ target }) => target === further.value.id) ?? {};
  assert.equal(action, "key.create");
  assert.ok(audit.raw.includes(id), "the first key stands there too");
  const listed = await ask<List<{ id: string }>>("GET", "/keys");
  assert.deepEqual(
    new Set(listed.value.items.map((one) => one.id)),
    new Set([id, further.value.id]),
  );
  for (const text of [audit.raw, listed.raw, edge.log])
    for (const hidden of [key, further.value.key, SECRET]) assert.ok(!text.includes(hidden), text);

  await edge.kill();
  await edge.start();
  const later = await open(edge, SECRET);
  assert.deepEqual([later.status, later.value.error.code], [409, "CONFLICT"]);
  assert.equal((await call(edge, key)).status, 200);
});

test("an account of one user is opened alike", async () => {
  const edge = await start({
    FIRST_ACCOUNT: "user:anna",
    FIRST_ACCOUNT_SECRET: SECRET.slice(0, 32),
  });
  const opened = await open(edge, SECRET.slice(0, 32));
  assert.deepEqual([opened.status, opened.value.account], [201, "user:anna"], opened.raw);
  const { key } = opened.value.key;
  const put = await edge.ask("PUT", "/gateway/v1/budgets/own", {
    token: key,
    body: { scope: "account:anna", unit: "requests", period: "day", limit: 1 },
  });
  assert.equal(put.status, 200, put.raw);
  assert.equal((await call(edge, key)).status, 200);
});

for (const [name, secret, sent] of [
  ["no secret", undefined, SECRET],
  ["an empty secret", "", ""],
  ["a secret of 31 characters", SECRET.slice(0, 31), SECRET.slice(0, 31)],
] as const) {
  test(`with ${name} nothing is opened`, async () => {
    const edge = await start({
      FIRST_ACCOUNT: "org:acme",
      ...(secret === undefined ? {} : { FIRST_ACCOUNT_SECRET: secret }),
    });
    const given = await open(edge, sent || "undefined");
    assert.deepEqual([given.status, given.value.error.code], [404, "NOT_FOUND"], given.raw);
  });
}

test("an account that a token gave a budget is opened already", async () => {
  const edge = await start({
    FIRST_ACCOUNT: "org:acme",
    FIRST_ACCOUNT_SECRET: SECRET,
    ...provider,
  });
  const put = await edge.ask("PUT", "/gateway/v1/budgets/acme-day", {
    token: shared({ sub: "boss", org: "acme", scope: "admin" }),
    body: { scope: "account:acme", unit: "tokens", period: "day", limit: 100 },
  });
  assert.equal(put.status, 200, put.raw);
  const given = await open(edge, SECRET);
  assert.deepEqual([given.status, given.value.error.code], [409, "CONFLICT"], given.raw);
});
