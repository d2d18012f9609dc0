// The build runner as the product starts it, beside an edge under test.
//
// Owns its process, its token and its caches. It keeps its port, so that the Worker finds it again after it was killed.
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const PROGRAM = process.env.HOLDPOINT_BUILD_RUNNER ?? join(root, "target/debug/build-runner");
/** Packages are fetched once for all tests; one runner uses the folder at a time. */
const SHARED_CACHE = join(root, "build/runner-of-tests");
/** How long a runner that another test left may take to end. */
const TAKEN_MS = 30_000;

/** What it prints once it listens. */
interface Line {
  address: string;
  isolation: string;
}

export class BuildRunner {
  readonly token = randomBytes(32).toString("hex");
  /** How builds are kept apart here; `none`: they are refused. */
  isolation = "";
  log = "";
  #address = "127.0.0.1:0";
  #process: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  readonly #cache: string;
  readonly #dir = mkdtempSync(join(tmpdir(), "holdpoint-runner-"));

  constructor(cache: string = SHARED_CACHE) {
    this.#cache = cache;
  }

  get url(): string {
    return `http://${this.#address}`;
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** What the Worker is told of it. */
  get variables(): Record<string, string> {
    return { RUNNER_URL: this.url, RUNNER_TOKEN: this.token, REGISTRY_ORIGIN: registry() };
  }

  async start(): Promise<void> {
    const until = Date.now() + TAKEN_MS;
    while (!(await this.#begin())) {
      if (!this.log.includes("another runner") || Date.now() > until)
        throw new Error(`the build runner did not start:\n${this.log}`);
      this.log = "";
      await new Promise((done) => setTimeout(done, 200));
    }
  }

  async #begin(): Promise<boolean> {
    const tokenFile = join(this.#dir, "token");
    writeFileSync(tokenFile, this.token, { mode: 0o600 });
    mkdirSync(this.#cache, { recursive: true });
    const options = ["--with-parent", "--listen", this.#address, "--token-file", tokenFile];
    const places = ["--cache", this.#cache, "--registry", registry()];
    const child = spawn(PROGRAM, [...options, ...places], { stdio: "pipe" });
    const ended = new Promise((done) => child.once("close", done).once("error", done));
    child.once("error", (error) => {
      this.log += `${PROGRAM}: ${error.message}. Build it with \`cargo build --bin build-runner\`.\n`;
    });
    child.stderr.on("data", (data: Buffer) => {
      this.log += data;
    });
    const line = await new Promise<Line | undefined>((done) => {
      createInterface({ input: child.stdout }).once("line", (text) => done(JSON.parse(text)));
      void ended.then(() => done(undefined));
    });
    if (!line) return false;
    this.#address = line.address;
    this.isolation = line.isolation;
    this.#process = child;
    this.#ended = ended;
    return true;
  }

  /** Ends it at once, as a crash would; `start` starts the next one at the same address. */
  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#ended;
    this.#process = undefined;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

let known: string | undefined;

/** The registry that npm of this machine uses. */
function registry(): string {
  known ??= spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" })
    .stdout.trim()
    .replace(/\/$/, "");
  return known;
}
