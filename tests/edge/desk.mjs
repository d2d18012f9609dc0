// The script editor under test: an edge, a steered model, and the requests of a page.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chunk, done, finish, startUpstream, usage } from "./upstream.mjs";
import { startEdge } from "./workerd.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const FILES = [
  "tool.py",
  "entrypoint.txt",
  "settings_schema.json",
  "input_schema.json",
  "usage_instructions.md",
];
export const sample = Object.fromEntries(
  FILES.map((path) => [path, readFileSync(join(root, "fixtures/tools/door-report", path), "utf8")]),
);

/** A whole answer of the model as a stream. */
export function says(call, text, reason = "stop") {
  call.head();
  for (let at = 0; at < text.length; at += 40) call.send(chunk(text.slice(at, at + 40)));
  call.send(finish.replace('"stop"', JSON.stringify(reason)) + usage(50, 20));
  call.end(done);
}

/** A proposal in the model's dialect. */
export const proposes = (message, ...ops) => JSON.stringify({ assistant_message: message, ops });
export const patch = (target_file, ...patch_lines) => ({ op: "patch", target_file, patch_lines });

/** A patch that fits the sample: the least width becomes `mm`. */
export const width = (mm) =>
  patch(
    "tool.py",
    "--- a/tool.py",
    "+++ b/tool.py",
    "@@ -48,4 +48,4 @@",
    " def run(settings, inputs):",
    '     """Makes the report. `settings` and `inputs` follow the two schemas."""',
    '-    minimum = settings.get("minimum_width_mm", 800)',
    `+    minimum = settings.get("minimum_width_mm", ${mm})`,
    '     doors = read_doors(inputs["doors_csv"])',
  );
/** A patch of a second file. */
export const entry = (name) =>
  patch(
    "entrypoint.txt",
    "--- a/entrypoint.txt",
    "+++ b/entrypoint.txt",
    "@@ -1 +1 @@",
    "-run",
    `+${name}`,
  );
/** A patch whose context is nearly right, so that a person must look. */
export const nearly = patch(
  "tool.py",
  "--- a/tool.py",
  "+++ b/tool.py",
  "@@ -29,4 +29,4 @@",
  " def by_storey(doors):",
  '     """Doors  grouped by storey, in the order in which storeys first appear."""',
  "-    groups = {}",
  "+    groups = dict()",
  "     for door in doors:",
);
/** A patch that fits nowhere. */
export const nowhere = patch(
  "tool.py",
  "--- a/tool.py",
  "+++ b/tool.py",
  "@@ -3,3 +3,3 @@",
  " import os",
  "-import sys",
  "+import re",
  " import json",
);

/**
 * An edge with a steered model. `play(call)` answers each model call; set it at any time. Without `play` the scripted
 * provider is not there either: nothing answers.
 */
export async function startDesk({ variables = {}, play } = {}) {
  const desk = { play };
  desk.upstream = await startUpstream((call) => desk.play(call));
  desk.edge = await startEdge({
    variables: { UPSTREAM_BASE_URL: desk.upstream.url, ...variables },
  });
  const keys = await desk.edge.keys();
  desk.token = keys.user_token;
  desk.admin = keys.admin_token;
  desk.ask = (method, path, body, { token = desk.token, id, headers = {}, ...rest } = {}) =>
    desk.edge.ask(method, `/api/v1/editor${path}`, {
      token,
      body,
      headers: { ...(id ? { "x-correlation-id": id } : {}), ...headers },
      ...rest,
    });
  desk.create = async (from = { sample: "door-report" }, title = "Doors") => {
    const made = await desk.ask("POST", "/tools", { title, ...from });
    if (made.status !== 201) throw new Error(`create: ${made.status} ${made.raw}`);
    return made.value;
  };
  desk.edit = (tool, message, more = {}, options = {}) =>
    desk.ask(
      "POST",
      "/edit-ops",
      {
        tool_id: tool.tool_id,
        message,
        active_file: "tool.py",
        virtual_files: tool.virtual_files,
        ...more,
      },
      options,
    );
  desk.preview = (tool, ops, more = {}, options = {}) =>
    desk.ask(
      "POST",
      "/edit-ops/preview",
      {
        tool_id: tool.tool_id,
        active_file: "tool.py",
        virtual_files: tool.virtual_files,
        ops,
        ...more,
      },
      options,
    );
  /** The body of an apply that signs what a preview showed. */
  desk.signed = (tool, ops, seen, more = {}) => ({
    tool_id: tool.tool_id,
    active_file: "tool.py",
    virtual_files: tool.virtual_files,
    ops,
    base_revision_id: tool.revision_id,
    base_hash: seen.meta.base_hash,
    patch_id: seen.meta.patch_id,
    result_hash: seen.meta.result_hash,
    ...(seen.meta.confirm_token ? { confirm_token: seen.meta.confirm_token } : {}),
    ...more,
  });
  desk.apply = async (tool, ops, more = {}, options = {}) => {
    const seen = await desk.preview(tool, ops, {}, options);
    return desk.ask("POST", "/edit-ops/apply", desk.signed(tool, ops, seen.value, more), options);
  };
  desk.tool = async (tool) => (await desk.ask("GET", `/tools/${tool.tool_id}`)).value;
  desk.thread = async (tool) =>
    (await desk.ask("GET", `/tools/${tool.tool_id}/chat`)).value.messages;
  desk.ledger = async () =>
    (await desk.edge.ask("GET", "/gateway/v1/ledger", { token: desk.admin })).value.items;
  desk.stop = async () => {
    await desk.edge.stop();
    await desk.upstream.stop();
  };
  return desk;
}

/** A key of another user of the same account, or of the same user with other scopes. */
export async function otherUser(desk, user_id = "bob", scopes = ["llm", "usage", "edit"]) {
  const body = { label: user_id, user_id, scopes };
  const made = await desk.edge.ask("POST", "/gateway/v1/keys", { token: desk.admin, body });
  if (made.status !== 201 && made.status !== 200)
    throw new Error(`key: ${made.status} ${made.raw}`);
  return made.value.key;
}

/** The events of a chat stream as they stand. */
export function events(raw) {
  return raw
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block);
      return { event, data: JSON.parse(data) };
    });
}

export const uuid = () => randomUUID();
