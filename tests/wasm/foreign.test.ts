// The examples on files that other programs wrote: what they answer is what the text of the file says.
//
// What it says is read here once more, by a reader of the tests' own (`foreign-step.ts`, `foreign-model.ts`).
// `HOLDPOINT_FOREIGN` names another folder of files.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

import type { Call, Facts } from "./foreign-call.ts";
import { missing, naming, rules, storeys } from "./foreign-checks.ts";
import { cobie, doors, duplicates, fire } from "./foreign-lists.ts";
import { ForeignModel } from "./foreign-model.ts";
import { rooms, takeoff } from "./foreign-sums.ts";
import type { Asked, Begun } from "./foreign-thread.ts";
import { call, loadModules, threadOf, type Value } from "./modules.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const FOREIGN = join(root, "fixtures/ifc/foreign");
const FILES = process.env.HOLDPOINT_FOREIGN ?? FOREIGN;
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
const SANDBOX = new WebAssembly.Module(
  readFileSync(join(root, "www/core/wasm/sandbox/sandbox_bg.wasm")),
);
const THREAD = threadOf("./foreign-thread.ts");
/** Files that are changed to what other programs write, or spoilt: only the example that must see it runs on them. */
const CHANGED: {
  name: string;
  file: string;
  example: string;
  change: (text: string) => string;
}[] = [
  {
    name: "with shared and malformed GlobalIds",
    file: "TallBuilding.ifc",
    example: "duplicate-ids",
    change: (text) => {
      const [door, other] = globalIds(text, "IFCDOOR");
      const [first, second, cut] = globalIds(text, "IFCWINDOW");
      return [other, first, second]
        .reduce((spoilt, id) => spoilt.replace(`'${id}'`, () => `'${door}'`), text)
        .replace(`'${cut}'`, () => `'${cut.slice(0, -1)}'`);
    },
  },
  ...Object.entries({
    "planned areas": {
      BaseQuantities: "Own",
      Dimensions: "Pset_SpaceCommon",
      Area: "NetPlannedArea",
    },
    "areas of the GSA": { BaseQuantities: "GSA Space Areas", NetFloorArea: "GSA BIM Area" },
    "dimensions of Revit": { BaseQuantities: "Own", Dimensions: "PSet_Revit_Dimensions" },
    dimensions: { BaseQuantities: "Own" },
  }).map(([name, names]) => ({
    name: `with ${name}`,
    file: "TallBuilding.ifc",
    example: "room-areas",
    change: (text: string) =>
      Object.entries(names).reduce(
        (all, [from, to]) => all.replaceAll(`'${from}'`, `'${to}'`),
        text,
      ),
  })),
];
/** Entries that answer no figures. */
const NO_FIGURES = ["missing.keep"];
/** Sums are equal where they differ by what the order of adding leaves. */
const DIGITS = 10;

/** One element, or neighbours of one model. */
interface Ref {
  expressId?: number;
  expressIds?: number[];
}

interface Outcome {
  value: unknown;
  failure: { code: string; message: string } | null;
  effects: {
    viewer: { op: string; refs?: Ref[]; color?: string; label?: string }[];
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

before(loadModules);

/** The entries that were called on some file. */
const called = new Set<string>();

/** A file as an example finds it, and as it is read here. */
class Opened {
  readonly model: ForeignModel;
  readonly #thread: Worker;

  constructor(name: string, bytes: Uint8Array) {
    this.model = new ForeignModel(name, bytes);
    const begun: Begun = { module: SANDBOX, name, bytes };
    this.#thread = new Worker(THREAD, { eval: true, workerData: begun });
  }

  /** What an example answers, in the realm that it has on this file. */
  async call(example: Example, asked: Call): Promise<Outcome> {
    const answer = once(this.#thread, "message");
    this.#thread.postMessage({
      example: example.name,
      program: prepared(example, asked),
    } satisfies Asked);
    return (await answer)[0];
  }

  close(): Promise<number> {
    return this.#thread.terminate();
  }
}

for (const path of files) {
  test(`the examples answer on ${relative(FILES, path)} what the file says`, async (t) => {
    const opened = new Opened(basename(path), readFileSync(path));
    t.after(() => opened.close());
    for (const example of examples)
      await t.test(`${example.name} answers what the file says`, () => hold(example, opened));
  });
}

for (const { name, file, example, change } of CHANGED) {
  test(`${example} answers on a file ${name} what the file says`, async (t) => {
    const bytes = new TextEncoder().encode(change(readFileSync(join(FOREIGN, file), "latin1")));
    const opened = new Opened(basename(file), bytes);
    t.after(() => opened.close());
    const found = examples.find((one) => one.name === example);
    assert.ok(found);
    await hold(found, opened);
  });
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

/** Calls an example in every way in which it answers figures. */
async function hold(example: Example, opened: Opened): Promise<void> {
  for (const asked of FACTS[example.name](opened.model)) {
    const { value, failure, effects } = await opened.call(example, asked);
    const what = `${idOf(asked)} ${JSON.stringify(asked.args ?? asked.options ?? null)}`;
    assert.equal(failure, null, what);
    if ("value" in asked) assert.deepEqual(rounded(figures(value)), rounded(asked.value), what);
    assert.deepEqual(seen(effects.viewer), asked.viewer ?? [], what);
    const saved = effects.exports.map(({ filename, text }) => ({ filename, text }));
    assert.deepEqual(saved, asked.exports ?? [], what);
    called.add(idOf(asked));
  }
}

const idOf = ({ command, exporter, lens, idsValidator }: Call): string =>
  command ?? exporter ?? lens ?? idsValidator ?? "";

/** By example and call: what the check prepares does not depend on the file. */
const programs = new Map<string, unknown>();

/** A call as a page has it prepared. */
function prepared({ name, files, manifest }: Example, asked: Call): unknown {
  const id = idOf(asked);
  const named = {
    ...(asked.command ? { command: { id, args: asked.args } } : {}),
    ...(asked.exporter ? { exporter: { id, options: asked.options } } : {}),
    ...(asked.lens ? { lens: { id } } : {}),
    ...(asked.idsValidator ? { idsValidator: { id } } : {}),
  };
  const key = JSON.stringify([name, named]);
  const known = programs.get(key);
  if (known) return known;
  const { program } = call("call.prepare", {
    kind: "ifc-extension",
    files,
    call: named,
    grants: manifest.capabilities,
    locale: "en",
    selection: [],
    storage: {},
  } as Value);
  assert.ok(program, `nothing is called ${id}`);
  programs.set(key, program);
  return program;
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
    ...(refs ? { refs: refs.flatMap((one) => one.expressIds ?? one.expressId ?? []) } : {}),
    ...(color ? { color } : {}),
    ...(typeof label === "string" ? { label } : {}),
  }));

/** The value with every number at the precision in which sums are compared. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_name, one) =>
      typeof one === "number" ? Number(one.toPrecision(DIGITS)) : one,
    ),
  );

/** The GlobalIds of the products of a class, in the order of the file. */
const globalIds = (text: string, keyword: string): string[] =>
  [...text.matchAll(new RegExp(`= ?${keyword}\\('([^']{22})'`, "g"))].map(([, id]) => id);
