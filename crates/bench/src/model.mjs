// How long a model takes to open in Chromium: the viewer's own module beside npm `web-ifc`, in turn, on the same bytes.
//
// Usage: node model.mjs FOLDER_WITH_WEB_IFC FILE.ifc …. Prints a JSON array.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, extname, join, resolve } from "node:path";

const [npm, ...files] = process.argv.slice(2);
const WASM = resolve("www/core/wasm/model");
const RUNS = 7;
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

/** Everything that the page may ask for, by its address. */
const places = new Map([
  ["/model.js", join(WASM, "model.js")],
  ["/model_bg.wasm", join(WASM, "model_bg.wasm")],
  ["/web-ifc-api.js", join(npm, "node_modules/web-ifc/web-ifc-api.js")],
  ["/web-ifc.wasm", join(npm, "node_modules/web-ifc/web-ifc.wasm")],
  ...files.map((file, at) => [`/file-${at}`, file]),
]);

const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  if (path === "/") {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>models</title>");
    return;
  }
  const file = places.get(path);
  if (!file || !existsSync(file)) {
    response.writeHead(404);
    response.end();
    return;
  }
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(response);
});

/** In the page: both sides open the file in turn. */
async function measure({ url, runs, bytesOfMemory }) {
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const model = await import("/model.js");
  const wasm = await model.default({ module_or_path: "/model_bg.wasm" });
  const { IfcAPI, ...ids } = await import("/web-ifc-api.js");
  const api = new IfcAPI();
  await api.Init((name) => `/${name}`, true);
  const median = (times) => times.sort((one, other) => one - other)[Math.floor(times.length / 2)];
  const timed = (work) => {
    const started = performance.now();
    const answer = work();
    return [performance.now() - started, answer];
  };

  const lists = () => {
    const handle = new model.ModelHandle(bytes.slice(), "file.ifc");
    handle.overview();
    const shown = { tree: handle.tree(), rows: handle.rows() };
    return { handle, shown };
  };
  /** Tree and rows as `web-ifc` offers them: lines of relations, then names and GlobalIds of what they relate. */
  const theirLists = () => {
    const id = api.OpenModel(bytes);
    const list = (type, inherited = false) => {
      const vector = api.GetLineIDsWithType(id, type, inherited);
      return Array.from({ length: vector.size() }, (_, at) => vector.get(at));
    };
    const parts = list(ids.IFCRELAGGREGATES).map((line) => api.GetLine(id, line));
    const held = list(ids.IFCRELCONTAINEDINSPATIALSTRUCTURE).map((line) => api.GetLine(id, line));
    const rows = list(ids.IFCPRODUCT, true).map((line) => {
      const { expressID, type, GlobalId, Name } = api.GetLine(id, line);
      return { id: expressID, type: api.GetNameFromTypeCode(type), globalId: GlobalId?.value, name: Name?.value };
    });
    return { id, shown: { parts, held, rows } };
  };
  const theirSets = (id) => {
    const vector = api.GetLineIDsWithType(id, ids.IFCRELDEFINESBYPROPERTIES);
    const known = new Map();
    for (let at = 0; at < vector.size(); at += 1) {
      const { RelatingPropertyDefinition: definition } = api.GetLine(id, vector.get(at));
      if (!known.has(definition.value)) known.set(definition.value, api.GetLine(id, definition.value, true));
    }
    return known.size;
  };

  const ours = { open: [], sets: [] };
  const theirs = { open: [], sets: [] };
  let memory = 0;
  let rows = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const [open, { handle, shown }] = timed(lists);
    const [sets] = timed(() => handle.columns());
    memory = Math.max(memory, wasm.memory.buffer.byteLength);
    handle.free();
    ours.open.push(open);
    ours.sets.push(open + sets);
    const [theirOpen, their] = timed(theirLists);
    const [theirRest] = timed(() => theirSets(their.id));
    api.CloseModel(their.id);
    theirs.open.push(theirOpen);
    theirs.sets.push(theirOpen + theirRest);
    rows = [shown.rows.length, their.shown.rows.length];
  }
  return {
    bytes: bytes.length,
    rows,
    memory: memory / bytesOfMemory,
    ours: { open: median(ours.open), sets: median(ours.sets) },
    theirs: { open: median(theirs.open), sets: median(theirs.sets) },
  };
}

const { chromium } = createRequire(resolve("tests/browser/package.json"))("playwright-core");
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const browser = await chromium.launch({
  executablePath: process.env.HOLDPOINT_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
try {
  const rows = [];
  for (const [at, file] of files.entries()) {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const bytesOfMemory = statSync(file).size;
    const row = await page.evaluate(measure, { url: `/file-${at}`, runs: RUNS, bytesOfMemory });
    rows.push({ name: basename(file), ...row });
    await page.close();
  }
  console.log(JSON.stringify(rows));
} finally {
  await browser.close();
  server.close();
}
