// Results of proposals before they are applied: built when they are looked at, shown, and applied as they were built
// (app-builder.md §10 "Proposals").
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type App,
  atScriptedEdge,
  fetched,
  heard,
  type Maker,
  type Signable,
  signed,
  type Version,
  whole,
} from "./apps.ts";
import { eventually } from "./workerd.ts";

/** What the scripted model changes: a component, an import of it, and its place. */
const REQUEST = "Add a note about opening hours below the heading.";
const WORDS = "Open on Saturdays";
let ada: Maker;
atScriptedEdge((maker) => {
  ada = maker;
});

interface Result extends Signable {
  preview_url: string | null;
  build: { status: string; code: string | null; diagnostics: { path?: string }[] } | null;
  files: { path: string; diff: { hunks: { id: string }[] } }[];
}

type Choices = Record<string, boolean | string[]>;

/** A proposal on a new app: its address, and the parts of its change to the page. */
async function proposed(name: string): Promise<{ app: App; path: string; hunks: string[] }> {
  const app = await ada.make(name);
  await ada.built(app.id, app.current_draft_revision_id);
  const answer = await ada.ask("POST", `/${app.id}/builder/chat/stream`, {
    input: REQUEST,
    base_revision_id: app.current_draft_revision_id,
  });
  const { outcome, proposal_id } = whole(heard(answer.raw)).data;
  assert.equal(outcome, "succeeded");
  const path = `/${app.id}/builder/proposals/${proposal_id}`;
  const { files } = await ada.good<Result>("GET", path);
  const hunks = files.find((file) => file.path === "src/App.tsx")?.diff.hunks.map(({ id }) => id);
  assert.equal(hunks?.length, 2);
  return { app, path, hunks: hunks ?? [] };
}

const looked = (path: string, accept?: Choices): Promise<Result> =>
  ada.good<Result>("POST", `${path}/preview`, accept ? { accept } : {});

/** The end of the build of a choice. */
const ended = (path: string, accept: Choices): Promise<Result> =>
  eventually(
    async () => {
      const value = await looked(path, accept);
      return { ok: value.preview_url !== null || value.build?.status === "failed", value };
    },
    { ms: 120_000, every: 100 },
  );

/** All scripts of a page, as one text. */
async function scripts(address: string): Promise<string> {
  const { body } = await fetched(address);
  const names = [...body.matchAll(/src="\.\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name);
  assert.ok(names.length > 0, body);
  const all = await Promise.all(names.map((name) => fetched(address + name)));
  return all.map((one) => one.body).join("");
}

test("a picked result is built when it is looked at, and applied as it was built", async () => {
  const { app, path } = await proposed("Picked");
  const all = await looked(path);
  assert.deepEqual([all.build, typeof all.preview_url], [null, "string"], "the run built it");
  assert.ok((await scripts(all.preview_url ?? "")).includes(WORDS));

  const accept = { "src/App.tsx": false };
  const first = await looked(path, accept);
  assert.deepEqual([first.preview_url, first.build?.status], [null, "queued"]);
  const draft = await ada.show(app.id);
  assert.equal(
    draft.current_draft_revision_id,
    app.current_draft_revision_id,
    "nothing is written",
  );
  const built = await ended(path, accept);
  assert.equal(built.build, null);
  assert.ok(
    !(await scripts(built.preview_url ?? "")).includes(WORDS),
    "what was left is not in it",
  );

  const version = await ada.good<Version>("POST", `${path}/apply`, { ...signed(built), accept });
  assert.deepEqual(
    Object.keys(version.files ?? {}).filter((name) => name.endsWith("Hours.tsx")),
    ["src/Hours.tsx"],
  );
  assert.equal((await ada.built(app.id, version.id)).build_status, "succeeded");
});

test("a picked result that does not build says why, is not built again, and is not applied", async () => {
  const { app, path, hunks } = await proposed("Broken");
  // It is used and not imported: the check reads no types.
  const accept = { "src/App.tsx": [hunks[1] ?? ""] };
  const { build, ...result } = await ended(path, accept);
  assert.deepEqual([build?.status, build?.code], ["failed", "TYPECHECK_FAILED"]);
  assert.ok(build?.diagnostics.some((found) => found.path === "src/App.tsx"));
  assert.deepEqual((await looked(path, accept)).build, build, "the same input has the same fault");
  const body = { ...signed(result), accept };
  assert.deepEqual(await ada.refused("POST", `${path}/apply`, body), [
    422,
    "BUILDER_COMPILE_FAILED",
  ]);
  const { current_draft_revision_id: draft } = await ada.show(app.id);
  assert.equal(draft, app.current_draft_revision_id);
  assert.equal(typeof (await looked(path)).preview_url, "string", "the whole still stands");
});

test("of the choices of a proposal only the last one is built", async () => {
  const { path, hunks } = await proposed("Hurried");
  const one = { "src/App.tsx": false };
  const two = { "src/App.tsx": [hunks[0] ?? ""] };
  assert.equal((await looked(path, one)).build?.status, "queued");
  assert.equal((await looked(path, two)).build?.status, "queued");
  assert.equal(typeof (await ended(path, two)).preview_url, "string");
  const again = await looked(path, one);
  assert.deepEqual(
    [again.preview_url, again.build?.status],
    [null, "queued"],
    "its build was ended",
  );
  // An apply of what is being built waits for that build.
  const version = await ada.good<Version>("POST", `${path}/apply`, {
    ...signed(again),
    accept: one,
  });
  assert.equal(version.origin_kind, "coding_run");
});
