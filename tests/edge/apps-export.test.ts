// Versions as git takes them, renewed locks and set-ups of services on the real stack (app-builder.md §3, §11).
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type App, type Maker, maker, type Signable, signed, type Version } from "./apps.ts";
import { type Edge, startEdge } from "./workerd.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const PROGRAM = process.env.HOLDPOINT ?? join(root, "target/debug/holdpoint");

let edge: Edge;
let ada: Maker;
const folder = mkdtempSync(join(tmpdir(), "holdpoint-export-"));

before(async () => {
  edge = await startEdge({ runner: true });
  ada = await maker(edge, "ada");
});
after(async () => {
  await edge?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A proposal, as far as tests look into it. */
interface Proposal extends Signable {
  id: string;
  confirm_token: string | null;
  files: { path: string; status: string }[];
  assumptions: string[];
  state: string;
}

const write = (path: string, content: string) => ({ op: "upsert_file", path, content });

async function saved(app: App, base: string, operations: object[]): Promise<Version> {
  const body = { base_revision_id: base, operations };
  return ada.good<Version>("POST", `/${app.id}/builder/revisions`, body);
}

/** An app whose saves are only checked, with a first and a second version. */
async function twoVersions(name: string): Promise<[App, string, Version]> {
  const app = await ada.make(name, { settings: { save_gate: "check" } });
  const first = app.current_draft_revision_id;
  const second = await saved(app, first, [
    write("docs/two words.md", "a\r\nb"),
    write("docs/Über.md", "ü\n"),
    { op: "delete_file", path: "README.md" },
  ]);
  return [app, first, second];
}

/** The files of a version, as they lie on disk. */
async function filesOf(app: App, revision: string): Promise<Record<string, string>> {
  const path = `/${app.id}/builder/revisions/${revision}?include=files`;
  return (await ada.good<Version>("GET", path)).files ?? {};
}

function git(at: string, args: string[], input?: string): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: join(folder, "gitconfig") };
  return execFileSync("git", args, { cwd: at, encoding: "utf8", env, input });
}

/** Files of a commit, by path. */
function committed(at: string, commit: string): Record<string, string> {
  const paths = git(at, ["ls-tree", "-r", "-z", "--name-only", commit]).split("\0").filter(Boolean);
  return Object.fromEntries(paths.map((path) => [path, git(at, ["show", `${commit}:${path}`])]));
}

/** A repository without a commit. */
function repository(): string {
  const at = mkdtempSync(join(folder, "clone-"));
  const who = "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n";
  writeFileSync(join(folder, "gitconfig"), who);
  git(at, ["init", "--quiet"]);
  return at;
}

test("a version is exported as a patch, as a commit and as an archive, the same each time", async () => {
  const [app, first, second] = await twoVersions("Export");
  const path = (query: string) => `/${app.id}/builder/export?${query}`;
  const pair = `from=${first}&to=${second.id}`;
  const patch = await ada.ask("GET", path(`${pair}&format=patch`));
  assert.equal(patch.status, 200, patch.raw);
  assert.match(patch.headers.get("content-type") ?? "", /^text\/x-diff/);
  assert.match(patch.raw, /^--- \/dev\/null\n\+\+\+ b\/docs\/two words\.md\t$/m);
  assert.match(patch.raw, /^\+\+\+ "b\/docs\/\\303\\234ber\.md"$/m);
  assert.equal((await ada.ask("GET", path(`${pair}&format=patch`))).raw, patch.raw);

  const at = repository();
  git(at, ["apply", "--index", "-"], (await ada.ask("GET", path(`to=${first}`))).raw);
  git(at, ["apply", "--index", "-"], patch.raw);
  assert.deepEqual(committed(at, git(at, ["write-tree"]).trim()), await filesOf(app, second.id));

  const commit = await ada.good("GET", path(`${pair}&format=commit`));
  assert.deepEqual([commit.deleted, commit.author], [["README.md"], "ada"]);
  assert.equal(commit.files_hash, second.files_hash);
  assert.deepEqual(
    commit.changes.map((one: { path: string; status: string }) => [one.path, one.status]),
    [
      ["docs/two words.md", "added"],
      ["docs/Über.md", "added"],
    ],
  );
  // The draft is what is taken where nothing is named.
  assert.equal((await ada.good("GET", path("format=commit"))).files_hash, second.files_hash);

  const url = `${edge.url}/admin/apps${path(`to=${second.id}&format=zip`)}`;
  const zip = async () => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${ada.token}` } });
    assert.equal(answer.headers.get("content-type"), "application/zip");
    return Buffer.from(await answer.arrayBuffer());
  };
  const bytes = await zip();
  assert.equal(bytes.subarray(0, 2).toString(), "PK");
  assert.deepEqual(await zip(), bytes);

  const missing = [404, "NOT_FOUND"];
  assert.deepEqual(await ada.refused("GET", path("to=rev_99")), missing);
  assert.deepEqual(await ada.refused("GET", path(`from=rev_99&to=${first}`)), missing);
  assert.deepEqual(await ada.refused("GET", path("format=tar")), [422, "INVALID_INPUT"]);
  const bob = await maker(edge, "bob");
  assert.deepEqual(await bob.refused("GET", path(`to=${first}`)), missing);
});

test("the command line makes a commit in somebody's clone and touches nothing else", async () => {
  const [app, first, second] = await twoVersions("Clone");
  const at = repository();
  const run = (args: string[], key = ada.token) => {
    const all = ["app", "export", app.id, "--edge", edge.url, "--into", at, ...args];
    const env = {
      ...process.env,
      GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
      HOLDPOINT_KEY: key,
    };
    return spawnSync(PROGRAM, all, { encoding: "utf8", env });
  };
  const good = (args: string[]) => {
    const done = run(args);
    assert.equal(done.status, 0, done.stderr);
    assert.match(done.stdout, /Nothing was pushed/);
  };
  const refused = (args: string[], why: RegExp, key?: string) => {
    const done = run(args, key);
    assert.equal(done.status, 2, done.stdout);
    assert.match(done.stderr, why);
  };

  good(["--branch", "ideas/one", "--to", first]);
  assert.deepEqual(committed(at, "ideas/one"), await filesOf(app, first));
  git(at, ["switch", "--quiet", "ideas/one"]);
  good(["--branch", "ideas/two", "--from", first]);
  assert.deepEqual(committed(at, "ideas/two"), await filesOf(app, second.id));
  assert.equal(git(at, ["rev-parse", "ideas/two^"]), git(at, ["rev-parse", "ideas/one"]));
  assert.match(git(at, ["log", "-1", "--format=%an %B", "ideas/two"]), /^Ada Version .*rev_/s);
  assert.equal(git(at, ["branch", "--show-current"]).trim(), "ideas/one");
  assert.equal(git(at, ["status", "--porcelain"]), "");

  refused(["--branch", "ideas/two", "--from", first], /has a branch `ideas\/two` already/);
  refused(["--branch", "a..b"], /no name of a branch/);
  refused(["--branch", "three"], /does not fit what is checked out/);
  refused(["--branch", "three", "--from", second.id], /holds this version already/);
  refused(["--branch", "three", "--to", "rev_99"], /\(NOT_FOUND\)/);
  refused(["--branch", "three"], /\(AUTH_INVALID_TOKEN\)/, "wrong");
  writeFileSync(join(at, "index.html"), "changed\n");
  refused(["--branch", "three", "--from", first], /not committed/);
  assert.equal(readFileSync(join(at, "index.html"), "utf8"), "changed\n");
  assert.equal(git(at, ["branch", "--list", "three"]), "");
});

async function applied(app: App, proposal: Proposal): Promise<Version> {
  const body = { ...signed(proposal), confirm_token: proposal.confirm_token };
  return ada.good("POST", `/${app.id}/builder/proposals/${proposal.id}/apply`, body);
}

test("a lock is renewed as a proposal, and not where it fits", async () => {
  const app = await ada.make("Lock", { settings: { save_gate: "check" } });
  const path = `/${app.id}/builder/lock`;
  const body = { base_revision_id: app.current_draft_revision_id };
  assert.deepEqual(await ada.refused("POST", path, {}), [400, "BASE_REVISION_REQUIRED"]);
  assert.deepEqual(await ada.refused("POST", path, { base_revision_id: "rev_0" }), [
    409,
    "REVISION_CONFLICT",
  ]);
  const headers = { "idempotency-key": "lock-once" };
  const asked = await ada.ask<Proposal>("POST", path, body, headers);
  assert.equal(asked.status, 200, asked.raw);
  assert.equal((await ada.ask<Proposal>("POST", path, body, headers)).value.id, asked.value.id);
  const { files, state } = asked.value;
  assert.deepEqual([files.map((file) => file.path), state], [["package-lock.json"], "open"]);
  const draft = await applied(app, asked.value);
  assert.equal(draft.origin_kind, "scaffold");
  const lock = JSON.parse((await filesOf(app, draft.id))["package-lock.json"] ?? "");
  assert.ok(lock.packages["node_modules/react"]);
  assert.deepEqual(await ada.refused("POST", path, { base_revision_id: draft.id }), [
    422,
    "INVALID_INPUT",
  ]);
});

test("a lock of a registry is made by the runner", async () => {
  const settings = { save_gate: "check", dependency_policy: "registry-pinned" };
  const app = await ada.make("Registry", { settings });
  const body = { base_revision_id: app.current_draft_revision_id };
  const proposal = await ada.good<Proposal>("POST", `/${app.id}/builder/lock`, body);
  assert.deepEqual(
    proposal.files.map((file) => file.path),
    ["package-lock.json"],
  );
  const draft = await applied(app, proposal);
  assert.match(
    (await filesOf(app, draft.id))["package-lock.json"] ?? "",
    /node_modules\/react-dom/,
  );
});

test("a service is set up as a proposal whose result builds", async () => {
  const app = await ada.make("Set up");
  await ada.built(app.id, app.current_draft_revision_id);
  const path = `/${app.id}/builder/scaffolds`;
  const all = await ada.good<{ key: string; fields: { name: string; example: string }[] }[]>(
    "GET",
    path,
  );
  assert.deepEqual(
    all.map((one) => one.key),
    ["form-endpoint", "oidc-login", "rest-api"],
  );
  let draft = app.current_draft_revision_id;
  for (const { key, fields } of all) {
    const values = Object.fromEntries(fields.map((field) => [field.name, field.example]));
    const body = { base_revision_id: draft, values };
    const proposal = await ada.good<Proposal>("POST", `${path}/${key}`, body);
    assert.ok(proposal.assumptions.length > 0 && proposal.files.length === 2, key);
    assert.ok(proposal.files.every((file) => file.status === "added"));
    // The gate of the app builds what is applied: types and bundle.
    const version = await applied(app, proposal);
    assert.equal(version.origin_kind, "scaffold");
    const build = await ada.built(app.id, version.id);
    assert.equal(build.build_status, "succeeded", `${key}: ${build.log_tail}`);
    draft = version.id;
  }
  const body = { base_revision_id: draft, values: { base_url: "javascript:alert(1)" } };
  const wrong = await ada.ask("POST", `${path}/rest-api`, body);
  assert.deepEqual(
    [wrong.status, wrong.value.error.code, wrong.value.error.details.pointer],
    [422, "INVALID_INPUT", "/values/base_url"],
  );
  assert.deepEqual(await ada.refused("POST", `${path}/none`, body), [404, "NOT_FOUND"]);
});
