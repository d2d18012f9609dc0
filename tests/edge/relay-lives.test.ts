// Lives of relays have rising numbers: what an old one says late ends no call that runs. And an instance whose stack
// ended is replaced like one that panicked (gateway.md §6 "Orphans").
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LATE_WORD, lateWords, OLD_WORD } from "./faults.ts";
import {
  answer,
  type Call,
  chunk,
  done,
  finish,
  sleep,
  startUpstream,
  type Upstream,
  usage,
} from "./upstream.ts";
import { type Edge, eventually, type Keys, startEdge } from "./workerd.ts";

let edge: Edge;
let upstream: Upstream;
let keys: Keys;
let whole_again: () => void;
let play_with: (call: Call) => unknown;

before(async () => {
  upstream = await startUpstream((call) => play_with(call));
  whole_again = lateWords();
  edge = await startEdge({
    variables: {
      UPSTREAM_BASE_URL: upstream.url,
      RELAY_SHARDS: "1",
      PANIC_TAG: "fault",
      LOOK_MS: "400",
    },
  });
  keys = await edge.keys();
});
after(async () => {
  await edge?.stop();
  await upstream?.stop();
  whole_again?.();
});

const call = (more: object = {}, tag = "") =>
  edge.call(keys.user_token, more, tag === "" ? {} : { "holdpoint-tag": tag });
const budget = () => edge.budget();
const row = async (id: string | null) => (await edge.ledger()).find((one) => one.request_id === id);
const within = <T>(work: Promise<T>, ms = 5_000) =>
  Promise.race([work, sleep(ms).then(() => "hanging" as const)]);
const text_or_cut = (one: Response) =>
  one.text().then(
    () => "ended",
    () => "cut",
  );
const well_again = () =>
  eventually(
    async () => {
      const one = await call();
      return { ok: one.status === 200, value: await one.text() };
    },
    { ms: 8_000, every: 200 },
  );

for (const [name, tag] of [
  ["a panic", "fault"],
  ["a stack that ended", "fault.stack"],
] as const) {
  test(`${name} leaves nobody hanging, and the next call runs on a fresh instance`, async () => {
    play_with = async (one) => {
      one.head();
      one.send(chunk("a"));
      await one.closed;
    };
    const streaming = await Promise.all(Array.from({ length: 3 }, () => call({ stream: true })));
    const ends = streaming.map(text_or_cut);
    const faulty = call({}, tag).then(
      (one) => one.text(),
      () => "cut",
    );
    assert.notEqual(await within(faulty), "hanging");
    for (const end of ends) assert.notEqual(await within(end), "hanging");
    play_with = (one) => answer(one, "well again");
    assert.match(await well_again(), /well again/);
    await eventually(async () => {
      const value = (await budget()).held;
      return { ok: value === 0, value };
    });
  });
}

test("a late word of an old relay ends no living call, and is refused", async () => {
  play_with = (one) => answer(one, "old");
  // Its question to the account is kept by a hand in between, to be asked again later.
  await (await call({}, OLD_WORD)).text();
  await within(
    call({}, "fault").then(
      (one) => one.text(),
      () => "cut",
    ),
  );
  play_with = (one) => answer(one, "new");
  await well_again();

  let go_on = () => {};
  play_with = async (one) => {
    one.head();
    one.send(chunk("a"));
    await new Promise<void>((go) => {
      go_on = go;
    });
    one.send(finish + usage(6, 4));
    one.end(done);
  };
  const living = await call({ stream: true });
  const reader = living.body?.getReader();
  await reader?.read();
  const { held } = await budget();
  assert.ok(held > 0);
  const play_living = play_with;
  play_with = (one) => answer(one, "said beside it");
  await (await call({}, LATE_WORD)).text();
  play_with = play_living;
  assert.match(edge.log, /late word: .*LEDGER_UNAVAILABLE/);
  await sleep(1_000);
  assert.equal((await budget()).held, held, "the living call is held on");
  assert.equal(await row(living.headers.get("x-request-id")), undefined);
  go_on();
  while (!(await reader?.read())?.done);
  const ended = await eventually(async () => {
    const value = await row(living.headers.get("x-request-id"));
    return { ok: value !== undefined, value };
  });
  assert.deepEqual([ended.outcome, ended.tokens], ["ok", 10]);
});
