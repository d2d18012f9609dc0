// Money and time: nothing is overspent, nothing stays held, whoever leaves and whatever dies.
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import { during } from "../during.ts";
import type { GatewayRun, Indicator, LedgerRow, List, NewKey } from "./gateway.ts";
import {
  answer,
  type Call,
  chunk,
  done,
  finish,
  play,
  sleep,
  startUpstream,
  usage,
} from "./upstream.ts";
import { type Answer, type Body, eventually, question, startEdge } from "./workerd.ts";

let play_with: (call: Call) => unknown;

const upstream = await during(startUpstream((call) => play_with(call)));
const edge = await during(
  startEdge({
    variables: { UPSTREAM_BASE_URL: upstream.url, HOLD_TTL_MS: "4000", PANIC_TAG: "panic-now" },
  }),
);
const keys = await edge.keys();

const call = (more: object = {}, headers: Record<string, string> = {}) =>
  edge.call(keys.user_token, more, headers);
const budget = (id?: string) => edge.budget(id);
const put = (id: string, value: object) =>
  edge.ask("PUT", `/gateway/v1/budgets/${id}`, { token: keys.admin_token, body: value });
const rows = async () => {
  const all: LedgerRow[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path = `/gateway/v1/ledger?limit=500${cursor}`;
    const page: Answer<List<LedgerRow>> = await edge.ask("GET", path, { token: keys.admin_token });
    const { items, next_cursor } = page.value;
    all.push(...items);
    cursor = next_cursor === null ? null : `&cursor=${encodeURIComponent(next_cursor)}`;
  }
  return all;
};
const nothing_held = () =>
  eventually(
    async () => {
      const value = await budget();
      return { ok: value.held === 0, value };
    },
    { ms: 20_000 },
  );

test("64 at once against room for 10 admit exactly 10", async () => {
  const waiting: Call[] = [];
  play_with = (one) => void waiting.push(one);
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: keys.admin_token,
    body: { label: "ten", user_id: "ten", scopes: ["llm", "usage"] },
  });
  assert.equal(made.status, 201);
  await put("ten", { scope: "user:ten", unit: "requests", period: "total", limit: 10 });
  const answers = Array.from({ length: 64 }, () =>
    call({}, { authorization: `Bearer ${made.value.key}` }),
  );
  await eventually(async () => ({ ok: waiting.length >= 10, value: waiting.length }));
  await sleep(300);
  assert.equal(waiting.length, 10);
  assert.equal((await budget("ten")).held, 10);
  for (const one of waiting) answer(one, "ok");
  const settled = await Promise.all(answers);
  const bodies = await Promise.all(settled.map((one) => one.json() as Promise<Body<unknown>>));
  assert.equal(settled.filter((one) => one.status === 200).length, 10);
  const refused = bodies.filter((one) => one.error).map((one) => one.error.code);
  assert.deepEqual([...new Set(refused)], ["BUDGET_HELD"]);
  assert.deepEqual([(await budget("ten")).spent, (await budget("ten")).held], [10, 0]);
});

test("a refusal says which budget, what is left and when to come back", async () => {
  await put("small", { scope: "user:dev", unit: "tokens", period: "minute", limit: 50 });
  const refused = await call();
  const { error } = (await refused.json()) as Body<unknown>;
  assert.equal(refused.status, 402);
  assert.equal(refused.headers.get("x-should-retry"), "false");
  assert.equal(error.code, "BUDGET_EXHAUSTED");
  assert.deepEqual(
    [error.details.budget, error.details.unit, error.details.remaining],
    ["small", "tokens", 50],
  );
  const asked = { token: keys.user_token };
  const shown = await edge.ask<Indicator>("GET", "/gateway/v1/indicator", asked);
  assert.equal(shown.value.state, "out");
  assert.equal(
    (await edge.ask("DELETE", "/gateway/v1/budgets/small", { token: keys.admin_token })).status,
    200,
  );
});

test("a client that drops in mid-stream is settled once, exactly, with nothing held", async () => {
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
  const before = (await budget()).spent;
  const abort = new AbortController();
  const begun = await edge.call(keys.user_token, { stream: true }, {}, abort.signal);
  await begun.body?.getReader().read();
  abort.abort();
  await sleep(100);
  assert.ok((await budget()).held > 0, "the upstream is still read");
  go_on();
  const after = await nothing_held();
  assert.equal(after.spent - before, 10);
  const own = (await rows()).filter((row) => row.request_id === begun.headers.get("x-request-id"));
  assert.deepEqual(
    own.map((row) => [row.outcome, row.disconnect_policy, row.usage_source]),
    [["client_gone", "drain", "reported"]],
  );
});

test("a run holds its worst case, its calls draw on it, and the rest comes back", async () => {
  play_with = (one) => answer(one, "ok", { input: 5, output: 5 });
  const ask = (method: string, path: string, value?: object) =>
    edge.ask<GatewayRun>(method, `/gateway/v1/runs${path}`, {
      token: keys.user_token,
      body: value,
    });
  const before = await budget();
  const run = (await ask("POST", "", { tokens: 400 })).value;
  assert.equal((await budget()).held - before.held, 400);
  const first = await call({}, { "holdpoint-run": run.id });
  assert.equal(first.status, 200);
  await first.text();
  const second = await call({ max_tokens: 5_000 }, { "holdpoint-run": run.id });
  assert.deepEqual(
    [second.status, ((await second.json()) as Body<unknown>).error.code],
    [402, "RUN_BUDGET_EXCEEDED"],
  );
  const now = (await ask("GET", `/${run.id}`)).value;
  assert.deepEqual([now.state, now.spent_tokens, now.left_tokens], ["open", 10, 390]);
  const closed = (await ask("DELETE", `/${run.id}`)).value;
  assert.deepEqual(
    [closed.state, closed.spent_tokens, closed.returned_tokens],
    ["closed", 10, 390],
  );
  const late = await call({}, { "holdpoint-run": run.id });
  assert.deepEqual(
    [late.status, ((await late.json()) as Body<unknown>).error.code],
    [409, "RUN_NOT_OPEN"],
  );
  const end = await budget();
  assert.deepEqual([end.held, end.spent - before.spent], [before.held, 10]);
});

test("chaos: two thirds of the clients leave; the others finish, each call is charged once and exactly", async () => {
  play_with = async (one) => {
    await sleep(Math.random() * 40);
    one.head();
    for (let n = 0; n < 8; n++) {
      one.send(chunk(`word${n} `));
      await sleep(Math.random() * 15);
    }
    one.send(finish + usage(9, 8));
    one.end(done);
  };
  const count = 90;
  const known = new Set((await rows()).map((row) => row.request_id));
  const calls = upstream.calls.length;
  const { spent } = await budget();
  await put("each", { scope: "user:dev", unit: "requests", period: "total", limit: 10 * count });
  const client = (n: number) =>
    new Promise<{ leaves: boolean; id: string | string[] | undefined; text: string }>((ended) => {
      const { port } = new URL(edge.url);
      const request = http.request({
        port,
        host: "127.0.0.1",
        path: "/v1/chat/completions",
        method: "POST",
        agent: false,
        headers: { authorization: `Bearer ${keys.user_token}`, "content-type": "application/json" },
      });
      const leaves = n % 3 !== 0;
      const before_first = n % 2 === 0;
      const leave = () =>
        n % 4 < 2
          ? request.socket?.resetAndDestroy()
          : request.socket?.end(() => request.destroy());
      let text = "";
      let id: string | string[] | undefined;
      const end = () => ended({ leaves, id, text });
      request.on("response", (response) => {
        id = response.headers["x-request-id"];
        response.on("data", (part) => {
          text += part;
          if (leaves && !before_first) leave();
        });
        for (const event of ["end", "error", "close"]) response.on(event, end);
      });
      for (const event of ["error", "close"]) request.on(event, end);
      request.end(JSON.stringify(question({ stream: true })));
      if (leaves && before_first) setTimeout(leave, Math.random() * 30);
    });
  const clients = await Promise.all(Array.from({ length: count }, (_, n) => client(n)));
  const stayed = clients.filter((one) => !one.leaves);
  assert.equal(stayed.length, count / 3);
  for (const { text } of stayed) assert.ok(text.endsWith(done), text.slice(-80));

  // Who left before the account said yes has no call upstream; every other call is read to its end, whoever left.
  const fresh = await eventually(
    async () => {
      const own = (await rows()).filter((row) => !known.has(row.request_id));
      const made = upstream.calls.length - calls;
      const tokens = await budget();
      const requests = await budget("each");
      const charged = [tokens.spent - spent, tokens.held, requests.spent, requests.held];
      const ok = own.length === made && `${charged}` === `${[17 * made, 0, made, 0]}`;
      return { ok, value: ok ? own : { made, rows: own.length, charged } };
    },
    { ms: 20_000 },
  );
  assert.ok(Array.isArray(fresh));
  assert.equal(new Set(fresh.map((row) => row.request_id)).size, fresh.length);
  // Those who left after their first bytes were admitted as well.
  assert.ok(fresh.length >= (2 * count) / 3 && fresh.length <= count);
  for (const row of fresh) {
    assert.match(row.outcome, /^(ok|client_gone)$/, JSON.stringify(row));
    assert.equal(row.disconnect_policy, row.outcome === "ok" ? null : "drain");
    assert.deepEqual([row.tokens, row.excess_tokens, row.usage_source], [17, 0, "reported"]);
  }
  for (const { id } of stayed)
    assert.equal(fresh.find((row) => row.request_id === id)?.outcome, "ok", `${id}`);
  await edge.ask("DELETE", "/gateway/v1/budgets/each", { token: keys.admin_token });
});

test("a panic leaves nobody hanging, and the next call works", async () => {
  play_with = async (one) => {
    one.head();
    one.send(chunk("a"));
    await one.closed;
  };
  const streaming = await Promise.all(Array.from({ length: 4 }, () => call({ stream: true })));
  const within = (work: Promise<string>, ms: number) =>
    Promise.race([work, sleep(ms).then(() => "hanging")]);
  const ends = streaming.map((one) =>
    one.text().then(
      () => "ended",
      () => "cut",
    ),
  );
  const panicking = call({}, { "holdpoint-tag": "panic-now" }).then(
    () => "answered",
    () => "cut",
  );
  assert.notEqual(await within(panicking, 3_000), "hanging");
  for (const end of ends) assert.notEqual(await within(end, 3_000), "hanging");
  play_with = (one) => answer(one, "well again");
  const next = await eventually(
    async () => {
      const one = await call();
      return { ok: one.status === 200, value: await one.text() };
    },
    { ms: 5_000, every: 200 },
  );
  assert.match(next, /well again/);
  await nothing_held();
});

test("kill -9 in mid-stream and a restart: a full budget stays full, holds end, nothing is lost", async () => {
  play_with = (one) => play(one, ["how much one call holds"]);
  const measured = await call({ stream: true });
  await measured.text();
  const need = Number(measured.headers.get("holdpoint-hold-tokens"));
  assert.ok(need > 0);
  await nothing_held();
  await put("full", { scope: "user:dev", unit: "tokens", period: "total", limit: need });
  const refused = async () => {
    const one = await call({ stream: true });
    if (one.ok) return [one.status, "admitted"];
    return [one.status, ((await one.json()) as Body<unknown>).error.code];
  };
  play_with = async (one) => {
    one.head();
    one.send(chunk("a"));
    await one.closed;
  };
  const before = await rows();
  const begun = await call({ stream: true });
  assert.equal(begun.status, 200);
  await begun.body?.getReader().read();
  assert.deepEqual([(await budget("full")).spent, (await budget("full")).held], [0, need]);
  assert.deepEqual(await refused(), [429, "BUDGET_HELD"]);
  await edge.kill();
  await edge.start();
  const state = await budget("full");
  assert.ok(state.spent + state.held > 0, "the hold, or what it became, is still there");
  assert.ok(state.spent + state.held <= state.limit);
  // Whether the hold is over by now is for its relay's next life, or the time, to say; there is no room in any case.
  assert.match(`${(await refused())[1]}`, /^BUDGET_(HELD|EXHAUSTED)$/);
  await nothing_held();
  assert.deepEqual(await refused(), [402, "BUDGET_EXHAUSTED"]);
  const kept = new Map((await rows()).map((row) => [row.request_id, row]));
  for (const row of before)
    assert.deepEqual(kept.get(row.request_id), row, `${row.request_id} was acknowledged`);
  const row = kept.get(begun.headers.get("x-request-id") ?? "");
  assert.ok(row);
  assert.equal(row.outcome, "expired");
  assert.ok(row.tokens > 0 && row.tokens <= row.held_tokens);
  assert.equal((await budget("full")).spent, row.tokens);
});
