// Drawn lists of operations on drawn projects: the page's check of apps answers as the native one, byte for byte
//. `HOLDPOINT_DRAWN` says how many, `HOLDPOINT_SEED` which.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { call, loadModules, type Value } from "./modules.ts";

const root = resolve(fileURLToPath(import.meta.url), "../../..");
const HOLDPOINT = process.env.HOLDPOINT ?? join(root, "target/debug/holdpoint");
const COUNT = Number(process.env.HOLDPOINT_DRAWN ?? 400);
/** Lists of one call of the command line: what they hold together fits into memory. */
const BATCH = 500;

/** Numbers that a seed gives again: the generator of Lehmer. */
class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed % 2_147_483_646) + 1;
  }

  below(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state % limit;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  often(percent: number): boolean {
    return this.below(100) < percent;
  }
}

const FOLDERS = [
  "src",
  "src/parts",
  "src/Parts",
  "public",
  "tests",
  "lib",
  "..",
  "src/.hidden",
  "",
];
const NAMES = ["main", "App", "app", "Karte", "größe", "gro\u0308ße", "a b", "CON", "x".repeat(90)];
const ENDINGS = [
  ".tsx",
  ".ts",
  ".css",
  ".json",
  ".html",
  ".svg",
  ".png",
  ".exe",
  "",
  ".mts",
  ".js",
];
const FIXED = [
  "index.html",
  "package.json",
  "package-lock.json",
  "vite.config.ts",
  "src/main.tsx",
  ".env",
];

const path = (draw: Draw): string => {
  if (draw.often(15)) return draw.of(FIXED);
  if (draw.often(60)) return `src/${draw.of(NAMES.slice(0, 5))}${draw.of([".tsx", ".ts"])}`;
  const name = draw.of(FOLDERS) + draw.of(["/", "//", "\\", "/./"]) + draw.of(NAMES);
  return name + draw.of(ENDINGS);
};

const LINES = [
  "import { App } from './App';",
  "import './styles.css';",
  "import React from 'react';",
  "import pad from 'left-pad';",
  "import x from 'https://x.example/b.js';",
  "import fs from 'node:fs';",
  "const a = await import('./' + name);",
  "const all = import.meta.glob('./parts/*.tsx');",
  "export const a = <b>größe 😀</b>;",
  "export default function App() { return <h1 title={'x'}>A</h1>; }",
  "require('./x');",
  "// ... rest of the file unchanged",
  "@import url(https://x.example/b.css);",
  "a { background: url('./no.png'); }",
  '<script type="module" src="/src/main.tsx"></script>',
  '<base href="/">',
  '{"name": "x", "dependencies": {"react": "19.2.0"}}',
  "function broken( {",
  "\ufeff",
  "",
];

const text = (draw: Draw): string => {
  if (draw.often(75)) return `export const drawn = ${draw.below(1_000)};\n`;
  const lines = Array.from({ length: draw.below(6) }, () => draw.of(LINES));
  return lines.join(draw.of(["\n", "\r\n", "\n\n"])) + draw.of(["", "\n"]);
};

/** One that the catalogue allows. */
const PACKAGE = readFileSync(join(root, "fixtures/apps/blank-react/package.json"), "utf8");

/** A project that is whole, and sometimes has files that are drawn. */
function project(draw: Draw): Record<string, string> {
  const files: Record<string, string> = {
    "index.html":
      '<!doctype html>\n<div id="root"></div>\n<script type="module" src="/src/main.tsx"></script>\n',
    "package.json": PACKAGE,
    "vite.config.ts":
      "import { defineConfig } from 'vite';\nexport default defineConfig({ base: './' });\n",
    "src/main.tsx": "import { App } from './App';\nApp();\n",
    "src/App.tsx": "export function App() {\n  return 1;\n}\n\nexport default App;\n",
  };
  for (let more = draw.often(60) ? 0 : 1 + draw.below(2); more > 0; more--)
    files[path(draw)] = text(draw);
  return files;
}

const hash = (content: string) => `sha256:${createHash("sha256").update(content).digest("hex")}`;

/** A patch of a file as a model would write it: right, shifted, or of another text. */
function patch(draw: Draw, files: Record<string, string>, at: string): string {
  const lines = (files[at] ?? "export const a = 1;\n").split("\n");
  const line = draw.below(lines.length);
  const old = draw.often(80) ? lines[line] : draw.of(LINES);
  const head = draw.often(50) ? `--- a/${at}\n+++ b/${draw.often(90) ? at : path(draw)}\n` : "";
  return `${head}@@ -${line + 1 + draw.below(3)} +${line + 1} @@\n-${old}\n+${draw.of(LINES)}\n`;
}

function operation(draw: Draw, files: Record<string, string>): unknown {
  const there = draw.of(Object.keys(files));
  const at = draw.often(50) ? there : path(draw);
  const guard = draw.often(20)
    ? { expected_hash: draw.often(60) ? hash(files[at] ?? "") : draw.of(["", null, 7]) }
    : {};
  const kinds = [
    { op: "upsert_file", path: at, content: text(draw), ...guard },
    { op: "upsert_file", path: at, content: text(draw) },
    { op: "patch", path: at, patch: patch(draw, files, at), ...guard },
    { op: "delete_file", path: at, ...guard },
    { op: "rename_file", from_path: there, to_path: path(draw) },
    { op: "set_entry_file", entry_file: draw.often(60) ? there : path(draw) },
    { op: "put_blob", path: at, blob: hash("x"), bytes: draw.of([1, 12_000_000, -1, "1"]) },
    draw.of([null, 1, {}, { op: "run" }, { op: "upsert_file" }, { op: "patch", path: 1 }]),
  ];
  return draw.often(96) ? draw.of(kinds.slice(0, -1)) : kinds.at(-1);
}

/** What an author does who keeps to the rules. */
function plain(draw: Draw, files: Record<string, string>): unknown {
  const at = `src/${draw.of(NAMES.slice(0, 5))}.ts`;
  const whole = "src/App.tsx";
  return draw.of([
    { op: "upsert_file", path: at, content: `export const drawn = ${draw.below(1_000)};\n` },
    { op: "patch", path: whole, patch: patch(draw, files, whole) },
    { op: "upsert_file", path: "src/added.css", content: "a {\n  color: red;\n}\n" },
    { op: "rename_file", from_path: whole, to_path: "src/App.jsx" },
  ]);
}

function list(draw: Draw): Value {
  const files = project(draw);
  const author = draw.often(50) ? plain : operation;
  const operations = Array.from({ length: 1 + draw.below(3) }, () => author(draw, files));
  const options = { catalog: "2026-11", ...(draw.often(20) ? { policy: "registry-pinned" } : {}) };
  return { kind: "vite-app", files, operations, options } as unknown as Value;
}

/** What the native facade answers to each. */
function natively(inputs: Value[], folder: string): Value[] {
  const [cases, answers] = [join(folder, "cases.jsonl"), join(folder, "answers.jsonl")];
  const rows = inputs.map((input, id) => ({
    id: String(id),
    method: "files.apply",
    input,
    expect: {},
  }));
  writeFileSync(cases, rows.map((row) => JSON.stringify(row)).join("\n"));
  const done = spawnSync(HOLDPOINT, ["corpus", cases, "--quiet", "--answers", answers]);
  assert.equal(done.status, 0, String(done.stderr));
  const lines = readFileSync(answers, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line).answer);
}

test("drawn lists are answered in Wasm as natively", { timeout: 3_600_000 }, () => {
  loadModules();
  const draw = new Draw(Number(process.env.HOLDPOINT_SEED ?? 1));
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-lists-"));
  const codes = new Set<string>();
  let taken = 0;
  try {
    for (let from = 0; from < COUNT; from += BATCH) {
      const inputs = Array.from({ length: Math.min(BATCH, COUNT - from) }, () => list(draw));
      for (const [at, native] of natively(inputs, folder).entries()) {
        const input = inputs[at] as Value;
        assert.equal(
          JSON.stringify(call("files.apply", input)),
          JSON.stringify(native),
          JSON.stringify(input),
        );
        if (native.ok) taken++;
        const refused = (native.error as Value | undefined)?.details;
        const { diagnostics = [] } = (refused ?? native) as { diagnostics?: { code: string }[] };
        for (const { code } of diagnostics) codes.add(code);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // What is drawn reaches both ends, and most of what can be said between.
  assert.ok(taken > COUNT / 20, `${taken} lists were taken`);
  assert.ok(codes.size > 30, [...codes].join(" "));
});
