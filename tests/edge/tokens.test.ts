// Tokens of an identity provider: the account that each opens, what it may do there, and what is written down of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import type { Budget, GatewayRun, List, NewKey } from "./gateway.ts";
import type { MeteredRow } from "./metered.ts";
import { now, paired, provider, shared } from "./tokens.ts";
import { answer, startUpstream } from "./upstream.ts";
import { eventually, startEdge } from "./workerd.ts";

const upstream = await during(startUpstream((call) => answer(call, "ok")));
const edge = await during(
  startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url, ...provider } }),
);

const ALL = "llm usage edit admin";
const ask = <T>(method: string, path: string, token: string, body?: object) =>
  edge.ask<T>(method, `/gateway/v1${path}`, { token, body });
const call = (token: string) =>
  edge.ask("POST", "/v1/chat/completions", {
    token,
    body: { model: "default", max_tokens: 8, messages: [{ role: "user", content: "x" }] },
  });
/** Gives the account of a token a budget for calls. */
async function fund(token: string, account: string): Promise<void> {
  const budget = { scope: `account:${account}`, unit: "tokens", period: "day", limit: 100_000 };
  const put = await ask("PUT", "/budgets/of-all", token, budget);
  assert.equal(put.status, 200, put.raw);
}
/** What the budget of an account has spent, once nothing is held. */
const spent = (token: string): Promise<number> =>
  eventually(async () => {
    const { value } = await ask<Budget>("GET", "/budgets/of-all", token);
    return { ok: value.held === 0, value: value.spent };
  });
const ledger = async (token: string) =>
  (await ask<List<MeteredRow>>("GET", "/ledger", token)).value.items;

for (const [kind, made] of [
  ["HS256", shared],
  ["Ed25519", paired],
] as const) {
  test(`a token by ${kind} opens its account as bearer and as api key`, async () => {
    const token = made({ sub: "eve", org: `first-${kind}` });
    const forms: Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { "x-api-key": token },
    ];
    for (const headers of forms) {
      const given = await edge.ask("GET", "/v1/models", { headers });
      assert.equal(given.status, 200, given.raw);
      assert.match(given.headers.get("holdpoint-principal") ?? "", /^pr_/);
    }
    const none = await call(token);
    assert.deepEqual([none.status, none.value.error?.code], [402, "NO_BUDGET"]);
  });
}

test("an administrator sets the budget on which the calls of the account are counted", async () => {
  const boss = shared({ sub: "boss", org: "acme", scope: ALL });
  const none = await call(boss);
  assert.deepEqual([none.status, none.value.error?.code], [402, "NO_BUDGET"]);
  await fund(boss, "acme");
  const bob = paired({ sub: "bob", org: "acme" });
  for (const token of [boss, bob]) assert.equal((await call(token)).status, 200);
  assert.equal(await spent(boss), 20);
  assert.deepEqual(
    (await ledger(boss)).map((row) => [row.key_id, row.user_id]),
    [
      ["jwt:bob", "bob"],
      ["jwt:boss", "boss"],
    ],
  );
});

test("a token without an organisation has an account of its user", async () => {
  const cleo = paired({ sub: "cleo", scope: ALL });
  await fund(cleo, "cleo");
  assert.equal((await call(shared({ sub: "cleo" }))).status, 200);
  assert.equal(await spent(cleo), 10);
  const foreign = await call(shared({ sub: "dora" }));
  assert.deepEqual([foreign.status, foreign.value.error?.code], [402, "NO_BUDGET"]);
});

test("an organisation and a user of one name are accounts apart", async () => {
  const user = shared({ sub: "twin", scope: ALL });
  const org = shared({ sub: "twin", org: "twin", scope: ALL });
  await fund(org, "twin");
  assert.equal((await call(org)).status, 200);
  assert.equal(await spent(org), 10);
  const none = await call(user);
  assert.deepEqual([none.status, none.value.error?.code], [402, "NO_BUDGET"]);
  assert.equal((await ask("GET", "/budgets/of-all", user)).status, 404);
  assert.deepEqual(await ledger(user), []);
});

/** A path, and what the account must allow its user there. */
const paths: [string, string][] = [
  ["llm", "/v1/models"],
  ["usage", "/gateway/v1/usage"],
  ["edit", "/api/v1/extensions"],
  ["admin", "/gateway/v1/keys"],
  ["metrics", "/metrics"],
];
const scopes: [string, unknown, string[]][] = [
  ["without scopes", undefined, ["llm", "usage", "edit"]],
  ["with one scope", "llm", ["llm"]],
  ["with several scopes", "usage edit", ["usage", "edit"]],
  ["with a list of scopes", ["llm", "metrics"], ["llm", "metrics"]],
  [
    "with every scope",
    "llm usage edit admin metrics",
    ["llm", "usage", "edit", "admin", "metrics"],
  ],
  ["with words that are no scope", "openid llm administrator Admin", ["llm"]],
  ["with no word at all", "", []],
  ["with an empty list", [], []],
];
for (const [name, scope, granted] of scopes) {
  test(`a token ${name} may use ${granted.join(", ") || "nothing"}`, async () => {
    const token = shared({ sub: "sam", org: "scopes", scope });
    for (const [needed, path] of paths) {
      const given = await edge.ask("GET", path, { token });
      const expected = granted.includes(needed) ? [200, undefined] : [403, "SCOPE_DENIED"];
      assert.deepEqual([given.status, given.value.error?.code], expected, `${path}: ${given.raw}`);
    }
  });
}

interface Usage {
  items: { user: string; requests: number }[];
  totals: { requests: number; tokens: number };
}

test("two users of an organisation see only their own usage", async () => {
  const boss = shared({ sub: "boss", org: "shared-use", scope: ALL });
  await fund(boss, "shared-use");
  const [one, other] = ["one", "other"].map((sub) => paired({ sub, org: "shared-use" }));
  for (const token of [one, one, other]) assert.equal((await call(token)).status, 200);
  assert.equal(await spent(boss), 30);
  const usage = async (token: string) => {
    const { value } = await ask<Usage>("GET", "/usage?group_by=user", token);
    return [value.items.map(({ user, requests }) => [user, requests]), value.totals.tokens];
  };
  assert.deepEqual(await usage(one), [[["one", 2]], 20]);
  assert.deepEqual(await usage(other), [[["other", 1]], 10]);
  const all = [
    ["one", 2],
    ["other", 1],
  ];
  assert.deepEqual(await usage(boss), [all, 30]);
  const calls = await ask<List<MeteredRow>>("GET", "/usage/calls", other);
  assert.deepEqual(
    calls.value.items.map((row) => [row.key_id, row.user_id]),
    [["jwt:other", "other"]],
  );
});

test("runs, keys and budgets of another account are not found", async () => {
  const mine = shared({ sub: "ann", org: "mine", scope: ALL });
  const other = shared({ sub: "ann", org: "other", scope: ALL });
  await fund(mine, "mine");
  const run = await ask<GatewayRun>("POST", "/runs", mine, { tokens: 100 });
  assert.ok(run.status < 300, run.raw);
  const body = { label: "k", user_id: "ann", scopes: ["llm"] };
  const key = await ask<NewKey>("POST", "/keys", mine, body);
  assert.equal(key.status, 201, key.raw);
  const { id } = key.value;
  for (const [method, path, change] of [
    ["GET", `/runs/${run.value.id}`],
    ["DELETE", `/runs/${run.value.id}`],
    ["GET", `/keys/${id}`],
    ["PATCH", `/keys/${id}`, { label: "stolen" }],
    ["POST", `/keys/${id}/rotate`, {}],
    ["POST", `/keys/${id}/revoke`],
    ["GET", "/budgets/of-all"],
    ["DELETE", "/budgets/of-all"],
  ] as [string, string, object?][]) {
    const given = await ask(method, path, other, change);
    assert.deepEqual([given.status, given.value.error?.code], [404, "NOT_FOUND"], path);
  }
  assert.equal((await ask<GatewayRun>("GET", `/runs/${run.value.id}`, mine)).value.state, "open");
  assert.equal((await call(key.value.key)).status, 200, "the key still works");
  assert.deepEqual((await ask<List<object>>("GET", "/keys", other)).value.items, []);
});

test("a principal is an account and a user, whatever their token was signed with", async () => {
  const principal = async (token: string) => {
    const given = await edge.ask("GET", "/v1/models", { token });
    assert.equal(given.status, 200, given.raw);
    return given.headers.get("holdpoint-principal");
  };
  const one = await principal(shared({ sub: "ann", org: "seen" }));
  assert.equal(await principal(paired({ sub: "ann", org: "seen", scope: "llm" })), one);
  const others = [
    { sub: "bob", org: "seen" },
    { sub: "ann", org: "unseen" },
    { sub: "ann" },
    { sub: "seen" },
  ];
  const seen = new Set([one]);
  for (const of of others) seen.add(await principal(shared(of)));
  assert.equal(seen.size, 5);
});

test("times, audiences and names are good up to their limits", async () => {
  const good: [string, object][] = [
    ["expired within the leeway", { iat: now() - 600, exp: now() - 15 }],
    ["issued ahead within the leeway", { iat: now() + 15, exp: now() + 600 }],
    ["valid for a whole day", { iat: now(), exp: now() + 86_400 }],
    ["not before a time that has been", { nbf: now() - 60 }],
    ["an audience in a list", { aud: ["elsewhere", "holdpoint-tests"] }],
    ["a name of one character", { sub: "a" }],
    ["a name of 128 characters", { sub: "a".repeat(128) }],
    ["claims of others", { email: "ann@id.example", groups: ["a", "b"], deep: { a: 1 } }],
  ];
  for (const [name, more] of good) {
    const given = await edge.ask("GET", "/v1/models", { token: shared(more) });
    assert.equal(given.status, 200, `${name}: ${given.raw}`);
  }
});
