// What builds leave in an S3-compatible store (app-builder.md §7 "Artifact store"). The store of this test keeps
// objects in memory and takes a request only with the signature that `aws4` computes for it.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import aws4 from "aws4";
import { fetched, type Maker, maker } from "./apps.ts";
import { type Edge, eventually, startEdge } from "./workerd.ts";

const REGION = "eu-central-3";
const BUCKET = "bundles";
const KEYS = { accessKeyId: "AKHOLDPOINT", secretAccessKey: "not/so+secret" };

interface Waiting {
  attempts: number;
  build_status: string;
}

const objects = new Map<string, Buffer>();
let server: Server;
let edge: Edge;
let ada: Maker;
/** What the store answers instead, where something is wrong with it. */
let fault: number | undefined;

/** Whether the address carries the signature of these keys. */
function isSigned({ method, url = "", headers }: IncomingMessage): boolean {
  const address = new URL(url, `http://${headers.host}`);
  const said = address.searchParams.get("X-Amz-Signature");
  address.searchParams.delete("X-Amz-Signature");
  const options = {
    method,
    host: headers.host,
    path: address.pathname + address.search,
    service: "s3",
    region: REGION,
    signQuery: true,
  };
  const wanted = new URL(String(aws4.sign(options, KEYS).path), `http://${headers.host}`);
  return said !== null && wanted.searchParams.get("X-Amz-Signature") === said;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const [, bucket, ...key] = decodeURIComponent(
    new URL(request.url ?? "", "http://store").pathname,
  ).split("/");
  const end = (status: number, body: string | Buffer = "") =>
    response.writeHead(status, { "content-type": "application/xml" }).end(body);
  const name = key.join("/");
  if (fault) end(fault);
  else if (!isSigned(request)) end(403, "<Error><Code>SignatureDoesNotMatch</Code></Error>");
  else if (bucket !== BUCKET) end(404, "<Error><Code>NoSuchBucket</Code></Error>");
  else if (request.method === "PUT") {
    objects.set(name, Buffer.concat(pieces));
    end(200);
  } else if (request.method === "DELETE") end(objects.delete(name) ? 204 : 404);
  else {
    const found = objects.get(name);
    if (found) end(200, found);
    else end(404, "<Error><Code>NoSuchKey</Code></Error>");
  }
}

const store = (more: Record<string, string> = {}) => ({
  APPS_BUNDLE_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  APPS_BUNDLE_BUCKET: BUCKET,
  APPS_BUNDLE_REGION: REGION,
  APPS_BUNDLE_ACCESS_KEY: KEYS.accessKeyId,
  APPS_BUNDLE_SECRET_KEY: KEYS.secretAccessKey,
  ...more,
});

before(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  edge = await startEdge({ runner: true, variables: store() });
  ada = await maker(edge, "ada");
});
after(async () => {
  await edge?.stop();
  server.close();
});

test("what a build leaves lies in the store, and is shown and published from there", async () => {
  const app = await ada.make("Kept elsewhere");
  const draft = app.current_draft_revision_id;
  const build = await ada.built(app.id, draft);
  assert.equal(build.build_status, "succeeded", build.log_tail);
  const at = `apps/${app.tenant_id}/${app.id}/revisions/${draft}/dist/`;
  const assets = build.dist_manifest?.assets.map(({ path }) => at + path) ?? [];
  assert.ok(assets.length > 1 && assets.every((name) => objects.has(name)));

  const token = `/${app.id}/builder/revisions/${draft}/preview-token`;
  const { preview_url } = await ada.good("POST", token);
  const shown = await fetched(preview_url);
  assert.equal(shown.status, 200);
  const published = await ada.good("POST", `/${app.id}/publish`, {});
  const script = assets.find((name) => name.endsWith(".js")) ?? "";
  const live = await fetched(published.published_url + script.slice(at.length));
  assert.equal(live.body, objects.get(script)?.toString());

  fault = 503;
  const away = await fetched(preview_url);
  fault = undefined;
  assert.equal(away.status, 503);
  assert.match(away.body, /STORAGE_UNAVAILABLE/);
  // A file that was built and is gone is no file that never was.
  objects.delete(`${at}index.html`);
  assert.match((await fetched(preview_url)).body, /STORAGE_UNAVAILABLE/);
  assert.equal((await fetched(`${preview_url}none.js`)).status, 404);

  const left = () => [...objects.keys()].filter((name) => name.includes(app.id));
  assert.ok(left().length > 1);
  await ada.good("DELETE", `/${app.id}`);
  await eventually(() => ({ ok: left().length === 0, value: left() }), { ms: 40_000 });
});

test("a build does not succeed where the store cannot be used", { timeout: 300_000 }, async () => {
  const before = objects.size;
  const faults: Record<string, string>[] = [
    { APPS_BUNDLE_SECRET_KEY: "another" },
    { APPS_BUNDLE_BUCKET: "nobodys" },
    { APPS_BUNDLE_REGION: "" },
  ];
  await edge.stop();
  for (const more of faults) {
    edge = await startEdge({ runner: true, variables: store(more) });
    const bob = await maker(edge, "bob");
    const app = await bob.make("Not kept");
    const path = `/${app.id}/builder/revisions/${app.current_draft_revision_id}/build`;
    // A fault of the store is none of the project: the build waits for its next attempt.
    const waits = async () => {
      const { attempts, build_status: status } = await bob.good<Waiting>("GET", path);
      assert.notEqual(status, "succeeded");
      return { ok: attempts > 0 && status === "queued" };
    };
    await eventually(waits, { ms: 60_000 });
    assert.equal(objects.size, before);
    await edge.stop();
  }
});
