// Projects at the edge: making, listing, naming, copying, removing; envelopes; who may see what (crew-package.md §7,
// ai-sessions.md §1).
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listed, Project, ProjectItem } from "@holdpoint/core/crew";
import { during } from "../during.ts";
import { type Person, startCrew } from "./crew.ts";

const { edge, ada, bob } = await during(startCrew());

test("a project is made, shown, listed, renamed and removed", async () => {
  const made = await ada.ask<Project>("POST", "/projects", { body: { name: " Desk ", more: 1 } });
  assert.deepEqual([made.status, made.error], [201, null]);
  const { projectId } = made.data;
  assert.match(projectId, /^prj_[0-9A-Z]{26}$/);
  const { createdAt, updatedAt, ...rest } = made.data;
  assert.ok(createdAt > 0 && updatedAt >= createdAt);
  assert.deepEqual(rest, {
    projectId,
    name: "Desk",
    revision: 1,
    workflows: [],
    agents: 0,
    agentsRevision: 1,
    assets: { count: 0, bytes: 0 },
    assetsRevision: 1,
    canUndo: false,
    canRedo: false,
    check: { ok: false, errors: 2, warnings: 0 },
  });
  assert.deepEqual(await ada.show(projectId), made.data);
  const listed = async () =>
    (await ada.good<Listed<ProjectItem>>("GET", "/projects")).items.find(
      (item) => item.projectId === projectId,
    );
  assert.equal((await listed())?.name, "Desk");
  const renamed = await ada.good<Project>("PUT", `/projects/${projectId}`, {
    body: { name: "Board" },
    seen: 1,
  });
  assert.deepEqual([renamed.name, renamed.revision, renamed.canUndo], ["Board", 2, true]);
  const item = await listed();
  assert.deepEqual([item?.name, item?.revision], ["Board", 2], "the list follows the title");
  const gone = await ada.good("DELETE", `/projects/${projectId}`);
  assert.deepEqual(gone, { deleted: true, warnings: [] });
  assert.equal(await listed(), undefined);
  const absent = [404, "PROJECT_NOT_FOUND"];
  assert.deepEqual(await ada.refused("GET", `/projects/${projectId}`), absent);
  assert.deepEqual(await ada.refused("DELETE", `/projects/${projectId}`), absent);
});

test("names have limits, and a blank one is Untitled", async () => {
  assert.equal((await ada.good("POST", "/projects", { body: { name: "  " } })).name, "Untitled");
  const long = await ada.ask("POST", "/projects", { body: { name: "å".repeat(201) } });
  assert.deepEqual([long.status, long.error.code], [400, "VALIDATION_ERROR"]);
  assert.deepEqual(
    long.error.details.diagnostics.map(({ code, pointer }) => [code, pointer]),
    [["NAME_INVALID", "/name"]],
  );
  assert.equal(
    (await ada.ask("POST", "/projects", { body: { name: "å".repeat(200) } })).status,
    201,
  );
  for (const [body, pointer] of [
    [{}, "/name"],
    [{ name: 7 }, "/name"],
    ["{", ""],
    ["[]", ""],
    ['{"name": "a", "name": "b"}', ""],
  ] as [unknown, string][]) {
    const wrong = await ada.ask("POST", "/projects", { body });
    assert.deepEqual(
      [wrong.status, wrong.error.code],
      [422, "INVALID_INPUT"],
      JSON.stringify(body),
    );
    assert.equal(wrong.error.details.pointer, pointer, JSON.stringify(body));
  }
});

test("everything of somebody else answers as what is not there", async () => {
  const project = await ada.furnished();
  await ada.good("POST", `/projects/${project}/assets`, {
    body: { path: "assets/a.md", content: "a" },
  });
  const before = await ada.bundle(project);
  const routes: [string, string, unknown?][] = [
    ["GET", ""],
    ["PUT", "", { name: "Mine" }],
    ["DELETE", ""],
    ["POST", "/duplicate", { name: "Mine" }],
    ["POST", "/undo"],
    ["POST", "/redo"],
    ["GET", "/bundle"],
    ["GET", "/revisions"],
    ["GET", "/revisions/1"],
    ["POST", "/revisions/1/restore"],
    ["GET", "/search?q=a"],
    ["GET", "/export"],
    ["GET", "/workflows"],
    ["POST", "/workflows", { name: "Mine" }],
    ["GET", "/workflows/1"],
    ["PUT", "/workflows/1", { name: "Mine" }],
    ["DELETE", "/workflows/1"],
    ["POST", "/workflows/1/duplicate", { name: "Mine" }],
    ["GET", "/agents"],
    ["PUT", "/agents", { agents: [] }],
    ["GET", "/assets"],
    ["POST", "/assets", { path: "assets/b.md", content: "" }],
    ["PUT", "/assets", { path: "assets/a.md", content: "" }],
    ["DELETE", "/assets", { path: "assets/a.md" }],
  ];
  const told = async (
    person: Person,
    id: string,
    [method, below, body]: [string, string, unknown?],
  ) => {
    const got = await person.ask(method, `/projects/${id}${below}`, { body });
    return [got.status, got.raw];
  };
  for (const route of routes) {
    const absent = await told(bob, "prj_NOBODY", route);
    assert.equal(absent[0], 404, `${route[0]} ${route[1]}`);
    assert.deepEqual(await told(bob, project, route), absent, `${route[0]} ${route[1]}`);
  }
  assert.deepEqual(await ada.bundle(project), before, "and nothing was changed");
  // Absent is said before anything of the body is.
  const wrong = await bob.refused("PUT", `/projects/${project}`, { body: { name: 7 } });
  assert.deepEqual(wrong, [404, "PROJECT_NOT_FOUND"]);
  assert.deepEqual((await bob.good<Listed<ProjectItem>>("GET", "/projects")).items, []);
});

test("packages are projects under another name, with the same answers", async () => {
  const project = await ada.furnished();
  for (const below of [
    "",
    "/bundle",
    "/workflows",
    "/workflows/1",
    "/agents",
    "/assets",
    "/revisions",
  ]) {
    const [one, other] = [`/projects/${project}${below}`, `/packages/${project}${below}`];
    assert.equal((await ada.ask("GET", other)).raw, (await ada.ask("GET", one)).raw, below);
  }
  await ada.good("PUT", `/packages/${project}`, { body: { name: "Alias" } });
  assert.equal((await ada.show(project)).name, "Alias");
});

test("a copy has the files and begins its own history", async () => {
  const project = await ada.furnished("First");
  const copied = await ada.ask<Project>("POST", `/projects/${project}/duplicate`, {
    body: { name: "Copy" },
  });
  assert.equal(copied.status, 201);
  const copy = copied.data;
  assert.deepEqual([copy.name, copy.revision, copy.canUndo], ["Copy", 1, false]);
  assert.deepEqual(
    [copy.agentsRevision, copy.assetsRevision, copy.workflows.map(({ revision }) => revision)],
    [1, 1, [1, 1]],
  );
  const [old, fresh] = [await ada.bundle(project), await ada.bundle(copy.projectId)];
  assert.match(fresh.files["bmad.json"], /"name": "Copy"/);
  const same = (files: Record<string, string>) => ({ ...files, "bmad.json": "" });
  assert.deepEqual(same(fresh.files), same(old.files));
  await ada.good("DELETE", `/projects/${project}`);
  assert.equal((await ada.show(copy.projectId)).check.ok, true, "it stands on its own");
});

test("projects are listed newest first, page by page", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) ids.push(await bob.project(`P${at}`));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page: Listed<ProjectItem> = await bob.good("GET", `/projects?limit=2${at}`);
    assert.ok(page.items.length <= 2);
    seen.push(...page.items.map((item) => item.projectId));
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(seen, ids.reverse());
  for (const [query, pointer] of [
    ["limit=0", "/limit"],
    ["limit=101", "/limit"],
    ["limit=x", "/limit"],
    ["cursor=nothing", "/cursor"],
  ]) {
    const wrong = await bob.ask("GET", `/projects?${query}`);
    assert.deepEqual(
      [wrong.status, wrong.error.code, wrong.error.details.pointer],
      [422, "INVALID_INPUT", pointer],
      query,
    );
  }
});

test("every answer is an envelope that names its request, also of what is not there", async () => {
  const named = await ada.ask("GET", "/projects", { headers: { "x-request-id": "mine-1" } });
  assert.equal(named.headers.get("x-request-id"), "mine-1");
  const cases: [string, string, number, string][] = [
    ["GET", "/projects/prj_1/nothing", 404, "NOT_FOUND"],
    ["PATCH", "/projects", 405, "METHOD_NOT_ALLOWED"],
    ["DELETE", "/packages/import", 405, "METHOD_NOT_ALLOWED"],
    ["GET", "/users/me", 404, "NOT_FOUND"],
    ["POST", "/projects/prj_1/ai/step-draft", 410, "AI_STEP_DRAFT_DEPRECATED"],
    ["PATCH", "/packages/prj_1/workflows/3/ai/step-draft", 410, "AI_STEP_DRAFT_DEPRECATED"],
  ];
  for (const [method, path, status, code] of cases) {
    const headers = { "x-request-id": "no good!" };
    const got = await edge.ask(method, path, { headers });
    assert.deepEqual([got.status, got.value.error.code], [status, code], `${method} ${path}`);
    assert.equal((got.value as unknown as { data: unknown }).data, null);
    assert.match(got.headers.get("x-request-id") ?? "", /^req_/, `${method} ${path}`);
  }
});

test("who asks is looked at before anything else", async () => {
  const cases: [Record<string, string>, number, string][] = [
    [{}, 401, "AUTH_MISSING_TOKEN"],
    [{ authorization: "Bearer nonsense" }, 401, "AUTH_INVALID_TOKEN"],
    [{ authorization: "Basic abc" }, 401, "AUTH_INVALID_TOKEN"],
  ];
  for (const [headers, status, code] of cases) {
    const got = await edge.ask("POST", "/projects", { headers, body: { name: 7 } });
    assert.deepEqual([got.status, got.value.error.code], [status, code]);
  }
  const { admin_token: token } = await edge.keys();
  const key = async (more: object): Promise<string> => {
    const body = { label: "k", user_id: "ada", scopes: ["edit"], ...more };
    const made = await edge.ask<{ key: string; id: string }>("POST", "/gateway/v1/keys", {
      token,
      body,
    });
    if ("revoke" in more)
      await edge.ask("POST", `/gateway/v1/keys/${made.value.id}/revoke`, { token });
    return made.value.key;
  };
  const told = async (token: string) => {
    const got = await edge.ask("GET", "/projects", { token });
    return [got.status, got.value.error?.code];
  };
  assert.deepEqual(await told(await key({ expires_at: 1 })), [401, "AUTH_TOKEN_EXPIRED"]);
  assert.deepEqual(await told(await key({ revoke: true })), [401, "AUTH_INVALID_TOKEN"]);
  assert.deepEqual(await told(await key({ scopes: ["llm"] })), [403, "SCOPE_DENIED"]);
});

test("a refusal is said in the language of its reader, its code in none", async () => {
  const say = async (language: string) => {
    const headers = { "accept-language": language };
    const got = await ada.ask("GET", "/projects/prj_1", { headers });
    assert.equal(got.error.code, "PROJECT_NOT_FOUND");
    return got.error.message;
  };
  const english = "There is no such project. List your projects.";
  assert.equal(await say("fr, en;q=0.5"), english);
  assert.equal(await say("sv-SE, en;q=0.5"), "Projektet finns inte. Lista dina projekt.");
  assert.equal(await say("zh-CN"), "没有这个项目。请列出你的项目。");
  const headers = { "accept-language": "sv" };
  const shape = await ada.ask("POST", "/projects", { body: "[]", headers });
  assert.equal(shape.error.message, "Skicka ett JSON-objekt.", "of other families too");
});

test("bodies are read up to 4 MiB", async () => {
  const name = "x".repeat(4 << 20);
  const large = await ada.ask("POST", "/projects", { body: { name } });
  assert.deepEqual([large.status, large.error.code], [413, "INPUT_TOO_LARGE"]);
  assert.equal(large.error.details.limit, "MAX_BODY_BYTES");
  const media = await ada.ask("POST", "/projects", {
    body: "name=a",
    headers: { "content-type": "text/plain" },
  });
  assert.deepEqual([media.status, media.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"]);
});

test("a page of another origin may send what it needs", async () => {
  const asked = "authorization,content-type,x-request-id,idempotency-key,if-match,last-event-id";
  const origin = new URL(edge.url).origin;
  const headers = {
    origin,
    "access-control-request-method": "PUT",
    "access-control-request-headers": asked,
  };
  const got = await edge.ask("OPTIONS", "/projects/prj_1", { headers });
  assert.equal(got.status, 204);
  const allowed = (got.headers.get("access-control-allow-headers") ?? "").split(/, */);
  for (const name of asked.split(",")) assert.ok(allowed.includes(name), name);
  assert.match(got.headers.get("access-control-allow-methods") ?? "", /PUT.*DELETE/);
  assert.ok(got.headers.get("x-request-id"));
});

test("a request with a key is done once", async () => {
  const key = "once 1";
  const first = await bob.ask<Project>("POST", "/projects", { body: { name: "Once" }, key });
  const again = await bob.ask<Project>("POST", "/projects", { body: { name: "Once" }, key });
  assert.deepEqual([again.status, again.data], [201, first.data]);
  const other = await bob.ask("POST", "/projects", { body: { name: "Twice" }, key });
  assert.deepEqual([other.status, other.error.code], [409, "IDEMPOTENCY_CONFLICT"]);
  const anothers = await ada.good<Project>("POST", "/projects", { body: { name: "Once" }, key });
  assert.notEqual(anothers.projectId, first.data.projectId, "a key is its user's");
  const listed = (await bob.good<Listed<ProjectItem>>("GET", "/projects")).items;
  assert.equal(listed.filter((item) => item.name === "Once").length, 1);

  const at = `/projects/${first.data.projectId}`;
  const workflow = { body: { name: "W" }, key: "w" };
  const made = await bob.good("POST", `${at}/workflows`, workflow);
  assert.deepEqual(await bob.good("POST", `${at}/workflows`, workflow), made);
  assert.equal((await bob.show(first.data.projectId)).workflows.length, 1);
  assert.deepEqual(await bob.refused("POST", `${at}/undo`, { key: "w" }), [
    409,
    "IDEMPOTENCY_CONFLICT",
  ]);
  const copy = { body: { name: "Copy" }, key: "c" };
  const copied = await bob.good<Project>("POST", `${at}/duplicate`, copy);
  assert.equal(
    (await bob.good<Project>("POST", `${at}/duplicate`, copy)).projectId,
    copied.projectId,
  );
  // What was refused was not done: with what was missing it is.
  const asset = { body: { path: "assets/a.md", content: "a" }, key: "a" };
  await bob.good("POST", `${at}/assets`, { ...asset, key: "b" });
  assert.deepEqual(await bob.refused("POST", `${at}/assets`, asset), [409, "ASSET_EXISTS"]);
  await bob.good("DELETE", `${at}/assets`, { body: { path: "assets/a.md" } });
  await bob.good("POST", `${at}/assets`, asset);
  for (const wrong of ["x".repeat(129), "å"]) {
    const headers = { "idempotency-key": wrong === "å" ? "\u00e5" : wrong };
    const got = await bob.ask("POST", "/projects", { body: { name: "K" }, headers });
    assert.deepEqual([got.status, got.error.code], [422, "INVALID_INPUT"]);
  }
});
