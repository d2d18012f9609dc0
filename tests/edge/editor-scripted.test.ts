// The scripted model's answers about the sample script: each does on the real text what its words promise.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Location } from "@holdpoint/core/editor";
import { freePort } from "../ports.ts";
import { type Desk, events, sample, startDesk } from "./desk.ts";
import { last } from "./upstream.ts";
import { eventually } from "./workerd.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const holdpoint = process.env.HOLDPOINT ?? join(root, "target/debug/holdpoint");
let desk: Desk;
let provider: ChildProcess;

before(async () => {
  const port = await freePort();
  const transcripts = join(root, "fixtures/transcripts/05-script-editor.json");
  provider = spawn(holdpoint, ["provider", "--transcripts", transcripts, "--port", String(port)], {
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => ({
    ok: await fetch(`${url}/__scripted/log`).then(
      (got) => got.ok,
      () => false,
    ),
  }));
  desk = await startDesk({
    variables: {
      UPSTREAM_BASE_URL: `${url}/v1`,
      CHAT_OPS_TIMEOUT_MS: "6000",
      CHAT_TIMEOUT_MS: "6000",
    },
  });
});
after(async () => {
  await desk?.stop();
  provider?.kill();
});

/** Message, more of the request, outcome, verdict, changed files, whether it was repaired. */
const cases: [string, Location, string, string?, string[]?, boolean?][] = [
  ["Please leave out rows without a width.", {}, "ok", "clean", ["tool.py"]],
  ["Add a setting that lists every door.", {}, "ok", "clean", ["settings_schema.json", "tool.py"]],
  ["Put the narrowest door first.", {}, "ok", "confirm", ["tool.py"]],
  ["Say how many doors are too narrow.", {}, "ok", "clean", ["tool.py"], true],
  ["Rename the report.", {}, "ok", "reject", [], true],
  ["I think it already handles empty files?", {}, "empty"],
  ["Send the report by mail.", {}, "parse_failed"],
  ["Rewrite the whole script.", {}, "truncated"],
  ["Answer in a table.", {}, "parse_failed"],
  ["Put a comment at the cursor.", {}, "non_patch_ops"],
  ["Put a comment at the cursor.", { cursor: { pos: 0 } }, "ok", "clean", ["tool.py"]],
  ["Replace what I selected.", { cursor: { pos: 4 } }, "incompatible_ops"],
  [
    "Replace what I selected.",
    { selection: { from: 30, to: 35 }, cursor: { pos: 35 } },
    "ok",
    "clean",
    ["tool.py"],
  ],
  ["The model stalls.", {}, "timeout"],
  ["The model is down.", {}, "upstream_error"],
  ["The model is cut off.", {}, "upstream_error"],
  ["The model is full.", {}, "context_exceeded"],
  ["Something that nobody wrote an answer for.", {}, "empty"],
];

for (const [message, more, outcome, verdict, changed, repaired] of cases) {
  test(`${message} ${Object.keys(more).join("+")}: ${outcome}${verdict ? `, ${verdict}` : ""}`, async () => {
    const tool = await desk.create();
    const got = (await desk.edit(tool, message, more)).value;
    assert.deepEqual(
      [got.outcome, got.repaired ?? false],
      [outcome, repaired ?? false],
      JSON.stringify(got),
    );
    assert.ok(got.assistant_message);
    if (!verdict) return;
    const { selection, cursor } = more;
    const seen = (await desk.preview(tool, got.ops, { selection, cursor })).value;
    assert.deepEqual(
      [seen.verdict, seen.changed_files],
      [verdict, changed],
      JSON.stringify(seen.error_details),
    );
    assert.deepEqual(
      seen.diagnostics?.filter((finding) => finding.new && finding.severity === "error"),
      [],
    );
  });
}

test("chat", async () => {
  const tool = await desk.create();
  const ask = (message: string) =>
    desk.ask("POST", `/tools/${tool.tool_id}/chat`, {
      message,
      active_file: "tool.py",
      virtual_files: sample,
    });
  const heard = events((await ask("What does this script do?")).raw);
  assert.match(
    heard
      .filter((frame) => frame.event === "delta")
      .map((frame) => frame.data.text)
      .join(""),
    /800 mm/,
  );
  assert.equal((await ask("The model is down.")).status, 503);
  assert.deepEqual(last(events((await ask("The model is cut off.")).raw)).data.reason, "error");
});
