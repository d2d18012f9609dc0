// Translation between the two protocols on real workerd: what each upstream is asked, what each npm client is answered,
// and what the ledger says (gateway.md §8, §9).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  Across,
  byName,
  CLAUDE,
  CLAUDE_KEY,
  calling,
  completion,
  dropped,
  GPT,
  GPT_KEY,
  hello,
  hi,
  plain,
  prompted,
  use,
  user,
} from "./across.ts";
import { message } from "./anthropic.ts";
import { last } from "./upstream.ts";

const across = new Across();
before(() => across.start());
after(() => across.stop());

const good = async (answer: Response): Promise<Response> => {
  assert.equal(answer.status, 200, await answer.clone().text());
  await answer.arrayBuffer();
  return answer;
};
const counting = {
  description: "Counts",
  parameters: { type: "object", properties: { of: { type: "string" } } },
};

test("a chat completion is asked as a message, answered as a completion, charged as reported", async () => {
  const used = {
    input_tokens: 10,
    cache_read_input_tokens: 90,
    cache_creation_input_tokens: 20,
    output_tokens: 4,
  };
  const words = ["Twelve ", "walls."].map((part) => ({ type: "text", text: part }));
  across.play = (call) => message(call, words, used);
  const { data, response } = await across.openai.chat.completions
    .create({
      model: CLAUDE,
      messages: [
        { role: "system", content: "Be brief." },
        user("How many storeys?"),
        { role: "assistant", content: "Four." },
        user("And walls?"),
        user("In all?"),
      ],
      max_tokens: 60,
      max_completion_tokens: 120,
      temperature: 0.2,
      top_p: 0.9,
      stop: "END",
      user: "u-7",
      tools: [byName("count", { ...counting, strict: true }), byName("now")],
      tool_choice: { type: "function", function: { name: "count" } },
      parallel_tool_calls: false,
    })
    .withResponse();
  const { call } = across;
  assert.equal(call.path, "/v1/messages");
  assert.equal(call.headers["x-api-key"], CLAUDE_KEY);
  assert.equal(call.headers["anthropic-version"], "2023-06-01");
  assert.equal(call.headers.authorization, undefined);
  assert.deepEqual(across.sent, {
    model: "claude-large",
    max_tokens: 120,
    system: [{ type: "text", text: "Be brief." }],
    messages: [
      { role: "user", content: [{ type: "text", text: "How many storeys?" }] },
      { role: "assistant", content: [{ type: "text", text: "Four." }] },
      {
        role: "user",
        content: [
          { type: "text", text: "And walls?" },
          { type: "text", text: "In all?" },
        ],
      },
    ],
    temperature: 0.2,
    top_p: 0.9,
    stop_sequences: ["END"],
    metadata: { user_id: "u-7" },
    tools: [
      {
        name: "count",
        description: "Counts",
        input_schema: counting.parameters,
        strict: true,
      },
      { name: "now", input_schema: { type: "object", properties: {} } },
    ],
    tool_choice: { type: "tool", name: "count", disable_parallel_tool_use: true },
  });
  const [choice] = data.choices;
  assert.equal(data.choices.length, 1);
  assert.deepEqual([choice?.index, choice?.finish_reason], [0, "stop"]);
  assert.deepEqual([choice?.message.role, choice?.message.content], ["assistant", "Twelve walls."]);
  assert.deepEqual([data.object, typeof data.created], ["chat.completion", "number"]);
  assert.ok(typeof data.id === "string" && data.id !== "");
  assert.ok(typeof data.model === "string" && data.model !== "");
  assert.deepEqual(data.usage, prompted(120, 90, 20, 4));
  assert.deepEqual(dropped(response), []);

  const row = await across.row(response);
  assert.deepEqual([row.outcome, row.usage_source, row.protocol], ["ok", "reported", "openai"]);
  assert.deepEqual([row.alias, row.provider, row.model], [CLAUDE, "claude-main", "claude-large"]);
  assert.deepEqual([row.input, row.cached_input, row.cache_write, row.output], [10, 90, 20, 4]);
  // 10 × 3 + 90 × 0.3 + 20 × 3.75 + 4 × 15, in micros.
  assert.deepEqual([row.tokens, row.cost, row.excess_tokens, row.excess_cost], [124, 192, 0, 0]);
  assert.equal(response.headers.get("holdpoint-tokens"), "124");
  assert.equal(response.headers.get("holdpoint-cost"), "192");
});

test("a message is asked as a chat completion, answered as a message, charged as reported", async () => {
  across.play = (call) => completion(call, { content: "Yes." }, use(50, 32, 2));
  // The npm client no longer names it, and sends it all the same.
  const sampling = { temperature: 0.1 };
  const { data, response } = await across.anthropic.messages
    .create({
      model: GPT,
      max_tokens: 9000,
      system: "Short answers.",
      messages: [
        user("How tall?"),
        {
          role: "assistant",
          content: [
            { type: "text", text: "Three " },
            { type: "text", text: "metres." },
          ],
        },
        { role: "user", content: [{ type: "text", text: "Sure?" }] },
      ],
      ...sampling,
      stop_sequences: ["STOP"],
      metadata: { user_id: "p9" },
      tools: [{ name: "find", description: "Finds", input_schema: { type: "object" } }],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
    })
    .withResponse();
  const { call } = across;
  assert.equal(call.path, "/v1/chat/completions");
  assert.equal(call.headers.authorization, `Bearer ${GPT_KEY}`);
  assert.equal(call.headers["x-api-key"], undefined);
  assert.deepEqual(across.sent, {
    model: "gpt-large",
    messages: [
      { role: "system", content: "Short answers." },
      user("How tall?"),
      { role: "assistant", content: "Three metres." },
      user("Sure?"),
    ],
    max_completion_tokens: 8000,
    temperature: 0.1,
    stop: ["STOP"],
    user: "p9",
    tools: [byName("find", { description: "Finds", parameters: { type: "object" } })],
    tool_choice: "required",
    parallel_tool_calls: false,
  });
  assert.deepEqual([data.type, data.role], ["message", "assistant"]);
  assert.deepEqual(data.content, [{ type: "text", text: "Yes." }]);
  assert.deepEqual([data.stop_reason, data.stop_sequence], ["end_turn", null]);
  assert.ok(typeof data.id === "string" && data.id !== "");
  assert.ok(typeof data.model === "string" && data.model !== "");
  assert.deepEqual(data.usage, {
    input_tokens: 18,
    cache_read_input_tokens: 32,
    cache_creation_input_tokens: 0,
    output_tokens: 2,
  });
  const row = await across.row(response);
  assert.deepEqual([row.outcome, row.usage_source, row.protocol], ["ok", "reported", "anthropic"]);
  assert.deepEqual([row.alias, row.provider, row.model], [GPT, "gpt-main", "gpt-large"]);
  assert.deepEqual([row.input, row.cached_input, row.cache_write, row.output], [18, 32, 0, 2]);
  // 18 × 3 + 32 × 0.3 + 2 × 15 is 93.6 micros; one rounding, upwards.
  assert.deepEqual([row.tokens, row.cost], [52, 94]);
});

test("why an answer ended is told in the client's words", async () => {
  for (const [theirs, ours] of [
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "content_filter"],
  ] as const) {
    const used = { input_tokens: 5, output_tokens: 2 };
    across.play = (call) => message(call, [{ type: "text", text: "a" }], used, theirs);
    const answer = (await (await across.chat()).json()) as { choices: { finish_reason: string }[] };
    assert.equal(answer.choices[0]?.finish_reason, ours, theirs);
  }
  for (const [theirs, ours] of [
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["content_filter", "refusal"],
  ] as const) {
    across.play = (call) => completion(call, { content: "a" }, use(5, 0, 2), theirs);
    const answer = (await (await across.message()).json()) as { stop_reason: string };
    assert.equal(answer.stop_reason, ours, theirs);
  }
});

test("several system messages are all kept, in order", async () => {
  across.play = hi;
  const texts = (...parts: string[]) =>
    parts.map((part) => ({ type: "text" as const, text: part }));
  await across.openai.chat.completions.create({
    model: CLAUDE,
    messages: [
      { role: "system", content: "One." },
      { role: "developer", content: texts("Two.", "Three.") },
      user("a"),
      { role: "system", content: "Four." },
      user("b"),
    ],
  });
  assert.deepEqual(across.sent.system, texts("One.", "Two.", "Three.", "Four."));
  assert.deepEqual(across.sent.messages, [{ role: "user", content: texts("a", "b") }]);
  assert.equal(across.sent.max_tokens, 4096, "as much as is held where no maximum is given");

  across.play = hello;
  await across.anthropic.messages.create({
    model: GPT,
    max_tokens: 100,
    system: texts("One.", "Two."),
    messages: [user("a"), { role: "system", content: "Three." }, user("b")],
  });
  assert.deepEqual(across.sent.messages, [
    { role: "system", content: texts("One.", "Two.") },
    user("a"),
    { role: "system", content: "Three." },
    user("b"),
  ]);
});

test("a long prefix is marked once for the cache, a short one never, and the same in is the same out", async () => {
  across.play = hi;
  const long = "A line of the contract. ".repeat(250);
  const mark = { cache_control: { type: "ephemeral" } };
  const marks = () => across.call.raw.split("cache_control").length - 1;
  const system = (...parts: string[]) => parts.map((content) => ({ role: "system", content }));
  const asked = { messages: [...system(long, "Tail."), user("a")], tools: [byName("count")] };
  await good(await across.chat(asked));
  assert.deepEqual(across.sent.system, [
    { type: "text", text: long },
    { type: "text", text: "Tail.", ...mark },
  ]);
  assert.equal(marks(), 1);
  const first = across.call.raw;
  await good(await across.chat(asked));
  assert.equal(across.call.raw, first);

  await good(await across.chat({ messages: [...system("Short."), user("a")] }));
  assert.equal(marks(), 0);

  const tools = [byName("count", { description: long }), byName("now")];
  await good(await across.chat({ tools }));
  const empty = { type: "object", properties: {} };
  assert.deepEqual(last(across.sent.tools ?? []), { name: "now", input_schema: empty, ...mark });
  assert.equal(marks(), 1);

  const own = { cache_control: { type: "ephemeral", ttl: "1h" } };
  const parts = [
    { type: "text", text: long, ...own },
    { type: "text", text: "Tail." },
  ];
  await good(await across.chat({ messages: [{ role: "system", content: parts }, user("a")] }));
  assert.deepEqual(across.sent.system, parts);
  assert.equal(marks(), 1, "a client that marks is not marked for");

  across.play = hello;
  await good(await across.message({ system: long }));
  const there = across.call.raw;
  await good(await across.message({ system: long }));
  assert.equal(across.call.raw, there);
});

test("images go there and back, by their bytes and by their address", async () => {
  const url = "https://images.example/roof.png";
  across.play = hi;
  const image = (url: string, more = {}) => ({ type: "image_url", image_url: { url, ...more } });
  const given = await good(
    await across.chat({
      messages: [
        {
          role: "user",
          content: [
            image("data:image/png;base64,iVBORw0K", { detail: "low" }),
            image(url),
            { type: "text", text: "what is it" },
          ],
        },
      ],
    }),
  );
  const blocks = [
    { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0K" } },
    { type: "image", source: { type: "url", url } },
    { type: "text", text: "what is it" },
  ];
  assert.deepEqual(across.sent.messages, [{ role: "user", content: blocks }]);
  assert.deepEqual(dropped(given), ["image_detail"]);

  across.play = hello;
  await good(await across.message({ messages: [{ role: "user", content: blocks }] }));
  const parts = [image("data:image/png;base64,iVBORw0K"), image(url), blocks[2]];
  assert.deepEqual(across.sent.messages, [{ role: "user", content: parts }]);
});

test("calls of tools in a whole answer, with arguments that are none and that are broken", async () => {
  const used = { input_tokens: 5, output_tokens: 2 };
  across.play = (call) =>
    message(
      call,
      [
        { type: "tool_use", id: "t1", name: "stage", input: { ops: [{ k: 1 }] } },
        { type: "tool_use", id: "t2", name: "now", input: {} },
      ],
      used,
      "tool_use",
    );
  const asked = { messages: [user("x")], tools: [byName("stage"), byName("now")] };
  const completed = await across.openai.chat.completions.create({ model: CLAUDE, ...asked });
  const [choice] = completed.choices;
  assert.deepEqual([choice?.message.content, choice?.finish_reason], [null, "tool_calls"]);
  assert.deepEqual(choice?.message.tool_calls, [
    calling("t1", "stage", '{"ops":[{"k":1}]}'),
    calling("t2", "now", "{}"),
  ]);

  const calls = ['{"a":[true,null]}', "", '{"a":'].map((text, n) => calling(`k${n}`, "find", text));
  // Some servers say `stop` although they call.
  for (const finish of ["tool_calls", "stop"]) {
    across.play = (call) =>
      completion(call, { content: "", tool_calls: calls }, use(5, 0, 2), finish);
    const final = await across.anthropic.messages.create({
      model: GPT,
      max_tokens: 100,
      messages: [user("x")],
      tools: [{ name: "find", input_schema: { type: "object" } }],
    });
    assert.equal(final.stop_reason, "tool_use");
    assert.deepEqual(
      plain(final.content),
      [{ a: [true, null] }, {}, { _unparsed: '{"a":' }].map((input, n) => ({
        type: "tool_use",
        id: `k${n}`,
        name: "find",
        input,
      })),
    );
  }
});
