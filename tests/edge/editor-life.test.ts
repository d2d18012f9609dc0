// What outlives what: threads and their time, and a process killed in the middle (script-tool.md §7, §9).
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Checkpoint, Page } from "@holdpoint/core/editor";
import { entry, proposes, sample, says, startDesk, uuid, width } from "./desk.ts";
import { chunk, last, sleep } from "./upstream.ts";
import { eventually } from "./workerd.ts";

test("a thread lives for its time since the last activity, and is gone behind it", async () => {
  const desk = await startDesk({
    variables: { THREAD_TTL_MS: "6000" },
    play: (call) => says(call, proposes("Marker-of-a-thread.", entry("main"))),
  });
  try {
    const tool = await desk.create();
    const id = uuid();
    const ops = (await desk.edit(tool, "One.", {}, { id })).value.ops;
    await sleep(4_000);
    await desk.apply(tool, ops, {}, { id });
    await sleep(4_000);
    assert.equal((await desk.thread(tool)).length, 2, "an apply is activity");
    await sleep(7_000);
    assert.deepEqual(await desk.thread(tool), []);
    await eventually(() => ({
      ok: desk.edge.log.includes("thread_expired"),
      value: desk.edge.log,
    }));
    assert.equal(
      (await desk.tool(tool)).virtual_files["entrypoint.txt"],
      "main\n",
      "the script stays",
    );
    desk.play = (call) => says(call, proposes("New."));
    await desk.edit(await desk.tool(tool), "Two.");
    assert.deepEqual(
      last(desk.upstream.calls).body.messages.map((m) => m.role),
      ["system", "user"],
    );
  } finally {
    await desk.stop();
  }
});

test("killed while a model answers: the turn is closed by the next request", async () => {
  const desk = await startDesk({
    play: async (call) => {
      call.head();
      call.send(chunk("Half"));
      await call.closed;
    },
  });
  try {
    const tool = await desk.create();
    const running = desk
      .ask("POST", `/tools/${tool.tool_id}/chat`, { message: "Why?" })
      .catch(() => "cut");
    await eventually(async () => ({ ok: (await desk.thread(tool))[1]?.status === "pending" }));
    await desk.edge.kill();
    await running;
    await desk.edge.start();
    assert.equal((await desk.thread(tool))[1].status, "pending");
    desk.play = (call) => says(call, "Whole.");
    assert.equal(
      (await desk.ask("POST", `/tools/${tool.tool_id}/chat`, { message: "Why?" })).status,
      200,
    );
    const [, left, , answered] = await desk.thread(tool);
    assert.deepEqual([left.status, left.failure_outcome], ["failed", "abandoned_by_new_request"]);
    assert.equal(answered.content, "Whole.");
  } finally {
    await desk.stop();
  }
});

test("killed in a pause of the model: the words so far are there, the next request closes the turn", async () => {
  const words = ["First words, ", "and the last before the pause."];
  const desk = await startDesk({
    play: async (call) => {
      call.head();
      call.send(chunk(words[0]));
      await sleep(100);
      call.send(chunk(words[1]));
      await call.closed;
    },
  });
  try {
    const tool = await desk.create();
    const running = desk
      .ask("POST", `/tools/${tool.tool_id}/chat`, { message: "Why?" })
      .catch(() => "cut");
    const kept = await eventually(
      async () => {
        const value = (await desk.thread(tool))[1];
        return { ok: value?.content === words.join(""), value };
      },
      { ms: 4_000 },
    );
    assert.equal(kept.status, "pending");
    await desk.edge.kill();
    await running;
    await desk.edge.start();
    const [, left] = await desk.thread(tool);
    assert.deepEqual(
      [left.content, left.status, left.failure_outcome],
      [words.join(""), "pending", undefined],
    );
    desk.play = (call) => says(call, proposes("Fine."));
    assert.equal(
      (await desk.edit(tool, "Wider.")).value.outcome,
      "empty",
      "a request of either kind closes it",
    );
    const [, closed] = await desk.thread(tool);
    assert.deepEqual(
      [closed.content, closed.status, closed.failure_outcome],
      [words.join(""), "failed", "abandoned_by_new_request"],
    );
    assert.deepEqual(
      last(desk.upstream.calls).body.messages.map((m) => m.role),
      ["system", "user"],
      "no failed turn",
    );
  } finally {
    await desk.stop();
  }
});

/** Before the first moment nothing is stored; behind the last one everything is. */
const KILLED_AFTER_MS = [0, 4, 8, 12, 16, 20, 40, 2_000];

test("killed during an apply: before or after, never between, and the thread agrees", async () => {
  const desk = await startDesk({
    play: (call) => says(call, proposes("Both.", width(900), entry("main"))),
  });
  const seen = { before: 0, after: 0 };
  try {
    for (const wait of KILLED_AFTER_MS) {
      const tool = await desk.create();
      const id = uuid();
      const ops = (await desk.edit(tool, "Both.", {}, { id })).value.ops;
      const preview = (await desk.preview(tool, ops)).value;
      const running = desk
        .ask("POST", "/edit-ops/apply", desk.signed(tool, ops, preview), { id })
        .catch(() => undefined);
      await sleep(wait);
      await desk.edge.kill();
      const answered = await running;
      await desk.edge.start();
      const now = await desk.tool(tool);
      const decision = (await desk.thread(tool))[1].decision;
      const own = `/tools/${tool.tool_id}`;
      const causes = await desk.causes(tool);
      if (now.revision_id === tool.revision_id) {
        seen.before += 1;
        assert.deepEqual([now.virtual_files, decision, causes], [sample, undefined, ["hand"]]);
        assert.equal(answered?.status ?? 0, 0, "nothing was said that is not so");
      } else {
        seen.after += 1;
        assert.deepEqual(
          [now.virtual_files, decision, causes],
          [preview.after_virtual_files, "applied", ["apply", "hand"]],
        );
        const kept = await desk.ask<Page<Checkpoint>>("GET", `${own}/checkpoints`);
        assert.equal(kept.value.items.length, 1);
      }
    }
    assert.ok(seen.before > 0 && seen.after > 0, JSON.stringify(seen));
  } finally {
    await desk.stop();
  }
});
