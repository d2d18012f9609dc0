// What a vanished client means for its upstream call, policy by policy (gateway.md §7).
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import type { Indicator, LedgerRow, List } from "./gateway.ts";
import { chunk, done, finish, sleep, startUpstream, usage } from "./upstream.ts";
import { type Edge, eventually, startEdge } from "./workerd.ts";

/** Takes one chunk, then resets the connection. (A quiet close is seen by workerd only at its next write.) */
const leave_after_first_byte = (edge: Edge, token: string) =>
  new Promise<void>((left, failed) => {
    const request = http.request(`${edge.url}/v1/chat/completions`, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    request.on("response", (response) => {
      response.on("error", () => {});
      response.once("data", () => {
        request.socket?.resetAndDestroy();
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

const guessed = (row: LedgerRow): boolean => row.tokens > 0 && row.tokens <= row.held_tokens;

/** Policy and drain limit; then whether the upstream is closed early, the source of the usage, and its tokens. */
const cases: [string, string, boolean, string, (row: LedgerRow) => boolean][] = [
  ["drain", "20000", false, "reported", (row) => row.tokens === 30],
  ["drain", "300", true, "estimated", guessed],
  ["cancel_estimate", "20000", true, "estimated", guessed],
  ["cancel_free", "20000", true, "none", (row) => row.tokens === 0],
];

for (const [policy, limit, early, source, fits] of cases) {
  test(`${policy}, at most ${limit} ms`, async () => {
    const upstream = await startUpstream(async (call) => {
      call.head();
      call.send(chunk("some words "));
      await Promise.race([sleep(1_500), call.closed]);
      call.send(chunk("more words") + finish + usage(10, 20));
      call.end(done);
    });
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
        const asked = { token: admin_token };
        const got = await edge.ask<List<LedgerRow>>("GET", "/gateway/v1/ledger", asked);
        const [value] = got.value.items;
        return { ok: value !== undefined, value };
      });
      assert.deepEqual(
        [row.outcome, row.usage_source, row.disconnect_policy],
        ["client_gone", source, policy],
      );
      assert.ok(fits(row), JSON.stringify(row));
      assert.equal(await upstream.calls[0].closed, early);
      const asked = { token: user_token };
      const shown = await edge.ask<Indicator>("GET", "/gateway/v1/indicator", asked);
      assert.equal(shown.value.budget?.held, 0);
    } finally {
      await edge.stop();
      await upstream.stop();
    }
  });
}
