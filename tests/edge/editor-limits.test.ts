// What a person is told to wait for: a provider that is full, a budget that is spent or held, a request that runs
// (script-tool.md §6, §9, gateway.md §6). The scripted model's faults make the provider's part.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ChatHistory, Tool } from "@holdpoint/core/editor";
import { freePort } from "../ports.ts";
import { code, type Desk, events, otherUser, proposes, startDesk } from "./desk.ts";
import { last } from "./upstream.ts";
import { type Answer, eventually } from "./workerd.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const holdpoint = process.env.HOLDPOINT ?? join(root, "target/debug/holdpoint");
let desk: Desk;
let provider: ChildProcess;
let folder: string;
let url: string;

const full = (retry_after = 0, more = {}) => ({
  kind: "status",
  status: 429,
  ...(retry_after ? { retry_after } : {}),
  ...more,
});
const turn = (words: string, faults: object[]) => ({
  when: { last_user_contains: words },
  faults,
  reply: { text: proposes("Fine."), usage: "auto" },
});
const transcript = {
  transcript: 1,
  name: "editor-limits",
  turns: [
    turn("FULL FOR LONG", [full(7)]),
    turn("FULL FOR A MOMENT", [full(1, { times: 1 })]),
    turn("FULL WITHOUT A WORD", [full()]),
    turn("STALLS", [{ kind: "stall", after_tokens: 2 }]),
  ],
  otherwise: { reply: { text: proposes("Fine."), usage: "auto" } },
};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-limits-"));
  const file = join(folder, "limits.json");
  writeFileSync(file, JSON.stringify(transcript));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  provider = spawn(holdpoint, ["provider", "--transcripts", file, "--port", String(port)], {
    stdio: "ignore",
  });
  await eventually(async () => ({
    ok: await fetch(`${url}/__scripted/log`).then(
      (got) => got.ok,
      () => false,
    ),
  }));
  desk = await startDesk({ variables: { UPSTREAM_BASE_URL: `${url}/v1` } });
});
after(async () => {
  await desk?.stop();
  provider?.kill();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const waits = (answer: Answer) => [
  answer.headers.get("retry-after"),
  answer.headers.get("retry-after-ms"),
];
const chat = (tool: Tool, message: string, options = {}) =>
  desk.ask("POST", `/tools/${tool.tool_id}/chat`, { message }, options);
const calls = async () => {
  const log = await fetch(`${url}/__scripted/log`);
  const heard = (await log.json()) as unknown[] | { requests: unknown[] };
  return (Array.isArray(heard) ? heard : heard.requests).length;
};

test("a provider that is full: its wait is told, the turn failed, nothing is charged", async () => {
  const tool = await desk.create();
  const got = await desk.edit(tool, "FULL FOR LONG");
  assert.deepEqual(
    [got.status, got.value.enabled, got.value.outcome, got.value.code, got.value.ops],
    [200, true, "upstream_error", "UPSTREAM_RATE_LIMITED", []],
  );
  assert.ok(got.value.assistant_message);
  const said = await chat(tool, "FULL FOR LONG");
  assert.deepEqual(code(said), [503, "SERVICE_UNAVAILABLE"], said.raw);
  const { outcome, cause, retry_after_ms } = said.value.error.details;
  assert.deepEqual(
    [outcome, cause, retry_after_ms],
    ["upstream_error", "UPSTREAM_RATE_LIMITED", 7_000],
  );
  assert.deepEqual(waits(said), ["7", "7000"]);
  const answers = (await desk.thread(tool)).filter((message) => message.role === "assistant");
  assert.deepEqual(
    answers.map((a) => [a.status, a.failure_outcome, a.content]),
    Array(2).fill(["failed", "upstream_error", ""]),
  );
  const rows = await desk.ledger();
  assert.deepEqual(
    rows.slice(0, 2).map((row) => [row.outcome, row.tokens]),
    Array(2).fill(["released", 0]),
  );
});

test("a provider that is full without saying for how long: no wait is made up", async () => {
  const said = await chat(await desk.create(), "FULL WITHOUT A WORD");
  assert.deepEqual(
    [...code(said), said.value.error.details.cause],
    [503, "SERVICE_UNAVAILABLE", "UPSTREAM_RATE_LIMITED"],
  );
  assert.deepEqual(waits(said), [null, null]);
});

test("a provider that is full for a moment is asked again, and nobody notices", async () => {
  const before = await calls();
  const got = await desk.edit(await desk.create(), "FULL FOR A MOMENT");
  assert.deepEqual([got.status, got.value.outcome], [200, "empty"], got.raw);
  assert.equal((await calls()) - before, 2);
});

/** A user of their own with one budget, so that no other test spends it. */
async function limited(user: string, budget: object) {
  const token = await otherUser(desk, user);
  const put = await desk.edge.ask("PUT", `/gateway/v1/budgets/${user}`, {
    token: desk.admin,
    body: { scope: `user:${user}`, ...budget },
  });
  assert.equal(put.status, 200, put.raw);
  const asked = { token };
  const made = { title: "Doors", sample: "door-report" };
  return {
    token,
    create: async () => (await desk.ask<Tool>("POST", "/tools", made, asked)).value,
    thread: async ({ tool_id }: Tool) => {
      const path = `/tools/${tool_id}/chat`;
      return (await desk.ask<ChatHistory>("GET", path, undefined, asked)).value.messages;
    },
  };
}

test("a budget that is spent: 429 with its numbers and when it starts again, before any write", async () => {
  const ann = await limited("ann", { unit: "requests", period: "day", limit: 1 });
  const tool = await ann.create();
  assert.equal((await desk.edit(tool, "One.", {}, { token: ann.token })).value.outcome, "empty");
  const before = [await ann.thread(tool), await calls()];
  for (const refused of [
    await desk.edit(tool, "Two.", {}, { token: ann.token }),
    await chat(tool, "Two.", { token: ann.token }),
  ]) {
    assert.deepEqual(code(refused), [429, "BUDGET_EXCEEDED"], refused.raw);
    const { details } = refused.value.error;
    const { budget, scope, unit, need, remaining, limit, failing } = details;
    assert.deepEqual(
      [budget, scope, unit, need, remaining, limit, failing],
      ["ann", "user:ann", "requests", 1, 0, 1, ["ann"]],
    );
    const tomorrow = new Date().setUTCHours(24, 0, 0, 0);
    assert.equal(new Date(details.resets_at).getTime(), tomorrow);
    assert.ok(details.retry_after_ms > 0 && details.retry_after_ms <= 86_400_000);
    assert.deepEqual(waits(refused), [
      String(Math.ceil(details.retry_after_ms / 1_000)),
      String(details.retry_after_ms),
    ]);
    assert.ok(refused.value.correlation_id);
  }
  assert.deepEqual([await ann.thread(tool), await calls()], before);
});

test("a budget that requests hold: 429 for five seconds; what runs for the same script: 409 for two", async () => {
  const bea = await limited("bea", { unit: "requests", period: "day", limit: 1 });
  const [first, second] = [await bea.create(), await bea.create()];
  const controller = new AbortController();
  const running = chat(first, "STALLS", { token: bea.token, signal: controller.signal });
  await eventually(async () => ({ ok: (await bea.thread(first)).length === 2 }));
  const before = await calls();
  for (const refused of [
    await desk.edit(second, "Two.", {}, { token: bea.token }),
    await chat(second, "Two.", { token: bea.token }),
  ]) {
    assert.deepEqual(
      [...code(refused), ...waits(refused)],
      [429, "BUDGET_HELD", "5", "5000"],
      refused.raw,
    );
    assert.equal(refused.value.error.details.budget, "bea");
  }
  for (const refused of [
    await desk.edit(first, "Two.", {}, { token: bea.token }),
    await chat(first, "Two.", { token: bea.token }),
  ]) {
    assert.deepEqual(
      [...code(refused), ...waits(refused)],
      [409, "REQUEST_IN_FLIGHT", "2", null],
      refused.raw,
    );
  }
  assert.deepEqual([await bea.thread(second), await calls()], [[], before]);
  const stopped = await desk.ask(
    "POST",
    `/tools/${first.tool_id}/chat/cancel`,
    {},
    { token: bea.token },
  );
  assert.deepEqual([stopped.status, stopped.value], [200, { cancelled: true }]);
  assert.equal(last(events((await running).raw)).data.reason, "cancelled");
});
