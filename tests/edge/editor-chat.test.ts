// Chat as an event stream, one request at a time, and what a client that leaves means (script-tool.md §6, §7, §9).
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import type { ChatHistory, Tool } from "@holdpoint/core/editor";
import { during } from "../during.ts";
import {
  code,
  type DeskAsking,
  events,
  otherUser,
  proposes,
  sample,
  says,
  startDesk,
  uuid,
  width,
} from "./desk.ts";
import { type Call, chunk, done, finish, last, sleep, told } from "./upstream.ts";
import { type Answer, eventually } from "./workerd.ts";

const desk = await during(
  startDesk({ variables: { SSE_PING_MS: "200", CHAT_TIMEOUT_MS: "4000" } }),
);

const chat = (tool: Tool, body: object = { message: "Why?" }, options: DeskAsking = {}) =>
  desk.ask("POST", `/tools/${tool.tool_id}/chat`, body, options);
/** Sends some words, then holds the stream open until it is closed from the other side. */
const hangs = (words: string[]) => async (call: Call) => {
  call.head();
  for (const word of words) call.send(chunk(word));
  await call.closed;
};

/** A request whose connection the test ends by itself. `ended`: reset or quiet. */
function leaves(
  path: string,
  body: unknown,
  token: string,
  { after: bytes = 1, quiet = false } = {},
) {
  return new Promise<void>((left, failed) => {
    const request = http.request(desk.edge.url + path, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    const leave = () => {
      if (quiet) request.socket?.end(() => request.destroy());
      else request.socket?.resetAndDestroy();
      left();
    };
    let seen = 0;
    request.on("response", (response) => {
      response.on("error", () => {});
      response.on("data", (data) => {
        seen += data.length;
        if (seen >= bytes) leave();
      });
    });
    request.on("error", (error) => (seen > 0 ? undefined : failed(error)));
    request.end(JSON.stringify(body));
  });
}

test("meta, deltas, done; framed exactly; kept in the thread", async () => {
  desk.play = (call) => says(call, "Because the rules say so.\nAnd so on.");
  const tool = await desk.create();
  const id = uuid();
  const got = await chat(
    tool,
    { message: "Why?", active_file: "tool.py", virtual_files: sample },
    { id },
  );
  assert.deepEqual(
    [got.status, got.headers.get("content-type"), got.headers.get("cache-control")],
    [200, "text/event-stream", "no-cache"],
  );
  assert.equal(got.headers.get("x-correlation-id"), id);
  const heard = events(got.raw);
  assert.equal(
    heard.map((frame) => `event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`).join(""),
    got.raw,
  );
  const [{ data: meta }] = heard;
  assert.deepEqual([heard[0].event, meta.enabled, meta.correlation_id], ["meta", true, id]);
  const text = heard
    .filter((frame) => frame.event === "delta")
    .map((frame) => frame.data.text)
    .join("");
  assert.equal(text, "Because the rules say so.\nAnd so on.");
  assert.deepEqual(heard.at(-1), { event: "done", data: { enabled: true, reason: "stop" } });
  const [asked, answered] = await desk.thread(tool);
  assert.deepEqual([asked.content, answered.content, answered.status], ["Why?", text, "complete"]);
  assert.deepEqual(
    [answered.turn_id, answered.message_id],
    [meta.turn_id, meta.assistant_message_id],
  );
  const sent = JSON.parse(last(last(desk.upstream.calls).body.messages).content);
  assert.deepEqual(Object.keys(sent), [
    "kind",
    "schema_version",
    "message",
    "active_file",
    "virtual_files",
    "omitted_virtual_file_ids",
  ]);
});

test("an answer that ends at its limit says so; a silent stream is pinged", async () => {
  desk.play = async (call) => {
    call.head();
    call.send(chunk("Half"));
    await sleep(700);
    call.end(finish.replace('"stop"', '"length"') + done);
  };
  const tool = await desk.create();
  const got = await chat(tool);
  assert.match(got.raw, /\n\n: ping\n\n/);
  assert.deepEqual(last(events(got.raw)).data, { enabled: true, reason: "length" });
});

test("files that do not fit are left out whole, and the person is told", async () => {
  desk.play = (call) => says(call, "Yes.");
  const tool = await desk.create();
  const virtual_files = { ...sample, "usage_instructions.md": "word ".repeat(9_000) };
  const heard = events(
    (await chat(tool, { message: "Why?", active_file: "tool.py", virtual_files })).raw,
  );
  assert.deepEqual([heard[1].event, heard[1].data.variant], ["notice", "info"]);
  const sent = JSON.parse(last(last(desk.upstream.calls).body.messages).content);
  assert.deepEqual(sent.omitted_virtual_file_ids, ["usage_instructions.md"]);
});

test("what fails before the first words is an ordinary error, told apart", async () => {
  const long = '{"error":{"code":"context_length_exceeded"}}';
  const cases: [string, (call: Call) => void][] = [
    ["upstream_error", (call) => told(call, 500, "{}")],
    ["context_exceeded", (call) => told(call, 400, long)],
    ["timeout", (call) => call.head()],
  ];
  for (const [outcome, play] of cases) {
    desk.play = play;
    const tool = await desk.create();
    const got = await chat(tool);
    assert.deepEqual(
      [...code(got), got.value.error.details.outcome],
      [503, "SERVICE_UNAVAILABLE", outcome],
      got.raw,
    );
    const [, answered] = await desk.thread(tool);
    assert.deepEqual([answered.status, answered.failure_outcome], ["failed", outcome]);
  }
  assert.deepEqual(code(await chat(await desk.create(), { message: " " })), [422, "INVALID_INPUT"]);
});

test("a stream that breaks keeps its text and ends with an error", async () => {
  desk.play = async (call) => {
    call.head();
    call.send(chunk("Half a"));
    await sleep(100);
    call.cut();
  };
  const tool = await desk.create();
  const heard = events((await chat(tool)).raw);
  assert.deepEqual(
    heard.slice(-2).map((frame) => [frame.event, frame.data.variant ?? frame.data.reason]),
    [
      ["notice", "warning"],
      ["done", "error"],
    ],
  );
  const [, answered] = await desk.thread(tool);
  assert.deepEqual(
    [answered.content, answered.status, answered.failure_outcome],
    ["Half a", "failed", "upstream_error"],
  );
});

for (const quiet of [false, true]) {
  test(`a client leaves in mid-stream${quiet ? ", quietly" : ""}: cancelled, text kept, upstream closed`, async () => {
    desk.play = hangs(["Some words "]);
    const tool = await desk.create();
    await leaves(`/api/v1/editor/tools/${tool.tool_id}/chat`, { message: "Why?" }, desk.token, {
      after: 200,
      quiet,
    });
    const answered = await eventually(async () => {
      const value = (await desk.thread(tool))[1];
      return { ok: value?.status === "cancelled", value };
    });
    assert.equal(answered.content, "Some words ");
    assert.equal(await last(desk.upstream.calls).closed, true);
    const row = await eventually(async () => {
      const [value] = await desk.ledger();
      return { ok: value.disconnect_policy === "cancel_estimate", value };
    });
    // The relay hears of it twice: that its reader is gone, and that the turn is cancelled.
    assert.match(row.outcome, /^(cancelled|client_gone)$/);
    assert.equal(row.usage_source, "estimated");
    desk.play = (call) => says(call, "Again.");
    assert.equal((await chat(tool)).status, 200, "the place is free again");
  });
}

for (const quiet of [false, true]) {
  test(`a client leaves in a proposal${quiet ? ", quietly" : ""}: cancelled, nothing proposed`, async () => {
    desk.play = hangs(["{"]);
    const tool = await desk.create();
    const body = {
      tool_id: tool.tool_id,
      message: "Wider.",
      active_file: "tool.py",
      virtual_files: sample,
    };
    await leaves("/api/v1/editor/edit-ops", body, desk.token, { quiet });
    await eventually(async () => {
      const value = (await desk.thread(tool))[1];
      return { ok: value?.status === "cancelled", value };
    });
    assert.equal(await last(desk.upstream.calls).closed, true);
  });
}

test("one request at a time, for chat and proposals together; never two of fifty", async () => {
  const tool = await desk.create();
  desk.play = async (call) => {
    await sleep(30);
    says(
      call,
      call.body.messages[0].content.startsWith("You edit")
        ? proposes("Fine.", width(900))
        : "Fine.",
    );
  };
  for (let race = 0; race < 50; race += 1) {
    const got = await Promise.all([chat(tool), desk.edit(tool, "Wider.")]);
    assert.deepEqual(
      got.map((answer) => answer.status).sort(),
      [200, 409],
      got.map((answer) => answer.raw).join("\n"),
    );
    const refused = last(got.filter((answer) => answer.status === 409));
    assert.deepEqual(
      [refused.value.error.code, refused.headers.get("retry-after")],
      ["REQUEST_IN_FLIGHT", "2"],
    );
  }
  assert.equal((await desk.thread(tool)).length, 60, "the last sixty of a hundred");
  const all = await desk.ask<ChatHistory>("GET", `/tools/${tool.tool_id}/chat?limit=200`);
  assert.equal(all.value.messages.length, 100);
  assert.deepEqual(code(await desk.ask("GET", `/tools/${tool.tool_id}/chat?limit=201`)), [
    422,
    "INVALID_INPUT",
  ]);
});

test("clearing forgets the thread and stops what runs", async () => {
  desk.play = hangs(["Some words "]);
  const tool = await desk.create();
  const before = desk.upstream.calls.length;
  const running = chat(tool);
  await eventually(async () => ({ ok: (await desk.thread(tool)).length === 2 }));
  // The turn begins with its admission, before the provider is called.
  await eventually(() => ({ ok: desk.upstream.calls.length > before }));
  const cleared = await desk.ask("DELETE", `/tools/${tool.tool_id}/chat`);
  assert.deepEqual([cleared.status, cleared.raw], [204, ""]);
  assert.deepEqual(last(events((await running).raw)).data.reason, "cancelled");
  assert.equal(await last(desk.upstream.calls).closed, true);
  assert.deepEqual(await desk.thread(tool), []);
});

test("measurements are an administrator's, outside production, and true", async () => {
  desk.play = (call) => says(call, proposes("Fine.", width(900)));
  const eval_ = (options: DeskAsking) => ({ ...options, headers: { "x-skriptoteket-eval": "1" } });
  const tool = await desk.create();
  const admin = await otherUser(desk, "dev", ["llm", "usage", "edit", "admin"]);
  const place = { selection: { from: 3, to: 14 }, cursor: { pos: 14 } };
  assert.deepEqual(code(await desk.edit(tool, "Wider.", place, eval_({}))), [403, "FORBIDDEN"]);
  const named = (answer: Answer) =>
    [...answer.headers].filter(([name]) => name.startsWith("x-skriptoteket-eval-"));
  assert.deepEqual(named(await desk.edit(tool, "Wider.", place)), []);
  const got = Object.fromEntries(
    named(await desk.edit(tool, "Wider.", place, eval_({ token: admin }))),
  );
  const [system] = last(desk.upstream.calls).body.messages;
  assert.deepEqual(
    [
      got["x-skriptoteket-eval-outcome"],
      got["x-skriptoteket-eval-instruction-chars"],
      got["x-skriptoteket-eval-selection-chars"],
    ],
    ["ok", "6", "11"],
  );
  assert.equal(got["x-skriptoteket-eval-prefix-chars"], "3");
  assert.equal(got["x-skriptoteket-eval-suffix-chars"], String([...sample["tool.py"]].length - 14));
  assert.equal(got["x-skriptoteket-eval-system-prompt-chars"], String([...system.content].length));
  assert.ok(got["x-skriptoteket-eval-template-id"]);
  const virtual_files = { ...sample, "usage_instructions.md": "word ".repeat(12_000) };
  const over = await desk.edit({ ...tool, virtual_files }, "Wider.", {}, eval_({ token: admin }));
  assert.deepEqual(
    [...code(over), over.headers.get("x-skriptoteket-eval-outcome")],
    [422, "MESSAGE_OVER_BUDGET", "over_budget"],
  );
  const counted = Object.fromEntries(named(over));
  const chars = Number(counted["x-skriptoteket-eval-system-prompt-chars"]);
  assert.ok(chars > 0, "what is refused is counted too");
  assert.equal(counted["x-skriptoteket-eval-instruction-chars"], "6");
  assert.equal(counted["x-skriptoteket-eval-prefix-chars"], String([...sample["tool.py"]].length));
  assert.equal(counted["x-skriptoteket-eval-template-id"], "script-tool/edit-ops-patch-only/1");
});
