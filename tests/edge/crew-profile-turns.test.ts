// Turns with a user's own model: which model answers, who pays, how its failures are said, and where its key goes
// (ai-sessions.md §8 "Resolution", §12; gateway.md §10 "BYOK").
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { during } from "../during.ts";
import type { Budget, LedgerRow, List } from "./gateway.ts";
import { own, PLAIN, save, secrets } from "./profile.ts";
import { chat, replies, startTalk } from "./talk.ts";
import { type Call, chunk, last, sleep, startUpstream, told } from "./upstream.ts";
import { eventually } from "./workerd.ts";

let play: (call: Call) => unknown;
const mine = await during(startUpstream((call) => play(call)));
const talk = await during(startTalk({ ALLOW_PRIVATE_UPSTREAMS: "1", ...secrets("k1") }));

const token = () => talk.keys.user_token;
async function chooses(more: object = {}): Promise<void> {
  const saved = await save(talk.edge, token(), own(mine.url, more));
  assert.equal(saved.status, 200, saved.raw);
}
type Row = LedgerRow & { payer: string; alias: string; model: string; cost: number | null };
const rows = async (): Promise<Row[]> => {
  const asked = { token: talk.keys.admin_token };
  return (await talk.edge.ask<List<Row>>("GET", "/gateway/v1/ledger", asked)).value.items;
};
const budget = async () => {
  const asked = { token: talk.keys.admin_token };
  return (await talk.edge.ask<Budget>("GET", "/gateway/v1/budgets/dev-day", asked)).value;
};

test("who chose nothing gets the platform's model; who chose their own gets that, and pays it", async () => {
  const session = await talk.session();
  await talk.said(session, "Hello?");
  assert.deepEqual([talk.upstream.calls.length, mine.calls.length], [1, 0]);
  const before = await eventually(async () => {
    const value = await budget();
    return { ok: value.held === 0, value };
  });

  await chooses();
  play = (call) => replies(call, chat("Mine."));
  const result = await talk.said(session, "And now?");
  assert.equal(result.assistantSummary, "Mine.");
  assert.deepEqual([talk.upstream.calls.length, mine.calls.length], [1, 1]);
  const call = last(mine.calls);
  assert.equal(call.headers.authorization, `Bearer ${PLAIN}`);
  assert.deepEqual([call.path, call.body.model], ["/v1/chat/completions", "writer-large"]);

  const row = await eventually(async () => {
    const value = (await rows()).find(({ payer }) => payer === "byok");
    return { ok: value !== undefined, ...(value ? { value } : {}) };
  });
  assert.deepEqual(
    [row.model, row.alias, row.tokens, row.usage_source, row.cost],
    ["writer-large", "own", 120, "reported", null],
  );
  assert.equal((await budget()).spent, before.spent, "the platform's budget is as it was");
});

test("the next call already uses what was saved meanwhile", async () => {
  await chooses();
  const session = await talk.session();
  await save(talk.edge, token(), { provider: "disabled" });
  const asked = mine.calls.length;
  const refused = await talk.say(session, "Hello?");
  assert.deepEqual([refused.status, refused.value.error?.code], [403, "AI_DISABLED"]);
  await chooses({ model: "another" });
  await talk.said(session, "Hello?");
  assert.equal(mine.calls.length, asked + 1);
  assert.equal(last(mine.calls).body.model, "another");
});

test("each choice is left for each other, and the indicator says whose money a turn costs", async () => {
  const session = await talk.session();
  const choices = {
    "openai-compatible": { body: own(mine.url), payer: "byok", calls: [0, 1] },
    system: { body: { provider: "system" }, payer: "platform", calls: [1, 0] },
    disabled: { body: { provider: "disabled" }, payer: "platform", calls: [0, 0] },
  };
  const names = Object.keys(choices) as (keyof typeof choices)[];
  play = (call) => replies(call, chat("Mine."));
  for (const [from, to] of names.flatMap((one) => names.map((other) => [one, other] as const))) {
    for (const name of [from, to]) {
      const { body, payer, calls } = choices[name];
      const saved = await save(talk.edge, token(), body);
      assert.deepEqual([saved.status, saved.value.data?.provider], [200, name], saved.raw);
      const before = [talk.upstream.calls.length, mine.calls.length];
      const told = await talk.say(session, "Hello?");
      const refused = name === "disabled" ? [403, "AI_DISABLED"] : [200, undefined];
      assert.deepEqual([told.status, told.value.error?.code], refused, told.raw);
      const after = [talk.upstream.calls.length, mine.calls.length];
      assert.deepEqual(
        after.map((n, i) => n - (before[i] ?? 0)),
        calls,
        `${from} then ${to}`,
      );
      const asked = { token: token() };
      const shown = await talk.edge.ask<{ payer: string }>("GET", "/gateway/v1/indicator", asked);
      assert.equal(shown.value.payer, payer, name);
    }
  }
});

const failures: [string, (call: Call) => unknown, number, string][] = [
  [
    "refuses the key",
    (call) => told(call, 401, `{"error":{"message":"no such key ${PLAIN}"}}`),
    502,
    "AI_PROVIDER_ERROR",
  ],
  [
    "does not know the model",
    (call) => told(call, 404, `{"error":{"message":"no model ${PLAIN}"}}`),
    502,
    "AI_PROVIDER_ERROR",
  ],
  [
    "redirects",
    (call) => {
      call.head(307, { location: "http://127.0.0.1:1/" });
      call.end();
    },
    502,
    "AI_PROVIDER_ERROR",
  ],
  ["says nothing", () => {}, 504, "AI_PROVIDER_TIMEOUT"],
  [
    "stops in the middle",
    (call) => {
      call.head();
      call.send(chunk("Hel"));
    },
    504,
    "AI_PROVIDER_TIMEOUT",
  ],
  [
    "tells an error in its stream",
    (call) => {
      call.head();
      call.send(`data: {"error":{"message":"bad key ${PLAIN}"}}\n\n`);
      call.end();
    },
    502,
    "AI_PROVIDER_ERROR",
  ],
  [
    "never stops",
    async (call) => {
      call.head();
      const piece = chunk("x".repeat(1 << 18));
      for (let sent = 0; sent < 80 && !call.gone; sent += 1) {
        call.send(piece);
        await sleep(2);
      }
      call.end();
    },
    502,
    "AI_PROVIDER_ERROR",
  ],
];
for (const [name, plays, status, code] of failures) {
  test(`an own server that ${name} ends the turn with a code and says no key`, async () => {
    await chooses({ timeoutSeconds: 1 });
    const session = await talk.session();
    play = plays;
    const refused = await talk.say(session, "Hello?");
    assert.deepEqual([refused.status, refused.value.error?.code], [status, code], refused.raw);
    assert.ok(!refused.raw.includes("SECRETWORD"), refused.raw);
    const shown = await talk.shown(session, true);
    assert.ok(!JSON.stringify(shown).includes("SECRETWORD"));
  });
}

test("no byte of the key stands in storage or logs after all that", async () => {
  await talk.edge.ask("GET", "/gateway/v1/ledger", { token: talk.keys.admin_token });
  const dir = join(talk.edge.dir, "objects");
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  assert.ok(files.length > 3);
  for (const one of files) {
    const bytes = readFileSync(join(one.parentPath, one.name));
    assert.equal(bytes.includes("SECRETWORD"), false, one.name);
  }
  assert.ok(!talk.edge.log.includes("SECRETWORD"));
});
