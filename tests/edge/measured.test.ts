// Measurements of a call, for an administrator in development alone (gateway.md §13 "Eval headers").
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { userKey } from "./profile.ts";
import { answer, play, startUpstream, type Upstream } from "./upstream.ts";
import { type Edge, question, startEdge } from "./workerd.ts";

let edge: Edge;
let upstream: Upstream;
let admin = "";
let user = "";

before(async () => {
  upstream = await startUpstream((call) =>
    call.body.stream ? play(call, ["a", "b"]) : answer(call, "ok", { input: 9, output: 4 }),
  );
  edge = await startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url } });
  const keys = await edge.keys();
  admin = await userKey(edge, keys, "zoe", { scopes: ["llm", "admin"] });
  user = keys.user_token;
});
after(async () => {
  await edge?.stop();
  await upstream?.stop();
});

const body = question();
const asks = (at: Edge, token: string, headers: Record<string, string>, more: object = {}) =>
  at.ask("POST", "/v1/chat/completions", { token, headers, body: { ...body, ...more } });
const measured = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("holdpoint-eval-")));
const EVAL = { "holdpoint-eval": "1", "holdpoint-template": "panel.3" };

test("an administrator is told sizes, the estimate, the hold, the template and the outcome", async () => {
  const whole = await asks(edge, admin, EVAL);
  assert.equal(whole.status, 200, whole.raw);
  const bytes = Buffer.byteLength(JSON.stringify(body));
  assert.deepEqual(measured(whole.headers), {
    "holdpoint-eval-input-bytes": String(bytes),
    "holdpoint-eval-output-bytes": String(Buffer.byteLength(whole.raw)),
    "holdpoint-eval-estimate": String(Math.ceil(bytes / 3)),
    "holdpoint-eval-hold": whole.headers.get("holdpoint-hold-tokens"),
    "holdpoint-eval-outcome": "ok",
    "holdpoint-eval-template": "panel.3",
  });
  const stream = await asks(edge, admin, { "holdpoint-eval": "1" }, { stream: true });
  assert.deepEqual(Object.keys(measured(stream.headers)).sort(), [
    "holdpoint-eval-estimate",
    "holdpoint-eval-hold",
    "holdpoint-eval-input-bytes",
  ]);
  assert.deepEqual(measured((await asks(edge, admin, {})).headers), {}, "nobody asked");
});

test("nobody else measures, and in production nobody does", async () => {
  const calls = upstream.calls.length;
  const other = await asks(edge, user, { "holdpoint-eval": "1" });
  assert.deepEqual([other.status, other.value.error.code], [403, "SCOPE_DENIED"]);
  const secret = "a-secret-of-thirty-two-characters";
  const live = await startEdge({
    variables: {
      UPSTREAM_BASE_URL: upstream.url,
      ENVIRONMENT: "production",
      FIRST_ACCOUNT: "org:acme",
      FIRST_ACCOUNT_SECRET: secret,
    },
  });
  try {
    const made = await live.ask<{ key: { key: string } }>("POST", "/gateway/v1/accounts", {
      token: secret,
    });
    assert.equal(made.status, 201, made.raw);
    const refused = await asks(live, made.value.key.key, { "holdpoint-eval": "1" });
    assert.deepEqual([refused.status, refused.value.error.code], [403, "SCOPE_DENIED"]);
  } finally {
    await live.stop();
  }
  assert.equal(upstream.calls.length, calls, "nothing was asked");
});
