// Whose body is read, how much of it, and how much is built of it. Most bodies here never end: whoever waits for the
// end of one never answers.
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { during } from "../during.ts";
import type { NewKey } from "./gateway.ts";
import { type Answer, startEdge } from "./workerd.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const NODES = 500;
const MIB = 1 << 20;
/** An answer that has not come by then never comes. */
const PATIENCE_MS = 15_000;

/** Method, path, scope, most bytes of every kind of body. */
const routes: [string, string, string, number][] = [
  ["POST", "/v1/chat/completions", "llm", 5_000],
  ["POST", "/gateway/v1/keys", "admin", 64 << 10],
  ["PUT", "/gateway/v1/budgets/one", "admin", 64 << 10],
  ["POST", "/gateway/v1/quote", "llm", 64 << 10],
  ["POST", "/gateway/v1/runs", "llm", 64 << 10],
  ["POST", "/api/v1/extensions", "edit", 32 * MIB],
  ["POST", "/api/v1/extensions/review", "edit", 32 * MIB],
  ["POST", "/api/v1/extensions/one/undo", "edit", 32 * MIB],
  ["DELETE", "/api/v1/extensions/one", "edit", 32 * MIB],
  ["POST", "/api/v1/editor/tools", "edit", 16 * MIB],
  ["POST", "/api/v1/editor/edit-ops/preview", "edit", 16 * MIB],
];

const edge = await during(
  startEdge({
    variables: { MAX_BODY_BYTES: "5000", MAX_JSON_NODES: String(NODES) },
  }),
);
const keys = await edge.keys();

const tokenOf = (scope: string) => (scope === "admin" ? keys.admin_token : keys.user_token);
const code = (got: Pick<Answer, "status" | "value">) => [got.status, got.value.error?.code];

/** Sends the beginning of a body without its length, and nothing more; answers what is answered to that. */
function begun(method: string, path: string, token: string | undefined, body: string) {
  return new Promise<Pick<Answer, "status" | "value" | "raw">>((resolve, reject) => {
    const headers: Record<string, string> = {
      "content-type": "application/json",
      "transfer-encoding": "chunked",
    };
    if (token) headers.authorization = `Bearer ${token}`;
    const sent = request(edge.url + path, { method, headers });
    const late = setTimeout(
      () => end(reject, new Error(`no answer: ${method} ${path}`)),
      PATIENCE_MS,
    );
    const end = <T>(settle: (value: T) => void, value: T) => {
      clearTimeout(late);
      sent.destroy();
      settle(value);
    };
    sent.on("error", (error) => end(reject, error));
    sent.on("response", async (answer) => {
      let raw = "";
      for await (const bytes of answer) raw += bytes;
      end(resolve, { status: answer.statusCode ?? 0, value: JSON.parse(raw), raw });
    });
    sent.write(body);
  });
}

/** The same key with another secret and a checksum that fits. */
function forged(key: string) {
  const lead = key.slice(0, -7) + (key.at(-7) === "0" ? "1" : "0");
  let number = crc32(lead);
  let sum = "";
  for (let place = 0; place < 6; place++) {
    sum = BASE62[number % 62] + sum;
    number = Math.floor(number / 62);
  }
  return lead + sum;
}

/** For every route at once: a body that does not end is waited for, for a moment. */
const each = <Row extends unknown[]>(
  rows: Row[],
  look: (...row: Row) => Promise<unknown>,
): Promise<unknown> => Promise.all(rows.map((row) => look(...row)));

test("a forged key is refused before its body has come", async () => {
  await each(routes, async (method, path, scope, _most) => {
    const got = await begun(method, path, forged(tokenOf(scope)), '{"a":[0,0');
    assert.deepEqual(code(got), [401, "AUTH_INVALID_TOKEN"], `${method} ${path}: ${got.raw}`);
  });
});

test("a key of another scope is refused before its body has come", async () => {
  await each(routes, async (method, path, scope, _most) => {
    const other = scope === "admin" ? keys.user_token : keys.admin_token;
    const got = await begun(method, path, other, '{"a":[0,0');
    assert.deepEqual(code(got), [403, "SCOPE_DENIED"], `${method} ${path}: ${got.raw}`);
  });
});

test("a path that is not there says so before anybody is asked for", async () => {
  const nowhere: [string, string, number][] = [
    ["POST", "/v1/responses", 404],
    ["PUT", "/v1/chat/completions", 405],
    ["POST", "/gateway/v1/nothing", 404],
    ["PUT", "/gateway/v1/keys", 405],
    ["POST", "/api/v1/extensions/one/nothing", 404],
    ["PUT", "/api/v1/extensions", 405],
    ["POST", "/api/v1/editor/nothing", 404],
    ["PUT", "/api/v1/editor/edit-ops", 405],
  ];
  await each(nowhere, async (method, path, status) => {
    const got = await begun(method, path, undefined, "{");
    assert.equal(got.status, status, `${method} ${path}: ${got.raw}`);
  });
});

test("reading ends at the limit, also where no length is told", async () => {
  const firsts = routes.filter(
    ([, , , most], at) => routes.findIndex((route) => route[3] === most) === at,
  );
  assert.equal(firsts.length, 4, "one of each family");
  for (const [method, path, scope, most] of firsts) {
    const got = await begun(method, path, tokenOf(scope), " ".repeat(most + 1));
    const editor = path.startsWith("/api/v1/editor");
    assert.deepEqual(
      code(got),
      [413, editor ? "INPUT_TOO_LARGE" : "REQUEST_TOO_LARGE"],
      `${method} ${path}: ${got.raw}`,
    );
    const { details } = got.value.error;
    if (editor) {
      assert.deepEqual([details.limit, details.max], ["MAX_BODY_BYTES", most]);
      assert.ok(details.actual > most);
    } else {
      assert.deepEqual([details.what, details.limit], ["bytes", most]);
      assert.ok(details.size > most);
    }
  }
});

test("who sends too much, or may not send, hears so and is not cut off", async () => {
  for (const [method, path, scope, most] of routes) {
    const body = " ".repeat(most + MIB);
    const large = await edge.ask(method, path, { token: tokenOf(scope), body });
    assert.equal(large.status, 413, `${method} ${path}: ${large.raw}`);
    const unknown = await edge.ask(method, path, { token: forged(tokenOf(scope)), body });
    assert.deepEqual(code(unknown), [401, "AUTH_INVALID_TOKEN"], `${method} ${path}`);
  }
});

test("nodes are counted before a value is built", async () => {
  // An object, two names, a text, a list: five.
  const many = `{"tool_id":"","a":[${"0,".repeat(NODES - 6)}0]}`;
  for (const [method, path, scope] of routes) {
    const token = tokenOf(scope);
    const got = await edge.ask(method, path, { token, body: many.replace("[0", "[0,0") });
    if (path.startsWith("/api/v1/editor")) {
      assert.deepEqual(code(got), [413, "INPUT_TOO_LARGE"], `${method} ${path}: ${got.raw}`);
      assert.deepEqual(got.value.error.details, {
        limit: "MAX_JSON_NODES",
        max: NODES,
        actual: NODES + 1,
      });
    } else {
      assert.deepEqual(code(got), [413, "REQUEST_TOO_LARGE"], `${method} ${path}: ${got.raw}`);
      assert.deepEqual(got.value.error.details, { what: "nodes", size: NODES + 1, limit: NODES });
    }
    const fits = await edge.ask(method, path, { token, body: many });
    assert.notEqual(fits.status, 413, `${method} ${path}: ${fits.raw}`);
  }
});

test("a key that was revoked does nothing more, though its account said yes a moment ago", async () => {
  const make = { label: "soon gone", user_id: "ann", scopes: ["llm", "usage", "edit", "admin"] };
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: make,
  });
  const { key: token, id } = made.value;
  const good = { model: "default", messages: [{ role: "user", content: "x" }] };
  const asks: [string, string, object?][] = [
    ["GET", "/v1/models"],
    ["POST", "/v1/chat/completions", good],
    ["GET", "/gateway/v1/indicator"],
    ["POST", "/gateway/v1/runs", { tokens: 1 }],
    ["POST", "/gateway/v1/requests/none/cancel"],
    ["GET", "/api/v1/extensions"],
    ["POST", "/api/v1/extensions/one/undo", { base_hash: null }],
    ["POST", "/api/v1/editor/tools", { title: "x" }],
    ["GET", "/api/v1/editor/tools"],
  ];
  for (const [method, path, body] of asks) {
    const got = await edge.ask(method, path, { token, body });
    assert.notEqual(got.status, 401, `${method} ${path}: ${got.raw}`);
  }
  await edge.ask("POST", `/gateway/v1/keys/${id}/revoke`, { token: keys.admin_token });
  for (const [method, path, body] of asks) {
    const got = await edge.ask(method, path, { token, body });
    assert.deepEqual(code(got), [401, "KEY_REVOKED"], `${method} ${path}: ${got.raw}`);
  }
});
