// The gateway beside a Worker that only passes on, and beside other gateways, over the same upstream in one run.
//
// Usage: node --import tsx run.mjs CALLS [TARGET…]. Prints JSON: `rows`, one a target (another gateway that did not
// start or did not keep up has `{name, failed}`), and the bytes of the edge's `module`. A row is the median of several
// rounds; those of the Worker that passes on and of ours follow each other. Time on the processor counts where times on
// the clock depend on what else the machine does.
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { freePort, startEdge } from "../../../../tests/edge/workerd.ts";
import { call, load, quantile } from "./load.mjs";
import { answering, begin, listening, START_MS, within } from "./processes.ts";

const here = import.meta.dirname;
/** Ticks of a processor's clock in a second, as Linux counts them for programs. */
const TICKS = 100;
const AT_ONCE = 16;
const ROUNDS = 3;
/** Streams that are open at once when memory is looked at. */
const STREAMS = 200;
/** A call that takes longer than this is none that is measured. */
const CALL_MS = 250;
/** How long any measurement may take, however few its calls. */
const LEAST_MS = 60_000;
const body = (stream, how = "briefly") =>
  JSON.stringify({
    model: "default",
    max_tokens: 64,
    stream,
    messages: [
      { role: "system", content: `You answer ${how}.` },
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
  if (!existsSync(place)) throw new Error("it is not installed");
  const port = await freePort();
  const portkey = begin(process.execPath, [place, `--port=${port}`, "--headless"], {
    stdio: "ignore",
    cwd: process.env.HOLDPOINT_BENCH_PEERS,
    // Without its word on the host it asks no upstream of this machine.
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
  if (!python) throw new Error("it is not installed");
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

/** LiteLLM with the budget that it keeps without a database: one of a provider, in memory. */
async function startLiteLlm(upstream, dir) {
  const program = process.env.HOLDPOINT_BENCH_LITELLM;
  if (!program) throw new Error("it is not installed");
  const port = await freePort();
  const config = join(dir, "litellm.yaml");
  writeFileSync(
    config,
    `model_list:
  - model_name: default
    litellm_params:
      model: openai/m
      api_base: "${upstream}"
      api_key: sk-x
      input_cost_per_token: 0.000003
      output_cost_per_token: 0.000015
litellm_settings: { telemetry: false }
router_settings:
  provider_budget_config: { openai: { budget_limit: 1000000, time_period: 30d } }
`,
  );
  const key = `sk-${randomBytes(32).toString("hex")}`;
  const args = ["--config", config, "--port", String(port), "--host", "127.0.0.1"];
  const env = { ...process.env, LITELLM_MASTER_KEY: key };
  const { pid, stop } = await answering(
    begin(program, args, { stdio: "ignore", env }),
    `http://127.0.0.1:${port}/health/liveliness`,
    2 * START_MS,
  );
  const headers = { authorization: `Bearer ${key}` };
  return { pid, stop, base: `http://127.0.0.1:${port}/v1`, headers };
}

const sized = (target, text) =>
  target.model ? text.replace('"default"', JSON.stringify(target.model)) : text;
const completions = (target) => ({ ...target, url: `${target.base}/chat/completions` });

/** What `count` calls of a target cost, in one round. */
async function round(target, count) {
  const at = completions(target);
  const [whole, stream] = [sized(target, body(false)), sized(target, body(true))];
  const before = target.pid ? spent(target.pid) : null;
  const one = await load(at, whole, count, 1);
  const between = target.pid ? spent(target.pid) : null;
  const many = await load(at, whole, count, AT_ONCE);
  const after = target.pid ? spent(target.pid) : null;
  const streams = await load(at, stream, Math.ceil(count / 4), 1);
  const times = one.told.map((one) => one.whole);
  const firsts = streams.told.map((one) => one.first);
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    first: quantile(firsts, 0.5),
    throughput: count / many.seconds,
    cpu: before && ((between.seconds - before.seconds) * 1_000) / count,
    cpuAtOnce: before && ((after.seconds - between.seconds) * 1_000) / count,
    written: before && (between.bytes - before.bytes) / count,
  };
}

/** The bytes that open streams take above an idle gateway; `null` where it is no process of its own. */
async function memoryOf(target) {
  if (!target.pid) return null;
  const agent = new Agent({ keepAlive: true, maxSockets: STREAMS });
  const idle = spent(target.pid).resident;
  let open = 0;
  let most = idle;
  const look = setInterval(() => {
    most = Math.max(most, spent(target.pid).resident);
  }, 50);
  try {
    const slow = sized(target, body(true, "slowly"));
    const begun = () => {
      open += 1;
    };
    const streams = Array.from({ length: STREAMS }, () => call(agent, completions(target), slow, begun));
    await Promise.all(streams);
    if (open < STREAMS) throw new Error(`${open} of ${STREAMS} streams began`);
    return most - idle;
  } finally {
    clearInterval(look);
    agent.destroy();
  }
}

const median = (values) => (values.includes(null) ? null : quantile(values, 0.5));

/** A row of the medians of its rounds. */
const rowOf = ({ name, rounds, memory }) => ({
  name,
  ...Object.fromEntries(
    Object.keys(rounds[0]).map((figure) => [figure, median(rounds.map((one) => one[figure]))]),
  ),
  memory,
});

/** Rows of targets whose rounds follow each other. Of ours nothing may be missing, of others the row says why. */
async function rowsOf(targets, count) {
  const running = [];
  try {
    for (const { name, start, ours } of targets) {
      try {
        const target = await within(3 * START_MS, "it did not start", start());
        running.push({ ...target, name, ours, rounds: [], memory: null });
      } catch (reason) {
        if (ours) throw new Error(`${name}: ${reason.message}`);
        running.push({ name, failed: reason.message });
      }
    }
    const measure = async (what) => {
      for (const target of running.filter((one) => one.failed === undefined)) {
        try {
          const most = LEAST_MS + count * CALL_MS;
          await within(most, "it did not keep up", what(target));
        } catch (reason) {
          if (target.ours) throw new Error(`${target.name}: ${reason.message}`);
          target.failed = reason.message;
        }
      }
    };
    // Nothing is warm at first.
    await measure((one) => load(completions(one), sized(one, body(false)), Math.min(300, count), 4));
    for (let left = ROUNDS; left > 0; left -= 1)
      await measure(async (one) => one.rounds.push(await round(one, count)));
    await measure(async (one) => {
      one.memory = await memoryOf(one);
    });
    return running.map((one) =>
      one.failed === undefined ? rowOf(one) : { name: one.name, failed: one.failed },
    );
  } finally {
    for (const target of running) await target.stop?.();
  }
}

/** The bytes of the module that is deployed, as it is and as it is uploaded. */
function moduleSize() {
  const wasm = readFileSync(join(process.env.HOLDPOINT_EDGE_BUILD ?? "", "worker_bg.wasm"));
  return { raw: wasm.length, gzip: gzipSync(wasm, { level: 9 }).length };
}

const [count, ...wanted] = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), "holdpoint-gateway-"));
const stub = await listening(process.execPath, [join(here, "stub.mjs")]);
const upstream = `http://127.0.0.1:${stub.port}/v1`;
const targets = {
  stub: {
    name: "the stub itself",
    ours: true,
    start: async () => ({ pid: null, base: upstream, headers: {} }),
  },
  plain: { name: "a Worker that passes on", ours: true, start: () => startPlain(upstream, dir) },
  ours: { name: "Holdpoint, three budgets", ours: true, start: () => startOurs(upstream) },
  portkey: { name: "Portkey's gateway, no budgets", start: () => startPortkey(upstream) },
  tensorzero: {
    name: "TensorZero's gateway, no limits",
    start: () => startTensorZero(upstream, dir),
  },
  litellm: { name: "LiteLLM's proxy, one budget in memory", start: () => startLiteLlm(upstream, dir) },
};
/** What is measured turn by turn; other gateways have the machine for themselves. */
const groups = [["stub", "plain", "ours"], ["portkey"], ["tensorzero"], ["litellm"]];
const rows = [];
let module = null;
let status = 0;
try {
  if (wanted.length === 0 || wanted.includes("ours")) module = moduleSize();
  for (const group of groups) {
    const asked = group.filter((name) => wanted.length === 0 || wanted.includes(name));
    rows.push(...(await rowsOf(asked.map((name) => targets[name]), Number(count))));
  }
} catch (reason) {
  console.error(reason.message);
  status = 1;
} finally {
  await stub.stop();
  rmSync(dir, { recursive: true, force: true });
}
// A connection that somebody keeps open would keep this process too.
process.stdout.write(`${JSON.stringify({ rows, module })}\n`, () => process.exit(status));
