// What somebody hostile tries at crew routes: other people's objects by every route, tokens of other changes,
// headers, names and keys in strange spellings; and findings in the language of their reader (crew-package.md §10,
// ai-sessions.md §1, §8, §12).
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Person, startCrew, type Told } from "./crew.ts";
import type { NewKey } from "./gateway.ts";
import { own, secrets } from "./profile.ts";
import { asset, business, edit, gone, type Preview, Session, type Target } from "./proposals.ts";
import { replies } from "./talk.ts";
import { answer, last, startUpstream, told, type Upstream } from "./upstream.ts";
import type { Edge } from "./workerd.ts";

let edge: Edge;
let ada: Person;
let bob: Person;
let stop: () => Promise<void>;
let server: Upstream;
let says: (key: string) => string | null = () => null;
/** What the model answers in a turn. */
let proposes: object = {};

before(async () => {
  server = await startUpstream((call) => {
    if (call.body.stream) return replies(call, proposes);
    const refusal = says(call.headers.authorization?.replace("Bearer ", "") ?? "");
    return refusal === null ? answer(call, "ok") : told(call, 401, refusal);
  });
  const variables = { ALLOW_PRIVATE_UPSTREAMS: "1", ...secrets("k1") };
  ({ edge, ada, bob, stop } = await startCrew(variables));
});
after(async () => {
  await stop?.();
  await server?.stop();
});

const POLICY = "Keep it short.\nKeep it true.\n";
const ABOUT_POLICY = { targetType: "asset", targetId: "assets/policy.md", mode: "optimize" };
const ABOUT_FIRST = { targetType: "workflow", mode: "optimize", workflowId: 1 };
const code = (got: Told<unknown>) => [got.status, got.error?.code];

async function session(target: Target = ABOUT_POLICY): Promise<Session> {
  const project = await ada.furnished();
  const body = { path: "assets/policy.md", content: POLICY };
  await ada.good("POST", `/projects/${project}/assets`, { body });
  return Session.open(ada, project, target);
}

/** Every route of the document that is below a project. */
function routes(): [string, string][] {
  const file = join(import.meta.dirname, "../../docs/reference/openapi.json");
  const { paths } = JSON.parse(readFileSync(file, "utf8")) as { paths: Record<string, object> };
  const below = Object.entries(paths).filter(([path]) => path.includes("{project_id}"));
  return below.flatMap(([path, methods]) =>
    Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), path]),
  );
}

test("no route of any object tells another user more than that it is not there", async () => {
  const at = await session();
  const preview = await at.valid(asset("assets/policy.md", edit("short", "brief")));
  const { admin_token: token } = await edge.keys();
  const body = { label: "eve", user_id: "eve", scopes: ["admin", "edit", "llm", "usage"] };
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", { token, body });
  const eve = new Person(edge, made.value.key);
  const stands = await business(ada, at.project);
  const all = routes();
  assert.ok(all.length >= 40, `${all.length} routes`);
  for (const [method, path] of all) {
    for (const root of ["/projects/", "/packages/"]) {
      const filled = (project: string) =>
        path
          .replace("/projects/", root)
          .replace("{project_id}", project)
          .replace("{session_id}", at.id)
          .replace("{turn_id}", "turn_0000000000000001")
          .replace("{workflow_id}", "1")
          .replace("{revision}", "1");
      const sending = {
        headers: { "x-request-id": "same" },
        ...(method === "GET" ? {} : { body: { sessionId: at.id, ...preview, name: "Mine" } }),
      };
      const absent = await bob.ask(method, filled("prj_01ARZ3NDEKTSV4RRFFQ69G5FAV"), sending);
      assert.deepEqual(code(absent), [404, "PROJECT_NOT_FOUND"], `${method} ${path}`);
      for (const person of [bob, eve]) {
        const foreign = await person.ask(method, filled(at.project), sending);
        assert.deepEqual([foreign.status, foreign.raw], [404, absent.raw], `${method} ${path}`);
        const headers = (got: Told<unknown>) => [...got.headers.keys()].sort();
        assert.deepEqual(headers(foreign), headers(absent), `${method} ${path}`);
      }
    }
  }
  assert.equal(await business(ada, at.project), stands);
  assert.equal((await at.apply(preview)).status, 200, "nobody touched the proposal either");
});

test("a change set is known in its session only", async () => {
  const at = await session();
  const preview = await at.valid(asset("assets/policy.md", edit("short", "brief")));
  const beside = await Session.open(ada, at.project, ABOUT_POLICY);
  const { changeSetId } = preview;
  for (const verb of ["validate", "discard", "revert"])
    assert.deepEqual(
      code(await beside.change(verb, { changeSetId })),
      [404, "AI_CHANGESET_NOT_FOUND"],
      verb,
    );
  assert.deepEqual(code(await beside.apply(preview)), [404, "AI_CHANGESET_NOT_FOUND"]);
  const shown = await ada.ask("GET", `${beside.path}/preview?changeSetId=${changeSetId}`);
  assert.deepEqual(code(shown), [404, "AI_CHANGESET_NOT_FOUND"]);
  for (const odd of [
    "cs_1",
    `${changeSetId}0`,
    changeSetId.toUpperCase(),
    `${changeSetId}\u0000`,
    "-1",
  ])
    assert.deepEqual(
      code(await at.apply({ ...preview, changeSetId: odd })),
      [404, "AI_CHANGESET_NOT_FOUND"],
      odd,
    );
  assert.equal((await at.apply(preview)).status, 200);
});

test("a token confirms the one change that it was shown with, for whom it was, once", async () => {
  const drop = gone("asset", { path: "assets/policy.md" });
  const at = await session(ABOUT_FIRST);
  const other = await Session.open(ada, at.project, ABOUT_FIRST);
  const preview = await at.valid(drop);
  const theirs = await other.valid(asset("assets/b.md", { content: "b" }), drop);
  assert.ok(preview.confirmToken && theirs.confirmToken);
  const stands = await business(ada, at.project);
  const tries: [unknown, number][] = [
    [undefined, 409],
    ["", 409],
    [theirs.confirmToken, 409],
    [preview.confirmToken.toUpperCase(), 409],
    [`${preview.confirmToken} `, 409],
    [preview.confirmToken.slice(0, -1), 409],
    ["' OR 1=1 --", 409],
    [[preview.confirmToken], 422],
    [{ $ne: null }, 422],
    [true, 422],
  ];
  for (const [confirmToken, status] of tries) {
    const got = await at.apply({ ...preview, confirmToken: null }, { confirmToken });
    const want = status === 409 ? "CONFIRMATION_REQUIRED" : "INVALID_INPUT";
    assert.deepEqual(code(got), [status, want], JSON.stringify(confirmToken));
  }
  assert.equal(await business(ada, at.project), stands, "nothing was written");
  // A newer proposal is another change, though it deletes the same.
  const newer = await at.valid(asset("assets/c.md", { content: "c" }));
  assert.deepEqual(code(await at.apply(preview)), [409, "AI_CHANGESET_CLOSED"]);
  const old = await at.apply({ ...newer, confirmToken: preview.confirmToken });
  assert.deepEqual(code(old), [409, "CONFIRMATION_REQUIRED"]);
  const both = await Promise.all([at.apply(newer), at.apply(newer)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409], "two at once write once");
  const spent = await other.apply({ ...theirs, confirmToken: newer.confirmToken });
  assert.deepEqual(code(spent), [422, "AI_VALIDATION_FAILED"], "what it deletes is gone already");
});

/** Files of the objects that hold a text. */
function holding(text: string): string[] {
  const files = readdirSync(join(edge.dir, "objects"), { recursive: true, withFileTypes: true });
  const paths = files.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  // What a database keeps for a moment may be gone by now.
  return paths.filter((path) => existsSync(path) && readFileSync(path).includes(text));
}

test("a token stands in no storage, also where its answer is kept", async () => {
  const at = await session(ABOUT_FIRST);
  const changeSetId = await at.stage(gone("asset", { path: "assets/policy.md" }));
  const first = await at.change("validate", { changeSetId }, "once");
  const again = await at.change("validate", { changeSetId }, "once");
  const previews = [first, again].map((got) => (got.data as { preview: Preview }).preview);
  const bare = (got: Told<unknown>) => got.raw.replace(/"confirmToken":"[0-9a-f]{64}"/, "");
  assert.equal(bare(again), bare(first), "the same answer");
  for (const { confirmToken } of previews) {
    assert.match(confirmToken ?? "", /^[0-9a-f]{64}$/);
    assert.deepEqual(holding(confirmToken ?? ""), []);
    assert.ok(!edge.log.includes(confirmToken ?? ""));
  }
  assert.ok(holding(changeSetId).length > 0, "the answer is kept");
  assert.equal(
    (await at.apply(previews[1] as Preview)).status,
    200,
    "and the fresh token confirms",
  );
});

test("counters that lie write nothing past a change that moved", async () => {
  const at = await session();
  const preview = await at.valid(asset("assets/policy.md", { content: "Mine.\n" }));
  await ada.good("PUT", `/projects/${at.project}/assets`, {
    body: { path: "assets/policy.md", content: "Theirs.\n" },
  });
  const bases: unknown[] = [
    { assetsRevision: 1 },
    { assetsRevision: 2, workflowRevision: 9, agentsRevision: 9 },
    { assetsRevision: 99 },
    null,
  ];
  const revisionBase = bases[0];
  const moved = await at.apply(preview, { revisionBase });
  assert.deepEqual(code(moved), [409, "CONFLICT"]);
  const stands = await business(ada, at.project);
  for (const revisionBase of bases)
    assert.deepEqual(code(await at.apply(preview, { revisionBase })), [409, "CONFLICT"]);
  for (const revisionBase of [{ assetsRevision: "2" }, { assetsRevision: -1 }, [], "2"])
    assert.deepEqual(code(await at.apply(preview, { revisionBase })), [422, "INVALID_INPUT"]);
  for (const body of [{ baseHash: preview.baseHash }, { baseHash: 1, resultHash: 1 }, "x"])
    assert.deepEqual(code(await at.apply(preview, { preview: body })), [422, "INVALID_INPUT"]);
  for (const confirmSource of [
    null,
    "UI_MANUAL_APPLY",
    "ui_manual_apply ",
    ["ui_manual_apply"],
    "model",
  ])
    assert.deepEqual(code(await at.apply(preview, { confirmSource })), [
      400,
      "AI_APPLY_REQUIRES_CONFIRMATION",
    ]);
  assert.equal(await business(ada, at.project), stands);
});

test("no name of an asset leads out of the assets or beside its target", async () => {
  const { project } = await session();
  const stands = await business(ada, project);
  const paths = [
    "assets/Policy.md",
    "ASSETS/policy.md",
    "assets/policy.md ",
    "assets/policy.md\u0000.txt",
    "assets/pol\u00edcy.md",
    "assets/poli\u0301cy.md",
    "assets/policy\u202e.md",
    "assets/../agents.json",
    "assets/..\\agents.json",
    "assets/%2e%2e/agents.json",
    "assets//policy.md",
    "assets/./policy.md",
    "/assets/policy.md",
    "C:/assets/policy.md",
    "assets/CON.md",
    "assets/policy.md:stream",
    "agents.json",
    "bmad.json",
    "workflows/1/workflow.md",
    "__proto__",
  ];
  for (const path of paths) {
    const at = await Session.open(ada, project, ABOUT_POLICY);
    const staged = await at.change("stage", { changeSet: at.set(asset(path, { content: "x" })) });
    if (staged.status !== 201) continue;
    const verdict = await at.validate(staged.data.changeSetId);
    // A blank at the end is no part of a name: it is the target.
    assert.equal(verdict.valid, path.trim() === ABOUT_POLICY.targetId, path);
    assert.equal(verdict.preview === null, !verdict.valid, path);
    if (verdict.valid) continue;
    const body = { changeSetId: staged.data.changeSetId, confirmSource: "ui_manual_apply" };
    const got = await ada.ask("POST", `${at.path}/apply`, { body });
    assert.deepEqual(code(got), [409, "AI_CHANGESET_CLOSED"], path);
  }
  assert.equal(await business(ada, project), stands);
});

test("names in headers are plain, whatever a project is called", async () => {
  const names = ['x"; filename="evil.exe', "x\u202emad.bmad", "../../etc/passwd"];
  for (const name of names) {
    const project = await ada.furnished(name);
    const headers = { authorization: `Bearer ${ada.token}` };
    const got = await fetch(`${edge.url}/projects/${project}/export`, { headers });
    assert.equal(got.status, 200, name);
    assert.equal(got.headers.get("set-cookie"), null);
    const told = got.headers.get("content-disposition") ?? "";
    assert.match(
      told,
      /^attachment; filename="[ -!#-$&-[\]-~]+\.bmad"; filename\*=UTF-8''[A-Za-z0-9._~%-]+\.bmad$/,
      name,
    );
    assert.doesNotMatch(
      decodeURIComponent(told.split("''")[1] ?? ""),
      /[\p{Cc}\p{Bidi_Control}/\\]/u,
      name,
    );
    await got.arrayBuffer();
  }
  const line = { body: { name: "a\r\nSet-Cookie: a=b" } };
  assert.deepEqual(await ada.refused("POST", "/projects", line), [400, "VALIDATION_ERROR"]);
  for (const odd of ["a b", "a\tb", "é", "x".repeat(65), "<script>"]) {
    const got = await ada.ask("GET", "/projects", { headers: { "x-request-id": odd } });
    assert.match(got.headers.get("x-request-id") ?? "", /^req_[0-9A-Z]+$/, "another name");
  }
});

test("findings are said in the language of their reader, in answers, details and kept answers", async () => {
  const at = await session();
  const changeSetId = await at.stage(asset("assets/other.md", { content: "x" }));
  const spoken = async (language: string, path: string, body: object, key?: string) => {
    const headers = { "accept-language": language };
    return ada.ask("POST", `/projects/${at.project}/ai/change/${path}`, { body, headers, key });
  };
  const of = async (language: string) => {
    const text = {
      suggestionVersion: 1,
      changeSet: at.set(asset("assets/other.md", { content: "x" })),
    };
    const body = { sessionId: at.id, ...text };
    const found = (await spoken(language, "validate", body, "kept")).data.errors[0];
    return [found.code, found.message];
  };
  const english = await of("en");
  assert.equal(english[0], "IMPACT_SCOPE_VIOLATION");
  const swedish = await of("sv-SE, en;q=0.5");
  const chinese = await of("zh");
  assert.equal(swedish[0], english[0]);
  assert.match(swedish[1], /^Låt `asset:assets\/other\.md` vara/);
  assert.match(chinese[1], /[\u4e00-\u9fff].*assets\/other\.md|assets\/other\.md.*[\u4e00-\u9fff]/);
  assert.deepEqual(await of("fr"), english, "a kept answer is not of one language");

  const refused = await spoken("sv", "stage", {
    sessionId: at.id,
    changeSet: at.set(asset("assets/policy.md", edit("nowhere", ""))),
  });
  const details = refused.error.details as unknown as {
    errors: { code: string; message: string }[];
  };
  assert.equal(refused.error.message, details.errors[0]?.message, "as the error, so the finding");
  assert.doesNotMatch(refused.error.message, /^(Quote|Copy|Find|Write)/);
  const validated = await spoken("sv", "validate", { sessionId: at.id, changeSetId });
  assert.match(validated.data.errors[0].message, /^Låt /);
  const shown = await ada.good("GET", at.path, { headers: { "accept-language": "sv" } });
  assert.match(
    shown.validation.errors[0].message,
    /^Låt /,
    "of a verdict that is stored in English",
  );
  const headers = { "accept-language": "sv" };
  const body = { agents: [] };
  const bad = await ada.ask("PUT", `/projects/${at.project}/agents`, { body, headers });
  assert.equal(bad.status, 400, bad.raw);
  const inEnglish = await ada.ask("PUT", `/projects/${at.project}/agents`, { body });
  assert.equal(
    bad.error.details.diagnostics[0]?.code,
    inEnglish.error.details.diagnostics[0]?.code,
  );
  assert.notEqual(
    bad.error.details.diagnostics[0]?.message,
    inEnglish.error.details.diagnostics[0]?.message,
  );
});

test("findings of a turn are said in the language of whoever reads it, live and again", async () => {
  const saved = await ada.ask("PUT", PROFILE, { body: own(server.url) });
  assert.equal(saved.status, 200, saved.raw);
  const at = await session();
  const changeSet = at.set(asset("assets/other.md", { content: "x" }));
  proposes = { responseType: "change", assistantSummary: "Done.", changeSet };
  const body = { content: "Improve it." };
  const headers = { "accept-language": "sv" };
  const said = await ada.good("POST", `${at.path}/messages`, { body, headers });
  assert.equal(said.valid, false);
  assert.match(said.errors[0].message, /^Låt `asset:assets\/other\.md` vara/);
  assert.match(said.validation.errors[0].message, /^Låt /);
  const events = async (language: string): Promise<string> => {
    const path = `${edge.url}${at.path}/turns/${said.turnId}/events`;
    const asked = { authorization: `Bearer ${ada.token}`, "accept-language": language };
    return (await fetch(path, { headers: asked })).text();
  };
  const [swedish, english] = [await events("sv"), await events("en")];
  assert.match(swedish, /"message":"Låt `asset:assets/);
  assert.match(english, /"message":"Leave `asset:assets/);
  assert.equal(swedish.split("\n").length, english.split("\n").length, "one line an event");
});

const PROFILE = "/users/me/llm-profile";

test("a model may have any name, and its provider may echo the key in any spelling", async () => {
  for (const model of ["模型-大", "modèle", "💡", "a/b:c@d"]) {
    says = () => null;
    const saved = await ada.ask("PUT", PROFILE, { body: own(server.url, { model }) });
    assert.equal(saved.status, 200, saved.raw);
    const tested = await ada.ask("POST", `${PROFILE}/test`);
    assert.deepEqual([tested.status, tested.data?.ok], [200, true], `${model} ${tested.raw}`);
    const sent = last(server.calls).body as { model: string };
    assert.equal(sent.model, model);
  }
  const apiKey = 'sk/own"SECRETWORD/4b7e';
  const json = JSON.stringify(apiKey).slice(1, -1);
  const spellings = [
    (key: string) => JSON.stringify({ error: { message: `no ${key}` } }),
    () => `{"error":{"message":"no ${json.replaceAll("/", "\\/")}"}}`,
    () => `{"error":{"message":"no ${json.replace("S", "\\u0053")}"}}`,
    () => `{"error":"no ${json.replaceAll("/", "\\/")}","cut":`,
    (key: string) => `no ${key}`,
  ];
  for (const spelling of spellings) {
    says = spelling;
    const tested = await bob.ask("POST", `${PROFILE}/test`, { body: own(server.url, { apiKey }) });
    assert.equal(tested.data?.code, "AI_PROVIDER_ERROR", tested.raw);
    assert.ok(tested.data.said.text.includes("REDACTED"), tested.raw);
    assert.ok(!tested.raw.includes("SECRETWORD"), tested.raw);
  }
  says = () => null;
  assert.deepEqual(holding("SECRETWORD/4b7e"), []);
  assert.ok(!edge.log.includes("SECRETWORD/4b7e"));
});

test("a kept key goes to the server that it was given for, however the other one is spelled", async () => {
  const { admin_token: token } = await edge.keys();
  const body = { label: "cas", user_id: "cas", scopes: ["edit", "llm"] };
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", { token, body });
  const cas = new Person(edge, made.value.key);
  assert.equal((await cas.ask("PUT", PROFILE, { body: own(server.url) })).status, 200);
  const { apiKey, ...keep } = own(server.url);
  assert.ok(apiKey);
  const here = new URL(server.url);
  const elsewhere = [
    `http://localhost:${here.port}${here.pathname}`,
    `http://127.0.0.2:${here.port}${here.pathname}`,
    `http://[::1]:${here.port}${here.pathname}`,
    `https://127.0.0.1:${here.port}${here.pathname}`,
    `http://127.0.0.1:${Number(here.port) + 1}${here.pathname}`,
  ];
  for (const baseUrl of elsewhere) {
    const saved = await cas.ask("PUT", PROFILE, { body: { ...keep, baseUrl } });
    assert.deepEqual(code(saved), [400, "LLM_PROFILE_API_KEY_REQUIRED"], baseUrl);
  }
  // By way of no server at all.
  assert.equal((await cas.ask("PUT", PROFILE, { body: { provider: "disabled" } })).status, 200);
  const roundabout = await cas.ask("PUT", PROFILE, { body: { ...keep, baseUrl: elsewhere[0] } });
  assert.deepEqual(code(roundabout), [400, "LLM_PROFILE_API_KEY_REQUIRED"]);
  // One that is tried out is asked without it.
  const calls = server.calls.length;
  const tried = await cas.ask("POST", `${PROFILE}/test`, {
    body: { ...keep, baseUrl: elsewhere[0] },
  });
  assert.equal(tried.status, 200, tried.raw);
  if (server.calls.length > calls)
    assert.equal(last(server.calls).headers.authorization, undefined);
  // Other spellings of the same origin are the same.
  const spelled = server.url.replace("127.0.0.1", "0x7f.1").replace("http:", "HTTP:");
  assert.equal(
    (await cas.ask("PUT", PROFILE, { body: { ...keep, baseUrl: spelled } })).status,
    200,
  );
});
