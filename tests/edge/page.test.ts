// The page's own files: compressed ahead of time, sent as they lie there to whoever takes them, of the right type.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http, { type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { type Edge, startEdge } from "./workerd.ts";

const DOCUMENT = "<!doctype html><title>x</title>";
const SCRIPT = "export const all = 1;\n".repeat(500);
/** A module with one function. */
const MODULE = Buffer.from("AGFzbQEAAAABBAFgAAADAgEABwUBAXQAAAoFAQMAAAs=", "base64");

let edge: Edge;
let dir: string;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), "holdpoint-page-"));
  mkdirSync(join(dir, "assets"));
  const both = (name: string, bytes: string | Buffer) => {
    writeFileSync(join(dir, name), bytes);
    writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes));
  };
  both("index.html", DOCUMENT);
  both("assets/a-1.js", SCRIPT);
  both("assets/m-1.wasm", MODULE);
  both("assets/network-worker-1.js", SCRIPT);
  writeFileSync(join(dir, "assets/p-1.png"), "png");
  edge = await startEdge({ pageDir: dir });
});
after(async () => {
  await edge?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** An answer as it came: nothing is decoded. */
const get = (path: string, accepted?: string, method = "GET") =>
  new Promise<{ status?: number; headers: IncomingHttpHeaders; bytes: Buffer }>((told, failed) => {
    const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
    const options = { agent: false, method, headers };
    const request = http.request(edge.url + path, options, async (response) => {
      const { statusCode: status, headers } = response;
      told({ status, headers, bytes: await buffer(response) });
    });
    request.on("error", failed).end();
  });

const decoded = (coding: string | undefined, bytes: Buffer): Buffer => {
  if (coding === "br") return brotliDecompressSync(bytes);
  return coding === "gzip" ? gunzipSync(bytes) : bytes;
};

test("a file comes in the smallest form that its reader takes, with the same bytes in it", async () => {
  const asked: [string | undefined, string | undefined][] = [
    ["gzip, deflate, br, zstd", "br"],
    ["br", "br"],
    ["gzip", "gzip"],
    ["GZIP;q=0.5, br;q=0", "gzip"],
    ["br;q=0.0, gzip;q=0", undefined],
    ["identity", undefined],
    ["", undefined],
    [undefined, undefined],
  ];
  const files: [string, string, string | Buffer][] = [
    ["/", "text/html; charset=utf-8", DOCUMENT],
    ["/scripts/one", "text/html; charset=utf-8", DOCUMENT],
    ["/assets/a-1.js", "text/javascript; charset=utf-8", SCRIPT],
    ["/assets/m-1.wasm", "application/wasm", MODULE],
  ];
  for (const [path, type, content] of files) {
    for (const [accepted, coding] of asked) {
      const { status, headers, bytes } = await get(path, accepted);
      const said = `${path} for ${accepted}`;
      assert.deepEqual([status, headers["content-encoding"]], [200, coding], said);
      assert.deepEqual([headers["content-type"], headers.vary], [type, "Accept-Encoding"], said);
      assert.ok(decoded(coding, bytes).equals(Buffer.from(content)), said);
    }
  }
  const { headers } = await get("/assets/a-1.js", "br", "HEAD");
  assert.equal(headers["content-encoding"], "br");
});

test("a file without a compressed form is sent as it is, and one that is not there is not there", async () => {
  const { headers, bytes } = await get("/assets/p-1.png", "br, gzip");
  assert.deepEqual(
    [headers["content-encoding"], headers["content-type"]],
    [undefined, "image/png"],
  );
  assert.equal(bytes.toString(), "png");
  assert.equal((await get("/assets/none.js", "br")).status, 404);
});

test("a compressed module is compiled while it comes", async () => {
  const response = await fetch(`${edge.url}/assets/m-1.wasm`);
  assert.equal(response.headers.get("content-encoding"), "gzip", "what Node takes");
  const module = await WebAssembly.compileStreaming(response);
  assert.deepEqual(WebAssembly.Module.exports(module), [{ name: "t", kind: "function" }]);
});

test("every answer says what a browser may do with it", async () => {
  for (const path of ["/", "/assets/a-1.js", "/assets/m-1.wasm"]) {
    const { headers } = await get(path);
    const policy = String(headers["content-security-policy"]);
    assert.match(
      policy,
      /^default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-[^']{44}'; style-src/,
      path,
    );
    assert.match(
      policy,
      /object-src 'none'; base-uri 'none'; frame-src http:\/\/\*\.localhost:\d+; frame-ancestors 'self'$/,
      path,
    );
    assert.deepEqual(
      [headers["x-content-type-options"], headers["referrer-policy"]],
      ["nosniff", "no-referrer"],
    );
  }
  const worker = await get("/assets/network-worker-1.js");
  assert.deepEqual(
    [worker.headers["content-security-policy"], worker.headers["x-content-type-options"]],
    [
      "default-src 'none'; script-src 'self'; connect-src https:; frame-ancestors 'none'",
      "nosniff",
    ],
    "only the worker that sends requests of extensions reaches other hosts",
  );
  const asked = ["/nosuchfile", "/v1/models", "/gateway/v1/keys", "/projects", "/v1/none"];
  for (const path of [...asked, "/api/v1/editor/tools", "/api/v1/extensions"]) {
    const { headers, status } = await get(path);
    assert.ok(status === 401 || status === 404, `${path} ${status}`);
    assert.equal(
      headers["content-security-policy"],
      "default-src 'none'; frame-ancestors 'none'",
      path,
    );
    assert.equal(headers["x-content-type-options"], "nosniff", path);
  }
});
