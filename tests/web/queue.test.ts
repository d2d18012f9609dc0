// What was signed and is not stored yet: which answers take a row out, which keep it and why; that it is sent once,
// whoever sends it; that an answer which was lost counts.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import type {
  Api,
  ErrorShape,
  ExtensionRecord,
  InstallRequest,
  Store,
} from "@holdpoint/core/types";
import type { Queue, Row } from "../../www/app/src/pages/model/queue.ts";
import { pageModules } from "./source.ts";

let m: typeof import("../../www/app/src/pages/model/queue.ts");

/** Locks of a browser: one after the other by name. */
const locked = new Map<string, Promise<unknown>>();
const locks = {
  request: (name: string, work: () => Promise<unknown>) => {
    const next = (locked.get(name) ?? Promise.resolve()).then(work);
    locked.set(
      name,
      next.catch(() => undefined),
    );
    return next;
  },
};

before(async () => {
  Object.assign(globalThis, { navigator: { locks } });
  [m] = await pageModules<[typeof m]>("pages/model/queue.ts");
});

const ID = "nordfassad.doors";
const request = (result_hash = "sha256:new"): InstallRequest => ({
  files: { "manifest.json": "{}" },
  origin: "authored",
  granted: ["model.read"],
  base_hash: null,
  base_revision_id: null,
  patch_id: `patch ${result_hash}`,
  result_hash,
});
const record = (content_hash: string): ExtensionRecord =>
  ({ id: ID, content_hash, granted: ["model.read"], revision_id: "rev_1" }) as ExtensionRecord;

/** One device, which every tab of it shares. */
let kept: Map<string, unknown>;
const device = (): Store =>
  ({
    name: "holdpoint pr_ann",
    get: async (area: string, key: string) => structuredClone(kept.get(`${area} ${key}`)),
    keys: async (area: string) =>
      [...kept.keys()].filter((key) => key.startsWith(`${area} `)).map((key) => key.split(" ")[1]),
    delete: async (area: string, key: string) => void kept.delete(`${area} ${key}`),
    update: async (area: string, key: string, change: (now: unknown) => unknown) => {
      const value = change(structuredClone(kept.get(`${area} ${key}`)));
      if (value === undefined) kept.delete(`${area} ${key}`);
      else kept.set(`${area} ${key}`, structuredClone(value));
      return value;
    },
  }) as unknown as Store;

type Answer =
  | { record: ExtensionRecord }
  | { error: ErrorShape & { status: number; retryMs?: number } };

/** The project: what it was sent, what it says next, what stands there. */
let sent: { once: string | undefined; hash: string }[];
let answers: Answer[];
let standing: ExtensionRecord | null;
let due: number;
/** What happens while the project thinks. */
let meanwhile: () => Promise<unknown>;

const api = {
  install: async ({ result_hash }: InstallRequest, once?: string) => {
    sent.push({ once, hash: result_hash });
    await meanwhile();
    const answer = answers.shift() ?? { record: record(result_hash) };
    if ("error" in answer) throw answer.error;
    return answer.record;
  },
  extension: async () => {
    if (!standing) throw refusal(404, "NOT_FOUND");
    return standing;
  },
} as unknown as Api;

const refusal = (status: number, code: string, more: object = {}) => ({
  status,
  code,
  message: code,
  ...more,
});
const row = () => kept.get(`queue ${ID}`) as Row | undefined;
const tab = (): Queue => new m.Queue(api, device(), () => (due += 1));

beforeEach(() => {
  kept = new Map();
  [sent, answers, standing, due] = [[], [], null, 0];
  meanwhile = async () => undefined;
});

test("what is stored leaves the queue", async () => {
  const queue = tab();
  await queue.put(ID, { request: request(), change: "1", name: "Doors" });
  assert.equal((await queue.send(ID)).is, "stored");
  assert.deepEqual([row(), queue.rows.size], [undefined, 0]);
});

const KEEP: [number, string, string][] = [
  [0, "OFFLINE", "offline"],
  [401, "AUTH_INVALID_TOKEN", "signed_out"],
  [401, "KEY_REVOKED", "signed_out"],
  [403, "OTHER_SIGNER", "signed_out"],
  [403, "SCOPE_DENIED", "refused"],
  [400, "INVALID_REQUEST", "refused"],
  [404, "NOT_FOUND", "refused"],
  [413, "REQUEST_TOO_LARGE", "refused"],
  [409, "IDEMPOTENCY_IN_PROGRESS", "busy"],
  [429, "RATE_LIMITED", "busy"],
  [429, "TOO_MANY_IN_FLIGHT", "busy"],
  [200, "ODD_ANSWER", "failing"],
  [500, "INTERNAL", "failing"],
  [502, "ODD_ANSWER", "failing"],
  [503, "LEDGER_UNAVAILABLE", "failing"],
];
for (const [status, code, reason] of KEEP)
  test(`${status} ${code} keeps the row, and says that it waits: ${reason}`, async () => {
    const queue = tab();
    await queue.put(ID, { request: request(), change: "1", name: "Doors" });
    const before = row();
    answers = [{ error: refusal(status, code) }];
    const answer = await queue.send(ID);
    assert.deepEqual(answer.is === "waits" && answer.waits.reason, reason);
    assert.deepEqual(row(), before, "the row is as it was signed");
    assert.equal(queue.waiting()[0]?.waits?.reason, reason);
    await queue.sendAll();
    assert.deepEqual(row(), undefined, "and it is stored once the project answers");
    assert.equal(sent[0]?.once, sent[1]?.once, "with the key of the first time");
    assert.ok(sent[0]?.once);
    assert.deepEqual(queue.waiting(), []);
  });

const OUT: [number, string, string][] = [
  [409, "CONFLICT", "moved"],
  [409, "CONFIRMATION_REQUIRED", "moved"],
  [422, "BUNDLE_INVALID", "invalid"],
  [422, "CAPABILITY_REQUIRED", "invalid"],
];
for (const [status, code, state] of OUT)
  test(`${status} ${code} is for a person to decide: it is shown, and not sent again`, async () => {
    const queue = tab();
    await queue.put(ID, { request: request(), change: "1", name: "Doors" });
    answers = [{ error: refusal(status, code, { details: { reason: "base_changed" } }) }];
    const answer = await queue.send(ID);
    assert.equal(answer.is, "undecided");
    const [waiting] = queue.waiting();
    assert.deepEqual([waiting?.state, waiting?.name], [state, "Doors"]);
    const later = tab();
    await later.sendAll();
    assert.equal(sent.length, 1, "nothing that was refused is sent");
    assert.deepEqual(later.undecided(ID)?.error.details, { reason: "base_changed" });
    await later.put(ID, { request: request("sha256:again"), change: "1", name: "Doors" });
    await later.send(ID);
    assert.deepEqual([row(), sent.length], [undefined, 2], "signed anew it is sent");
  });

test("an answer that was lost counts although the project forgot its key", async () => {
  const queue = tab();
  await queue.put(ID, { request: request(), change: "1", name: "Doors" });
  answers = [{ error: refusal(0, "OFFLINE") }, { error: refusal(409, "CONFLICT") }];
  await queue.send(ID);
  standing = record("sha256:new");
  assert.equal((await queue.send(ID)).is, "stored");
  assert.equal(row(), undefined);
});

test("what stands with other grants is not what was signed", async () => {
  const queue = tab();
  await queue.put(ID, { request: request(), change: "1", name: "Doors" });
  answers = [{ error: refusal(409, "CONFLICT") }];
  standing = { ...record("sha256:new"), granted: [] };
  assert.equal((await queue.send(ID)).is, "undecided");
});

test("two tabs that send at once send a row once", async () => {
  const [one, two] = [tab(), tab()];
  await one.put(ID, { request: request(), change: "1", name: "Doors" });
  await Promise.all([one.sendAll(), two.sendAll()]);
  assert.equal(sent.length, 1, "once");
  assert.equal(row(), undefined);
  assert.equal((await two.send(ID)).is, "gone", "what another tab sent is gone");
});

test("the same signature after a reload is the same row; another one is another", async () => {
  const first = await tab().put(ID, { request: request(), change: "1", name: "Doors" });
  const again = await tab().put(ID, { request: request(), change: "1", name: "Doors" });
  assert.equal(again.once, first.once);
  const other = await tab().put(ID, { request: request("sha256:b"), change: "2", name: "Doors" });
  assert.notEqual(other.once, first.once);
});

test("what is signed while an older signature is sent stays and is sent next", async () => {
  const queue = tab();
  await queue.put(ID, { request: request(), change: "1", name: "Doors" });
  meanwhile = async () => {
    meanwhile = async () => undefined;
    await tab().put(ID, { request: request("sha256:b"), change: "2", name: "Doors" });
  };
  await queue.send(ID);
  assert.equal(row()?.request.result_hash, "sha256:b");
  await queue.sendAll();
  assert.deepEqual(
    sent.map(({ hash }) => hash),
    ["sha256:new", "sha256:b"],
  );
  assert.equal(row(), undefined);
});

test("what the server could not do is sent again by itself, when it says; what a person must do is not", async (at) => {
  at.mock.timers.enable({ apis: ["setTimeout"] });
  const queue = tab();
  await queue.put(ID, { request: request(), change: "1", name: "Doors" });
  answers = [
    { error: refusal(503, "LEDGER_UNAVAILABLE") },
    { error: refusal(429, "RATE_LIMITED", { retryMs: 60_000 }) },
    { error: refusal(401, "KEY_REVOKED") },
  ];
  await queue.send(ID);
  at.mock.timers.tick(5_000);
  assert.equal(due, 1);
  await queue.send(ID);
  at.mock.timers.tick(59_000);
  assert.equal(due, 1, "not before the server said");
  at.mock.timers.tick(1_000);
  assert.equal(due, 2);
  await queue.send(ID);
  at.mock.timers.tick(3_600_000);
  assert.equal(due, 2);
});

test("rows that were taken over from nobody are shown and never sent", async () => {
  kept.set(`queue ${ID}`, { request: request(), change: "", name: "Doors", state: "taken" });
  const queue = tab();
  await queue.sendAll();
  assert.deepEqual([sent.length, queue.waiting()[0]?.state], [0, "taken"]);
});

test("the newest revision is the highest that is known", () => {
  const queue = tab();
  assert.equal(queue.newest(ID, [null, undefined]), null);
  queue.saw(ID, "rev_9");
  assert.equal(queue.newest(ID, ["rev_10", "rev_2"]), "rev_10");
  queue.saw(ID, "rev_11");
  assert.equal(queue.newest(ID, ["rev_10", null]), "rev_11");
});
