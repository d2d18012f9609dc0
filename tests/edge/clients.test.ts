// The clients that people use, before both protocols of the scripted model server: only address and key change.
//
// Those of PyPI are tried where HOLDPOINT_PYTHON names a Python that has `openai` and `anthropic`.
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { freePort } from "../ports.ts";
import type { LedgerRow, List } from "./gateway.ts";
import { type Edge, eventually, type Keys, startEdge } from "./workerd.ts";

const here = dirname(fileURLToPath(import.meta.url));
const holdpoint = process.env.HOLDPOINT ?? join(resolve(here, "../.."), "target/debug/holdpoint");
const ALIASES = ["claude", "gpt"];
const SCHEMA = { type: "object" as const, properties: { type: { type: "string" } } };

let edge: Edge;
let keys: Keys;
let provider: ChildProcess;
let openai: OpenAI;
let anthropic: Anthropic;

const transcript = {
  transcript: 1,
  name: "clients",
  turns: [
    { when: { tool_result_for: "count" }, reply: { text: "There are twelve." } },
    {
      when: { has_tool: "count" },
      reply: {
        text: "Let me count.",
        tool_calls: [
          { id: "call_1", name: "count", arguments: { type: "IfcDoor" } },
          { id: "call_2", name: "count", arguments: {} },
        ],
      },
    },
    {
      when: { last_user_contains: "slowly" },
      reply: { text: "word ".repeat(400) },
      pace: { per_token_ms: 20 },
    },
    {
      when: { last_user_contains: "cut" },
      reply: { text: "one two three four" },
      faults: [{ kind: "cut", after_tokens: 3 }],
    },
    {
      when: { last_user_contains: "busy" },
      reply: {},
      faults: [{ kind: "status", status: 429, retry_after: 30 }],
    },
  ],
  otherwise: { reply: { thinking: "Hm.", text: "Hello, this is the answer." } },
};

before(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const scripts = join(here, "../../fixtures/transcripts/05-script-editor.json");
  provider = spawn(holdpoint, ["provider", "--transcripts", scripts, "--port", String(port)], {
    stdio: "ignore",
  });
  const post = () =>
    fetch(`${url}/__scripted/transcripts`, { method: "POST", body: JSON.stringify(transcript) });
  await eventually(async () => ({
    ok: await post().then(
      (got) => got.ok,
      () => false,
    ),
  }));
  const row = (alias: string) => ({ provider: alias, model: `scripted-${alias}` });
  const config = {
    providers: [
      { id: "claude", kind: "anthropic", base_url: url },
      { id: "gpt", kind: "openai", base_url: `${url}/v1` },
    ],
    models: ALIASES.map((alias) => ({ alias, display: alias, candidates: [row(alias)] })),
    prices: ALIASES.map((alias) => ({
      ...row(alias),
      version: 1,
      context_window: 200_000,
      max_output: 8_000,
      price: { input: 3_000_000, cached_input: 300_000, output: 15_000_000 },
    })),
  };
  edge = await startEdge({ variables: { GATEWAY_CONFIG: JSON.stringify(config) } });
  keys = await edge.keys();
  openai = new OpenAI({ baseURL: `${edge.url}/v1`, apiKey: keys.user_token, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: edge.url, apiKey: keys.user_token, maxRetries: 0 });
});
after(async () => {
  await edge?.stop();
  provider?.kill();
});

const user = (content: string) => [{ role: "user" as const, content }];
const lastRow = async () => {
  const { value } = await edge.ask<List<LedgerRow>>("GET", "/gateway/v1/ledger?limit=1", {
    token: keys.admin_token,
  });
  return value.items[0];
};

for (const model of ALIASES) {
  test(`the OpenAI client of npm asks ${model}: whole, streamed, tools over two turns`, async () => {
    const whole = await openai.chat.completions.create({ model, messages: user("hello") });
    assert.equal(whole.choices[0]?.message.content, "Hello, this is the answer.");
    assert.equal(whole.choices[0]?.finish_reason, "stop");
    assert.ok((whole.usage?.completion_tokens ?? 0) > 0);

    const runner = openai.chat.completions.stream({
      model,
      messages: user("hello"),
      stream_options: { include_usage: true },
    });
    const streamed = await runner.finalChatCompletion();
    assert.equal(streamed.choices[0]?.message.content, "Hello, this is the answer.");
    assert.equal(streamed.usage?.completion_tokens, whole.usage?.completion_tokens);

    const tools = [{ type: "function" as const, function: { name: "count", parameters: SCHEMA } }];
    const messages: OpenAI.ChatCompletionMessageParam[] = user("count the doors");
    const first = await openai.chat.completions
      .stream({ model, messages, tools })
      .finalChatCompletion();
    const said = first.choices[0]?.message;
    const calls = (said?.tool_calls ?? []).flatMap((call) =>
      call.type === "function" ? [call] : [],
    );
    assert.equal(first.choices[0]?.finish_reason, "tool_calls");
    assert.deepEqual(
      calls.map((call) => [call.id, JSON.parse(call.function.arguments)]),
      [
        ["call_1", { type: "IfcDoor" }],
        ["call_2", {}],
      ],
    );
    messages.push({ role: "assistant", content: said?.content ?? null, tool_calls: calls });
    for (const { id } of calls) messages.push({ role: "tool", tool_call_id: id, content: "6" });
    const second = await openai.chat.completions.create({ model, messages, tools });
    assert.equal(second.choices[0]?.message.content, "There are twelve.");
  });

  test(`the Anthropic client of npm asks ${model}: whole, streamed, tools over two turns`, async () => {
    const max_tokens = 500;
    const text = (message: Anthropic.Message) =>
      message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    const whole = await anthropic.messages.create({ model, max_tokens, messages: user("hello") });
    assert.deepEqual([text(whole), whole.stop_reason], ["Hello, this is the answer.", "end_turn"]);
    const streamed = await anthropic.messages
      .stream({ model, max_tokens, messages: user("hello") })
      .finalMessage();
    assert.equal(text(streamed), "Hello, this is the answer.");
    assert.equal(streamed.usage.output_tokens, whole.usage.output_tokens);

    const tools = [{ name: "count", input_schema: SCHEMA }];
    const messages: Anthropic.MessageParam[] = user("count the doors");
    const first = await anthropic.messages
      .stream({ model, max_tokens, messages, tools })
      .finalMessage();
    assert.equal(first.stop_reason, "tool_use");
    const calls = first.content.flatMap((block) => (block.type === "tool_use" ? [block] : []));
    assert.deepEqual(
      calls.map((call) => [call.id, call.input]),
      [
        ["call_1", { type: "IfcDoor" }],
        ["call_2", {}],
      ],
    );
    messages.push({ role: "assistant", content: first.content });
    messages.push({
      role: "user",
      content: calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "6" })),
    });
    const second = await anthropic.messages.create({ model, max_tokens, messages, tools });
    assert.equal(text(second), "There are twelve.");
  });

  test(`what goes wrong before ${model} has the classes that both clients know`, async () => {
    const asked = { model, max_tokens: 100, messages: user("busy") };
    await assert.rejects(openai.chat.completions.create(asked), OpenAI.RateLimitError);
    await assert.rejects(anthropic.messages.create(asked), Anthropic.RateLimitError);
    const nobody = { ...asked, model: "nobody" };
    await assert.rejects(openai.chat.completions.create(nobody), OpenAI.NotFoundError);
    await assert.rejects(anthropic.messages.create(nobody), Anthropic.NotFoundError);
    const cut = { ...asked, messages: user("cut") };
    await assert.rejects(
      openai.chat.completions.stream(cut).finalChatCompletion(),
      OpenAI.APIError,
    );
    await assert.rejects(anthropic.messages.stream(cut).finalMessage(), Anthropic.APIError);
    assert.equal((await lastRow())?.outcome, "upstream_cut");
    const stranger = { apiKey: "hp_test_wrong", maxRetries: 0 };
    const wrong = new OpenAI({ ...stranger, baseURL: `${edge.url}/v1` });
    await assert.rejects(wrong.chat.completions.create(asked), OpenAI.AuthenticationError);
    const wrong_too = new Anthropic({ ...stranger, baseURL: edge.url });
    await assert.rejects(wrong_too.messages.create(asked), Anthropic.AuthenticationError);
  });

  test(`a client that stops ${model} in the middle is settled`, async () => {
    const stream = await openai.chat.completions.create({
      model,
      messages: user("slowly"),
      stream: true,
    });
    let words = 0;
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) words += 1;
      if (words === 3) break;
    }
    await eventually(async () => {
      const row = await lastRow();
      return { ok: row?.outcome === "client_gone" && row.tokens > 0, value: row };
    });
  });
}

test("the clients of PyPI do the same", { skip: !process.env.HOLDPOINT_PYTHON }, async () => {
  const python = process.env.HOLDPOINT_PYTHON ?? "python3";
  const told = await promisify(execFile)(python, [join(here, "clients.py"), edge.url, ...ALIASES], {
    env: { ...process.env, HOLDPOINT_KEY: keys.user_token },
  });
  assert.equal(told.stdout.trim(), "all as expected");
});
