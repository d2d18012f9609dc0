// The road of an app on the real stack: made, built, changed, looked at, published (app-builder.md §3, §4, §5, §7, §8).
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { during } from "../during.ts";
import { type App, fetched, maker, type Version } from "./apps.ts";
import { startEdge } from "./workerd.ts";

const edge = await during(startEdge({ runner: true }));
const ada = await maker(edge, "ada");

/** The text of the page's main part. */
const PAGE = "src/App.tsx";

async function saved(id: string, base: string, text: string, more: object = {}) {
  const operations = [{ op: "upsert_file", path: PAGE, content: text }];
  return ada.ask<Version>("POST", `/${id}/builder/revisions`, {
    base_revision_id: base,
    operations,
    ...more,
  });
}

const page = (title: string) =>
  `export function App() {\n  return <h1>${title}</h1>;\n}\n\nexport default App;\n`;

test("an app is made from a template, built, changed, looked at and published", async () => {
  const app = await ada.make("Claims desk");
  assert.match(app.id, /^app_[0-9A-Z]{26}$/);
  assert.deepEqual([app.slug, app.status], ["claims-desk", "draft"]);
  const first = await ada.built(app.id, app.current_draft_revision_id);
  assert.deepEqual(
    [first.build_status, first.build_error_code, first.build_seq],
    ["succeeded", null, 1],
    first.log_tail,
  );
  assert.ok(first.dist_manifest?.assets.some((asset) => asset.path === "index.html"));

  const change = await saved(app.id, app.current_draft_revision_id, page("Claims"));
  assert.equal(change.status, 200, change.raw);
  assert.deepEqual(
    [
      change.value.verified,
      change.value.noop,
      change.value.origin_kind,
      change.value.source_revision_id,
    ],
    [true, false, "manual_save", app.current_draft_revision_id],
  );
  const draft = change.value.id;
  assert.equal((await ada.built(app.id, draft)).build_status, "succeeded");

  const address = await ada.good("POST", `/${app.id}/builder/revisions/${draft}/preview-token`);
  const document = await fetched(address.preview_url);
  assert.equal(document.status, 200, document.body);
  assert.match(document.body, /<script src="\/p\/v1\.[^"]+\/__bridge\.js"><\/script>/);
  assert.match(String(document.headers["content-security-policy"]), /default-src 'none'/);
  assert.equal(document.headers["cache-control"], "no-store");
  const script = /src="\.?\/?(assets\/[^"]+\.js)"/.exec(document.body)?.[1];
  assert.ok(script, document.body);
  const code = await fetched(`${address.preview_url}${script}`);
  assert.equal(code.status, 200);
  assert.match(code.body, /Claims/);
  const place = await fetched(`${address.preview_url}claims/7`);
  assert.match(place.body, /<base href="\/p\/v1\./);
  const missing = await fetched(`${address.preview_url}none.js`);
  assert.equal(missing.status, 404);

  const published = await ada.good<App>("POST", `/${app.id}/publish`, { base_revision_id: draft });
  assert.deepEqual(
    [published.status, published.current_published_revision_id],
    ["published", draft],
  );
  assert.ok(published.published_url);
  const shown = await fetched(published.published_url);
  assert.equal(shown.status, 200, shown.body);
  assert.doesNotMatch(shown.body, /__bridge/);
  const standing = published.published_url.replace(`${draft}/`, "");
  for (const address of [standing, standing.replace(/\/$/, "")]) {
    const moved = await fetched(address);
    assert.deepEqual([moved.status, moved.headers.location], [302, published.published_url]);
  }
  const back = await fetched(`${standing}?code=1&state=a%26b`);
  assert.equal(back.headers.location, `${published.published_url}?code=1&state=a%26b`);
  const runtime = await edge.ask<{ app_id: string }>("GET", `/public/apps/${app.slug}/runtime`, {
    headers: { origin: "https://elsewhere.example" },
  });
  assert.deepEqual([runtime.status, runtime.value.app_id], [200, app.id], runtime.raw);
  assert.equal(runtime.headers.get("access-control-allow-origin"), "*");

  const off = await ada.good<App>("POST", `/${app.id}/unpublish`);
  assert.deepEqual([off.status, off.published_url], ["draft", null]);
  assert.equal((await fetched(published.published_url)).status, 404);
});

test("a save that does not hold or does not build changes nothing", async () => {
  const app = await ada.make("Refused");
  const base = app.current_draft_revision_id;
  await ada.built(app.id, base);
  const lost = await saved(
    app.id,
    base,
    `import { x } from "./nowhere";\n${page("a")}console.log(x);\n`,
  );
  assert.deepEqual([lost.status, lost.value.error.code], [422, "BUILDER_COMPILE_FAILED"]);
  assert.equal(lost.value.error.details.diagnostics[0].code, "IMPORT_UNRESOLVED");
  const wrong = await saved(app.id, base, page("{undefinedName}"));
  assert.deepEqual(
    [wrong.status, wrong.value.error.code],
    [422, "BUILDER_COMPILE_FAILED"],
    wrong.raw,
  );
  const outside = await ada.refused("POST", `/${app.id}/builder/revisions`, {
    base_revision_id: base,
    operations: [{ op: "upsert_file", path: "../x.ts", content: "" }],
  });
  assert.deepEqual(outside, [400, "BUILDER_PATCH_POLICY_VIOLATION"]);
  assert.equal((await ada.show(app.id)).current_draft_revision_id, base);
});

/** A token with other claims, sealed as the Worker does. */
function sealed(token: string, change: (claims: Record<string, unknown>) => void): string {
  const claims = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
  change(claims);
  const head = `v1.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  const secret = edge.variables.PREVIEW_SECRET;
  return `${head}.${createHmac("sha256", secret).update(head).digest("base64url")}`;
}

const code = (served: { body: string }): string => JSON.parse(served.body).error.code;

test("a preview opens one revision of one app, for its time, on its own origin", async () => {
  const app = await ada.make("Preview");
  const base = app.current_draft_revision_id;
  await ada.built(app.id, base);
  const other = await ada.make("Other");
  await ada.built(other.id, other.current_draft_revision_id);
  const path = (of: App) =>
    `/${of.id}/builder/revisions/${of.current_draft_revision_id}/preview-token`;
  const own = await ada.good("POST", path(app));
  const theirs = await ada.good("POST", path(other));
  const elsewhere = own.preview_url.replace(
    new URL(own.preview_url).host,
    new URL(theirs.preview_url).host,
  );
  const mixed = await fetched(elsewhere);
  assert.deepEqual([mixed.status, code(mixed)], [403, "PREVIEW_TOKEN_MISMATCH"]);
  const late = sealed(own.preview_token, (claims) => {
    claims.exp = 1;
  });
  const expired = await fetched(own.preview_url.replace(own.preview_token, late));
  assert.deepEqual([expired.status, code(expired)], [401, "PREVIEW_TOKEN_EXPIRED"]);
  const forged = await fetched(own.preview_url.replace(own.preview_token, `${own.preview_token}x`));
  assert.deepEqual([forged.status, code(forged)], [401, "PREVIEW_TOKEN_INVALID"]);
  const public_path = `/public/apps/preview/revisions/${base}/assets/`;
  const token = `preview_token=${own.preview_token}`;
  const page = await fetch(`${edge.url}${public_path}index.html?${token}`, { redirect: "manual" });
  assert.deepEqual(
    [page.status, page.headers.get("location")],
    [307, `${own.preview_url}index.html`],
  );
  const asset = (await ada.built(app.id, base)).dist_manifest?.assets.find((one) =>
    one.path.endsWith(".js"),
  );
  const bytes = await fetch(`${edge.url}${public_path}${asset?.path}`, {
    headers: { authorization: `Bearer ${own.preview_token}`, range: "bytes=0-9" },
  });
  assert.deepEqual([bytes.status, (await bytes.text()).length], [206, 10]);
  const tag = bytes.headers.get("etag") ?? "";
  const same = await fetch(`${edge.url}${public_path}${asset?.path}?${token}`, {
    headers: { "if-none-match": tag },
  });
  assert.equal(same.status, 304);
  const strange = await edge.ask("GET", `/public/apps/preview/revisions/rev_999/runtime?${token}`);
  assert.deepEqual([strange.status, strange.value.error.code], [403, "PREVIEW_TOKEN_MISMATCH"]);
  const runtime = await edge.ask<{ preview_url: string }>(
    "GET",
    `/public/apps/preview/revisions/${base}/runtime?${token}`,
  );
  assert.deepEqual([runtime.status, runtime.value.preview_url], [200, own.preview_url]);
  for (const [address, status] of [
    ["/v1/models", 404],
    ["/", 404],
    ["/admin/apps", 404],
    ["/p/", 404],
  ] as const) {
    const answer = await fetched(new URL(address, own.preview_url).href);
    assert.equal(answer.status, status, `${address} on the origin of apps`);
  }
  const on_console = await fetch(`${edge.url}/p/${own.preview_token}/`);
  assert.equal(on_console.status, 404, "no asset on the origin of the console");
});

test("what is not complete or not sound is not published, and what is live stays", async () => {
  const app = await ada.make("Gate", { settings: { save_gate: "check" } });
  const base = app.current_draft_revision_id;
  await ada.built(app.id, base);
  const live = await ada.good<App>("POST", `/${app.id}/publish`, {});
  assert.deepEqual(await ada.refused("PATCH", `/${app.id}`, { slug: "new-name" }), [
    409,
    "APP_PUBLISHED",
  ]);
  const key = `ghp_${"a1".repeat(18)}`;
  const secret = await saved(app.id, base, `${page("x")}export const key = "${key}";\n`);
  assert.equal(secret.status, 200, secret.raw);
  await ada.built(app.id, secret.value.id);
  const blocked = await ada.ask("POST", `/${app.id}/publish`, {});
  assert.deepEqual([blocked.status, blocked.value.error.code], [422, "PUBLISH_BLOCKED"]);
  assert.equal(blocked.value.error.details.diagnostics[0].code, "HEALTH_SECRET_IN_BUNDLE");
  const next = await saved(app.id, secret.value.id, page("two"));
  await ada.built(app.id, next.value.id);
  const dist = join(
    edge.dir,
    "artifacts/apps",
    live.tenant_id,
    app.id,
    "revisions",
    next.value.id,
    "dist",
  );
  rmSync(join(dist, "index.html"));
  assert.deepEqual(await ada.refused("POST", `/${app.id}/publish`, {}), [
    409,
    "BUILD_ARTIFACT_MISSING",
  ]);
  const health = await ada.good("GET", `/${app.id}/builder/health`);
  assert.deepEqual([health.ok, health.diagnostics[0].code], [false, "HEALTH_ARTIFACT_MISSING"]);
  assert.equal((await fetched(live.published_url ?? "")).status, 200, "what is live stays");
  const retry = `/${app.id}/builder/revisions/${next.value.id}/build/retry`;
  assert.deepEqual(await ada.refused("POST", retry), [409, "BUILD_ALREADY_SUCCEEDED"]);
  const again = await ada.good(
    "POST",
    `/${app.id}/builder/revisions/${next.value.id}/build/retry`,
    { force: true },
  );
  assert.equal(again.build_status, "queued");
  assert.equal((await ada.built(app.id, next.value.id)).build_status, "succeeded");
  const second = await ada.good<App>("POST", `/${app.id}/publish`, {});
  assert.equal(second.current_published_revision_id, next.value.id);
  const back = await ada.good<App>("POST", `/${app.id}/publish/rollback`);
  assert.deepEqual([back.current_published_revision_id, back.status], [base, "published"]);
  const { items } = await ada.good("GET", `/${app.id}/publish/history`);
  assert.deepEqual(
    items.map((item: { kind: string }) => item.kind),
    ["rollback", "publish", "publish"],
  );
});

test("a runner that is killed in a build is asked again, and nothing stays running", async () => {
  const app = await ada.make("Killed", { settings: { save_gate: "check" } });
  await ada.built(app.id, app.current_draft_revision_id);
  const next = await saved(app.id, app.current_draft_revision_id, page("later"));
  await edge.runner?.kill();
  await edge.runner?.start();
  const build = await ada.built(app.id, next.value.id);
  if (build.build_status === "failed") {
    assert.equal(build.build_error_code, "BUILD_RUNNER_UNAVAILABLE");
    await ada.good("POST", `/${app.id}/builder/revisions/${next.value.id}/build/retry`);
    assert.equal((await ada.built(app.id, next.value.id)).build_status, "succeeded");
  }
});
