// What the elements compute without a page: filters, merged properties, bindings, states, fingerprints.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type {
  CellValue,
  DiffLine,
  ElementDetail,
  Hunk,
  ModelRow,
  TreeNode,
} from "@holdpoint/core/types";
import type { ChangeLine } from "../../www/elements/src/change/compare.ts";
import type { ChangeView } from "../../www/elements/src/change/view.ts";
import type { Ranks, SortKey, TableQuery } from "../../www/elements/src/model/table.ts";
import { modules } from "./source.ts";

let table: typeof import("../../www/elements/src/model/table.ts");
let storeys: typeof import("../../www/elements/src/model/storeys.ts");
let merge: typeof import("../../www/elements/src/model/merge.ts");
let binding: typeof import("../../www/elements/src/dock/binding.ts");
let units: typeof import("../../www/elements/src/dock/units.ts");
let view: typeof import("../../www/elements/src/change/view.ts");
let format: typeof import("../../www/elements/src/base/format.ts");
let texts: typeof import("../../www/elements/src/text/index.ts");
let compare: typeof import("../../www/elements/src/change/compare.ts");
let lines: typeof import("../../www/elements/src/diff/lines.ts");

before(async () => {
  [table, storeys, merge, binding, units, view, format, texts, compare, lines] = await modules<
    [
      typeof table,
      typeof storeys,
      typeof merge,
      typeof binding,
      typeof units,
      typeof view,
      typeof format,
      typeof texts,
      typeof compare,
      typeof lines,
    ]
  >(
    "model/table.ts",
    "model/storeys.ts",
    "model/merge.ts",
    "dock/binding.ts",
    "dock/units.ts",
    "change/view.ts",
    "base/format.ts",
    "text/index.ts",
    "change/compare.ts",
    "diff/lines.ts",
  );
});

interface Query extends TableQuery {
  sort: SortKey;
  down: boolean;
}

/** An element of which only the values count. */
const detail = {
  id: 1,
  type: "IfcWall",
  name: null,
  global_id: null,
  storey: null,
};

const rows: ModelRow[] = [
  { id: 1, type: "IfcWall", name: "W-10", global_id: "a", storey: "Ground" },
  { id: 2, type: "IfcDoor", name: null, global_id: "b", storey: null },
  { id: 3, type: "IfcWall", name: "W-2", global_id: null, storey: "Ground" },
];
const all: Query = {
  search: "",
  storeys: new Set(),
  types: new Set(),
  sort: "name",
  down: false,
};
/** Indices of the rows that a query leaves, as the table puts them together. */
const shown = (rows: ModelRow[], column: CellValue[], { sort, down, ...query }: Query) => {
  const values = table.keys(rows, [{ values: column }], sort);
  const ranks = table.ranked(values) as Ranks;
  return table.filtered(rows, table.ordered(values, ranks, down), query);
};

test("the table sorts as people count, and what is missing stands last both ways", () => {
  assert.deepEqual(shown(rows, [], all), [2, 0, 1]);
  assert.deepEqual(shown(rows, [], { ...all, down: true }), [0, 2, 1]);
});

test("the table is searched by name, type, GlobalId and #id, and filtered by storey and type", () => {
  const cases: [Partial<Query>, number[]][] = [
    [{ search: "w-2" }, [2]],
    [{ search: "ifcdoor" }, [1]],
    [{ search: "#2" }, [1]],
    [{ search: "A" }, [2, 0]],
    [{ storeys: new Set([null]) }, [1]],
    [{ types: new Set(["IfcWall"]), storeys: new Set(["Ground"]) }, [2, 0]],
  ];
  for (const [query, want] of cases)
    assert.deepEqual(shown(rows, [], { ...all, ...query }), want, JSON.stringify(query));
});

test("many different names are ranked in slices, in the order of few, and equal ones keep theirs", async () => {
  const names = Array.from({ length: 5_000 }, (_, i) =>
    i % 50 === 49 ? null : `Wall ${(i * 7919) % 4_500}`,
  );
  const slices = table.ranked(names);
  assert.ok(slices instanceof Promise, "what takes long is no single block");
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const order = (a: string | null, b: string | null, sign: number): number =>
    a === null || b === null
      ? Number(a === null) - Number(b === null)
      : sign * collator.compare(a, b);
  const want = (sign: number) =>
    names.map((_, i) => i).sort((a, b) => order(names[a], names[b], sign) || a - b);
  const ranks = await slices;
  assert.deepEqual(table.ordered(names, ranks, false), want(1));
  assert.deepEqual(table.ordered(names, ranks, true), want(-1));
});

test("the property column sorts numbers as numbers", () => {
  assert.deepEqual(shown(rows, [10, null, 9], { ...all, sort: 0 }), [2, 0, 1]);
});

test("filters over values narrow the table, and each chip counts what it would show", () => {
  const one = (...marks: number[]) => Uint8Array.from(marks);
  const query = { ...all, fits: one(1, 1, 0), texts: null };
  assert.deepEqual(shown(rows, [], query), [0, 1]);
  assert.deepEqual(shown(rows, [], { ...all, search: "x", texts: one(0, 1, 1) }), [2, 1]);
  const live = table.live(rows, { ...query, types: new Set(["IfcDoor"]) });
  assert.deepEqual([...live.byStorey], [[null, 1]]);
  assert.deepEqual(
    [...live.byType],
    [
      ["IfcWall", 1],
      ["IfcDoor", 1],
    ],
    "a type counts what it would show in place of the chosen one",
  );
});

test("storeys of one name are told apart: by building, inside one by elevation", () => {
  const storey = (id: number, name: string, elevation: number): TreeNode => ({
    ...{ id, type: "IfcBuildingStorey", name, elevation, children: [] },
  });
  const building = (id: number, name: string, children: TreeNode[]): TreeNode => ({
    ...{ id, type: "IfcBuilding", name, children },
  });
  const tree = [
    building(1, "A", [storey(2, "Level 1", 3), storey(3, "Roof", 6)]),
    building(4, "B", [storey(5, "Level 1", 3), storey(6, "Attic", 6), storey(7, "Attic", 9)]),
  ];
  const found = storeys.storeysOf(tree, [{ ...(rows[0] as ModelRow), storey_id: 2 }]);
  const names = storeys.storeyNames(found);
  assert.deepEqual(
    [...names].map(([key, name]) => [key, storeys.whole(name)]),
    [
      [3, "Roof"],
      [2, "A · Level 1"],
      [7, "Attic +9.00"],
      [6, "Attic +6.00"],
      [5, "B · Level 1"],
    ],
  );
});

test("several elements: values with who has them; areas, volumes and masses of one unit are summed", () => {
  const element = (id: number, rating: string | null, n: number, unit = "m²"): ElementDetail => ({
    ...{ ...detail, id },
    groups: [
      {
        ...{ name: "P", kind: "properties" as const },
        values: [
          { name: "Rating", value: rating },
          { name: "Number", value: n },
        ],
      },
      { name: "Q", kind: "quantities", values: [{ name: "Size", value: n, unit }] },
    ],
  });
  const [properties, quantities] = merge.merged([
    element(1, "EI 60", 2),
    element(2, "EI 60", 3),
    element(3, null, 4),
  ]);
  const [rating, number] = properties?.values ?? [];
  assert.deepEqual(rating, {
    ...{ name: "Rating", unit: null, sum: null, range: null },
    values: [{ value: "EI 60", ids: [1, 2] }],
    none: [3],
  });
  assert.deepEqual(
    [number?.sum, number?.range],
    [null, null],
    "a number of a name adds up to none",
  );
  assert.equal(quantities?.values[0]?.sum, 9);
  const sum = (unit: string, other = unit) =>
    merge.merged([element(1, "a", 1, unit), element(2, "a", 2, other)])[1]?.values[0]?.sum;
  for (const unit of ["m²", "m³", "mm²", "ft2", "SQUARE FOOT", "cubic yard", "kg"])
    assert.equal(sum(unit), 3, unit);
  assert.equal(sum("m²", "ft2"), null, "two units are no sum");
});

test("seven doors are not 14.7 m high in all: of lengths there is a range, and one of all stands alone", () => {
  const doors = (...heights: number[]) =>
    merge.merged(
      heights.map((value, id) => ({
        ...{ ...detail, id },
        groups: [
          {
            name: "Q",
            kind: "quantities" as const,
            values: [{ name: "Height", value, unit: "m" }],
          },
        ],
      })),
    )[0]?.values[0];
  const alike = doors(2.1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1);
  assert.deepEqual([alike?.sum, alike?.range, alike?.values[0]?.value], [null, null, 2.1]);
  const others = doors(2.1, 1.9, 2.4);
  assert.deepEqual([others?.sum, others?.range], [null, { from: 1.9, to: 2.4 }]);
});

test("bindings: what is a path, what is text", () => {
  const cases: [string, (string | number)[] | null][] = [
    ["$", []],
    ["$.rows[0].name", ["rows", 0, "name"]],
    ['$["a b"].c', ["a b", "c"]],
    ["$5", null],
    ["$.", null],
    ["plain", null],
    ["$$.x", null],
  ];
  for (const [text, want] of cases) assert.deepEqual(binding.parse(text), want, text);
  assert.equal(binding.words("$$5 each", {}), "$5 each");
  assert.equal(binding.words("$.nowhere.at.all", { a: 1 }), "");
});

test("bindings read own properties only, and write what was missing", () => {
  assert.equal(binding.read({}, ["constructor"]), undefined);
  assert.deepEqual(binding.write({ a: [1, 2] }, ["a", 1], 3), { a: [1, 3] });
  const written = binding.write({}, ["__proto__", "x"], 1);
  assert.equal(
    Object.getPrototypeOf(written),
    Object.prototype,
    "a binding cannot change a prototype",
  );
  assert.deepEqual(binding.filled({ id: "$.row.id", n: 1 }, { row: { id: 7 } }), { id: 7, n: 1 });
});

test("a title names a unit in brackets at its end, and nothing else in brackets is one", () => {
  const cases: [string, string, string | null][] = [
    ["Area (m²)", "Area", "m²"],
    ["Net area [m2]", "Net area", "m2"],
    ["U-value (W/(m²·K))", "U-value", "W/(m²·K)"],
    ["Flow (l/s)", "Flow", "l/s"],
    ["Width (FOOT)", "Width", "FOOT"],
    ["Area (net) (m²)", "Area (net)", "m²"],
    ["Doors (all)", "Doors (all)", null],
    ["Class (A)", "Class (A)", null],
    ["Walls (N)", "Walls (N)", null],
    ["(m)", "(m)", null],
    ["Area", "Area", null],
  ];
  for (const [title, label, unit] of cases)
    assert.deepEqual(units.titled(title), { label, unit }, title);
  assert.equal(units.measured(12.5, "m²"), "12.5\u00a0m²");
  assert.equal(units.measured(42.5, "%"), "42.5%");
  assert.deepEqual(units.measure({ name: "Width", value: 0.9, unit: "m" }), {
    value: 0.9,
    unit: "m",
  });
  for (const none of [null, 3, [], { value: "0.9", unit: "m" }, { value: 0.9, unit: null }])
    assert.equal(units.measure(none), null);
});

test("a signature can be given only when nothing is open", () => {
  const manifest = { id: "fire.coverage" };
  const weakened_tests = [{ name: "t", reason: "r" }];
  const review = { confirmation: "type", weakened_tests, diagnostics: [] };
  const base = {
    run: { state: "review" },
    screen: "change",
    stale: "",
    manifest,
    review,
    settled: true,
    typed: "",
    accepted: [],
  } as unknown as ChangeView;
  assert.deepEqual(view.openPoints(base), ["type", "tick"]);
  assert.equal(view.changeState(base), "confirm");
  const done: ChangeView = { ...base, typed: "fire.coverage", accepted: ["t"] };
  assert.equal(view.changeState(done), "review");
  const grants = { running: { done: 0, total: 1 } } as ChangeView["grants"];
  assert.deepEqual(view.openPoints({ ...done, grants }), ["test"]);
  const diagnostics = [{ code: "CAPABILITY_REQUIRED" }];
  const refused = { ...review, diagnostics } as unknown as ChangeView["review"];
  assert.deepEqual(view.openPoints({ ...done, review: refused }), ["grant"]);
  assert.equal(view.road(done, "review").gate, "waits");
  assert.equal(view.road(base, "confirm").gate, "closed");
});

test("fingerprints, money and plurals", () => {
  assert.equal(format.fingerprint("sha256:7c1e90abff"), "7C1E 90AB");
  assert.equal(format.amount({ tokens: 1, cost: 0 }, "USD"), "1 token");
  assert.equal(format.amount({ tokens: 38_000, cost: 0 }, "USD"), "38,000 tokens");
  assert.equal(format.amount({ tokens: 38_000, cost: 460_000 }, "USD"), "$0.46");
  assert.equal(format.minutes(69_000), "1:09");
  assert.equal(texts.t("run.tests_failed", { n: 1, of: 3 }), "1 of 3 tests failed");
});

test("a time of today stands alone, one of yesterday has its day, however few hours ago", () => {
  const noon = new Date(2026, 10, 21, 12).getTime();
  assert.equal(format.when(noon - 3_600_000, noon), "11:00");
  assert.match(format.when(noon - 14 * 3_600_000, noon), /^20 Nov 22:00$/);
});

test("a place that only adds stands behind the line that the engine names", () => {
  const line = (kind: DiffLine["kind"], text: string): DiffLine => ({ kind, text, eol: "lf" });
  const hunk: Hunk = {
    id: "3,0+4,2",
    old_start: 3,
    old_count: 0,
    new_start: 4,
    new_count: 2,
    lines: [line("insert", "a"), line("insert", "b")],
  };
  assert.equal(lines.start(hunk, "old"), 4);
  assert.deepEqual(
    lines.rows(hunk).map((row) => [row.old, row.now]),
    [
      [null, 4],
      [null, 5],
    ],
  );
  const both: Hunk = {
    id: "1,2+1,1",
    old_start: 1,
    old_count: 2,
    new_start: 1,
    new_count: 1,
    lines: [line("delete", "a"), line("delete", "b"), line("insert", "c")],
  };
  assert.deepEqual(
    lines.pairs(lines.rows(both)).map(({ left, right }) => [left?.line.text, right?.line.text]),
    [
      ["a", "c"],
      ["b", undefined],
    ],
  );
});

test("two signed changes of one extension are compared, the older first, by version or by number", () => {
  const line = (number: number, extension: string | null, version: string): ChangeLine => ({
    sub: "",
    at: 0,
    signed: true,
    result_hash: null,
    undo: null,
    id: String(number),
    number,
    title: `Doors ${version}`,
    extension,
    version,
  });
  const changes = [
    line(9, "walls", "0.1.0"),
    line(8, "doors", "0.2.0"),
    line(7, "doors", "0.1.0"),
    line(6, null, ""),
    line(5, "doors", "0.1.0"),
  ];
  const cases: [string[], object | null][] = [
    [["8", "7"], { name: "Doors", from: "0.1.0", to: "0.2.0" }],
    [["5", "7"], { name: "Doors", from: "change 5", to: "change 7" }],
    [["8", "9"], null],
    [["8"], null],
    [["6", "8"], null],
    [["5", "7", "8"], null],
    [[], null],
  ];
  const list = { extensions: [], changes, now: 0, compared: null, told: null };
  for (const [chosen, want] of cases)
    assert.deepEqual(compare.pair(list, chosen), want, chosen.join());
  assert.equal(compare.compares(list), true);
  assert.equal(compare.compares({ ...list, changes: changes.slice(0, 2) }), false);
});
