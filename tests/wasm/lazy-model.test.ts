// A model is read when it is asked for: what comes is what the text of the file says, and no message is large.
//
// What it says is read by the tests' own reader (`foreign-step.ts`, `foreign-model.ts`). `HOLDPOINT_SEED` draws others.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { CellValue, ElementDetail, TreeNode } from "@holdpoint/core/types";
import { Answers, type ModelModule } from "../../www/core/src/model/answers.ts";
import { type ModelQuestion, NOT_READ } from "../../www/core/src/model/protocol.ts";
import { ModelHandle } from "../../www/core/wasm/model/model.js";
import { manyElements } from "../many-elements.ts";
import { ForeignModel, type NamedSet, type Product } from "./foreign-model.ts";
import type { Value } from "./foreign-step.ts";
import { type Heard, heardClient, openIn } from "./model-worker.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/ifc", import.meta.url));
const SEED = Number(process.env.HOLDPOINT_SEED ?? 1);
/** Properties and quantities that are drawn of a file. */
const DRAWN = 60;
const ELEMENTS = 100_000;
/** What a message carries at most; a few milliseconds of the page's main thread. */
const BOUNDS = { rows: 2_000, tree: 5_000, column: 10_000, details: 50 };
const KINDS = ["IFCPROPERTYSET", "IFCELEMENTQUANTITY"] as const;

/** The same numbers for the same seed, below a limit. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A value of a file as a cell shows it; undefined for what is more than a value. */
function cell(value: Value): CellValue | undefined {
  if (Array.isArray(value)) {
    const parts = value.map(cell);
    return parts.length > 0 && parts.every((part) => part !== undefined && part !== null)
      ? parts.join(", ")
      : undefined;
  }
  if (typeof value !== "object" || value === null) return value;
  if (!("item" in value)) return undefined;
  return value.item === "U" ? "UNKNOWN" : value.item;
}

interface Drawn {
  of: Product;
  set: string;
  name: string;
  wanted: CellValue;
}

/** Members of sets of products with rows, drawn by chance; of some it is asked what another product has there. */
function drawn(model: ForeignModel, rows: ReadonlySet<number>): Drawn[] {
  const all = model.products.filter(({ id }) => rows.has(id));
  const owned = KINDS.flatMap((kind) =>
    all.flatMap((of) =>
      model.setsOf(of, kind).flatMap(({ name: set, members }: NamedSet) =>
        // What is no single value or list has none here.
        members.filter(({ value }) => value !== null).map(({ name }) => ({ of, set, name })),
      ),
    ),
  );
  if (owned.length === 0) return [];
  const next = dice(SEED);
  return Array.from({ length: DRAWN }, (_, n) => {
    const { of, set, name } = owned[next(owned.length)];
    return { of: n % 4 === 3 ? all[next(all.length)] : of, set, name };
  }).flatMap((one) => {
    const { of, set, name } = one;
    const wanted = cell(model.property(of, set, name) ?? model.quantity(of, set, name));
    return wanted === undefined ? [] : [{ ...one, wanted }];
  });
}

const shown = (detail: ElementDetail | undefined, { set, name }: Drawn): CellValue => {
  const groups = detail?.groups.filter((group) => group.name === set) ?? [];
  const values = groups.flatMap((group) => group.values.filter((one) => one.name === name));
  return values.find(({ value }) => value !== null)?.value ?? null;
};

const files = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ifc"),
);

for (const path of files.sort())
  test(`what is drawn of ${path} is what its text says, by column and by element`, async (t) => {
    const bytes = readFileSync(join(FIXTURES, path));
    const { client } = heardClient();
    await openIn(client, [bytes], path);
    const rows = await client.rows();
    const places = new Map(rows.map(({ id }, at) => [id, at]));
    const model = new ForeignModel(relative(FIXTURES, path), bytes);
    const asked = drawn(model, new Set(places.keys()));
    for (const one of asked) {
      const what = `${one.set}.${one.name} of #${one.of.id}`;
      const { values } = await client.column(one.set, one.name);
      assert.equal(values.length, rows.length);
      assert.equal(values[places.get(one.of.id) ?? -1], one.wanted, what);
      const [detail] = await client.details([one.of.id]);
      assert.equal(shown(detail, one), one.wanted, what);
    }
    t.diagnostic(`${asked.length} values`);
    client.close();
  });

test("the files have sets to draw from", () => {
  assert.ok(files.length > 15);
});

/** How many rows, lines, cells or elements a message carries; others carry what does not grow with the rows. */
function carried({ question, answer }: Heard): { n: number; most: number } {
  const lists = Object.values(answer as object).filter((one) => one instanceof Uint32Array);
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const of: Partial<Record<ModelQuestion["method"], { n: number; most: number }>> = {
    rows: { n: longest, most: BOUNDS.rows },
    tree: { n: longest, most: BOUNDS.tree },
    column: { n: longest, most: BOUNDS.column },
    details: { n: (answer as unknown[]).length, most: BOUNDS.details },
  };
  // The marks of a search are one buffer of bytes; nothing else has a part for each row.
  return of[question.method] ?? { n: parts(answer), most: 1_000 };
}

/** Values in an answer, those in its lists and objects with them; a buffer is one. */
function parts(value: unknown): number {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + parts(one), 1);
}

const nodesOf = (tree: TreeNode[]): number =>
  tree.reduce((sum, { children }) => sum + 1 + nodesOf(children), 0);

test("of 100,000 elements no message to the page carries more than its block", async () => {
  const { client, heard } = heardClient();
  const facts = await openIn(client, [...manyElements(ELEMENTS)], "many.ifc");
  assert.equal(facts.elements, ELEMENTS);
  const rows = await client.rows();
  assert.equal(rows.length, ELEMENTS);
  assert.equal(new Set(rows.map(({ id }) => id)).size, ELEMENTS);
  assert.deepEqual([rows[0].name, rows.at(-1)?.name], ["wall 0", `ductsegment ${ELEMENTS - 1}`]);
  assert.equal(nodesOf(await client.tree()), ELEMENTS + 52, "project, building, 50 storeys");
  const { values } = await client.column("Identity", "Mark");
  assert.deepEqual([values.length, values[4242]], [ELEMENTS, "M-4242"]);
  const area = await client.column("Qto_BaseQuantities", "NetArea");
  assert.deepEqual([area.values[71], area.unit, area.numbers], [1.25, "m²", true]);
  const some = rows.slice(0, 1_000).map(({ id }) => id);
  assert.equal((await client.details(some)).length, 1_000);
  assert.deepEqual(await client.preferred(["FireRating"]), {
    ...{ set: "*", name: "FireRating" },
  });
  const before = heard.length;
  assert.ok(heard.every(({ question }) => !["choices", "find"].includes(question.method)));
  const { texts } = await client.find({ text: "m-4242", filters: [] });
  assert.equal(
    texts?.reduce((sum, one) => sum + one, 0),
    11,
    "M-4242 and M-42420 to M-42429",
  );
  assert.ok((await client.choices()).length > 10);
  assert.ok(heard.length > before);
  const asked = new Set(heard.map(({ question }) => question.method));
  for (const method of Object.keys(BOUNDS)) assert.ok(asked.has(method as never), method);
  for (const one of heard) {
    const { n, most } = carried(one);
    assert.ok(n <= most, `${one.question.method} carries ${n}`);
  }
  client.close();
});

test("a file for which the module has no room is said to be too large for the device", async () => {
  class Full {
    constructor() {
      throw new Error("memory allocation failed");
    }
  }
  const module = { FileBytes: Full, ModelHandle, memory: new WebAssembly.Memory({ initial: 1 }) };
  const answers = new Answers(module as unknown as ModelModule);
  await assert.rejects(
    answers.open(new Blob(["ISO-10303-21;"]), "large.ifc", () => undefined),
    NOT_READ,
  );
});
