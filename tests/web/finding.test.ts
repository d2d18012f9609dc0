// What is found over every value of a model, and what a packed file may be.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import type { CellValue, ModelOpenError, ModelRow, ValueFilter } from "@holdpoint/core/types";
import { find } from "../../www/core/src/model/find.ts";
import { isPacked, mostBytes, unpack } from "../../www/core/src/model/ifczip.ts";
import { readValues } from "../../www/core/src/model/reading.ts";
import type { ValueBlock } from "../../www/core/src/model/values.ts";

type Head = ValueBlock["columns"][number];
const property = (set: string): Head => ({
  ...{ set, name: "FireRating", kind: "properties", unit: null },
});
const RATED = property("Pset_WallCommon");
const DOOR = property("Pset_DoorCommon");
const EXIT: Head = { ...DOOR, name: "FireExit" };
const AREA: Head = { set: "Qto_Wall", name: "NetSideArea", kind: "quantities", unit: "m²" };
const MATERIAL: Head = { set: "", name: "Material", kind: "relations", unit: null };

const elements = ["IfcWall", "IfcWall", "IfcDoor", "IfcDoor"].map(
  (type, i): ModelRow => ({
    ...{ id: i + 1, type, name: `${type.slice(3)} ${i + 1}` },
    ...{ global_id: `guid${i + 1}`, storey: "Level 1", storey_id: 9 },
  }),
);
const cells: [number, Head, CellValue][] = [
  [0, RATED, "REI 60"],
  [0, AREA, 12.5],
  [0, MATERIAL, "Brick"],
  [1, AREA, 20],
  [2, DOOR, "EI 30"],
  [3, EXIT, true],
];
/** As the module gives them: a block of some rows. */
const block = (from: number, to: number): ValueBlock => {
  const own = cells.filter(([row]) => row >= from && row < to);
  return {
    columns: own.map(([, head]) => head),
    values: own.map(([, , value]) => value),
    row: own.map(([row]) => row),
    column: own.map((_, i) => i),
    value: own.map((_, i) => i),
  };
};
const values = await readValues({ rows: () => elements, values: block });

const on = (marks: Uint8Array | null) =>
  marks && elements.filter((_, i) => marks[i] === 1).map(({ id }) => id);
const texts = (text: string) => on(find(values, { text, filters: [] }).texts);
const fits = (...filters: ValueFilter[]) => on(find(values, { text: "", filters }).fits);

test("words are found in names, types, GlobalIds, every property and what an element is made of", () => {
  const cases: [string, number[]][] = [
    ["wall 2", [2]],
    ["ifcdoor", [3, 4]],
    ["GUID3", [3]],
    ["rei", [1]],
    ["brick", [1]],
    ["#4", [4]],
    ["nowhere", []],
  ];
  for (const [text, want] of cases) assert.deepEqual(texts(text), want, text);
});

test("filters keep to a set or to any, and to what is missing", () => {
  const rating = { set: "*", name: "FireRating" };
  const area = { set: "Qto_Wall", name: "NetSideArea" };
  assert.deepEqual(fits({ ...rating, op: "none", value: null }), [2, 4]);
  assert.deepEqual(fits({ ...rating, set: "Pset_DoorCommon", op: "some", value: null }), [3]);
  assert.deepEqual(fits({ ...rating, op: "=", value: "rei 60" }), [1]);
  assert.deepEqual(
    fits({ ...rating, op: "≠", value: "REI 60" }),
    [3],
    "what has none is not unlike",
  );
  assert.deepEqual(fits({ ...area, op: ">", value: 12.5 }), [2]);
  assert.deepEqual(fits({ ...area, op: "=", value: "12.5" }), [1]);
  const wall: ValueFilter = { set: "", name: "Class", op: "=", value: "IfcWall" };
  assert.deepEqual(fits(wall, { ...rating, op: "none", value: null }), [2]);
});

test("columns come most filled first, and a name of several sets stands for any of them", () => {
  const listed = values.choices().map(({ set, name, count }) => [set, name, count]);
  assert.deepEqual(listed[0], ["", "GlobalId", 4]);
  const rating = values.choices().filter(({ name }) => name === "FireRating");
  assert.deepEqual(
    rating.map(({ set, count }) => [set, count]),
    [
      ["*", 2],
      ["Pset_DoorCommon", 1],
      ["Pset_WallCommon", 1],
    ],
  );
  assert.deepEqual(values.cells("*", "FireRating"), ["REI 60", null, "EI 30", null]);
  const area = values.choices().find(({ name }) => name === "NetSideArea");
  assert.deepEqual([area?.unit, area?.numbers, area?.count], ["m²", true, 2]);
});

test("a text is offered what it may mean, counted within the filters that are set", () => {
  const wall: ValueFilter = { set: "", name: "Class", op: "=", value: "IfcWall" };
  const offered = find(values, { text: "fire", filters: [wall] }).suggestions;
  assert.deepEqual(
    offered.properties.map(({ set, name }) => `${set} ${name}`),
    [
      "* FireRating",
      "Pset_DoorCommon FireExit",
      "Pset_DoorCommon FireRating",
      "Pset_WallCommon FireRating",
    ],
  );
  assert.deepEqual(
    offered.values.map(({ filter, n }) => [filter.op, n]),
    [["none", 1]],
  );
  const begun = find(values, { text: "FireRating = ", filters: [] }).suggestions.values;
  assert.deepEqual(
    begun.map(({ filter, n }) => [filter.value, filter.op, n]),
    [
      ["REI 60", "=", 1],
      ["EI 30", "=", 1],
      [null, "none", 2],
    ],
  );
  const [typed] = find(values, { text: "netsidearea >= 12,5", filters: [] }).suggestions.values;
  assert.deepEqual([typed?.filter.op, typed?.filter.value, typed?.n], ["≥", 12.5, 2]);
});

interface Packed {
  name: string;
  text: string;
  flags?: number;
  /** What the directory says of its size. */
  size?: number;
}

/** A ZIP file, as small as can be. */
function zipped(files: Packed[]): Blob {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, flags = 0, size = text.length } of files) {
    const data = deflateRawSync(text);
    const title = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(local, title, data);
    directory.push(entry, title);
    at += local.length + title.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return new Blob([Buffer.concat([...parts, ...directory, end])]);
}

const refused = async (files: Packed[], limit?: number): Promise<ModelOpenError["details"]> => {
  try {
    await unpack(zipped(files), () => undefined, limit);
  } catch (error) {
    return (error as ModelOpenError).details;
  }
  return assert.fail("it was opened");
};

test("a packed model is unpacked, and tells how far it is", async () => {
  const text = "ISO-10303-21;\n".repeat(50_000);
  const file = zipped([
    { name: "notes/read me.txt", text: "hello" },
    { name: "__MACOSX/._Tower.ifc", text: "" },
    { name: "models/Tower.IFC", text },
  ]);
  assert.equal(await isPacked(file), true);
  assert.equal(await isPacked(new Blob(["ISO-10303-21;"])), false);
  const told: number[] = [];
  const { name, bytes } = await unpack(file, (read, total) => told.push(read / total));
  assert.deepEqual([name, Buffer.from(bytes).toString()], ["Tower.IFC", text]);
  assert.equal(told.at(-1), 1);
});

test("what no model can be read of says why before a byte is unpacked", async () => {
  const ifc = { name: "a.ifc", text: "ISO-10303-21;" };
  assert.equal((await refused([{ name: "a.txt", text: "" }]))?.reason, "zip_none");
  const several = await refused([ifc, { ...ifc, name: "b.ifc" }]);
  assert.deepEqual([several?.reason, several?.names], ["zip_several", ["a.ifc", "b.ifc"]]);
  assert.equal((await refused([{ ...ifc, flags: 1 }]))?.reason, "zip_encrypted");
  const large = await refused([ifc], 10);
  assert.deepEqual([large?.reason, large?.size, large?.limit], ["too_large", 13, 2_000_000_000]);
  assert.equal((await refused([{ ...ifc, size: 5 }]))?.reason, "zip_broken", "more than it said");
  assert.equal((await refused([{ ...ifc, size: 50 }]))?.reason, "zip_broken", "less than it said");
  const cut = zipped([ifc]);
  const half = unpack(cut.slice(0, cut.size - 40), () => undefined);
  await assert.rejects(half, (error: ModelOpenError) => error.details?.reason === "zip_broken");
});

test("what a tab holds is a share of what its device has, as far as that is told", () => {
  const most = [{}, { deviceMemory: 8 }, { deviceMemory: 4 }, { deviceMemory: 0.5 }].map(mostBytes);
  assert.deepEqual(most, [2_000_000_000, 2_000_000_000, 2 ** 30, 2 ** 27]);
});
