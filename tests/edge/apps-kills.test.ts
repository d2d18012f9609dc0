// Processes that are killed at random between a save and its publish: nothing is lost, nothing stays for ever, no older
// publish wins, what is live is complete, and nothing is left in the store (app-builder.md §4, §5, §7, §8).
//
// `HOLDPOINT_KILLS` says how many rounds there are, `HOLDPOINT_SEED` which; a failure names its round and seed.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type App, type BuildState, fetched, type Maker, maker, type Version } from "./apps.ts";
import { ahead } from "./faults.ts";
import { sleep } from "./upstream.ts";
import { type Edge, eventually, startEdge } from "./workerd.ts";

const ROUNDS = Number(process.env.HOLDPOINT_KILLS ?? 4);
const SEED = Number(process.env.HOLDPOINT_SEED ?? 20);
/** A kill comes within this; a round that nobody kills takes about as long. */
const WITHIN_MS = 4_000;
/** The clock goes on so far with each life of the edge, so that the leases of the one before are over. */
const LIFE_MS = 61_000;
const MINUTE_MS = 60_000;

let edge: Edge;
let ada: Maker;
let present = () => {};
/** How far the clock of the edge is ahead. */
let later = 0;

before(async () => {
  edge = await startEdge({ runner: true });
  ada = await maker(edge, "ada");
});
after(async () => {
  present();
  await edge?.stop();
});

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const page = (title: string) =>
  `export function App() {\n  return <h1>${title}</h1>;\n}\n\nexport default App;\n`;

/** Starts the edge on what is stored, at a later time. */
async function restart(ms: number): Promise<void> {
  later += ms;
  present();
  present = later > 0 ? ahead(later) : () => {};
  await edge.start();
}

/** One request under a key of its own: answered, or cut off by a kill. */
function once<T>(path: string, body: unknown, key: string) {
  return ada.ask<T>("POST", path, body, { "idempotency-key": key });
}

const url = (app: App, revision: string) => `/${app.id}/builder/revisions/${revision}/build`;

/** What is live is complete: each file that was built, with the bytes of its manifest. */
async function complete(app: App, at: string): Promise<void> {
  const { current_published_revision_id: live, published_url } = await ada.show(app.id);
  if (!live) return;
  const address = published_url ?? "";
  const root = await fetched(address.replace(`${live}/`, ""));
  assert.deepEqual([root.status, root.headers.location], [302, address], `${at}: who is live`);
  const { dist_manifest: dist } = await ada.good<BuildState>("GET", url(app, live));
  const assets = dist?.assets ?? [];
  assert.ok(assets.length > 1, at);
  for (const { path, sha256 } of assets) {
    const answer = await fetched(address + path);
    assert.equal(answer.status, 200, `${at}: ${path} of ${live}`);
    const hash = createHash("sha256").update(answer.body).digest("hex");
    assert.equal(`sha256:${hash}`, sha256, `${at}: ${path}`);
  }
}

/** Looks at the address all the time, as visitors do; answers how to stop, and fails if something was half there. */
function visitors(app: App): () => Promise<void> {
  const address = app.published_url?.replace(`${app.current_published_revision_id}/`, "") ?? "";
  let going = true;
  const visit = async () => {
    const { headers } = await fetched(address);
    const to = String(headers.location);
    const document = await fetched(to);
    assert.equal(document.status, 200, document.body);
    const script = /src="\.?\/?(assets\/[^"]+\.js)"/.exec(document.body)?.[1];
    assert.equal((await fetched(to + script)).status, 200, `${script} at ${to}`);
  };
  const visits = (async () => {
    while (going) {
      // While the edge is down nobody is there, and an answer that was cut off may never end.
      const met = visit().catch((error) => {
        if (error instanceof assert.AssertionError) throw error;
      });
      await Promise.race([met, sleep(5_000)]);
      await sleep(50);
    }
  })();
  return () => {
    going = false;
    return visits;
  };
}

/** The end of a build; one that nobody could build is built again. */
async function succeeded(app: App, revision: string, at: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const build = await ada.built(app.id, revision);
    if (build.build_status === "succeeded") return;
    assert.match(String(build.build_error_code), /^BUILD_RUNNER_(LOST|UNAVAILABLE)$/, at);
    await ada.good("POST", `${url(app, revision)}/retry`);
  }
  throw new Error(`${at}: ${revision} is not built`);
}

const revisions = async (app: App) =>
  (await ada.good<{ items: Version[] }>("GET", `/${app.id}/builder/revisions?limit=100`)).items;

interface Publication {
  publish_seq: number;
  revision_id: string;
  done: boolean;
}

/** The road of a round, until its end or until it is cut off. */
async function road(app: App, before: Version, title: string, key: string): Promise<void> {
  const operations = [{ op: "upsert_file", path: "src/App.tsx", content: page(title) }];
  const body = { base_revision_id: before.id, operations };
  const saved = await once<Version>(`/${app.id}/builder/revisions`, body, `save ${key}`);
  assert.equal(saved.status, 200, saved.raw);
  await succeeded(app, saved.value.id, key);
  // Of two at once the one with the higher number is to stand.
  const publishes = [before.id, saved.value.id].map((revision_id, at) =>
    once<App>(`/${app.id}/publish`, { revision_id }, `publish ${at} ${key}`),
  );
  for (const { status, raw } of await Promise.all(publishes)) assert.equal(status, 200, raw);
}

test("a kill at any time loses nothing and leaves nothing", {
  timeout: (ROUNDS + 1) * 240_000,
}, async () => {
  const random = numbers(SEED);
  const app = await ada.make("Killed", { settings: { save_gate: "check" } });
  await succeeded(app, app.current_draft_revision_id, "first");
  const live = await ada.good<App>("POST", `/${app.id}/publish`, {});
  for (let round = 0; round < ROUNDS; round += 1) {
    const [draft] = await revisions(app);
    const title = `round ${round}`;
    const wait = Math.floor(random() * WITHIN_MS);
    const victim = random() < 0.6 ? "edge" : "runner";
    const at = `${title} of seed ${SEED}: ${victim} killed after ${wait} ms`;
    const leave = visitors(live);
    const walked = road(app, draft, title, at).catch((error) => {
      if (error instanceof assert.AssertionError) throw error;
    });
    await sleep(wait);
    if (victim === "edge") {
      await edge.kill();
      // The first time the alarm alone, at its own time, finds what was left.
      await restart(round === 0 ? 0 : LIFE_MS);
    } else {
      await edge.runner?.kill();
      await edge.runner?.start();
    }
    await walked;
    if (later > 0) await ada.good("PATCH", `/${app.id}`, { name: title });

    // What was answered is there, what was not is done once when it is sent again.
    await road(app, draft, title, at);
    const all = await revisions(app);
    assert.equal(all.length, round + 2, at);
    const [newest] = all;
    const shown = `/${app.id}/builder/revisions/${newest.id}?include=files`;
    const { files } = await ada.good<Version>("GET", shown);
    assert.equal(files?.["src/App.tsx"], page(title), at);
    for (const { id } of all) {
      const { build_status: status } = await ada.built(app.id, id);
      assert.ok(["succeeded", "failed"].includes(status), at);
    }
    const done = async () => {
      const path = `/${app.id}/publish/history`;
      const { items } = await ada.good<{ items: Publication[] }>("GET", path);
      return { ok: items.every((item) => item.done), value: items };
    };
    const [last] = await eventually(done, { ms: 30_000, every: 100 });
    const now = await ada.show(app.id);
    assert.equal(now.current_published_revision_id, last.revision_id, at);
    await complete(app, at);
    await leave();
  }

  // Also what a kill left in the store goes: first it is found, then its time is over.
  await ada.good("PATCH", `/${app.id}`, { name: "Over" });
  await sleep(1_000);
  await edge.kill();
  await restart(10 * MINUTE_MS);
  await complete(app, "at the end");
  await ada.good("POST", `/${app.id}/unpublish`);
  await ada.good("DELETE", `/${app.id}`);
  const folder = join(edge.dir, "artifacts/apps", app.tenant_id, app.id);
  const left = () => {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const value = entries.filter((entry) => entry.isFile()).map((file) => file.name);
    return { ok: value.length === 0, value };
  };
  await eventually(left, { ms: 60_000, every: 250 });
});
