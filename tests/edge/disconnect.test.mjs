// What a vanished client means for its upstream call, policy by policy (gateway.md §7).
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import { chunk, done, finish, sleep, startUpstream, usage } from "./upstream.mjs";
import { eventually, startEdge } from "./workerd.mjs";

/** Takes one chunk, then resets the connection. (A quiet close is seen by workerd only at its next write.) */
const leave_after_first_byte = (edge, token) =>
  new Promise((left, failed) => {
    const request = http.request(`${edge.url}/v1/chat/completions`, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    request.on("response", (response) => {
      response.on("error", () => {});
      response.once("data", () => {
        request.socket.resetAndDestroy();
        left();
      });
    });
    request.on("error", failed);
    request.end(
      JSON.stringify({
        model: "default",
        stream: true,
        messages: [{ role: "user", content: "x" }],
      }),
    );
  });

const cases = [
  // policy, drain limit -> upstream closed early, outcome, source, tokens
  ["drain", "20000", false, "client_gone", "reported", (row) => row.tokens === 30],
  [
    "drain",
    "300",
    true,
    "client_gone",
    "estimated",
    (row) => row.tokens > 0 && row.tokens <= row.held_tokens,
  ],
  [
    "cancel_estimate",
    "20000",
    true,
    "client_gone",
    "estimated",
    (row) => row.tokens > 0 && row.tokens <= row.held_tokens,
  ],
  ["cancel_free", "20000", true, "client_gone", "none", (row) => row.tokens === 0],
];

for (const [policy, limit, early, outcome, source, fits] of cases) {
  test(`${policy}, at most ${limit} ms`, async () => {
    let play;
    const upstream = await startUpstream((call) => play(call));
    play = async (call) => {
      call.head();
      call.send(chunk("some words "));
      await Promise.race([sleep(1_500), call.closed]);
      call.send(chunk("more words") + finish + usage(10, 20));
      call.end(done);
    };
    const edge = await startEdge({
      variables: {
        UPSTREAM_BASE_URL: upstream.url,
        UPSTREAM_DISCONNECT: policy,
        DRAIN_MAX_MS: limit,
      },
    });
    try {
      const { user_token, admin_token } = await edge.keys();
      await leave_after_first_byte(edge, user_token);
      const row = await eventually(async () => {
        const value = (await edge.ask("GET", "/gateway/v1/ledger", { token: admin_token })).value
          .items[0];
        return { ok: value !== undefined, value };
      });
      assert.deepEqual(
        [row.outcome, row.usage_source, row.disconnect_policy],
        [outcome, source, policy],
      );
      assert.ok(fits(row), JSON.stringify(row));
      assert.equal(await upstream.calls[0].closed, early);
      assert.equal(
        (await edge.ask("GET", "/gateway/v1/indicator", { token: user_token })).value.budget.held,
        0,
      );
    } finally {
      await edge.stop();
      await upstream.stop();
    }
  });
}
