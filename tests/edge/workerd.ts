// Starts the built Worker on a real workerd, from the same configuration template as `xtask serve`.
//
// Owns the process, its ports, its state folder and its keys. Nothing is mocked: objects keep their SQLite on disk, and
// the build runner, where a test asks for one, is the program that the product starts.
import { type ChildProcessByStdio, spawn } from "node:child_process";
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
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Preview } from "@holdpoint/core/editor";
import type { Diagnostic, ErrorShape, Review } from "@holdpoint/core/types";
import { freePort } from "../ports.ts";
import type { Budget, LedgerRow, List } from "./gateway.ts";
import { BuildRunner } from "./runner.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const workerDir = join(root, "worker");
const START_MS = 20_000;

const text = (value: unknown): string => JSON.stringify(String(value));

export interface Configuration {
  address: string;
  /** Of the socket of previews and published apps. */
  previewAddress: string;
  stateDir: string;
  artifactsDir: string;
  pageDir: string;
  variables: Record<string, string>;
  /** Holds `worker.js`, `worker_bg.wasm` and `snippets/`; else the variable `HOLDPOINT_EDGE_BUILD` says where. */
  build?: string;
}

/** Fills the template in. */
export function configuration({
  address,
  previewAddress,
  stateDir,
  artifactsDir,
  pageDir,
  variables,
  build = process.env.HOLDPOINT_EDGE_BUILD ?? join(workerDir, "build"),
}: Configuration): string {
  const modules = [
    `    ( name = "worker.js", esModule = embed ${text(join(build, "worker.js"))} ),`,
    `    ( name = "worker_bg.wasm", wasm = embed ${text(join(build, "worker_bg.wasm"))} ),`,
  ];
  const snippets = join(build, "snippets");
  if (existsSync(snippets)) {
    for (const file of readdirSync(snippets, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".js")) continue;
      modules.push(
        `    ( name = ${text(`snippets/${file}`)}, esModule = embed ${text(join(snippets, file))} ),`,
      );
    }
  }
  const bindings = Object.entries(variables).map(
    ([name, value]) => `    ( name = ${text(name)}, text = ${text(value)} ),`,
  );
  const fill: Record<string, string> = {
    ADDRESS: text(address),
    PREVIEW_ADDRESS: text(previewAddress),
    STATE_DIR: text(stateDir),
    ARTIFACTS_DIR: text(artifactsDir),
    PAGE_DIR: text(pageDir),
    ENTRY: text(join(workerDir, "entry.mjs")),
    MODULES: modules.join("\n"),
    BINDINGS: bindings.join("\n"),
  };
  const template = readFileSync(join(workerDir, "workerd.capnp.in"), "utf8").replace(
    /^#.*\n/gm,
    "",
  );
  return template.replace(/@([A-Z_]+)@/g, (_, name: string) => fill[name]);
}

export interface EdgeOptions {
  /** As the deployment would set them. */
  variables?: Record<string, string>;
  /** Kept when given. */
  stateDir?: string;
  pageDir?: string;
  quiet?: boolean;
  /** What names lead to, for this process alone: a mount of its own in the place of `/etc/hosts`. */
  hosts?: Record<string, string>;
  /** Starts a build runner beside it: with the packages that all tests share, or with this folder for its caches. */
  runner?: boolean | string;
}

/** The two keys of account `dev`. */
export interface Keys {
  admin_token: string;
  user_token: string;
}

/** Details of refusals; each stands where its code says. */
export interface Details {
  pointer: string;
  error_code: string;
  path: string;
  field: string;
  reason: string;
  limit: string | number;
  max: number;
  actual: number;
  what: string;
  size: number;
  outcome: string;
  cause: string;
  retry_after_ms: number;
  resets_at: string;
  budget: string;
  scope: string;
  unit: string;
  need: number;
  remaining: number;
  failing: string[];
  tool_id: string;
  revision_id: string;
  paths: string[];
  preview: Preview;
  review: Review;
  diagnostics: Diagnostic[];
  extension_url: string;
}

/** The body of an answer: what was asked for, or why not. The status says which. */
export type Body<T> = T & {
  error: Omit<ErrorShape, "details"> & { details: Details; param: string | null; type: string };
  correlation_id: string;
};

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  value: Body<T>;
  raw: string;
}

export interface Asking extends Omit<RequestInit, "body" | "headers" | "method"> {
  token?: string | undefined;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A body that asks a model for a word. */
export const question = (more: object = {}): object => ({
  ...{ model: "default", max_tokens: 40, messages: [{ role: "user", content: "x" }] },
  ...more,
});

/** A running edge. */
export async function startEdge(options: EdgeOptions = {}): Promise<Edge> {
  const edge = new Edge(options);
  await edge.start();
  return edge;
}

export class Edge {
  readonly secret = randomBytes(16).toString("hex");
  readonly variables: Record<string, string>;
  readonly dir: string;
  readonly ownState: boolean;
  readonly pageDir: string | undefined;
  readonly quiet: boolean;
  readonly hosts: Record<string, string> | undefined;
  log = "";
  port = 0;
  url = "";
  previewPort = 0;
  /** Where apps are shown: `{app}` stands for the label of an app or a slug. */
  previewOrigin = "";
  /** The same socket for who resolves no names below `localhost`; the header `host` names the label then. */
  previewUrl = "";
  readonly runner: BuildRunner | undefined;
  process!: ChildProcessByStdio<null, Readable, Readable>;
  ended!: Promise<unknown>;
  tokens: Keys | undefined;

  constructor(options: EdgeOptions = {}) {
    const { variables = {}, stateDir, pageDir, quiet = true, runner, hosts } = options;
    this.variables = {
      BOOTSTRAP_SECRET: this.secret,
      PREVIEW_SECRET: randomBytes(32).toString("hex"),
      ...variables,
    };
    if (runner) this.runner = new BuildRunner(runner === true ? undefined : runner);
    this.ownState = stateDir === undefined;
    this.dir = stateDir ?? mkdtempSync(join(tmpdir(), "holdpoint-edge-"));
    this.pageDir = pageDir;
    this.quiet = quiet;
    this.hosts = hosts;
  }

  async start(): Promise<void> {
    if (this.port === 0) [this.port, this.previewPort] = [await freePort(), await freePort()];
    this.url = `http://127.0.0.1:${this.port}`;
    this.previewOrigin = `http://{app}.localhost:${this.previewPort}`;
    this.previewUrl = `http://127.0.0.1:${this.previewPort}`;
    if (this.runner && !this.runner.isRunning) await this.runner.start();
    const stateDir = join(this.dir, "objects");
    const artifactsDir = join(this.dir, "artifacts");
    const pageDir = this.pageDir ?? join(this.dir, "page");
    for (const dir of [stateDir, artifactsDir, pageDir]) mkdirSync(dir, { recursive: true });
    const config = join(this.dir, "workerd.capnp");
    const address = `127.0.0.1:${this.port}`;
    const previewAddress = `127.0.0.1:${this.previewPort}`;
    const variables = {
      PREVIEW_ORIGIN: this.previewOrigin,
      ...this.runner?.variables,
      ...this.variables,
    };
    const folders = { stateDir, artifactsDir, pageDir };
    writeFileSync(config, configuration({ address, previewAddress, ...folders, variables }));
    const workerd = createRequire(import.meta.url)("workerd").default;
    const [program, ...options] = [
      ...(this.hosts ? this.#withHosts(this.hosts) : []),
      ...[workerd, "serve", "--import-path=/", config],
    ];
    this.process = spawn(program, options, { stdio: ["ignore", "pipe", "pipe"] });
    this.ended = new Promise((done) => this.process.once("exit", done));
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream.on("data", (data: Buffer) => {
        this.log += data;
        if (!this.quiet) process.stderr.write(data);
      });
    }
    await this.#ready();
  }

  /** What starts a program for which these names lead where they are said to. */
  #withHosts(hosts: Record<string, string>): string[] {
    const file = join(this.dir, "hosts");
    const lines = Object.entries(hosts).map(([name, address]) => `${address} ${name}\n`);
    writeFileSync(file, lines.join(""));
    const root = process.getuid?.() === 0 ? [] : ["--map-root-user"];
    const mounts = 'mount --bind "$0" /etc/hosts && exec "$@"';
    return ["unshare", "--mount", ...root, "sh", "-c", mounts, file];
  }

  async #ready(): Promise<void> {
    const until = Date.now() + START_MS;
    let over = false;
    void this.ended.then(() => {
      over = true;
    });
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
  async keys(): Promise<Keys> {
    if (this.tokens) return this.tokens;
    const headers = { authorization: `Bearer ${this.secret}` };
    const answer = await fetch(`${this.url}/gateway/v1/bootstrap`, { method: "POST", headers });
    if (answer.status !== 201)
      throw new Error(`bootstrap: ${answer.status} ${await answer.text()}`);
    const keys = (await answer.json()) as Keys;
    this.tokens = keys;
    return keys;
  }

  /** A request with a key; `T` is what a good answer holds. */
  async ask<T = unknown>(
    method: string,
    path: string,
    { token, body, headers = {}, ...rest }: Asking = {},
  ): Promise<Answer<T>> {
    const sent = { ...headers };
    if (token) sent.authorization = `Bearer ${token}`;
    if (body !== undefined) sent["content-type"] ??= "application/json";
    const told = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(this.url + path, { method, headers: sent, body: told, ...rest });
    const raw = await answer.text();
    return { status: answer.status, headers: answer.headers, value: parsed(raw) as Body<T>, raw };
  }

  /** Asks a model for a word with a key, and answers what comes as it comes. */
  call(
    token: string,
    more: object = {},
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    return fetch(`${this.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(question(more)),
      signal,
    });
  }

  async budget(id = "dev-day"): Promise<Budget> {
    const { admin_token: token } = await this.keys();
    return (await this.ask<Budget>("GET", `/gateway/v1/budgets/${id}`, { token })).value;
  }

  /** The newest lines of the ledger. */
  async ledger(): Promise<LedgerRow[]> {
    const { admin_token: token } = await this.keys();
    const path = "/gateway/v1/ledger?limit=500";
    return (await this.ask<List<LedgerRow>>("GET", path, { token })).value.items;
  }

  /** Ends the process at once, as a crash would. */
  async kill(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.ended;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null)
      this.process.kill("SIGTERM");
    const forced = setTimeout(() => this.process.kill("SIGKILL"), 3_000);
    await this.ended;
    clearTimeout(forced);
    await this.runner?.stop();
    if (this.ownState) rmSync(this.dir, { recursive: true, force: true });
  }
}

/** JSON as a value, no body as null, anything else as the text that it is. */
function parsed(raw: string): unknown {
  if (raw === "") return null;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

/** Waits until a condition holds; fails with what it last saw. */
export async function eventually<T>(
  look: () => Promise<{ ok: boolean; value?: T }> | { ok: boolean; value?: T },
  { ms = 10_000, every = 40 } = {},
): Promise<T> {
  const until = Date.now() + ms;
  let seen: { ok: boolean; value?: T } | undefined;
  while (Date.now() < until) {
    seen = await look();
    if (seen.ok) return seen.value as T;
    await new Promise((done) => setTimeout(done, every));
  }
  throw new Error(`not in ${ms} ms: ${JSON.stringify(seen?.value)}`);
}
