// The OpenAPI document says what the edge does: its routes, their scopes, statuses and codes, the members of answers.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { during } from "../during.ts";
import { sample, startDesk, width } from "./desk.ts";
import type { NewKey } from "./gateway.ts";
import { last } from "./upstream.ts";
import { type Answer, type Body, startEdge } from "./workerd.ts";

/** What of the document is looked into. */
interface Operation {
  "x-scope"?: string;
  responses: Record<string, Described>;
}
interface Described {
  "x-codes": string[];
  content?: Record<string, { schema: Schema }>;
}
interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const document: Document = JSON.parse(
  await readFile(new URL("../../docs/reference/openapi.json", import.meta.url), "utf8"),
);
const EDITOR = "/api/v1/editor";

const desk = await during(startDesk({ play: (call) => call.cut() }));
const keys = await desk.edge.keys();

const filled = (path: string) => path.replaceAll(/\{[^}]*\}/g, "none");
const hasBody = (method: string) => method === "POST" || method === "PUT";
const ask = (method: string, path: string, scope: string) => {
  const token = scope === "admin" ? keys.admin_token : keys.user_token;
  return desk.edge.ask(method, filled(path), { token, body: hasBody(method) ? {} : undefined });
};
const operations = (): [string, string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method.toUpperCase(),
      path,
      operation,
    ]),
  );

test("every documented route asks for a key, and answers with a documented status and code", async () => {
  for (const [method, path, operation] of operations()) {
    const name = `${method} ${path}`;
    const scope = operation["x-scope"];
    if (scope === undefined) continue;
    const unknown = await desk.edge.ask(method, filled(path), {
      body: hasBody(method) ? {} : undefined,
    });
    assert.equal(unknown.status, 401, `${name} without a key`);
    const got = await ask(method, path, scope);
    assert.ok(operation.responses[got.status], `${name} answers ${got.status}: ${got.raw}`);
    if (got.status < 400) continue;
    const codes = operation.responses[got.status]["x-codes"];
    // Anthropic's shape has no member `code`: ours stands in the details.
    const { details, code = details?.error_code } = got.value.error;
    assert.ok(codes.includes(code), `${name} answers ${code}`);
  }
});

/** Methods of every documented path that a path fits: a fixed word may stand where another path has an id. */
const methodsOf = (path: string) =>
  Object.entries(document.paths)
    .filter(([template]) =>
      new RegExp(`^${template.replaceAll(/\{[^}]*\}/g, "[^/]+")}$`).test(filled(path)),
    )
    .flatMap(([, methods]) => Object.keys(methods));

test("other methods of a documented path are refused", async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const scope = Object.values(methods)[0]["x-scope"];
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
      if (methodsOf(path).includes(method.toLowerCase()) || scope === undefined) continue;
      const got = await ask(method, path, scope);
      assert.equal(got.status, 405, `${method} ${path}`);
    }
  }
});

/** Fails unless the value has the members that the answer's schema requires, and no others. */
function isDescribed<T>(method: string, path: string, got: Answer<T>): Body<T> {
  const operation = document.paths[`${EDITOR}${path}`][method.toLowerCase()];
  const name = `${method} ${path}`;
  const response = operation.responses[got.status];
  assert.ok(response?.content, `${name} answers ${got.status}: ${got.raw}`);
  const look = (described: Schema, value: unknown, at: string): void => {
    const schema = resolved(described);
    if (schema.properties && value !== null && typeof value === "object") {
      for (const member of schema.required ?? [])
        assert.ok(member in value, `${name}: ${at} has no ${member}`);
      for (const [member, inner] of Object.entries(value)) {
        const known = schema.properties[member];
        assert.ok(known, `${name}: ${at} has ${member}, which is not described`);
        look(known, inner, `${at}.${member}`);
      }
    }
    const { items } = schema;
    if (items && Array.isArray(value))
      for (const [index, item] of value.entries()) look(items, item, `${at}[${index}]`);
  };
  look(response.content["application/json"].schema, got.value, "the answer");
  return got.value;
}

function resolved({ $ref, ...schema }: Schema): Schema {
  return $ref ? resolved(document.components.schemas[last($ref.split("/"))]) : schema;
}

test("answers of the editor have the members of their schemas", async () => {
  const step = async (method: string, path: string, route: string, body?: object) =>
    isDescribed(method, route, await desk.ask(method, path, body));
  const made = await step("POST", "/tools", "/tools", { title: "Doors", sample: "door-report" });
  const id = made.tool_id;
  const of = (method: string, rest: string, route = rest, body?: object) =>
    step(method, `/tools/${id}${rest}`, `/tools/{tool_id}${route}`, body);
  await step("GET", "/tools", "/tools");
  const shared = { tool_id: id, active_file: "tool.py", virtual_files: sample, ops: [width(900)] };
  const seen = await step("POST", "/edit-ops/preview", "/edit-ops/preview", shared);
  const signed = desk.signed(made, shared.ops, seen);
  const applied = await step("POST", "/edit-ops/apply", "/edit-ops/apply", signed);
  assert.equal(applied.applied, true);
  await step("POST", "/edit-ops/apply", "/edit-ops/apply", signed);
  await step("POST", "/edit-ops/discard", "/edit-ops/discard", { tool_id: id });
  const undone = await of("POST", "/undo", "/undo", { base_revision_id: applied.revision_id });
  const redone = await of("POST", "/redo", "/redo", { base_revision_id: undone.revision_id });
  const saved = await of("PUT", "", "", {
    base_revision_id: redone.revision_id,
    virtual_files: { "tool.py": "x = 1\n" },
  });
  await of("POST", "/undo", "/undo", { base_revision_id: saved.revision_id });
  await of("POST", "/restore", "/restore", {
    base_revision_id: saved.revision_id,
    revision_id: made.revision_id,
  });
  await of("GET", "");
  await of("GET", "/revisions");
  await of("GET", `/revisions/${applied.revision_id}`, "/revisions/{revision_id}");
  await of("POST", "/checkpoints", "/checkpoints", { title: "Here" });
  await of("GET", "/checkpoints");
  await step("POST", "/edit-ops", "/edit-ops", { ...shared, message: "Wider." });
  await of("GET", "/chat");
  await of("POST", "/chat/cancel", "/chat/cancel", {});
  const cleared = await desk.ask("DELETE", `/tools/${id}/chat`);
  assert.deepEqual([cleared.status, cleared.raw], [204, ""]);
});

test("codes that follow from settings", async () => {
  const made = await desk.edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: { label: "old", user_id: "dev", expires_at: 1 },
  });
  assert.equal(made.status, 201, made.raw);
  const expired = await desk.edge.ask("GET", "/v1/models", { token: made.value.key });
  assert.deepEqual([expired.status, expired.value.error.code], [401, "KEY_EXPIRED"]);

  const off = await startDesk({ variables: { EDITOR_AI: "off" }, play: (call) => call.cut() });
  try {
    const tool = await off.create();
    const got = await off.edit(tool, "Wider.");
    assert.deepEqual([got.status, got.value.enabled, got.value.code], [200, false, "FEATURE_OFF"]);
  } finally {
    await off.stop();
  }

  const mixed = await startEdge({ variables: { ENVIRONMENT: "production", HOLDPOINT_DEV: "1" } });
  try {
    const got = await mixed.ask("GET", "/v1/models", { token: "dev" });
    assert.deepEqual([got.status, got.value.error.code], [503, "DEV_IN_PRODUCTION"]);
  } finally {
    await mixed.stop();
  }
});
