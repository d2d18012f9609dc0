// Many at once on one script: steps, applies, stops, discards (script-tool.md §7, §9).
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import type { Tool } from "@holdpoint/core/editor";
import { during } from "../during.ts";
import {
  code,
  entry,
  events,
  otherUser,
  proposes,
  sample,
  says,
  startDesk,
  type Told,
  uuid,
  width,
} from "./desk.ts";
import { type Call, chunk, done, finish, last, sleep } from "./upstream.ts";
import { type Answer, eventually } from "./workerd.ts";

const desk = await during(startDesk({ play: (call) => says(call, proposes("Fine.", width(900))) }));

/** The first answer of that status. */
const one = <T>(answers: Answer<T>[], status: number): Answer<T> =>
  last(answers.filter((answer) => answer.status === status));
const count = (answers: Answer[], status: number) =>
  answers.filter((answer: Answer) => answer.status === status).length;

test("many steps on one base: one of them is taken, each of the others hears where the script is", async () => {
  const tool = await desk.create();
  const own = `/tools/${tool.tool_id}`;
  const applied = (await desk.apply(tool, [width(900), entry("main")])).value;
  type Ask = (base_revision_id: string, n: number) => Promise<Answer<Told>>;
  const race = async (base_revision_id = "", ask: Ask) => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => ask(base_revision_id, n)),
    );
    assert.deepEqual([count(answers, 200), count(answers, 409)], [1, 11]);
    const { revision_id } = one(answers, 200).value;
    for (const { value } of answers.filter((answer) => answer.status === 409)) {
      const { reason, revision_id: present } = value.error.details;
      assert.deepEqual(
        [value.error.code, reason, present],
        ["CONFLICT", "base_changed", revision_id],
      );
    }
    return revision_id;
  };
  const step =
    (word: string, more = {}) =>
    (base_revision_id: string) =>
      desk.ask("POST", `${own}/${word}`, { base_revision_id, ...more });
  let base = await race(applied.revision_id, step("undo"));
  base = await race(base, step("redo"));
  base = await race(base, step("restore", { revision_id: "rev_1" }));
  base = await race(base, (on, n) =>
    desk.ask("PUT", own, { base_revision_id: on, virtual_files: { "entrypoint.txt": `f${n}\n` } }),
  );
  assert.deepEqual(await desk.causes(tool), ["hand", "restore", "redo", "undo", "apply", "hand"]);
  assert.equal((await desk.tool(tool)).revision_id, base);
});

test("the same apply, sent twelve times at once, is applied once; undo, save and apply never mix", async () => {
  const tool = await desk.create();
  const seen = (await desk.preview(tool, [width(900)])).value;
  const body = desk.signed(tool, [width(900)], seen);
  const id = uuid();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => desk.ask("POST", "/edit-ops/apply", body, { id })),
  );
  assert.deepEqual([count(answers, 200), count(answers, 409)], [1, 11]);
  const now = await desk.tool(tool);
  const lost = one(answers, 409).value.error;
  assert.deepEqual(
    [lost.code, lost.details.reason, lost.details.revision_id],
    ["CONFLICT", "base_changed", now.revision_id],
  );

  const other = desk.signed(now, [entry("main")], (await desk.preview(now, [entry("main")])).value);
  const base_revision_id = now.revision_id;
  const mixed = await Promise.all([
    desk.ask("POST", "/edit-ops/apply", other),
    desk.ask("POST", `/tools/${tool.tool_id}/undo`, { base_revision_id }),
    desk.ask("PUT", `/tools/${tool.tool_id}`, {
      base_revision_id,
      virtual_files: { "usage_instructions.md": "Mine.\n" },
    }),
  ]);
  // An apply asks only for its own files; undo and save ask for the whole script as they saw it.
  assert.equal(mixed[0].status, 200, mixed[0].raw);
  assert.ok(count(mixed.slice(1), 200) <= 1 && count(mixed, 200) + count(mixed, 409) === 3);
  assert.equal((await desk.causes(tool)).length, 2 + count(mixed, 200));
  assert.equal((await desk.tool(tool)).virtual_files["entrypoint.txt"], "main\n");
});

/** Begins to answer, then waits until it is closed from the other side. */
const hangs = async (call: Call) => {
  call.head();
  call.send(chunk("Some words "));
  await call.closed;
};

test("previews, applies, saves and undo go on while the model answers", async () => {
  const tool = await desk.create();
  desk.play = hangs;
  const running = desk.ask("POST", `/tools/${tool.tool_id}/chat`, { message: "Why?" });
  await eventually(async () => ({ ok: (await desk.thread(tool)).length === 2 }));
  const applied = await desk.apply(tool, [width(900)]);
  assert.equal(applied.value.applied, true, applied.raw);
  const undone = await desk.ask("POST", `/tools/${tool.tool_id}/undo`, {
    base_revision_id: applied.value.revision_id,
  });
  assert.deepEqual([undone.status, undone.value.virtual_files], [200, sample]);
  assert.deepEqual(code(await desk.edit(tool, "Wider.")), [409, "REQUEST_IN_FLIGHT"]);
  assert.deepEqual((await desk.ask("POST", `/tools/${tool.tool_id}/chat/cancel`, {})).value, {
    cancelled: true,
  });
  assert.equal(last(events((await running).raw)).data.reason, "cancelled");
  const [, answered] = await desk.thread(tool);
  assert.deepEqual([answered.status, answered.content], ["cancelled", "Some words "]);
  assert.deepEqual((await desk.ask("POST", `/tools/${tool.tool_id}/chat/cancel`, {})).value, {
    cancelled: false,
  });
});

const stops: [string, (tool: Tool) => Promise<Answer>][] = [
  ["cleared", (tool) => desk.ask("DELETE", `/tools/${tool.tool_id}/chat`)],
  ["stopped", (tool) => desk.ask("POST", `/tools/${tool.tool_id}/chat/cancel`, {})],
];

for (const [name, stop] of stops) {
  test(`${name} while it runs: the place is free at once, and nothing is written behind it`, async () => {
    const chat = (message: string) => desk.ask("POST", `/tools/${tool.tool_id}/chat`, { message });
    const tool = await desk.create();
    let freed = 0;
    for (let wait = 0; wait < 100; wait += 10) {
      desk.play = hangs;
      const running = chat("Before.");
      await sleep(wait);
      for (const answer of await Promise.all([stop(tool), stop(tool)]))
        assert.ok(answer.status < 300, answer.raw);
      desk.play = (call) => says(call, "After.");
      const next = await chat("Then.");
      // The stop overtook what it was to stop.
      if (next.status === 409) await stop(tool);
      const ended = await running;
      const thread = await desk.thread(tool);
      assert.ok(
        !thread.some((message) => message.status === "pending"),
        `${wait} ms: ${JSON.stringify(thread)}`,
      );
      if (
        next.status === 200 &&
        (ended.status === 499 || events(ended.raw).at(-1)?.data.reason === "cancelled")
      ) {
        freed += 1;
        const before = thread
          .filter((message) => message.content === "Before.")
          .map((message) => message.status);
        assert.ok(
          name === "cleared"
            ? before.length === 0
            : before.every((status) => status === "cancelled"),
          `${wait} ms: ${before}`,
        );
      }
      await desk.ask("DELETE", `/tools/${tool.tool_id}/chat`);
      assert.deepEqual(await desk.thread(tool), []);
    }
    assert.ok(freed > 0, "no stop came in time");
  });
}

test("a proposal is discarded once, by its own person, under its own id", async () => {
  const tool = await desk.create();
  const named = { tool_id: tool.tool_id };
  const discard = (id?: string, options = {}) =>
    desk.ask<{ discarded: boolean }>("POST", "/edit-ops/discard", named, { id, ...options });
  const decision = async () => last(await desk.thread(tool)).decision;
  desk.play = (call) => says(call, proposes("Fine.", width(900)));
  const first = uuid();
  const { ops } = (await desk.edit(tool, "Wider.", {}, { id: first })).value;
  const bob = await otherUser(desk, "bob");
  assert.deepEqual(code(await discard(first, { token: bob })), [403, "FORBIDDEN"]);
  for (const id of [uuid(), undefined])
    assert.deepEqual((await discard(id)).value, { discarded: false });
  const at_once = await Promise.all([discard(first), discard(first), discard(first)]);
  assert.deepEqual(at_once.map((answer) => answer.value.discarded).sort(), [false, false, true]);
  assert.equal(await decision(), "discarded");
  // The other tab applies what this one discarded; then it is not to be discarded any more.
  const applied = await desk.apply(tool, ops, {}, { id: first });
  assert.deepEqual([applied.value.applied, await decision()], [true, "applied"]);
  assert.deepEqual((await discard(first)).value, { discarded: false });
  await desk.ask("POST", `/tools/${tool.tool_id}/undo`, {
    base_revision_id: applied.value.revision_id,
  });
  assert.deepEqual(
    [(await discard(first)).value, await decision()],
    [{ discarded: false }, "undone"],
  );
});

test("a client that reads nothing holds no provider back, and misses nothing", async () => {
  // Six bytes on the wire for one of the text: more than what a connection takes in advance.
  const words = "\u0001".repeat(40_000);
  desk.play = async (call) => {
    call.head();
    for (let piece = 0; piece < 25; piece += 1) call.send(chunk(words));
    call.end(finish + done);
  };
  const tool = await desk.create();
  const response = await new Promise<http.IncomingMessage>((heard, failed) => {
    const url = `${desk.edge.url}/api/v1/editor/tools/${tool.tool_id}/chat`;
    const headers = { authorization: `Bearer ${desk.token}`, "content-type": "application/json" };
    const request = http.request(url, { method: "POST", agent: false, headers }, heard);
    request.on("error", failed);
    request.end(JSON.stringify({ message: "Why?" }));
  });
  const is_complete = async () => {
    const value = (await desk.thread(tool))[1]?.status;
    return { ok: value === "complete", value };
  };
  await eventually(is_complete, { ms: 30_000, every: 200 });
  let raw = "";
  for await (const part of response.setEncoding("utf8")) raw += part;
  const heard = events(raw);
  const text = heard.filter((frame) => frame.event === "delta").map((frame) => frame.data.text);
  assert.equal(text.join("").length, 1_000_000);
  assert.deepEqual(last(heard).data, { enabled: true, reason: "stop" });
});
