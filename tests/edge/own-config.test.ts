// Providers, models and keys of an account's own, on real workerd: beside the platform's, sealed, judged, metered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { provider, shared } from "./tokens.ts";
import { answer, type Call, startUpstream } from "./upstream.ts";
import { startEdge } from "./workerd.ts";

const KEY = "sk-of-the-house-0123456789";
const seen: Call[] = [];

interface Fault {
  error: { code: string; message: string; details: { pointer?: string } };
}

const config = (more: object = {}) => ({
  providers: [
    {
      id: "house",
      kind: "openai",
      base_url: house.url,
      secret: "account:house",
      locality: "remote",
      ...more,
    },
  ],
  models: [
    { alias: "house-model", display: "House", candidates: [{ provider: "house", model: "h-1" }] },
  ],
  prices: [
    {
      provider: "house",
      model: "h-1",
      version: 1,
      context_window: 9_000,
      max_output: 900,
      price: { input: 1_000_000, output: 2_000_000 },
    },
  ],
});

const platform = await during(startUpstream((call) => answer(call, "of the platform")));
const house = await during(
  startUpstream((call) => {
    seen.push(call);
    return answer(call, "of the house");
  }),
);
const edge = await during(
  startEdge({
    variables: {
      ...provider,
      UPSTREAM_BASE_URL: platform.url,
      ALLOW_PRIVATE_UPSTREAMS: "1",
      SECRETS_KEYS: JSON.stringify({ k1: Buffer.alloc(32, 3).toString("base64") }),
      SECRETS_ACTIVE_KID: "k1",
    },
  }),
);
const keys = await edge.keys();

const admin = <T>(method: string, path: string, body?: object) =>
  edge.ask<T>(
    method,
    `/gateway/v1${path}`,
    body ? { token: keys.admin_token, body } : { token: keys.admin_token },
  );
const call = (model: string, more: object = {}) =>
  edge.ask<{ choices?: { message: { content: string } }[] } & Partial<Fault>>(
    "POST",
    "/v1/chat/completions",
    {
      token: keys.user_token,
      body: { model, max_tokens: 20, messages: [{ role: "user", content: "x" }], ...more },
    },
  );
const refused = async (body: object) => {
  const given = await admin<Fault>("PUT", "/config", body);
  return [given.status, given.value.error?.code, given.value.error?.details.pointer ?? ""];
};

test("without a configuration there is none, and a key is told once to nobody", async () => {
  assert.deepEqual((await admin("GET", "/config")).value, {
    providers: [],
    models: [],
    prices: [],
  });
  assert.deepEqual(
    await refused(config()),
    [400, "INVALID_REQUEST", "/providers"],
    "its secret is not there",
  );
  const put = await admin<{ id: string; masked: string }>("PUT", "/secrets/house", { key: KEY });
  assert.deepEqual(
    [put.status, put.value.id, put.value.masked],
    [200, "house", "sk-***6789"],
    put.raw,
  );
  const listed = await admin<{ items: object[] }>("GET", "/secrets");
  assert.equal(listed.value.items.length, 1);
  for (const { raw } of [put, listed, await admin("GET", "/audit")]) assert.ok(!raw.includes(KEY));
  for (const key of ["", "a b", "ä", "x".repeat(1_001)])
    assert.equal((await admin("PUT", "/secrets/bad", { key })).status, 400);
});

test("an own model is listed, called with its key and charged by its price; the platform's stays", async () => {
  const put = await admin("PUT", "/config", config());
  assert.equal(put.status, 200, put.raw);
  assert.deepEqual((await admin("GET", "/config")).value, config());
  const models = await edge.ask<{ data: { id: string }[] }>("GET", "/v1/models", {
    token: keys.user_token,
  });
  assert.deepEqual(
    models.value.data.map((model) => model.id),
    ["default", "house-model"],
  );
  const given = await call("house-model");
  assert.equal(given.value.choices?.[0]?.message.content, "of the house", given.raw);
  assert.equal(seen.at(-1)?.headers.authorization, `Bearer ${KEY}`);
  assert.equal((await call("default")).value.choices?.[0]?.message.content, "of the platform");
  const ledger = await admin<{
    items: { alias: string; provider: string; cost: number | null; payer: string }[];
  }>("GET", "/ledger");
  const row = ledger.value.items.find((item) => item.alias === "house-model");
  assert.deepEqual([row?.provider, row?.payer], ["house", "platform"]);
  assert.ok((row?.cost ?? 0) > 0);
  const quote = await edge.ask<{ cost: { max: number } }>("POST", "/gateway/v1/quote", {
    token: keys.user_token,
    body: {
      model: "house-model",
      input_tokens: { min: 1, max: 10 },
      output_tokens: { min: 1, max: 10 },
    },
  });
  assert.deepEqual([quote.status, quote.value.cost.max], [200, 30], quote.raw);
  const money = { scope: "user:dev", unit: "cost", period: "day", limit: 1_000_000 };
  assert.equal(
    (await admin("PUT", "/budgets/money", money)).status,
    200,
    "the house's model has prices",
  );
  await admin("DELETE", "/budgets/money");
});

test("another account does not know it", async () => {
  const token = shared({ org: "other" });
  const models = await edge.ask<{ data: { id: string }[] }>("GET", "/v1/models", { token });
  assert.deepEqual(
    models.value.data.map((model) => model.id),
    ["default"],
  );
  const body = { model: "house-model", max_tokens: 20, messages: [{ role: "user", content: "x" }] };
  const strange = await edge.ask<Fault>("POST", "/v1/chat/completions", { token, body });
  assert.deepEqual([strange.status, strange.value.error.code], [404, "MODEL_NOT_FOUND"]);
});

test("what cannot be is refused whole, and the one before stays", async () => {
  const before = (await admin("GET", "/config")).raw;
  const wrong: [object, string][] = [
    [config({ id: "scripted" }), ""],
    [config({ secret: "platform:main" }), ""],
    [config({ secret: KEY }), ""],
    [config({ secret: "account:nobody" }), "/providers"],
    [config({ base_url: "http://169.254.169.254/latest" }), "/providers/0/base_url"],
    [config({ base_url: "ftp://example.com" }), "/providers/0/base_url"],
    [{ ...config(), models: [{ alias: "default", display: "D", candidates: [] }] }, ""],
    [{ ...config(), prices: [{ ...config().prices[0], provider: "lost" }] }, ""],
    [{ providers: [], models: [] }, ""],
  ];
  for (const [body, pointer] of wrong)
    assert.deepEqual(await refused(body), [400, "INVALID_REQUEST", pointer], JSON.stringify(body));
  const said = await admin<Fault>("PUT", "/config", config({ secret: KEY }));
  assert.ok(!said.raw.includes(KEY), "a key that was written there by mistake is not told");
  assert.equal((await admin("GET", "/config")).raw, before);
  for (const path of ["/config", "/secrets"])
    assert.equal(
      (await edge.ask("GET", `/gateway/v1${path}`, { token: keys.user_token })).status,
      403,
    );
});

test("a key that is gone, or lists that are empty, leave no way to the model", async () => {
  assert.equal((await admin("DELETE", "/secrets/house")).status, 200);
  assert.equal((await admin("DELETE", "/secrets/house")).status, 404);
  const without = await call("house-model");
  assert.deepEqual([without.status, without.value.error?.code], [503, "SECRETS_UNAVAILABLE"]);
  await admin("PUT", "/config", { providers: [], models: [], prices: [] });
  const gone = await call("house-model");
  assert.deepEqual([gone.status, gone.value.error?.code], [404, "MODEL_NOT_FOUND"]);
});
