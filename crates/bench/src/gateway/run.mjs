// The gateway beside a Worker that only passes on, and beside other gateways, over the same upstream in one run.
//
// Usage: node --import tsx run.mjs CALLS [TARGET…]. Prints JSON: a row a target, of another gateway that did not start or
// did not keep up `{name, failed}`. Time on the processor counts where times on the clock depend on what else the machine
// does.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort, startEdge } from "../../../../tests/edge/workerd.ts";
import { load, quantile } from "./load.mjs";
import { answering, begin, listening, START_MS, within } from "./processes.ts";

const here = import.meta.dirname;
/** Ticks of a processor's clock in a second, as Linux counts them for programs. */
const TICKS = 100;
const AT_ONCE = 16;
/** A call that takes longer than this is none that is measured. */
const CALL_MS = 250;
/** How long any measurement may take, however few its calls. */
const LEAST_MS = 60_000;
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
  const { pid, stop } = await answering(
    begin(workerd, ["serve", "--import-path=/", config]),
    `http://127.0.0.1:${port}/v1/models`,
  );
  return { pid, stop, base: `http://127.0.0.1:${port}/v1`, headers: {} };
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
  const portkey = begin(process.execPath, [place, `--port=${port}`, "--headless"], {
    stdio: "ignore",
    cwd: process.env.HOLDPOINT_BENCH_PEERS,
    env: { ...process.env, NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "127.0.0.1,localhost" },
  });
  const { pid, stop } = await answering(portkey, `http://127.0.0.1:${port}/`);
  return {
    pid,
    stop,
    base: `http://127.0.0.1:${port}/v1`,
    headers: {
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": upstream,
      authorization: "Bearer sk-x",
    },
  };
}

async function startTensorZero(upstream, dir) {
  const python = process.env.HOLDPOINT_BENCH_PYTHON;
  if (!python) return null;
  const env = { ...process.env, OPENAI_API_KEY: "sk-x" };
  const tensorzero = await listening(
    python,
    [join(here, "tensorzero_gateway.py"), upstream, dir],
    { env },
  );
  const base = `http://127.0.0.1:${tensorzero.port}`;
  const { pid, stop } = await answering(tensorzero, `${base}/health`);
  const model = "tensorzero::model_name::default";
  return { pid, stop, base: `${base}/openai/v1`, headers: {}, model };
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
  const args = ["--config", config, "--port", String(port), "--host", "127.0.0.1"];
  const { pid, stop } = await answering(
    begin(program, args, { stdio: "ignore" }),
    `http://127.0.0.1:${port}/health/liveliness`,
  );
  return { pid, stop, base: `http://127.0.0.1:${port}/v1`, headers: {} };
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

/** A row; `null` where that gateway is not installed. Of ours nothing may be missing, of others the row says why. */
async function rowOf({ name, start, ours }, count) {
  let target = null;
  try {
    target = await within(2 * START_MS, "it did not start", start());
    if (target === null) return null;
    const most = LEAST_MS + count * CALL_MS;
    return { name, ...(await within(most, "it did not keep up", measured({ ...target, name }, count))) };
  } catch (reason) {
    if (ours) throw new Error(`${name}: ${reason.message}`);
    return { name, failed: reason.message };
  } finally {
    await target?.stop();
  }
}

const [count, ...wanted] = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), "holdpoint-gateway-"));
const stub = await listening(process.execPath, [join(here, "stub.mjs")]);
const upstream = `http://127.0.0.1:${stub.port}/v1`;
const targets = {
  stub: {
    name: "the stub itself",
    ours: true,
    start: async () => ({ pid: null, base: upstream, headers: {}, stop: () => {} }),
  },
  plain: {
    name: "a Worker that passes on",
    ours: true,
    start: () => startPlain(upstream, dir),
  },
  ours: { name: "Holdpoint, three budgets", ours: true, start: () => startOurs(upstream) },
  portkey: { name: "Portkey's gateway, no budgets", start: () => startPortkey(upstream) },
  tensorzero: {
    name: "TensorZero's gateway, no limits",
    start: () => startTensorZero(upstream, dir),
  },
  litellm: { name: "LiteLLM's proxy, one budget", start: () => startLiteLlm(upstream, dir) },
};
const rows = [];
let status = 0;
try {
  for (const [name, target] of Object.entries(targets)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const row = await rowOf(target, Number(count));
    if (row !== null) rows.push(row);
  }
} catch (reason) {
  console.error(reason.message);
  status = 1;
} finally {
  await stub.stop();
  rmSync(dir, { recursive: true, force: true });
}
// A connection that somebody keeps open would keep this process too.
process.stdout.write(`${JSON.stringify(rows)}\n`, () => process.exit(status));
