// What an operator looks at: whether a deployment can work, and what an account's calls did (gateway.md §13 "Metrics").
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, test } from "node:test";
import { answered, Candidates, fails } from "./candidates.ts";
import { exposition, type Family, type Labels, summedUp } from "./exposition.ts";
import type { NewKey } from "./gateway.ts";
import { cached, close, Metered, opened, type Person, silent } from "./metered.ts";
import { provider, shared } from "./tokens.ts";
import { answer, chunk, done, finish, last, sleep, told, usage } from "./upstream.ts";
import { eventually, startEdge } from "./workerd.ts";

const FAMILIES: Record<string, string> = {
  hp_requests_total: "counter",
  hp_refused_total: "counter",
  hp_tokens_total: "counter",
  hp_cost_micros_total: "counter",
  hp_overrun_micros_total: "counter",
  hp_admit_seconds: "histogram",
  hp_first_byte_seconds: "histogram",
  hp_total_seconds: "histogram",
  hp_in_flight: "gauge",
  hp_held_micros: "gauge",
  hp_expired_total: "counter",
  hp_orphans_total: "counter",
  hp_client_gone_total: "counter",
  hp_estimated_total: "counter",
  hp_cache_read_tokens_total: "counter",
  hp_breaker_open: "gauge",
  hp_settle_retry_total: "counter",
  hp_turns_total: "counter",
  hp_turns_repaired_total: "counter",
  hp_turns_resumed_total: "counter",
  hp_turn_tokens_total: "counter",
  hp_turn_cost_micros_total: "counter",
  hp_turn_first_seconds: "histogram",
  hp_turn_proposal_seconds: "histogram",
  hp_turn_seconds: "histogram",
  hp_builds_total: "counter",
  hp_build_wait_seconds: "histogram",
  hp_build_seconds: "histogram",
  hp_applied_total: "counter",
  hp_taken_back_total: "counter",
};

const metered = new Metered();
let ann: Person;
let watcher: Person;
/** How many rows the ledger has. */
let rows = 0;

before(async () => {
  await metered.start({ LOOK_MS: "700", ...provider });
  ann = await metered.person("ann");
  watcher = await metered.person("watcher", ["metrics"]);
});
after(() => metered.stop());

type Metrics = Map<string, Family>;
const scraped = (token = watcher.key) => metered.edge.ask<string>("GET", "/metrics", { token });
async function metrics(token?: string): Promise<Metrics> {
  const given = await scraped(token);
  assert.equal(given.status, 200, given.raw);
  return exposition(given.raw);
}
/** How much a sample rose. */
const rose = (from: Metrics, to: Metrics, name: string, labels?: Labels): number =>
  summedUp(to, name, labels) - summedUp(from, name, labels);
/** Waits until so many more calls are closed. */
async function closed(more: number) {
  rows += more;
  return (await metered.ledger(rows)).slice(0, more);
}

test("a deployment that can work says so to everybody", async () => {
  const given = await metered.edge.ask("GET", "/healthz");
  assert.equal(given.status, 200);
  assert.deepEqual(given.value as unknown, { status: "ok" });
  assert.match(given.headers.get("content-type") ?? "", /^application\/json/);
});

test("a configuration that cannot be used is named, and nothing that stands in it", async () => {
  const planted = {
    id: "planted-name",
    kind: "planted-kind",
    base_url: "https://planted-host.example/v1",
    secret: "platform:planted",
  };
  const whole = JSON.stringify({ providers: [planted], models: [], prices: [] });
  for (const config of [whole.slice(0, -1), whole]) {
    const edge = await startEdge({
      variables: { GATEWAY_CONFIG: config, UPSTREAM_KEY_PLANTED: "planted-key" },
    });
    try {
      type Health = { status: string; problems: string[] };
      const given = await edge.ask<Health>("GET", "/healthz");
      assert.deepEqual([given.status, given.value.status], [503, "misconfigured"], given.raw);
      assert.deepEqual(given.value.problems, ["GATEWAY_CONFIG"], given.raw);
      for (const word of ["planted-name", "planted-host", "planted-key"])
        assert.ok(!given.raw.includes(word), given.raw);
    } finally {
      await edge.stop();
    }
  }
});

test("every family is told before anything was counted", async () => {
  const families = await metrics();
  for (const [name, type] of Object.entries(FAMILIES)) {
    assert.equal(families.get(name)?.type, type, name);
    const suffix = type === "histogram" ? "_count" : "";
    assert.equal(summedUp(families, name + suffix), 0, name);
  }
});

test("metrics are text for a scraper, and need their scope", async () => {
  const given = await scraped();
  assert.equal(given.status, 200, given.raw);
  assert.match(given.headers.get("content-type") ?? "", /^text\/plain; ?version=0\.0\.4/);
  const denied = await scraped(ann.key);
  assert.deepEqual([denied.status, denied.value.error.code], [403, "SCOPE_DENIED"]);
  const nobody = await metered.edge.ask("GET", "/metrics");
  assert.deepEqual([nobody.status, nobody.value.error.code], [401, "AUTH_MISSING_TOKEN"]);
});

test("counters rise by what calls did", async () => {
  const before = await metrics();
  metered.play = (call) => cached(call, 40);
  await metered.called(ann, "large", "night");
  await metered.called(ann, "large");
  metered.play = (call) => answer(call, "ok");
  await metered.called(ann, "small");
  metered.play = silent;
  await metered.called(ann, "small");
  metered.play = (call) => told(call, 400, "{}");
  await metered.called(ann, "small", undefined, { status: 400 });
  const done = await closed(5);
  const after = await metrics();

  const ok = (of: string) => ({ protocol: "openai", provider: of, outcome: "ok" });
  assert.equal(rose(before, after, "hp_requests_total", ok("main")), 2);
  assert.equal(rose(before, after, "hp_requests_total", ok("spare")), 2);
  const released = { protocol: "openai", provider: "spare", outcome: "released" };
  assert.equal(rose(before, after, "hp_requests_total", released), 1);
  const sum = (name: "input" | "cached_input" | "output" | "cost") =>
    done.reduce((all, row) => all + row[name], 0);
  for (const name of ["input", "cached_input", "output"] as const)
    assert.equal(rose(before, after, "hp_tokens_total", { class: name }), sum(name), name);
  assert.ok(sum("cost") > 0);
  const payer = { payer: "platform" };
  assert.equal(rose(before, after, "hp_cost_micros_total", payer), sum("cost"));
  assert.equal(rose(before, after, "hp_cache_read_tokens_total"), 80);
  assert.equal(rose(before, after, "hp_estimated_total"), 1);
  for (const name of ["hp_admit_seconds", "hp_total_seconds"])
    assert.ok(rose(before, after, `${name}_count`) >= 4, name);
  for (const name of ["hp_in_flight", "hp_held_micros", "hp_client_gone_total"])
    assert.equal(summedUp(after, name), 0, name);
});

test("refusals are counted by their code", async () => {
  const budget = { scope: "user:ann", unit: "tokens", period: "total", limit: 1 };
  await metered.admin("PUT", "/budgets/none-left", budget);
  const before = await metrics();
  for (let n = 0; n < 3; n += 1) {
    const given = await metered.call(ann, "large");
    assert.equal(given.status, 402, await given.text());
  }
  await metered.admin("DELETE", "/budgets/none-left");
  await metered.admin("PUT", "/limits/user:ann", { max_in_flight: 1 });
  metered.play = opened;
  const first = await metered.call(ann, "large", {}, { stream: true });
  const busy = await metered.call(ann, "large");
  assert.equal(busy.status, 429, await busy.text());
  close(last(metered.upstream.calls));
  await first.text();
  await closed(1);
  await metered.admin("DELETE", "/limits/user:ann");
  const after = await metrics();
  assert.equal(rose(before, after, "hp_refused_total", { code: "BUDGET_EXHAUSTED" }), 3);
  assert.equal(rose(before, after, "hp_refused_total", { code: "TOO_MANY_IN_FLIGHT" }), 1);
  assert.equal(rose(before, after, "hp_requests_total", { outcome: "ok" }), 1);
});

test("an open stream is in flight with what it holds, and then no more", async () => {
  metered.play = opened;
  const before = await metrics();
  const given = await metered.call(ann, "large", {}, { stream: true });
  const open = await metrics();
  assert.equal(summedUp(open, "hp_in_flight"), 1);
  assert.equal(summedUp(open, "hp_held_micros"), Number(given.headers.get("holdpoint-hold-cost")));
  close(last(metered.upstream.calls));
  await given.text();
  await closed(1);
  const after = await metrics();
  assert.deepEqual([summedUp(after, "hp_in_flight"), summedUp(after, "hp_held_micros")], [0, 0]);
  assert.equal(rose(before, after, "hp_first_byte_seconds_count"), 1);
  assert.equal(rose(before, after, "hp_total_seconds_count"), 1);
});

/** Takes the first byte of a stream and resets the connection. */
const leave = (person: Person): Promise<void> =>
  new Promise((left, failed) => {
    const request = http.request(`${metered.edge.url}/v1/chat/completions`, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${person.key}`, "content-type": "application/json" },
    });
    request.on("error", failed);
    request.on("response", (response) => {
      response.on("error", () => {});
      response.once("data", () => {
        request.socket?.resetAndDestroy();
        left();
      });
    });
    const messages = [{ role: "user", content: "x" }];
    request.end(JSON.stringify({ model: "large", max_tokens: 40, stream: true, messages }));
  });

test("a client that left is counted by the policy of its provider", async () => {
  metered.play = async (call) => {
    opened(call);
    await Promise.race([sleep(1_000), call.closed]);
    call.send(chunk("b") + finish + usage(7, 3));
    call.end(done);
  };
  const before = await metrics();
  await leave(ann);
  await closed(1);
  const after = await metrics();
  assert.equal(rose(before, after, "hp_client_gone_total", { policy: "drain" }), 1);
  assert.equal(rose(before, after, "hp_requests_total", { outcome: "client_gone" }), 1);
});

test("no label holds what came with a request", async () => {
  metered.play = (call) => answer(call, "ok");
  const odd = await metered.person("oddity-user");
  const names = ["oddity-model", 'oddity"} 1\noddity_total 1', "oddity\\", "oddity\u2028"];
  for (const name of names) {
    const given = await metered.call(odd, name);
    assert.match(String(given.status), /^40[04]$/, await given.text());
  }
  const headers = { "holdpoint-tag": "oddity-tag", "holdpoint-template": "oddity-template" };
  const given = await metered.call(odd, "large", headers);
  assert.equal(given.status, 200, await given.text());
  await closed(1);
  const { raw } = await scraped();
  exposition(raw);
  assert.ok(!raw.includes("oddity"), raw);
  for (const { id, key } of [ann, odd]) assert.ok(!raw.includes(id) && !raw.includes(key), raw);
  const known = ["protocol", "provider", "outcome", "code", "class", "payer", "policy", "le"];
  for (const { samples } of exposition(raw).values())
    for (const { labels } of samples)
      for (const name of Object.keys(labels)) assert.ok(known.includes(name), name);
});

test("another account's metrics are its own", async () => {
  const families = await metrics(shared({ org: "elsewhere", scope: "metrics" }));
  for (const [name, type] of Object.entries(FAMILIES))
    assert.equal(families.get(name)?.type, type, name);
  assert.equal(summedUp(families, "hp_requests_total"), 0);
  assert.equal(summedUp(families, "hp_tokens_total"), 0);
});

test("an open breaker is shown by its provider", async () => {
  const candidates = new Candidates({ weak: [{}, {}] });
  await candidates.start();
  try {
    const { edge, acts } = candidates;
    const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
      token: candidates.keys.admin_token,
      body: { label: "watcher", user_id: "watcher", scopes: ["metrics"] },
    });
    const open = async (of: string) => {
      const { raw } = await edge.ask("GET", "/metrics", { token: made.value.key });
      return summedUp(exposition(raw), "hp_breaker_open", { provider: of });
    };
    acts["weak-a"] = fails;
    for (let n = 0; n < 2; n += 1) {
      assert.equal(await open("weak-a"), 0, `after ${n} failures`);
      const one = await candidates.somebody();
      const given = await one.chat("weak");
      assert.deepEqual(answered(given), [200, "weak-b", "2"], given.raw);
      await one.tries(given);
    }
    assert.deepEqual([await open("weak-a"), await open("weak-b")], [1, 0]);
  } finally {
    await candidates.stop();
  }
});

test("what a killed process held expires, is counted, and other counters begin anew", async () => {
  metered.play = opened;
  const given = await metered.call(ann, "large", {}, { stream: true });
  await given.body?.getReader().read();
  await metered.edge.kill();
  await metered.edge.start();
  rows += 1;
  await eventually(async () => {
    const families = await metrics();
    const value = summedUp(families, "hp_expired_total", { policy: "bill_progress" });
    assert.equal(summedUp(families, "hp_requests_total", { outcome: "ok" }), 0);
    return { ok: value === 1, value };
  });
  const [row] = await metered.ledger(rows);
  assert.equal(row.outcome, "expired");
  assert.equal(summedUp(await metrics(), "hp_in_flight"), 0);
});
