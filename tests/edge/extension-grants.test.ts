// Grants at the edge: a review compares with what was granted, and what is needed cannot be left out.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Diagnostic, Files, Review } from "@holdpoint/core/types";
import { during } from "../during.ts";
import { answers, doorCounter } from "./doors.ts";
import type { Extension } from "./gateway.ts";
import { startEdge } from "./workerd.ts";

const edge = await during(startEdge());
const keys = await edge.keys();

const ask = (method: string, path: string, body?: unknown) =>
  edge.ask<Extension>(method, `/api/v1/extensions${path}`, { token: keys.user_token, body });

const ALL = ["model.read", "viewer.select"];
/** Counts doors; `viewer.select` is declared and its code does without where it is not granted. */
const bundle = (id: string, version: string, expect: object = { type: "number" }) => ({
  ...doorCounter(id, version, { capabilities: ALL, tests: [answers(expect)] }),
  "src/count.js": `export default function (ctx) {
  const doors = ctx.bim.query.byType("IfcDoor");
  if (ctx.can("viewer.select")) ctx.bim.viewer.select(doors);
  return doors.length;
}
`,
});

const review = async (files: Files, base_hash: string | null, granted: string[]) => {
  const got = await ask("POST", "/review", { files, base_hash, granted });
  assert.equal(got.status, 200, got.raw);
  return got.value;
};
const install = (files: Files, seen: Review, granted: string[], more = {}) =>
  ask("POST", "", {
    files,
    origin: "authored",
    granted,
    base_hash: seen.base_hash,
    patch_id: seen.patch_id,
    result_hash: seen.result_hash,
    confirm_token: seen.confirm_token,
    ...more,
  });
const installed = async (files: Files, base_hash: string | null, granted: string[]) => {
  const got = await install(files, await review(files, base_hash, granted), granted);
  assert.equal(got.status, 201, got.raw);
  return got.value;
};

test("a right that was taken away is new again in the next version, and wants a look", async () => {
  const id = "grants.taken";
  const first = await installed(bundle(id, "0.1.0"), null, ["model.read"]);
  const files = bundle(id, "0.2.0");
  const seen = await review(files, first.content_hash, ALL);
  assert.deepEqual(seen.capabilities.added, ["viewer.select"]);
  assert.deepEqual([seen.confirmation, seen.reasons], ["click", ["capability_added"]]);
  const unseen = await install(files, seen, ALL, { confirm_token: null });
  assert.deepEqual(
    [unseen.status, unseen.value.error.code],
    [409, "CONFIRMATION_REQUIRED"],
    unseen.raw,
  );
  assert.deepEqual((await ask("GET", `/${id}`)).value.granted, ["model.read"]);
  assert.deepEqual((await install(files, seen, ALL)).value.granted, ALL);
});

test("grants that changed meanwhile make the signature stale", async () => {
  const id = "grants.moved";
  const first = await installed(bundle(id, "0.1.0"), null, ALL);
  const files = bundle(id, "0.2.0");
  const seen = await review(files, first.content_hash, ALL);
  assert.equal(seen.confirmation, "none");
  // The same files with another grant: the base's content stays.
  await installed(bundle(id, "0.1.0"), first.content_hash, ["model.read"]);
  const stale = await install(files, seen, ALL);
  assert.deepEqual([stale.status, stale.value.error.code], [409, "CONFLICT"], stale.raw);
  assert.equal(stale.value.error.details.reason, "grants_changed");
  const fresh = stale.value.error.details.review;
  assert.equal(fresh.base_hash, seen.base_hash);
  assert.deepEqual(fresh.capabilities.added, ["viewer.select"]);
  const forged = await install(files, fresh, ALL, { patch_id: "sha256:0" });
  assert.equal(forged.value.error.details.reason, "patch_changed");
});

test("a grant that the code needs cannot be left out; an optional one is another patch", async () => {
  const files = bundle("grants.needed", "0.1.0");
  const seen = await review(files, null, ["viewer.select"]);
  const told = (findings: Diagnostic[]) =>
    findings.map(({ code, path, range, message }) => [code, path, range?.start.line, message]);
  const needed = [
    "CAPABILITY_REQUIRED",
    "src/count.js",
    2,
    "Grant `model.read`: `bim.query.byType` needs it.",
  ];
  assert.deepEqual(told(seen.diagnostics), [needed]);
  const got = await install(files, seen, ["viewer.select"]);
  assert.deepEqual([got.status, got.value.error.code], [422, "CAPABILITY_REQUIRED"], got.raw);
  assert.deepEqual(told(got.value.error.details.diagnostics), [needed]);
  assert.equal((await ask("GET", "/grants.needed")).status, 404, "nothing was stored");

  const [all, less] = [await review(files, null, ALL), await review(files, null, ["model.read"])];
  assert.deepEqual(less.diagnostics, []);
  assert.notEqual(less.patch_id, all.patch_id);
  const other = await install(files, all, ["model.read"]);
  assert.deepEqual(
    [other.status, other.value.error.details.reason],
    [409, "patch_changed"],
    "what was signed is what is granted",
  );
  assert.deepEqual((await install(files, less, ["model.read"])).value.granted, ["model.read"]);
});

test("a grant whose effect a test expects cannot be left out, whatever the code does without it", async () => {
  const files = bundle("grants.tested", "0.1.0", { viewer: { some: { op: "select" } } });
  const seen = await review(files, null, ["model.read"]);
  const got = await install(files, seen, ["model.read"]);
  assert.deepEqual([got.status, got.value.error.code], [422, "CAPABILITY_REQUIRED"], got.raw);
});
