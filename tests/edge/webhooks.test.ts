// What an account tells its operator's servers, on real workerd: signed, retried, once a window, no addresses inside.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { answer, startUpstream, type Upstream } from "./upstream.ts";
import { type Edge, type Keys, startEdge } from "./workerd.ts";

interface Delivery {
  body: string;
  event: {
    type: string;
    account: string;
    budget?: { id: string; spent: number };
    provider?: string;
  };
  signature: string;
}

interface Hooks {
  webhooks: { url: string; events: string[]; secret?: string }[];
}

let edge: Edge;
let upstream: Upstream;
let keys: Keys;
let server: Server;
let url: string;
let refuse = 0;
const got: Delivery[] = [];

const SECRETS = JSON.stringify({ k1: Buffer.alloc(32, 7).toString("base64") });

const read = async (request: IncomingMessage) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
};

before(async () => {
  upstream = await startUpstream((call) =>
    call.headers["x-fail"] ? { status: 500 } : answer(call, "ok", { input: 60, output: 20 }),
  );
  server = createServer(async (request, response) => {
    const body = await read(request);
    if (refuse > 0) {
      refuse -= 1;
      response.writeHead(503).end();
      return;
    }
    got.push({
      body,
      event: JSON.parse(body),
      signature: String(request.headers["holdpoint-signature"]),
    });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  edge = await startEdge({
    variables: {
      UPSTREAM_BASE_URL: upstream.url,
      ALLOW_PRIVATE_UPSTREAMS: "1",
      SECRETS_KEYS: SECRETS,
      SECRETS_ACTIVE_KID: "k1",
    },
  });
  keys = await edge.keys();
});
after(async () => {
  await edge?.stop();
  await upstream?.stop();
  server?.close();
});

const admin = <T>(method: string, path: string, body?: object) =>
  edge.ask<T>(
    method,
    `/gateway/v1${path}`,
    body ? { token: keys.admin_token, body } : { token: keys.admin_token },
  );

const call = async () => {
  const body = { model: "default", max_tokens: 20, messages: [{ role: "user", content: "x" }] };
  return (await edge.ask("POST", "/v1/chat/completions", { token: keys.user_token, body })).status;
};

const until = async (what: () => boolean) => {
  for (let tries = 0; tries < 400 && !what(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 25));
  assert.ok(what(), JSON.stringify(got));
};

test("a new address gets a secret once, and is listed without it", async () => {
  const put = await admin<Hooks>("PUT", "/webhooks", {
    webhooks: [{ url, events: ["budget_80", "budget_100", "breaker"] }],
  });
  assert.equal(put.status, 200, put.raw);
  assert.match(put.value.webhooks[0]?.secret ?? "", /^whs_[0-9a-f]{64}$/);
  const listed = await admin<Hooks>("GET", "/webhooks");
  assert.deepEqual(listed.value, {
    webhooks: [{ url, events: ["budget_80", "budget_100", "breaker"] }],
  });
  const again = await admin<Hooks>("PUT", "/webhooks", listed.value);
  assert.equal(again.value.webhooks[0]?.secret, undefined, "its secret stays");
  const audit = await admin<{ items: unknown[] }>("GET", "/audit");
  assert.ok(!audit.raw.includes("whs_"));
});

test("a budget tells of four fifths and of its end, once each, signed, and again until it is taken", async () => {
  const fresh = `${url}/fresh`;
  const put = await admin<Hooks>("PUT", "/webhooks", {
    webhooks: [{ url: fresh, events: ["budget_80", "budget_100"] }],
  });
  const secret = put.value.webhooks[0]?.secret ?? "";
  await admin("PUT", "/budgets/few", {
    scope: "user:dev",
    unit: "requests",
    period: "total",
    limit: 5,
  });
  for (let calls = 0; calls < 3; calls += 1) assert.equal(await call(), 200);
  refuse = 2;
  assert.equal(await call(), 200);
  await until(() => got.length === 1);
  assert.equal(got[0]?.event.type, "budget_80");
  assert.deepEqual(
    [got[0]?.event.account, got[0]?.event.budget?.id, got[0]?.event.budget?.spent],
    ["dev", "few", 4],
  );
  assert.equal(await call(), 200);
  await until(() => got.length === 2);
  assert.equal(got[1]?.event.type, "budget_100");
  for (const { body, signature } of got) {
    const [, at, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
    assert.ok(Math.abs(Number(at) - Date.now() / 1000) < 60);
    assert.equal(mac, createHmac("sha256", secret).update(`${at}.${body}`).digest("hex"));
  }
  await admin("DELETE", "/budgets/few");
  assert.equal(got.length, 2);
});

test("addresses and bodies that may not be are refused, and those before stay", async () => {
  const before = (await admin<Hooks>("GET", "/webhooks")).value;
  const wrong: [object, string][] = [
    [{ webhooks: [{ url: "http://169.254.169.254/x", events: ["breaker"] }] }, "/webhooks/0/url"],
    [{ webhooks: [{ url: "ftp://example.com", events: ["breaker"] }] }, "/webhooks/0/url"],
    [{ webhooks: [{ url: `${url}?a=1`, events: ["breaker"] }] }, "/webhooks/0/url"],
    [
      { webhooks: Array.from({ length: 9 }, (_, n) => ({ url: `${url}/${n}`, events: [] })) },
      "/webhooks",
    ],
  ];
  for (const [body, pointer] of wrong) {
    const refused = await admin<{ error: { code: string; details: { pointer: string } } }>(
      "PUT",
      "/webhooks",
      body,
    );
    assert.deepEqual(
      [refused.status, refused.value.error.code],
      [400, "INVALID_REQUEST"],
      refused.raw,
    );
    assert.equal(refused.value.error.details.pointer, pointer);
  }
  const strange = await admin("PUT", "/webhooks", { webhooks: [{ url, events: ["tea"] }] });
  assert.equal(strange.status, 400);
  assert.deepEqual((await admin<Hooks>("GET", "/webhooks")).value, before);
  const user = await edge.ask("GET", "/gateway/v1/webhooks", { token: keys.user_token });
  assert.equal(user.status, 403);
});
