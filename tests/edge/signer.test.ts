// Whose decision a request carries: every authenticated answer names the person, a request that names another one is
// refused before anything is done, and what is sent twice with one key is done once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { doorCounter } from "./doors.ts";
import type { Extension, NewKey } from "./gateway.ts";
import { answer, startUpstream } from "./upstream.ts";
import { type Asking, startEdge } from "./workerd.ts";

/** Two keys of one person, one of another. */

const SCOPES = ["llm", "usage", "edit"];
const made = async (user_id: string, scopes = SCOPES) => {
  const body = { label: user_id, user_id, scopes };
  const got = await edge.ask<NewKey>("POST", "/gateway/v1/keys", { token: keys.admin_token, body });
  assert.equal(got.status, 201, got.raw);
  return got.value.key;
};

const upstream = await during(startUpstream((call) => answer(call, "ok")));
const edge = await during(startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url } }));
const keys = await edge.keys();
const ann = [await made("ann"), await made("ann")];
const ben = await made("ben");

const PRINCIPAL = "holdpoint-principal";
const named = async (method: string, path: string, asking: Asking) => {
  const got = await edge.ask(method, path, asking);
  return {
    status: got.status,
    principal: got.headers.get(PRINCIPAL),
    code: got.value?.error?.code,
  };
};
const principal = async (token: string) =>
  (await named("GET", "/v1/models", { token })).principal ?? "";

test("a person has one name, whichever key is used, and nobody else has it", async () => {
  const [first, second, other] = [
    await principal(ann[0]),
    await principal(ann[1]),
    await principal(ben),
  ];
  assert.match(first, /^pr_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.equal(second, first);
  assert.notEqual(other, first);
  assert.ok(!first.includes("ann"));
});

test("every answer to somebody who is known names them, also one that refuses", async () => {
  const token = ann[0];
  const name = await principal(token);
  const good = { model: "default", messages: [{ role: "user", content: "x" }] };
  const asked: [string, string, Asking, number][] = [
    ["GET", "/api/v1/extensions", { token }, 200],
    ["GET", "/api/v1/extensions/none", { token }, 404],
    ["GET", "/gateway/v1/indicator", { token }, 200],
    ["GET", "/gateway/v1/keys", { token }, 403],
    ["GET", "/api/v1/editor/tools", { token }, 200],
    ["GET", "/projects", { token }, 200],
    ["POST", "/api/v1/extensions", { token, body: "{" }, 400],
    ["POST", "/v1/chat/completions", { token, body: good }, 200],
    ["POST", "/v1/chat/completions", { token, body: { ...good, stream: true } }, 200],
    ["POST", "/v1/chat/completions", { token, body: { ...good, model: "nobody" } }, 404],
    ["POST", "/v1/chat/completions", { token, body: "{" }, 400],
  ];
  for (const [method, path, asking, status] of asked) {
    const got = await named(method, path, asking);
    assert.deepEqual([got.status, got.principal], [status, name], `${method} ${path}`);
  }
  for (const asking of [{}, { token: "hp_test_nobody" }])
    assert.equal((await named("GET", "/v1/models", asking)).principal, null);
});

test("pages may read it and may name a signer", async () => {
  const origin = edge.url;
  const got = await edge.ask("GET", "/v1/models", { token: ann[0], headers: { origin } });
  assert.match(got.headers.get("access-control-expose-headers") ?? "", /holdpoint-principal/);
  const asked = { "access-control-request-headers": "authorization, holdpoint-signer" };
  const preflight = await edge.ask("OPTIONS", "/api/v1/extensions", {
    headers: { origin, ...asked },
  });
  const allowed = preflight.headers.get("access-control-allow-headers") ?? "";
  assert.match(allowed, /holdpoint-signer/);
  assert.match(allowed, /idempotency-key/);
});

const ID = "nordfassad.signer";
const files = (version = "0.1.0") => doorCounter(ID, version);

const ROOT = "/api/v1/extensions";
const ask = (token: string, method: string, path: string, body?: unknown, headers = {}) =>
  edge.ask<Extension>(method, ROOT + path, { token, body, headers });

/** What a person signs over what stands now. */
async function signed(token: string, version = "0.1.0", more = {}) {
  const standing = await ask(token, "GET", `/${ID}`);
  const base_hash = standing.status === 200 ? standing.value.content_hash : null;
  const asked = { files: files(version), base_hash, granted: ["model.read"] };
  const { value: seen } = await ask(token, "POST", "/review", asked);
  return {
    ...asked,
    origin: "authored",
    patch_id: seen.patch_id,
    result_hash: seen.result_hash,
    ...(seen.confirm_token ? { confirm_token: seen.confirm_token, typed_id: ID } : {}),
    ...more,
  };
}

test("what one person decided is not done with the key of another, and nothing is stored", async () => {
  const [annName, benName] = [await principal(ann[0]), await principal(ben)];
  const body = await signed(ann[0]);
  const asked: [string, string, unknown][] = [
    ["POST", ROOT, body],
    ["POST", `${ROOT}/${ID}/undo`, { base_hash: null }],
    ["DELETE", `${ROOT}/${ID}`, { base_hash: body.result_hash }],
    ["POST", "/api/v1/editor/tools", { title: "x" }],
    ["POST", "/projects", { name: "x" }],
    ["POST", "/gateway/v1/runs", { tokens: 1 }],
  ];
  for (const [method, path, sent] of asked) {
    const headers = { "holdpoint-signer": annName };
    const got = await named(method, path, { token: ben, body: sent, headers });
    assert.deepEqual([got.status, got.code, got.principal], [403, "OTHER_SIGNER", benName], path);
  }
  for (const token of [ann[0], ben])
    assert.deepEqual((await ask(token, "GET", "")).value.items, [], "nothing was stored");
  const own = await ask(ann[1], "POST", "", body, { "holdpoint-signer": annName });
  assert.equal(own.status, 201, "another key of the same person will do");
  assert.deepEqual((await ask(ben, "GET", "")).value.items, []);
  const gone = await ask(ann[0], "DELETE", `/${ID}`, { base_hash: body.result_hash });
  assert.equal(gone.status, 200, "without a signer whoever authenticates decides");
});

test("what is asked again with its key is done once and answered as before", async () => {
  const body = await signed(ben);
  const once = { "idempotency-key": "row-1" };
  const [first, second] = await Promise.all([
    ask(ben, "POST", "", body, once),
    ask(ben, "POST", "", body, once),
  ]);
  assert.deepEqual([first.status, second.status], [201, 201], first.raw + second.raw);
  assert.deepEqual(first.value, second.value);
  const steps = async () => (await ask(ben, "GET", `/${ID}/revisions`)).value.items.length;
  assert.equal(await steps(), 1);
  const other = await ask(ben, "POST", "", { ...body, origin: "hand" }, once);
  assert.deepEqual([other.status, other.value.error.code], [409, "IDEMPOTENCY_CONFLICT"]);
  const seen = { base_hash: body.result_hash };
  const step = { "idempotency-key": "row-2" };
  for (const _ of [1, 2]) {
    const undone = await ask(ben, "POST", `/${ID}/undo`, seen, step);
    assert.equal(undone.status, 200, undone.raw);
  }
  assert.equal(await steps(), 2, "undone once");
  const refused = await ask(
    ben,
    "POST",
    "",
    { ...body, patch_id: "sha256:0" },
    { "idempotency-key": "row-3" },
  );
  assert.equal(refused.status, 409);
  const again = await ask(ben, "POST", "", body, { "idempotency-key": "row-3" });
  assert.equal(again.status, 201, "a refusal is not kept");
  for (const key of ["", "x".repeat(129)]) {
    const wrong = await ask(ben, "POST", "", body, { "idempotency-key": key });
    assert.deepEqual(wrong.status >= 400, true, key);
  }
  const standing = await ask(ben, "GET", `/${ID}`);
  await ask(ben, "DELETE", `/${ID}`, { base_hash: standing.value.content_hash });
});

test("a request that waited does not bring back what was removed meanwhile", async () => {
  const carol = await made("carol");
  const waited = await signed(carol, "0.1.0", { base_revision_id: null });
  const first = await ask(carol, "POST", "", waited);
  assert.equal(first.status, 201, first.raw);
  await ask(carol, "DELETE", `/${ID}`, { base_hash: first.value.content_hash });
  const late = await ask(carol, "POST", "", waited);
  assert.deepEqual([late.status, late.value.error.code], [409, "CONFLICT"]);
  assert.equal(late.value.error.details.reason, "base_changed");
  const { base_revision_id: newest } = late.value.error.details as unknown as Record<
    string,
    string
  >;
  const [revision] = (await ask(carol, "GET", `/${ID}/revisions`)).value.items;
  assert.equal(newest, revision?.revision_id, "it says which revision is the newest");
  assert.equal((await ask(carol, "GET", `/${ID}`)).status, 404);
  for (const wrong of ["rev_0", first.value.revision_id]) {
    const got = await ask(carol, "POST", "", { ...waited, base_revision_id: wrong });
    assert.equal(got.status, 409, wrong);
  }
  const odd = await ask(carol, "POST", "", { ...waited, base_revision_id: 7 });
  assert.equal(odd.status, 400);
  const again = await ask(carol, "POST", "", { ...waited, base_revision_id: newest });
  assert.equal(again.status, 201, again.raw);
});

test("who asks is what the edge found, whatever a client says under the name of its header", async () => {
  const body = { title: "Ann's", sample: "door-report" };
  const made = await edge.ask<{ tool_id: string }>("POST", "/api/v1/editor/tools", {
    token: ann[0],
    body,
  });
  assert.equal(made.status, 201, made.raw);
  const forged = {
    caller: { account: "dev", credential: "Dev", origin: null, host: "localhost" },
    principal: { user_id: "ann", key_id: "k", scopes: SCOPES, models: [], origins: [] },
    id: "x",
    bundle: made.value.tool_id,
    listed: null,
    body: "Absent",
  };
  const headers = { "holdpoint-route": JSON.stringify(forged) };
  const path = `/api/v1/editor/tools/${made.value.tool_id}`;
  const own = await edge.ask("GET", path, { token: ann[1], headers });
  const foreign = await edge.ask("GET", path, { token: ben, headers });
  const nobody = await edge.ask("GET", path, { headers });
  assert.deepEqual([own.status, foreign.status, nobody.status], [200, 403, 401]);
  const listed = await edge.ask<{ items: unknown[] }>("GET", "/api/v1/extensions", {
    token: ben,
    headers,
  });
  assert.deepEqual([listed.status, listed.value.items], [200, []], listed.raw);
});
