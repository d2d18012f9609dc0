// The gateway beside a Worker that only passes on, and beside other gateways, over the same upstream in one run.
//
// Usage: node --import tsx run.mjs CALLS [TARGET…]. Prints JSON: a row a target. Time on the processor counts where
// times on the clock depend on what else the machine does.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { freePort, startEdge } from "../../../../tests/edge/workerd.ts";
import { load, quantile } from "./load.mjs";

const here = import.meta.dirname;
/** Ticks of a processor's clock in a second, as Linux counts them for programs. */
const TICKS = 100;
const AT_ONCE = 16;
const body = (stream) =>
  JSON.stringify({
    model: "default",
    max_tokens: 64,
    stream,
    messages: [
      { role: "system", content: "You answer briefly." },
      { role: "user", content: "Which walls lack a fire rating? ".repeat(8) },
    ],
  });

/** Seconds that a process was on a processor, and the bytes that it wrote in how many calls. */
function spent(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const io = Object.fromEntries(
    readFileSync(`/proc/${pid}/io`, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(": ")),
  );
  return {
    seconds: (Number(fields[11]) + Number(fields[12])) / TICKS,
    bytes: Number(io.write_bytes),
    writes: Number(io.syscw),
    resident: Number(fields[21]) * 4_096,
  };
}

/** A process that says where it listens, in a line of its own. */
function started(program, args, options = {}) {
  const process = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"], ...options });
  const port = new Promise((done, failed) => {
    createInterface({ input: process.stdout }).on("line", (line) => {
      if (/^\d+$/.test(line.trim())) done(Number(line));
    });
    process.once("exit", () => failed(new Error(`${program} ended`)));
  });
  return { process, port };
}

async function answers(url) {
  for (let left = 200; left > 0; left -= 1) {
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      await new Promise((woken) => setTimeout(woken, 50));
    }
  }
  throw new Error(`${url} does not answer`);
}

async function startPlain(upstream, dir) {
  const port = await freePort();
  const config = join(dir, "plain.capnp");
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ( name = "plain", worker = .plain ),
    ( name = "internet", network = ( allow = ["public", "private", "local"] ) )
  ],
  sockets = [ ( name = "http", address = "127.0.0.1:${port}", http = (), service = "plain" ) ]
);
const plain :Workerd.Worker = (
  modules = [ ( name = "plain.mjs", esModule = embed ${JSON.stringify(join(here, "plain.mjs"))} ) ],
  compatibilityDate = "2026-11-01",
  bindings = [ ( name = "UPSTREAM_BASE_URL", text = ${JSON.stringify(upstream)} ) ]
);
`,
  );
  const workerd = createRequire(import.meta.url)("workerd").default;
  const process = spawn(workerd, ["serve", "--import-path=/", config], { stdio: "inherit" });
  await answers(`http://127.0.0.1:${port}/v1/models`);
  return {
    name: "a Worker that passes on",
    pid: process.pid,
    base: `http://127.0.0.1:${port}/v1`,
    headers: {},
    stop: () => process.kill(),
  };
}

/** Ours, with three budgets on the way of each call. */
async function startOurs(upstream) {
  const edge = await startEdge({
    variables: { UPSTREAM_BASE_URL: upstream, MAX_CALLS_IN_FLIGHT: "1000" },
  });
  const keys = await edge.keys();
  const token = keys.admin_token;
  const budgets = [
    ["bench-user", { scope: "user:dev", unit: "tokens", period: "day", limit: 1e12 }],
    ["bench-month", { scope: "account:dev", unit: "cost", period: "month", limit: 1e12 }],
  ];
  await edge.ask("PUT", "/gateway/v1/budgets/dev-day", {
    token,
    body: { scope: "account:dev", unit: "tokens", period: "day", limit: 1e12 },
  });
  for (const [id, budget] of budgets)
    await edge.ask("PUT", `/gateway/v1/budgets/${id}`, { token, body: budget });
  return {
    name: "Holdpoint, three budgets",
    pid: edge.process.pid,
    base: `${edge.url}/v1`,
    headers: { authorization: `Bearer ${keys.user_token}` },
    stop: () => edge.stop(),
  };
}

/** Portkey's gateway, where its package is installed. */
async function startPortkey(upstream) {
  const place = resolve(
    process.env.HOLDPOINT_BENCH_PEERS ?? "",
    "node_modules/@portkey-ai/gateway/build/start-server.js",
  );
  if (!existsSync(place)) return null;
  const port = await freePort();
  const process_ = spawn(process.execPath, [place, `--port=${port}`, "--headless"], {
    stdio: "ignore",
    cwd: process.env.HOLDPOINT_BENCH_PEERS,
    env: { ...process.env, NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "127.0.0.1,localhost" },
  });
  await answers(`http://127.0.0.1:${port}/`);
  return {
    name: "Portkey's gateway, no budgets",
    pid: process_.pid,
    base: `http://127.0.0.1:${port}/v1`,
    headers: {
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": upstream,
      authorization: "Bearer sk-x",
    },
    stop: () => process_.kill(),
  };
}

async function startTensorZero(upstream, dir) {
  const python = process.env.HOLDPOINT_BENCH_PYTHON;
  if (!python) return null;
  const { process: child, port } = started(
    python,
    [join(here, "tensorzero_gateway.py"), upstream, dir],
    {
      env: { ...process.env, OPENAI_API_KEY: "sk-x" },
    },
  );
  const base = `http://127.0.0.1:${await port}`;
  await answers(`${base}/health`);
  return {
    name: "TensorZero's gateway, no limits",
    pid: child.pid,
    base: `${base}/openai/v1`,
    headers: {},
    model: "tensorzero::model_name::default",
    stop: () => child.kill(),
  };
}

async function startLiteLlm(upstream, dir) {
  const program = process.env.HOLDPOINT_BENCH_LITELLM;
  if (!program) return null;
  const port = await freePort();
  const config = join(dir, "litellm.yaml");
  writeFileSync(
    config,
    `model_list:
  - model_name: default
    litellm_params: { model: openai/m, api_base: "${upstream}", api_key: sk-x }
litellm_settings: { max_budget: 1000000, budget_duration: 30d, telemetry: false }
`,
  );
  const child = spawn(
    program,
    ["--config", config, "--port", String(port), "--host", "127.0.0.1"],
    { stdio: "ignore" },
  );
  await answers(`http://127.0.0.1:${port}/health/liveliness`);
  return {
    name: "LiteLLM's proxy, one budget",
    pid: child.pid,
    base: `http://127.0.0.1:${port}/v1`,
    headers: {},
    stop: () => child.kill(),
  };
}

/** What `count` calls of a target cost. */
async function measured(target, count) {
  const sized = (text) =>
    target.model ? text.replace('"default"', JSON.stringify(target.model)) : text;
  const at = { ...target, url: `${target.base}/chat/completions` };
  await load(at, sized(body(false)), Math.min(300, count), 4);
  const before = target.pid ? spent(target.pid) : null;
  const one = await load(at, sized(body(false)), count, 1);
  const between = target.pid ? spent(target.pid) : null;
  const many = await load(at, sized(body(false)), count, AT_ONCE);
  const after = target.pid ? spent(target.pid) : null;
  const stream = await load(at, sized(body(true)), Math.ceil(count / 4), 1);
  const whole = one.told.map((call) => call.whole);
  return {
    name: target.name,
    p50: quantile(whole, 0.5),
    p99: quantile(whole, 0.99),
    first: quantile(
      stream.told.map((call) => call.first),
      0.5,
    ),
    throughput: count / many.seconds,
    cpu: before && ((between.seconds - before.seconds) * 1_000) / count,
    cpuAtOnce: before && ((after.seconds - between.seconds) * 1_000) / count,
    writes: before && (between.writes - before.writes) / count,
    written: before && (between.bytes - before.bytes) / count,
    resident: after?.resident ?? null,
  };
}

const [count, ...wanted] = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), "holdpoint-gateway-"));
const stub = started(process.execPath, [join(here, "stub.mjs")]);
const upstream = `http://127.0.0.1:${await stub.port}/v1`;
const targets = {
  stub: () => ({ name: "the stub itself", pid: null, base: upstream, headers: {}, stop: () => {} }),
  plain: () => startPlain(upstream, dir),
  ours: () => startOurs(upstream),
  portkey: () => startPortkey(upstream),
  tensorzero: () => startTensorZero(upstream, dir),
  litellm: () => startLiteLlm(upstream, dir),
};
const rows = [];
try {
  for (const [name, start] of Object.entries(targets)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const target = await start();
    if (target === null) continue;
    try {
      rows.push(await measured(target, Number(count)));
    } finally {
      await target.stop();
    }
  }
} finally {
  stub.process.kill();
  rmSync(dir, { recursive: true, force: true });
}
console.log(JSON.stringify(rows));
