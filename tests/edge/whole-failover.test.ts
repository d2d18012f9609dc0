// Whole answers that cannot be read are tried elsewhere, and an upstream's own time is waited for (gateway.md §6, §7).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, Candidates, provider, question, refused, works } from "./candidates.ts";
import { type Call, sleep, told } from "./upstream.ts";

const claude = { kind: "anthropic" } as const;
const candidates = new Candidates({
  words: [{}, {}],
  nothing: [{}, {}],
  half: [{}, {}],
  list: [{}, {}],
  other: [{}, {}],
  mapped: [{}, {}],
  torn: [{}, {}],
  ended: [{}, {}],
  claude: [claude, claude],
  across: [claude, claude],
  alone: [{}],
  lost: [{}],
  both: [{}, {}],
  dated: [{}],
  counted: [{}],
  long: [{}],
});
const { acts } = candidates;
const asked = (alias: string) => candidates.asked(alias);

before(() => candidates.start());
after(() => candidates.stop());

const json = { "content-type": "application/json" };
const started = '{"id":"c","object":"chat.completion","choices":[{"index":0,';
const ofOpenai = JSON.stringify({
  id: "c",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "a" }, finish_reason: "stop" }],
});
/** An answer whose connection ends before it is whole. */
const torn =
  (headers: Record<string, string>) =>
  async (call: Call): Promise<void> => {
    call.head(200, { ...json, ...headers });
    call.send(started);
    await sleep(60);
    call.cut();
  };

/** Alias, and what its first provider answers. */
const broken: [string, string, (call: Call) => unknown][] = [
  ["that is no JSON", "words", (call) => told(call, 200, "no words of JSON")],
  ["of nothing", "nothing", (call) => told(call, 200, "")],
  ["that stops within its JSON", "half", (call) => told(call, 200, started)],
  ["that is a list", "list", (call) => told(call, 200, "[]")],
  ["of another object", "other", (call) => told(call, 200, '{"object":"list","data":[]}')],
  ["whose choices are no list", "mapped", (call) => told(call, 200, '{"choices":{"a":1}}')],
  ["that is cut before its length", "torn", torn({ "content-length": "5000" })],
  ["that is cut between two chunks", "ended", torn({})],
];

for (const [name, alias, act] of broken) {
  test(`after an answer ${name} the next candidate is asked`, async () => {
    acts[`${alias}-a`] = act;
    const one = await candidates.somebody(2);
    const given = await one.chat(alias);
    assert.deepEqual(answered(given), [200, `${alias}-b`, "2"], given.raw);
    assert.equal(given.value.choices[0]?.message.content, "so it is");
    assert.deepEqual(asked(alias), [1, 1]);

    const id = given.headers.get("x-request-id");
    const [first, second, ...more] = await one.tries(given);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [first.request_id, first.provider, first.usage_source],
      [id, `${alias}-a`, "estimated"],
    );
    assert.match(first.outcome, /^upstream_(error|cut)$/);
    const input = Math.ceil(Buffer.byteLength(JSON.stringify(question(alias))) / 3);
    assert.equal(first.input, input);
    assert.deepEqual(
      [first.tokens, first.cost, first.excess_tokens],
      [input + first.output, 3 * input + 15 * first.output, 0],
    );
    assert.ok(first.tokens <= first.held_tokens, JSON.stringify(first));
    assert.deepEqual(
      [second.request_id, second.provider, second.outcome, second.usage_source],
      [`${id}.2`, `${alias}-b`, "ok", "reported"],
    );
    assert.deepEqual([second.tokens, second.cost], [10, 7 * 3 + 3 * 15]);
    assert.equal(await one.requests(), 2, "each try is a request");
  });
}

for (const [alias, ask] of [
  ["claude", "message"],
  ["across", "chat"],
] as const) {
  test(`an answer in another protocol's shape is tried elsewhere: ${alias}`, async () => {
    acts[`${alias}-a`] = (call) => told(call, 200, ofOpenai);
    const one = await candidates.somebody(2);
    const given = await one[ask](alias);
    assert.deepEqual(answered(given), [200, `${alias}-b`, "2"], given.raw);
    assert.ok(given.raw.includes('"so it is"'), given.raw);
    const rows = await one.tries(given);
    assert.deepEqual(
      rows.map((row) => [row.provider, row.usage_source]),
      [
        [`${alias}-a`, "estimated"],
        [`${alias}-b`, "reported"],
      ],
    );
    assert.ok(rows[0].input > 0 && rows[0].cost > 0, JSON.stringify(rows[0]));
    assert.equal(await one.requests(), 2);
  });
}

test("one candidate alone is asked a second time", async () => {
  acts["alone-a"] = (call) => (asked("alone")[0] === 1 ? told(call, 200, "no JSON") : works(call));
  const one = await candidates.somebody(2);
  const given = await one.chat("alone");
  assert.deepEqual(answered(given), [200, "alone-a", "2"], given.raw);
  assert.equal(given.value.choices[0]?.message.content, "so it is");
  const rows = await one.tries(given);
  assert.deepEqual(
    rows.map((row) => row.usage_source),
    ["estimated", "reported"],
  );
  assert.equal(await one.requests(), 2);
});

test("one candidate that twice answers what cannot be read is refused", async () => {
  acts["lost-a"] = (call) => told(call, 200, "no JSON");
  const one = await candidates.somebody();
  const given = await one.chat("lost");
  assert.deepEqual(refused(given), [502, "UPSTREAM_PROTOCOL_ERROR"]);
  assert.doesNotMatch(given.raw, /no JSON/);
  assert.deepEqual([asked("lost"), (await one.tries(given)).length], [[2], 2]);
});

test("where no candidate answers what can be read the call is refused", async () => {
  acts["both-a"] = (call) => told(call, 200, "no JSON");
  acts["both-b"] = (call) => told(call, 200, '{"object":"list"}');
  const one = await candidates.somebody();
  const from = candidates.upstream.calls.length;
  const given = await one.chat("both");
  assert.deepEqual(refused(given), [502, "UPSTREAM_PROTOCOL_ERROR"]);
  assert.equal(given.headers.get("x-should-retry"), "true");
  const names = ["both-a", "both-b", "both-b"];
  assert.deepEqual(candidates.upstream.calls.slice(from).map(provider), names);
  const rows = await one.tries(given);
  assert.deepEqual(
    rows.map((row) => [row.provider, row.outcome, row.usage_source]),
    names.map((name) => [name, "upstream_error", "estimated"]),
  );
  assert.equal(await one.requests(), 3);
});

test("a second try that finds no room is not made, and the unreadable answer is told", async () => {
  acts["words-a"] = (call) => told(call, 200, "no JSON");
  const one = await candidates.somebody(1);
  const [before] = asked("words");
  const given = await one.chat("words");
  assert.deepEqual(refused(given), [502, "UPSTREAM_PROTOCOL_ERROR"]);
  assert.deepEqual([asked("words")[0] - before, await one.requests()], [1, 1]);
});

/** A time that many seconds from now, as a header of HTTP. */
const date = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toUTCString();
const busy = (call: Call, wait: string) => {
  call.head(429, { ...json, "retry-after": wait });
  call.end('{"error":{"message":"busy"}}');
};

for (const [alias, form, wait] of [
  ["counted", "in seconds", () => "2"],
  ["dated", "as a date", () => date(3)],
] as const) {
  test(`a short wait that the upstream asks for ${form} is waited for`, async () => {
    const times: number[] = [];
    acts[`${alias}-a`] = (call) => {
      times.push(performance.now());
      if (times.length === 1) busy(call, wait());
      else works(call);
    };
    const one = await candidates.somebody(1);
    const given = await one.chat(alias);
    assert.deepEqual(answered(given), [200, `${alias}-a`, "2"], given.raw);
    // A date has whole seconds: three of them are two at least.
    const waited = times[1] - times[0];
    assert.ok(waited >= 1_500 && waited <= 4_500, String(waited));
    assert.deepEqual(
      (await one.tries(given)).map((row) => row.outcome),
      ["released", "ok"],
    );
  });
}

test("a long wait is passed on with its time, whichever way it was written", async () => {
  const seen: [number, string][] = [];
  for (const wait of [() => "60", () => date(60)]) {
    acts["long-a"] = (call) => busy(call, wait());
    const one = await candidates.somebody(1);
    const given = await one.chat("long");
    seen.push([given.status, given.value.error?.code]);
    const told = Number(given.headers.get("retry-after"));
    assert.ok(told >= 57 && told <= 60, `${given.headers.get("retry-after")}: ${given.raw}`);
    const rows = await one.tries(given);
    assert.deepEqual(
      rows.map((row) => [row.outcome, row.tokens]),
      [["released", 0]],
    );
    assert.equal(await one.requests(), 0);
  }
  assert.deepEqual(asked("long"), [2], "nobody tries in between");
  assert.equal(seen[0][0], 429);
  assert.deepEqual(seen[1], seen[0]);
});
