// Who may do what, from where, and what every other request is told.
import assert from "node:assert/strict";
import http from "node:http";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { during } from "../during.ts";
import type { NewKey, Quote } from "./gateway.ts";
import { answer, startUpstream } from "./upstream.ts";
import { type Body, type Edge, startEdge } from "./workerd.ts";

const upstream = await during(startUpstream((call) => answer(call, "ok")));
const edge = await during(
  startEdge({
    variables: {
      UPSTREAM_BASE_URL: upstream.url,
      ALLOWED_ORIGINS: "https://viewer.example",
      MAX_BODY_BYTES: "5000",
      MAX_JSON_DEPTH: "8",
    },
  }),
);
const keys = await edge.keys();

const chat = (token: string | undefined, body: unknown, headers = {}) =>
  edge.ask("POST", "/v1/chat/completions", { token, body, headers });
const good = { model: "default", messages: [{ role: "user", content: "x" }] };
const changed = (key: string) => key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");

test("credentials", async () => {
  const cases: [Record<string, string>, number, string?][] = [
    [{}, 401, "AUTH_MISSING_TOKEN"],
    [{ authorization: "Bearer dev" }, 401, "AUTH_INVALID_TOKEN"],
    [{ authorization: "Basic abc" }, 401, "AUTH_INVALID_TOKEN"],
    [{ authorization: `Bearer ${changed(keys.user_token)}` }, 401, "AUTH_INVALID_TOKEN"],
    [
      { authorization: `Bearer ${keys.user_token}`, "x-api-key": keys.admin_token },
      401,
      "AUTH_INVALID_TOKEN",
    ],
    [{ "x-api-key": keys.admin_token }, 403, "SCOPE_DENIED"],
    [{ "x-api-key": keys.user_token }, 200],
  ];
  for (const [headers, status, code] of cases) {
    const got = await chat(undefined, good, headers);
    assert.deepEqual([got.status, got.value.error?.code], [status, code], JSON.stringify(headers));
    if (code) assert.match(got.headers.get("x-request-id") ?? "", /^req_[0-9A-Z]{26}$/);
  }
});

test("scopes of every path", async () => {
  const cases = [
    ["GET", "/gateway/v1/keys", "admin"],
    ["GET", "/gateway/v1/budgets", "admin"],
    ["GET", "/gateway/v1/ledger", "admin"],
    ["POST", "/gateway/v1/runs", "llm"],
    ["GET", "/v1/models", "llm"],
    ["GET", "/api/v1/extensions", "edit"],
  ];
  for (const [method, path, scope] of cases) {
    const wrong = scope === "admin" ? keys.user_token : keys.admin_token;
    const body = method === "POST" ? { tokens: 1 } : undefined;
    const refused = await edge.ask(method, path, { token: wrong, body });
    assert.deepEqual([refused.status, refused.value.error.code], [403, "SCOPE_DENIED"], path);
    const right = scope === "admin" ? keys.admin_token : keys.user_token;
    assert.ok((await edge.ask(method, path, { token: right, body })).status < 300, path);
  }
});

test("a key is shown once, limited to its models and origins, and ends when revoked", async () => {
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: {
      label: "narrow",
      user_id: "ann",
      scopes: ["llm"],
      models: ["other-*"],
      origins: ["https://viewer.example"],
    },
  });
  assert.equal(made.status, 201);
  const { key, id, display } = made.value;
  assert.equal(display, `hp_***${key.slice(-4)}`);
  const listed = await edge.ask("GET", "/gateway/v1/keys", { token: keys.admin_token });
  assert.ok(!listed.raw.includes(key.slice(20)));
  assert.equal((await chat(key, good)).value.error.code, "MODEL_NOT_ALLOWED");
  const models = await edge.ask<{ data: unknown[] }>("GET", "/v1/models", { token: key });
  assert.deepEqual(models.value.data, []);
  const own = await edge.ask("GET", "/v1/models", { token: key, headers: { origin: edge.url } });
  assert.equal(own.value.error.code, "ORIGIN_DENIED");
  assert.equal(
    (await edge.ask("POST", `/gateway/v1/keys/${id}/revoke`, { token: keys.admin_token })).status,
    200,
  );
  assert.deepEqual(
    [(await chat(key, good)).status, (await chat(key, good)).value.error.code],
    [401, "KEY_REVOKED"],
  );
  assert.equal(
    (await edge.ask("POST", "/gateway/v1/keys/nobody/revoke", { token: keys.admin_token })).status,
    404,
  );
});

test("origins and preflights", async () => {
  const ask = (origin: string, headers = {}) =>
    edge.ask("GET", "/v1/models", { token: keys.user_token, headers: { origin, ...headers } });
  for (const origin of ["https://viewer.example", edge.url]) {
    const got = await ask(origin);
    assert.deepEqual([got.status, got.headers.get("access-control-allow-origin")], [200, origin]);
    assert.match(got.headers.get("access-control-expose-headers") ?? "", /holdpoint-budget/);
    assert.equal(got.headers.get("vary"), "Origin");
    assert.equal(got.headers.get("access-control-allow-credentials"), null);
  }
  for (const origin of ["https://evil.example", "null", "http://localhost:3000"]) {
    const got = await ask(origin);
    assert.deepEqual([got.status, got.value.error.code], [403, "ORIGIN_DENIED"], origin);
  }
  const preflight = await edge.ask("OPTIONS", "/v1/chat/completions", {
    headers: {
      origin: "https://viewer.example",
      "access-control-request-headers": "authorization, holdpoint-run, x-evil",
    },
  });
  assert.equal(preflight.status, 204);
  const allowed = preflight.headers.get("access-control-allow-headers") ?? "";
  assert.match(allowed, /holdpoint-run/);
  assert.doesNotMatch(allowed, /x-evil/);
  assert.equal(preflight.headers.get("access-control-max-age"), "600");
});

test("bad requests have a code and a place, and reach no upstream", async () => {
  const before = upstream.calls.length;
  const deep = `{"model":"default","messages":[{"role":"user","content":"x"}],"a":${"[".repeat(20)}${"]".repeat(20)}}`;
  const cases = [
    ["{", 400, "INVALID_JSON"],
    ["[]", 400, "INVALID_REQUEST"],
    ['{"model":"default","model":"x","messages":[]}', 400, "DUPLICATE_KEY"],
    [{ messages: good.messages }, 400, "INVALID_REQUEST", "/model"],
    [{ model: "default", messages: [] }, 400, "INVALID_REQUEST", "/messages"],
    [{ ...good, model: "none" }, 404, "MODEL_NOT_FOUND"],
    [{ ...good, max_tokens: 0 }, 400, "INVALID_REQUEST", "/max_tokens"],
    [{ ...good, web_search_options: {} }, 400, "UNMETERED_FEATURE"],
    [deep, 400, "INVALID_REQUEST"],
    [
      { ...good, messages: [{ role: "user", content: "x".repeat(6_000) }] },
      413,
      "REQUEST_TOO_LARGE",
    ],
  ];
  for (const [body, status, code, pointer] of cases) {
    const got = await chat(keys.user_token, body);
    assert.deepEqual([got.status, got.value.error.code], [status, code], got.raw);
    if (pointer) assert.equal(got.value.error.param, pointer);
  }
  const plain = await chat(keys.user_token, "x", { "content-type": "text/plain" });
  assert.deepEqual([plain.status, plain.value.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"]);
  const wrong = await edge.ask("GET", "/v1/chat/completions", { token: keys.user_token });
  assert.deepEqual([wrong.status, wrong.value.error.code], [405, "METHOD_NOT_ALLOWED"]);
  const none = await edge.ask("POST", "/v1/responses", { token: keys.user_token, body: {} });
  assert.deepEqual([none.status, none.value.error.code], [404, "NOT_FOUND"]);
  assert.equal(upstream.calls.length, before);
});

test("a quote says what a run may need and whether it fits", async () => {
  const ask = (most: number) =>
    edge.ask<Quote>("POST", "/gateway/v1/quote", {
      token: keys.user_token,
      body: {
        model: "default",
        input_tokens: { min: 100, max: 1_000 },
        output_tokens: { min: 50, max: most },
        calls: { min: 1, max: 5 },
      },
    });
  assert.deepEqual((await ask(500)).value, {
    tokens: { min: 150, max: 1_500 },
    cost: { min: 0, max: 0 },
    fits: true,
  });
  const large = (await ask(6_000_000)).value;
  assert.deepEqual([large.fits, large.binding_budget], [false, "dev-day"]);
});

test("a secret is in no log and no database", async () => {
  await chat(keys.user_token, {
    ...good,
    messages: [{ role: "user", content: "planted-prompt-text" }],
  });
  const { readFileSync, readdirSync, statSync } = await import("node:fs");
  const secret = keys.user_token.slice(-49, -6);
  const files = readdirSync(edge.dir, { recursive: true })
    .map((file) => `${edge.dir}/${file}`)
    .filter((file) => statSync(file).isFile());
  for (const file of files) {
    const bytes = readFileSync(file).toString("latin1");
    assert.ok(!bytes.includes(secret), file);
    assert.ok(!bytes.includes("planted-prompt-text"), file);
  }
  assert.ok(!edge.log.includes(secret) && !edge.log.includes("planted-prompt-text"));
});

/** What an edge says to a request that names another host than where it went. */
const named = (to: Edge, path: string, headers: Record<string, string>) =>
  new Promise<[number | undefined, string | undefined]>((told, failed) => {
    const request = http.get(to.url + path, { agent: false, headers }, async (response) => {
      const value = (await json(response)) as Body<unknown>;
      told([response.statusCode, value.error?.code]);
    });
    request.on("error", failed);
  });

test("the development token: on loopback, never in production", async () => {
  const dev = await startEdge({
    variables: { UPSTREAM_BASE_URL: upstream.url, HOLDPOINT_DEV: "1" },
  });
  try {
    const bearer = { authorization: "Bearer dev" };
    const { user_token } = await dev.keys();
    for (const path of ["/gateway/v1/keys", "/v1/models", "/api/v1/extensions"]) {
      for (const host of [`127.0.0.1:${dev.port}`, "localhost", "127.8.9.10", "[::1]:8080"])
        assert.deepEqual(await named(dev, path, { ...bearer, host }), [200, undefined], host);
      for (const host of [
        "viewer.example",
        `192.168.1.20:${dev.port}`,
        "localhost.viewer.example",
        "127.0.0.1.viewer.example",
        "[::2]",
      ]) {
        const got = await named(dev, path, { ...bearer, host });
        assert.deepEqual(got, [401, "AUTH_INVALID_TOKEN"], `${path} at ${host}`);
      }
    }
    // A key is good at any host; it is the word `dev` that is not.
    const foreign = { authorization: `Bearer ${user_token}`, host: "viewer.example" };
    assert.deepEqual(await named(dev, "/v1/models", foreign), [200, undefined]);
    const from = (origin: string) => named(dev, "/v1/models", { ...bearer, origin });
    assert.deepEqual(await from("http://localhost:3000"), [200, undefined]);
    assert.deepEqual(await from("https://viewer.example"), [403, "ORIGIN_DENIED"]);
  } finally {
    await dev.stop();
  }
  const production = await startEdge({
    variables: { ENVIRONMENT: "production", HOLDPOINT_DEV: "1" },
  });
  try {
    for (const path of ["/", "/v1/models", "/gateway/v1/keys"]) {
      assert.equal((await production.ask("GET", path, { token: "dev" })).status, 503, path);
    }
  } finally {
    await production.stop();
  }
});

test("the first keys are made by whoever started the process, and not in production", async () => {
  const guess = await edge.ask("POST", "/gateway/v1/bootstrap", { token: "guess" });
  assert.equal(guess.status, 404);
  const production = await startEdge({ variables: { ENVIRONMENT: "production" } });
  try {
    assert.equal(
      (await production.ask("POST", "/gateway/v1/bootstrap", { token: production.secret })).status,
      404,
    );
  } finally {
    await production.stop();
  }
});
