// Tests before publishing, binary files and source maps on the real stack (app-builder.md §3, §4, §7, §12).
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { during } from "../during.ts";
import { type App, fetched, maker, type Version } from "./apps.ts";
import { type Answer, startEdge } from "./workerd.ts";

const edge = await during(startEdge({ runner: true }));
const ada = await maker(edge, "ada");

interface Finding {
  code: string;
  severity: string;
  path?: string;
}

interface Health {
  ok: boolean;
  diagnostics: Finding[];
}

const write = (path: string, content: string) => ({ op: "upsert_file", path, content });
const health = (app: App) => ada.good<Health>("GET", `/${app.id}/builder/health`);
const told = ({ diagnostics }: Health) =>
  diagnostics
    .filter(({ code }) => code === "HEALTH_TESTS_FAILED")
    .map(({ severity, path }) => [severity, path]);

const save = (app: App, base: string, operations: object[]): Promise<Answer<Version>> =>
  ada.ask<Version>("POST", `/${app.id}/builder/revisions`, { base_revision_id: base, operations });

async function saved(app: App, base: string, operations: object[]): Promise<Version> {
  const answer = await save(app, base, operations);
  assert.equal(answer.status, 200, answer.raw);
  const build = await ada.built(app.id, answer.value.id);
  assert.equal(build.build_status, "succeeded", build.log_tail);
  return answer.value;
}

const failing = write(
  "src/sum.test.ts",
  "import { expect, test } from 'vitest';\n\ntest('two and two', () => {\n  expect(2 + 2).toBe(5);\n});\n",
);

test("a failing test stands in the way of publishing where the app says so", async () => {
  const settings = { publish_requires_tests: true };
  const app = await ada.make("Tested", { settings });
  const base = app.current_draft_revision_id;
  await ada.built(app.id, base);
  assert.deepEqual(told(await health(app)), []);
  const live = await ada.good<App>("POST", `/${app.id}/publish`, {});
  assert.equal(live.current_published_revision_id, base);

  const broken = await saved(app, base, [failing]);
  const found = await health(app);
  assert.deepEqual([found.ok, told(found)], [false, [["error", "src/sum.test.ts"]]]);
  const blocked = await ada.ask("POST", `/${app.id}/publish`, {});
  assert.deepEqual([blocked.status, blocked.value.error.code], [422, "PUBLISH_BLOCKED"]);
  assert.equal(blocked.value.error.details.diagnostics[0].code, "HEALTH_TESTS_FAILED");
  assert.equal((await ada.show(app.id)).current_published_revision_id, base, "what is live stays");

  await ada.good("PATCH", `/${app.id}`, { settings: { publish_requires_tests: false } });
  const warned = await health(app);
  assert.deepEqual([warned.ok, told(warned)], [true, [["warning", "src/sum.test.ts"]]]);
  await ada.good("POST", `/${app.id}/publish`, {});

  await ada.good("PATCH", `/${app.id}`, { settings });
  await saved(app, broken.id, [write("src/sum.test.ts", failing.content.replace("5", "4"))]);
  assert.deepEqual(told(await health(app)), []);
  await ada.good("POST", `/${app.id}/publish`, {});
});

test("what requires tests is not published where nobody runs them", async () => {
  const app = await ada.make("Alone", { settings: { publish_requires_tests: true } });
  await ada.built(app.id, app.current_draft_revision_id);
  await edge.runner?.kill();
  try {
    const blocked = await ada.ask("POST", `/${app.id}/publish`, {});
    assert.deepEqual([blocked.status, blocked.value.error.code], [422, "PUBLISH_BLOCKED"]);
    const [first] = blocked.value.error.details.diagnostics;
    assert.match(first.message, /nobody can run them now/);
  } finally {
    await edge.runner?.start();
  }
  await ada.good("POST", `/${app.id}/publish`, {});
});

const crc = (bytes: Buffer) => {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
};

/** A picture of one point. */
function picture(shade: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc(body), body.length + 4);
    return framed;
  };
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.from([0, shade]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

interface Uploaded {
  status: number;
  value: {
    blob: string;
    bytes: number;
    content_type: string;
    error: { code: string };
  };
}

async function upload(app: App, bytes: Uint8Array, field = "file"): Promise<Uploaded> {
  const body = new FormData();
  body.append(field, new Blob([new Uint8Array(bytes)], { type: "text/html" }), "point.html");
  const headers = { authorization: `Bearer ${ada.token}` };
  const path = `${edge.url}/admin/apps/${app.id}/builder/blobs`;
  const answer = await fetch(path, { method: "POST", headers, body });
  return { status: answer.status, value: (await answer.json()) as Uploaded["value"] };
}

const shows = (path: string) =>
  [
    `import point from '${path}';\n`,
    'export function App() {\n  return <img alt="A point" src={point} />;\n}\n',
    "export default App;\n",
  ].join("\n");

test("a picture is uploaded, built, tested, served and exported", async () => {
  const app = await ada.make("Picture");
  await ada.built(app.id, app.current_draft_revision_id);
  const bytes = picture(7);
  const { status, value } = await upload(app, bytes);
  const blob = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  assert.equal(status, 200, JSON.stringify(value));
  assert.deepEqual(value, { blob, bytes: bytes.length, content_type: "image/png" });
  assert.equal((await upload(app, bytes)).status, 200, "the same bytes again are no fault");
  const version = await saved(app, app.current_draft_revision_id, [
    { op: "put_blob", path: "public/point.png", blob, bytes: bytes.length },
    write("src/App.test.tsx", "import { test } from 'vitest';\n\ntest('nothing', () => {});\n"),
    write("src/App.tsx", shows("/point.png").replace("/point.png", "./point.png")),
    { op: "put_blob", path: "src/point.png", blob, bytes: bytes.length },
  ]);
  const found = await health(app);
  assert.deepEqual(told(found), [], "tests run with the bytes in their place");
  const token = `/${app.id}/builder/revisions/${version.id}/preview-token`;
  const { preview_url } = await ada.good<{ preview_url: string }>("POST", token);
  const served = await fetched(`${preview_url}point.png`);
  assert.deepEqual([served.status, served.headers["content-type"]], [200, "image/png"]);
});

test("what is no picture, font, sound or film is refused, and nothing of it is kept", async () => {
  const app = await ada.make("Refused");
  const page = Buffer.from("<!doctype html><script>alert(1)</script>");
  const refused = async (bytes: Uint8Array, field?: string) => {
    const { status, value } = await upload(app, bytes, field);
    return [status, value.error?.code];
  };
  assert.deepEqual(await refused(page), [415, "BLOB_TYPE_REFUSED"]);
  assert.deepEqual(await refused(Buffer.from("MZ\x90\0")), [415, "BLOB_TYPE_REFUSED"]);
  assert.deepEqual(await refused(picture(1), "other"), [422, "INVALID_INPUT"]);
  const large = Buffer.concat([picture(1), Buffer.alloc(5 << 20)]);
  assert.deepEqual(await refused(large), [413, "INPUT_TOO_LARGE"]);
});

test("bytes that nobody uploaded are missed by name", async () => {
  const app = await ada.make("Missing");
  await ada.built(app.id, app.current_draft_revision_id);
  const blob = `sha256:${"0".repeat(64)}`;
  const answer = await save(app, app.current_draft_revision_id, [
    { op: "put_blob", path: "public/gone.png", blob, bytes: 12 },
  ]);
  const { error } = answer.value as unknown as {
    error: { code: string; details: { diagnostics: Finding[] } };
  };
  assert.deepEqual([answer.status, error.code], [422, "BUILDER_COMPILE_FAILED"]);
  const [found] = error.details.diagnostics;
  assert.deepEqual([found?.code, found?.path], ["BLOB_MISSING", "public/gone.png"]);
});

test("the source map of a script is read by its owner alone", async () => {
  const app = await ada.make("Mapped");
  const revision = app.current_draft_revision_id;
  const { dist_manifest } = await ada.built(app.id, revision);
  const script = dist_manifest?.assets.find(({ path }) => path.endsWith(".js"))?.path ?? "";
  const at = (of: string, asset: string) =>
    `/${app.id}/builder/builds/map?of=${of}&asset=${encodeURIComponent(asset)}`;
  const map = await ada.good<{ version: number; sources: string[] }>("GET", at(revision, script));
  assert.equal(map.version, 3);
  assert.ok(
    map.sources.some((source) => source.endsWith("src/App.tsx")),
    map.sources.join(" "),
  );
  assert.deepEqual(await ada.refused("GET", at(revision, "assets/gone.js")), [
    404,
    "ASSET_NOT_FOUND",
  ]);
  assert.deepEqual(await ada.refused("GET", at("rev_999", script)), [404, "NOT_FOUND"]);
  const bob = await maker(edge, "bob");
  assert.deepEqual(await bob.refused("GET", at(revision, script)), [404, "NOT_FOUND"]);
  const token = `/${app.id}/builder/revisions/${revision}/preview-token`;
  const { preview_url } = await ada.good<{ preview_url: string }>("POST", token);
  assert.equal((await fetched(`${preview_url}${script}.map`)).status, 404, "visitors have no map");
});
