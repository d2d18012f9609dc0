// What the 3D view reckons without a page: trees of boxes, picks, edges, measured points, the order of reading.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { MeshBatch } from "@holdpoint/core/geometry";
import { edgesOf } from "../../www/core/src/geometry/edges.ts";
import { Queue } from "../../www/core/src/geometry/queue.ts";
import type { ModelRow, TreeNode } from "../../www/core/src/types.ts";
import type { Ray } from "../../www/elements/src/view3d/bvh.ts";
import { modules, pageModules } from "./source.ts";

let bvh: typeof import("../../www/elements/src/view3d/bvh.ts");
let parts: typeof import("../../www/elements/src/view3d/parts.ts");
let snap: typeof import("../../www/elements/src/view3d/snap.ts");
let units: typeof import("../../www/elements/src/view3d/units.ts");
let texts: typeof import("../../www/elements/src/text/index.ts");
let groups: typeof import("../../www/app/src/pages/model/mesh-groups.ts");

before(async () => {
  [bvh, parts, snap, units, texts] = await modules<
    [typeof bvh, typeof parts, typeof snap, typeof units, typeof texts]
  >("view3d/bvh.ts", "view3d/parts.ts", "view3d/snap.ts", "view3d/units.ts", "text/index.ts");
  [groups] = await pageModules<[typeof groups]>("pages/model/mesh-groups.ts");
});

type Three = [number, number, number];

/** Numbers from 0 to 1 that are the same in every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** A cube of that size with one corner at zero: 12 triangles of 8 vertices. */
const cube = (size: number) => ({
  positions: Float32Array.from(
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, i >> 2].map((x) => x * size)),
  ),
  indices: Uint32Array.from(
    [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
    ].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  ),
});

/** Cubes at places: one shape, an element each. */
function batchOf(places: Three[], size: number): MeshBatch {
  const shape = cube(size);
  return {
    shapes: [{ shape: 0, ...shape, edges: edgesOf(shape.positions, shape.indices) }],
    ids: Uint32Array.from(places, (_, i) => 100 + i),
    parts: new Uint32Array(places.length),
    places: Float64Array.from(places.flat()),
    colours: Float32Array.from(places.flatMap(() => [0, 0, 0, -1])),
    failed: [],
    done: places.map((_, i) => 100 + i),
  };
}

test("the nearest of many boxes is the one that asking all of them finds", () => {
  const roll = dice(7);
  const boxes = Array.from({ length: 500 }, () => {
    const at = [roll() * 50, roll() * 50, roll() * 50];
    return [...at, ...at.map((x) => x + roll() * 2)];
  });
  const tree = new bvh.Bvh(boxes.flat());
  // A box is hit where its diagonal plane is: two triangles across it.
  const distance = (ray: Ray, i: number): number => {
    const [ax, ay, az, bx, by, bz] = boxes[i] ?? [];
    const corners: Three[] = [
      [ax, ay, az],
      [bx, ay, az],
      [bx, by, bz],
      [ax, by, bz],
    ];
    const [a, b, c, d] = corners;
    return Math.min(bvh.meets(ray, a, b, c), bvh.meets(ray, a, c, d));
  };
  let hits = 0;
  for (let n = 0; n < 300; n += 1) {
    const ray: Ray = {
      origin: [roll() * 60 - 5, roll() * 60 - 5, -10],
      direction: [roll() - 0.5, roll() - 0.5, 1],
    };
    let asked = 0;
    let found = Number.POSITIVE_INFINITY;
    tree.nearest(ray, (i) => {
      asked += 1;
      const at = distance(ray, i);
      found = Math.min(found, at);
      return at;
    });
    const wanted = Math.min(...boxes.map((_, i) => distance(ray, i)));
    assert.equal(found, wanted);
    assert.ok(asked < 100, `${asked} of 500 boxes were asked`);
    hits += Number(wanted < Number.POSITIVE_INFINITY);
  }
  assert.ok(hits > 30, `${hits} rays hit`);
});

test("a tree of nothing is asked in vain", () => {
  const ray: Ray = { origin: [0, 0, 0], direction: [0, 0, 1] };
  new bvh.Bvh([]).nearest(ray, () => assert.fail("there is nothing"));
});

test("a pick takes the nearest part that is seen, where it is seen, far from zero too", () => {
  const far = 400_000;
  const all = new parts.Parts();
  const places: Three[] = [0, 10, 20].map((x) => [far + x, far, 5]);
  all.add(batchOf(places, 2));
  const ray: Ray = { origin: [-50, 1, 1], direction: [1, 0, 0] };
  const first = all.pick(ray, () => true);
  assert.equal(first?.part.id, 100);
  assert.deepEqual(first?.point, [0, 1, 1], "the view's origin is the first part's place");
  assert.equal(all.pick(ray, (part) => part.id !== 100)?.part.id, 101, "what is hidden is not hit");
  const cut = all.pick(ray, (_, [x]) => x > 11);
  assert.equal(cut?.part.id, 101);
  assert.equal(cut?.point[0], 12, "of what is cut open the far side is hit");
  assert.equal(
    all.pick({ ...ray, origin: [-50, 5, 1] }, () => true),
    null,
  );
  assert.deepEqual(all.bounds, [0, 0, 0, 22, 2, 2]);
});

test("parts that come later are picked too", () => {
  const all = new parts.Parts();
  all.add(batchOf([[0, 0, 0]], 1));
  const ray: Ray = { origin: [50.5, 0.5, 9], direction: [0, 0, -1] };
  assert.equal(
    all.pick(ray, () => true),
    null,
  );
  const more = batchOf([[50, 0, 0]], 1);
  all.add({ ...more, shapes: [], ids: Uint32Array.of(7) });
  assert.equal(all.pick(ray, () => true)?.part.id, 7);
});

test("a shape of many triangles is hit where asking all of them hits it", () => {
  const roll = dice(3);
  const size = 24;
  const height = Array.from({ length: (size + 1) ** 2 }, () => roll());
  const positions = Float32Array.from(
    height.flatMap((z, i) => [i % (size + 1), Math.floor(i / (size + 1)), z]),
  );
  const indices = Uint32Array.from(
    Array.from({ length: size * size }, (_, i) => {
      const a = Math.floor(i / size) * (size + 1) + (i % size);
      return [a, a + 1, a + size + 2, a, a + size + 2, a + size + 1];
    }).flat(),
  );
  const all = new parts.Parts();
  const batch = batchOf([[0, 0, 0]], 1);
  all.add({ ...batch, shapes: [{ shape: 0, positions, indices, edges: new Uint32Array() }] });
  for (let n = 0; n < 50; n += 1) {
    const ray: Ray = {
      origin: [roll() * size, roll() * size, 10],
      direction: [roll() / 9, roll() / 9, -1],
    };
    const corner = (i: number): Three => [0, 1, 2].map((k) => positions[i * 3 + k]) as Three;
    let wanted = Number.POSITIVE_INFINITY;
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => corner(indices[i + k]));
      wanted = Math.min(wanted, bvh.meets(ray, a, b, c));
    }
    const hit = all.pick(ray, () => true);
    assert.equal(hit === null, wanted === Number.POSITIVE_INFINITY);
    if (hit) assert.ok(Math.abs(hit.point[2] - (10 - wanted)) < 1e-9);
  }
});

test("a cube has twelve edges, also where each face has vertices of its own", () => {
  const { positions, indices } = cube(3);
  assert.equal(edgesOf(positions, indices).length, 24);
  const apart = Float32Array.from(
    [...indices].flatMap((i) => [...positions.subarray(i * 3, i * 3 + 3)]),
  );
  const own = Uint32Array.from(indices, (_, i) => i);
  assert.equal(edgesOf(apart, own).length, 24);
});

test("a face that nobody has beside it ends in edges, and what is flat has none inside", () => {
  const positions = Float32Array.of(0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 4, 0);
  const edges = edgesOf(positions, Uint32Array.of(0, 1, 2, 0, 2, 3));
  const pairs = Array.from({ length: edges.length / 2 }, (_, i) =>
    [...edges.subarray(i * 2, i * 2 + 2)].sort().join(),
  );
  assert.deepEqual(pairs.sort(), ["0,1", "0,3", "1,2", "2,3"]);
});

test("a measured point takes the corner, else the edge, else the face, as the pixels say", () => {
  const all = new parts.Parts();
  all.add(batchOf([[0, 0, 0]], 1));
  const part = all.all[0];
  // Looked at from above, 100 pixels a metre.
  const spot = ([x, y]: Three): [number, number] => [x * 100, y * 100];
  const at = (point: Three) => snap.snapped({ part, point }, spot(point), spot);
  assert.deepEqual(at([0.05, 0.08, 1]), { at: [0, 0, 1], id: 100, kind: "corner" });
  assert.deepEqual(at([0.5, 0.04, 1]), { at: [0.5, 0, 1], id: 100, kind: "edge" });
  assert.deepEqual(at([0.5, 0.4, 1]), { at: [0.5, 0.4, 1], id: 100, kind: "face" });
});

test("lengths are in the unit of the file", () => {
  assert.equal(units.length(1, 12.8), "12.8 m");
  assert.equal(units.length(0.001, 12.8), "12,800 mm");
  assert.equal(units.length(0.3048, 3.048), "10 ft");
  assert.equal(units.length(1, 1.5, 0, -0.25), "1.5 · 0 · −0.25 m");
  assert.equal(units.length(1, -0.00001), "0 m", "there is no minus nothing");
  assert.equal(units.length(0.7, 7), "7 m", "a unit that has no sign here is said in metres");
  texts.setLanguage("sv");
  assert.equal(units.length(1, 12.8), "12,8 m");
  texts.setLanguage("en");
});

test("elements are read storey by storey, in an order that may change on the way", () => {
  const queue = new Queue([
    { storey: 1, ids: [11, 12] },
    { storey: 2, ids: [21, 22] },
    { storey: null, ids: [9] },
  ]);
  queue.order([2, 1]);
  assert.equal(queue.next(), 21);
  queue.order([1, 2]);
  assert.deepEqual(queue.without(new Set([12])), [
    { storey: 1, ids: [11] },
    { storey: 2, ids: [22] },
    { storey: null, ids: [9] },
  ]);
  assert.deepEqual([queue.next(), queue.next(), queue.next()], [11, 12, 22]);
  assert.deepEqual([queue.next(), queue.next()], [9, undefined]);
});

test("every element is asked for once, under its storey; openings and spaces never", () => {
  const node = (id: number, type: string, ...children: TreeNode[]): TreeNode => ({
    ...{ id, type, name: null, children },
  });
  const tree = [
    node(
      1,
      "IfcProject",
      node(
        2,
        "IfcSite",
        node(
          3,
          "IfcBuildingStorey",
          node(10, "IfcWall"),
          node(11, "IfcSpace", node(12, "IfcDoor")),
          node(13, "IfcOpeningElement"),
        ),
      ),
    ),
  ];
  const row = (id: number, type: string): ModelRow => ({
    ...{ id, type, name: null, global_id: null, storey: null },
  });
  const rows = [row(10, "IfcWall"), row(20, "IfcBeam"), row(21, "IfcSpace")];
  assert.deepEqual(groups.groupsOf(tree, rows), [
    { storey: 3, ids: [3, 10, 12] },
    { storey: null, ids: [1, 2, 20] },
  ]);
});
