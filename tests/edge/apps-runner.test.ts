// Build runners that fail the Worker: silent, cut off, lying, too busy. A save never fails by that and is never taken
// for built; what is no artifact is none; nothing stays running (app-builder.md §5, §6, §18).
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { type App, Maker, type Version } from "./apps.ts";
import { type Answer, type Edge, eventually, startEdge } from "./workerd.ts";

const INDEX = "<!doctype html><title>Built</title>";

const line = (frame: object): string => `${JSON.stringify({ ...frame })}\n`;
const asset = (path: string, text: string, more: object = {}) => ({
  path,
  size: text.length,
  sha256: `sha256:${createHash("sha256").update(text).digest("hex")}`,
  content_type: "text/html; charset=utf-8",
  ...more,
});
const result = (assets: object[], more: object = {}): string =>
  line({
    ...{ type: "result", status: "succeeded", code: null, diagnostics: [] },
    dist_manifest: { entry_html: "index.html", assets },
    ...more,
  });
const INSTALL = line({ type: "stage", stage: "install", at: "2026-03-02T09:14:05.120Z" });
const built = result([asset("index.html", INDEX)]);

/** What the runner does with a build, and what it then gives for each asset. */
interface Play {
  build(response: ServerResponse): void;
  asset?: (response: ServerResponse) => void;
}
const says = (text: string) => (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/x-ndjson" }).end(text);
};
const refuses = (status: number, headers: Record<string, string> = {}) => {
  const body = JSON.stringify({ error: { code: "INVALID_INPUT", message: "No." } });
  return (response: ServerResponse) => response.writeHead(status, headers).end(body);
};
const opens = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  response.write(INSTALL);
};

let play: Play;
let builds = 0;
/** Builds that the Worker left before they ended. */
let left = 0;
let server: Server;
let edge: Edge;
let ada: Maker;

before(async () => {
  server = createServer((request, response) => {
    const [, , kind, , of] = (request.url ?? "").split("/");
    request.resume();
    if (request.method === "DELETE") response.writeHead(202).end();
    else if (request.method === "POST" && kind === "builds") {
      builds += 1;
      response.on("close", () => {
        left += response.writableFinished ? 0 : 1;
      });
      play.build(response);
    } else if (of === "assets") (play.asset ?? says(INDEX))(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const variables = {
    RUNNER_URL: `http://127.0.0.1:${port}`,
    RUNNER_TOKEN: "t".repeat(32),
    RUNNER_SILENCE_SECONDS: "1",
  };
  edge = await startEdge({ variables });
  ada = new Maker(edge, (await edge.keys()).user_token);
});
after(async () => {
  await edge?.stop();
  server?.closeAllConnections();
  server?.close();
});

/** A save that is built before it counts, on a new app whose first build ended well. */
async function saved(name: string, doing: Play): Promise<[App, Answer<Version>]> {
  play = { build: says(built) };
  const app = await ada.make(name);
  await ada.built(app.id, app.current_draft_revision_id);
  play = doing;
  const answer = await ada.ask<Version>("POST", `/${app.id}/builder/revisions`, {
    base_revision_id: app.current_draft_revision_id,
    operations: [{ op: "upsert_file", path: "src/a.ts", content: "export {};\n" }],
  });
  return [app, answer];
}

/** Faults of the infrastructure, by what the runner does. */
const LOST: Record<string, Play> = {
  "says nothing after its first frame": { build: opens },
  "says nothing at all": { build: () => {} },
  "answers half a line": { build: says(`${INSTALL}{"type":"sta`) },
  "breaks off before its result": { build: says(INSTALL) },
  "is cut off": {
    build: (response) => {
      opens(response);
      response.socket?.destroy();
    },
  },
  "answers what is no frame": { build: says("Hello.\n") },
  "fails by itself": { build: refuses(500) },
  "does not know the Worker": { build: refuses(401) },
  "has no bytes of an asset": { build: says(built), asset: refuses(404) },
  "gives other bytes than it named": { build: says(built), asset: says("<p>Other</p>") },
  "stops in the middle of an asset": {
    build: says(built),
    asset: (response) => {
      response.writeHead(200, { "content-length": String(INDEX.length) });
      response.write(INDEX.slice(0, 9));
    },
  },
};

for (const [what, doing] of Object.entries(LOST))
  test(`a runner that ${what}: the save counts, and says that it was not built`, async () => {
    const [app, { status, value, raw }] = await saved(what, doing);
    assert.equal(status, 200, raw);
    assert.deepEqual([value.number, value.verified], [2, false]);
    // As soon as the runner works again the version is built.
    play = { build: says(built) };
    const path = `/${app.id}/builder/revisions/${value.id}/build`;
    const { build_status: now } = await ada.good("GET", path);
    if (now === "failed") await ada.good("POST", `${path}/retry`);
    assert.equal((await ada.built(app.id, value.id)).build_status, "succeeded");
  });

test("a runner that is silent is left, so that it ends what it does", async () => {
  const before = left;
  await saved("Left", { build: opens });
  await eventually(() => ({ ok: left > before, value: left }));
});

/** What is no artifact, by the code that the save is refused with. */
const REFUSED: Record<string, [string, string]> = {
  "no manifest": ["BUILD_EMPTY", result([], { dist_manifest: null })],
  "no document": ["BUILD_NO_ENTRY_HTML", result([asset("a.js", "1")])],
  "a path that leaves its folder": [
    "BUILD_OUTPUT_INVALID",
    result([asset("index.html", INDEX), asset("../../x.js", INDEX)]),
  ],
  "an asset of 50 MiB": [
    "BUILD_OUTPUT_TOO_LARGE",
    result([asset("index.html", INDEX), asset("a.js", "1", { size: 50 << 20 })]),
  ],
  "a failure": ["VITE_BUILD_FAILED", result([], { status: "failed", code: "VITE_BUILD_FAILED" })],
};

for (const [what, [code, text]] of Object.entries(REFUSED))
  test(`a runner that answers ${what}: nothing is saved`, async () => {
    const [app, { status, value }] = await saved(what, { build: says(text) });
    const { error } = value as unknown as { error: { code: string; details: object } };
    assert.deepEqual([status, error.code], [422, "BUILDER_COMPILE_FAILED"]);
    assert.equal((error.details as { build_error_code?: string }).build_error_code, code);
    const { current_draft_revision_id: draft } = await ada.show(app.id);
    assert.equal(draft, app.current_draft_revision_id);
  });

test("a runner that has no room is asked again when it says, and no attempt is counted", async () => {
  const from = builds;
  const busy = {
    build: (response: ServerResponse) => {
      play = { build: says(built) };
      refuses(429, { "retry-after": "1" })(response);
    },
  };
  const [, { status, value }] = await saved("Busy", busy);
  assert.deepEqual([status, value.verified], [200, true]);
  assert.ok(builds - from >= 3, "the first build, the refusal, and the build of the save");
});
