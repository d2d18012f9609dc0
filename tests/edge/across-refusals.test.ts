// What cannot be translated is named and refused before anything is held; what only hints is left out and listed; what
// an upstream of the other protocol refuses is told in the client's words (gateway.md §7, §8, §12).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import {
  Across,
  byName,
  CLAUDE,
  CLAUDE_KEY,
  calling,
  dropped,
  type Failure,
  GPT,
  GPT_KEY,
  hello,
  hi,
  user,
} from "./across.ts";
import { told } from "./upstream.ts";

const across = new Across();
before(() => across.start());
after(() => across.stop());

const DROP = { "holdpoint-unsupported": "drop" };
const chat = (more?: object, headers?: Record<string, string>) => across.chat(more, headers);
const write = (more?: object, headers?: Record<string, string>) => across.message(more, headers);

interface Refused {
  status: number;
  /** Whether the whole answer has the shape of its protocol. */
  shaped: boolean;
  code: string | undefined;
  error: Failure;
}
/** A refusal in the shape of either protocol. */
async function refusal(answer: Response): Promise<Refused> {
  const body = (await answer.json()) as { type?: string; request_id?: string; error: Failure };
  const { status, headers } = answer;
  const { error } = body;
  assert.equal(headers.get("x-should-retry"), "false", JSON.stringify(body));
  if (error.code !== undefined)
    return { status, shaped: body.type === undefined, code: error.code, error };
  const shaped = body.type === "error" && body.request_id === headers.get("request-id");
  return { status, shaped, code: error.details.error_code, error };
}
/** The same of a request that must reach no upstream, hold nothing and leave no row. */
async function refusedEarly(ask: () => Promise<Response>): Promise<Refused> {
  const before = await across.settled();
  const refused = await refusal(await ask());
  assert.deepEqual(await across.money(), before);
  return refused;
}
const good = async (answer: Response): Promise<string[]> => {
  assert.equal(answer.status, 200, await answer.clone().text());
  await answer.arrayBuffer();
  return dropped(answer);
};
const features = (...named: [string, string][]) =>
  named.map(([feature, pointer]) => ({ feature, pointer }));

const soft = {
  temperature: 1.4,
  response_format: { type: "json_object" },
  frequency_penalty: 0.5,
  logit_bias: { 50: 1 },
};
const softest = {
  top_k: 40,
  thinking: { type: "enabled", budget_tokens: 1024 },
  stop_sequences: ["a", "b", "c", "d", "e"],
  max_tokens: 2000,
};

test("all that cannot be translated is named at once, sorted by place, and nothing is held", async () => {
  const audio = { type: "input_audio", input_audio: { data: "AA", format: "wav" } };
  const asked = { ...soft, n: 2, messages: [{ role: "user", content: [audio] }] };
  for (const stream of [false, true]) {
    const refused = await refusedEarly(() => chat({ ...asked, stream }));
    assert.deepEqual(
      [refused.status, refused.shaped, refused.code, refused.error.type],
      [400, true, "UNTRANSLATABLE_FEATURE", "invalid_request_error"],
    );
    assert.deepEqual(
      refused.error.details.features,
      features(
        ["frequency_penalty", "/frequency_penalty"],
        ["logit_bias", "/logit_bias"],
        ["input_audio", "/messages/0/content/0"],
        ["n", "/n"],
        ["response_format", "/response_format"],
        ["temperature_above_1", "/temperature"],
      ),
    );
    const text = { type: "text", media_type: "text/plain", data: "x" };
    const document = { type: "document", source: text };
    const messages = [{ role: "user", content: [document] }];
    const other = await refusedEarly(() => write({ ...softest, messages, stream }));
    assert.deepEqual(
      [other.status, other.shaped, other.code, other.error.type],
      [400, true, "UNTRANSLATABLE_FEATURE", "invalid_request_error"],
    );
    assert.deepEqual(
      other.error.details.features,
      features(
        ["document", "/messages/0/content/0"],
        ["stop_sequences_above_4", "/stop_sequences"],
        ["thinking", "/thinking"],
        ["top_k", "/top_k"],
      ),
    );
  }
  const explicit = { "holdpoint-unsupported": "refuse" };
  for (const ask of [() => chat(soft, explicit), () => write(softest, explicit)])
    assert.equal((await refusedEarly(ask)).code, "UNTRANSLATABLE_FEATURE");
  await assert.rejects(
    across.openai.chat.completions.create({ model: CLAUDE, messages: [user("x")], n: 2 }),
    OpenAI.BadRequestError,
  );
  await assert.rejects(
    across.anthropic.messages.create({
      model: GPT,
      max_tokens: 10,
      messages: [user("x")],
      stop_sequences: softest.stop_sequences,
    }),
    Anthropic.BadRequestError,
  );
});

test("a client that allows it is told what was dropped; what must not be lost is refused even so", async () => {
  across.play = hi;
  assert.deepEqual(await good(await chat(soft, DROP)), [
    "frequency_penalty",
    "logit_bias",
    "response_format",
    "temperature_above_1",
  ]);
  assert.deepEqual(across.sent, {
    model: "claude-large",
    max_tokens: 4096,
    messages: [{ role: "user", content: [{ type: "text", text: "x" }] }],
    temperature: 1,
  });
  const hard = { n: 2, logprobs: true };
  const refused = await refusedEarly(() => chat(hard, DROP));
  assert.equal(refused.code, "UNTRANSLATABLE_FEATURE");
  assert.deepEqual(
    refused.error.details.features,
    features(["logprobs", "/logprobs"], ["n", "/n"]),
  );

  across.play = hello;
  assert.deepEqual(await good(await write(softest, DROP)), [
    "stop_sequences_above_4",
    "thinking",
    "top_k",
  ]);
  assert.deepEqual(across.sent, {
    model: "gpt-large",
    messages: [user("x")],
    max_completion_tokens: 2000,
    stop: ["a", "b", "c", "d"],
  });
  const picture = { type: "image", source: { type: "url", url: "https://a.example/b.png" } };
  const result = { type: "tool_result", tool_use_id: "t", content: [picture] };
  const used = { type: "tool_use", id: "t", name: "look", input: {} };
  const messages = [
    user("x"),
    { role: "assistant", content: [used] },
    { role: "user", content: [result] },
  ];
  const other = await refusedEarly(() => write({ messages }, DROP));
  assert.equal(other.code, "UNTRANSLATABLE_FEATURE");
  assert.equal(other.error.details.features?.length, 1);
});

test("hints are always dropped and listed once, and what says nothing is not listed", async () => {
  across.play = hi;
  const hints = {
    verbosity: "low",
    store: true,
    seed: 5,
    service_tier: "auto",
    reasoning_effort: "high",
    prompt_cache_key: "p",
    metadata: { k: "v" },
    messages: [
      { ...user("a"), name: "ann" },
      { role: "assistant", content: "b" },
      { ...user("c"), name: "bo" },
    ],
  };
  assert.deepEqual(await good(await chat(hints)), [
    "message_name",
    "metadata",
    "prompt_cache_key",
    "reasoning_effort",
    "seed",
    "service_tier",
    "store",
    "verbosity",
  ]);
  assert.deepEqual(Object.keys(across.sent).sort(), ["max_tokens", "messages", "model"]);
  const neutral = { n: 1, logprobs: false, presence_penalty: 0, logit_bias: {}, seed: null };
  assert.deepEqual(await good(await chat(neutral)), []);

  across.play = hello;
  const mark = { cache_control: { type: "ephemeral" } };
  const talk = {
    system: [{ type: "text", text: "s", ...mark }],
    service_tier: "auto",
    output_config: { effort: "high" },
    tools: [{ name: "find", input_schema: { type: "object" }, ...mark }],
    messages: [
      user("a"),
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "tool_use", id: "t", name: "find", input: {} },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t", content: "no", is_error: true }],
      },
    ],
  };
  assert.deepEqual(await good(await write(talk)), [
    "thinking_block",
    "is_error",
    "effort",
    "service_tier",
    "cache_control",
  ]);
  assert.deepEqual(across.sent.messages, [
    { role: "system", content: "s" },
    user("a"),
    {
      role: "assistant",
      content: null,
      tool_calls: [calling("t", "find", "{}")],
    },
    { role: "tool", tool_call_id: "t", content: "no" },
  ]);
  assert.deepEqual(Object.keys(across.sent).sort(), [
    "max_completion_tokens",
    "messages",
    "model",
    "tools",
  ]);
});

test("a word that says neither refuse nor drop, and a request of the wrong shape, are refused early", async () => {
  for (const ask of [chat, write]) {
    const refused = await refusedEarly(() => ask({}, { "holdpoint-unsupported": "maybe" }));
    assert.deepEqual(
      [refused.status, refused.shaped, refused.code],
      [400, true, "INVALID_REQUEST"],
    );
  }
  const called = (text: string) => ({
    messages: [
      user("go"),
      {
        role: "assistant",
        content: null,
        tool_calls: [calling("call.1/2", "find", text)],
      },
      { role: "tool", tool_call_id: "call.1/2", content: "none" },
    ],
    tools: [byName("find")],
  });
  for (const [body, code, pointer] of [
    [called('{"q":'), "INVALID_TOOL_ARGUMENTS", "/messages/1/tool_calls/0/function/arguments"],
    [called("[1]"), "INVALID_TOOL_ARGUMENTS", "/messages/1/tool_calls/0/function/arguments"],
    [{ messages: [user("")] }, "INVALID_REQUEST", "/messages"],
  ] as const) {
    const refused = await refusedEarly(() => chat(body));
    assert.deepEqual([refused.status, refused.code], [400, code]);
    assert.equal(refused.error.details.pointer, pointer);
  }
  // An id that Anthropic would refuse is spelled alike at its call and at its result.
  across.play = hi;
  assert.deepEqual(await good(await chat(called("{}"))), []);
  assert.deepEqual(across.sent.messages.slice(1), [
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "call_1_2", name: "find", input: {} }],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "call_1_2", content: "none" }],
    },
  ]);
});

const SECRET = "sk-ant-planted0123456789";
const said = `prompt is too long, key ${SECRET}`;
const theirs = { type: "error", error: { type: "invalid_request_error", message: said } };
const others = { error: { type: "invalid_request_error", message: said, param: null, code: null } };

test("what an upstream refuses is told in the client's words without its keys, and costs nothing", async () => {
  for (const [ask, body] of [
    [chat, theirs],
    [write, others],
  ] as const) {
    for (const status of [400, 404, 413, 422]) {
      for (const stream of [false, true]) {
        across.play = (call) => told(call, status, JSON.stringify(body));
        const before = await across.settled();
        const answer = await ask({ stream });
        const refused = await refusal(answer);
        assert.deepEqual(
          [refused.status, refused.shaped, refused.code, refused.error.type],
          [400, true, "UPSTREAM_BAD_REQUEST", "invalid_request_error"],
        );
        assert.match(refused.error.message, /prompt is too long/);
        assert.ok(!JSON.stringify(refused).includes(SECRET), refused.error.message);
        const row = await across.row(answer);
        assert.deepEqual([row.outcome, row.usage_source], ["released", "none"]);
        assert.deepEqual([row.tokens, row.cost], [0, 0]);
        const after = await across.settled();
        assert.deepEqual([after.spent, after.calls], [before.spent, before.calls + 1]);
      }
    }
    across.play = (call) => told(call, 400, "<html>no JSON</html>");
    const unread = await refusal(await ask());
    assert.deepEqual([unread.status, unread.code], [400, "UPSTREAM_BAD_REQUEST"]);
    across.play = (call) => told(call, 401, JSON.stringify(body));
    const auth = await refusal(await ask());
    assert.deepEqual([auth.status, auth.code], [502, "UPSTREAM_AUTH_FAILED"]);
    assert.ok(!JSON.stringify(auth).includes(said), "the platform's own key is nobody's matter");
  }
});

test("tokens of a message that leads to OpenAI are estimated, and nothing is asked or charged", async () => {
  const before = await across.settled();
  const counted = { model: GPT, system: "Short answers.", messages: [user("How tall, 3 m?")] };
  const { data, response } = await across.anthropic.messages.countTokens(counted).withResponse();
  const bytes = Buffer.byteLength(JSON.stringify(counted));
  assert.deepEqual(data, { input_tokens: Math.ceil(bytes / 3) });
  assert.equal(response.headers.get("holdpoint-estimated"), "1");
  const { spent, calls } = await across.settled();
  assert.deepEqual([spent, calls], [before.spent, before.calls]);
});

test("an answer of the wrong shape is a fault of the upstream, told in the client's protocol", async () => {
  for (const [ask, type] of [
    [chat, "upstream_error"],
    [write, "api_error"],
  ] as const) {
    across.play = (call) => told(call, 200, '{"id":"c","choices":[]}');
    const answer = await ask();
    const { error } = (await answer.json()) as { error: Failure };
    assert.deepEqual([answer.status, error.type], [502, type]);
    assert.equal(error.code ?? error.details.error_code, "UPSTREAM_PROTOCOL_ERROR");
  }
});

test("no log holds a key, nor what an upstream said", () => {
  const { log } = across.edge;
  for (const secret of [CLAUDE_KEY, GPT_KEY, SECRET, "prompt is too long", "Short answers."])
    assert.ok(!log.includes(secret), secret);
});
