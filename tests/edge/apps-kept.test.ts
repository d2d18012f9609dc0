// How long the artifact store keeps what was built of apps, by the files of its folder (app-builder.md §7 "Keys").
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { during } from "../during.ts";
import { type App, fetched, maker, type Version } from "./apps.ts";
import { ahead } from "./faults.ts";
import { eventually, startEdge } from "./workerd.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Revisions of an app that keep what was built of them, whatever else is said of it. */
const NEWEST = 20;
/** Within which the alarm deletes what somebody might have read until a moment ago. */
const WITHIN = { ms: 60_000, every: 250 };

const edge = await during(startEdge({ runner: true }));
const ada = await maker(edge, "ada");

/** What lies in the store of an app, below its folder. */
function stored(app: App): string[] {
  const folder = join(edge.dir, "artifacts/apps", app.tenant_id, app.id);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((file) => relative(folder, join(file.parentPath, file.name))).sort();
}

const below = (app: App, prefix: string) => stored(app).filter((path) => path.startsWith(prefix));

async function save(app: App, base: string, title: string): Promise<Version> {
  const content = `export function App() {\n  return <h1>${title}</h1>;\n}\n\nexport default App;\n`;
  const operations = [{ op: "upsert_file", path: "src/App.tsx", content }];
  const body = { base_revision_id: base, operations };
  return ada.good<Version>("POST", `/${app.id}/builder/revisions`, body);
}

/** Makes an app whose first version is built. */
async function built(name: string, more: object = {}): Promise<App> {
  const app = await ada.make(name, more);
  const build = await ada.built(app.id, app.current_draft_revision_id);
  assert.equal(build.build_status, "succeeded", build.log_tail);
  return app;
}

/** Saves so often that the first version is none of the newest any more. */
async function outlive(app: App): Promise<void> {
  let base = app.current_draft_revision_id;
  for (let at = 0; at < NEWEST; at += 1) base = (await save(app, base, `n${at}`)).id;
  assert.equal((await ada.built(app.id, base)).build_status, "succeeded");
}

test("an old version keeps its artifact while it is published, and comes back when it is asked for", async () => {
  const settings = { save_gate: "check" };
  const app = await built("Outlived", { settings });
  const live = await built("Live", { settings });
  const first = app.current_draft_revision_id;
  const { published_url } = await ada.good<App>("POST", `/${live.id}/publish`, {});
  const dist = `revisions/${first}/dist/`;
  const before = below(app, dist);
  assert.ok(before.includes(`${dist}index.html`));
  await outlive(app);
  await outlive(live);
  await eventually(
    () => ({ ok: below(app, `revisions/${first}/`).length === 0, value: stored(app) }),
    WITHIN,
  );
  assert.ok(below(live, `revisions/${live.current_draft_revision_id}/dist/`).length > 1);
  assert.equal((await fetched(published_url ?? "")).status, 200);

  const health = await ada.good("GET", `/${app.id}/builder/health?revision_id=${first}`);
  assert.deepEqual([health.ok, health.diagnostics[0].code], [false, "HEALTH_ARTIFACT_MISSING"]);
  const publish = { revision_id: first };
  assert.deepEqual(await ada.refused("POST", `/${app.id}/publish`, publish), [
    409,
    "BUILD_ARTIFACT_MISSING",
  ]);
  const token = `/${app.id}/builder/revisions/${first}/preview-token`;
  const { preview_url } = await ada.good("POST", token);
  const build = await ada.built(app.id, first);
  assert.equal(build.build_status, "succeeded", build.log_tail);
  assert.equal((await fetched(preview_url)).status, 200);
  const again = await ada.good<App>("POST", `/${app.id}/publish`, publish);
  assert.equal(again.current_published_revision_id, first);
  assert.ok(below(app, `revisions/${first}/`).length > 1);
});

test("what a gate built goes after a week, and what is of a version stays", async () => {
  const app = await built("Gate");
  const next = await save(app, app.current_draft_revision_id, "gated");
  assert.equal(next.verified, true);
  assert.equal((await ada.built(app.id, next.id)).build_status, "succeeded");
  assert.ok(below(app, "builds/").length > 1);
  const kept = stored(app).filter((path) => /^revisions\/[^/]+\/dist\//.test(path));
  assert.ok(kept.length > 2);
  const present = ahead(8 * DAY_MS);
  try {
    await edge.kill();
    await edge.start();
    await ada.good("PATCH", `/${app.id}`, { name: "Gate, a week later" });
    // Also its source maps are a week old.
    await eventually(
      () => ({ ok: stored(app).length === kept.length, value: stored(app) }),
      WITHIN,
    );
    assert.deepEqual(stored(app), kept);
  } finally {
    present();
  }
});

test("an app that is deleted leaves nothing", async () => {
  const app = await built("Deleted");
  const next = await save(app, app.current_draft_revision_id, "second");
  assert.equal((await ada.built(app.id, next.id)).build_status, "succeeded");
  const live = await ada.good<App>("POST", `/${app.id}/publish`, {});
  await ada.good("DELETE", `/${app.id}`);
  assert.equal((await fetched(live.published_url ?? "")).status, 404);
  await eventually(() => ({ ok: stored(app).length === 0, value: stored(app) }), WITHIN);
});
