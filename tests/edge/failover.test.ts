// Several providers below one alias on real workerd: who is asked, in which order, and what each try costs (gateway.md
// §5, §6, §7). Breakers have a clock that no test can wait for; their ends are judged by `route.simulate`.
//
// Every test has aliases and providers of its own, so that no breaker of one is seen by another.
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, test } from "node:test";
import {
  answered,
  Candidates,
  fails,
  provider,
  question,
  refused,
  routed,
  twin,
  type User,
  works,
} from "./candidates.ts";
import { type Call, chunk, done, sleep, told } from "./upstream.ts";
import { type Answer, eventually } from "./workerd.ts";

/** In micros a million tokens: 1 and 2 micros a token, where the others cost 3 and 15. */
const CHEAP = { input: 1_000_000, output: 2_000_000 };
const full = { max_in_flight: 1 };
const claude = { kind: "anthropic" } as const;

const candidates = new Candidates({
  busy: [{}, {}],
  limited: [{}, {}],
  away: [{ away: true }, {}],
  reset: [{}, {}],
  headed: [{}, {}],
  late: [{ timeouts: { first_byte_ms: 1_000 } }, {}],
  mistaken: [{}, {}],
  cut: [{}, {}],
  stalled: [{ timeouts: { idle_ms: 1_000 } }, {}],
  kept: [{}, {}],
  broken: [{}, {}],
  down: [{}, {}],
  home: [{ locality: "local" }, { locality: "remote" }],
  abroad: [{ locality: "remote" }, { locality: "local" }],
  crowded: [full, full],
  freed: [full, {}],
  mixed: [{}, claude],
  back: [claude, {}],
  picky: [{}, claude],
  rising: [{ price: CHEAP }, {}],
  falling: [{}, { price: CHEAP }],
  two: [{}, {}],
  again: [{}, {}],
  three: [{}, {}, {}],
  four: [{}, {}, {}, {}],
  left: [{}, {}],
  poor: [{}, {}],
});

const { acts } = candidates;
const asked = (alias: string) => candidates.asked(alias);
const somebody = (limit?: number) => candidates.somebody(limit);
/** A call that ended before the next one begins, so that the account knows how. */
async function ended(who: User, alias: string, more: object = {}): Promise<Answer> {
  const given = await who.chat(alias, more);
  await who.tries(given);
  return given;
}
before(() => candidates.start());
after(() => candidates.stop());

const estimated = ["upstream_error", "estimated"];
const free = ["released", "none"];
/** Alias, what its first provider does, streamed or not, how the first try is closed. */
const failures: [string, string, (call: Call) => unknown, boolean[], string[]][] = [
  ["503", "busy", fails, [true, false], estimated],
  ["429", "limited", (call) => told(call, 429, "{}"), [true, false], free],
  ["a refused connection", "away", fails, [true, false], free],
  ["a reset before an answer", "reset", (call) => call.cut(), [true, false], estimated],
  [
    "a reset behind the head",
    "headed",
    async (call) => {
      call.head();
      await sleep(30);
      call.cut();
    },
    [true],
    estimated,
  ],
];

for (const [name, alias, act, streams, closed] of failures) {
  test(`${name}: the second provider answers, and each try is charged by itself`, async () => {
    acts[`${alias}-a`] = act;
    for (const stream of streams) {
      // What is free leaves room for the second try in a budget of one request.
      const requests = closed === free ? 1 : 2;
      const one = await somebody(requests);
      const given = await one.chat(alias, { stream });
      assert.deepEqual(answered(given), [200, `${alias}-b`, "2"], given.raw);
      const id = given.headers.get("x-request-id");
      const rows = await one.tries(given);
      assert.deepEqual(
        rows.map((row) => [row.request_id, row.provider, row.outcome, row.usage_source]),
        [
          [id, `${alias}-a`, ...closed],
          [`${id}.2`, `${alias}-b`, "ok", "reported"],
        ],
      );
      const bytes = Buffer.byteLength(JSON.stringify(question(alias, { stream })));
      const input = closed === free ? 0 : Math.ceil(bytes / 3);
      assert.deepEqual(
        rows.map((row) => [row.input, row.output, row.tokens, row.cost]),
        [
          [input, 0, input, 3 * input],
          [7, 3, 10, 7 * 3 + 3 * 15],
        ],
      );
      assert.equal(await one.requests(), requests);
    }
    const times = streams.length;
    assert.deepEqual(asked(alias), [alias === "away" ? 0 : times, times]);
  });
}

test("a first byte is waited for as long as its provider's row says", async () => {
  acts["late-a"] = async (call) => {
    await sleep(600);
    works(call);
  };
  const [one, other] = [await somebody(), await somebody(2)];
  const slow = await one.chat("late", { stream: true });
  assert.deepEqual(routed(slow), [200, "late-a", "1", null], slow.raw);

  acts["late-a"] = (call) => call.closed;
  const late = await other.chat("late", { stream: true });
  assert.deepEqual(answered(late), [200, "late-b", "2"], late.raw);
  const rows = await other.tries(late);
  assert.deepEqual(
    rows.map((row) => [row.provider, row.outcome, row.usage_source]),
    [
      ["late-a", "timeout", "estimated"],
      ["late-b", "ok", "reported"],
    ],
  );
  assert.ok(rows[0].input > 0 && rows[0].tokens === rows[0].input, JSON.stringify(rows[0]));
  assert.deepEqual([asked("late"), await other.requests()], [[2, 1], 2]);
});

test("what another provider would not do better is answered at once, and breaks nothing", async () => {
  const one = await somebody();
  const own = '{"error":{"message":"no such thing","type":"invalid_request_error"}}';
  for (const status of [400, 404, 413, 422]) {
    acts["mistaken-a"] = (call) => told(call, status, own);
    const given = await one.chat("mistaken");
    assert.deepEqual([given.status, given.raw], [status, own]);
    const rows = await one.tries(given);
    assert.deepEqual(
      rows.map((row) => [row.provider, row.outcome, row.tokens, row.cost]),
      [["mistaken-a", "released", 0, 0]],
    );
  }
  for (const [status, code] of [
    [401, "UPSTREAM_AUTH_FAILED"],
    [403, "UPSTREAM_AUTH_FAILED"],
    [302, "UPSTREAM_REDIRECT"],
  ] as const) {
    acts["mistaken-a"] = (call) => told(call, status, own);
    const given = await one.chat("mistaken");
    assert.deepEqual(refused(given), [502, code]);
    assert.equal((await one.tries(given)).length, 1);
  }
  acts["mistaken-a"] = works;
  assert.deepEqual(routed(await one.chat("mistaken")), [200, "mistaken-a", "1", null]);
  assert.deepEqual(asked("mistaken"), [8, 0]);
});

for (const [alias, code, outcome, act] of [
  ["cut", "UPSTREAM_STREAM_CUT", "upstream_cut", (call: Call) => call.cut()],
  ["stalled", "UPSTREAM_STALLED", "stalled", (call: Call) => call.closed],
] as const) {
  test(`after the first byte nothing is retried: ${code}`, async () => {
    acts[`${alias}-a`] = async (call) => {
      call.head();
      call.send(chunk("one"));
      await sleep(100);
      await act(call);
    };
    const one = await somebody();
    const given = await one.chat(alias, { stream: true });
    assert.deepEqual(routed(given), [200, `${alias}-a`, "1", null]);
    assert.ok(given.raw.startsWith(chunk("one")), given.raw);
    assert.ok(given.raw.includes(code) && !given.raw.includes(done), given.raw);
    const rows = await one.tries(given);
    assert.deepEqual(
      rows.map((row) => [row.provider, row.outcome]),
      [[`${alias}-a`, outcome]],
    );
    assert.deepEqual([asked(alias), await one.requests()], [[1, 0], 1]);
  });
}

test("a fallback that worked stays first for its user and alias, for nobody else", async () => {
  acts["kept-a"] = fails;
  const [one, other, third] = [await somebody(), await somebody(), await somebody()];
  assert.deepEqual(answered(await ended(one, "kept")), [200, "kept-b", "2"]);
  acts["kept-a"] = works;
  assert.deepEqual(routed(await ended(one, "kept")), [200, "kept-b", "1", "sticky_fallback"]);
  assert.deepEqual(routed(await ended(one, twin("kept"))), [200, "kept-a", "1", null]);
  assert.deepEqual(routed(await ended(other, "kept")), [200, "kept-a", "1", null]);
  assert.deepEqual(asked("kept"), [3, 2]);

  // The answers in between cleared the first failure: one more leaves the breaker closed.
  acts["kept-a"] = fails;
  assert.deepEqual(answered(await ended(third, "kept")), [200, "kept-b", "2"]);
  acts["kept-a"] = works;
  assert.deepEqual(routed(await ended(other, "kept")), [200, "kept-a", "1", null]);
});

test("two failures open the breaker: the next call goes to the second provider at once", async () => {
  acts["broken-a"] = fails;
  const [one, other, third] = [await somebody(), await somebody(), await somebody()];
  assert.deepEqual(answered(await ended(one, "broken")), [200, "broken-b", "2"]);
  assert.deepEqual(routed(await ended(one, "broken")), [200, "broken-b", "1", "sticky_fallback"]);
  assert.deepEqual(answered(await ended(other, "broken")), [200, "broken-b", "2"]);
  assert.deepEqual(asked("broken"), [2, 3]);

  acts["broken-a"] = works;
  for (const stream of [true, false]) {
    const given = await ended(stream ? third : await somebody(), "broken", { stream });
    assert.deepEqual(routed(given), [200, "broken-b", "1", "breaker_open"], given.raw);
  }
  assert.deepEqual(asked("broken"), [2, 5]);
});

test("where every breaker is open nobody is asked, and the answer says when to return", async () => {
  [acts["down-a"], acts["down-b"]] = [fails, fails];
  const one = await somebody();
  for (let n = 0; n < 2; n++) {
    const given = await one.chat("down");
    assert.deepEqual(refused(given), [502, "UPSTREAM_ERROR"]);
    await one.tries(given);
  }
  const before = await candidates.settled();
  const chat = await one.chat("down");
  assert.deepEqual(refused(chat), [503, "ALL_PROVIDERS_UNAVAILABLE"]);
  assert.equal(chat.value.error.type, "service_unavailable");
  const note = await one.message("down");
  const { type, details } = note.value.error;
  assert.deepEqual(
    [note.status, note.value.type, type, details.error_code],
    [503, "error", "overloaded_error", "ALL_PROVIDERS_UNAVAILABLE"],
  );
  for (const { headers, value } of [chat, note]) {
    const wait = value.error.details.retry_after_ms;
    assert.ok(wait >= 80_000 && wait <= 90_000, String(wait));
    assert.equal(headers.get("retry-after"), String(Math.ceil(wait / 1_000)));
    assert.equal(headers.get("retry-after-ms"), String(wait));
    assert.equal(headers.get("x-should-retry"), "true");
  }
  assert.deepEqual(await candidates.settled(), before);
});

test("from a local provider to a remote one only with consent", async () => {
  acts["home-a"] = fails;
  const yes = { "holdpoint-allow-remote": "1" };
  const [one, other] = [await somebody(), await somebody()];
  assert.deepEqual(answered(await one.chat("home", {}, yes)), [200, "home-b", "2"]);
  assert.deepEqual(asked("home"), [1, 1]);
  // That it answered before is no consent.
  assert.deepEqual(refused(await one.chat("home")), [502, "UPSTREAM_ERROR"]);
  const [local, remote] = asked("home");
  assert.ok(local === 2 || local === 3, String(local));
  assert.equal(remote, 1);

  // By now the breaker of the local one is open.
  const no: Record<string, string>[] = [{}, { "holdpoint-allow-remote": "0" }];
  for (const headers of no) {
    const given = await other.chat("home", {}, headers);
    assert.deepEqual(refused(given), [503, "REMOTE_FALLBACK_REQUIRED"]);
    assert.equal(given.headers.get("x-should-retry"), "false");
  }
  assert.equal(await other.requests(), 0);
  assert.deepEqual(asked("home"), [local, 1]);
  const given = await other.chat("home", {}, yes);
  assert.deepEqual(routed(given), [200, "home-b", "1", "breaker_open"]);
  assert.deepEqual(asked("home"), [local, 2]);

  acts["abroad-a"] = fails;
  assert.deepEqual(answered(await other.chat("abroad")), [200, "abroad-b", "2"]);
});

test("a provider that has its fill is passed over until a call of it ends", async () => {
  let open = () => {};
  const gate = new Promise<void>((opened) => {
    open = opened;
  });
  const waits = async (call: Call) => {
    await gate;
    works(call);
  };
  [acts["crowded-a"], acts["crowded-b"]] = [waits, waits];
  const reach = (counts: number[]) =>
    eventually(() => ({
      ok: String(asked("crowded")) === String(counts),
      value: asked("crowded"),
    }));
  const [one, other, third] = [await somebody(), await somebody(), await somebody()];
  const first = one.chat("crowded");
  await reach([1, 0]);
  const second = other.chat("crowded", { stream: true });
  await reach([1, 1]);
  const nobody = await third.chat("crowded");
  assert.deepEqual(refused(nobody), [503, "ALL_PROVIDERS_UNAVAILABLE"]);
  assert.equal(nobody.value.error.details.retry_after_ms, 1_000);
  assert.deepEqual([asked("crowded"), await third.requests()], [[1, 1], 0]);

  open();
  assert.deepEqual(routed(await first), [200, "crowded-a", "1", null]);
  assert.deepEqual(routed(await second), [200, "crowded-b", "1", "load_shed"]);
  // Whoever comes while the end is still on its way stays with the second provider.
  await eventually(async () => {
    const value = routed(await (await somebody()).chat("crowded"));
    return { ok: String(value) === String([200, "crowded-a", "1", null]), value };
  });
});

test("a try that failed takes up no place at its provider", async () => {
  acts["freed-a"] = fails;
  assert.deepEqual(answered(await ended(await somebody(), "freed")), [200, "freed-b", "2"]);
  acts["freed-a"] = works;
  assert.deepEqual(routed(await ended(await somebody(), "freed")), [200, "freed-a", "1", null]);
});

test("a provider of the other protocol answers for one that failed", async () => {
  [acts["mixed-a"], acts["back-a"]] = [fails, fails];
  const [one, other] = [await somebody(), await somebody()];
  const whole = await one.chat("mixed", { seed: 5 });
  assert.deepEqual(answered(whole), [200, "mixed-b", "2"], whole.raw);
  assert.equal(whole.headers.get("holdpoint-dropped"), "seed");
  const { object, choices } = whole.value;
  assert.deepEqual([object, choices[0]?.message.content], ["chat.completion", "so it is"]);
  const rows = await one.tries(whole);
  assert.deepEqual(
    rows.map((row) => [row.provider, row.protocol, row.outcome, row.tokens]),
    [
      ["mixed-a", "openai", "upstream_error", rows[0].input],
      ["mixed-b", "openai", "ok", 10],
    ],
  );
  const flow = await other.chat("mixed", { stream: true });
  assert.deepEqual(answered(flow), [200, "mixed-b", "2"], flow.raw);
  assert.ok(flow.raw.includes('"content":" is"') && flow.raw.endsWith(done), flow.raw);
  const back = await one.message("back");
  assert.deepEqual(answered(back), [200, "back-b", "2"], back.raw);
  assert.deepEqual(back.value.content, [{ type: "text", text: "so it is" }]);
  assert.deepEqual(
    [asked("mixed"), asked("back")],
    [
      [2, 2],
      [1, 1],
    ],
  );
});

test("what the second provider has no words for is not sent to it", async () => {
  acts["picky-a"] = fails;
  const given = await (await somebody()).chat("picky", { n: 2 });
  assert.deepEqual(refused(given), [502, "UPSTREAM_ERROR"]);
  const [first, second] = asked("picky");
  assert.ok(first === 1 || first === 2, String(first));
  assert.equal(second, 0);
});

test("the hold is enough for the dearest candidate, wherever it stands", async () => {
  const one = await somebody();
  for (const [alias, cost] of [
    ["rising", 7 * 1 + 3 * 2],
    ["falling", 7 * 3 + 3 * 15],
  ] as const) {
    const given = await one.chat(alias);
    assert.deepEqual(routed(given), [200, `${alias}-a`, "1", null], given.raw);
    const input = Buffer.byteLength(JSON.stringify(question(alias))) + 64;
    const hold = ["tokens", "cost"].map((unit) => given.headers.get(`holdpoint-hold-${unit}`));
    assert.deepEqual(hold, [String(input + 40), String(input * 3 + 40 * 15)]);
    const rows = await one.tries(given);
    assert.deepEqual(
      rows.map((row) => [row.provider, row.tokens, row.cost]),
      [[`${alias}-a`, 10, cost]],
    );
  }
});

/** Alias, and who is asked in which order; all but the last candidate of four fail. */
const orders: [string, string][] = [
  ["two", "abb"],
  ["three", "abc"],
  ["four", "abc"],
];
for (const [alias, order] of orders) {
  test(`of ${alias} candidates three tries are made at most: ${order}`, async () => {
    for (const letter of "abc") acts[`${alias}-${letter}`] = fails;
    const one = await somebody();
    const from = candidates.upstream.calls.length;
    const given = await one.chat(alias);
    assert.deepEqual(refused(given), [502, "UPSTREAM_ERROR"]);
    const names = [...order].map((letter) => `${alias}-${letter}`);
    assert.deepEqual(candidates.upstream.calls.slice(from).map(provider), names);
    const id = given.headers.get("x-request-id");
    const rows = await one.tries(given);
    assert.deepEqual(
      rows.map((row) => [row.request_id, row.provider, row.usage_source]),
      names.map((name, n) => [n === 0 ? id : `${id}.${n + 1}`, name, "estimated"]),
    );
    assert.equal(await one.requests(), 3);
  });
}

test("the last candidate may answer the second time", async () => {
  acts["again-a"] = fails;
  acts["again-b"] = (call) => (asked("again")[1] === 1 ? fails(call) : works(call));
  const given = await (await somebody()).chat("again");
  assert.deepEqual(answered(given), [200, "again-b", "3"], given.raw);
  assert.deepEqual(asked("again"), [1, 2]);
});

test("a client that leaves between two tries is tried for no more", async () => {
  const one = await somebody();
  const headers = {
    authorization: `Bearer ${one.key}`,
    "content-type": "application/json",
    "holdpoint-tag": "left",
  };
  const url = `${candidates.edge.url}/v1/chat/completions`;
  const client = http.request(url, { method: "POST", agent: false, headers });
  client.on("error", () => {});
  acts["left-a"] = async (call) => {
    call.head(503, { "retry-after": "2" });
    call.end("{}");
    await sleep(50);
    client.socket?.resetAndDestroy();
  };
  client.end(JSON.stringify(question("left")));
  await eventually(() => ({ ok: asked("left")[0] === 1 }));
  await sleep(3_000);
  const rows = await one.rows((row) => row.tag === "left");
  assert.deepEqual(
    rows.map((row) => [row.provider, row.outcome, row.usage_source]),
    [["left-a", "upstream_error", "estimated"]],
  );
  assert.deepEqual([asked("left"), await one.requests()], [[1, 0], 1]);
});

test("a second try that finds no room is not made, and the first failure is answered", async () => {
  acts["poor-a"] = fails;
  const one = await somebody(1);
  const given = await one.chat("poor");
  assert.deepEqual(refused(given), [502, "UPSTREAM_ERROR"]);
  const rows = await one.tries(given);
  assert.deepEqual(
    rows.map((row) => [row.provider, row.outcome, row.usage_source]),
    [["poor-a", "upstream_error", "estimated"]],
  );
  assert.deepEqual([asked("poor"), await one.requests()], [[1, 0], 1]);
});
