// The page's side of the geometry's worker: what it does when a worker is lost with an element, or says nothing more.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { mesh } from "../../www/core/src/geometry/client.ts";
import type {
  GeometryRequest,
  GeometryResponse,
  MeshBatch,
} from "../../www/core/src/geometry/protocol.ts";

/** A worker that says what the test says. */
class Worker {
  static all: Worker[] = [];
  asked: GeometryRequest[] = [];
  ended = false;
  onmessage: ((event: { data: GeometryResponse }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;

  constructor() {
    Worker.all.push(this);
  }

  postMessage(request: GeometryRequest): void {
    this.asked.push(request);
  }

  terminate(): void {
    this.ended = true;
  }

  say(data: GeometryResponse): void {
    if (!this.ended) this.onmessage?.({ data });
  }

  begun(): void {
    this.say({ type: "begun", origin: [1, 2, 3], unit: 0.001 });
  }

  /** One element with a shape of its own. */
  drew(id: number, shape: number): void {
    const own = { shape, positions: new Float32Array(9), indices: new Uint32Array(3) };
    const batch: MeshBatch = {
      shapes: [{ ...own, edges: new Uint32Array() }],
      ids: Uint32Array.of(id),
      parts: Uint32Array.of(shape),
      places: new Float64Array(3),
      colours: new Float32Array(4),
      failed: [],
      done: [id],
    };
    this.say({ type: "batch", batch });
  }

  /** What it was asked to mesh. */
  get ids(): number[] {
    const [first] = this.asked;
    return first?.type === "begin" ? first.groups.flatMap(({ ids }) => ids) : [];
  }
}

Object.assign(globalThis, { Worker });
beforeEach(() => {
  Worker.all = [];
});

const GROUPS = [
  { storey: 1, ids: [11, 12, 13] },
  { storey: null, ids: [9] },
];

/** Begins, and notes what is said. */
function begun() {
  const heard = { shapes: [] as number[], parts: [] as number[], failed: [] as string[], ends: "" };
  const run = mesh(new Blob(), GROUPS, {
    begun: (origin, unit) => {
      heard.ends += `begun ${origin} ${unit};`;
    },
    batch: ({ shapes, parts, failed }) => {
      heard.shapes.push(...shapes.map(({ shape }) => shape));
      heard.parts.push(...parts);
      heard.failed.push(...failed.map(({ id, why }) => `${id} ${why}`));
    },
    done: () => {
      heard.ends += "done;";
    },
    failed: (message) => {
      heard.ends += `failed ${message};`;
    },
  });
  return { run, heard, worker: (n: number) => Worker.all[n] as unknown as Worker };
}

test("an element that ends the module is left out by a fresh worker, and shapes keep their numbers", () => {
  const { heard, worker } = begun();
  worker(0).begun();
  worker(0).drew(11, 0);
  worker(0).say({ type: "lost", id: 12 });
  assert.equal(worker(0).ended, true);
  assert.deepEqual(worker(1).ids, [13, 9]);
  worker(1).begun();
  worker(1).drew(13, 0);
  worker(1).drew(9, 1);
  worker(1).say({ type: "done" });
  assert.deepEqual(heard.shapes, [0, 1, 2]);
  assert.deepEqual(heard.parts, [0, 1, 2]);
  assert.deepEqual(heard.failed, ["12 LOST"]);
  assert.equal(heard.ends, "begun 1,2,3 0.001;done;");
  assert.equal(worker(1).ended, true, "a worker ends with its file");
});

test("a worker that says nothing more is followed by a careful one, which finds the element", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { heard, worker } = begun();
  t.mock.timers.tick(60_000);
  assert.equal(Worker.all.length, 1, "loading the module may take its time");
  worker(0).begun();
  worker(0).drew(11, 0);
  t.mock.timers.tick(21_000);
  assert.equal(worker(0).ended, true);
  assert.deepEqual(worker(1).ids, [12, 13, 9]);
  const [first] = worker(1).asked;
  assert.equal(first?.type === "begin" && first.careful, true);
  worker(1).begun();
  worker(1).drew(12, 0);
  t.mock.timers.tick(21_000);
  assert.deepEqual(heard.failed, ["13 SLOW"]);
  assert.deepEqual(worker(2).ids, [9]);
  worker(2).begun();
  worker(2).drew(9, 0);
  worker(2).say({ type: "done" });
  t.mock.timers.tick(60_000);
  assert.equal(Worker.all.length, 3);
  assert.deepEqual(heard.shapes, [0, 1, 2]);
});

test("a file that ends every worker ends, and what is left is listed", () => {
  const ids = Array.from({ length: 40 }, (_, i) => i + 1);
  let listed = 0;
  let done = 0;
  mesh(new Blob(), [{ storey: null, ids }], {
    begun: () => undefined,
    batch: ({ failed }) => {
      listed += failed.length;
    },
    done: () => {
      done += 1;
    },
    failed: () => assert.fail("it was begun"),
  });
  for (let n = 0; n < Worker.all.length; n += 1) {
    Worker.all[n]?.begun();
    Worker.all[n]?.say({ type: "lost", id: n + 1 });
  }
  assert.ok(Worker.all.length < 12, `${Worker.all.length} workers`);
  assert.deepEqual([listed, done], [40, 1]);
});

test("what is cancelled says nothing any more, and another order is passed on", () => {
  const { run, heard, worker } = begun();
  worker(0).begun();
  run.order([1]);
  assert.deepEqual(worker(0).asked.at(-1), { type: "order", storeys: [1] });
  run.cancel();
  assert.equal(worker(0).ended, true);
  worker(0).drew(11, 0);
  assert.deepEqual(heard.shapes, []);
});

test("a module that does not start is said once", () => {
  const { heard, worker } = begun();
  worker(0).onerror?.({ message: "no module", preventDefault: () => undefined });
  assert.equal(heard.ends, "failed no module;");
  assert.equal(worker(0).ended, true);
});
