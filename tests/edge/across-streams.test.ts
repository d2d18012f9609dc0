// Streams that are translated between the two protocols on real workerd: events, tools, ends, faults (gateway.md §7,
// §8).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  Across,
  byName,
  CLAUDE,
  calling,
  drip,
  type Failure,
  GPT,
  heard,
  piece,
  plain,
  prompted,
  report,
  toolPiece,
  use,
  user,
} from "./across.ts";
import { close, delta, failing, open, ping, start, stop, text } from "./anthropic.ts";
import { type Call, done, last, sleep, streamed } from "./upstream.ts";

const across = new Across();
before(() => across.start());
after(() => across.stop());

/** Parts of a chunk that are looked into. */
interface Chunk {
  id: unknown;
  object: unknown;
  choices: { index: number; delta: object; finish_reason: string | null }[];
  usage?: object | null;
}

test("events of Anthropic are chunks for a client of OpenAI, with usage where it asked for it", async () => {
  across.play = (call) =>
    streamed(
      call,
      start({ input_tokens: 8, cache_read_input_tokens: 40, output_tokens: 1 }),
      ping,
      text(0, ["one ", "", "two"]),
      stop("end_turn", { output_tokens: 5 }),
    );
  const asking = { stream_options: { include_usage: true } };
  for (const more of [asking, {}]) {
    const usage = more === asking ? [prompted(48, 40, 0, 5)] : [];
    const answer = await across.chat({ stream: true, ...more });
    assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/);
    const events = heard(await answer.text());
    assert.equal(last(events).data, "[DONE]");
    const chunks = events.slice(0, -1).map((event) => event.data as Chunk);
    assert.deepEqual(
      chunks.flatMap(({ choices }) => choices.map((one) => [one.delta, one.finish_reason])),
      [
        [{ role: "assistant", content: "" }, null],
        [{ content: "one " }, null],
        [{ content: "two" }, null],
        [{}, "stop"],
      ],
    );
    assert.deepEqual(
      chunks.flatMap((chunk) => chunk.usage ?? []),
      usage,
    );
    for (const chunk of chunks)
      assert.deepEqual([chunk.object, chunk.id], ["chat.completion.chunk", chunks[0]?.id]);
    assert.equal(across.sent.stream, true);
    assert.equal(across.sent.stream_options, undefined);
    const row = await across.row(answer);
    assert.deepEqual([row.outcome, row.usage_source], ["ok", "reported"]);
    assert.deepEqual([row.input, row.cached_input, row.output, row.cost], [8, 40, 5, 111]);

    const stream = across.openai.chat.completions.stream({
      model: CLAUDE,
      messages: [user("x")],
      ...more,
    });
    const final = await stream.finalChatCompletion();
    assert.equal(final.choices[0]?.message.content, "one two");
    assert.equal(final.choices[0]?.finish_reason, "stop");
    assert.deepEqual(final.usage ? [plain(final.usage)] : [], usage);
  }
});

test("chunks of OpenAI are events for a client of Anthropic; usage after the reason is not lost", async () => {
  across.play = (call) =>
    streamed(
      call,
      piece({ role: "assistant", content: "" }),
      piece({ content: "one " }),
      piece({ content: "two" }),
      piece({}, "stop"),
      report(use(20, 16, 3)),
      done,
    );
  const answer = await across.message({ stream: true });
  assert.deepEqual(across.sent.stream_options, { include_usage: true });
  const events = heard(await answer.text());
  assert.deepEqual(
    events.map(({ event, data }) => [event, (data as { type: string }).type]),
    [
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ].map((type) => [type, type]),
  );
  const [first] = events.map(({ data }) => data as { message?: { usage: object } });
  assert.deepEqual(first?.message?.usage, { input_tokens: 0, output_tokens: 0 });
  const row = await across.row(answer);
  assert.deepEqual([row.outcome, row.usage_source], ["ok", "reported"]);
  assert.deepEqual([row.input, row.cached_input, row.output], [4, 16, 3]);

  const asked = { model: GPT, max_tokens: 100, messages: [user("x")] };
  const final = await across.anthropic.messages.stream(asked).finalMessage();
  assert.deepEqual(plain(final.content), [{ type: "text", text: "one two" }]);
  assert.equal(final.stop_reason, "end_turn");
  assert.deepEqual(plain(final.usage), {
    input_tokens: 4,
    cache_read_input_tokens: 16,
    cache_creation_input_tokens: 0,
    output_tokens: 3,
  });
});

test("a stream without usage, or without a mark at its end, is closed all the same", async () => {
  const asked = { model: GPT, max_tokens: 100, messages: [user("x")] };
  for (const end of [done, ""]) {
    across.play = (call) => streamed(call, piece({ content: "zebra" }), piece({}, "stop"), end);
    const answer = await across.message({ stream: true });
    const events = heard(await answer.text());
    assert.deepEqual(
      events.slice(-3).map(({ event }) => event),
      ["content_block_stop", "message_delta", "message_stop"],
    );
    const row = await across.row(answer);
    assert.deepEqual([row.outcome, row.usage_source, row.output], ["ok", "estimated", 2]);
    assert.ok(row.input > 0 && row.tokens <= row.held_tokens);
    const final = await across.anthropic.messages.stream(asked).finalMessage();
    assert.deepEqual(plain(final.content), [{ type: "text", text: "zebra" }]);
    assert.deepEqual([final.stop_reason, final.usage.output_tokens], ["end_turn", 0]);
  }
});

test("the first word reaches a client while the upstream still sends", async () => {
  const cases = [
    [
      () => across.chat({ stream: true }),
      start() + open(0, { type: "text", text: "" }) + delta(0, { type: "text_delta", text: "one" }),
      close(0) + stop("end_turn", { output_tokens: 3 }),
    ],
    [() => across.message({ stream: true }), piece({ content: "one" }), piece({}, "stop") + done],
  ] as const;
  for (const [ask, begin, end] of cases) {
    let goOn = () => {};
    across.play = async (call) => {
      call.head();
      call.send(begin);
      await new Promise<void>((go) => {
        goOn = go;
      });
      call.end(end);
    };
    const reader = (await ask()).body?.getReader();
    assert.ok(reader);
    const decoder = new TextDecoder();
    let seen = "";
    while (!seen.includes('"one"')) {
      const { value, done: ended } = await reader.read();
      assert.ok(!ended, seen);
      seen += decoder.decode(value, { stream: true });
    }
    goOn();
    for (let part = await reader.read(); !part.done; part = await reader.read())
      seen += decoder.decode(part.value, { stream: true });
    assert.match(seen, /\[DONE\]|message_stop/);
  }
});

test("a stream reads the same, whatever its chunks and line ends", async () => {
  const claude =
    start() + ping + text(0, ["hé", "llo ", "🏠"]) + stop("end_turn", { output_tokens: 4 });
  const gpt =
    [{ role: "assistant", content: "hé" }, { content: "llo " }, { content: "🏠" }]
      .map((part) => piece(part))
      .join("") +
    piece({}, "stop") +
    report(use(7, 0, 4)) +
    done;
  const asked = { model: GPT, max_tokens: 100, messages: [user("x")] };
  for (const eol of ["\n", "\r\n", "\r"]) {
    for (const size of [1, 7]) {
      across.play = drip(claude, size, eol);
      const completed = await across.openai.chat.completions
        .stream({
          model: CLAUDE,
          messages: [user("x")],
          stream_options: { include_usage: true },
        })
        .finalChatCompletion();
      assert.equal(completed.choices[0]?.message.content, "héllo 🏠");
      assert.equal(completed.usage?.total_tokens, 11);

      across.play = drip(gpt, size, eol);
      const final = await across.anthropic.messages.stream(asked).finalMessage();
      assert.deepEqual(plain(final.content), [{ type: "text", text: "héllo 🏠" }]);
      assert.deepEqual([final.usage.input_tokens, final.usage.output_tokens], [7, 4]);
    }
  }
});

test("tools over two turns of a client of OpenAI: two calls at once, one without arguments", async () => {
  const tools = [
    byName("find", { description: "Finds", parameters: { type: "object" } }),
    byName("now"),
  ];
  const json = (index: number, partial_json: string) =>
    delta(index, { type: "input_json_delta", partial_json });
  across.play = (call) =>
    streamed(
      call,
      start(),
      text(0, ["Let me ", "see."]),
      open(1, { type: "tool_use", id: "t1", name: "find", input: {} }),
      json(1, ""),
      json(1, '{"q":'),
      json(1, '"x"}'),
      close(1),
      open(2, { type: "tool_use", id: "t2", name: "now", input: {} }),
      close(2),
      stop("tool_use", { output_tokens: 9 }),
    );
  const asked = { model: CLAUDE, messages: [user("go")], tools, tool_choice: "auto" as const };
  const { choices } = await across.openai.chat.completions.stream(asked).finalChatCompletion();
  assert.deepEqual(across.sent.tools, [
    { name: "find", description: "Finds", input_schema: { type: "object" } },
    { name: "now", input_schema: { type: "object", properties: {} } },
  ]);
  assert.deepEqual(across.sent.tool_choice, { type: "auto" });
  const [choice] = choices;
  assert.equal(choice?.finish_reason, "tool_calls");
  assert.equal(choice.message.content, "Let me see.");
  const called = (choice.message.tool_calls ?? []).flatMap((one) =>
    one.type === "function" ? [calling(one.id, one.function.name, one.function.arguments)] : [],
  );
  assert.deepEqual(called, [calling("t1", "find", '{"q":"x"}'), calling("t2", "now", "")]);

  across.play = (call) =>
    streamed(call, start(), text(0, ["Done."]), stop("end_turn", { output_tokens: 2 }));
  const final = await across.openai.chat.completions
    .stream({
      ...asked,
      messages: [
        user("go"),
        { role: "assistant", content: choice.message.content, tool_calls: called },
        { role: "tool", tool_call_id: "t1", content: "3 hits" },
        { role: "tool", tool_call_id: "t2", content: [{ type: "text", text: "noon" }] },
        user("thanks"),
      ],
    })
    .finalChatCompletion();
  assert.equal(final.choices[0]?.message.content, "Done.");
  assert.deepEqual(across.sent.messages, [
    { role: "user", content: [{ type: "text", text: "go" }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Let me see." },
        { type: "tool_use", id: "t1", name: "find", input: { q: "x" } },
        { type: "tool_use", id: "t2", name: "now", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content: "3 hits" },
        { type: "tool_result", tool_use_id: "t2", content: [{ type: "text", text: "noon" }] },
        { type: "text", text: "thanks" },
      ],
    },
  ]);
});

test("tools over two turns of a client of Anthropic: two calls at once, one without arguments", async () => {
  across.play = (call) =>
    streamed(
      call,
      piece({ role: "assistant", content: "Let me see." }),
      toolPiece(0, { id: "c1", function: { name: "find", arguments: "" } }),
      toolPiece(0, { function: { arguments: '{"q":' } }),
      toolPiece(0, { function: { arguments: "1}" } }),
      toolPiece(1, { id: "c2", function: { name: "now", arguments: "" } }),
      piece({}, "tool_calls"),
      report(use(20, 0, 9)),
      done,
    );
  const asked = {
    model: GPT,
    max_tokens: 100,
    messages: [user("go")],
    tools: [
      { name: "find", input_schema: { type: "object" as const } },
      { name: "now", input_schema: { type: "object" as const } },
    ],
    tool_choice: { type: "auto" as const, disable_parallel_tool_use: false },
  };
  const first = await across.anthropic.messages.stream(asked).finalMessage();
  assert.equal(across.sent.tool_choice, "auto");
  assert.notEqual(across.sent.parallel_tool_calls, false);
  assert.equal(first.stop_reason, "tool_use");
  assert.deepEqual(plain(first.content), [
    { type: "text", text: "Let me see." },
    { type: "tool_use", id: "c1", name: "find", input: { q: 1 } },
    { type: "tool_use", id: "c2", name: "now", input: {} },
  ]);

  across.play = (call) =>
    streamed(call, piece({ content: "Done." }), piece({}, "stop"), report(use(30, 0, 2)), done);
  const second = await across.anthropic.messages
    .stream({
      ...asked,
      tool_choice: { type: "tool", name: "find", disable_parallel_tool_use: true },
      messages: [
        user("go"),
        { role: "assistant", content: first.content },
        {
          role: "user",
          content: [
            { type: "text", text: "thanks" },
            { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "3 hits" }] },
            { type: "tool_result", tool_use_id: "c2" },
          ],
        },
      ],
    })
    .finalMessage();
  assert.deepEqual(plain(second.content), [{ type: "text", text: "Done." }]);
  assert.deepEqual(across.sent.messages, [
    user("go"),
    {
      role: "assistant",
      content: "Let me see.",
      tool_calls: [calling("c1", "find", '{"q":1}'), calling("c2", "now", "{}")],
    },
    { role: "tool", tool_call_id: "c1", content: "3 hits" },
    { role: "tool", tool_call_id: "c2", content: "" },
    user("thanks"),
  ]);
  assert.deepEqual(across.sent.tool_choice, { type: "function", function: { name: "find" } });
  assert.equal(across.sent.parallel_tool_calls, false);
});

/** Plays what a stream begins with, then breaks the connection. */
const cutAfter = (lead: string) => async (call: Call) => {
  call.head();
  call.send(lead);
  await sleep(50);
  call.cut();
};
const SECRET = "sk-ant-planted0123456789";

test("what breaks a stream of Anthropic is told to a client of OpenAI, and charged for what came", async () => {
  const lead =
    start() +
    open(0, { type: "text", text: "" }) +
    delta(0, { type: "text_delta", text: "zebrafish" });
  const ending = (end: string) => (call: Call) => streamed(call, lead, end);
  const cases: [(call: Call) => unknown, string, string][] = [
    [ending(""), "UPSTREAM_STREAM_CUT", "upstream_cut"],
    [cutAfter(lead), "UPSTREAM_STREAM_CUT", "upstream_cut"],
    [
      ending(failing("overloaded_error", `busy ${SECRET}`)),
      "UPSTREAM_STREAM_ERROR",
      "upstream_error",
    ],
    [ending("event: message_delta\ndata: {oops\n\n"), "UPSTREAM_PROTOCOL_ERROR", "upstream_error"],
  ];
  for (const [play, code, outcome] of cases) {
    across.play = play;
    const answer = await across.chat({ stream: true, stream_options: { include_usage: true } });
    const raw = await answer.text();
    const events = heard(raw);
    const [role, word, end] = events.map((event) => event.data as Chunk & { error: Failure });
    assert.equal(events.length, 3, raw);
    assert.deepEqual(role?.choices[0]?.delta, { role: "assistant", content: "" });
    assert.deepEqual(word?.choices[0]?.delta, { content: "zebrafish" });
    assert.deepEqual([end?.error.code, end?.error.type], [code, "upstream_error"]);
    assert.ok(!raw.includes("[DONE]") && !raw.includes("oops") && !raw.includes(SECRET), raw);
    const row = await across.row(answer);
    assert.deepEqual([row.outcome, row.usage_source, row.input], [outcome, "estimated", 7]);
    assert.ok(row.output >= 3 && row.tokens <= row.held_tokens, JSON.stringify(row));
    await assert.rejects(
      across.openai.chat.completions
        .stream({ model: CLAUDE, messages: [user("x")] })
        .finalChatCompletion(),
      { code },
    );
  }
});

test("what breaks a stream of OpenAI is told to a client of Anthropic, and charged for what came", async () => {
  const lead = piece({ role: "assistant", content: "" }) + piece({ content: "zebrafish" });
  const ending = (end: string) => (call: Call) => streamed(call, lead, end);
  const error = JSON.stringify({ error: { type: "server_error", message: `busy ${SECRET}` } });
  const back =
    toolPiece(0, { id: "c1", function: { name: "find", arguments: "{" } }) +
    toolPiece(1, { id: "c2", function: { name: "now", arguments: "{}" } }) +
    toolPiece(0, { function: { arguments: "}" } });
  const cases: [(call: Call) => unknown, string, string][] = [
    [ending(""), "UPSTREAM_STREAM_CUT", "upstream_cut"],
    [cutAfter(lead), "UPSTREAM_STREAM_CUT", "upstream_cut"],
    [ending(`data: ${error}\n\n`), "UPSTREAM_STREAM_ERROR", "upstream_error"],
    [ending("data: {oops\n\n"), "UPSTREAM_PROTOCOL_ERROR", "upstream_error"],
    // Its arguments belong to a block that is closed.
    [ending(back), "UPSTREAM_PROTOCOL_ERROR", "upstream_error"],
  ];
  for (const [play, code, outcome] of cases) {
    across.play = play;
    const answer = await across.message({ stream: true });
    const raw = await answer.text();
    const events = heard(raw);
    assert.ok(raw.includes('"zebrafish"'), raw);
    const { event, data } = last(events);
    const { type, error } = data as { type: string; error: Failure };
    assert.deepEqual([event, type, error.type], ["error", "error", "api_error"]);
    assert.equal(error.details.error_code, code);
    for (const word of ["message_delta", "message_stop", "oops", SECRET])
      assert.ok(!raw.includes(word), raw);
    const row = await across.row(answer);
    assert.deepEqual([row.outcome, row.usage_source], [outcome, "estimated"]);
    assert.ok(row.input > 0 && row.output >= 3 && row.tokens <= row.held_tokens);
    await assert.rejects(
      across.anthropic.messages
        .stream({ model: GPT, max_tokens: 100, messages: [user("x")] })
        .finalMessage(),
      { errorCode: code },
    );
  }
});
