// Sign-ins that failed stand in the audit of the account, once a minute a key and code (gateway.md §13 `/audit`).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import type { List, NewKey } from "./gateway.ts";
import { eventually, startEdge } from "./workerd.ts";

interface Change {
  actor: string;
  action: string;
  target: string;
  detail: Record<string, unknown>;
}

const edge = await during(startEdge());
const keys = await edge.keys();

const admin = <T>(method: string, path: string, body?: object) =>
  edge.ask<T>(method, `/gateway/v1${path}`, { token: keys.admin_token, body });
const made = async (user_id: string): Promise<NewKey> => {
  const body = { label: user_id, user_id, scopes: ["llm", "usage"] };
  return (await admin<NewKey>("POST", "/keys", body)).value;
};
/** Signs in three times on two paths, and says what each time was told. */
async function signIn(token: string): Promise<Set<string>> {
  const codes = new Set<string>();
  const question = { model: "default", messages: [{ role: "user", content: "x" }] };
  for (let n = 0; n < 2; n += 1) {
    const called = await edge.ask("POST", "/v1/chat/completions", { token, body: question });
    codes.add(`${called.status} ${called.value.error?.code}`);
  }
  const shown = await edge.ask("GET", "/gateway/v1/indicator", { token });
  return codes.add(`${shown.status} ${shown.value.error?.code}`);
}
const audit = () => admin<List<Change>>("GET", "/audit?limit=100");
const refusals = async () =>
  (await audit()).value.items.filter((change) => change.action === "signin.refused");

/** How a key is spoiled, and what it is told then; the old secret stays the one that is used. */
const spoilt: [string, string, (id: string) => Promise<unknown>][] = [
  [
    "a wrong secret",
    "AUTH_INVALID_TOKEN",
    (id) => admin("POST", `/keys/${id}/rotate`, { grace_seconds: 0 }),
  ],
  ["a revoked key", "KEY_REVOKED", (id) => admin("POST", `/keys/${id}/revoke`)],
  [
    "an expired key",
    "KEY_EXPIRED",
    (id) => admin("PATCH", `/keys/${id}`, { expires_at: Date.now() - 1_000 }),
  ],
];

for (const [name, code, spoil] of spoilt) {
  test(`${name} is written down once, however often it is tried`, async () => {
    const { id, key } = await made("somebody");
    await spoil(id);
    assert.deepEqual([...(await signIn(key))], [`401 ${code}`]);
    const found = await eventually(async () => {
      const value = (await refusals()).filter((change) => change.target === id);
      return { ok: value.length > 0, value };
    });
    assert.deepEqual(
      found.map(({ actor, action, target, detail }) => [actor, action, target, detail]),
      [[`key:${id}`, "signin.refused", id, { code }]],
    );
    const { raw } = await audit();
    assert.ok(!raw.includes(key) && !edge.log.includes(key), "the secret is told nowhere");
  });
}

test("a good sign-in writes nothing", async () => {
  const before = (await refusals()).length;
  const { id, key } = await made("welcome");
  const shown = await edge.ask("GET", "/gateway/v1/indicator", { token: key });
  assert.equal(shown.status, 200, shown.raw);
  const after = await refusals();
  assert.equal(after.length, before);
  assert.ok(after.every((change) => change.target !== id));
});

test("a key that the account does not have writes nothing", async () => {
  const before = (await audit()).value.items;
  const other = await startEdge();
  try {
    const { user_token } = await other.keys();
    assert.deepEqual([...(await signIn(user_token))], ["401 AUTH_INVALID_TOKEN"]);
  } finally {
    await other.stop();
  }
  const { user_token } = keys;
  const changed = user_token.slice(0, -1) + (user_token.endsWith("0") ? "1" : "0");
  assert.deepEqual([...(await signIn(changed))], ["401 AUTH_INVALID_TOKEN"], "a wrong checksum");
  assert.deepEqual((await audit()).value.items, before);
});
