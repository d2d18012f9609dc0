// A name that every check takes for public and that leads to this machine: the network itself refuses it, says so, and
// nothing is sent (gateway.md §10 "Addresses").
import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { own, save, secrets, tryOut, userKey } from "./profile.ts";
import { answer, startUpstream, type Upstream } from "./upstream.ts";
import { type Edge, eventually, type Keys, startEdge } from "./workerd.ts";

const NAME = "llm.example.org";
const hosts = { [NAME]: "127.0.0.1" };

let edge: Edge;
let keys: Keys;
let platform: Upstream;
let server: Server;
let port = 0;
const connected: Socket[] = [];

before(async () => {
  server = createServer((socket) => connected.push(socket.destroy()));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  port = (server.address() as AddressInfo).port;
  // It reports more than was held, of which a webhook tells.
  platform = await startUpstream((call) => answer(call, "ok", { input: 90_000 }));
  edge = await startEdge({
    hosts,
    variables: { ...secrets("k1"), UPSTREAM_BASE_URL: platform.url, SETTLE_RETRIES: "1" },
  });
  keys = await edge.keys();
});
after(async () => {
  await edge?.stop();
  await platform?.stop();
  await new Promise((done) => server.close(done));
});

const url = () => `https://${NAME}:${port}/v1`;

test("where private addresses are allowed the name leads to a server", async () => {
  const upstream: Upstream = await startUpstream((call) => answer(call, "ok"));
  const allowed = await startEdge({
    hosts,
    variables: { ...secrets("k1"), ALLOW_PRIVATE_UPSTREAMS: "1" },
  });
  try {
    const token = await userKey(allowed, await allowed.keys(), "ann");
    const named = upstream.url.replace("127.0.0.1", NAME);
    const { value, raw } = await tryOut(allowed, token, { body: own(named) });
    assert.deepEqual([value.data?.ok, upstream.calls.length], [true, 1], raw);
  } finally {
    await allowed.stop();
    await upstream.stop();
  }
});

test("a user's own server that leads to loopback is refused, and nothing is sent to it", async () => {
  const token = await userKey(edge, keys, "ann");
  const saved = await save(edge, token, own(url()));
  assert.equal(saved.status, 200, "its name says nothing");
  const { value, raw } = await tryOut(edge, token);
  assert.deepEqual(
    [value.data?.ok, value.data?.code],
    [false, "LLM_PROFILE_INVALID_BASE_URL"],
    raw,
  );
  assert.deepEqual(connected, []);
});

test("so is a provider of an account's own, with the reason", async () => {
  const config = {
    providers: [{ id: "house", kind: "openai", base_url: url() }],
    models: [
      { alias: "house", display: "House", candidates: [{ provider: "house", model: "h-1" }] },
    ],
    prices: [
      { provider: "house", model: "h-1", version: 1, context_window: 9_000, max_output: 900 },
    ].map((row) => ({ ...row, price: { input: 1, output: 1 } })),
  };
  const token = keys.admin_token;
  const put = await edge.ask("PUT", "/gateway/v1/config", { token, body: config });
  assert.equal(put.status, 200, put.raw);
  for (const stream of [false, true]) {
    const body = { model: "house", stream, messages: [{ role: "user", content: "x" }] };
    const asked = await edge.ask("POST", "/v1/chat/completions", { token: keys.user_token, body });
    assert.deepEqual([asked.status, asked.value.error?.code], [400, "BYOK_URL_BLOCKED"], asked.raw);
    assert.match(asked.raw, /URL_NO_PUBLIC_ADDRESS/);
  }
  assert.deepEqual(connected, []);
});

test("a name that leads nowhere is refused as well", async () => {
  const token = await userKey(edge, keys, "ben");
  const tried = async (url: string) =>
    (await tryOut(edge, token, { body: own(url) })).value.data?.code;
  assert.equal(await tried("https://nowhere.invalid/v1"), "LLM_PROFILE_INVALID_BASE_URL");
});

test("no webhook is delivered there either", async () => {
  const token = keys.admin_token;
  const webhooks = [{ url: url(), events: ["overrun"] }];
  const put = await edge.ask("PUT", "/gateway/v1/webhooks", { token, body: { webhooks } });
  assert.equal(put.status, 200, put.raw);
  const body = { model: "default", max_tokens: 9, messages: [{ role: "user", content: "x" }] };
  const asked = await edge.ask("POST", "/v1/chat/completions", { token: keys.user_token, body });
  assert.equal(asked.status, 200, asked.raw);
  await eventually(() => ({ ok: edge.log.includes("webhook.given_up") }));
  assert.deepEqual(connected, []);
});
