// What a request may hold, on real workerd: what the official clients document goes upstream byte for byte, and of what
// changes a price nothing leaves (gateway.md §5).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { during } from "../during.ts";
import { message } from "./anthropic.ts";
import { answer, type Call, last, startUpstream } from "./upstream.ts";
import { startEdge } from "./workerd.ts";

const row = (provider: string, model: string) => ({
  provider,
  model,
  version: 1,
  context_window: 200_000,
  max_output: 8_000,
  image_tokens_max: 1_600,
  document_tokens_max: 5_000,
  audio_tokens_max: 2_000,
  price: { input: 3_000_000, output: 15_000_000 },
});
const configuration = (url: string): string =>
  JSON.stringify({
    providers: [
      { id: "o", kind: "openai", base_url: `${url}/v1`, passes: ["top_k", "messages.prefix"] },
      { id: "a", kind: "anthropic", base_url: url, passes: ["fallbacks"] },
    ],
    models: [
      { alias: "open", display: "O", candidates: [{ provider: "o", model: "o-1" }] },
      { alias: "anth", display: "A", candidates: [{ provider: "a", model: "a-1" }] },
    ],
    prices: [row("o", "o-1"), row("a", "a-1")],
  });

const play = (call: Call): void => {
  if (call.path?.endsWith("/messages"))
    message(call, [{ type: "text", text: "hi" }], { input_tokens: 5, output_tokens: 2 });
  else if (call.path?.endsWith("/count_tokens")) {
    call.head(200, { "content-type": "application/json" });
    call.end('{"input_tokens":7}');
  } else answer(call, "ok");
};

const upstream = await during(startUpstream(play));
const edge = await during(
  startEdge({
    variables: { GATEWAY_CONFIG: configuration(upstream.url.replace(/\/v1$/, "")) },
  }),
);
const keys = await edge.keys();

const OPENAI = "/v1/chat/completions";
const ANTHROPIC = "/v1/messages";
const COUNT = "/v1/messages/count_tokens";

interface Refusal {
  code?: string;
  pointer?: string;
  pointers?: string[];
  media?: string;
}
/** Sends a text; what was refused is told alike for both protocols. */
async function post(path: string, body: string): Promise<{ status: number; refused: Refusal }> {
  const sent = await fetch(edge.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.user_token}`, "content-type": "application/json" },
    body,
  });
  const text = await sent.text();
  if (sent.ok) return { status: sent.status, refused: {} };
  const { error } = JSON.parse(text);
  return {
    status: sent.status,
    refused: { code: error.code ?? error.details.error_code, ...error.details },
  };
}
const whole = (name: string): string =>
  readFileSync(
    new URL(`../../crates/gateway/tests/data/${name}-whole.json`, import.meta.url),
    "utf8",
  );
const small = (path: string, more: object): string =>
  JSON.stringify({
    model: path === OPENAI ? "open" : "anth",
    ...(path === ANTHROPIC ? { max_tokens: 20 } : {}),
    messages: [{ role: "user", content: "x" }],
    ...more,
  });

test("every documented member goes upstream byte for byte", async () => {
  for (const [path, name, alias, model] of [
    [OPENAI, "openai", "open", "o-1"],
    [ANTHROPIC, "anthropic", "anth", "a-1"],
  ] as const) {
    const text = whole(name)
      .replace('"model": "m"', `"model": "${alias}"`)
      .replace('"stream": true', '"stream": false');
    const { status, refused } = await post(path, text);
    assert.deepEqual([status, refused], [200, {}]);
    assert.equal(
      last(upstream.calls).raw,
      text.replace(`"model": "${alias}"`, `"model": "${model}"`),
    );
  }
});

test("of a member that changes the price nothing leaves", async () => {
  const part = (value: object) => ({ messages: [{ role: "user", content: [value] }] });
  const cases: [string, object, string[]][] = [
    [OPENAI, { N: 5 }, ["/N"]],
    [OPENAI, { Max_Tokens: 5, MaxCompletionTokens: 5 }, ["/MaxCompletionTokens", "/Max_Tokens"]],
    [OPENAI, { Model: "dear" }, ["/Model"]],
    [OPENAI, { models: ["dear"] }, ["/models"]],
    [OPENAI, { plugins: [{ id: "web" }] }, ["/plugins"]],
    [OPENAI, { best_of: 9 }, ["/best_of"]],
    [OPENAI, { max_output_tokens: 9 }, ["/max_output_tokens"]],
    [OPENAI, { reasoning: { max_tokens: 9_000 } }, ["/reasoning"]],
    [OPENAI, { extra_body: { n: 9 } }, ["/extra_body"]],
    [OPENAI, { Top_K: 9, prefix: true }, ["/Top_K", "/prefix"]],
    [OPENAI, { tools: [{ type: "web_search" }] }, ["/tools/0/type"]],
    [OPENAI, { tools: [{ type: "code_interpreter", container: {} }] }, ["/tools/0/type"]],
    [OPENAI, { stream_options: { n: 9 } }, ["/stream_options/n"]],
    [OPENAI, part({ type: "text", text: "a", tier: "fast" }), ["/messages/0/content/0/tier"]],
    [ANTHROPIC, { N: 5 }, ["/N"]],
    [ANTHROPIC, { Max_Tokens: 5 }, ["/Max_Tokens"]],
    [ANTHROPIC, { inference_geo: "us", speed: "fast" }, ["/inference_geo", "/speed"]],
    [ANTHROPIC, { tools: [{ type: "web_fetch_20250910", name: "web_fetch" }] }, ["/tools/0/type"]],
    [ANTHROPIC, { tools: [{ name: "f", input_schema: {}, max_uses: 9 }] }, ["/tools/0/max_uses"]],
    [ANTHROPIC, { thinking: { type: "enabled", Budget: 9 } }, ["/thinking/Budget"]],
    [COUNT, { mcp_servers: [{}], models: [] }, ["/mcp_servers", "/models"]],
  ];
  const before = upstream.calls.length;
  for (const [path, more, pointers] of cases) {
    const { status, refused } = await post(path, small(path, more));
    assert.deepEqual(
      [status, refused.code, refused.pointers],
      [400, "UNMETERED_FEATURE", pointers],
      JSON.stringify(more),
    );
  }
  for (const [path, value, media] of [
    [OPENAI, { type: "video_url", video_url: { url: "https://a.example/b" } }, "video"],
    [OPENAI, { type: "Input_Audio", input_audio: { data: "AAAA" } }, "Input_Audio"],
    [ANTHROPIC, { type: "video", source: { type: "url", url: "https://a.example/b" } }, "video"],
  ] as const) {
    const { status, refused } = await post(path, small(path, part(value)));
    assert.deepEqual(
      [status, refused.code, refused.pointer, refused.media],
      [400, "MEDIA_NOT_PRICED", "/messages/0/content/0", media],
    );
  }
  assert.equal(upstream.calls.length, before, "nothing was sent");
});

test("what a provider's row lets pass goes on as it came", async () => {
  const open = small(OPENAI, {
    messages: [{ role: "user", content: "x", prefix: true }],
    max_tokens: 9,
    top_k: 4,
  });
  assert.equal((await post(OPENAI, open)).status, 200);
  assert.equal(last(upstream.calls).raw, open.replace('"open"', '"o-1"'));
  const anth = small(ANTHROPIC, { fallbacks: "no" });
  assert.equal((await post(ANTHROPIC, anth)).status, 200);
  assert.equal(last(upstream.calls).raw, anth.replace('"anth"', '"a-1"'));
});

test("a conversation of the official clients goes on with what they were answered", async () => {
  const openai = new OpenAI({ baseURL: `${edge.url}/v1`, apiKey: keys.user_token, maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "x" }];
  for (let turn = 0; turn < 2; turn += 1) {
    const said = await openai.chat.completions.create({
      model: "open",
      messages,
      temperature: 0.5,
      seed: 7,
      store: false,
      reasoning_effort: "low",
      user: "u",
      metadata: { team: "a" },
      response_format: { type: "json_object" },
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object" } } }],
      tool_choice: "auto",
      parallel_tool_calls: false,
    });
    const [choice] = said.choices;
    assert.ok(choice);
    messages.push({ ...choice.message, annotations: [] } as OpenAI.ChatCompletionMessageParam);
    messages.push({ role: "user", content: "more" });
  }
  const anthropic = new Anthropic({ baseURL: edge.url, apiKey: keys.user_token, maxRetries: 0 });
  const talk: Anthropic.MessageParam[] = [{ role: "user", content: "x" }];
  for (let turn = 0; turn < 2; turn += 1) {
    const said = await anthropic.messages.create({
      model: "anth",
      max_tokens: 2_000,
      messages: talk,
      system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
      thinking: { type: "enabled", budget_tokens: 1_024 },
      metadata: { user_id: "u" },
      tools: [{ name: "f", input_schema: { type: "object" } }],
      tool_choice: { type: "auto" },
      stop_sequences: ["END"],
    });
    talk.push({ role: "assistant", content: said.content }, { role: "user", content: "more" });
  }
});
