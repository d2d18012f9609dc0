// The `Slug` object on workerd, asked as other objects ask it: by calls, through a Worker that is bound to its class.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freePort } from "../ports.ts";
import { configuration, eventually } from "./workerd.ts";

const HOUR_MS = 3_600_000;
/** Passes each request on as a call, and the answer back. */
const ASKER = `export default {
  async fetch(request, env) {
    const { slug, command } = await request.json();
    return new Response(await env.SLUG.getByName(slug).ask(JSON.stringify(command)));
  },
};`;

const dir = mkdtempSync(join(tmpdir(), "holdpoint-slug-"));
let url = "";
let running: ReturnType<typeof spawn>;
let ended: Promise<unknown>;
let log = "";

/** Starts workerd with the edge and the asker, on the same state each time. */
async function start(): Promise<void> {
  const [port, previewPort, askerPort] = [await freePort(), await freePort(), await freePort()];
  const folders = Object.fromEntries(
    ["state", "artifacts", "page"].map((name) => [`${name}Dir`, join(dir, name)]),
  ) as { stateDir: string; artifactsDir: string; pageDir: string };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  const edge = configuration({
    address: `127.0.0.1:${port}`,
    previewAddress: `127.0.0.1:${previewPort}`,
    ...folders,
    variables: {},
  });
  writeFileSync(join(dir, "asker.mjs"), ASKER);
  const asker = `const asker :Workerd.Worker = (
  modules = [ ( name = "asker.mjs", esModule = embed ${JSON.stringify(join(dir, "asker.mjs"))} ) ],
  compatibilityDate = "2026-11-01",
  bindings = [
    ( name = "SLUG", durableObjectNamespace = ( className = "Slug", serviceName = "edge" ) )
  ]
);
`;
  const service = '( name = "asker", worker = .asker ),';
  const socket = `( name = "asker", address = "127.0.0.1:${askerPort}", http = (), service = "asker" ),`;
  const config = join(dir, "workerd.capnp");
  writeFileSync(
    config,
    edge
      .replace("services = [", `services = [\n    ${service}`)
      .replace("sockets = [", `sockets = [\n    ${socket}`) + asker,
  );
  url = `http://127.0.0.1:${askerPort}`;
  const workerd = createRequire(import.meta.url)("workerd").default;
  const child = spawn(workerd, ["serve", "--import-path=/", config], { stdio: "pipe" });
  running = child;
  ended = new Promise((done) => child.once("exit", done));
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => {
      log += data;
    });
  await eventually(async () => {
    const answers = await fetch(url, { method: "POST", body: "{}" }).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    );
    return { ok: answers !== undefined, value: log };
  });
}

before(start);

after(async () => {
  running?.kill("SIGKILL");
  await ended;
  rmSync(dir, { recursive: true, force: true });
});

interface Row {
  slug: string;
  app_id: string;
  revision_id: string | null;
  publish_seq: number;
  connect_origins: string[];
  confirmed: boolean;
}

/** What the object of a name answers to a command. */
async function ask<T>(slug: string, command: unknown): Promise<T> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify({ slug, command }) });
  const raw = await answer.text();
  assert.equal(answer.status, 200, `${raw}\n${log}`);
  const told = JSON.parse(raw) as { Answer?: T };
  assert.ok("Answer" in told, raw);
  return told.Answer as T;
}

const owner = (app: string) => ({ tenant_id: "acc_1", app_id: app });
const flip = (app: string, revision_id: string | null, publish_seq: number) => ({
  Flip: { ...owner(app), revision_id, publish_seq, connect_origins: ["https://api.example.com"] },
});
const mine = async (slug: string, app: string, now: number) =>
  (await ask<{ mine: boolean }>(slug, { Claim: { ...owner(app), now } })).mine;
const accepted = async (slug: string, command: unknown) =>
  (await ask<{ accepted: boolean }>(slug, command)).accepted;

test("one of many claims at once has the name", async () => {
  const now = Date.now();
  const apps = Array.from({ length: 20 }, (_, index) => `app_${index}`);
  const claims = await Promise.all(apps.map((app) => mine("raced", app, now)));
  assert.equal(claims.filter(Boolean).length, 1);
  const row = await ask<Row>("raced", "Look");
  assert.equal(row.app_id, apps[claims.indexOf(true)]);
  assert.equal(row.slug, "raced");
  assert.equal(await ask<Row | null>("other", "Look"), null, "each name is an object of its own");
});

test("the highest publish stands, whichever ends last, also after a crash", async () => {
  assert.equal(await mine("shop", "app_shop", Date.now()), true);
  const seqs = [3, 1, 5, 2, 4];
  await Promise.all(seqs.map((seq) => accepted("shop", flip("app_shop", `rev_${seq}`, seq))));
  assert.equal(await accepted("shop", flip("app_shop", "rev_5", 5)), true);
  assert.equal(await accepted("shop", flip("app_shop", "rev_4", 4)), false);
  assert.equal(await accepted("shop", flip("app_else", "rev_9", 9)), false);
  running.kill("SIGKILL");
  await ended;
  await start();
  const row = await ask<Row>("shop", "Look");
  assert.deepEqual([row.revision_id, row.publish_seq, row.confirmed], ["rev_5", 5, true]);
  assert.deepEqual(row.connect_origins, ["https://api.example.com"]);
  assert.equal((await ask<Row>("shop", { Served: { revision_id: "rev_5" } })).app_id, "app_shop");
  assert.equal(await ask("shop", { Served: { revision_id: "rev_9" } }), null);

  assert.equal(await accepted("shop", flip("app_shop", null, 6)), true);
  assert.equal((await ask<Row>("shop", "Look")).revision_id, null);
  assert.equal(await ask("shop", { Served: { revision_id: "rev_5" } }), null);
  assert.equal(await mine("shop", "app_else", Date.now() + HOUR_MS), false);
  assert.equal(await ask("shop", { Release: { app_id: "app_shop" } }), true);
  assert.equal(await ask("shop", { Release: { app_id: "app_shop" } }), true);
  assert.equal(await mine("shop", "app_else", Date.now()), true);
});

test("a claim that nobody confirmed is dropped by the alarm", async () => {
  const longAgo = Date.now() - HOUR_MS;
  assert.equal(await mine("left", "app_left", longAgo), true);
  await eventually(async () => {
    const row = await ask<Row | null>("left", "Look");
    return { ok: row === null, value: row };
  });
  assert.equal(await mine("kept", "app_kept", Date.now()), true);
  const confirmed = await ask<{ mine: boolean }>("kept", { Confirm: owner("app_kept") });
  assert.equal(confirmed.mine, true);
  assert.equal(await mine("kept", "app_else", Date.now() + HOUR_MS), false);
});

test("a command that is none is refused, and the object goes on", async () => {
  const answer = await fetch(url, {
    method: "POST",
    body: JSON.stringify({ slug: "kept", command: { Steal: {} } }),
  });
  const told = (await answer.json()) as { Fault: [number, { code: string }] };
  assert.deepEqual([told.Fault[0], told.Fault[1].code], [500, "INTERNAL"]);
  assert.equal((await ask<Row>("kept", "Look")).app_id, "app_kept");
});
