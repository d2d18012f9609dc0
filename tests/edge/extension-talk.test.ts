// What led to an install at the edge: recorded with it, the same for every browser, in no log, gone with the extension.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Conversation, Files, HistoryEntry, Review, ToldChange } from "@holdpoint/core/types";
import { during } from "../during.ts";
import { doorCounter } from "./doors.ts";
import type { Extension } from "./gateway.ts";
import { startEdge } from "./workerd.ts";

const edge = await during(startEdge());
const keys = await edge.keys();

const ID = "nordfassad.doorcount";
const SECRET = "Leave out the vault doors of Bergström";

const ask = <T = Extension>(method: string, path: string, body?: unknown) =>
  edge.ask<T>(method, `/api/v1/extensions${path}`, { token: keys.user_token, body });
const told = async (id = ID, query = "") =>
  (
    await ask<{ items: ToldChange[]; next_cursor: string | null }>(
      "GET",
      `/${id}/conversation${query}`,
    )
  ).value;
const history = async (query = "") =>
  (await ask<{ items: HistoryEntry[]; next_cursor: string | null }>("GET", `/history${query}`))
    .value;

const bundle = (version: string) => doorCounter(ID, version);

const plan = (summary: string) => ({ summary }) as never;
const talk = (change: string, number: number, words: string): Conversation => ({
  change,
  number,
  spent: { tokens: 900, cost: 140_000, currency: "USD" },
  entries: [
    { is: "asked", at: 1_000, text: "Add a panel that counts doors" },
    { is: "plan", at: 1_001, plan: plan("All doors"), plan_hash: "sha256:1", edited: false },
    { is: "adjusted", at: 1_002, text: words },
    { is: "plan", at: 1_003, plan: plan("Some doors"), plan_hash: "sha256:2", edited: true },
    { is: "approved", at: 1_004, plan_hash: "sha256:2" },
    {
      is: "attempt",
      at: 1_005,
      number: 0,
      ok: false,
      ms: 12_000,
      passed: 0,
      tests: 1,
      finding: {
        code: "TEST_TIMEOUT",
        message: "Make it end sooner.",
        args: { n: 1 },
        test: "answers",
      },
    },
    { is: "another", at: 1_006 },
    { is: "attempt", at: 1_007, number: null, ok: true, ms: 0, passed: 1, tests: 1, finding: null },
  ],
});

const signed = async (files: Files, conversation: unknown) => {
  const here = await ask("GET", `/${ID}`);
  const base_hash = here.status === 200 ? here.value.content_hash : null;
  const seen = await ask<Review>("POST", "/review", { files, base_hash, granted: ["model.read"] });
  const { patch_id, result_hash, confirm_token } = seen.value;
  return {
    files,
    origin: "authored",
    granted: ["model.read"],
    base_hash,
    patch_id,
    result_hash,
    confirm_token,
    conversation,
  };
};
const install = async (files: Files, conversation: unknown) =>
  ask("POST", "", await signed(files, conversation));
const base = async () => (await ask("GET", `/${ID}`)).value.content_hash;

test("what led to an install comes back word for word, with the signature that ended it", async () => {
  const first = talk("c-7", 7, SECRET);
  const made = await install(bundle("0.1.0"), first);
  assert.equal(made.status, 201, made.raw);
  const { items } = await told();
  assert.equal(items.length, 1);
  const { signed: end, ...conversation } = items[0] as ToldChange;
  assert.deepEqual(conversation, first);
  assert.deepEqual(
    [end.cause, end.version, end.who, end.content_hash, end.granted, end.name],
    ["install", "0.1.0", "user:dev", made.value.content_hash, ["model.read"], "Door counter"],
  );
});

test("newest first, in pages", async () => {
  await install(bundle("0.2.0"), talk("c-8", 8, "Area too"));
  const one = await told(ID, "?limit=1");
  assert.deepEqual([one.items[0]?.number, one.items.length], [8, 1]);
  const next = await told(ID, `?limit=1&cursor=${one.next_cursor}`);
  assert.deepEqual([next.items[0]?.number, next.next_cursor], [7, null]);
});

test("an install without words has none, and the history names each change with its number and cost", async () => {
  const made = await install(bundle("0.3.0"), undefined);
  assert.equal(made.status, 201, made.raw);
  assert.deepEqual(
    (await told()).items.map((one) => one.number),
    [8, 7],
  );
  const { items } = await history();
  assert.deepEqual(
    items.map(({ cause, version, number, change }) => [cause, version, number, change]),
    [
      ["install", "0.3.0", null, null],
      ["install", "0.2.0", 8, "c-8"],
      ["install", "0.1.0", 7, "c-7"],
    ],
  );
  assert.deepEqual(items[2]?.spent, { tokens: 900, cost: 140_000, currency: "USD" });
});

test("what is refused leaves no word", async () => {
  const body = await signed(bundle("0.4.0"), talk("c-9", 9, "x"));
  const stale = await ask("POST", "", { ...body, base_hash: null });
  assert.equal(stale.status, 409);
  assert.deepEqual(
    (await told()).items.map((one) => one.number),
    [8, 7],
  );
});

test("what is no conversation is refused with its place", async () => {
  const good = talk("c-9", 9, "x");
  const [asked, ...rest] = good.entries;
  const cases: [unknown, string][] = [
    [{ ...good, change: "a b" }, "/conversation/change"],
    [{ ...good, entries: rest }, "/conversation/entries"],
    [{ ...good, entries: [{ ...asked, text: "x".repeat(8_001) }] }, "/conversation/entries/0/text"],
    [{ ...good, entries: [{ ...asked, is: "shouted" }] }, "/conversation/entries/0"],
    [{ ...good, number: -1 }, "/conversation"],
  ];
  for (const [conversation, pointer] of cases) {
    const got = await ask("POST", "", await signed(bundle("0.4.0"), conversation));
    assert.equal(got.status, 400, got.raw);
    const at = String(got.value.error.details.pointer);
    assert.ok(at.startsWith(pointer), `${at} for ${pointer}`);
  }
});

test("an undo stands in the history, and what was said stays", async () => {
  await ask("POST", `/${ID}/undo`, { base_hash: await base() });
  const [last] = (await history()).items;
  assert.deepEqual([last?.cause, last?.extension, last?.version], ["undo", ID, "0.2.0"]);
  assert.equal((await told()).items.length, 2);
});

test("nobody else reads it", async () => {
  const other = await edge.ask<ToldChange>("GET", `/api/v1/extensions/${ID}/conversation`, {
    token: "hp_none",
  });
  assert.equal(other.status, 401);
  assert.equal((await ask("GET", "/nobody.nothing/conversation")).status, 404);
});

test("it goes with the extension, its uninstall stands in the history, and no log names a word of it", async () => {
  const gone = await ask("DELETE", `/${ID}`, { base_hash: await base() });
  assert.equal(gone.status, 200, gone.raw);
  assert.deepEqual((await told()).items, []);
  const [last] = (await history()).items;
  assert.deepEqual([last?.cause, last?.name, last?.content_hash], ["remove", "Door counter", null]);
  assert.ok(!edge.log.includes("Bergström"), "a word of the conversation was logged");
});
