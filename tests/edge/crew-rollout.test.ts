// Switches, audit, metrics, life times, faults and restarts of sessions (ai-sessions.md §2, §10).
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Person, startCrew } from "./crew.ts";
import { failing } from "./faults.ts";
import { asset, business, edit, gone, Session, told } from "./proposals.ts";
import { sleep } from "./upstream.ts";
import { eventually } from "./workerd.ts";

const ABOUT_POLICY = { targetType: "asset", targetId: "assets/policy.md", mode: "optimize" };
const BRIEF = asset("assets/policy.md", edit("short", "brief"));

async function furnished(ada: Person): Promise<string> {
  const project = await ada.furnished();
  const body = { path: "assets/policy.md", content: "Keep it short.\n" };
  await ada.good("POST", `/projects/${project}/assets`, { body });
  return project;
}

const open = (ada: Person, project: string) => Session.open(ada, project, ABOUT_POLICY);

test("what is switched off is refused in one order, told, and changes nothing", async () => {
  const { edge, ada, stop } = await startCrew();
  try {
    const project = await furnished(ada);
    const session = await open(ada, project);
    const preview = await session.valid(BRIEF);
    const before = await business(ada, project);
    const { changeSetId } = preview;
    /** The same state behind an edge with other switches. */
    const restarted = async (switches: Record<string, string>) => {
      for (const name of Object.keys(edge.variables))
        if (name.startsWith("AI_WORKBENCH")) delete edge.variables[name];
      for (const [name, value] of Object.entries(switches))
        edge.variables[`AI_WORKBENCH_${name}`] = value;
      await edge.kill();
      await edge.start();
    };
    const path = `/projects/${project}/ai`;
    /** Codes of what works, of an apply, and of what ends work. */
    const codes = async () => {
      const got = [
        await ada.ask("POST", `${path}/sessions`, { body: { ...ABOUT_POLICY, mode: "wrong" } }),
        await ada.ask("POST", `${path}/sessions/as_none/messages`, { body: {} }),
        await session.change("stage", { sessionId: "as_none" }),
        await session.change("validate", { sessionId: "as_none" }),
        await ada.ask("POST", `${path}/sessions/as_none/apply`, { body: {} }),
        await session.change("apply", { changeSetId }),
        await session.change("discard", { sessionId: "as_none" }),
        await ada.ask("GET", session.path),
      ];
      return got.map((one) => one.error?.code ?? one.status);
    };
    const ended = ["AI_SESSION_NOT_FOUND", 200];
    const all = (code: string) => [...Array(6).fill(code), ...ended];
    await restarted({ CANARY_ENABLED: "1", READ_ONLY: "1", DISABLE_APPLY: "1" });
    assert.deepEqual(await codes(), all("AI_ROLLOUT_CANARY_BLOCKED"));
    await restarted({
      CANARY_ENABLED: "1",
      CANARY_USER_IDS: "eve,ada",
      READ_ONLY: "1",
      DISABLE_APPLY: "1",
    });
    assert.deepEqual(await codes(), all("AI_WORKBENCH_READ_ONLY"));
    await restarted({ CANARY_ENABLED: "1", CANARY_PERCENT: "100", DISABLE_APPLY: "1" });
    assert.deepEqual(await codes(), [
      "INVALID_INPUT",
      "AI_SESSION_NOT_FOUND",
      "AI_SESSION_NOT_FOUND",
      "AI_SESSION_NOT_FOUND",
      "AI_APPLY_DISABLED",
      "AI_APPLY_DISABLED",
      ...ended,
    ]);
    assert.equal(await business(ada, project), before);
    const { rollout, codes: counted } = await ada.good("GET", `${path}/metrics`);
    assert.deepEqual(rollout, {
      canaryEnabled: true,
      canaryPercent: 100,
      readOnly: false,
      disableApply: true,
    });
    assert.deepEqual(
      [
        counted.AI_ROLLOUT_CANARY_BLOCKED,
        counted.AI_WORKBENCH_READ_ONLY,
        counted.AI_APPLY_DISABLED,
      ],
      [6, 6, 2],
    );
    // What a person does by hand is never switched off.
    const body = { path: "assets/policy.md", content: "By hand.\n" };
    await restarted({ READ_ONLY: "1" });
    await ada.good("PUT", `/projects/${project}/assets`, { body });
    await ada.good("POST", `${session.path}/cancel`);
  } finally {
    await stop();
  }
});

test("what was done is told and counted, also after a crash, and no text is", async () => {
  const { edge, ada, stop } = await startCrew();
  try {
    const project = await furnished(ada);
    const session = await open(ada, project);
    const secret = "Marker-of-a-text";
    const invalid = await session.stage(
      asset("assets/policy.md", { content: secret }),
      asset("assets/other.md", { content: secret }),
    );
    assert.equal((await session.validate(invalid)).valid, false);
    await session.change("discard", { changeSetId: invalid });
    const back = gone("asset", { path: "assets/other.md" });
    const preview = await session.valid(
      asset("assets/policy.md", { content: `${secret} 2` }),
      back,
    );
    const late = await session.apply(preview, { preview: { baseHash: "x", resultHash: "y" } });
    assert.equal(late.status, 409);
    const applied = await session.apply(preview, { revisionBase: { assetsRevision: 99 } });
    assert.equal(applied.status, 200, applied.raw);
    const kinds = [
      "ai.session.created",
      "ai.change.staged",
      "ai.validation.failed IMPACT_SCOPE_VIOLATION",
      "ai.change.staged",
      "ai.validation.passed",
      "ai.validation.passed",
      "ai.apply.blocked CONFLICT",
      "ai.apply.succeeded",
    ];
    assert.deepEqual(await told(ada, project), kinds);
    const metrics = () => ada.good("GET", `/projects/${project}/ai/metrics`);
    const before = await metrics();
    assert.deepEqual(before.applies, { total: 2, ok: 1, failed: 0, blocked: 1 });
    assert.deepEqual(
      [before.revisionMismatchWarnings, before.applyConversion, before.alerts],
      [1, 0.5, []],
    );
    assert.deepEqual(before.messages, { total: 0, ok: 0, failed: 0 });
    const path = `/projects/${project}/ai/audit/events`;
    const page = await ada.good("GET", `${path}?limit=3`);
    assert.deepEqual(
      page.items.map((item: { id: string }) => /^evt_[0-9a-f]{16}$/.test(item.id)),
      [true, true, true],
    );
    const [done] = page.items;
    assert.deepEqual(
      [done.userId, done.projectId, done.sessionId, done.changeSetId, done.suggestionVersion],
      ["ada", project, session.id, preview.changeSetId, 2],
    );
    assert.deepEqual(done.objects, ["asset:assets/policy.md"]);
    assert.deepEqual(done.detail.newRevision, applied.data.newRevision);
    const rest = await ada.good("GET", `${path}?limit=100&cursor=${page.nextCursor}`);
    assert.equal(page.items.length + rest.items.length, kinds.length);
    await edge.kill();
    await edge.start();
    assert.deepEqual(await told(ada, project), kinds);
    assert.deepEqual(await metrics(), before);
    const said = JSON.stringify([page, rest, before]) + edge.log;
    assert.ok(edge.log.includes("ai.apply.succeeded"));
    assert.ok(!said.includes(secret) && !said.includes(preview.baseHash));
  } finally {
    await stop();
  }
});

test("what nobody uses is cancelled by the alarm, and old transcripts go", async () => {
  const { edge, ada, stop } = await startCrew({
    AI_SESSION_IDLE_MS: "3000",
    AI_TRANSCRIPT_TTL_MS: "9000",
  });
  try {
    const project = await furnished(ada);
    const session = await open(ada, project);
    const id = await session.stage(BRIEF);
    await eventually(() => ({
      ok: edge.log.includes('"code":"IDLE"'),
      value: edge.log.slice(-500),
    }));
    const shown = await session.show();
    assert.deepEqual(
      [shown.session.status, shown.latestSuggestion.status],
      ["cancelled", "rejected"],
    );
    const used = await open(ada, project);
    for (let n = 0; n < 3; n++) {
      await sleep(1_500);
      await used.stage(asset("assets/policy.md", { content: `${n}` }));
    }
    assert.equal((await used.show()).session.status, "active", "a set is activity");
    await eventually(
      () => ({ ok: edge.log.includes("thread_expired"), value: edge.log.slice(-500) }),
      {
        ms: 20_000,
      },
    );
    assert.deepEqual(await ada.refused("GET", session.path), [404, "AI_SESSION_NOT_FOUND"]);
    const kinds = await told(ada, project, `&sessionId=${session.id}`);
    assert.deepEqual(kinds, [
      "ai.session.created",
      "ai.change.staged",
      "ai.session.cancelled IDLE",
    ]);
    assert.match(id, /^cs_/);
  } finally {
    await stop();
  }
});

test("a statement that fails in an apply leaves everything as it was, and the next apply works", async () => {
  const end = failing("UPDATE change_set SET status = 'applied'");
  const { ada, stop } = await startCrew();
  try {
    const project = await furnished(ada);
    const session = await Session.open(ada, project, {
      targetType: "workflow",
      mode: "optimize",
      workflowId: 1,
    });
    const preview = await session.valid(gone("asset", { path: "assets/policy.md" }));
    const before = await business(ada, project);
    const failed = await session.apply(preview);
    assert.deepEqual([failed.status, failed.error.code], [500, "AI_APPLY_FAILED"]);
    assert.equal(await business(ada, project), before);
    assert.equal((await session.show()).latestSuggestion.status, "validated");
    assert.equal((await ada.good("GET", `${session.path}/preview`)).changed.length, 1);
    assert.equal((await session.apply(preview)).status, 200, "also the token is there again");
    const kinds = await told(ada, project);
    assert.deepEqual(kinds.slice(-2), ["ai.apply.failed AI_APPLY_FAILED", "ai.apply.succeeded"]);
  } finally {
    await stop();
    end();
  }
});

test("a process killed at any moment of an apply has written all of it or nothing", async () => {
  const { edge, ada, stop } = await startCrew();
  try {
    const project = await furnished(ada);
    for (const wait of [0, 2, 5, 10, 20, 40]) {
      const session = await open(ada, project);
      const content = `Text after ${wait}.\n`;
      const preview = await session.valid(asset("assets/policy.md", { content }));
      const revisions = async () => (await ada.show(project)).revision;
      const before = await revisions();
      const asked = session.apply(preview).catch(() => undefined);
      await sleep(wait);
      await edge.kill();
      await asked;
      await edge.start();
      const { status } = (await session.show()).latestSuggestion;
      const text = (await ada.bundle(project)).files["assets/policy.md"];
      const written = status === "applied";
      assert.equal(text === content, written, `${wait}: ${status}`);
      assert.equal(await revisions(), before + (written ? 1 : 0), `${wait}`);
      const kinds = await told(ada, project, `&sessionId=${session.id}&type=ai.apply.succeeded`);
      assert.equal(kinds.length, written ? 1 : 0, `${wait}`);
    }
  } finally {
    await stop();
  }
});
