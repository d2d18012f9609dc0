// What is deployed: `wrangler.toml` names what the Worker's code asks for and says what the local runtime is told, no
// secret stands in it, and the upload holds the modules that were built and nothing else.
//
// Wrangler is no dependency: it asks for a newer Node than the project does, and brings a library under the LGPL. Where
// HOLDPOINT_WRANGLER names one, its dry run is tried as well.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";

import { ROOT } from "./stranger.ts";

interface Deployment {
  main: string;
  compatibility_date: string;
  compatibility_flags: string[];
  build: { command: string };
  assets: { binding: string; directory: string; run_worker_first: boolean; html_handling: string };
  vars: Record<string, string>;
  durable_objects: { bindings: { name: string; class_name: string }[] };
  r2_buckets: { binding: string; bucket_name: string }[];
  migrations: { tag: string; new_sqlite_classes: string[] }[];
}

interface Table {
  [name: string]: unknown;
}

/** Where the modules are built. */
const BUILT = join(ROOT, "worker/build");
/** Names of variables that hold a secret; `MAX_KEYS` and `ESTIMATE_BYTES_PER_TOKEN` count. */
const SECRET = /^(?!MAX_|ESTIMATE_)\w*(?:_KEY|_KEYS|_SECRET|_TOKEN)(?:_\*)?$/;

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const found = (text: string, sought: RegExp): string[] =>
  [...new Set([...text.matchAll(sought)].map(([, name]) => name))].sort();
const files = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .sort();

/** Reads the TOML that the file is written in: tables, lists of tables, and values of one line that are JSON too. */
function readToml(text: string): Table {
  const top: Table = {};
  let table = top;
  for (const line of text.split("\n").filter((one) => one !== "" && !one.startsWith("#"))) {
    const [, list, path] = /^\[(\[)?([\w.]+)\]\]?$/.exec(line) ?? [];
    const [, name, value] = /^(\w+) = (.+)$/.exec(line) ?? [];
    if (path) {
      table = entered(top, path.split("."), list !== undefined);
    } else {
      assert.ok(name, `wrangler.toml is written in more than the test reads: ${line}`);
      table[name] = JSON.parse(value);
    }
  }
  return top;
}

/** The table at a path, with a new one at its end where it is a list. */
function entered(top: Table, path: string[], isList: boolean): Table {
  let table = top;
  for (const [at, name] of path.entries()) {
    if (isList && at === path.length - 1) {
      const fresh: Table = {};
      table[name] = [...((table[name] as Table[] | undefined) ?? []), fresh];
      return fresh;
    }
    table[name] ??= {};
    table = table[name] as Table;
  }
  return table;
}

const deployed = readToml(read("wrangler.toml")) as unknown as Deployment;
const objects = deployed.durable_objects.bindings;
const sources = files(join(ROOT, "worker/src"), ".rs").map((path) => read(`worker/src/${path}`));
const local = read("worker/workerd.capnp.in");

/** Names of bindings, written out or as a constant of their file. */
const bindingsOf = (source: string): string[] =>
  found(source, /\.(?:stub|assets|bucket|durable_object)\(("?[A-Z_]+)"?[,)]/g).map((name) => {
    if (name.startsWith('"')) return name.slice(1);
    const [, value] = new RegExp(`const ${name}: &str = "(\\w+)"`).exec(source) ?? [];
    assert.ok(value, `${name} is no constant of the file that asks for it`);
    return value;
  });

test("the bindings are those that the code asks for", () => {
  const asked = [...new Set(sources.flatMap(bindingsOf))].sort();
  const bound = [
    ...objects.map(({ name }) => name),
    ...deployed.r2_buckets.map(({ binding }) => binding),
    deployed.assets.binding,
  ];
  assert.ok(asked.length > 0);
  assert.deepEqual(bound.sort(), asked);
});

test("each class of the code is exported, bound, and made with SQLite by one migration", () => {
  const classes = found(sources.join("\n"), /#\[durable_object[^\]]*\]\npub struct (\w+)/g);
  assert.ok(classes.length > 0);
  assert.deepEqual(found(read("worker/entry.mjs"), /^export const (\w+) = object\(/gm), classes);
  assert.deepEqual(objects.map(({ class_name }) => class_name).sort(), classes);
  assert.deepEqual(
    deployed.migrations.flatMap(({ new_sqlite_classes }) => new_sqlite_classes).sort(),
    classes,
  );
  const tags = deployed.migrations.map(({ tag }) => tag);
  assert.equal(new Set(tags).size, tags.length);
  for (const migration of deployed.migrations)
    assert.deepEqual(Object.keys(migration), ["tag", "new_sqlite_classes"]);
});

test("the local runtime is told the same", () => {
  const flags = /compatibilityFlags = (\[.*\])/.exec(local)?.[1] ?? "";
  assert.deepEqual(JSON.parse(flags), deployed.compatibility_flags);
  assert.match(local, new RegExp(`compatibilityDate = "${deployed.compatibility_date}"`));
  for (const { name, class_name } of objects) {
    assert.ok(local.includes(`( name = "${name}", durableObjectNamespace = "${class_name}" )`));
    assert.match(local, new RegExp(`className = "${class_name}", .*enableSql = true`));
  }
  // PUBLIC is a network that Cloudflare has no other than.
  const services = [
    deployed.assets.binding,
    ...deployed.r2_buckets.map(({ binding }) => binding),
    "PUBLIC",
  ];
  assert.deepEqual(found(local, /\( name = "([A-Z]+)", service = /g), services.sort());
});

test("the page's files are asked for by their names, and the Worker answers first", () => {
  assert.equal(deployed.assets.directory, "www/app/dist");
  assert.equal(deployed.assets.run_worker_first, true);
  assert.equal(deployed.assets.html_handling, "none");
});

test("secrets are set by name in docs/deploy.md, and none stands in the configuration", () => {
  const told = found(read("docs/deploy.md"), /^wrangler secret put (\w+)/gm);
  const held = read("worker/variables.txt")
    .split("\n")
    .filter((name) => SECRET.test(name));
  assert.ok(held.length > 0);
  for (const name of held) {
    const isTold = name.endsWith("*")
      ? told.some((one) => one.startsWith(name.slice(0, -1)))
      : told.includes(name);
    assert.ok(isTold, `docs/deploy.md does not say how ${name} is set`);
  }
  const plain = Object.keys(deployed.vars);
  assert.deepEqual(
    plain.filter((name) => told.includes(name) || SECRET.test(name)),
    [],
  );
  assert.ok(!plain.includes("HOLDPOINT_DEV") && !plain.includes("BOOTSTRAP_SECRET"));
  assert.equal(deployed.vars.ENVIRONMENT, "production");
});

test("the upload holds the entry, every module that was built, and nothing else", async () => {
  assert.equal(deployed.build.command, `cp worker/entry.mjs ${deployed.main}`);
  const wasm: string[] = [];
  const modules: Plugin = {
    name: "modules",
    setup({ onResolve }) {
      onResolve({ filter: /\.wasm$/ }, ({ path }) => {
        wasm.push(path.replace("./", ""));
        return { path, external: true };
      });
    },
  };
  const { metafile } = await build({
    stdin: { contents: read("worker/entry.mjs"), resolveDir: BUILT, sourcefile: "entry.mjs" },
    absWorkingDir: BUILT,
    bundle: true,
    external: ["cloudflare:*"],
    format: "esm",
    metafile: true,
    plugins: [modules],
    write: false,
  });
  assert.deepEqual(Object.keys(metafile.inputs).sort(), ["entry.mjs", ...files(BUILT, ".js")]);
  assert.deepEqual(wasm, files(BUILT, ".wasm"));
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
  const others = outside.filter(({ path }) => !path.endsWith(".wasm")).map(({ path }) => path);
  assert.deepEqual([...new Set(others)].sort(), ["cloudflare:sockets", "cloudflare:workers"]);
});

test("wrangler's dry run passes", { skip: !process.env.HOLDPOINT_WRANGLER }, async (context) => {
  const wrangler = process.env.HOLDPOINT_WRANGLER ?? "wrangler";
  const out = mkdtempSync(join(tmpdir(), "deploy-"));
  context.after(() => rmSync(out, { recursive: true, force: true }));
  const env = { ...process.env, NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" };
  const words = ["deploy", "--dry-run", "--outdir", out];
  const { stdout, stderr } = await promisify(execFile)(wrangler, words, { cwd: ROOT, env });
  assert.doesNotMatch(stdout + stderr, /WARNING|ERROR/);
  for (const { name, class_name } of objects) assert.ok(stdout.includes(`${name} (${class_name})`));
  const uploaded = readdirSync(out).filter((name) => !/^README\.md$|\.map$/.test(name));
  assert.deepEqual(uploaded.map((name) => name.replace(/^[0-9a-f]{40}-/, "")).sort(), [
    "entry.js",
    "worker_bg.wasm",
  ]);
  context.diagnostic(/Total Upload: .*/.exec(stdout)?.[0] ?? "wrangler printed no size");
});
