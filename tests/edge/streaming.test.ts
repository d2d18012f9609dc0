// Streams on real workerd: bytes, order, fidelity, and the npm client that people use.
import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";
import { during } from "../during.ts";
import type { Indicator, LedgerRow, List } from "./gateway.ts";
import {
  answer,
  type Call,
  chunk,
  done,
  finish,
  last,
  play,
  sleep,
  startUpstream,
  usage,
} from "./upstream.ts";
import { type Body, eventually, startEdge } from "./workerd.ts";

let play_with: (call: Call) => unknown;

const upstream = await during(startUpstream((call) => play_with(call)));
const edge = await during(
  startEdge({
    variables: {
      UPSTREAM_BASE_URL: upstream.url,
      IDLE_MS: "600",
      UPSTREAM_KEY: "sk-upstream-secret",
    },
  }),
);
const keys = await edge.keys();

const stream = (more = {}) => ({
  model: "default",
  stream: true as const,
  messages: [{ role: "user" as const, content: "x" }],
  ...more,
});
const post = (body: unknown, headers = {}) =>
  fetch(`${edge.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${keys.user_token}`,
      "content-type": "application/json",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

test("the first chunk reaches the client while the upstream still sends", async () => {
  let go_on = () => {};
  play_with = async (call) => {
    call.head();
    call.send(chunk("first"));
    await new Promise<void>((go) => {
      go_on = go;
    });
    call.send(finish);
    call.end(done);
  };
  const answer = await post(stream());
  assert.ok(answer.body);
  const reader = answer.body.getReader();
  const { value } = await reader.read();
  assert.match(new TextDecoder().decode(value), /first/);
  go_on();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read())
    rest += new TextDecoder().decode(part.value);
  assert.ok(rest.endsWith(done), rest);
});

test("response bytes pass unchanged, less the usage that nobody asked for", async () => {
  const lead = `: ping\r\n\r\n${chunk("hé")}${finish}`;
  for (const asked of [true, false]) {
    play_with = async (call) => {
      call.head();
      const text = Buffer.from(lead + usage(5, 2) + done);
      for (let at = 0; at < text.length; at += 7) {
        call.send(text.subarray(at, at + 7));
        if (at % 70 === 0) await sleep(1);
      }
      call.end();
    };
    const body = stream(asked ? { stream_options: { include_usage: true } } : {});
    const answer = await post(body);
    assert.equal(await answer.text(), asked ? lead + usage(5, 2) + done : lead + done);
    assert.equal(last(upstream.calls).body.stream_options?.include_usage, true);
  }
});

test("request bytes go upstream as they are, but for the few edits", async () => {
  play_with = (call) => answer(call, "hi");
  const text =
    '{ "model" : "default",  "messages":[{"role":"user","content":"\\u00e9 1.0e2"}], "temperature": 1.0 }';
  await (await post(text, { cookie: "a=b", "x-stainless-lang": "js" })).text();
  const call = last(upstream.calls);
  assert.equal(
    call.raw,
    text.replace('"default"', '"scripted-1"').replace("{ ", '{"max_completion_tokens":4096, '),
  );
  assert.equal(call.headers.authorization, "Bearer sk-upstream-secret");
  assert.equal(call.headers.cookie, undefined);
  assert.equal(call.headers["x-stainless-lang"], undefined);
});

test("the npm client works, unchanged but for address and key", async () => {
  const client = new OpenAI({ baseURL: `${edge.url}/v1`, apiKey: keys.user_token, maxRetries: 0 });
  play_with = (call) => (call.body.stream ? play(call, ["one ", "two"]) : answer(call, "whole"));
  const whole = await client.chat.completions.create({
    model: "default",
    messages: [{ role: "user", content: "x" }],
  });
  assert.equal(whole.choices[0].message.content, "whole");
  let text = "";
  for await (const part of await client.chat.completions.create(stream()))
    text += part.choices[0]?.delta.content ?? "";
  assert.equal(text, "one two");
  assert.deepEqual(
    (await client.models.list()).data.map((model) => model.id),
    ["default"],
  );
  await assert.rejects(
    client.chat.completions.create({ model: "none", messages: [{ role: "user", content: "x" }] }),
    { status: 404, code: "MODEL_NOT_FOUND" },
  );
  const stranger = new OpenAI({ baseURL: `${edge.url}/v1`, apiKey: "nonsense", maxRetries: 0 });
  await assert.rejects(stranger.models.list(), { status: 401, code: "AUTH_INVALID_TOKEN" });
});

test("a cut stream ends with an error event and is charged for what came", async () => {
  play_with = async (call) => {
    call.head();
    call.send(chunk("some text"));
    await sleep(50);
    call.cut();
  };
  const answer = await post(stream());
  const text = await answer.text();
  assert.match(text, /UPSTREAM_STREAM_CUT/);
  assert.doesNotMatch(text, /\[DONE\]/);
  const row = await settled(answer);
  assert.equal(row.outcome, "upstream_cut");
  assert.equal(row.usage_source, "estimated");
  assert.ok(row.tokens > 0 && row.tokens < row.held_tokens);
});

test("a stalled stream ends within its patience", async () => {
  play_with = async (call) => {
    call.head();
    call.send(chunk("then nothing"));
    await call.closed;
  };
  const begun = Date.now();
  const text = await (await post(stream())).text();
  assert.match(text, /UPSTREAM_STALLED/);
  assert.ok(Date.now() - begun < 3_000);
  assert.equal(await last(upstream.calls).closed, true);
});

test("a broken event is not passed on", async () => {
  play_with = (call) => {
    call.head();
    call.end(`${chunk("good")}data: {oops\n\n`);
  };
  const text = await (await post(stream())).text();
  assert.match(text, /good/);
  assert.match(text, /UPSTREAM_PROTOCOL_ERROR/);
  assert.doesNotMatch(text, /oops/);
});

test("what an upstream refuses", async () => {
  const cases: [number, number, string][] = [
    [400, 400, "upstream's own words"],
    [401, 502, "UPSTREAM_AUTH_FAILED"],
    [302, 502, "UPSTREAM_REDIRECT"],
    [500, 502, "UPSTREAM_ERROR"],
    [429, 429, "UPSTREAM_RATE_LIMITED"],
  ];
  for (const [theirs, ours, words] of cases) {
    play_with = (call) => {
      call.head(theirs, { "content-type": "application/json", location: "http://127.0.0.1/" });
      call.end(
        JSON.stringify({ error: { message: "upstream's own words, key sk-upstream-secret" } }),
      );
    };
    const answer = await post(stream());
    const text = await answer.text();
    assert.equal(answer.status, ours, text);
    assert.ok(text.includes(words), text);
    assert.ok(!text.includes("sk-upstream-secret"), text);
  }
  const asked = { token: keys.user_token };
  const shown = await edge.ask<Indicator>("GET", "/gateway/v1/indicator", asked);
  assert.equal(shown.value.budget?.held, 0);
});

test("the usage comment follows the last event", async () => {
  play_with = (call) => play(call, ["a"]);
  const text = await (await post(stream(), { "holdpoint-usage-comment": "1" })).text();
  const [, comment] = text.split(done);
  assert.match(comment, /^: holdpoint \{"request_id":"req_/);
  assert.equal(JSON.parse(comment.trim().slice(12)).tokens, 8);
});

test("a stop button ends its call, and only its own", async () => {
  play_with = async (call) => {
    call.head();
    call.send(chunk("on and on"));
    await call.closed;
  };
  const answer = await post(stream());
  const id = answer.headers.get("x-request-id");
  const cancel = (token: string) =>
    edge.ask("POST", `/gateway/v1/requests/${id}/cancel`, { token });
  const foreign = await cancel(keys.admin_token);
  assert.equal(foreign.status, 403, foreign.raw + edge.log);
  assert.equal((await cancel(keys.user_token)).status, 200);
  await answer.text();
  const row = await settled(answer);
  assert.deepEqual([row.outcome, row.disconnect_policy], ["cancelled", "cancel_estimate"]);
  assert.equal(await last(upstream.calls).closed, true);
  assert.equal((await cancel(keys.user_token)).status, 404);
});

test("a stop before the first byte is told as one, and that nobody should try again", async () => {
  for (const body of [stream(), { model: "default", messages: [{ role: "user", content: "x" }] }]) {
    let tries = 0;
    // The first try fails, so that the log names the call; the second one never answers.
    play_with = async (call) => {
      tries += 1;
      if (tries > 1) return call.closed;
      call.head(500, { "content-type": "application/json" });
      return call.end("{}");
    };
    const known = new Set(edge.log.match(/req_[0-9A-Z]{26}/g));
    const asked = post(body);
    const id = await eventually(async () => {
      const failed = edge.log
        .split("\n")
        .filter((line) => line.includes("llm.upstream_error"))
        .join("\n");
      const value = (failed.match(/req_[0-9A-Z]{26}/g) ?? []).find((one) => !known.has(one));
      return { ok: value !== undefined && tries > 1, value };
    });
    assert.equal(
      (await edge.ask("POST", `/gateway/v1/requests/${id}/cancel`, { token: keys.user_token }))
        .status,
      200,
    );
    const answer = await asked;
    const { error } = (await answer.json()) as Body<unknown>;
    assert.deepEqual(
      [answer.status, error.code, answer.headers.get("x-should-retry")],
      [499, "REQUEST_CANCELLED", "false"],
    );
    // Each try has a row of its own.
    const first = await settled(answer);
    assert.deepEqual([first.outcome, first.usage_source], ["upstream_error", "estimated"]);
    const row = await settled(answer, ".2");
    assert.deepEqual(
      [row.outcome, row.status, row.disconnect_policy],
      ["cancelled", 499, "cancel_estimate"],
    );
    assert.equal(await last(upstream.calls).closed, true);
  }
});

/** The line of the ledger that an answer left; a retry's id ends in its number. */
const settled = (answer: Response, retry = "") =>
  eventually(async () => {
    const asked = { token: keys.admin_token };
    const got = await edge.ask<List<LedgerRow>>("GET", "/gateway/v1/ledger", asked);
    const value = got.value.items.find(
      (row) => row.request_id === `${answer.headers.get("x-request-id")}${retry}`,
    );
    return { ok: value !== undefined, value };
  });
