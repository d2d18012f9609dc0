// Versions of an app on the real edge, without a build runner: saves, conflicts, merges, the ways back, names,
// addresses (app-builder.md §2, §3, §4, §5, §8).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { type App, fetched, type Maker, maker, type Version } from "./apps.ts";
import { startEdge } from "./workerd.ts";

const edge = await during(startEdge());
const ada = await maker(edge, "ada");
const bob = await maker(edge, "bob");

const PAGE = "src/App.tsx";
const page = (title: string) =>
  `export function App() {\n  return <h1>${title}</h1>;\n}\n\nexport default App;\n`;
const write = (path: string, content: string) => ({ op: "upsert_file", path, content });

interface Step {
  revision: Version;
  restored_from_revision_id: string | null;
  can_undo: boolean;
  can_redo: boolean;
}

const save = (who: Maker, id: string, base: string, operations: object[], more: object = {}) =>
  who.ask<Version>("POST", `/${id}/builder/revisions`, {
    base_revision_id: base,
    operations,
    ...more,
  });

async function saved(id: string, base: string, operations: object[], more: object = {}) {
  const answer = await save(ada, id, base, operations, more);
  assert.equal(answer.status, 200, answer.raw);
  return answer.value;
}

const files = async (id: string, revision: string) =>
  (await ada.good<Version>("GET", `/${id}/builder/revisions/${revision}?include=files`)).files ??
  {};

test("without a runner a save is checked, says that nothing was built, and can be built again", async () => {
  const app = await ada.make("No runner");
  const next = await saved(app.id, app.current_draft_revision_id, [write(PAGE, page("a"))]);
  assert.equal(next.verified, false);
  const build = await ada.built(app.id, next.id);
  assert.deepEqual(
    [build.build_status, build.build_error_code],
    ["failed", "BUILD_RUNNER_UNAVAILABLE"],
  );
  const again = await ada.good("POST", `/${app.id}/builder/revisions/${next.id}/build/retry`);
  assert.equal(again.build_seq, build.build_seq + 1);
  await ada.built(app.id, next.id);
  const first = await ada.built(app.id, app.current_draft_revision_id);
  assert.equal(first.build_status, "failed");
  assert.deepEqual(await ada.refused("POST", `/${app.id}/publish`, {}), [422, "BUILD_FAILED"]);
  const { diagnostics, ok } = await ada.good("GET", `/${app.id}/builder/health`);
  assert.deepEqual([ok, diagnostics[0].code], [false, "HEALTH_BUILD_NOT_SUCCEEDED"]);
});

test("a lock of a registry needs a runner", async () => {
  const settings = { dependency_policy: "registry-pinned" };
  const app = await ada.make("No lock", { settings });
  const body = { base_revision_id: app.current_draft_revision_id };
  const path = `/${app.id}/builder/lock`;
  assert.deepEqual(await ada.refused("POST", path, body), [503, "BUILD_RUNNER_UNAVAILABLE"]);
});

test("of two saves on one base one wins, and the other is told what a merge would meet", async () => {
  const app = await ada.make("Two saves");
  const base = app.current_draft_revision_id;
  const first = await saved(app.id, base, [write(PAGE, page("one"))]);
  const elsewhere = [write("src/other.ts", "export const other = 1;\n")];
  const late = await save(ada, app.id, base, elsewhere);
  assert.deepEqual([late.status, late.value.error.code], [409, "REVISION_CONFLICT"]);
  const details = late.value.error.details as unknown as Record<string, unknown>;
  assert.deepEqual(
    [details.latest_revision_id, details.changed_paths, details.merge],
    [first.id, [PAGE], { clean: true, conflicts: [] }],
  );
  const merged = await saved(app.id, base, elsewhere, { on_conflict: "merge" });
  assert.deepEqual([merged.merged, merged.origin_kind], [true, "merge"]);
  assert.equal(merged.files?.[PAGE], page("one"));
  assert.ok(merged.files?.["src/other.ts"]);
  const clash = await save(ada, app.id, base, [write(PAGE, page("two"))], { on_conflict: "merge" });
  assert.deepEqual([clash.status, clash.value.error.code], [409, "MERGE_CONFLICT"]);
  const none = await ada.refused("POST", `/${app.id}/builder/revisions`, { operations: elsewhere });
  assert.deepEqual(none, [400, "BASE_REVISION_REQUIRED"]);
});

test("fifty saves at once on one base make one revision", async () => {
  const app = await ada.make("Fifty", { settings: { save_gate: "check" } });
  const base = app.current_draft_revision_id;
  const all = Array.from({ length: 50 }, (_, at) =>
    save(ada, app.id, base, [write(PAGE, page(`n${at}`))]),
  );
  const answers = await Promise.all(all);
  const statuses = answers.map((answer) => answer.status);
  assert.equal(statuses.filter((status) => status === 200).length, 1);
  assert.equal(statuses.filter((status) => status === 409).length, 49);
  const { items } = await ada.good<{ items: Version[] }>("GET", `/${app.id}/builder/revisions`);
  assert.equal(items.length, 2);
});

test("a save of the same files makes no revision; all files can be sent whole", async () => {
  const app = await ada.make("Noop");
  const base = app.current_draft_revision_id;
  const all = await files(app.id, base);
  const same = await ada.good<Version>("POST", `/${app.id}/builder/revisions`, {
    base_revision_id: base,
    files: all,
  });
  assert.deepEqual([same.noop, same.id], [true, base]);
  const other = { ...all, "src/new.ts": "export const a = 1;\n" };
  const next = await ada.good<Version>("POST", `/${app.id}/builder/revisions`, {
    base_revision_id: base,
    files: other,
  });
  assert.deepEqual([next.noop, next.files], [false, other]);
  const both = { base_revision_id: next.id, files: all, operations: [] };
  assert.deepEqual(await ada.refused("POST", `/${app.id}/builder/revisions`, both), [
    422,
    "INVALID_INPUT",
  ]);
  const valid = await ada.good("POST", `/${app.id}/builder/validate`, {
    base_revision_id: next.id,
    files: all,
  });
  assert.equal(valid.ok, true);
  assert.equal(
    (await ada.show(app.id)).current_draft_revision_id,
    next.id,
    "a validation stores nothing",
  );
});

test("undo and redo walk the history to its first revision and back, byte for byte", async () => {
  const app = await ada.make("Ways back");
  const texts = ["a", "b", "c"].map(page);
  const all = [app.current_draft_revision_id];
  for (const text of texts)
    all.push((await saved(app.id, all.at(-1) ?? "", [write(PAGE, text)])).id);
  const step = (way: string, base: string, more: object = {}) =>
    ada.good<Step>("POST", `/${app.id}/builder/${way}`, { base_revision_id: base, ...more });
  let now = all.at(-1) ?? "";
  for (const want of [texts[1], texts[0], undefined]) {
    const back = await step("undo", now);
    now = back.revision.id;
    assert.equal(back.revision.origin_kind, "undo");
    if (want) assert.equal((await files(app.id, now))[PAGE], want);
  }
  assert.deepEqual(await files(app.id, now), await files(app.id, all[0]));
  const nothing = await ada.refused("POST", `/${app.id}/builder/undo`, { base_revision_id: now });
  assert.deepEqual(nothing, [404, "NOTHING_TO_UNDO"]);
  for (const want of texts) {
    const forth = await step("redo", now);
    now = forth.revision.id;
    assert.equal((await files(app.id, now))[PAGE], want);
  }
  const ended = await ada.refused("POST", `/${app.id}/builder/redo`, { base_revision_id: now });
  assert.deepEqual(ended, [404, "NOTHING_TO_REDO"]);
  const restored = await step("restore", now, { revision_id: all[1] });
  assert.deepEqual(
    [restored.revision.origin_kind, restored.restored_from_revision_id],
    ["restore", all[1]],
  );
  now = restored.revision.id;
  const one = await ada.good("POST", `/${app.id}/builder/revert-file`, {
    base_revision_id: now,
    path: PAGE,
    from_revision_id: all[2],
  });
  assert.deepEqual([one.reverted_path, one.revision.origin_kind], [PAGE, "file_revert"]);
  assert.equal((await files(app.id, one.revision.id))[PAGE], texts[1]);
  const entry = await ada.refused("POST", `/${app.id}/builder/revert-file`, {
    base_revision_id: one.revision.id,
    path: "src/none.ts",
    from_revision_id: all[2],
  });
  assert.deepEqual(entry, [404, "NOT_FOUND"]);
  const compared = await ada.good("GET", `/${app.id}/builder/diff?from=${all[1]}&to=${all[2]}`);
  assert.deepEqual(
    compared.files.map((file: { path: string; status: string }) => [file.path, file.status]),
    [[PAGE, "modified"]],
  );
  const reset = await ada.good<Version>("POST", `/${app.id}/builder/template-reset`, {
    base_revision_id: one.revision.id,
    template_key: "blank-react",
  });
  assert.deepEqual(
    [reset.origin_kind, reset.files],
    ["template_reset", await files(app.id, all[0])],
  );
  const strange = { base_revision_id: reset.id, template_key: "none" };
  assert.deepEqual(await ada.refused("POST", `/${app.id}/builder/template-reset`, strange), [
    400,
    "TEMPLATE_UNKNOWN",
  ]);
});

test("the file that starts an app is not taken back to where it was not there", async () => {
  const app = await ada.make("Entry", { settings: { save_gate: "check" } });
  const base = app.current_draft_revision_id;
  const all = await files(app.id, base);
  const moved = await saved(app.id, base, [
    { op: "rename_file", from_path: "src/main.tsx", to_path: "src/start.tsx" },
    write("index.html", all["index.html"].replace("/src/main.tsx", "/src/start.tsx")),
  ]);
  assert.equal(moved.entry_file, "src/start.tsx");
  const refused = await ada.refused("POST", `/${app.id}/builder/revert-file`, {
    base_revision_id: moved.id,
    path: "src/start.tsx",
    from_revision_id: base,
  });
  assert.deepEqual(refused, [409, "REVERT_REMOVES_ENTRY"]);
});

test("what was not built has no preview, and without an origin there is none at all", async () => {
  const app = await ada.make("Unbuilt");
  const { preview_url } = await ada.good(
    "POST",
    `/${app.id}/builder/revisions/${app.current_draft_revision_id}/preview-token`,
  );
  const answer = await fetched(preview_url);
  assert.deepEqual([answer.status, JSON.parse(answer.body).error.code], [404, "BUILD_NOT_READY"]);
  const bare = await startEdge({ variables: { PREVIEW_ORIGIN: "" } });
  try {
    const who = await maker(bare, "ada");
    const made = await who.make("Bare");
    const path = `/${made.id}/builder/revisions/${made.current_draft_revision_id}/preview-token`;
    assert.deepEqual(await who.refused("POST", path), [503, "PREVIEW_ORIGIN_MISSING"]);
    assert.deepEqual(await who.refused("POST", `/${made.id}/publish`, {}), [
      503,
      "PREVIEW_ORIGIN_MISSING",
    ]);
  } finally {
    await bare.stop();
  }
});

test("checkpoints are named, renamed, restored and forgotten", async () => {
  const app = await ada.make("Checkpoints");
  const base = app.current_draft_revision_id;
  const path = `/${app.id}/builder/checkpoints`;
  const made = await ada.good("POST", path, { label: "First" });
  assert.deepEqual([made.revision_id, made.checkpoint_type], [base, "named"]);
  const next = await saved(app.id, base, [write(PAGE, page("later"))]);
  const renamed = await ada.good("PATCH", `${path}/${made.id}`, { label: "Start" });
  assert.equal(renamed.label, "Start");
  const list = await ada.good<{ items: Version[] }>("GET", `/${app.id}/builder/revisions`);
  assert.deepEqual(
    list.items.map((one) => (one as Version & { label: string | null }).label),
    [null, "Start"],
  );
  const restored = await ada.good<Step>("POST", `${path}/${made.id}/restore`, {
    base_revision_id: next.id,
  });
  assert.deepEqual(await files(app.id, restored.revision.id), await files(app.id, base));
  assert.equal((await ada.good("DELETE", `${path}/${made.id}`)).status, "deleted");
  const gone = [404, "NOT_FOUND"];
  assert.deepEqual(await ada.refused("DELETE", `${path}/${made.id}`), gone);
  assert.deepEqual(await ada.refused("PATCH", `${path}/${made.id}`, { label: "x" }), gone);
  const again = { base_revision_id: restored.revision.id };
  assert.deepEqual(await ada.refused("POST", `${path}/${made.id}/restore`, again), gone);
});

test("lists, bodies and answers keep the conventions of these routes", async () => {
  const app = await ada.make("Conventions");
  const list = `/${app.id}/builder/revisions`;
  assert.deepEqual(await ada.refused("GET", `${list}?limit=101`), [422, "INVALID_INPUT"]);
  assert.deepEqual(await ada.refused("GET", `${list}?limit=0`), [422, "INVALID_INPUT"]);
  assert.deepEqual(await ada.refused("GET", `${list}?cursor=none`), [422, "INVALID_INPUT"]);
  assert.deepEqual(await ada.refused("POST", "", "{"), [422, "INVALID_INPUT"]);
  const large = { name: "x".repeat(300_000) };
  assert.deepEqual(await ada.refused("POST", "", large), [413, "INPUT_TOO_LARGE"]);
  const named = await ada.ask("GET", `/${app.id}`, undefined, { "x-request-id": "req-7" });
  assert.equal(named.headers.get("x-request-id"), "req-7");
  const unnamed = await ada.ask("GET", "/app_none");
  assert.match(unnamed.headers.get("x-request-id") ?? "", /^req_/);
});

test("a key that is sent again makes nothing again", async () => {
  const headers = { "idempotency-key": "one" };
  const body = { name: "Once", template_key: "blank-react" };
  const first = await ada.ask<App>("POST", "", body, headers);
  const second = await ada.ask<App>("POST", "", body, headers);
  assert.deepEqual([first.status, second.status], [200, 200], second.raw);
  assert.equal(first.value.id, second.value.id);
});

test("addresses are words, taken once, and free when their app is gone", async () => {
  assert.deepEqual(await ada.refused("POST", "", { name: "x", slug: "No Slug" }), [
    400,
    "SLUG_INVALID",
  ]);
  assert.deepEqual(await ada.refused("POST", "", { name: "" }), [422, "INVALID_INPUT"]);
  const settings = { env: { VITE_KEY: "sk-123456" } };
  assert.deepEqual(await ada.refused("POST", "", { name: "x", settings }), [
    422,
    "ENV_SECRET_VALUE",
  ]);
  const app = await ada.make("My App");
  assert.equal(app.slug, "my-app");
  const second = await ada.make("My App");
  assert.equal(second.slug, "my-app-2");
  assert.deepEqual(await bob.refused("POST", "", { name: "x", slug: "my-app" }), [
    409,
    "SLUG_TAKEN",
  ]);
  const renamed = await ada.good<App>("PATCH", `/${second.id}`, {
    name: "Other",
    slug: "other-app",
  });
  assert.equal(renamed.slug, "other-app");
  const freed = await bob.make("Freed", { slug: "my-app-2" });
  assert.equal(freed.slug, "my-app-2");
  assert.deepEqual(await ada.refused("PATCH", `/${app.id}`, { status: "published" }), [
    400,
    "STATUS_NOT_SETTABLE",
  ]);
  const gone = await ada.good("DELETE", `/${app.id}`);
  assert.deepEqual(gone, { status: "deleted", id: app.id });
  assert.deepEqual(await ada.refused("GET", `/${app.id}`), [404, "NOT_FOUND"]);
  const taken = await bob.make("Mine", { slug: "my-app" });
  assert.equal(taken.slug, "my-app");
  assert.deepEqual(
    await bob.refused("GET", `/${second.id}`),
    [404, "NOT_FOUND"],
    "of another user",
  );
  const listed = await ada.good<{ items: App[] }>("GET", "");
  assert.ok(listed.items.some((item) => item.id === second.id && item.slug === "other-app"));
  assert.ok(!listed.items.some((item) => item.id === app.id || item.id === taken.id));
});

test("what is not saved yet is kept, as it is, one set a user", async () => {
  const app = await ada.make("Kept");
  const path = `/${app.id}/builder/working-copy`;
  assert.equal(await ada.good("GET", path), null, "nothing is kept, which is no failure");
  const work = {
    base_revision_id: app.current_draft_revision_id,
    files: { "src/App.tsx": "not (yet" },
  };
  const kept = await ada.good("PUT", path, work);
  assert.deepEqual([kept.files, kept.base_revision_id], [work.files, work.base_revision_id]);
  assert.deepEqual((await ada.good("GET", path)).files, work.files);
  assert.equal((await ada.show(app.id)).current_draft_revision_id, app.current_draft_revision_id);
});

test("what was removed answers 410, and public routes know published apps alone", async () => {
  const gone = await edge.ask("GET", "/public/apps/none/ui");
  assert.deepEqual([gone.status, gone.value.error.code], [410, "UI_SOURCE_MODE_REMOVED"]);
  const none = await edge.ask("GET", "/public/apps/nowhere-app/runtime");
  assert.deepEqual([none.status, none.value.error.code], [404, "NOT_FOUND"]);
  const preview = await edge.ask("GET", "/public/apps/preview/revisions/rev_1/runtime");
  assert.deepEqual([preview.status, preview.value.error.code], [401, "PREVIEW_TOKEN_REQUIRED"]);
  const forged = await edge.ask(
    "GET",
    "/public/apps/preview/revisions/rev_1/runtime?preview_token=v1.e30.x",
  );
  assert.deepEqual([forged.status, forged.value.error.code], [401, "PREVIEW_TOKEN_INVALID"]);
});
