// The packed core on workerd, bundled as wrangler bundles it: what its README says, and that a trap costs one call.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build, type Plugin } from "esbuild";

import { freePort } from "../ports.ts";
import { answer, follow, stranger } from "./stranger.ts";

const START_MS = 20_000;
/** The worker of the README, and a door to a test that takes all memory before a good one. */
const ENTRY = `
import { createChecks, createSandboxClient } from "@holdpoint/core";
import { after } from "./bundle.js";
import readme from "./worker.js";

const greedy = {
  ...after,
  "src/counts.js": "export default function () { const all = []; for (;;) all.push('x'.repeat(1e6) + all.length); }",
};

export default {
  async fetch(request) {
    if (new URL(request.url).pathname === "/") return readme.fetch(request);
    const sandbox = createSandboxClient(createChecks("ifc-extension"));
    const found = [];
    for (const files of [greedy, after]) {
      const { tests } = await sandbox.test(files);
      found.push(tests.map(({ ok, diagnostics }) => [ok, diagnostics[0]?.code ?? null]));
    }
    return Response.json(found);
  },
};
`;
const folder = stranger("core");
const out = join(folder, "out");
let workerd: ChildProcess;
let url = "";
let log = "";

/** Modules stay files of their own beside the bundle, as wrangler's rules for `*.wasm` have it. */
const modules: Plugin = {
  name: "modules",
  setup({ onResolve }) {
    onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
      const name = path.split("/").at(-1) ?? "";
      copyFileSync(join(resolveDir, path), join(out, name));
      return { path: `./${name}`, external: true };
    });
  },
};

const text = (value: string): string => JSON.stringify(value);

before(
  async () => {
    follow(folder, "core");
    writeFileSync(join(folder, "entry.js"), ENTRY);
    mkdirSync(out);
    await build({
      entryPoints: { worker: join(folder, "entry.js") },
      outdir: out,
      bundle: true,
      format: "esm",
      target: "es2022",
      conditions: ["workerd", "worker", "browser"],
      loader: { ".txt": "text" },
      plugins: [modules],
      logLevel: "error",
    });
    const files = readdirSync(out).map((name) => {
      const kind = name.endsWith(".wasm") ? "wasm" : "esModule";
      return `( name = ${text(name)}, ${kind} = embed ${text(join(out, name))} )`;
    });
    files.sort((one) => (one.includes('"worker.js"') ? -1 : 1));
    const port = await freePort();
    const config = join(folder, "workerd.capnp");
    writeFileSync(
      config,
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [( name = "main", worker = .main )],
  sockets = [( name = "http", address = "127.0.0.1:${port}", http = (), service = "main" )]
);
const main :Workerd.Worker = (
  modules = [${files.join(", ")}],
  compatibilityDate = "2026-11-01"
);
`,
    );
    const program = createRequire(import.meta.url)("workerd").default as string;
    workerd = spawn(program, ["serve", "--import-path=/", config], { stdio: "pipe" });
    for (const stream of [workerd.stdout, workerd.stderr])
      stream?.on("data", (data: Buffer) => (log += data));
    url = `http://127.0.0.1:${port}`;
    await listening(port);
  },
  { timeout: 120_000 },
);

async function listening(port: number): Promise<void> {
  const { connect } = await import("node:net");
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    const open = await new Promise<boolean>((done) => {
      const socket = connect(port, "127.0.0.1", () => done(true)).on("error", () => done(false));
      socket.on("connect", () => socket.end());
    });
    if (open) return;
    await new Promise((done) => setTimeout(done, 30));
  }
  throw new Error(`workerd did not start:\n${log}`);
}

after(() => {
  workerd?.kill();
});

test("diff, preview, check and a declarative test on workerd, twice in one isolate", async () => {
  for (let time = 0; time < 2; time += 1) {
    const response = await fetch(url);
    const body = await response.text();
    assert.equal(response.status, 200, `${body}\n${log}`);
    assert.deepEqual(JSON.parse(body), answer(folder));
  }
});

test("code that takes all memory fails its test, and the next test runs in a fresh instance", async () => {
  const response = await fetch(`${url}/greedy`);
  assert.deepEqual(await response.json(), [[[false, "TEST_MEMORY"]], [[true, null]]]);
});
