// Sessions at the edge: how they begin, whose they are, every target in both modes from its first set to its apply
// (ai-sessions.md §3, §4; crew-package.md §10).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { agent, startCrew } from "./crew.ts";
import {
  agentPatch,
  asset,
  business,
  edit,
  gone,
  Session,
  step,
  stepText,
  type Target,
  told,
  wholeWorkflow,
  workflow,
} from "./proposals.ts";

const { ada, bob } = await during(startCrew());

/** A project with two workflows, an agent and an asset. */
async function furnished(): Promise<string> {
  const project = await ada.furnished();
  const body = { path: "assets/policy.md", content: "Keep it short.\nKeep it true.\n" };
  await ada.good("POST", `/projects/${project}/assets`, { body });
  return project;
}

/** A node of the first workflow that is a step. */
async function nodeOf(project: string): Promise<string> {
  const flow = await ada.flow(project, 1);
  return flow.graph.nodes.find((node) => node.type === "step")?.id as string;
}

test("a session says what it is about and what its first turn would send", async () => {
  const project = await furnished();
  const body = { targetType: "agent", targetId: "clerk", mode: "optimize", id: "as_mine" };
  const made = await ada.ask("POST", `/packages/${project}/ai/sessions`, { body });
  assert.equal(made.status, 201, made.raw);
  const { sessionId, contextEnvelope, createdAt, updatedAt, ...rest } = made.data;
  assert.match(sessionId, /^as_[0-9a-f]{16}$/);
  assert.ok(createdAt > 0 && updatedAt === createdAt);
  assert.deepEqual(rest, {
    projectId: project,
    workflowId: null,
    targetType: "agent",
    targetId: "clerk",
    mode: "optimize",
    status: "active",
    latestSuggestion: null,
  });
  assert.equal(Object.keys(contextEnvelope).length, 7);
  const shown = await ada.good("GET", `/projects/${project}/ai/sessions/${sessionId}`);
  assert.deepEqual(shown.messages, { items: [], nextCursor: null });
  assert.deepEqual(
    [shown.latestSuggestion, shown.validation, shown.preview, shown.activeTurn],
    [null, null, null, null],
  );
  const context = await ada.good("GET", `/projects/${project}/ai/sessions/${sessionId}/context`);
  assert.match(context.promptSignature, /^sha256:/);
  assert.deepEqual(context.contextEnvelope, contextEnvelope);
});

test("what a session cannot be about is refused at its place", async () => {
  const project = await ada.furnished();
  const path = `/projects/${project}/ai/sessions`;
  const refused = async (body: unknown) => {
    const got = await ada.ask("POST", path, { body });
    return [got.status, got.error.code, got.error.details?.pointer];
  };
  const create = { targetType: "agent", mode: "create" };
  const optimize = { targetType: "agent", mode: "optimize", targetId: "nobody" };
  assert.deepEqual(await refused({ ...create, targetType: "tool" }), [
    400,
    "AI_TARGET_NOT_SUPPORTED",
    undefined,
  ]);
  assert.deepEqual(await refused(create), [422, "INVALID_INPUT", "/targetId"]);
  assert.deepEqual(await refused({ ...create, targetId: 7 }), [422, "INVALID_INPUT", "/targetId"]);
  assert.deepEqual(await refused([]), [422, "INVALID_INPUT", ""]);
  assert.deepEqual(await refused("{"), [422, "INVALID_INPUT", ""]);
  const absent = await ada.ask("POST", path, { body: optimize });
  assert.deepEqual([absent.status, absent.error.code], [404, "AI_CONTEXT_BUILD_ERROR"]);
  assert.deepEqual((absent.error.details as unknown as { locator: unknown }).locator, {
    type: "agent",
    id: "nobody",
    workflowId: null,
  });
  assert.deepEqual((await ada.good("GET", path)).items, [], "nothing was made");
});

test("what belongs to somebody else answers as what is not there", async () => {
  const project = await furnished();
  const own = await Session.open(ada, project, {
    targetType: "asset",
    targetId: "assets/policy.md",
    mode: "optimize",
  });
  const preview = await own.valid(asset("assets/policy.md", edit("short", "brief")));
  const path = `/projects/${project}/ai`;
  const body = { sessionId: own.id, changeSetId: preview.changeSetId, changeSet: own.set() };
  const routes = [
    ["POST", `${path}/sessions`],
    ["GET", `${path}/sessions`],
    ["GET", `${path}/sessions/${own.id}`],
    ["DELETE", `${path}/sessions/${own.id}`],
    ["GET", `${path}/sessions/${own.id}/context`],
    ["GET", `${path}/sessions/${own.id}/preview`],
    ["POST", `${path}/sessions/${own.id}/apply`],
    ["POST", `${path}/sessions/${own.id}/cancel`],
    ...["stage", "validate", "discard", "revert", "apply"].map((verb) => [
      "POST",
      `${path}/change/${verb}`,
    ]),
    ["GET", `${path}/audit/events`],
    ["GET", `${path}/metrics`],
  ];
  for (const [method, route] of routes) {
    const sending = method === "POST" ? { body } : {};
    const foreign = await bob.ask(method, route, sending);
    const absent = await bob.ask(
      method,
      route.replace(project, "prj_00000000000000000000000000"),
      sending,
    );
    assert.deepEqual([foreign.status, foreign.error], [absent.status, absent.error], route);
    assert.equal(foreign.error.code, "PROJECT_NOT_FOUND", route);
  }
  // Another project of the same user does not know the session either.
  const other = await ada.project();
  for (const [method, route] of routes
    .slice(2)
    .filter(([, route]) => route.includes("/sessions/"))) {
    const sending = method === "POST" ? { body } : {};
    const told = await ada.refused(method, route.replace(project, other), sending);
    assert.deepEqual(told, [404, "AI_SESSION_NOT_FOUND"], route);
  }
  assert.equal((await own.show()).session.status, "active");
});

test("every target in both modes is staged, shown and applied, and nothing is written before", async () => {
  const project = await furnished();
  const node = await nodeOf(project);
  const flow = await ada.flow(project, 1);
  const stored = flow.steps.find((one) => one.nodeId === node)?.markdown as string;
  const pairs: [Target, (target: Target) => object[], string[]][] = [
    [
      { targetType: "workflow", mode: "optimize", workflowId: 1 },
      () => [workflow(1, edit("# ", "# The "))],
      ["workflows/1/workflow.md"],
    ],
    [
      { targetType: "workflow", mode: "create" },
      ({ workflowId }) => [workflow(workflowId as number, wholeWorkflow(workflowId as number))],
      ["bmad.json", "workflows/3/steps/a.md", "workflows/3/workflow.md"],
    ],
    [
      { targetType: "step", mode: "optimize", workflowId: 1, targetId: node },
      () => [
        step(1, node, { stepMarkdown: stored.replace("## Goal\n", "## Goal\n\nMore of it.\n") }),
      ],
      [`workflows/1/steps/${node}.md`],
    ],
    [
      { targetType: "step", mode: "create", workflowId: 1, targetId: "extra" },
      () => [step(1, "extra", { stepMarkdown: stepText("extra", "step", "Wait.") })],
      ["workflows/1/steps/extra.md"],
    ],
    [
      { targetType: "agent", mode: "optimize", targetId: "clerk" },
      () => [agentPatch("clerk", { role: "Registers claims" })],
      ["agents.json"],
    ],
    [
      { targetType: "agent", mode: "create", targetId: "judge" },
      () => [agentPatch("judge", { agent: agent("judge") })],
      ["agents.json"],
    ],
    [
      { targetType: "asset", mode: "optimize", targetId: "assets/policy.md" },
      () => [asset("assets/policy.md", edit("short", "brief"))],
      ["assets/policy.md"],
    ],
    [
      { targetType: "asset", mode: "create", targetId: "assets/new.md" },
      () => [asset("assets/new.md", { content: "New.\n" })],
      ["assets/new.md"],
    ],
  ];
  for (const [target, operations, paths] of pairs) {
    const name = `${target.targetType} ${target.mode}`;
    const session = await Session.open(ada, project, target);
    const before = await business(ada, project);
    const preview = await session.valid(...operations(session.target));
    const shown = await ada.good("GET", `${session.path}/preview`);
    assert.deepEqual(shown.preview, preview, name);
    assert.ok(shown.changed.length > 0, name);
    assert.equal(
      await business(ada, project),
      before,
      `${name}: stage, validate and preview write nothing`,
    );
    const { files } = await ada.bundle(project);
    const applied = await session.apply(preview);
    assert.equal(applied.status, 200, `${name}: ${applied.raw}`);
    const { newRevision, changed, ...rest } = applied.data;
    assert.deepEqual(
      { ...rest, warnings: [] },
      {
        applied: true,
        sessionId: session.id,
        sessionStatus: "active",
        changeSetId: preview.changeSetId,
        warnings: [],
      },
      name,
    );
    assert.ok(changed.length > 0 && newRevision.agentsRevision >= 1, name);
    const after = (await ada.bundle(project)).files;
    for (const path of paths) assert.notEqual(after[path], files[path], `${name}: ${path}`);
    const now = await session.show();
    assert.deepEqual(
      [now.session.status, now.preview, now.validation],
      ["active", null, null],
      name,
    );
    assert.equal(now.latestSuggestion.status, "applied", name);
  }
  const check = (await ada.show(project)).check;
  assert.equal(check.errors, 0);
});

test("counters follow what was written, and an older base only warns", async () => {
  const project = await furnished();
  const before = await ada.show(project);
  const session = await Session.open(ada, project, {
    targetType: "workflow",
    mode: "optimize",
    workflowId: 1,
  });
  const preview = await session.valid(
    workflow(1, edit("# ", "# The ")),
    asset("assets/new.md", { content: "New.\n" }),
  );
  const revisionBase = { workflowRevision: 9, assetsRevision: before.assetsRevision };
  const applied = await session.apply(preview, { revisionBase });
  assert.equal(applied.status, 200, applied.raw);
  const of = (id: number) =>
    before.workflows.find((one) => one.workflowId === id)?.revision as number;
  assert.deepEqual(applied.data.newRevision, {
    workflowRevision: of(1) + 1,
    agentsRevision: before.agentsRevision,
    assetsRevision: before.assetsRevision + 1,
  });
  const moved = applied.data.warnings.filter((one: { field?: string }) => one.field);
  assert.deepEqual(
    moved.map(({ code, field, provided, current, blocking }: Record<string, unknown>) => ({
      code,
      field,
      provided,
      current,
      blocking,
    })),
    [
      {
        code: "AI_REVISION_BASE_MISMATCH",
        field: "workflowRevision",
        provided: 9,
        current: of(1),
        blocking: false,
      },
    ],
  );
  const after = await ada.show(project);
  assert.equal(after.workflows.find((one) => one.workflowId === 2)?.revision, of(2));
});

test("sessions are listed newest first and found by what they are about", async () => {
  const project = await furnished();
  const path = `/projects/${project}/ai/sessions`;
  const policy = { targetType: "asset", targetId: "assets/policy.md", mode: "optimize" };
  const open = [
    await Session.open(ada, project, policy),
    await Session.open(ada, project, { targetType: "workflow", mode: "optimize", workflowId: 2 }),
    await Session.open(ada, project, policy),
  ];
  const ids = async (query: string) =>
    (await ada.good("GET", `${path}?${query}`)).items.map((one: { sessionId: string }) =>
      open.findIndex((session) => session.id === one.sessionId),
    );
  assert.deepEqual(await ids(""), [2, 1, 0]);
  assert.deepEqual(await ids("targetType=asset&targetId=assets/policy.md"), [2, 0]);
  assert.deepEqual(await ids("workflowId=2"), [1]);
  const ended = await ada.good("POST", `${open[2].path}/cancel`);
  assert.deepEqual(ended, { cancelled: true, sessionId: open[2].id, rejectedCount: 0 });
  assert.deepEqual(await ids("status=active"), [1, 0]);
  assert.deepEqual(await ids("status=cancelled"), [2]);
  const first = await ada.good("GET", `${path}?limit=2`);
  await Session.open(ada, project, policy);
  const second = await ada.good("GET", `${path}?limit=2&cursor=${first.nextCursor}`);
  assert.deepEqual(
    [second.items.length, second.items[0].sessionId, second.nextCursor],
    [1, open[0].id, null],
  );
  const bad = ["limit=0", "limit=101", "limit=x", "cursor=x", "workflowId=0", "status=open"];
  for (const query of bad) {
    assert.deepEqual(await ada.refused("GET", `${path}?${query}`), [422, "INVALID_INPUT"], query);
  }
  assert.deepEqual(await ada.refused("GET", `${path}?targetType=x`), [
    400,
    "AI_TARGET_NOT_SUPPORTED",
  ]);
});

test("a session that ended takes nothing more", async () => {
  const project = await furnished();
  const target = { targetType: "asset", targetId: "assets/policy.md", mode: "optimize" };
  const session = await Session.open(ada, project, target);
  const preview = await session.valid(asset("assets/policy.md", edit("short", "brief")));
  const before = await business(ada, project);
  const ended = await ada.good("POST", `${session.path}/cancel`);
  assert.deepEqual(ended, { cancelled: true, sessionId: session.id, rejectedCount: 1 });
  const again = await ada.good("POST", `${session.path}/cancel`);
  assert.deepEqual(again, { ...ended, rejectedCount: 0 });
  for (const verb of ["stage", "validate", "revert", "apply"]) {
    const got = await session.change(verb, { changeSetId: preview.changeSetId });
    assert.deepEqual([got.status, got.error.code], [409, "AI_SESSION_NOT_ACTIVE"], verb);
  }
  const closed = await session.change("discard", { changeSetId: preview.changeSetId });
  assert.deepEqual([closed.status, closed.error.code], [409, "AI_CHANGESET_CLOSED"]);
  assert.equal(await business(ada, project), before);
  assert.equal(
    (await session.show()).session.status,
    "cancelled",
    "what was said stays to be read",
  );
});

test("a session of a workflow that is gone has failed", async () => {
  const project = await furnished();
  const target = { targetType: "workflow", mode: "optimize", workflowId: 2 };
  const session = await Session.open(ada, project, target);
  const made = await Session.open(ada, project, { targetType: "workflow", mode: "create" });
  await ada.good("DELETE", `/projects/${project}/workflows/2`);
  assert.equal((await session.show()).session.status, "failed");
  assert.equal((await made.show()).session.status, "active", "its workflow is still to come");
  const got = await session.change("stage", {
    changeSet: session.set(workflow(2, edit("a", "b"))),
  });
  assert.deepEqual([got.status, got.error.code], [409, "AI_SESSION_NOT_ACTIVE"]);
});

test("the number of a workflow that is to come is given to nobody else", async () => {
  const project = await ada.furnished();
  const first = await Session.open(ada, project, { targetType: "workflow", mode: "create" });
  const second = await Session.open(ada, project, { targetType: "workflow", mode: "create" });
  const body = { name: "By hand" };
  const hand = await ada.good("POST", `/projects/${project}/workflows`, { body });
  assert.deepEqual([first.target.workflowId, second.target.workflowId, hand.workflowId], [3, 4, 5]);
});

test("deleted at once: the transcript goes, what was done stays told", async () => {
  const project = await furnished();
  const target = { targetType: "asset", targetId: "assets/policy.md", mode: "optimize" };
  const session = await Session.open(ada, project, target);
  await session.valid(asset("assets/policy.md", edit("short", "brief")));
  assert.deepEqual(await ada.good("DELETE", session.path), { deleted: true });
  assert.deepEqual(await ada.refused("GET", session.path), [404, "AI_SESSION_NOT_FOUND"]);
  assert.deepEqual(await ada.refused("DELETE", session.path), [404, "AI_SESSION_NOT_FOUND"]);
  assert.deepEqual((await ada.good("GET", `/projects/${project}/ai/sessions`)).items, []);
  assert.deepEqual(await told(ada, project, `&sessionId=${session.id}`), [
    "ai.session.created",
    "ai.change.staged",
    "ai.validation.passed",
    "ai.session.cancelled DELETED",
  ]);
});

test("a draft outside of sessions is gone before anybody is asked who they are", async () => {
  for (const path of ["/projects/p/ai/step-draft", "/packages/p/workflows/3/ai/step-draft"]) {
    for (const method of ["GET", "POST", "PUT", "DELETE"]) {
      const got = await bob.edge.ask(method, path);
      const value = got.value as unknown as { error: { code: string } };
      assert.deepEqual([got.status, value.error.code], [410, "AI_STEP_DRAFT_DEPRECATED"]);
    }
  }
});

test("a request that is sent again is answered, not done again", async () => {
  const project = await furnished();
  const path = `/projects/${project}/ai/sessions`;
  const body = { targetType: "asset", targetId: "assets/policy.md", mode: "optimize" };
  const [one, two] = [
    await ada.ask("POST", path, { body, key: "k1" }),
    await ada.ask("POST", path, { body, key: "k1" }),
  ];
  assert.deepEqual(two.data, one.data);
  assert.equal((await ada.good("GET", path)).items.length, 1);
  const other = await ada.refused("POST", path, { body: { ...body, mode: "create" }, key: "k1" });
  assert.deepEqual(other, [409, "IDEMPOTENCY_CONFLICT"]);
  const session = new Session(ada, project, body, one.data.sessionId);
  const changeSet = session.set(asset("assets/policy.md", edit("short", "brief")));
  const staged = await session.change("stage", { changeSet }, "k2");
  assert.deepEqual((await session.change("stage", { changeSet }, "k2")).data, staged.data);
  assert.equal((await session.show()).latestSuggestion.version, 1);
});

test("discarding takes the working files along", async () => {
  const project = await furnished();
  const target = { targetType: "workflow", mode: "optimize", workflowId: 1 };
  const session = await Session.open(ada, project, target);
  const none = await session.change("discard");
  assert.deepEqual([none.status, none.error.code], [409, "AI_NO_STAGED_CHANGES"]);
  const id = await session.stage(gone("asset", { path: "assets/policy.md" }));
  assert.deepEqual((await session.change("discard", { changeSetId: id })).data, {
    discarded: true,
  });
  const again = await session.change("discard", { changeSetId: id });
  assert.deepEqual([again.status, again.error.code], [409, "AI_CHANGESET_CLOSED"]);
  // Were the asset still hidden, the edit would find no text.
  await session.valid(asset("assets/policy.md", edit("short", "brief")));
});
