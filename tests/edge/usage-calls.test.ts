// Single calls in usage: those that ended, page by page, and those that still run; and how many tags a day tells apart.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { List } from "./gateway.ts";
import { close, Metered, type MeteredRow, opened, type Person } from "./metered.ts";
import { answer, type Call, last } from "./upstream.ts";
import { type Answer, eventually } from "./workerd.ts";

const metered = new Metered();
let ann: Person;
let ben: Person;
let boss: Person;

before(async () => {
  await metered.start();
  ann = await metered.person("ann");
  ben = await metered.person("ben");
  boss = await metered.person("zoe", ["usage", "admin"]);
});
after(() => metered.stop());

interface Running {
  request_id: string;
  at: number;
  key_id: string;
  user_id: string;
  run_id: string | null;
  payer: string;
  protocol: string;
  alias: string;
  provider: string;
  model: string;
  tokens: number;
  cost: number;
  deadline: number;
  tag: string | null;
  template: string | null;
}

/** Every row that paging gives, in the order in which it comes. */
async function walked(person: Person, limit: number, from = "", query = ""): Promise<MeteredRow[]> {
  const all: MeteredRow[] = [];
  for (let cursor: string | null = from, pages = 0; cursor !== null; pages += 1) {
    assert.ok(pages < 200, "the walk ends");
    const more: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const path: string = `/usage/calls?limit=${limit}${more}&${query}`;
    const page: Answer<List<MeteredRow>> = await metered.get(path, person);
    assert.equal(page.status, 200, page.raw);
    assert.ok(page.value.items.length <= limit, page.raw);
    all.push(...page.value.items);
    cursor = page.value.next_cursor;
  }
  return all;
}

test("calls are walked page by page, each once, as the ledger tells them", async () => {
  for (let n = 0; n < 11; n += 1)
    await metered.called(n % 3 === 0 ? ben : ann, "large", n % 2 === 0 ? "even" : undefined);
  const rows = await metered.ledger(11);
  for (const limit of [1, 3, 500]) {
    assert.deepEqual(await walked(boss, limit), rows, `all, ${limit} a page`);
    for (const [person, user] of [
      [ann, "ann"],
      [ben, "ben"],
    ] as const) {
      const own = rows.filter((row) => row.user_id === user);
      assert.deepEqual(await walked(person, limit), own, `${user}, ${limit} a page`);
    }
  }
  const ids = rows.map((row) => row.request_id);
  assert.deepEqual(ids, [...ids].sort().reverse(), "newest first");
});

test("calls are asked for by their days, each side counted", async () => {
  const [newest] = await walked(boss, 1);
  const day = (days: number) => new Date(newest.at + days * 86_400_000).toISOString().slice(0, 10);
  const all = await walked(boss, 500);
  const own = await walked(ann, 500);
  const from = new Date(all[all.length - 1].at).toISOString().slice(0, 10);
  for (const [query, is_there] of [
    [`from=${from}&to=${day(0)}`, true],
    [`from=${from}`, true],
    [`to=${day(0)}`, true],
    [`from=${day(1)}`, false],
    [`from=${day(1)}&to=${day(31)}`, false],
    ["to=2020-02-29", false],
  ] as const) {
    assert.deepEqual(await walked(boss, 4, "", query), is_there ? all : [], query);
    assert.deepEqual(await walked(ann, 4, "", query), is_there ? own : [], query);
  }
  for (const [query, pointer] of [
    ["from=today", "/from"],
    ["to=2026-02-30", "/to"],
    [`from=${day(1)}&to=${day(0)}`, "/from"],
    ["from=2020-01-01&to=2026-01-01", "/from"],
  ]) {
    const { status, value } = await metered.get(`/usage/calls?${query}`, ann);
    assert.deepEqual(
      [status, value.error.code, value.error.details.pointer],
      [400, "INVALID_REQUEST", pointer],
      query,
    );
  }
});

test("calls that end during a walk move no row", async () => {
  const known = (await walked(boss, 500)).map((row) => row.request_id);
  const first = (await metered.get<List<MeteredRow>>("/usage/calls?limit=4", boss)).value;
  await metered.called(ann, "small");
  await metered.ledger(known.length + 1);
  assert.ok(first.next_cursor);
  const rest = await walked(boss, 500, first.next_cursor);
  const seen = [...first.items, ...rest].map((row) => row.request_id);
  assert.deepEqual(seen, known);
});

const running = async (person: Person): Promise<Running[]> => {
  const given = await metered.get<{ items: Running[] }>("/usage/running", person);
  assert.equal(given.status, 200, given.raw);
  return given.value.items;
};
const ids = (items: Running[]) => items.map((item) => item.request_id);

test("an open call is listed with what it holds, and is gone when it ended", async () => {
  assert.deepEqual(await running(boss), []);
  metered.play = opened;
  const began = Date.now();
  const headers = { "holdpoint-tag": "night", "holdpoint-template": "plan-1" };
  const given = await metered.call(ann, "large", headers, { stream: true });
  assert.equal(given.status, 200);
  const [item, ...more] = await running(ann);
  assert.deepEqual(more, []);
  const { at, deadline, ...rest } = item;
  assert.deepEqual(rest, {
    request_id: given.headers.get("x-request-id"),
    key_id: ann.id,
    user_id: "ann",
    run_id: null,
    payer: "platform",
    protocol: "openai",
    alias: "large",
    provider: "main",
    model: "m-1",
    tokens: Number(given.headers.get("holdpoint-hold-tokens")),
    cost: Number(given.headers.get("holdpoint-hold-cost")),
    tag: "night",
    template: "plan-1",
  });
  assert.ok(item.tokens > 40 && item.cost > 40 * 15, JSON.stringify(item));
  assert.ok(at >= began - 1_000 && at <= Date.now() + 1_000, String(at));
  assert.ok(deadline > Date.now(), String(deadline));

  assert.deepEqual(await running(ben), []);
  assert.deepEqual(await running(boss), [item]);

  close(last(metered.upstream.calls));
  await given.text();
  await eventually(async () => {
    const value = await running(boss);
    return { ok: value.length === 0, value };
  });
  assert.deepEqual(await running(ann), []);
  assert.equal((await walked(ann, 1))[0]?.request_id, item.request_id);
});

test("of open calls the latest comes first, and everybody sees their own", async () => {
  const open: Call[] = [];
  metered.play = (call) => {
    open.push(call);
    opened(call);
  };
  const given: Response[] = [];
  for (const person of [ann, ben, ann])
    given.push(await metered.call(person, "small", {}, { stream: true }));
  const [first, second, third] = given.map((one) => one.headers.get("x-request-id"));
  assert.deepEqual(ids(await running(boss)), [third, second, first]);
  assert.deepEqual(ids(await running(ann)), [third, first]);
  assert.deepEqual(ids(await running(ben)), [second]);
  for (const call of open) close(call);
  for (const one of given) await one.text();
  await eventually(async () => {
    const value = await running(boss);
    return { ok: value.length === 0, value };
  });
});

test("a call of a run names it while it is open", async () => {
  metered.play = opened;
  const opening = { token: ann.key, body: { tokens: 50_000, cost: 500_000 } };
  const run = await metered.edge.ask<{ id: string }>("POST", "/gateway/v1/runs", opening);
  assert.ok(run.status < 300, run.raw);
  const headers = { "holdpoint-run": run.value.id };
  const given = await metered.call(ann, "large", headers, { stream: true });
  assert.equal(given.status, 200);
  assert.deepEqual(
    (await running(ann)).map((item) => item.run_id),
    [run.value.id],
  );
  close(last(metered.upstream.calls));
  await given.text();
  await metered.edge.ask("DELETE", `/gateway/v1/runs/${run.value.id}`, { token: ann.key });
});

interface Tagged {
  tag: string | null;
  requests: number;
}

test("a day tells a hundred tags apart, and sums the others under one sign", async () => {
  const other = new Metered();
  await other.start();
  try {
    const tess = await other.person("tess");
    other.play = (call) => answer(call, "ok");
    for (let n = 0; n < 103; n += 1) await other.called(tess, "large", `tag-${n}`);
    await other.ledger(103);
    type Usage = { items: Tagged[]; totals: { requests: number; tokens: number } };
    for (const query of ["group_by=tag", "group_by=day,tag"]) {
      const { items, totals } = (await other.get<Usage>(`/usage?${query}`, tess)).value;
      assert.equal(items.length, 101, query);
      const rest = items.filter((item) => item.tag === "…");
      assert.deepEqual(
        rest.map((item) => item.requests),
        [3],
      );
      const named = items.filter((item) => item.tag !== "…");
      assert.ok(named.every((item) => /^tag-\d+$/.test(item.tag ?? "") && item.requests === 1));
      assert.deepEqual([totals.requests, totals.tokens], [103, 1_030]);
    }
    const before = (await other.get<Usage>("/usage?group_by=tag", tess)).value.items;
    const known = before.find((item) => item.tag !== "…")?.tag ?? "none";
    await other.called(tess, "large", known);
    await other.called(tess, "large", "tag-new");
    await other.ledger(105);
    const { items } = (await other.get<Usage>("/usage?group_by=tag", tess)).value;
    const count = (tag: string) => items.find((item) => item.tag === tag)?.requests;
    assert.deepEqual([items.length, count(known), count("…")], [101, 2, 4]);
  } finally {
    await other.stop();
  }
});
