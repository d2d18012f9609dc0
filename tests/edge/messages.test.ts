// Anthropic's protocol on real workerd: bytes, money, errors, and the npm client that people use.
import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { during } from "../during.ts";
import {
  close,
  configuration,
  delta,
  failing,
  message,
  open,
  ping,
  start,
  stop,
  text,
} from "./anthropic.ts";
import type { LedgerRow, List } from "./gateway.ts";
import { type Call, last, startUpstream, streamed, told } from "./upstream.ts";
import { eventually, startEdge } from "./workerd.ts";

let play: (call: Call) => unknown;

interface Shape {
  type: string;
  error: { type: string; message: string; details: Record<string, unknown> };
  request_id: string;
}

const upstream = await during(startUpstream((call) => play(call)));
const edge = await during(
  startEdge({
    variables: {
      GATEWAY_CONFIG: configuration(upstream.url.replace(/\/v1$/, "")),
      UPSTREAM_KEY_MAIN: "sk-ant-upstream-secret",
      IDLE_MS: "600",
    },
  }),
);
const keys = await edge.keys();
const client = new Anthropic({ baseURL: edge.url, apiKey: keys.user_token, maxRetries: 0 });

const asked = (more = {}) => ({
  model: "default",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "x" }],
  ...more,
});
const post = (body: unknown, headers: Record<string, string> = {}, path = "/v1/messages") =>
  fetch(edge.url + path, {
    method: "POST",
    headers: {
      "x-api-key": keys.user_token,
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const row = async (id: string | null): Promise<LedgerRow & Record<string, unknown>> =>
  eventually(async () => {
    const ledger = await edge.ask<List<LedgerRow & Record<string, unknown>>>(
      "GET",
      "/gateway/v1/ledger",
      { token: keys.admin_token },
    );
    const value = ledger.value.items.find((item) => item.request_id === id);
    return { ok: value !== undefined, value };
  });

test("a request goes upstream byte for byte, but for model and maximum; nothing of its sender does", async () => {
  play = (call) =>
    message(call, [{ type: "text", text: "hi" }], { input_tokens: 5, output_tokens: 2 });
  const body =
    '{ "max_tokens": 9000.0 , "model" : "default",  "messages":[{"role":"user","content":' +
    '[{"type":"text","text":"\\u00e9 1.0e2","cache_control":{"type":"ephemeral"}}]}], "top_k": 5 }';
  const answer = await post(body, {
    "anthropic-version": "2024-10-22",
    "anthropic-beta": "known-1, other-2",
    cookie: "a=b",
    "x-stainless-lang": "js",
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  const call = last(upstream.calls);
  assert.equal(call.path, "/v1/messages");
  assert.equal(call.raw, body.replace('"default"', '"m-large"').replace("9000.0", "8000"));
  assert.equal(call.headers["x-api-key"], "sk-ant-upstream-secret");
  assert.equal(call.headers.authorization, undefined);
  assert.equal(call.headers["anthropic-version"], "2024-10-22");
  assert.equal(call.headers["anthropic-beta"], "known-1");
  assert.equal(call.headers.cookie, undefined);
  assert.equal(call.headers["x-stainless-lang"], undefined);
  assert.equal(answer.headers.get("holdpoint-dropped"), "anthropic-beta:other-2");
});

test("fresh, cached and written tokens are charged at their prices, of a body and of a stream", async () => {
  const before = {
    input_tokens: 1000,
    cache_read_input_tokens: 2000,
    cache_creation_input_tokens: 400,
  };
  // 1000 × 3 + 2000 × 0.3 + 400 × 3.75 + 50 × 15, in micros
  const cost = 3000 + 600 + 1500 + 750;
  play = (call) =>
    call.body.stream
      ? streamed(
          call,
          start({ ...before, output_tokens: 1 }),
          ping,
          text(0, ["a"]),
          stop("end_turn", { output_tokens: 50 }),
        )
      : message(call, [{ type: "text", text: "a" }], { ...before, output_tokens: 50 });
  for (const stream of [false, true]) {
    const long = asked({ stream, messages: [{ role: "user", content: "x".repeat(20_000) }] });
    const answer = await post(long);
    assert.equal(answer.status, 200, await answer.clone().text());
    await answer.text();
    const settled = await row(answer.headers.get("request-id"));
    assert.deepEqual(
      [settled.outcome, settled.usage_source, settled.protocol, settled.tokens, settled.cost],
      ["ok", "reported", "anthropic", 3450, cost],
    );
    assert.deepEqual(
      [settled.input, settled.cached_input, settled.cache_write, settled.output],
      [1000, 2000, 400, 50],
    );
  }
});

test("a stream reaches its client byte for byte, whatever the chunks and line ends", async () => {
  const lines = start() + ping + text(0, ["hé", "llo"]) + stop("end_turn", { output_tokens: 3 });
  for (const eol of ["\n", "\r\n", "\r"]) {
    const bytes = Buffer.from(lines.replaceAll("\n", eol));
    play = (call) => {
      call.head();
      for (let at = 0; at < bytes.length; at += 11) call.send(bytes.subarray(at, at + 11));
      call.end();
    };
    const answer = await post(asked({ stream: true }));
    assert.equal(await answer.text(), bytes.toString());
    assert.equal((await row(answer.headers.get("request-id"))).outcome, "ok");
  }
});

test("the npm client: whole, streamed, tools over two turns, thinking, images", async () => {
  play = (call) =>
    message(call, [{ type: "text", text: "whole" }], { input_tokens: 5, output_tokens: 2 });
  const whole = await client.messages.create(asked());
  assert.deepEqual(whole.content, [{ type: "text", text: "whole" }]);

  play = (call) =>
    streamed(
      call,
      start(),
      ping,
      open(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "hm" }),
      delta(0, { type: "signature_delta", signature: "sig" }),
      close(0),
      text(1, ["one ", "two"]),
      open(2, { type: "tool_use", id: "tu_1", name: "find", input: {} }),
      delta(2, { type: "input_json_delta", partial_json: '{"q":' }),
      delta(2, { type: "input_json_delta", partial_json: '"x"}' }),
      close(2),
      stop("tool_use", { output_tokens: 9 }),
    );
  const tools = [{ name: "find", input_schema: { type: "object" as const } }];
  const heard: string[] = [];
  const stream = client.messages
    .stream(asked({ max_tokens: 2000, thinking: { type: "enabled", budget_tokens: 1024 }, tools }))
    .on("text", (part) => heard.push(part));
  const final = await stream.finalMessage();
  assert.deepEqual(heard, ["one ", "two"]);
  assert.deepEqual(
    final.content.map((block) => block.type),
    ["thinking", "text", "tool_use"],
  );
  const [thinking, , called] = final.content;
  assert.ok(thinking?.type === "thinking" && thinking.signature === "sig");
  assert.ok(called?.type === "tool_use");
  assert.deepEqual(called.input, { q: "x" });
  assert.equal(final.usage.output_tokens, 9);

  play = (call) =>
    message(call, [{ type: "text", text: "done" }], { input_tokens: 5, output_tokens: 2 });
  const image = { type: "base64" as const, media_type: "image/png" as const, data: "iVBORw0K" };
  const second = await client.messages.create(
    asked({
      tools,
      messages: [
        { role: "user", content: [{ type: "image", source: image }] },
        { role: "assistant", content: final.content },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "tu_1", content: "3 hits" }],
        },
      ],
    }),
  );
  assert.equal(second.stop_reason, "end_turn");
  const sent = last(upstream.calls).body.messages;
  assert.deepEqual(sent[1]?.content, final.content);
});

test("a client that leaves is settled by the policy", async () => {
  play = (call) => {
    call.head();
    call.send(
      start() + open(0, { type: "text", text: "" }) + delta(0, { type: "text_delta", text: "one" }),
    );
  };
  const stream = client.messages.stream(asked());
  await new Promise((seen) => stream.on("text", seen));
  const call = last(upstream.calls);
  stream.on("abort", () => {});
  stream.abort();
  // A client that closes quietly is found by the next write.
  await eventually(() => {
    call.send(ping);
    return { ok: edge.log.includes("llm.client_gone") };
  });
  call.end(close(0) + stop("end_turn", { output_tokens: 4 }));
  const settled = await eventually(async () => {
    const ledger = await edge.ask<List<LedgerRow>>("GET", "/gateway/v1/ledger", {
      token: keys.admin_token,
    });
    const value = ledger.value.items[0];
    return { ok: value?.outcome === "client_gone", value };
  });
  assert.deepEqual([settled?.disconnect_policy, settled?.input, settled?.output], ["drain", 7, 4]);
});

test("what is refused before the call has the protocol's shape", async () => {
  const cases: [unknown, Record<string, string>, number, string, string, string?][] = [
    [asked(), { "x-api-key": "nonsense" }, 401, "authentication_error", "AUTH_INVALID_TOKEN"],
    ["{", {}, 400, "invalid_request_error", "INVALID_JSON"],
    [asked({ model: "nobody" }), {}, 404, "not_found_error", "MODEL_NOT_FOUND", "/model"],
    [
      asked({ max_tokens: undefined }),
      {},
      400,
      "invalid_request_error",
      "INVALID_REQUEST",
      "/max_tokens",
    ],
    [asked({ Max_Tokens: 5 }), {}, 400, "invalid_request_error", "UNMETERED_FEATURE"],
    [asked({ shiny: true }), {}, 400, "invalid_request_error", "UNMETERED_FEATURE"],
    [asked({ mcp_servers: [{}] }), {}, 400, "invalid_request_error", "UNMETERED_FEATURE"],
    [
      asked({ tools: [{ type: "bash_20250124", name: "bash" }] }),
      {},
      400,
      "invalid_request_error",
      "UNMETERED_FEATURE",
    ],
  ];
  const before = upstream.calls.length;
  for (const [body, headers, status, type, code, pointer] of cases) {
    const answer = await post(body, headers);
    const value = (await answer.json()) as Shape;
    assert.deepEqual(
      [answer.status, value.type, value.error.type, value.error.details.error_code],
      [status, "error", type, code],
    );
    assert.equal(value.error.details.pointer, pointer);
    assert.equal(value.request_id, answer.headers.get("request-id"));
    assert.equal(answer.headers.get("x-should-retry"), "false");
  }
  assert.equal(upstream.calls.length, before, "nothing was sent");
  await assert.rejects(client.messages.create(asked({ model: "nobody" })), Anthropic.NotFoundError);
  const nowhere = await post("{}", {}, "/v1/messages/batches");
  assert.equal(nowhere.status, 404);
  assert.equal(((await nowhere.json()) as Shape).error.type, "not_found_error");
});

test("the key of a caller may stand in either header, not two keys in both", async () => {
  play = (call) =>
    message(call, [{ type: "text", text: "a" }], { input_tokens: 5, output_tokens: 2 });
  const bearer = new Anthropic({
    baseURL: edge.url,
    apiKey: null,
    authToken: keys.user_token,
    maxRetries: 0,
  });
  assert.equal((await bearer.messages.create(asked())).stop_reason, "end_turn");
  const two = await post(asked(), { authorization: `Bearer ${keys.admin_token}` });
  assert.equal(two.status, 401);
});

test("a provider's own refusals pass, and its faults are told and charged by rule", async () => {
  const own = '{"type":"error","error":{"type":"invalid_request_error","message":"no such thing"}}';
  play = (call) => told(call, 400, own);
  const refused = await post(asked());
  assert.deepEqual([refused.status, await refused.text()], [400, own]);

  play = (call) => told(call, 401, own);
  const auth = await post(asked());
  assert.deepEqual([auth.status, ((await auth.json()) as Shape).error.type], [502, "api_error"]);

  const lead =
    start() +
    open(0, { type: "text", text: "" }) +
    delta(0, { type: "text_delta", text: "abcdef" });
  const ends: [string, string, string, number][] = [
    [failing("overloaded_error", "busy"), "upstream_error", "overloaded_error", 2],
    ["", "upstream_cut", "UPSTREAM_STREAM_CUT", 2],
    ["event: message_delta\ndata: {oops\n\n", "upstream_error", "UPSTREAM_PROTOCOL_ERROR", 4],
  ];
  for (const [end, outcome, word, output] of ends) {
    play = (call) => streamed(call, lead + end);
    const answer = await post(asked({ stream: true }));
    const heard = await answer.text();
    assert.ok(heard.startsWith(lead), heard);
    assert.match(heard, new RegExp(`event: error\\ndata: .*${word}`));
    assert.ok(!heard.includes("message_stop"));
    const settled = await row(answer.headers.get("request-id"));
    assert.deepEqual(
      [settled.outcome, settled.usage_source, settled.input, settled.output],
      [outcome, "estimated", 7, output],
    );
  }
  play = (call) => streamed(call, lead, failing("overloaded_error", "busy"));
  await assert.rejects(client.messages.stream(asked()).finalMessage(), Anthropic.APIError);
});

test("tokens are counted by the provider, and charged to nobody", async () => {
  play = (call) => told(call, 200, '{"input_tokens":2095}');
  const spent = async () =>
    (
      await edge.ask<{ items: { spent: number }[] }>("GET", "/gateway/v1/budgets", {
        token: keys.admin_token,
      })
    ).value.items.map((budget) => budget.spent);
  const before = await spent();
  const { max_tokens: _, ...counted } = asked({ system: "s" });
  const count = await client.messages.countTokens(counted);
  assert.equal(count.input_tokens, 2095);
  const call = last(upstream.calls);
  assert.equal(call.path, "/v1/messages/count_tokens");
  assert.equal(call.raw, JSON.stringify({ ...counted, model: "m-large" }));
  assert.deepEqual(await spent(), before);
  play = (call) =>
    told(call, 400, '{"type":"error","error":{"type":"invalid_request_error","message":"no"}}');
  await assert.rejects(client.messages.countTokens(counted), Anthropic.BadRequestError);
});

test("a client of that protocol lists models in its shape", async () => {
  const page = await client.models.list();
  assert.deepEqual(
    page.data.map((model) => [model.type, model.id, model.display_name]),
    [["model", "default", "Standard"]],
  );
  assert.equal((await client.models.retrieve("default")).id, "default");
  const plain = await edge.ask<{ object: string }>("GET", "/v1/models", { token: keys.user_token });
  assert.equal(plain.value.object, "list");
});

test("no log holds a key, a word of a request or of an answer", () => {
  for (const secret of ["sk-ant-upstream-secret", "abcdef", "3 hits", keys.user_token])
    assert.ok(!edge.log.includes(secret), secret);
});
