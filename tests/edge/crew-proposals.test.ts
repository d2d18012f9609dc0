// Change sets at the edge: what is refused at staging, what moves under a proposal, what must be confirmed, what is
// written once, what is taken back (crew-package.md §10; ai-sessions.md §4, §12).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { agent, startCrew, type Told } from "./crew.ts";
import {
  agentPatch,
  asset,
  business,
  edit,
  gone,
  type Preview,
  Session,
  step,
  type Target,
  told,
  wholeWorkflow,
  workflow,
} from "./proposals.ts";

const { ada, bob } = await during(startCrew());

const POLICY = "Keep it short.\nKeep it true.\n";
const ABOUT_POLICY = { targetType: "asset", targetId: "assets/policy.md", mode: "optimize" };
const ABOUT_FIRST = { targetType: "workflow", mode: "optimize", workflowId: 1 };

/** A session about a project with two workflows, an agent and an asset. */
async function session(target: Target = ABOUT_FIRST): Promise<Session> {
  const project = await ada.furnished();
  const body = { path: "assets/policy.md", content: POLICY };
  await ada.good("POST", `/projects/${project}/assets`, { body });
  return Session.open(ada, project, target);
}

const put = (at: Session, content: string) =>
  ada.good("PUT", `/projects/${at.project}/assets`, {
    body: { path: "assets/policy.md", content },
  });
const code = (got: Told<unknown>) => [got.status, got.error?.code];
const text = async (at: Session) => (await ada.bundle(at.project)).files["assets/policy.md"];
/** Details of refusals about change sets. */
const details = (got: Told<unknown>) =>
  got.error.details as unknown as {
    objects: string[];
    preview: Preview;
    reasons: string[];
    errors: { code: string; path: string }[];
  };

test("what cannot be read or made is refused with all it has of that, and nothing is kept", async () => {
  const at = await session();
  const staged = async (changeSet: unknown) => code(await at.change("stage", { changeSet }));
  assert.deepEqual(await staged("no"), [422, "AI_BAD_RESPONSE"]);
  assert.deepEqual(await staged(undefined), [422, "AI_BAD_RESPONSE"]);
  const other = { ...at.set(), schemaVersion: "2.0" };
  assert.deepEqual(await staged(other), [422, "AI_CHANGESET_SCHEMA_UNSUPPORTED"]);
  const forbidden = { ...gone("asset", { path: "assets/policy.md" }), payload: { content: "x" } };
  assert.deepEqual(await staged(at.set(forbidden)), [422, "AI_CHANGESET_CONTRACT_VIOLATION"]);
  const nowhere = at.set(asset("assets/policy.md", edit("long", "")));
  assert.deepEqual(await staged(nowhere), [422, "EDIT_NOT_FOUND"]);
  assert.deepEqual(await staged(at.set(asset("assets/policy.md", edit("Keep", "")))), [
    422,
    "EDIT_AMBIGUOUS",
  ]);
  assert.deepEqual(await staged(at.set(asset("assets/policy.md", { content: POLICY }))), [
    409,
    "AI_NO_STAGED_CHANGES",
  ]);
  const got = await at.change("stage", { changeSet: nowhere });
  assert.equal(details(got).errors[0].path, "operations[0].payload.edits[0]");
  const shown = await at.show();
  assert.equal(shown.latestSuggestion, null);
  assert.deepEqual(await ada.refused("GET", `${at.path}/preview`), [409, "AI_NO_STAGED_CHANGES"]);
  assert.deepEqual(code(await at.change("validate")), [409, "AI_NO_STAGED_CHANGES"]);
});

test("sets join, the newest one is current, and one is open", async () => {
  const at = await session();
  const first = await at.stage(asset("assets/a.md", { content: "1" }));
  const second = await at.stage(asset("assets/policy.md", edit("short", "brief")));
  assert.deepEqual(code(await at.change("validate", { changeSetId: first })), [
    409,
    "AI_CHANGESET_CLOSED",
  ]);
  const shown = await ada.good("GET", `${at.path}/preview`);
  assert.deepEqual(
    shown.changed.map((one: Record<string, unknown>) => [
      one.object,
      one.status,
      one.before,
      one.after,
    ]),
    [
      ["asset:assets/a.md", "A", null, "1"],
      ["asset:assets/policy.md", "M", POLICY, POLICY.replace("short", "brief")],
    ],
  );
  assert.deepEqual([shown.preview, shown.validation], [null, null], "nobody validated it");
  assert.deepEqual(shown.impact.counts, { workflow: 0, step: 0, agent: 0, asset: 2 });
  const old = `${at.path}/preview?changeSetId=${first}`;
  assert.deepEqual(await ada.refused("GET", old), [409, "AI_NO_STAGED_CHANGES"]);
  for (const absent of ["cs_00000000000fffff", "cs_1", "x"]) {
    const path = `${at.path}/preview?changeSetId=${absent}`;
    assert.deepEqual(await ada.refused("GET", path), [404, "AI_CHANGESET_NOT_FOUND"]);
  }
  const verdict = await at.validate(second);
  assert.deepEqual(
    [verdict.valid, verdict.status, verdict.meta.allowWrite],
    [true, "validated", false],
  );
  const now = await at.show();
  assert.deepEqual([now.latestSuggestion.version, now.latestSuggestion.status], [2, "validated"]);
  assert.deepEqual(now.validation.errors, []);
});

test("a text without an id gets a verdict, and nothing is stored", async () => {
  const at = await session();
  const changeSet = at.set(agentPatch("clerk", { role: "x" }));
  const got = await at.change("validate", { suggestionVersion: 1, changeSet });
  assert.deepEqual(
    [got.status, got.data.valid, got.data.changeSetId, got.data.status, got.data.preview],
    [200, false, null, null, null],
  );
  assert.deepEqual(got.data.errors[0].code, "IMPACT_SCOPE_VIOLATION");
  assert.equal((await at.show()).latestSuggestion, null);
});

test("what does not hold is rejected, stays to be seen, and the next set goes on from it", async () => {
  const at = await session();
  const id = await at.stage(
    asset("assets/policy.md", edit("short", "brief")),
    agentPatch("clerk", { role: "x" }),
  );
  const verdict = await at.validate(id);
  assert.deepEqual([verdict.valid, verdict.status, verdict.preview], [false, "rejected", null]);
  assert.equal((await ada.good("GET", `${at.path}/preview`)).changed.length, 2);
  assert.deepEqual(code(await at.change("validate", { changeSetId: id })), [
    409,
    "AI_CHANGESET_CLOSED",
  ]);
  const closed = await at.apply({ changeSetId: id } as Preview, { preview: undefined });
  assert.deepEqual(code(closed), [409, "AI_CHANGESET_CLOSED"]);
  // Back as it was, so it leaves the session.
  const preview = await at.valid(agentPatch("clerk", { agent: agent("clerk"), replace: true }));
  assert.equal((await at.apply(preview)).status, 200);
  assert.equal(await text(at), POLICY.replace("short", "brief"));
});

test("an apply is a person's, of a validated set", async () => {
  const at = await session(ABOUT_POLICY);
  const before = await business(ada, at.project);
  const changeSetId = await at.stage(asset("assets/policy.md", edit("short", "brief")));
  const early = await at.apply({ changeSetId } as Preview, { preview: undefined });
  assert.deepEqual(code(early), [409, "AI_CHANGESET_NOT_VALIDATED"]);
  const { preview } = await at.validate(changeSetId);
  assert.ok(preview);
  for (const confirmSource of [undefined, "model", "UI_MANUAL_APPLY", true, 1]) {
    const got = await at.apply(preview, { confirmSource });
    assert.deepEqual(code(got), [400, "AI_APPLY_REQUIRES_CONFIRMATION"], String(confirmSource));
  }
  assert.deepEqual(code(await at.apply(preview, { changeSetId: undefined })), [
    422,
    "INVALID_INPUT",
  ]);
  assert.deepEqual(code(await at.apply(preview, { preview: { baseHash: 1 } })), [
    422,
    "INVALID_INPUT",
  ]);
  const foreign = { ...preview, changeSetId: "cs_00000000000fffff" };
  assert.deepEqual(code(await at.apply(foreign)), [404, "AI_CHANGESET_NOT_FOUND"]);
  assert.equal(await business(ada, at.project), before);
  const body = { confirmSource: "ui_manual_apply", ...preview, preview: undefined };
  const applied = await at.change("apply", body);
  assert.equal(applied.status, 200, "without a preview the one of the validation is signed");
});

test("two applies of one set write once", async () => {
  const at = await session(ABOUT_POLICY);
  const preview = await at.valid(asset("assets/policy.md", edit("short", "brief")));
  const revisions = async () =>
    (await ada.good("GET", `/projects/${at.project}/revisions`)).items.length;
  const before = await revisions();
  const both = await Promise.all([at.apply(preview), at.apply(preview), at.apply(preview)]);
  assert.deepEqual(both.map((got) => got.status).sort(), [200, 409, 409]);
  assert.ok(both.every((got) => got.status === 200 || got.error.code === "AI_CHANGESET_CLOSED"));
  assert.equal(await revisions(), before + 1);
});

test("work of others survives edits: a conflict shows the fresh preview, which is signed then", async () => {
  const at = await session(ABOUT_POLICY);
  const preview = await at.valid(asset("assets/policy.md", edit("short", "brief")));
  await put(at, POLICY.replace("true", "kind"));
  const before = await business(ada, at.project);
  const stale = await at.apply(preview);
  assert.deepEqual(code(stale), [409, "CONFLICT"]);
  const { objects, preview: fresh } = details(stale);
  assert.deepEqual(objects, ["asset:assets/policy.md"]);
  assert.equal(fresh.changeSetId, preview.changeSetId);
  assert.notEqual(fresh.baseHash, preview.baseHash);
  assert.equal(await business(ada, at.project), before, "nothing was written");
  const shown = await ada.good("GET", `${at.path}/preview`);
  assert.equal(shown.changed[0].after, "Keep it brief.\nKeep it kind.\n");
  assert.deepEqual(code(await at.apply(preview)), [409, "CONFLICT"], "the old one is no preview");
  assert.equal((await at.apply(fresh)).status, 200);
  assert.equal(await text(at), "Keep it brief.\nKeep it kind.\n");
});

test("what others changed elsewhere is no conflict; a whole text replaces", async () => {
  const at = await session(ABOUT_POLICY);
  const preview = await at.valid(asset("assets/policy.md", { content: "Mine.\n" }));
  const body = { path: "assets/other.md", content: "Other.\n" };
  await ada.good("POST", `/projects/${at.project}/assets`, { body });
  assert.equal((await at.apply(preview)).status, 200);
  const second = await at.valid(asset("assets/policy.md", { content: "Mine again.\n" }));
  await put(at, "Theirs.\n");
  const stale = await at.apply(second);
  assert.deepEqual(code(stale), [409, "CONFLICT"]);
  assert.equal((await at.apply(details(stale).preview)).status, 200);
  assert.equal(await text(at), "Mine again.\n");
});

test("edits that fit nowhere any more reject the set", async () => {
  const at = await session(ABOUT_POLICY);
  const preview = await at.valid(asset("assets/policy.md", edit("short", "brief")));
  await put(at, "Quite another text.\n");
  const before = await business(ada, at.project);
  const got = await at.apply(preview);
  assert.deepEqual(code(got), [422, "AI_VALIDATION_FAILED"]);
  assert.equal(details(got).errors[0].code, "EDIT_NOT_FOUND");
  assert.equal((await at.show()).latestSuggestion.status, "rejected");
  assert.deepEqual(code(await at.apply(preview)), [409, "AI_CHANGESET_CLOSED"]);
  assert.equal(await business(ada, at.project), before);
});

test("a delete is confirmed with the token of its preview, once", async () => {
  const at = await session();
  const preview = await at.valid(gone("asset", { path: "assets/policy.md" }));
  assert.deepEqual(preview.confirm, ["delete"]);
  assert.match(preview.confirmToken as string, /^[0-9a-f]{64}$/);
  const before = await business(ada, at.project);
  for (const confirmToken of [undefined, "", "0".repeat(64), "x"]) {
    const got = await at.apply({ ...preview, confirmToken: null }, { confirmToken });
    assert.deepEqual(code(got), [409, "CONFIRMATION_REQUIRED"], String(confirmToken));
    assert.deepEqual(details(got).reasons, ["delete"]);
  }
  const other = await Session.open(ada, at.project, ABOUT_FIRST);
  const theirs = await other.valid(gone("asset", { path: "assets/policy.md" }));
  const lent = await at.apply({ ...preview, confirmToken: theirs.confirmToken });
  assert.deepEqual(
    code(lent),
    [409, "CONFIRMATION_REQUIRED"],
    "that of another set of the same files",
  );
  assert.equal(await business(ada, at.project), before);
  assert.equal((await at.apply(preview)).status, 200);
  assert.equal(await text(at), undefined);
  const spent = await other.apply(theirs);
  assert.deepEqual(code(spent), [422, "AI_VALIDATION_FAILED"], "the asset is gone already");
});

test("an undo is a proposal of its own and gives every byte back", async () => {
  const at = await session();
  const { files } = await ada.bundle(at.project);
  const preview = await at.valid(
    workflow(1, edit("# ", "# The ")),
    gone("asset", { path: "assets/policy.md" }),
    agentPatch("judge", { agent: agent("judge") }),
  );
  const early = await at.change("revert", { changeSetId: preview.changeSetId });
  assert.deepEqual(code(early), [409, "AI_CHANGESET_NOT_VALIDATED"]);
  assert.equal((await at.apply(preview)).status, 200);
  const applied = await ada.show(at.project);
  const back = await at.change("revert", { changeSetId: preview.changeSetId });
  assert.deepEqual([back.status, back.data.status], [201, "staged"], back.raw);
  const { preview: undo } = await at.validate(back.data.changeSetId);
  assert.ok(undo, "the boundary of the session is not asked");
  assert.deepEqual(undo.confirm, ["delete"], "the agent goes again");
  assert.equal((await at.apply(undo)).status, 200);
  assert.deepEqual((await ada.bundle(at.project)).files, files);
  const now = await ada.show(at.project);
  assert.ok(now.agentsRevision > applied.agentsRevision, "counters never go back");
  const nothing = await at.change("revert", { changeSetId: preview.changeSetId });
  assert.deepEqual(code(nothing), [409, "AI_NO_STAGED_CHANGES"]);
  const kinds = await told(ada, at.project, "&type=ai.change.reverted");
  assert.equal(kinds.length, 1);
});

test("a new workflow is not taken back, and none is deleted by a set", async () => {
  const at = await session({ targetType: "workflow", mode: "create" });
  const id = at.target.workflowId as number;
  const preview = await at.valid(workflow(id, wholeWorkflow(id)));
  assert.equal((await at.apply(preview)).status, 200);
  const back = await at.change("revert", { changeSetId: preview.changeSetId });
  assert.deepEqual(code(back), [422, "AI_APPLY_UNSUPPORTED"]);
  const first = await Session.open(ada, at.project, ABOUT_FIRST);
  const verdict = await first.validate(await first.stage(gone("workflow", { workflowId: 1 })));
  assert.deepEqual(
    verdict.errors.map((found) => found.code),
    ["AI_APPLY_UNSUPPORTED"],
  );
});

test("what a session made is bettered in the same session", async () => {
  const at = await session({ targetType: "agent", mode: "create", targetId: "judge" });
  const made = await at.valid(agentPatch("judge", { agent: agent("judge") }));
  assert.equal((await at.apply(made)).status, 200);
  const preview = await at.valid(agentPatch("judge", { role: "Judges" }));
  assert.equal((await at.apply(preview)).status, 200);
  const { agents } = await ada.good("GET", `/projects/${at.project}/agents`);
  assert.equal(agents[1].persona.role, "Judges");
  assert.equal((await at.show()).session.mode, "create", "it stays what it was made as");
  const twin = await Session.open(ada, at.project, at.target);
  const verdict = await twin.validate(await twin.stage(agentPatch("judge", { role: "x" })));
  assert.equal(verdict.errors[0].code, "AGENT_ID_DUPLICATE", "another one did not make it");
});

test("two sessions do not see each other's work", async () => {
  const at = await session(ABOUT_POLICY);
  await at.stage(asset("assets/policy.md", edit("short", "brief")));
  const other = await Session.open(ada, at.project, ABOUT_POLICY);
  const preview = await other.valid(asset("assets/policy.md", edit("short", "terse")));
  const theirs = await at.change("validate", { changeSetId: preview.changeSetId });
  assert.deepEqual(code(theirs), [404, "AI_CHANGESET_NOT_FOUND"]);
  assert.equal((await other.apply(preview)).status, 200);
  assert.equal(await text(at), POLICY.replace("short", "terse"));
});

test("a node follows its step when the step is applied", async () => {
  const flowAt = await session();
  const flow = await ada.flow(flowAt.project, 1);
  const node = flow.graph.nodes.find((one) => one.type === "step")?.id as string;
  const stored = flow.steps.find((one) => one.nodeId === node)?.markdown as string;
  const target = { targetType: "step", mode: "optimize", workflowId: 1, targetId: node };
  const at = await Session.open(ada, flowAt.project, target);
  const named = stored.replace("agentId:", "was:").replace(/^---\n/, '---\nagentId: "clerk"\n');
  const preview = await at.valid(step(1, node, { stepMarkdown: named }));
  assert.equal((await at.apply(preview)).status, 200);
  const after = await ada.flow(at.project, 1);
  assert.equal(after.graph.nodes.find((one) => one.id === node)?.agentId, "clerk");
});

test("what was proposed is nobody else's", async () => {
  const at = await session(ABOUT_POLICY);
  const preview = await at.valid(asset("assets/policy.md", edit("short", "brief")));
  const theirs = new Session(bob, at.project, at.target, at.id);
  assert.deepEqual(code(await theirs.apply(preview)), [404, "PROJECT_NOT_FOUND"]);
  assert.equal((await at.apply(preview)).status, 200);
});
