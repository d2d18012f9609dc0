// The OpenAPI document says what the edge does: its routes, their scopes, statuses and codes, the members of answers.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { sample, startDesk, width } from "./desk.mjs";
import { startEdge } from "./workerd.mjs";

const document = JSON.parse(
  await readFile(new URL("../../docs/reference/openapi.json", import.meta.url), "utf8"),
);
const EDITOR = "/api/v1/editor";

let desk, keys;

before(async () => {
  desk = await startDesk({ play: (call) => call.cut() });
  keys = await desk.edge.keys();
});
after(() => desk?.stop());

const filled = (path) => path.replaceAll(/\{[^}]*\}/g, "none");
const hasBody = (method) => method === "POST" || method === "PUT";
const ask = (method, path, scope) => {
  const token = scope === "admin" ? keys.admin_token : keys.user_token;
  return desk.edge.ask(method, filled(path), { token, body: hasBody(method) ? {} : undefined });
};
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation]),
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
    assert.ok(codes.includes(got.value.error.code), `${name} answers ${got.value.error.code}`);
  }
});

/** Methods of every documented path that a path fits: a fixed word may stand where another path has an id. */
const methodsOf = (path) =>
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
const isDescribed = (method, path, got) => {
  const operation = document.paths[`${EDITOR}${path}`][method.toLowerCase()];
  const name = `${method} ${path}`;
  const response = operation.responses[got.status];
  assert.ok(response?.content, `${name} answers ${got.status}: ${got.raw}`);
  const look = (schema, value, at) => {
    while (schema.$ref) schema = document.components.schemas[schema.$ref.split("/").at(-1)];
    if (schema.properties && value !== null && typeof value === "object") {
      for (const member of schema.required ?? [])
        assert.ok(member in value, `${name}: ${at} has no ${member}`);
      for (const [member, inner] of Object.entries(value)) {
        assert.ok(
          schema.properties[member],
          `${name}: ${at} has ${member}, which is not described`,
        );
        look(schema.properties[member], inner, `${at}.${member}`);
      }
    }
    if (schema.items && Array.isArray(value))
      value.forEach((item, index) => look(schema.items, item, `${at}[${index}]`));
  };
  look(response.content["application/json"].schema, got.value, "the answer");
  return got.value;
};

test("answers of the editor have the members of their schemas", async () => {
  const step = async (method, path, route, body) =>
    isDescribed(method, route, await desk.ask(method, path, body));
  const made = await step("POST", "/tools", "/tools", { title: "Doors", sample: "door-report" });
  const id = made.tool_id;
  const of = (method, rest, route = rest, body = undefined) =>
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
  const made = await desk.edge.ask("POST", "/gateway/v1/keys", {
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
