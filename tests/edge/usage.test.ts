// Usage is what the ledger says, summed by day, model, key, user and tag (gateway.md §13 `/usage`).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cached, Metered, type MeteredRow, type Person, silent } from "./metered.ts";
import { play, sleep, told } from "./upstream.ts";

const DAY = 86_400_000;
const COUNTED = [
  "input",
  "cached_input",
  "cache_write",
  "output",
  "reasoning",
  "tokens",
  "cost",
  "excess_tokens",
  "excess_cost",
] as const;
const GROUPS = ["day", "model", "key", "user", "tag"] as const;
type Group = (typeof GROUPS)[number];

type Sums = Record<(typeof COUNTED)[number], number> & {
  requests: number;
  released: number;
  estimated: number;
  estimated_permille: number | null;
  cache_hit_permille: number | null;
};
interface Item extends Sums {
  day?: number;
  model?: string;
  provider?: string;
  alias?: string;
  key?: string;
  user?: string;
  tag?: string | null;
}
interface Percentiles {
  p50: number;
  p95: number;
}
interface Usage {
  from: string;
  to: string;
  group_by: string | string[];
  items: Item[];
  totals: Sums;
  speed: { rows: number; first_byte_ms: Percentiles; total_ms: Percentiles } | null;
  truncated?: boolean;
}

const metered = new Metered();
let ann: Person;
let second: Person;
let ben: Person;
let boss: Person;
let rows: MeteredRow[];

/** A day as the route takes it, so many days from today. */
const day = (offset: number): string =>
  new Date(Date.now() + offset * DAY).toISOString().slice(0, 10);
const today = Date.parse(day(0));

before(async () => {
  await metered.start();
  ann = await metered.person("ann");
  second = await metered.person("ann", ["llm"]);
  ben = await metered.person("ben");
  boss = await metered.person("zoe", ["usage", "admin", "llm"]);

  metered.play = (call) => cached(call, 40);
  await metered.called(ann, "large", "night");
  await metered.called(ann, "large");
  await metered.called(second, "small", "night");
  await metered.called(ben, "large", "day");
  metered.play = silent;
  await metered.called(ben, "small");
  metered.play = async (call) => {
    await sleep(120);
    play(call, ["so", "it"]);
  };
  await metered.called(ann, "small", "day", { stream: true });
  await metered.called(boss, "large", "night", { stream: true });
  metered.play = (call) => told(call, 400, '{"error":{"message":"no"}}');
  await metered.called(ben, "large", "night", { status: 400 });
  rows = await metered.ledger(8);
});
after(() => metered.stop());

const usage = async (query: string, person = boss): Promise<Usage> => {
  const given = await metered.get<Usage>(`/usage${query}`, person);
  assert.equal(given.status, 200, `${query}: ${given.raw}`);
  return given.value;
};

/** A share in permille may be rounded either way. */
function share(found: number | null, part: number, whole: number, of: string): void {
  if (whole === 0) {
    assert.equal(found, null, of);
    return;
  }
  const exact = (part * 1_000) / whole;
  assert.ok(Number.isInteger(found) && Math.abs((found ?? -1) - exact) < 1, `${of}: ${found}`);
}

/** The sums are those of these rows of the ledger. */
function summed(found: Sums, from: readonly MeteredRow[], of: string): void {
  const add = (name: (typeof COUNTED)[number]) => from.reduce((sum, row) => sum + row[name], 0);
  for (const name of COUNTED) assert.equal(found[name], add(name), `${of}: ${name}`);
  const sent = from.filter((row) => row.outcome !== "released");
  const guessed = from.filter((row) => row.usage_source === "estimated");
  assert.deepEqual(
    [found.requests, found.released, found.estimated],
    [sent.length, from.length - sent.length, guessed.length],
    of,
  );
  share(found.estimated_permille, guessed.length, sent.length, `${of}: estimated`);
  const input = add("input") + add("cached_input") + add("cache_write");
  share(found.cache_hit_permille, add("cached_input"), input, `${of}: cached`);
}

/** What an item is of, and the same of a row. */
const placed: Record<Group, [(item: Item) => unknown, (row: MeteredRow) => unknown]> = {
  day: [(item) => item.day, () => today],
  model: [
    ({ model, provider, alias }) => [model, provider, alias],
    ({ model, provider, alias }) => [model, provider, alias],
  ],
  key: [(item) => item.key, (row) => row.key_id],
  user: [(item) => item.user, (row) => row.user_id],
  tag: [(item) => item.tag, (row) => row.tag],
};
const others = (group: Group) => GROUPS.slice(GROUPS.indexOf(group) + 1);
const groupings: Group[][] = [
  ...GROUPS.map((group) => [group]),
  ...GROUPS.flatMap((group) => others(group).map((other) => [group, other])),
  ["user", "model", "tag"],
];

for (const groups of groupings) {
  test(`usage by ${groups.join(" and ")} adds up to the ledger`, async () => {
    const { items, totals, group_by, truncated } = await usage(`?group_by=${groups.join(",")}`);
    assert.equal(String(group_by), groups.join(","));
    assert.equal(truncated ?? false, false);
    const parts = new Map<string, MeteredRow[]>();
    for (const row of rows) {
      const place = JSON.stringify(groups.map((group) => placed[group][1](row)));
      parts.set(place, [...(parts.get(place) ?? []), row]);
    }
    const places = items.map((item) =>
      JSON.stringify(groups.map((group) => placed[group][0](item))),
    );
    assert.deepEqual([...places].sort(), [...parts.keys()].sort());
    for (const [n, item] of items.entries()) summed(item, parts.get(places[n]) ?? [], places[n]);
    summed(totals, rows, "totals");
  });
}

test("without days the present month to today is summed", async () => {
  const { from, to, totals } = await usage("");
  assert.deepEqual([from, to], [`${day(0).slice(0, 7)}-01`, day(0)]);
  summed(totals, rows, "totals");
});

test("both days of a range are counted, and nothing beside them", async () => {
  for (const query of [
    `?from=${day(0)}&to=${day(0)}`,
    `?from=${day(-3)}&to=${day(0)}`,
    `?from=${day(-399)}&to=${day(0)}`,
    `?from=${day(-1)}`,
  ])
    summed((await usage(query)).totals, rows, query);
  const past = await usage(`?from=${day(-2)}&to=${day(-1)}&group_by=user`);
  assert.deepEqual([past.from, past.to, past.items], [day(-2), day(-1), []]);
  summed(past.totals, [], "no call");
  assert.equal(past.speed, null);
});

test("items of one group stand in its order", async () => {
  const { items } = await usage("?group_by=user");
  assert.deepEqual(
    items.map((item) => item.user),
    ["ann", "ben", "zoe"],
  );
});

test("a released call took nothing and is counted by itself", async () => {
  const { items } = await usage("?group_by=user,tag");
  const found = items.filter((item) => item.user === "ben" && item.tag === "night");
  assert.deepEqual(
    found.map((item) => [item.requests, item.released, item.tokens, item.cost]),
    [[0, 1, 0, 0]],
  );
  assert.deepEqual(
    found.map((item) => [item.estimated_permille, item.cache_hit_permille]),
    [[null, null]],
  );
});

test("what a cache gave and what was guessed is told as a share", async () => {
  const { items } = await usage("?group_by=user,model");
  const of = (user: string, alias: string) =>
    items
      .filter((item) => item.user === user && item.alias === alias)
      .map((item) => [item.requests, item.estimated_permille, item.cache_hit_permille]);
  assert.deepEqual(of("ann", "large"), [[2, 0, 400]]);
  assert.deepEqual(of("ben", "small"), [[1, 1_000, 0]]);
});

test("who has no administrator's scope sees what is their own", async () => {
  for (const [person, user] of [
    [ann, "ann"],
    [ben, "ben"],
  ] as const) {
    const own = rows.filter((row) => row.user_id === user);
    const { items, totals } = await usage("?group_by=user", person);
    assert.deepEqual(
      items.map((item) => item.user),
      [user],
    );
    summed(totals, own, user);
    const tags = await usage("?group_by=tag", person);
    const expected = new Set(own.map((row) => row.tag));
    assert.deepEqual(new Set(tags.items.map((item) => item.tag)), expected);
  }
  const nobody = await metered.person("cleo");
  const { items, totals, speed } = await usage("?group_by=user", nobody);
  assert.deepEqual([items, speed], [[], null]);
  summed(totals, [], "cleo");
});

test("the speed is told in percentiles", async () => {
  const { speed } = await usage("");
  assert.ok(speed);
  assert.ok(speed.rows >= 7 && speed.rows <= 8, String(speed.rows));
  for (const { p50, p95 } of [speed.first_byte_ms, speed.total_ms])
    assert.ok(p50 >= 0 && p50 <= p95, JSON.stringify(speed));
  const took = rows.map((row) => row.total_ms);
  assert.ok(speed.total_ms.p95 >= 100, JSON.stringify(speed));
  assert.ok(speed.total_ms.p95 <= Math.max(...took), JSON.stringify(speed));
  assert.ok(speed.total_ms.p50 >= Math.min(...took), JSON.stringify(speed));
});

test("questions that mean nothing are refused", async () => {
  for (const query of [
    `?from=${day(0)}&to=${day(-1)}`,
    `?from=${day(-400)}&to=${day(0)}`,
    "?from=2020-01-01&to=2026-01-01",
    "?group_by=planet",
    "?group_by=user,planet",
    "?group_by=user,user",
    "?group_by=day,model,day",
    "?group_by=day,model,key,user",
    "?from=yesterday",
    "?from=2026-13-01",
    "?from=2026-02-30&to=2026-03-01",
    "?from=20261130",
    "?from=2026-1-1&to=2026-01-02",
    `?from=${Date.now() - DAY}`,
    `?from=${day(0)}&to=soon`,
  ]) {
    const given = await metered.get<Usage>(`/usage${query}`, boss);
    const { code } = given.value.error ?? {};
    assert.deepEqual([given.status, code], [400, "INVALID_REQUEST"], `${query}: ${given.raw}`);
  }
});

test("usage needs its scope", async () => {
  for (const path of ["/usage", "/usage/calls", "/usage/running"]) {
    const given = await metered.get(path, second);
    assert.deepEqual([given.status, given.value.error.code], [403, "SCOPE_DENIED"], path);
    const nobody = await metered.edge.ask("GET", `/gateway/v1${path}`);
    assert.deepEqual([nobody.status, nobody.value.error.code], [401, "AUTH_MISSING_TOKEN"], path);
  }
});
