// One key that opens many requests waits for itself, and nobody else does (ENGINE §8).
import assert from "node:assert/strict";
import { type ClientRequest, request } from "node:http";
import { test } from "node:test";
import { during } from "../during.ts";
import { eventually, startEdge } from "./workerd.ts";

const REVIEW = "/api/v1/extensions/review";
const MOST = 2;

const edge = await during(startEdge({ variables: { MAX_WRITES_IN_FLIGHT: String(MOST) } }));
const keys = await edge.keys();

/** Sends the beginning of a body and no more: the request stays in flight until it is destroyed. */
function begun(token: string): ClientRequest {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "transfer-encoding": "chunked",
  };
  const sent = request(edge.url + REVIEW, { method: "POST", headers });
  sent.on("error", () => {});
  sent.write('{"files":');
  return sent;
}

const review = (token: string, body: unknown = { files: {} }) =>
  edge.ask("POST", REVIEW, { token, body });

test("what is too many of one class is refused before its body is read; others go on", async () => {
  const open = Array.from({ length: MOST }, () => begun(keys.user_token));
  try {
    await eventually(async () => ({ ok: (await review(keys.user_token)).status === 429 }));
    const got = await review(keys.user_token, "not even JSON");
    assert.deepEqual([got.status, got.value.error.code], [429, "TOO_MANY_IN_FLIGHT"], got.raw);
    const { scope, limit, retry_after_ms } = got.value.error.details;
    assert.match(scope, /^key:/);
    assert.deepEqual([limit, retry_after_ms], [MOST, 1_000]);

    // Another class of the same key, another key, and who has no key at all.
    const list = await edge.ask("GET", "/api/v1/extensions", { token: keys.user_token });
    assert.equal(list.status, 200, list.raw);
    const other = await edge.ask("PUT", "/gateway/v1/budgets/one", {
      token: keys.admin_token,
      body: { scope: "user:dev", unit: "tokens", period: "day", limit: 1_000_000 },
    });
    assert.equal(other.status, 200, other.raw);
    const nobody = await edge.ask("POST", REVIEW, { body: {} });
    assert.deepEqual([nobody.status, nobody.value.error.code], [401, "AUTH_MISSING_TOKEN"]);
    const unknown = await edge.ask("POST", "/api/v1/extensions/one/nothing", {
      token: keys.user_token,
      body: {},
    });
    assert.equal(unknown.status, 404, "a path that is not there is no request in flight");

    // The editor says it in its own words.
    const script = await edge.ask("POST", "/api/v1/editor/tools", {
      token: keys.user_token,
      body: { title: "x" },
    });
    assert.deepEqual([script.status, script.value.error.code], [429, "TOO_MANY_IN_FLIGHT"]);
    assert.equal(script.headers.get("retry-after"), "1");
    assert.equal(script.value.correlation_id, script.headers.get("x-correlation-id"));
  } finally {
    for (const sent of open) sent.destroy();
  }
});

test("a request that broke off is not counted any more", async () => {
  await eventually(async () => ({ ok: (await review(keys.user_token)).status !== 429 }));
  for (let n = 0; n < MOST + 2; n++) {
    assert.notEqual(
      (await review(keys.user_token)).status,
      429,
      "one after another is one at a time",
    );
  }
});
