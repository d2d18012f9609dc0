// The examples on files that other programs wrote: what they answer is what the text of the file says.
//
// What it says is read here once more, by a reader of the tests' own (`foreign-step.ts`, `foreign-model.ts`).
// `HOLDPOINT_FOREIGN` names another folder of files.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { initSync, Sandbox } from "../../www/core/wasm/sandbox/sandbox.js";
import type { Call, Facts } from "./foreign-call.ts";
import { missing, naming, rules, storeys } from "./foreign-checks.ts";
import { cobie, doors, duplicates, fire } from "./foreign-lists.ts";
import { ForeignModel } from "./foreign-model.ts";
import { rooms, takeoff } from "./foreign-sums.ts";
import { call, loadModules, type Value } from "./modules.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const FILES = process.env.HOLDPOINT_FOREIGN ?? join(root, "fixtures/ifc/foreign");
const EXAMPLES = join(root, "fixtures/extensions");
const FACTS: Record<string, Facts> = {
  "cobie-sheets": cobie,
  "door-schedule": doors,
  "duplicate-ids": duplicates,
  "fire-coverage": fire,
  "missing-properties": missing,
  "naming-rules": naming,
  "quantity-takeoff": takeoff,
  "room-areas": rooms,
  "rule-check": rules,
  "storey-colours": storeys,
};
/** Entries that answer no figures. */
const NO_FIGURES = ["missing.keep"];
/** Sums are equal where they differ by what the order of adding leaves. */
const DIGITS = 10;

interface Outcome {
  value: unknown;
  failure: { code: string; message: string } | null;
  effects: {
    viewer: { op: string; refs?: { expressId: number }[]; color?: string; label?: string }[];
    exports: { filename: string; text: string }[];
  };
}
interface Manifest {
  capabilities: string[];
  entry: { commands: Record<string, string> };
  contributes: Record<string, { id: string }[] | undefined>;
}
interface Example {
  name: string;
  files: Record<string, string>;
  manifest: Manifest;
}

/** Paths below a folder, of files with this ending. */
const below = (folder: string, ending = ""): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const files = below(FILES, ".ifc");
const examples: Example[] = readdirSync(EXAMPLES).map((name) => {
  const paths = below(join(EXAMPLES, name));
  const texts = paths.map((path) => [
    relative(join(EXAMPLES, name), path),
    readFileSync(path, "utf8"),
  ]);
  const bundle = Object.fromEntries(texts) as Record<string, string>;
  return { name, files: bundle, manifest: JSON.parse(bundle["manifest.json"]) };
});

before(() => {
  loadModules();
  initSync({ module: readFileSync(join(root, "www/core/wasm/sandbox/sandbox_bg.wasm")) });
});

/** What was called. */
const called = new Set<string>();
/** The file that is open: all examples run on it, then the next one is opened. */
let opened: { path: string; model: ForeignModel; sandbox: Sandbox } | undefined;

for (const path of files) {
  for (const example of examples) {
    test(`${example.name} answers on ${relative(FILES, path)} what the file says`, () => {
      const { model, sandbox } = open(path);
      for (const asked of FACTS[example.name](model)) {
        const { value, failure, effects } = run(sandbox, example, asked);
        const what = `${idOf(asked)} ${JSON.stringify(asked.args ?? asked.options ?? null)}`;
        assert.equal(failure, null, what);
        if ("value" in asked) assert.deepEqual(rounded(figures(value)), rounded(asked.value), what);
        assert.deepEqual(seen(effects.viewer), asked.viewer ?? [], what);
        const saved = effects.exports.map(({ filename, text }) => ({ filename, text }));
        assert.deepEqual(saved, asked.exports ?? [], what);
        called.add(idOf(asked));
      }
    });
  }
}

test("every example has facts, and all that answers figures was called", () => {
  assert.deepEqual(examples.map(({ name }) => name).sort(), Object.keys(FACTS).sort());
  const entries = examples.flatMap(({ manifest: { entry, contributes } }) => {
    const points = ["exporters", "lenses", "idsValidators"].map(
      (point) => contributes[point] ?? [],
    );
    return [...Object.keys(entry.commands), ...points.flat().map(({ id }) => id)];
  });
  assert.deepEqual(
    entries.filter((id) => !called.has(id)),
    NO_FIGURES,
  );
});

function open(path: string): { model: ForeignModel; sandbox: Sandbox } {
  if (opened?.path === path) return opened;
  opened?.sandbox.free();
  const bytes = readFileSync(path);
  const sandbox = new Sandbox("2026-01-01T00:00:00.000Z");
  sandbox.load_model(basename(path), bytes);
  opened = { path, model: new ForeignModel(basename(path), bytes), sandbox };
  return opened;
}

const idOf = ({ command, exporter, lens, idsValidator }: Call): string =>
  command ?? exporter ?? lens ?? idsValidator ?? "";

/** One call as a page makes it: the check prepares it, the sandbox runs it. */
function run(sandbox: Sandbox, { files, manifest }: Example, asked: Call): Outcome {
  const id = idOf(asked);
  const named = {
    ...(asked.command ? { command: { id, args: asked.args } } : {}),
    ...(asked.exporter ? { exporter: { id, options: asked.options } } : {}),
    ...(asked.lens ? { lens: { id } } : {}),
    ...(asked.idsValidator ? { idsValidator: { id } } : {}),
  };
  const prepared = call("call.prepare", {
    kind: "ifc-extension",
    files,
    call: named,
    grants: manifest.capabilities,
    locale: "en",
    selection: [],
    storage: {},
  } as Value);
  assert.ok(prepared.program, `${id}: ${JSON.stringify(prepared)}`);
  return JSON.parse(sandbox.run(JSON.stringify(prepared.program)));
}

/** What an entry answers, without the words of its widget. */
function figures(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { words: _words, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** Effects on the view, products by number. */
const seen = (viewer: Outcome["effects"]["viewer"]): unknown[] =>
  viewer.map(({ op, refs, color, label }) => ({
    op,
    ...(refs ? { refs: refs.map(({ expressId }) => expressId) } : {}),
    ...(color ? { color } : {}),
    ...(label ? { label } : {}),
  }));

/** The value with every number at the precision in which sums are compared. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_name, one) =>
      typeof one === "number" ? Number(one.toPrecision(DIGITS)) : one,
    ),
  );
