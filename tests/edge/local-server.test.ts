// A model server on the machine of the operator, without a key: extensions, scripts, crew packages and apps ask it, and
// every page can say that it answers and that nobody pays money (gateway.md §4, `UPSTREAM_LOCAL`).
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Indicator } from "@holdpoint/core/types";
import { freePort } from "../ports.ts";
import { heard, Maker, whole } from "./apps.ts";
import { Desk } from "./desk.ts";
import type { LedgerRow, List } from "./gateway.ts";
import { Talk } from "./talk.ts";
import { type Edge, eventually, type Keys, startEdge } from "./workerd.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const holdpoint = process.env.HOLDPOINT ?? join(root, "target/debug/holdpoint");
const MODEL = "qwen3-coder";
const folder = mkdtempSync(join(tmpdir(), "holdpoint-local-"));
/** What nothing else stands for here: a chat about a crew package, and anything else. */
const transcript = {
  transcript: 1,
  name: "local",
  turns: [
    {
      when: { has_tool: "builder.context.get" },
      reply: { text: '{"responseType":"chat","assistantSummary":"Read."}', usage: "auto" },
    },
  ],
  otherwise: { reply: { text: "ok", usage: "auto" } },
};

let edge: Edge;
let keys: Keys;
let provider: ChildProcess;
let url = "";

before(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const own = join(folder, "local.json");
  writeFileSync(own, JSON.stringify(transcript));
  const kinds = ["05-script-editor.json", "apps"].map((name) =>
    join(root, "fixtures/transcripts", name),
  );
  const options = ["provider", "--transcripts", ...kinds, own, "--port", String(port)];
  provider = spawn(holdpoint, options, { stdio: "ignore" });
  const answers = () =>
    fetch(`${url}/__scripted/log`).then(
      (got) => got.ok,
      () => false,
    );
  await eventually(async () => ({ ok: await answers() }));
  edge = await startEdge({
    variables: { UPSTREAM_BASE_URL: `${url}/v1`, UPSTREAM_MODEL: MODEL, UPSTREAM_LOCAL: "1" },
  });
  keys = await edge.keys();
});
after(async () => {
  await edge?.stop();
  provider?.kill();
  rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  model: string;
  headers: string[];
}
const log = async () => {
  const { requests } = await (await fetch(`${url}/__scripted/log`)).json();
  return requests as Asked[];
};
const upstream = { calls: [], url: "", stop: async () => {} };

/** Each asks the server once or more, and says what came of it. */
const asks: [string, () => Promise<unknown>, unknown][] = [
  [
    "extensions",
    async () => {
      const messages = [{ role: "user", content: "Add a panel." }];
      const body = { model: "default", messages };
      return (await edge.ask("POST", "/v1/chat/completions", { token: keys.user_token, body }))
        .status;
    },
    200,
  ],
  [
    "scripts",
    async () => {
      const desk = new Desk(edge, upstream, keys, () => {});
      const { value } = await desk.edit(await desk.create(), "Put the narrowest door first.");
      return value.outcome;
    },
    "ok",
  ],
  [
    "crew packages",
    async () => {
      const talk = new Talk(edge, upstream, keys);
      return (await talk.said(await talk.session(), "Hello?")).assistantSummary;
    },
    "Read.",
  ],
  [
    "apps",
    async () => {
      const maker = new Maker(edge, keys.user_token);
      const app = await maker.make("Allotment");
      const told = await maker.ask("POST", `/${app.id}/builder/chat/stream`, {
        input: 'Make the heading say "Allotment club", and add a counter button.',
        base_revision_id: app.current_draft_revision_id,
      });
      return whole(heard(told.raw)).data.outcome;
    },
    "unverified",
  ],
];

test("a budget of money has room for what costs nothing", async () => {
  const body = { scope: "account:dev", unit: "cost", period: "day", limit: 1 };
  const put = await edge.ask("PUT", "/gateway/v1/budgets/money", { token: keys.admin_token, body });
  assert.equal(put.status, 200, put.raw);
});

for (const [kind, ask, want] of asks)
  test(`${kind} ask it without a key`, async () => {
    const before = (await log()).length;
    assert.equal(await ask(), want);
    const asked = (await log()).slice(before);
    assert.ok(asked.length > 0, "the server was asked");
    for (const { model, headers } of asked) {
      assert.equal(model, MODEL);
      assert.ok(!headers.includes("authorization"), headers.join());
    }
  });

test("who answers is told, and every call is metered in tokens and costs nothing", async () => {
  const path = "/gateway/v1/indicator";
  const { value } = await edge.ask<Indicator>("GET", path, { token: keys.user_token });
  assert.deepEqual(
    [value.payer, value.model, value.own_model, value.today.cost],
    ["platform", { name: MODEL, local: true }, undefined, 0],
  );
  const rows = await edge.ask<List<LedgerRow & { model: string; cost: number | null }>>(
    "GET",
    "/gateway/v1/ledger",
    { token: keys.admin_token },
  );
  assert.ok(rows.value.items.length >= asks.length, rows.raw);
  for (const { model, cost, tokens, outcome } of rows.value.items)
    assert.deepEqual([model, cost, tokens > 0, outcome], [MODEL, 0, true, "ok"]);
});
