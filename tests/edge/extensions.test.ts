// Extensions at the edge: reviewed again, checked again, stored once, undone as often as wanted.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Files, Review } from "@holdpoint/core/types";
import { during } from "../during.ts";
import { doorCounter } from "./doors.ts";
import type { Extension, NewKey } from "./gateway.ts";
import { startEdge } from "./workerd.ts";

const edge = await during(startEdge());
const keys = await edge.keys();

const ask = (method: string, path: string, body?: unknown) =>
  edge.ask<Extension>(method, `/api/v1/extensions${path}`, { token: keys.user_token, body });

const ID = "nordfassad.doorcount";
const bundle = (version: string, more?: object) => doorCounter(ID, version, more);
const review = async (files: Files, base_hash: string | null) => {
  const got = await ask("POST", "/review", { files, base_hash, granted: ["model.read"] });
  assert.equal(got.status, 200, got.raw);
  return got.value;
};
const signed = (files: Files, seen: Partial<Review>, more = {}) => ({
  files,
  origin: "authored",
  granted: ["model.read"],
  base_hash: seen.base_hash,
  patch_id: seen.patch_id,
  result_hash: seen.result_hash,
  confirm_token: seen.confirm_token,
  typed_id: ID,
  ...more,
});

test("reviewed, signed, installed", async () => {
  const files = bundle("0.1.0");
  const seen = await review(files, null);
  assert.equal(seen.base_hash, null);
  assert.deepEqual((await ask("GET", "")).value.items, [], "a review stores nothing");
  const made = await ask("POST", "", signed(files, seen));
  assert.equal(made.status, 201, made.raw);
  assert.equal(made.value.content_hash, seen.result_hash);
  const shown = (await ask("GET", `/${ID}`)).value;
  assert.deepEqual(
    [shown.version, shown.enabled, shown.granted, shown.files],
    ["0.1.0", true, ["model.read"], files],
  );
  const [revision] = (await ask("GET", `/${ID}/revisions`)).value.items;
  assert.deepEqual(
    [revision.cause, revision.who, revision.content_hash],
    ["install", "user:dev", seen.result_hash],
  );
  assert.deepEqual(
    (await ask("GET", `/${ID}/revisions/${revision.revision_id}`)).value.files,
    files,
  );
});

test("what moved, changed or was not confirmed answers 409 with a fresh review and changes nothing", async () => {
  const before = (await ask("GET", `/${ID}`)).value;
  const files = bundle("0.2.0");
  const stale = await ask(
    "POST",
    "",
    signed(files, await review(files, null), { base_hash: null }),
  );
  assert.deepEqual([stale.status, stale.value.error.code], [409, "CONFLICT"]);
  assert.equal(stale.value.error.details.reason, "base_changed");
  const fresh = stale.value.error.details.review;
  assert.equal(fresh.base_hash, before.content_hash);
  for (const wrong of [{ patch_id: "sha256:0" }, { result_hash: "sha256:0" }]) {
    const got = await ask("POST", "", signed(files, fresh, wrong));
    assert.deepEqual([got.status, got.value.error.code], [409, "CONFLICT"]);
    assert.equal(got.value.error.details.review.patch_id, fresh.patch_id);
  }
  const more = bundle("0.2.0", { capabilities: ["model.read", "viewer.colorize"] });
  const granted = ["model.read", "viewer.colorize"];
  const asked = { files: more, base_hash: before.content_hash, granted };
  const seen = (await ask("POST", "/review", asked)).value;
  assert.equal(seen.confirmation, "click");
  for (const confirm_token of [undefined, "sha256:0"]) {
    const got = await ask("POST", "", signed(more, seen, { granted, confirm_token }));
    assert.deepEqual([got.status, got.value.error.code], [409, "CONFIRMATION_REQUIRED"], got.raw);
    assert.equal(got.value.error.details.review.confirm_token, seen.confirm_token);
  }
  assert.deepEqual((await ask("GET", `/${ID}`)).value, before);
});

test("a bundle that does not hold answers 422 with the same diagnostics as everywhere", async () => {
  const broken = {
    ...bundle("0.2.0"),
    "src/count.js": "export default () => eval('1')\n",
  };
  const cases: [Files, string][] = [
    [{ ...bundle("0.2.0"), "manifest.json": "{" }, "INVALID_JSON"],
    [{ ...bundle("0.2.0"), "../evil.js": "1" }, "PATH_TRAVERSAL"],
    [{ ...bundle("0.2.0"), "src/big.js": "x".repeat(10 << 20) }, "LIMIT_FILE_BYTES"],
    [broken, "CODE_"],
  ];
  for (const [files, code] of cases) {
    const got = await ask(
      "POST",
      "",
      signed(files, { base_hash: null, patch_id: "x", result_hash: "x" }),
    );
    assert.deepEqual([got.status, got.value.error.code], [422, "BUNDLE_INVALID"], code);
    const codes = got.value.error.details.diagnostics.map((finding) => finding.code);
    assert.ok(
      codes.some((found) => found.startsWith(code)),
      `${code}: ${codes}`,
    );
  }
});

test("a script that was promoted has no tests, and needs none; a bundle that was written does", async () => {
  const id = "local.tools.doors";
  const files = bundle("0.1.0", { id, tests: [] });
  const seen = await review(files, null);
  const refused = await ask("POST", "", signed(files, seen));
  assert.deepEqual([refused.status, refused.value.error.code], [422, "BUNDLE_INVALID"]);
  const codes = refused.value.error.details.diagnostics.map((finding) => finding.code);
  assert.deepEqual(codes, ["TEST_MISSING"]);
  const made = await ask("POST", "", signed(files, seen, { origin: "promoted" }));
  assert.deepEqual([made.status, made.value.origin], [201, "promoted"], made.raw);
  assert.equal((await ask("GET", `/${id}`)).value.enabled, true);
  const gone = { base_hash: made.value.content_hash };
  assert.equal((await ask("DELETE", `/${id}`, gone)).status, 200);
});

test("grants are not wider than what is declared", async () => {
  const files = bundle("0.2.0");
  const now = (await ask("GET", `/${ID}`)).value.content_hash;
  const seen = (
    await ask("POST", "/review", { files, base_hash: now, granted: ["model.read", "viewer.read"] })
  ).value;
  const got = await ask(
    "POST",
    "",
    signed(files, seen, { granted: ["model.read", "viewer.read"] }),
  );
  assert.equal(got.status, 400, got.raw);
});

test("undo, redo, switch, remove: each names what its user saw", async () => {
  const first = (await ask("GET", `/${ID}`)).value.content_hash;
  const files = bundle("0.2.0");
  const second = (await ask("POST", "", signed(files, await review(files, first)))).value
    .content_hash;
  assert.equal(
    (await ask("POST", `/${ID}/undo`, { base_hash: first })).value.error.code,
    "CONFLICT",
  );
  assert.equal((await ask("POST", `/${ID}/undo`, { base_hash: second })).value.version, "0.1.0");
  assert.equal((await ask("POST", `/${ID}/redo`, { base_hash: first })).value.version, "0.2.0");
  const off = await ask("POST", `/${ID}/disable`, { base_hash: second, reason: "MEMORY" });
  assert.deepEqual([off.value.enabled, off.value.reason], [false, "MEMORY"]);
  assert.equal((await ask("POST", `/${ID}/enable`, { base_hash: second })).value.enabled, true);
  assert.equal((await ask("DELETE", `/${ID}`, { base_hash: first })).status, 409);
  assert.equal((await ask("DELETE", `/${ID}`, { base_hash: second })).status, 200);
  assert.equal((await ask("GET", `/${ID}`)).status, 404);
  assert.equal((await ask("POST", `/${ID}/undo`, { base_hash: null })).value.version, "0.2.0");
  const causes = (await ask("GET", `/${ID}/revisions`)).value.items.map(
    (revision) => revision.cause,
  );
  assert.deepEqual(causes, ["undo", "remove", "redo", "undo", "install", "install"]);
});

test("extensions belong to their user, and survive a restart", async () => {
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: { label: "other", user_id: "other", scopes: ["edit"] },
  });
  const other = await edge.ask<Extension>("GET", "/api/v1/extensions", { token: made.value.key });
  assert.deepEqual([other.status, other.value.items], [200, []]);
  const before = (await ask("GET", `/${ID}`)).value;
  await edge.kill();
  await edge.start();
  assert.deepEqual((await ask("GET", `/${ID}`)).value, before);
});
