// Several models at once: their answers as one.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ColumnChoice,
  elementId,
  expressIdOf,
  type Found,
  type Json,
  type ModelClient,
  type ModelRow,
  modelPlaceOf,
  type Store,
} from "@holdpoint/core/types";
import { without } from "../../www/app/src/pages/model/colours.ts";
import { entitiesOf, globalIds } from "../../www/app/src/pages/model/entities.ts";
import { KeptModels } from "../../www/app/src/pages/model/kept-models.ts";
import { RecentFiles } from "../../www/app/src/pages/model/recent.ts";
import type { SavedFilters as SavedFiltersOf } from "../../www/app/src/pages/model/saved-filters.ts";
import { mergedChoices, mergedColumn, mergedFound } from "../../www/core/src/model/merging.ts";
import { type OpenModel, OpenModels } from "../../www/core/src/model/models.ts";
import { pageModules } from "./source.ts";

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

/** Two models with these names as ids, and how to add another. */
async function two() {
  const applied: unknown[] = [];
  const clients = ["a", "b", "c"].map((name) => ({
    ...clientOf(name, [1, 2]),
    apply: async (edits: unknown) => {
      applied.push([name, edits]);
      return { name, problems: [] };
    },
  })) as unknown as ModelClient[];
  const models = new OpenModels(() => clients.shift() ?? clientOf("d", []));
  const add = async (name: string) =>
    models.take(
      await models.read(new Blob(), name, () => undefined, new AbortController().signal),
      true,
    );
  return { models, add, applied, a: await add("a.ifc"), b: await add("b.ifc") };
}

test("extensions name elements by model and expressId, and see the models that are on", async () => {
  const { models, a, b } = await two();
  const second = elementId(1, 2);
  assert.equal(models.element({ modelId: "b", expressId: 2 }), second);
  assert.deepEqual(models.refs([second, 1]), [
    { modelId: "b", expressId: 2 },
    { modelId: "a", expressId: 1 },
  ]);
  for (const modelId of [undefined, "model-1"]) {
    assert.equal(models.element({ modelId, expressId: 2 }), 2, "as it was for one model");
    models.activate(b);
    assert.equal(models.element({ modelId, expressId: 2 }), second, "of the active model");
    models.activate(a);
  }
  assert.equal(models.element({ modelId: "c", expressId: 2 }), undefined, "no such model");
  b.on = false;
  assert.equal(models.element({ modelId: "b", expressId: 2 }), undefined);
  assert.deepEqual(models.refs([second, 1]), [{ modelId: "a", expressId: 1 }]);
  [a.on, b.on] = [false, true];
  const shown = models.forExtensions.map(({ id, on, active }) => [id, on, active]);
  assert.deepEqual(shown, [
    ["a", false, false],
    ["b", true, true],
  ]);
  assert.equal(models.element({ expressId: 2 }), second, "the active model is off");
  b.on = false;
  assert.equal(models.element({ expressId: 2 }), undefined, "none is on");
});

test("changes reach their own models, and a file that is opened once more is another one", async () => {
  const { models, add, applied, b } = await two();
  const edit = (id: number) => ({ id, before: null, after: `#${id}` });
  await models.apply([
    { modelId: "b", edits: [edit(1)] },
    { modelId: "gone", edits: [edit(2)] },
    { modelId: "b", edits: [edit(3)] },
  ]);
  assert.deepEqual(applied, [["b", [edit(1), edit(3)]]]);
  models.close(b);
  const again = await add("b.ifc");
  assert.equal(again.place, b.place);
  assert.notEqual(again.opening, b.opening);
});

test("a widget names elements by references, GlobalIds and numbers, and colours leave with their model", async () => {
  const { models } = await two();
  const [own, other] = [1, elementId(1, 1)];
  const rows = [own, other].map((id) => ({ id, global_id: `g${id}` })) as ModelRow[];
  const meant = models.element.bind(models);
  for (const [value, wanted] of [
    [{ modelId: "b", expressId: 1 }, [other]],
    [{ ref: { modelId: "b", expressId: 1 }, name: "B" }, [other]],
    [
      [
        { modelId: "b", expressId: 1 },
        { modelId: "a", expressId: 1 },
      ],
      [other, own],
    ],
    [{ modelId: "gone", expressId: 1 }, []],
    [`g${other}`, [other]],
    [{ globalId: `g${other}` }, [other]],
    [[1, { expressId: 1 }, "1"], [own]],
    [null, []],
  ] as const)
    assert.deepEqual(entitiesOf(value as Json, rows, meant), wanted, JSON.stringify(value));
  const refs = [{ modelId: "b", expressId: 1 }, null, { expressId: 1 }, { expressId: 9 }];
  assert.deepEqual(globalIds(refs, rows, meant), [`g${other}`, null, "g1", null]);
  const groups = [
    { color: "#ff0000", ids: [own, other] },
    { color: "#00ff00", ids: [other] },
  ];
  assert.deepEqual(without(groups, new Set([1])), [{ color: "#ff0000", ids: [own] }]);
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

/** What a device keeps, in memory. */
function deviceOf(): { store: Store; kept: Map<string, unknown> } {
  const kept = new Map<string, unknown>();
  const at = (area: string, key: string) => `${area} ${key}`;
  const store = {
    get: async (area: string, key: string) => kept.get(at(area, key)),
    put: async (area: string, key: string, value: unknown) => void kept.set(at(area, key), value),
    delete: async (area: string, key: string) => void kept.delete(at(area, key)),
    keys: async (area: string) =>
      [...kept.keys()].flatMap((key) =>
        key.startsWith(`${area} `) ? [key.slice(area.length + 1)] : [],
      ),
    update: async (area: string, key: string, change: (now: unknown) => unknown) => {
      kept.set(at(area, key), change(kept.get(at(area, key))));
      return kept.get(at(area, key));
    },
  };
  return { store: store as unknown as Store, kept };
}

test("what is open comes back with its order and what is off; a file that was closed leaves the device", async () => {
  const { store, kept } = deviceOf();
  const models = new KeptModels(store);
  const open = (id: string, on = true) =>
    ({ facts: { model_id: id, name: `${id}.ifc` }, file: new Blob([id]), on }) as OpenModel;
  await models.keep([open("a"), open("b"), open("c", false)]);
  await models.keep([open("c", false), open("b")]);
  const back = await new KeptModels(store).read();
  assert.deepEqual(
    back.map(({ name, on }) => [name, on]),
    [
      ["c.ifc", false],
      ["b.ifc", true],
    ],
  );
  assert.equal(await back[0]?.file.text(), "c");
  assert.deepEqual([...kept.keys()].sort(), ["models b", "models c", "settings open models"]);
});

test("recent files stand newest first, each once, and no more than eight", async () => {
  const { store } = deviceOf();
  const recent = new RecentFiles(store);
  for (const id of [..."abcdefghi", "b"]) await recent.opened(id, `${id}.ifc`, new Blob());
  const again = new RecentFiles(store);
  await again.load();
  assert.equal(again.all.map(({ id }) => id).join(""), "bihgfedc");
});

test("a filter that is saved under a name that stands is that filter; removed, it comes back", async () => {
  const { store } = deviceOf();
  Object.assign(globalThis, { navigator: { language: "en", languages: ["en"] } });
  type Module = { SavedFilters: typeof SavedFiltersOf };
  const [{ SavedFilters }] = await pageModules<[Module]>("pages/model/saved-filters.ts");
  const undone: (() => unknown)[] = [];
  const page = {
    draw: () => undefined,
    toast: (_: string, __: string, undo: () => unknown) => void undone.push(undo),
  };
  const saved = new SavedFilters(store, page);
  const filter = { text: "door", filters: [], types: ["IfcDoor"], storeys: [null], columns: [] };
  await saved.act({ act: "save", name: "Doors", filter });
  await saved.act({ act: "save", name: "Doors", filter: { ...filter, text: "exit" } });
  assert.deepEqual(
    saved.all.map(({ name, text }) => [name, text]),
    [["Doors", "exit"]],
  );
  const id = saved.all[0]?.id ?? "";
  await saved.act({ act: "rename", id, name: "Exits" });
  await saved.act({ act: "remove", id });
  assert.deepEqual(saved.all, []);
  await undone[0]?.();
  const again = new SavedFilters(store, page);
  await again.load();
  assert.deepEqual(again.all, [{ ...filter, text: "exit", id, name: "Exits" }]);
});

test("a file whose opening is cancelled while its rows come is closed, and nothing takes its place", async () => {
  let closed = 0;
  let refuse: (error: unknown) => void = () => undefined;
  const rows = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  const client = {
    ...clientOf("a", [1]),
    rows: () => rows,
    close: () => {
      closed += 1;
      refuse({ code: "CANCELLED" });
    },
  };
  const models = new OpenModels(() => client);
  const abort = new AbortController();
  const reading = models.read(new Blob(), "a.ifc", () => undefined, abort.signal);
  setTimeout(() => abort.abort());
  await assert.rejects(reading, { code: "CANCELLED" });
  assert.ok(closed > 0);
  assert.deepEqual(models.all, []);
});

test("a column of several models has the cells of all, and a unit where they agree", () => {
  const column = (values: (number | string | null)[], unit: string | null, numbers = true) => ({
    ...{ values, unit, numbers },
  });
  assert.deepEqual(mergedColumn([column([1, null], "m"), column([null], null, false)]), {
    ...{ values: [1, null, null], unit: "m", numbers: true },
  });
  assert.deepEqual(mergedColumn([column([1], "m"), column([2], "mm")]), {
    ...{ values: [1, 2], unit: null, numbers: true },
  });
  assert.equal(mergedColumn([column([1], "m"), column(["a"], null, false)]).numbers, false);
});

test("of several models the column is shown first that was looked for first", async () => {
  const clients = ["IsExternal", "Mark", "FireRating"].map((name) => ({
    ...clientOf(name, [1]),
    preferred: async () => ({ set: "Own", name }),
  }));
  const models = new OpenModels(() => clients.shift() ?? clientOf("d", []));
  for (const name of ["a", "b", "c"])
    models.take(
      await models.read(new Blob(), name, () => undefined, new AbortController().signal),
      true,
    );
  const names = ["FireRating", "IsExternal"];
  assert.deepEqual(await models.preferred(names), { set: "Own", name: "FireRating" });
  const [, , last] = models.all;
  if (last) last.on = false;
  assert.deepEqual(await models.preferred(names), { set: "Own", name: "IsExternal" });
});
