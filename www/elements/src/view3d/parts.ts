/** What is drawn: parts of elements, each a shape at its place, with what a pick and a box need of them. */
import type { MeshBatch } from "@holdpoint/core/geometry";
import { Bvh, meets, type Ray } from "./bvh.js";

type Three = [number, number, number];

export interface Shape {
  positions: Float32Array;
  indices: Uint32Array;
  edges: Uint32Array;
  /** Low x, y, z, then high. */
  box: number[];
  /** Over its triangles; made when somebody first points at it. */
  triangles: Bvh | null;
}

export interface Part {
  /** Its number, from 0 in the order in which parts came. */
  n: number;
  /** The element's express id. */
  id: number;
  shape: Shape;
  /** Metres from the view's origin. */
  at: Three;
  /** What the file says, 0 to 1; null where it says nothing. */
  colour: [number, number, number, number] | null;
}

/** Where a ray meets a part. */
export interface Hit {
  part: Part;
  /** Metres from the view's origin. */
  point: Three;
}

/** Triangles from which a shape has a tree of its own. */
const MANY_TRIANGLES = 64;

export class Parts {
  readonly all: Part[] = [];
  readonly #of = new Map<number, Part[]>();
  readonly #shapes = new Map<number, Shape>();
  #tree: Bvh | null = null;
  /** Around everything; infinite the wrong way round while there is nothing. */
  readonly #bounds = empty();
  /** The first part's place: numbers stay small on the GPU. */
  #origin: Three | null = null;

  of(id: number): readonly Part[] {
    return this.#of.get(id) ?? [];
  }

  add(batch: MeshBatch): Part[] {
    for (const { shape, positions, indices, edges } of batch.shapes)
      this.#shapes.set(shape, {
        positions,
        indices,
        edges,
        box: boxOf(positions),
        triangles: null,
      });
    const added: Part[] = [];
    for (let i = 0; i < batch.parts.length; i += 1) {
      const shape = this.#shapes.get(batch.parts[i] ?? -1);
      if (!shape) continue;
      const id = batch.ids[i] ?? 0;
      const part: Part = {
        n: this.all.length,
        id,
        shape,
        at: this.#placed(batch.places.subarray(i * 3, i * 3 + 3)),
        colour: coloured(batch.colours.subarray(i * 4, i * 4 + 4)),
      };
      this.all.push(part);
      added.push(part);
      grow(this.#bounds, boxAt(part));
      const same = this.#of.get(id);
      if (same) same.push(part);
      else this.#of.set(id, [part]);
    }
    if (added.length > 0) this.#tree = null;
    return added;
  }

  /** Where the view's origin lies from that of the geometry, in metres. */
  get origin(): Three {
    return this.#origin ?? [0, 0, 0];
  }

  /** The box around everything, in metres from the view's origin; null where there is nothing. */
  get bounds(): readonly number[] | null {
    return this.all.length > 0 ? this.#bounds : null;
  }

  /** The box around parts, in metres from the view's origin; null where there are none. */
  box(parts: Iterable<Part>): number[] | null {
    const around = empty();
    for (const part of parts) grow(around, boxAt(part));
    return around[0] === Number.POSITIVE_INFINITY ? null : around;
  }

  /** The nearest part on a ray, of those that `seen` says are there at that point. */
  pick(ray: Ray, seen: (part: Part, point: Three) => boolean): Hit | null {
    this.#tree ??= new Bvh(this.all.flatMap(boxAt));
    let nearest = Number.POSITIVE_INFINITY;
    let found: Hit | null = null;
    this.#tree.nearest(ray, (n) => {
      const part = this.all[n];
      if (!part) return nearest;
      eachTriangle(part, ray, (distance) => {
        const point = along(ray, distance);
        if (distance >= nearest || !seen(part, point)) return false;
        nearest = distance;
        found = { part, point };
        return true;
      });
      return nearest;
    });
    return found;
  }

  #placed(at: Float64Array): Three {
    const place: Three = [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0];
    this.#origin ??= place;
    const [x, y, z] = this.#origin;
    return [place[0] - x, place[1] - y, place[2] - z];
  }
}

/** Tells of the triangles of a part on a ray; `taken` says whether one counts. */
function eachTriangle({ shape, at }: Part, ray: Ray, taken: (distance: number) => boolean): void {
  const { positions, indices } = shape;
  const origin = [0, 1, 2].map((k) => (ray.origin[k] ?? 0) - (at[k] ?? 0)) as Three;
  const own: Ray = { origin, direction: ray.direction };
  const corner = (i: number): Three => {
    const v = (indices[i] ?? 0) * 3;
    return [positions[v] ?? 0, positions[v + 1] ?? 0, positions[v + 2] ?? 0];
  };
  const test = (triangle: number): number => {
    const [a, b, c] = [0, 1, 2].map((k) => corner(triangle * 3 + k)) as [Three, Three, Three];
    const distance = meets(own, a, b, c);
    return distance < Number.POSITIVE_INFINITY && taken(distance)
      ? distance
      : Number.POSITIVE_INFINITY;
  };
  const count = indices.length / 3;
  if (count < MANY_TRIANGLES) {
    for (let i = 0; i < count; i += 1) test(i);
    return;
  }
  shape.triangles ??= new Bvh(
    Array.from({ length: count }, (_, i) => {
      const box = empty();
      for (let k = 0; k < 3; k += 1) {
        const one = corner(i * 3 + k);
        grow(box, [...one, ...one]);
      }
      return box;
    }).flat(),
  );
  shape.triangles.nearest(own, test);
}

const along = ({ origin, direction }: Ray, distance: number): Three =>
  [0, 1, 2].map((k) => (origin[k] ?? 0) + (direction[k] ?? 0) * distance) as Three;

function coloured(rgba: Float32Array): Part["colour"] {
  const [r = 0, g = 0, b = 0, a = -1] = rgba;
  return a < 0 ? null : [r, g, b, a];
}

const empty = (): number[] => [
  ...Array(3).fill(Number.POSITIVE_INFINITY),
  ...Array(3).fill(Number.NEGATIVE_INFINITY),
];

function grow(box: number[], by: readonly number[]): void {
  for (let k = 0; k < 3; k += 1) {
    box[k] = Math.min(box[k] ?? 0, by[k] ?? 0);
    box[k + 3] = Math.max(box[k + 3] ?? 0, by[k + 3] ?? 0);
  }
}

function boxOf(positions: Float32Array): number[] {
  const box = empty();
  for (let i = 0; i < positions.length; i += 1) {
    const k = i % 3;
    const x = positions[i] ?? 0;
    box[k] = Math.min(box[k] ?? 0, x);
    box[k + 3] = Math.max(box[k + 3] ?? 0, x);
  }
  return box;
}

export const boxAt = ({ shape, at }: Part): number[] =>
  shape.box.map((x, k) => x + (at[k % 3] ?? 0));
