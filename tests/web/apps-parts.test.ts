// The pure parts of the pages of apps: what an event changes, what stays in the frame, three sides of files, what of a
// proposal is taken, the tree of files.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type {
  AppVersion,
  BuilderEvent,
  BuilderState,
  BuildState,
  ProposedFile,
} from "@holdpoint/core/apps";
import { modules, pageModules } from "./source.ts";

let facts: typeof import("../../www/app/src/pages/apps/facts.ts");
let merging: typeof import("../../www/app/src/pages/apps/merging.ts");
let picking: typeof import("../../www/app/src/pages/apps/picking.ts");
let folders: typeof import("../../www/elements/src/apps/folders.ts");

before(async () => {
  [facts, merging, picking] = await pageModules<[typeof facts, typeof merging, typeof picking]>(
    "pages/apps/facts.ts",
    "pages/apps/merging.ts",
    "pages/apps/picking.ts",
  );
  [folders] = await modules<[typeof folders]>("apps/folders.ts");
});

const version = (number: number, build_status: AppVersion["build_status"] = "queued") =>
  ({ id: `rev_${number}`, number, build_status }) as AppVersion;
const state = (number: number) =>
  ({
    app: { id: "app_1", name: "A", status: "draft", current_published_revision_id: null },
    current_draft_revision: version(number),
    current_published_revision: null,
    active_run: null,
  }) as BuilderState;
const built = (
  number: number,
  build_status: BuildState["build_status"],
  build_seq = number,
): BuilderEvent => ({
  event: "build",
  data: { revision_id: `rev_${number}`, build_status, build_seq } as BuildState,
});

test("a build of the draft moves its badge; one of an older version does not", () => {
  const begun = facts.factsOf(state(3));
  assert.equal(facts.phaseOf(begun), "queued");
  const running = facts.told(begun, built(3, "running"));
  assert.deepEqual([facts.phaseOf(running.facts), running.read], ["running", false]);
  const older = facts.told(running.facts, built(2, "failed"));
  assert.deepEqual([facts.phaseOf(older.facts), older.read], ["running", false]);
});

test("an earlier attempt that is told late changes nothing", () => {
  const second = facts.told(facts.factsOf(state(3)), built(3, "running", 5)).facts;
  assert.equal(facts.phaseOf(facts.told(second, built(3, "failed", 4)).facts), "running");
  assert.equal(facts.phaseOf(facts.told(second, built(3, "succeeded", 5)).facts), "succeeded");
});

test("the log that was read stays beside what events tell of the same attempt", () => {
  const failed = built(3, "failed") as Extract<BuilderEvent, { event: "build" }>;
  const logged = { ...failed, data: { ...failed.data, log_tail: "error" } };
  const known = facts.told(facts.factsOf(state(3)), logged).facts;
  assert.equal(facts.told(known, failed).facts.build?.log_tail, "error");
  assert.equal(facts.told(known, built(3, "queued", 9)).facts.build?.log_tail, "");
});

test("everybody is sent to the address that follows what is live, and to none while nothing is", () => {
  const { app } = facts.factsOf(state(3));
  const published_url = "http://a.example/apps/snags/rev_2/";
  const live = { ...app, status: "published" as const, published_url };
  assert.equal(facts.liveAddress(live), "http://a.example/apps/snags/");
  assert.equal(facts.liveAddress({ ...live, status: "draft" }), null);
  assert.equal(facts.liveAddress({ ...live, published_url: null }), null);
});

test("what this page has not seen is read: a newer version, a publication", () => {
  const begun = facts.factsOf(state(3));
  assert.equal(facts.told(begun, built(4, "running")).read, true);
  assert.equal(facts.told(begun, { event: "revision", data: { revision_id: "rev_4" } }).read, true);
  assert.equal(
    facts.told(begun, { event: "revision", data: { revision_id: "rev_3" } }).read,
    false,
  );
  const data = { status: "published" as const, revision_id: "rev_3", published_url: "http://a/" };
  const live = facts.told(begun, { event: "published", data });
  assert.equal(facts.told(live.facts, { event: "published", data }).read, false, "told again");
  assert.deepEqual(
    [live.facts.app.status, live.facts.app.name, live.read],
    ["published", "A", true],
  );
});

test("a gate is passed only where it is said so", () => {
  const said = { compile: true, tests: false, build: true, bundle: true };
  assert.deepEqual(facts.gatesOf(said), { compile: "passed", tests: "none", build: "passed" });
  assert.deepEqual(facts.gatesOf(), { compile: "none", tests: "none", build: "none" });
});

/** Texts meet where both are others than the base, as the engine says of one line. */
const checks = (clean: boolean) => ({
  call: async <T>(_method: string, { ours, theirs }: { ours?: string; theirs?: string }) =>
    ({ clean, text: clean ? `${theirs}${ours}` : null }) as T,
});

test("files of three sides: what one side changed is taken, by path", async () => {
  const base = { a: "1", b: "1", c: "1", d: "1", e: "1" };
  const mine = { a: "2", b: "1", d: "1", e: "2", new: "m" };
  const theirs = { a: "1", b: "2", c: "1", e: "2", other: "t" };
  const { files, meet } = await merging.merged(checks(false) as never, base, mine, theirs);
  assert.deepEqual(files, { a: "2", b: "2", e: "2", new: "m", other: "t" });
  assert.deepEqual(meet, []);
});

test("two changed texts are put together, or meet; nothing is taken then that somebody did not decide", async () => {
  const sides = [{ a: "1" }, { a: "m" }, { a: "t" }] as const;
  assert.deepEqual(await merging.merged(checks(true) as never, ...sides), {
    files: { a: "tm" },
    meet: [],
  });
  assert.deepEqual(await merging.merged(checks(false) as never, ...sides), {
    files: { a: "t" },
    meet: ["a"],
  });
});

test("an edit against a deletion meets, whichever side deleted", async () => {
  const deleted = await merging.merged(checks(true) as never, { a: "1" }, {}, { a: "2" });
  assert.deepEqual(deleted, { files: { a: "2" }, meet: ["a"] });
  const theirs = await merging.merged(checks(true) as never, { a: "1" }, { a: "2" }, {});
  assert.deepEqual(theirs, { files: {}, meet: ["a"] });
});

test("without the engine a person decides", async () => {
  const absent = {
    call: async () => {
      throw { code: "CHECK_NOT_LOADED", message: "" };
    },
  };
  const { meet } = await merging.merged(absent as never, { a: "1" }, { a: "m" }, { a: "t" });
  assert.deepEqual(meet, ["a"]);
});

const hunks = (...ids: string[]) => ({ hunks: ids.map((id) => ({ id })) }) as ProposedFile["diff"];
const files: ProposedFile[] = [
  { path: "a", status: "modified", diff: hunks("1", "2") },
  { path: "b", status: "added", diff: hunks("3") },
  { path: "c", status: "modified", diff: null },
];

test("all of a proposal is asked for without a choice; a part by file and by place", () => {
  const all = picking.all(files);
  assert.equal(picking.acceptOf(files, all), undefined);
  assert.equal(picking.countOf(files, all), 4);
  const part = picking.placed(all, "a", "2", false);
  assert.deepEqual(picking.acceptOf(files, part), { a: ["1"], b: true, c: true });
  assert.equal(picking.countOf(files, part), 3);
  assert.equal(picking.acceptOf(files, picking.placed(part, "a", "2", true)), undefined);
  const none = picking.placed(part, "a", "1", false);
  assert.deepEqual(picking.acceptOf(files, none), { a: false, b: true, c: true });
});

test("a file that has no places is taken whole or not", () => {
  const all = picking.all(files);
  const without = picking.placed(all, "b", "3", false);
  assert.deepEqual(picking.acceptOf(files, without), { a: true, b: false, c: true });
  const [a] = files;
  assert.deepEqual(a && picking.whole(a, false), []);
  const [, , c] = files;
  assert.equal(c && picking.whole(c, true), true);
});

test("a tree has folders before files, hides what is closed, and opens what a search finds", () => {
  const paths = ["src/b.ts", "src/A.ts", "src/lib/x.ts", "index.html", "a.md"];
  const shown = (closed: string[], search = "") =>
    folders.linesOf(paths, new Set(closed), search).map(({ path, depth }) => `${depth} ${path}`);
  assert.deepEqual(shown([]), [
    "0 src",
    "1 src/lib",
    "2 src/lib/x.ts",
    "1 src/A.ts",
    "1 src/b.ts",
    "0 a.md",
    "0 index.html",
  ]);
  assert.deepEqual(shown(["src"]), ["0 src", "0 a.md", "0 index.html"]);
  assert.deepEqual(shown(["src"], "X.ts"), ["0 src", "1 src/lib", "2 src/lib/x.ts"]);
});
