// What may be found of a session in the log, among the captures and on the disk: metadata, and content only where it
// belongs (script-tool.md §10).
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ApplyAnswer, Preview, Tool, VirtualFiles } from "@holdpoint/core/editor";
import {
  type Desk,
  nearly,
  nowhere,
  proposes,
  sample,
  says,
  startDesk,
  uuid,
  width,
} from "./desk.ts";
import { type Call, chunk, sleep, streamed, told } from "./upstream.ts";
import { eventually } from "./workerd.ts";

/** Every file below a folder, as bytes that can be searched. The edge may delete one while it is looked for. */
function stored(dir: string) {
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const file = join(dir, name);
    try {
      return statSync(file).isFile() ? [{ file, text: readFileSync(file).toString("latin1") }] : [];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  });
}

/** The events of a name in the log. */
const logged = (desk: Desk, name: string) =>
  [...desk.edge.log.matchAll(/\{"[^\n]*\}/g)]
    .map(([text]) => JSON.parse(text))
    .filter(({ event }) => event === name);
const IDS = ["event", "route", "correlation_id", "tool_id", "user_id", "elapsed_ms"];
const CALL = [
  "template_id",
  "system_prompt_chars",
  "instruction_chars",
  "selection_chars",
  "prefix_chars",
  "suffix_chars",
  "message_count",
  "dropped_messages",
  "prompt_tokens",
  "files_bytes",
  "provider",
  "model",
  "failover_reason",
];
const ENDED = [...CALL, "status", "outcome", "assistant_chars"];

test("every event has its fields, and no others", async () => {
  const desk = await startDesk();
  try {
    const tool = await desk.create();
    const id = uuid();
    desk.play = (call) =>
      says(call, `{"assistant_message": "Wider.", "ops": [${JSON.stringify(width(900))},]}`);
    const { ops } = (await desk.edit(tool, "Make it wider.", {}, { id })).value;
    const applied = await desk.apply(tool, ops, {}, { id });
    await desk.ask("POST", `/tools/${tool.tool_id}/undo`, {
      base_revision_id: applied.value.revision_id,
    });
    desk.play = (call) => says(call, "Because.");
    await desk.ask("POST", `/tools/${tool.tool_id}/chat`, { message: "Why?" });
    desk.play = (call) => told(call, 500, "{}");
    await desk.ask("POST", `/tools/${tool.tool_id}/chat`, { message: "Why?" });
    const virtual_files = { ...sample, "usage_instructions.md": "word ".repeat(12_000) };
    await desk.edit({ ...tool, virtual_files }, "Change it.");
    const fields = {
      ai_chat_ops_request: CALL,
      ai_chat_ops_result: [
        ...ENDED,
        "code",
        "finish_reason",
        "parse_ok",
        "ops",
        "repairs",
        "repaired",
      ],
      ai_chat_request: CALL,
      ai_chat_done: ENDED,
      ai_chat_failed: [...ENDED, "code"],
      edit_ops_preview: ["ops", "verdict", "codes", "tags", "rungs", "fuzz_level", "max_offset"],
      edit_ops_decision: ["decision", "seconds_since_proposal"],
      budget_over: ["code", "numbers"],
    };
    for (const [name, own] of Object.entries(fields)) {
      const [first] = logged(desk, name);
      assert.ok(first, name);
      assert.deepEqual(Object.keys(first).sort(), [...IDS, ...own].sort(), name);
    }
    const [made] = logged(desk, "ai_chat_ops_result");
    assert.deepEqual(
      [
        made.route,
        made.correlation_id,
        made.outcome,
        made.status,
        made.finish_reason,
        made.parse_ok,
        made.ops,
        made.repairs,
      ],
      ["POST /edit-ops", id, "ok", 200, "stop", true, 1, ["trailing_commas"]],
    );
    const [failed] = logged(desk, "ai_chat_failed");
    assert.deepEqual(
      [failed.outcome, failed.status, failed.code],
      ["upstream_error", 503, "SERVICE_UNAVAILABLE"],
    );
    const decisions = logged(desk, "edit_ops_decision");
    assert.deepEqual(
      decisions.map(({ decision }) => decision),
      ["applied", "undone"],
    );
    for (const { seconds_since_proposal } of decisions)
      assert.equal(typeof seconds_since_proposal, "number");
  } finally {
    await desk.stop();
  }
});

test("an apply that is rejected is captured with the stored texts; the first writer wins there too", async () => {
  const desk = await startDesk({
    variables: { CAPTURE_MODE: "errors" },
    play: (call) => call.cut(),
  });
  try {
    const tool = await desk.create();
    const captured = (id: string) =>
      stored(desk.edge.dir)
        .filter(({ file }) =>
          file.endsWith(`llm-captures/edit_ops_preview_failure/${id}/capture.json`),
        )
        .map(({ text }) => JSON.parse(text));
    const other = { ...sample, "usage_instructions.md": "Not the stored text.\n" };
    const seen = (await desk.preview(tool, [nowhere])).value;
    const body = desk.signed(
      tool,
      [nowhere],
      { ...seen, meta: { ...seen.meta, patch_id: "x", result_hash: "x" } },
      { virtual_files: other },
    );
    const id = uuid();
    const rejected = await desk.ask<ApplyAnswer>("POST", "/edit-ops/apply", body, { id });
    assert.deepEqual(
      [rejected.status, rejected.value.ok, rejected.value.applied],
      [200, false, false],
      rejected.raw,
    );
    const [envelope] = captured(id);
    assert.deepEqual(
      [envelope.version, envelope.kind, envelope.capture_id],
      [1, "edit_ops_preview_failure", id],
    );
    const { ops, virtual_files, error_details } = envelope.payload;
    assert.deepEqual(
      [ops, virtual_files, error_details],
      [[nowhere], sample, rejected.value.error_details],
    );
    await desk.preview(tool, [{ ...nowhere, target_file: "main.py" }], {}, { id });
    assert.deepEqual(captured(id), [envelope]);

    const good = uuid();
    const applied = await desk.apply(tool, [width(900)], {}, { id: good });
    assert.equal(applied.value.applied, true);
    const stale = await desk.ask("POST", "/edit-ops/apply", body, { id: good });
    assert.equal(stale.status, 409);
    assert.deepEqual(
      captured(good),
      [],
      "what was applied, and what is only stale, failed nowhere",
    );
  } finally {
    await desk.stop();
  }
});

interface Session {
  tool: Tool;
  files: VirtualFiles;
}

/** A whole session in which every text holds a marker. */
async function session(desk: Desk): Promise<Session> {
  const files = { ...sample, "usage_instructions.md": "MARKER-CODE\n" };
  const tool = await desk.create({ virtual_files: files });
  desk.play = (call) => says(call, proposes("MARKER-REPLY", nowhere));
  await desk.edit(tool, "MARKER-PROMPT");
  desk.play = (call) => says(call, "MARKER-REPLY no json");
  await desk.edit(tool, "MARKER-PROMPT");
  const bad = [{ ...nowhere, patch_lines: [...nowhere.patch_lines, "+MARKER-PATCH"] }];
  await desk.preview(tool, bad);
  desk.play = (call) => says(call, "MARKER-REPLY");
  await desk.ask("POST", `/tools/${tool.tool_id}/chat`, {
    message: "MARKER-PROMPT",
    active_file: "tool.py",
    virtual_files: files,
  });
  desk.play = (call) => told(call, 400, '{"error":{"message":"MARKER-REPLY"}}');
  await desk.edit(tool, "MARKER-PROMPT");
  return { tool, files };
}

/** Everything that is refused, with a marker where it is wrong. */
async function refusals(desk: Desk, { tool, files }: Session) {
  const own = `/tools/${tool.tool_id}`;
  const look = {
    tool_id: tool.tool_id,
    active_file: "tool.py",
    virtual_files: files,
    ops: [width(900)],
  };
  const edit = {
    tool_id: tool.tool_id,
    active_file: "tool.py",
    virtual_files: files,
    message: "MARKER-WRONG",
  };
  const stray = {
    op: "patch",
    target_file: "MARKER-WRONG.py",
    patch_lines: ["@@ -1 +1 @@", "-MARKER-WRONG", "+b"],
  };
  const seen = (await desk.preview({ ...tool, virtual_files: files }, [width(900)])).value;
  const doubt = (await desk.preview({ ...tool, virtual_files: files }, [nearly])).value;
  const signed = (ops: unknown[], preview: Preview, more: object = {}) =>
    desk.signed({ ...tool, virtual_files: files }, ops, preview, more);
  const before = desk.edge.log.length;
  const cases: [string, string, unknown, number][] = [
    ["POST", "/edit-ops", '{"message": "MARKER-WRONG"', 422],
    ["POST", "/edit-ops", '{"MARKER-WRONG": 1, "MARKER-WRONG": 2}', 422],
    ["POST", "/edit-ops", { ...edit, active_file: "MARKER-WRONG.py" }, 422],
    [
      "POST",
      "/edit-ops",
      { ...edit, virtual_files: { ...files, "MARKER-WRONG.py": "MARKER-WRONG" } },
      422,
    ],
    ["POST", "/edit-ops", { ...edit, options: { mode: "MARKER-WRONG" } }, 422],
    ["POST", "/edit-ops", { ...edit, feedback: "MARKER-WRONG" }, 422],
    ["POST", "/edit-ops", { ...edit, message: "MARKER-WRONG ".repeat(2_000) }, 413],
    [
      "POST",
      "/edit-ops",
      {
        ...edit,
        virtual_files: { ...files, "usage_instructions.md": "MARKER-WRONG ".repeat(8_000) },
      },
      422,
    ],
    ["POST", `${own}/chat`, { message: ["MARKER-WRONG"] }, 422],
    [
      "POST",
      `${own}/chat`,
      {
        message: "MARKER-WRONG",
        active_file: "tool.py",
        virtual_files: { "tool.py": "MARKER-WRONG ".repeat(8_000) },
      },
      422,
    ],
    ["POST", "/edit-ops/preview", { ...look, ops: "MARKER-WRONG" }, 422],
    [
      "POST",
      "/edit-ops/preview",
      { ...look, ops: [{ op: "MARKER-WRONG", target_file: "tool.py" }] },
      422,
    ],
    ["POST", "/edit-ops/preview", { ...look, ops: [{ ...stray, patch: 3 }] }, 422],
    ["POST", "/edit-ops/preview", { ...look, accept: { "tool.py": ["MARKER-WRONG"] } }, 422],
    ["POST", "/edit-ops/preview", { ...look, ops: [stray] }, 200],
    ["POST", "/edit-ops/apply", signed([width(900)], seen, { base_hash: "MARKER-WRONG" }), 409],
    [
      "POST",
      "/edit-ops/apply",
      signed([width(900)], seen, { base_revision_id: "MARKER-WRONG" }),
      409,
    ],
    ["POST", "/edit-ops/apply", signed([nearly], doubt, { confirm_token: "MARKER-WRONG" }), 409],
    ["POST", "/edit-ops/apply", signed([stray], seen), 409],
    [
      "POST",
      "/edit-ops/apply",
      signed([{ ...nowhere, patch_lines: [...nowhere.patch_lines, "+MARKER-WRONG"] }], seen),
      200,
    ],
    ["POST", "/tools", { title: "MARKER-WRONG ".repeat(20) }, 422],
    [
      "PUT",
      own,
      { base_revision_id: "MARKER-WRONG", virtual_files: { "tool.py": "MARKER-WRONG" } },
      409,
    ],
    [
      "POST",
      `${own}/restore`,
      { base_revision_id: tool.revision_id, revision_id: "MARKER-WRONG" },
      404,
    ],
    ["GET", `${own}/chat?limit=MARKER-WRONG`, undefined, 422],
    ["GET", `${own}/revisions?cursor=MARKER-WRONG`, undefined, 422],
    ["GET", "/tools/MARKER-WRONG", undefined, 404],
    ["GET", "/MARKER-WRONG", undefined, 404],
  ];
  for (const [method, path, body, status] of cases) {
    const got = await desk.ask(method, path, body, { id: "MARKER-WRONG" });
    assert.equal(got.status, status, `${method} ${path} ${got.raw.slice(0, 300)}`);
  }
  assert.ok(desk.edge.log.length > before, "previews, applies and refused budgets are logged");
}

/** Every way in which a provider fails, with the prompt in its mouth. */
async function failures(desk: Desk, { tool, files }: Session) {
  const words = JSON.stringify({
    error: { message: "MARKER-UPSTREAM", code: "MARKER-UPSTREAM", param: "MARKER-PROMPT" },
  });
  const event = `data: ${words}\n\n`;
  const plays: ((call: Call) => unknown)[] = [
    ...[400, 401, 404, 413, 422, 429, 500].map(
      (status) => (call: Call) => told(call, status, words),
    ),
    (call) => streamed(call, event),
    (call) => streamed(call, chunk("MARKER-UPSTREAM"), event),
    (call) => streamed(call, "data: MARKER-UPSTREAM {\n\n"),
    async (call) => {
      call.head();
      call.send(chunk("MARKER-UPSTREAM"));
      await sleep(50);
      call.cut();
    },
    (call) => told(call, 200, "MARKER-UPSTREAM"),
  ];
  for (const play of plays) {
    desk.play = play;
    const got = await desk.edit(tool, "MARKER-PROMPT", { virtual_files: files });
    assert.notEqual(got.value.outcome, "ok", got.raw);
    assert.ok(!got.raw.includes("MARKER"), got.raw);
    const said = await desk.ask("POST", `/tools/${tool.tool_id}/chat`, {
      message: "MARKER-PROMPT",
    });
    assert.ok(!said.raw.replaceAll('{"text":"MARKER-UPSTREAM"}', "").includes("MARKER"), said.raw);
  }
  desk.play = (call) => says(call, proposes("Fine."), "MARKER-UPSTREAM");
  await desk.edit(tool, "MARKER-PROMPT", { virtual_files: files });
  await desk.ask("DELETE", `/tools/${tool.tool_id}/chat`);
}

test("no prompt, code, reply or patch is logged or captured; patches are stored nowhere", async () => {
  const desk = await startDesk();
  try {
    const { tool, files: texts } = await session(desk);
    await failures(desk, { tool, files: texts });
    await refusals(desk, { tool, files: texts });
    await session(desk);
    assert.match(desk.edge.log, /"event":"ai_chat_ops_result"/);
    assert.match(desk.edge.log, /"event":"edit_ops_preview"/);
    assert.match(desk.edge.log, /"event":"ai_chat_done"/);
    assert.ok(
      !desk.edge.log.includes("MARKER"),
      desk.edge.log.split("\n").find((line) => line.includes("MARKER")),
    );
    const files = stored(desk.edge.dir);
    const holding = (marker: string) =>
      files.filter(({ text }) => text.includes(marker)).map(({ file }) => file);
    assert.deepEqual(
      files.filter(({ file }) => file.includes("llm-captures")),
      [],
    );
    for (const marker of ["MARKER-PATCH", "MARKER-WRONG"])
      assert.deepEqual(holding(marker), [], marker);
    for (const marker of ["MARKER-PROMPT", "MARKER-CODE", "MARKER-REPLY", "MARKER-UPSTREAM"]) {
      const outside = holding(marker).filter((file) => !file.includes("holdpoint-project"));
      assert.deepEqual(outside, [], `${marker} stands only in the script's own object`);
    }
  } finally {
    await desk.stop();
  }
});

test("captures: when the server turns them on, first writer wins, gone after their time", async () => {
  const desk = await startDesk({
    variables: { LLM_CAPTURE_ON_ERROR_ENABLED: "1", CAPTURE_TTL_MS: "2500" },
  });
  try {
    const tool = await desk.create();
    const id = uuid();
    desk.play = (call) => says(call, "MARKER-FIRST");
    await desk.edit(tool, "One.", {}, { id });
    desk.play = (call) => says(call, "MARKER-SECOND");
    await desk.edit(tool, "One.", {}, { id });
    await desk.preview(tool, [nowhere], {}, { id });
    const captures = () =>
      stored(desk.edge.dir).filter(({ file }) => file.endsWith("capture.json"));
    const [response, preview] = captures().sort((a, b) => a.file.localeCompare(b.file));
    assert.ok(
      response.file.endsWith(`llm-captures/chat_ops_response/${id}/capture.json`),
      response.file,
    );
    assert.ok(preview.file.endsWith(`llm-captures/edit_ops_preview_failure/${id}/capture.json`));
    const envelope = JSON.parse(response.text);
    assert.deepEqual(
      [envelope.version, envelope.kind, envelope.capture_id],
      [1, "chat_ops_response", id],
    );
    assert.equal(envelope.payload.response, "MARKER-FIRST");
    const replay = JSON.parse(preview.text).payload;
    assert.deepEqual([replay.ops, replay.virtual_files], [[nowhere], sample]);
    assert.ok(!desk.edge.log.includes("MARKER"));
    await eventually(() => ({ ok: captures().length === 0, value: captures().length }), {
      ms: 8_000,
    });
  } finally {
    await desk.stop();
  }
});
