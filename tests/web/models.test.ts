// Several models at once: their answers as one.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ColumnChoice,
  elementId,
  expressIdOf,
  type Found,
  type ModelClient,
  type ModelRow,
  modelPlaceOf,
} from "@holdpoint/core/types";
import { mergedChoices, mergedFound } from "../../www/core/src/model/merging.ts";
import { OpenModels } from "../../www/core/src/model/models.ts";

test("a number says the model and the expressId, for every model and the largest of ids", () => {
  for (const [place, id] of [
    [0, 1],
    [1, 1],
    [63, 2 ** 32 - 1],
  ] as const) {
    const element = elementId(place, id);
    assert.deepEqual([modelPlaceOf(element), expressIdOf(element)], [place, id]);
  }
  assert.equal(elementId(0, 42), 42, "a model alone has its express ids");
});

/** A client whose file has rows with these express ids. */
const clientOf = (hash: string, ids: number[]): ModelClient =>
  ({
    open: async (_: Blob, name: string) => ({ model_id: hash, name, problems: [] }),
    rows: async () => ids.map((id): Partial<ModelRow> => ({ id, storey_id: 9 })),
    tree: async () => [{ id: 9, type: "IfcProject", name: null, children: [] }],
    details: async (asked: number[]) => asked.map((id) => ({ id, name: hash })),
    close: () => undefined,
  }) as unknown as ModelClient;

test("models come and go beside each other, and each answers for its own elements", async () => {
  const clients = [clientOf("a", [1, 2]), clientOf("b", [2, 3])];
  const models = new OpenModels(() => clients.shift() ?? clientOf("c", [7]));
  const add = async (name: string, beside = true) =>
    models.take(
      await models.read(new Blob(), name, () => undefined, new AbortController().signal),
      beside,
    );
  const a = await add("a.ifc");
  const b = await add("b.ifc");
  assert.equal(models.active, a);
  const rows = await models.rows();
  assert.deepEqual(
    rows.map(({ id, storey_id }) => [
      modelPlaceOf(id),
      expressIdOf(id),
      expressIdOf(storey_id ?? 0),
    ]),
    [
      [0, 1, 9],
      [0, 2, 9],
      [1, 2, 9],
      [1, 3, 9],
    ],
  );
  const twos = [elementId(1, 2), elementId(0, 2)];
  assert.deepEqual(
    (await models.details(twos)).map(({ name }) => name),
    ["b", "a"],
    "in the order of the ids",
  );
  assert.deepEqual(
    (await models.tree()).map(({ name }) => name),
    ["a.ifc", "b.ifc"],
  );
  a.on = false;
  assert.deepEqual(
    (await models.rows()).map(({ id }) => id),
    [elementId(1, 2), elementId(1, 3)],
  );
  models.close(a);
  assert.equal(models.active, b);
  assert.deepEqual(
    (await models.tree()).map(({ type }) => type),
    ["IfcProject"],
  );
  const c = await add("c.ifc");
  assert.equal(c.place, 0, "a place that is free is taken again");
  await add("d.ifc", false);
  assert.deepEqual(
    models.all.map(({ facts }) => facts.name),
    ["d.ifc"],
  );
});

const choice = (set: string, count: number, unit: string | null = null): ColumnChoice => ({
  ...{ set, name: "FireRating", kind: "properties", unit, count, numbers: true },
});

test("columns of several models are one list, and a name of several sets is found in any", () => {
  const walls = choice("Pset_WallCommon", 5, "m");
  const doors = choice("Pset_DoorCommon", 3, "mm");
  const [any, ...single] = mergedChoices([
    [walls],
    [{ ...walls, count: 2 }, doors, choice("*", 4)],
  ]);
  assert.deepEqual([any?.set, any?.count, any?.unit], ["*", 9, null]);
  assert.deepEqual(any?.sets, [
    { set: "Pset_WallCommon", count: 7 },
    { set: "Pset_DoorCommon", count: 3 },
  ]);
  assert.deepEqual(
    single.map(({ count, unit }) => [count, unit]),
    [
      [7, "m"],
      [3, "mm"],
    ],
  );
});

test("what is found in several models is counted together", () => {
  const filter = { set: "", name: "Class", op: "=" as const, value: "IfcWall" };
  const query = { text: "w", filters: [filter] };
  const found = (marks: number[], n: number): Found => ({
    query,
    ...{ fits: Uint8Array.from(marks), texts: Uint8Array.from(marks) },
    suggestions: { properties: [], values: [{ filter, n }], contains: n },
  });
  const all = mergedFound(query, [found([1, 0], 1), found([0, 1, 1], 2)]);
  assert.deepEqual([...(all.fits ?? [])], [1, 0, 0, 1, 1]);
  assert.deepEqual(all.suggestions, {
    ...{ properties: [], values: [{ filter, n: 3 }], contains: 3 },
  });
});
