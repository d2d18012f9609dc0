// Edits by hand at the edge: workflows, agents, assets; what they refuse, what they count, what came meanwhile, and
// ways back (crew-package.md §7 "HTTP").
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Bundle, Hit, Listed, Project, Revision, Stepped } from "@holdpoint/core/crew";
import { during } from "../during.ts";
import { agent, type Flow, startCrew } from "./crew.ts";

const { ada } = await during(startCrew());

const step = (id: string, more = "") =>
  `---\nschemaVersion: "1.1"\nnodeId: ${id}\ntype: step\n---\n\n## Goal\n\ng\n\n## Instructions\n\ni${more}\n`;

const codes = (found: { code: string }[]) => found.map(({ code }) => code);

test("a new workflow holds, and the first one is the default", async () => {
  const project = await ada.project();
  const at = `/projects/${project}/workflows`;
  const made = await ada.ask<Flow>("POST", at, { body: { name: "Intake" } });
  assert.equal(made.status, 201);
  const { document, graph, steps, ...rest } = made.data;
  assert.deepEqual(rest, {
    workflowId: 1,
    name: "Intake",
    isDefault: true,
    revision: 1,
    nodes: 2,
    edges: 1,
    diagnostics: [],
    warnings: [],
    projectRevision: 2,
  });
  assert.match(document, /workflowType: workflow[\s\S]*# Intake\n$/);
  assert.equal(graph.entryNodeId, "start");
  assert.deepEqual(
    steps.map(({ nodeId, path }) => [nodeId, path]),
    [
      ["end", "workflows/1/steps/end.md"],
      ["start", "workflows/1/steps/start.md"],
    ],
  );
  assert.deepEqual(await ada.flow(project, 1), made.data);
  await ada.good("POST", at, { body: { name: "Review" } });
  const { workflows } = await ada.good(`GET`, at);
  assert.deepEqual(
    workflows.map(({ workflowId, isDefault }: Flow) => [workflowId, isDefault]),
    [
      [1, true],
      [2, false],
    ],
  );
  const { files } = await ada.bundle(project);
  const manifest = JSON.parse(files["bmad.json"]);
  assert.deepEqual(Object.keys(manifest), [
    "schemaVersion",
    "name",
    "version",
    "entry",
    "workflows",
  ]);
  assert.equal(manifest.entry.workflow, "workflows/1/workflow.md");
});

test("a workflow is changed in parts, and counts when its bytes change", async () => {
  const project = await ada.furnished();
  const at = `/projects/${project}/workflows/2`;
  const put = (body: object, seen?: number) =>
    ada.good<Flow>("PUT", at, seen === undefined ? { body } : { body, seen });
  const { document, graph } = await ada.flow(project, 2);
  assert.equal((await put({})).revision, 1);
  assert.equal((await put({ document, graph })).revision, 1, "the same once more");
  assert.equal((await put({ document: `${document}\nMore.\n` }, 1)).revision, 2);
  const named = await put({ name: "Second half", isDefault: true });
  assert.deepEqual([named.name, named.isDefault, named.revision], ["Second half", true, 2]);
  const node = { id: "check", type: "step", file: "workflows/2/steps/check.md", agentId: "clerk" };
  const larger = {
    ...graph,
    nodes: [...graph.nodes, node],
    edges: [
      { from: "start", to: "check", label: "next" },
      { from: "check", to: "end", label: "done" },
    ],
  };
  const alone = await ada.ask("PUT", at, { body: { graph: larger } });
  assert.deepEqual([alone.status, alone.error.code], [400, "VALIDATION_ERROR"]);
  assert.deepEqual(codes(alone.error.details.diagnostics), ["STEP_FILE_MISSING"]);
  assert.equal((await ada.flow(project, 2)).revision, 2, "nothing was written");
  const grown = await put({ graph: larger, steps: { "steps/check.md": step("check") } }, 2);
  assert.deepEqual([grown.revision, grown.nodes, grown.diagnostics], [3, 3, []]);
  const back = await put({ graph, steps: { "workflows/2/steps/check.md": null } }, 3);
  assert.deepEqual([back.revision, back.steps.length, back.diagnostics], [4, 2, []]);
  const { workflows } = await ada.show(project);
  assert.deepEqual(
    workflows.map(({ revision }) => revision),
    [1, 4],
    "the other one was left alone",
  );
});

test("what breaks its own rules is refused with its findings", async () => {
  const project = await ada.furnished();
  const at = `/projects/${project}/workflows/1`;
  const before = await ada.bundle(project);
  const found = async (path: string, body: unknown) => {
    const got = await ada.ask("PUT", path, { body });
    assert.deepEqual([got.status, got.error.code], [400, "VALIDATION_ERROR"], got.raw);
    return codes(got.error.details.diagnostics);
  };
  assert.deepEqual(await found(at, { name: "" }), ["NAME_INVALID"]);
  assert.deepEqual(await found(at, { document: "x" }), ["WORKFLOW_MISSING_FRONTMATTER"]);
  assert.ok((await found(at, { graph: {} })).every((code) => code === "PKG_SCHEMA_ERROR"));
  assert.deepEqual(await found(at, { steps: { "../x.md": "x" } }), ["STEP_PATH_INVALID"]);
  const broken = await found(at, { steps: { "steps/start.md": "x" } });
  assert.ok(broken.includes("STEP_MISSING_FRONTMATTER"));
  const agents = `/projects/${project}/agents`;
  assert.deepEqual(await found(agents, { agents: [] }), ["PKG_SCHEMA_ERROR"]);
  assert.deepEqual(await found(agents, { agents: [agent("a"), agent("a")] }), [
    "AGENT_ID_DUPLICATE",
  ]);
  const long = agent("a", { metadata: { name: "x".repeat(101), title: "T", icon: "1" } });
  assert.deepEqual(await found(agents, { agents: [long] }), ["AGENT_FIELD_LONG"]);
  assert.deepEqual((await ada.bundle(project)).files, before.files);

  for (const [path, body, pointer] of [
    [at, { name: 7 }, "/name"],
    [at, { graph: [] }, "/graph"],
    [at, { steps: { "steps/a.md": 1 } }, "/steps/steps~1a.md"],
    [agents, {}, "/agents"],
    [agents, { agents: [1] }, "/agents/0"],
    [`/projects/${project}/assets`, { path: "assets/a.md" }, "/content"],
  ] as [string, unknown, string][]) {
    const wrong = await ada.ask("PUT", path, { body });
    assert.deepEqual(
      [wrong.status, wrong.error.code, wrong.error.details.pointer],
      [422, "INVALID_INPUT", pointer],
    );
  }
});

test("workflows that are not there, and the last one", async () => {
  const project = await ada.furnished();
  const at = `/projects/${project}/workflows`;
  for (const id of ["3", "0", "01", "x", "1.0", "-1", "99999999999999999999"]) {
    const missing = [404, "WORKFLOW_NOT_FOUND"];
    assert.deepEqual(await ada.refused("GET", `${at}/${id}`), missing, id);
    assert.deepEqual(await ada.refused("PUT", `${at}/${id}`, { body: {} }), missing, id);
    assert.deepEqual(await ada.refused("DELETE", `${at}/${id}`), missing, id);
    const copy = { body: { name: "Copy" } };
    assert.deepEqual(await ada.refused("POST", `${at}/${id}/duplicate`, copy), missing, id);
  }
  const gone = await ada.good("DELETE", `${at}/1`, { seen: 1 });
  assert.deepEqual([gone.deleted, codes(gone.warnings)], [true, ["MANIFEST_DEFAULT_CHOSEN"]]);
  assert.deepEqual(await ada.refused("DELETE", `${at}/2`), [409, "WORKFLOW_LAST"]);
  const { files } = await ada.bundle(project);
  assert.ok(Object.keys(files).every((path) => !path.startsWith("workflows/1/")));
  const next = await ada.good<Flow>("POST", at, { body: { name: "Third" } });
  assert.equal(next.workflowId, 3, "a number is never given twice");
  const copy = await ada.good<Flow>("POST", `${at}/2/duplicate`, {
    body: { name: "Copy" },
    seen: 1,
  });
  assert.deepEqual([copy.workflowId, copy.name, copy.diagnostics], [4, "Copy", []]);
  assert.equal((await ada.show(project)).check.ok, true);
});

test("agents are replaced as a whole, and keep their members in order", async () => {
  const project = await ada.project();
  const at = `/projects/${project}/agents`;
  const none = await ada.good("GET", at);
  assert.deepEqual([none.agents, none.revision], [[], 1]);
  const { persona, metadata, id } = agent("clerk");
  const made = await ada.good("PUT", at, {
    body: { agents: [{ persona, metadata, id }] },
    seen: 1,
  });
  assert.deepEqual([made.revision, made.diagnostics], [2, []]);
  const { files } = await ada.bundle(project);
  assert.match(
    files["agents.json"],
    /^\{\n {2}"schemaVersion": "1.1",\n {2}"agents": \[\n {4}\{\n {6}"id"/,
  );
  assert.ok(files["agents.json"].endsWith("}\n"));
  const used = await ada.furnished();
  const { graph } = await ada.flow(used, 1);
  graph.nodes[1] = { ...graph.nodes[1], agentId: "clerk" };
  await ada.good("PUT", `/projects/${used}/workflows/1`, { body: { graph } });
  const other = await ada.good("PUT", `/projects/${used}/agents`, {
    body: { agents: [agent("x")] },
  });
  assert.deepEqual(codes(other.diagnostics), ["AGENT_NOT_FOUND"], "stored, and told");
  assert.equal((await ada.show(used)).check.ok, false);
});

test("assets and all that they are refused for", async () => {
  const project = await ada.furnished();
  const at = `/projects/${project}/assets`;
  const make = (path: string, content: string) => ada.ask("POST", at, { body: { path, content } });
  const made = await make("./assets\\a.md", "# A\n");
  assert.equal(made.status, 201);
  assert.deepEqual(
    [made.data.asset.path, made.data.asset.bytes, made.data.revision],
    ["assets/a.md", 4, 2],
  );
  for (const [path, content, status, code] of [
    ["assets/a.md", "", 409, "ASSET_EXISTS"],
    ["assets/å.md", "", 400, "ASSET_PATH_INVALID"],
    ["agents.json", "", 400, "ASSET_PATH_INVALID"],
    ["assets/a.exe", "", 400, "ASSET_EXT_UNSUPPORTED"],
    ["assets/b.md", "base64:AAAA", 400, "ASSET_ENCODING_INVALID"],
    ["assets/b.md", "x".repeat(262_145), 413, "ASSET_TOO_LARGE"],
  ] as [string, string, number, string][]) {
    const got = await make(path, content);
    assert.deepEqual([got.status, got.error.code], [status, code], path);
    assert.equal(got.error.details.path, path);
  }
  const warned = await make("assets/b.json", "{");
  assert.deepEqual(codes(warned.data.warnings), ["ASSET_CONTENT_INVALID"]);
  const put = await ada.good("PUT", at, {
    body: { path: "assets/b.json", content: "{}" },
    seen: 3,
  });
  assert.deepEqual([put.asset.content, put.warnings, put.revision], ["{}", [], 4]);
  const missing = { body: { path: "assets/c.md", content: "" } };
  assert.deepEqual(await ada.refused("PUT", at, missing), [404, "ASSET_NOT_FOUND"]);
  assert.deepEqual(await ada.refused("DELETE", at, missing), [404, "ASSET_NOT_FOUND"]);
  assert.deepEqual(await ada.refused("DELETE", at, { body: { path: "bmad.json" } }), [
    404,
    "ASSET_NOT_FOUND",
  ]);
  assert.deepEqual(await ada.refused("GET", `${at}?path=assets/c.md`), [404, "ASSET_NOT_FOUND"]);

  const { document } = await ada.flow(project, 1);
  const cites = { body: { document: `${document}Read assets/a.md.\n` } };
  await ada.good("PUT", `/projects/${project}/workflows/1`, cites);
  const listed = await ada.good("GET", at);
  assert.deepEqual(
    listed.assets.map((asset: { path: string; citedBy: string[]; content: null }) => [
      asset.path,
      asset.citedBy,
      asset.content,
    ]),
    [
      ["assets/a.md", ["workflow:1"], null],
      ["assets/b.json", [], null],
    ],
  );
  assert.equal((await ada.good("GET", `${at}?path=assets/a.md`)).assets[0].content, "# A\n");
  assert.equal((await ada.good("GET", `${at}?content=1`)).assets[1].content, "{}");
  const gone = await ada.good("DELETE", at, { body: { path: "assets/a.md" } });
  assert.deepEqual([gone.asset, codes(gone.warnings)], [null, ["ASSET_STILL_REFERENCED"]]);
});

test("all assets together have a size and a number", async () => {
  const project = await ada.project();
  const at = `/projects/${project}/assets`;
  const make = (path: string, content: string) => ada.ask("POST", at, { body: { path, content } });
  for (let n = 0; n < 8; n += 1)
    assert.equal((await make(`assets/${n}.md`, "x".repeat(262_144))).status, 201);
  const total = await make("assets/more.md", "x");
  assert.deepEqual([total.status, total.error.code], [413, "ASSET_TOTAL_EXCEEDED"]);
  for (let n = 8; n < 200; n += 1) assert.equal((await make(`assets/${n}.md`, "")).status, 201);
  const count = await make("assets/more.md", "");
  assert.deepEqual([count.status, count.error.code], [413, "ASSET_COUNT_EXCEEDED"]);
  assert.equal(count.error.details.limit, 200);
  const put = await ada.ask("PUT", at, { body: { path: "assets/9.md", content: "x" } });
  assert.deepEqual([put.status, put.error.code], [413, "ASSET_TOTAL_EXCEEDED"]);
  const smaller = { body: { path: "assets/0.md", content: "" } };
  assert.equal((await ada.ask("PUT", at, smaller)).status, 200);
});

test("an asset that is there is refused for what a new one is refused for", async () => {
  const project = await ada.project();
  const at = `/projects/${project}/assets`;
  await ada.good("POST", at, { body: { path: "assets/a.md", content: "a" } });
  for (const [path, content, status, code] of [
    ["assets/å.md", "", 400, "ASSET_PATH_INVALID"],
    ["assets/a.exe", "", 400, "ASSET_EXT_UNSUPPORTED"],
    ["assets/a.md", "base64:AAAA", 400, "ASSET_ENCODING_INVALID"],
    ["assets/a.md", "å".repeat(131_073), 413, "ASSET_TOO_LARGE"],
  ] as [string, string, number, string][])
    assert.deepEqual(await ada.refused("PUT", at, { body: { path, content } }), [status, code]);
  const { assets } = await ada.good("GET", `${at}?content=1`);
  assert.deepEqual([assets.length, assets[0].content], [1, "a"]);
  const largest = { path: " .\\assets/a.md", content: "å".repeat(131_072) };
  assert.equal((await ada.good("PUT", at, { body: largest })).asset.bytes, 262_144);
});

test("a workflow is called something, in one line and within its limit", async () => {
  const project = await ada.furnished();
  const at = `/projects/${project}/workflows`;
  const longest = "å".repeat(200);
  const made = await ada.ask<Flow>("POST", at, { body: { name: ` ${longest} ` } });
  assert.deepEqual([made.status, made.data.name], [201, longest]);
  const routes = [
    ["POST", at],
    ["PUT", `${at}/1`],
    ["POST", `${at}/1/duplicate`],
  ];
  for (const name of ["", " \t", `${longest}å`, "a\nb"])
    for (const [method, path] of routes) {
      const got = await ada.ask(method, path, { body: { name } });
      assert.deepEqual([got.status, got.error.code], [400, "VALIDATION_ERROR"], `${path} ${name}`);
      assert.deepEqual(codes(got.error.details.diagnostics), ["NAME_INVALID"]);
    }
  assert.equal((await ada.good("GET", at)).workflows.length, 3);
});

test("whoever saw an older revision is shown what came meanwhile, and nothing is written", async () => {
  const project = await ada.furnished();
  const at = `/projects/${project}`;
  const { document } = await ada.flow(project, 1);
  await ada.good("PUT", `${at}/workflows/1`, { body: { document: `${document}Meanwhile.\n` } });
  await ada.good("POST", `${at}/assets`, { body: { path: "assets/a.md", content: "a\n" } });
  const before = await ada.bundle(project);
  const stale = async (method: string, below: string, body: unknown, seen: number | string) => {
    const got = await ada.ask(method, at + below, { body, seen });
    assert.deepEqual(
      [got.status, got.error.code],
      [409, "CONFLICT"],
      `${method} ${below}: ${got.raw}`,
    );
    return got.error.details;
  };
  const { head, diff } = await stale("PUT", "/workflows/1", { document }, 1);
  assert.deepEqual([head.workflowId, head.revision], [1, 2]);
  assert.deepEqual(
    diff?.map(({ path, status }) => [path, status]),
    [["workflows/1/workflow.md", "M"]],
  );
  assert.match(diff?.[0].unified ?? "", /^\+Meanwhile\.$/m);
  assert.equal(
    (await stale("PUT", "/workflows/1", { name: "N" }, 7)).diff,
    null,
    "a revision of nobody",
  );
  await stale("DELETE", "/workflows/1", undefined, 1);
  await stale("POST", "/workflows/1/duplicate", { name: "N" }, 1);
  const agents = await stale("PUT", "/agents", { agents: [agent("x")] }, 1);
  assert.deepEqual(agents.head.agents.length, 1);
  assert.deepEqual(
    agents.diff?.map(({ path, status }) => [path, status]),
    [["agents.json", "A"]],
  );
  const asset = { path: "assets/b.md", content: "" };
  assert.deepEqual(
    (await stale("POST", "/assets", asset, 1)).diff?.[0].unified?.includes("+a"),
    true,
  );
  await stale("PUT", "/assets", { path: "assets/a.md", content: "" }, 1);
  await stale("DELETE", "/assets", { path: "assets/a.md" }, '"1"');
  const own = await stale("PUT", "", { name: "N" }, 1);
  assert.equal(own.head.revision, before.revision);
  await stale("POST", "/workflows", { name: "N" }, 1);
  await stale("POST", "/undo", undefined, 1);
  await stale("POST", "/redo", undefined, 1);
  await stale("POST", "/revisions/1/restore", undefined, 1);
  await stale("DELETE", "", undefined, 1);
  assert.deepEqual(await ada.bundle(project), before, "nothing was written");
  for (const seen of ["x", "1.5", "-1", '"']) {
    const wrong = await ada.ask("PUT", at, { body: { name: "N" }, seen });
    assert.deepEqual([wrong.status, wrong.error.details.pointer], [422, "/If-Match"], seen);
  }
  assert.equal((await ada.ask("PUT", at, { body: { name: "N" }, seen: "*" })).status, 200);
  const quoted = await ada.ask("PUT", `${at}/workflows/1`, { body: { document }, seen: '"2"' });
  assert.equal(quoted.status, 200);
});

test("undo and redo walk the revisions, and counters go on", async () => {
  const project = await ada.furnished("One");
  const at = `/projects/${project}`;
  await ada.good("PUT", at, { body: { name: "Two" } });
  const { document } = await ada.flow(project, 1);
  await ada.good("PUT", `${at}/workflows/1`, { body: { document: `${document}More.\n` } });
  const there = await ada.bundle(project);
  const undone = await ada.step(project, "undo");
  assert.deepEqual(undone.changed, ["workflows/1/workflow.md"]);
  assert.deepEqual([undone.project.workflows[0].revision, undone.project.canRedo], [3, true]);
  assert.equal((await ada.flow(project, 1)).document, document);
  const named = await ada.step(project, "undo");
  assert.equal(named.project.name, "One", "the name goes back too");
  const listed = (await ada.good<Listed<Project>>("GET", "/projects")).items;
  assert.equal(listed.find(({ projectId }) => projectId === project)?.name, "One");
  await ada.step(project, "redo");
  const again = await ada.step(project, "redo");
  assert.deepEqual([again.project.name, again.project.canRedo], ["Two", false]);
  assert.equal(again.project.workflows[0].revision, 4);
  assert.deepEqual((await ada.bundle(project)).files, there.files, "every byte is back");
  assert.deepEqual(await ada.refused("POST", `${at}/redo`), [409, "CONFLICT"]);
  while ((await ada.show(project)).canUndo) await ada.step(project, "undo");
  assert.deepEqual(await ada.refused("POST", `${at}/undo`), [409, "CONFLICT"]);
  const first = await ada.show(project);
  assert.deepEqual([first.workflows, first.agents], [[], 0], "as it was made");
  await ada.good("POST", `${at}/workflows`, { body: { name: "New" } });
  assert.equal((await ada.show(project)).workflows[0].workflowId, 3);
  assert.deepEqual(
    await ada.refused("POST", `${at}/redo`),
    [409, "CONFLICT"],
    "a new edit ends redo",
  );
});

test("a revision is shown, and restored as a new one", async () => {
  const project = await ada.furnished();
  const at = `/projects/${project}`;
  const old = await ada.bundle(project);
  await ada.good("POST", `${at}/assets`, { body: { path: "assets/a.md", content: "a" } });
  await ada.good("DELETE", `${at}/workflows/2`);
  const page = await ada.good<Listed<Revision>>("GET", `${at}/revisions?limit=3`);
  assert.deepEqual(
    page.items.map(({ revision, cause, actor, changed }) => [
      revision,
      cause,
      actor,
      changed.length,
    ]),
    [
      [6, "save", "user:ada", 5],
      [5, "save", "user:ada", 1],
      [4, "save", "user:ada", 1],
    ],
  );
  const rest = await ada.good<Listed<Revision>>("GET", `${at}/revisions?cursor=${page.nextCursor}`);
  assert.deepEqual(
    [rest.items.map(({ cause }) => cause), rest.nextCursor],
    [["save", "save", "create"], null],
  );
  assert.deepEqual((await ada.good<Bundle>("GET", `${at}/revisions/4`)).files, old.files);
  const back = await ada.good<Stepped>("POST", `${at}/revisions/4/restore`, { seen: 6 });
  assert.equal(back.project.revision, 7);
  assert.deepEqual((await ada.bundle(project)).files, old.files);
  const { workflows, assetsRevision } = back.project;
  assert.deepEqual([workflows.map(({ revision }) => revision), assetsRevision], [[1, 2], 3]);
  for (const revision of ["9", "0", "x", "04"]) {
    const missing = [404, "REVISION_NOT_FOUND"];
    assert.deepEqual(await ada.refused("GET", `${at}/revisions/${revision}`), missing, revision);
    assert.deepEqual(await ada.refused("POST", `${at}/revisions/${revision}/restore`), missing);
  }
  const wrong = await ada.ask("GET", `${at}/revisions?cursor=x`);
  assert.deepEqual([wrong.status, wrong.error.details.pointer], [422, "/cursor"]);
});

test("a search goes over the whole package", async () => {
  const project = await ada.furnished();
  const at = `/projects/${project}`;
  const needle = "Zimt & Nelken";
  await ada.good("POST", `${at}/assets`, {
    body: { path: "assets/a.md", content: `x\n  ${needle}\n` },
  });
  const steps = { "steps/start.md": step("start", ` ${needle}`) };
  await ada.good("PUT", `${at}/workflows/1`, { body: { steps } });
  const found = await ada.good<{ items: Hit[]; truncated: boolean }>(
    "GET",
    `${at}/search?q=${encodeURIComponent(needle.toUpperCase())}`,
  );
  assert.deepEqual(
    [
      found.items.map(({ file, line, column, object, workflowId }) => [
        file,
        line,
        column,
        object,
        workflowId,
      ]),
      found.truncated,
    ],
    [
      [
        ["assets/a.md", 2, 3, "asset:assets/a.md", null],
        ["workflows/1/steps/start.md", 13, 3, "step:start", 1],
      ],
      false,
    ],
  );
  assert.match(found.items[1].text, /i Zimt/);
  for (const query of ["", "?q=", `?q=${"x".repeat(201)}`]) {
    const wrong = await ada.ask("GET", `${at}/search${query}`);
    assert.deepEqual(
      [wrong.status, wrong.error.code, wrong.error.details.pointer],
      [422, "INVALID_INPUT", "/q"],
    );
  }
});
