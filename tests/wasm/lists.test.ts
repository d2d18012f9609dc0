// Drawn lists of operations on drawn projects: the page's check of apps and the Worker answer as the native check does,
// byte for byte (vite-app.md §15). `HOLDPOINT_DRAWN` says how many, `HOLDPOINT_SEED` which.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type App, Maker, type Version } from "../edge/apps.ts";
import { type Answer, startEdge } from "../edge/workerd.ts";
import { call, loadModules, type Value } from "./modules.ts";

const root = resolve(fileURLToPath(import.meta.url), "../../..");
const HOLDPOINT = process.env.HOLDPOINT ?? join(root, "target/debug/holdpoint");
const COUNT = Number(process.env.HOLDPOINT_DRAWN ?? 400);
/** The Worker writes what it takes. */
const SAVES = Number(process.env.HOLDPOINT_DRAWN ?? 150);
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

/** A project that is whole. */
const WHOLE: Record<string, string> = {
  "index.html":
    '<!doctype html>\n<div id="root"></div>\n<script type="module" src="/src/main.tsx"></script>\n',
  "package.json": PACKAGE,
  "vite.config.ts":
    "import { defineConfig } from 'vite';\nexport default defineConfig({ base: './' });\n",
  "src/main.tsx": "import { App } from './App';\nApp();\n",
  "src/App.tsx": "export function App() {\n  return 1;\n}\n\nexport default App;\n",
};

/** It, sometimes with files that are drawn. */
function project(draw: Draw): Record<string, string> {
  const files = { ...WHOLE };
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

function drawn(draw: Draw, files: Record<string, string>): unknown[] {
  const author = draw.often(50) ? plain : operation;
  return Array.from({ length: 1 + draw.below(3) }, () => author(draw, files));
}

function list(draw: Draw): Value {
  const files = project(draw);
  const operations = drawn(draw, files);
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

/** Codes of what was found, whether or not it stood in the way. */
function codes(answer: Value): string[] {
  const refused = (answer.error as Value | undefined)?.details;
  const { diagnostics = [] } = (refused ?? answer) as { diagnostics?: { code: string }[] };
  return diagnostics.map(({ code }) => code);
}

test("drawn lists are answered in Wasm as natively", { timeout: 3_600_000 }, () => {
  loadModules();
  const draw = new Draw(Number(process.env.HOLDPOINT_SEED ?? 1));
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-lists-"));
  const found = new Set<string>();
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
        for (const code of codes(native)) found.add(code);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // What is drawn reaches both ends, and most of what can be said between.
  assert.ok(taken > COUNT / 20, `${taken} lists were taken`);
  assert.ok(found.size > 30, [...found].join(" "));
});

/** After so many lists a draft is the whole project again: what is left of it offers less and less. */
const AGAIN = 20;

/** An app of the Worker, as what was drawn changes it. */
interface Draft {
  app: App;
  policy: string;
  version: Version;
}

async function drafts(ada: Maker): Promise<[Draft, Draft]> {
  const make = async (policy: string): Promise<Draft> => {
    const app = await ada.make(policy, { settings: { save_gate: "check" } });
    const body = { base_revision_id: app.current_draft_revision_id, files: WHOLE };
    const version = await ada.good<Version>("POST", `/${app.id}/builder/revisions`, body);
    await ada.good("PATCH", `/${app.id}`, { settings: { dependency_policy: policy } });
    return { app, policy, version };
  };
  return [await make("curated"), await make("registry-pinned")];
}

/** What the Worker says where the native facade says this. */
function expected(native: Value): unknown {
  const { error, ok, files, entry_file, result_hash, diagnostics = [], confirm_token } = native;
  const { code, details } = (error ?? {}) as { code?: string; details?: Value };
  if (error) return [400, code, details?.diagnostics];
  if (!ok) return [422, "BUILDER_COMPILE_FAILED", diagnostics];
  if (codes(native).includes("PATCH_NEEDS_CONFIRMATION"))
    return [409, "CONFIRMATION_REQUIRED", confirm_token];
  return [200, files, entry_file, result_hash, diagnostics];
}

type Saved = Version & { diagnostics: unknown[] };

function said({ status, value }: Answer<Saved>): unknown {
  const { code, details } = value.error ?? {};
  if (status === 409) return [status, code, (details as { confirm_token?: string }).confirm_token];
  if (status !== 200) return [status, code, details?.diagnostics];
  return [status, value.files, value.entry_file, value.files_hash, value.diagnostics];
}

test("drawn lists are taken and refused by the Worker as natively", {
  timeout: 3_600_000,
}, async () => {
  const draw = new Draw(Number(process.env.HOLDPOINT_SEED ?? 1) + 1);
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-lists-"));
  const edge = await startEdge();
  const statuses = new Map<number, number>();
  try {
    const ada = new Maker(edge, (await edge.keys()).user_token);
    const [curated, pinned] = await drafts(ada);
    const save = (draft: Draft, more: object) =>
      ada.ask<Saved>("POST", `/${draft.app.id}/builder/revisions`, {
        base_revision_id: draft.version.id,
        ...more,
      });
    for (let from = 0; from < SAVES; from += BATCH) {
      const inputs: Value[] = [];
      const answers: unknown[] = [];
      for (let at = from; at < Math.min(from + BATCH, SAVES); at += 1) {
        const draft = draw.often(90) ? curated : pinned;
        const { files = {}, entry_file } = draft.version;
        const operations = drawn(draw, files);
        const options = { catalog: "2026-11", policy: draft.policy };
        const input = { kind: "vite-app", files, entry_file, operations, options };
        inputs.push(input as unknown as Value);
        const answer = await save(draft, { operations });
        answers.push(said(answer));
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 200) draft.version = answer.value;
        if (at % AGAIN === AGAIN - 1 && draft === curated) {
          const again = await save(draft, { files: WHOLE, entry_file: "src/main.tsx" });
          assert.equal(again.status, 200, again.raw);
          draft.version = again.value;
        }
      }
      for (const [at, native] of natively(inputs, folder).entries())
        assert.deepEqual(answers[at], expected(native), JSON.stringify(inputs[at]));
    }
  } finally {
    await edge.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  // It takes some, refuses some by rule and some by what they leave, and asks about doubtful patches.
  const least = SAVES / 50;
  for (const status of [200, 400, 422])
    assert.ok((statuses.get(status) ?? 0) > least, `${status} of ${[...statuses]}`);
});
