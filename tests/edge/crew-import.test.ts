// Packages as files at the edge: what comes in, what goes out, what is refused (crew-package.md §7 "Import", "Export").
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { type Imported, type Listed, type ProjectItem, zipped } from "@holdpoint/core/crew";
import { type Person, startCrew, type Told } from "./crew.ts";
import "../crew-engine.ts";
import { during } from "../during.ts";

const { ada, bob } = await during(startCrew());

const IMPORT = "/packages/import";

interface Form {
  file?: Blob | undefined;
  name?: string;
  filename?: string;
  key?: string;
  headers?: Record<string, string>;
}

/** Sends a form as a browser does. */
async function send(
  person: Person,
  { file, name, filename = "package.bmad", key, headers = {} }: Form,
): Promise<Told<Imported>> {
  const body = new FormData();
  if (file) body.set("file", file, filename);
  if (name !== undefined) body.set("custom_name", name);
  const sent: Record<string, string> = { authorization: `Bearer ${person.token}`, ...headers };
  if (key !== undefined) sent["idempotency-key"] = key;
  const got = await fetch(person.edge.url + IMPORT, { method: "POST", headers: sent, body });
  const raw = await got.text();
  const { data, error } = JSON.parse(raw) as Told<Imported>;
  return { status: got.status, headers: got.headers, raw, data, error };
}

/** The archive of a project. */
async function exported(
  person: Person,
  project: string,
): Promise<{ bytes: Buffer<ArrayBuffer>; headers: Headers }> {
  const headers = { authorization: `Bearer ${person.token}` };
  const got = await fetch(`${person.edge.url}/projects/${project}/export`, { headers });
  assert.equal(got.status, 200);
  return { bytes: Buffer.from(await got.arrayBuffer()), headers: got.headers };
}

const codes = (found: { code: string }[]) => found.map(({ code }) => code);

test("what goes out comes in again, byte for byte", async () => {
  const project = await ada.furnished("Åland: a/b");
  const asset = { path: "assets/a.md", content: "# Ärende\r\n" };
  await ada.good("POST", `/projects/${project}/assets`, { body: asset });
  const { bytes, headers } = await exported(ada, project);
  assert.equal(headers.get("content-type"), "application/zip");
  assert.equal(
    headers.get("content-disposition"),
    `attachment; filename="_land- a-b.bmad"; filename*=UTF-8''%C3%85land-%20a-b.bmad`,
  );
  assert.ok(headers.get("x-request-id"));
  const got = await send(bob, { file: new Blob([bytes]) });
  assert.equal(got.status, 201, got.raw);
  const { project_id, ...rest } = got.data;
  assert.deepEqual(rest, {
    project_name: "Åland: a/b",
    workflows_count: 2,
    agents_count: 1,
    warnings: [],
  });
  const [old, fresh] = [await ada.bundle(project), await bob.bundle(project_id)];
  assert.deepEqual(fresh.files, old.files);
  assert.deepEqual(fresh.revisions, {
    workflows: { 1: 1, 2: 1 },
    agentsRevision: 1,
    assetsRevision: 1,
  });
  const shown = await bob.show(project_id);
  assert.deepEqual(
    [shown.name, shown.canUndo, shown.workflows.map(({ name }) => name)],
    ["Åland: a/b", false, ["First", "Second"]],
  );
  assert.deepEqual((await exported(bob, project_id)).bytes, bytes);
  const [first] = (await bob.good("GET", `/projects/${project_id}/revisions`)).items;
  assert.equal(first.cause, "import");
});

test("a name that is taken is not taken twice", async () => {
  const project = await ada.furnished("Twin");
  const file = new Blob([(await exported(ada, project)).bytes]);
  const check = (name: string) => ada.good("GET", `${IMPORT}/check-name?name=${name}`);
  assert.deepEqual(await check("Twin"), { available: false, suggested_name: "Twin-imported" });
  assert.deepEqual(await check("Free"), { available: true, suggested_name: "Free" });
  const taken = await send(ada, { file });
  assert.deepEqual([taken.status, taken.error.code], [409, "PKG_NAME_CONFLICT"]);
  const { conflicting_name, suggested_name } = taken.error.details;
  assert.deepEqual([conflicting_name, suggested_name], ["Twin", "Twin-imported"]);
  const named = await send(ada, { file, name: " Twin-imported " });
  assert.deepEqual([named.status, named.data.project_name], [201, "Twin-imported"]);
  const { files } = await ada.bundle(named.data.project_id);
  assert.match(files["bmad.json"], /"name": "Twin-imported"/);
  assert.equal((await check("Twin")).suggested_name, "Twin-imported-2");
  assert.equal((await send(bob, { file })).status, 201, "names are their user's");
  for (const query of ["", "?name=", `?name=${"x".repeat(201)}`]) {
    const wrong = await ada.ask("GET", `${IMPORT}/check-name${query}`);
    assert.deepEqual([wrong.status, wrong.error.details.pointer], [422, "/name"]);
  }
  await ada.good("DELETE", `/projects/${project}`);
  assert.equal((await check("Twin")).available, true);
});

test("an import with a key is done once", async () => {
  const project = await ada.furnished("Keyed");
  const file = new Blob([(await exported(ada, project)).bytes]);
  const sending = { file, name: "Keyed once", key: "k" };
  const first = await send(ada, sending);
  const again = await send(ada, sending);
  assert.deepEqual([again.status, again.data], [201, first.data]);
  const other = await send(ada, { ...sending, name: "Keyed other" });
  assert.deepEqual([other.status, other.error.code], [409, "IDEMPOTENCY_CONFLICT"]);
  const fresh = await send(ada, { ...sending, key: "l" });
  assert.deepEqual([fresh.status, fresh.error.code], [409, "PKG_NAME_CONFLICT"]);
});

test("a package of one workflow at its root gets its folder", async () => {
  const project = await ada.furnished("Folder");
  const { files } = await ada.bundle(project);
  const flat: Record<string, string> = { "agents.json": files["agents.json"] };
  for (const [path, text] of Object.entries(files))
    if (path.startsWith("workflows/1/"))
      flat[path.slice("workflows/1/".length)] = text.replaceAll("workflows/1/", "");
  const entry = { workflow: "workflow.md", graph: "workflow.graph.json", agents: "agents.json" };
  const manifest = { schemaVersion: "1.1", name: "Flat", version: "0.1.0", entry };
  flat["bmad.json"] = JSON.stringify(manifest);
  flat["notes.txt"] = "left behind";
  const got = await send(ada, { file: await zipped(flat), filename: "FLAT.ZIP" });
  assert.equal(got.status, 201, got.raw);
  assert.deepEqual(codes(got.data.warnings), ["PKG_UNEXPECTED_FILE"]);
  const shown = await ada.show(got.data.project_id);
  assert.deepEqual([shown.name, shown.check.ok, shown.workflows.length], ["Flat", true, 1]);
  const fresh = await ada.bundle(got.data.project_id);
  assert.ok(fresh.files["workflows/1/steps/start.md"]);
  assert.equal(fresh.files["notes.txt"], undefined);
});

test("bytes of an asset come in and go out, and cannot be written", async () => {
  const project = await ada.furnished("Binary");
  const { files } = await ada.bundle(project);
  const png = `base64:${Buffer.from([0x89, 0x50, 0, 0xff]).toString("base64")}`;
  const file = await zipped({ ...files, "assets/logo.png": png });
  const got = await send(ada, { file, name: "Binary in" });
  assert.equal(got.status, 201, got.raw);
  const at = `/projects/${got.data.project_id}/assets`;
  const { assets } = await ada.good("GET", `${at}?path=assets/logo.png`);
  assert.deepEqual([assets[0].bytes, assets[0].content], [4, null]);
  await ada.good("DELETE", at, { body: { path: "assets/logo.png" } });
});

test("what is no package is refused, and nothing is made", async () => {
  const project = await ada.furnished("Whole");
  const { files } = await ada.bundle(project);
  const count = async () =>
    (await ada.good<Listed<ProjectItem>>("GET", "/projects?limit=100")).items.length;
  const before = await count();
  const good = await zipped(files);
  const refused = async (form: Form): Promise<[number, string]> => {
    const got = await send(ada, { name: "Never", ...form });
    return [got.status, got.error?.code];
  };
  assert.deepEqual(await refused({ file: good, filename: "a.tar" }), [400, "PKG_INVALID_FORMAT"]);
  assert.deepEqual(await refused({ file: undefined }), [400, "PKG_INVALID_FORMAT"]);
  assert.deepEqual(await refused({ file: new Blob(["no archive"]) }), [400, "PKG_INVALID_ZIP"]);
  assert.deepEqual(await refused({ file: good.slice(0, good.size - 30) }), [
    400,
    "PKG_INVALID_ZIP",
  ]);
  const outside = await zipped({ ...files, "../x.md": "x" });
  assert.deepEqual(await refused({ file: outside }), [400, "PKG_INVALID_ZIP"]);
  const broken = await send(ada, {
    file: await zipped({ ...files, "agents.json": "{" }),
    name: "Never",
  });
  assert.deepEqual([broken.status, broken.error.code], [400, "PKG_VALIDATION_FAILED"]);
  assert.ok(codes(broken.error.details.diagnostics).includes("PKG_INVALID_JSON"));
  assert.deepEqual(await refused({ file: good, name: "x".repeat(201) }), [400, "VALIDATION_ERROR"]);
  const json = await ada.ask("POST", IMPORT, { body: {} });
  assert.deepEqual([json.status, json.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"]);
  assert.equal(await count(), before);
});

test("an archive that is too large is left where it is", async () => {
  const file = new Blob([randomBytes(51 << 20)]);
  const got = await send(ada, { file });
  assert.deepEqual([got.status, got.error.code], [413, "PKG_TOO_LARGE"]);
  assert.equal(got.error.details.limit, "MAX_ZIP_BYTES");
});

test("a package that does not hold does not go out", async () => {
  const empty = await ada.project("Empty");
  const none = await ada.ask("GET", `/projects/${empty}/export`);
  assert.equal(none.status, 422);
  assert.equal(none.error.code, "PKG_NO_WORKFLOW");
  await ada.good("POST", `/projects/${empty}/workflows`, { body: { name: "W" } });
  const broken = await ada.ask("GET", `/projects/${empty}/export`);
  assert.deepEqual([broken.status, broken.error.code], [422, "PKG_VALIDATION_FAILED"]);
  assert.deepEqual(codes(broken.error.details.diagnostics), ["PKG_REQUIRED_FILE_MISSING"]);
});
