// Starts the built Worker on a real workerd, from the same configuration template as `xtask serve`.
//
// Owns the process, its port, its state folder and its keys. Nothing is mocked: objects keep their SQLite on disk.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const workerDir = join(root, "worker");
const START_MS = 20_000;

/** A port that nobody uses now. */
export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

const text = (value) => JSON.stringify(String(value));

/** Fills the template in. `build` (or the variable `HOLDPOINT_EDGE_BUILD`) holds `worker.js`, `worker_bg.wasm` and `snippets/`. */
export function configuration({
  address,
  stateDir,
  pageDir,
  variables,
  build = process.env.HOLDPOINT_EDGE_BUILD ?? join(workerDir, "build"),
}) {
  const modules = [
    `    ( name = "worker.js", esModule = embed ${text(join(build, "worker.js"))} ),`,
    `    ( name = "worker_bg.wasm", wasm = embed ${text(join(build, "worker_bg.wasm"))} ),`,
  ];
  const snippets = join(build, "snippets");
  if (existsSync(snippets)) {
    for (const file of readdirSync(snippets, { recursive: true })) {
      if (!file.endsWith(".js")) continue;
      modules.push(
        `    ( name = ${text(`snippets/${file}`)}, esModule = embed ${text(join(snippets, file))} ),`,
      );
    }
  }
  const bindings = Object.entries(variables).map(
    ([name, value]) => `    ( name = ${text(name)}, text = ${text(value)} ),`,
  );
  const fill = {
    ADDRESS: text(address),
    STATE_DIR: text(stateDir),
    PAGE_DIR: text(pageDir),
    ENTRY: text(join(workerDir, "entry.mjs")),
    MODULES: modules.join("\n"),
    BINDINGS: bindings.join("\n"),
  };
  const template = readFileSync(join(workerDir, "workerd.capnp.in"), "utf8").replace(
    /^#.*\n/gm,
    "",
  );
  return template.replace(/@([A-Z_]+)@/g, (_, name) => fill[name]);
}

/**
 * A running edge. Options: `variables` (as the deployment would set them), `stateDir` (kept when given), `pageDir`.
 * @returns {Promise<Edge>}
 */
export async function startEdge(options = {}) {
  const edge = new Edge(options);
  await edge.start();
  return edge;
}

export class Edge {
  constructor({ variables = {}, stateDir, pageDir, quiet = true } = {}) {
    this.secret = randomBytes(16).toString("hex");
    this.variables = { BOOTSTRAP_SECRET: this.secret, ...variables };
    this.ownState = stateDir === undefined;
    this.dir = stateDir ?? mkdtempSync(join(tmpdir(), "holdpoint-edge-"));
    this.pageDir = pageDir;
    this.quiet = quiet;
    this.log = "";
  }

  async start() {
    this.port ??= await freePort();
    this.url = `http://127.0.0.1:${this.port}`;
    const stateDir = join(this.dir, "objects");
    const pageDir = this.pageDir ?? join(this.dir, "page");
    mkdirSync(stateDir, { recursive: true });
    mkdirSync(pageDir, { recursive: true });
    const config = join(this.dir, "workerd.capnp");
    const address = `127.0.0.1:${this.port}`;
    writeFileSync(config, configuration({ address, stateDir, pageDir, variables: this.variables }));
    const workerd = createRequire(import.meta.url)("workerd").default;
    this.process = spawn(workerd, ["serve", "--import-path=/", config], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.ended = new Promise((done) => this.process.once("exit", done));
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream.on("data", (data) => {
        this.log += data;
        if (!this.quiet) process.stderr.write(data);
      });
    }
    await this.#ready();
  }

  async #ready() {
    const until = Date.now() + START_MS;
    let over = false;
    this.ended.then(() => (over = true));
    while (Date.now() < until && !over) {
      try {
        const answer = await fetch(`${this.url}/v1/models`);
        await answer.arrayBuffer();
        return;
      } catch {
        await new Promise((done) => setTimeout(done, 30));
      }
    }
    throw new Error(`workerd did not answer:\n${this.log}`);
  }

  /** The two keys of account `dev`, made once a state. */
  async keys() {
    if (this.tokens) return this.tokens;
    const headers = { authorization: `Bearer ${this.secret}` };
    const answer = await fetch(`${this.url}/gateway/v1/bootstrap`, { method: "POST", headers });
    if (answer.status !== 201)
      throw new Error(`bootstrap: ${answer.status} ${await answer.text()}`);
    this.tokens = await answer.json();
    return this.tokens;
  }

  /** A request with a key; `body` is sent as JSON. */
  async ask(method, path, { token, body, headers = {}, ...rest } = {}) {
    const sent = { ...headers };
    if (token) sent.authorization = `Bearer ${token}`;
    if (body !== undefined) sent["content-type"] ??= "application/json";
    const answer = await fetch(this.url + path, {
      method,
      headers: sent,
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
      ...rest,
    });
    const raw = await answer.text();
    let value = null;
    try {
      value = raw === "" ? null : JSON.parse(raw);
    } catch {
      value = raw;
    }
    return { status: answer.status, headers: answer.headers, value, raw };
  }

  /** Ends the process at once, as a crash would. */
  async kill() {
    this.process.kill("SIGKILL");
    await this.ended;
  }

  async stop() {
    if (this.process.exitCode === null && this.process.signalCode === null)
      this.process.kill("SIGTERM");
    const forced = setTimeout(() => this.process.kill("SIGKILL"), 3_000);
    await this.ended;
    clearTimeout(forced);
    if (this.ownState) rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Waits until a condition holds; fails with what it last saw. */
export async function eventually(look, { ms = 10_000, every = 40 } = {}) {
  const until = Date.now() + ms;
  let seen;
  while (Date.now() < until) {
    seen = await look();
    if (seen.ok) return seen.value;
    await new Promise((done) => setTimeout(done, every));
  }
  throw new Error(`not in ${ms} ms: ${JSON.stringify(seen?.value)}`);
}
