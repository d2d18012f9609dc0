/** A tree of boxes: which of many things a ray may hit, nearest box first. */

/** Things below which a box is not divided again. */
const LEAF = 4;
/** Numbers of a box: low x, y, z, then high. */
const BOX = 6;

export interface Ray {
  origin: readonly [number, number, number];
  direction: readonly [number, number, number];
}

export class Bvh {
  readonly #order: Uint32Array;
  /** Boxes of the nodes, side by side. */
  readonly #boxes: number[] = [];
  /** Where a node's things begin and end in the order. */
  readonly #spans: [number, number][] = [];
  /** The two nodes below a node; null for a leaf. */
  readonly #below: ([number, number] | null)[] = [];

  /** `boxes` holds six numbers a thing. */
  constructor(private readonly boxes: ArrayLike<number>) {
    this.#order = Uint32Array.from({ length: boxes.length / BOX }, (_, i) => i);
    if (this.#order.length > 0) this.#build(0, this.#order.length);
  }

  /** Asks `hit` for the distance of things whose box the ray meets; what lies behind the nearest so far is left out. */
  nearest(ray: Ray, hit: (thing: number) => number): void {
    let best = Number.POSITIVE_INFINITY;
    const open: { node: number; at: number }[] = [];
    const push = (node: number): void => {
      const at = enters(ray, this.#boxes, node * BOX);
      if (at < best) open.push({ node, at });
    };
    if (this.#spans.length > 0) push(0);
    for (let next = open.pop(); next; next = open.pop()) {
      if (next.at >= best) continue;
      const below = this.#below[next.node];
      if (below) {
        const [near, far] = this.#sided(ray, below);
        push(far);
        push(near);
        continue;
      }
      const [from, to] = this.#spans[next.node] ?? [0, 0];
      for (const thing of this.#order.subarray(from, to))
        if (enters(ray, this.boxes, thing * BOX) < best) best = Math.min(best, hit(thing));
    }
  }

  /** The one that the ray enters first, then the other. */
  #sided(ray: Ray, [a, b]: [number, number]): [number, number] {
    return enters(ray, this.#boxes, a * BOX) <= enters(ray, this.#boxes, b * BOX) ? [a, b] : [b, a];
  }

  #build(from: number, to: number): number {
    const node = this.#spans.length;
    const box = this.#around(from, to);
    this.#boxes.push(...box);
    this.#spans.push([from, to]);
    this.#below.push(null);
    if (to - from <= LEAF) return node;
    const size = [0, 1, 2].map((k) => (box[k + 3] ?? 0) - (box[k] ?? 0));
    const axis = size.indexOf(Math.max(...size));
    const middle = (thing: number): number =>
      (this.boxes[thing * BOX + axis] ?? 0) + (this.boxes[thing * BOX + axis + 3] ?? 0);
    this.#order.subarray(from, to).sort((a, b) => middle(a) - middle(b));
    const half = (from + to) >> 1;
    this.#below[node] = [this.#build(from, half), this.#build(half, to)];
    return node;
  }

  #around(from: number, to: number): number[] {
    const box = [
      ...Array(3).fill(Number.POSITIVE_INFINITY),
      ...Array(3).fill(Number.NEGATIVE_INFINITY),
    ];
    for (const thing of this.#order.subarray(from, to))
      for (let k = 0; k < 3; k += 1) {
        box[k] = Math.min(box[k], this.boxes[thing * BOX + k] ?? 0);
        box[k + 3] = Math.max(box[k + 3], this.boxes[thing * BOX + k + 3] ?? 0);
      }
    return box;
  }
}

/** Where a ray enters a box, as a multiple of its direction; infinite where it passes by. */
function enters({ origin, direction }: Ray, boxes: ArrayLike<number>, at: number): number {
  let from = 0;
  let to = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3; k += 1) {
    const o = origin[k] ?? 0;
    const d = direction[k] ?? 0;
    const [low, high] = [boxes[at + k] ?? 0, boxes[at + k + 3] ?? 0];
    if (d === 0) {
      if (o < low || o > high) return Number.POSITIVE_INFINITY;
      continue;
    }
    const [a, b] = [(low - o) / d, (high - o) / d];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to ? from : Number.POSITIVE_INFINITY;
}

/** Where a ray meets a triangle, from either side; infinite where it passes by. Möller and Trumbore. */
export function meets(
  { origin, direction }: Ray,
  a: readonly number[],
  b: readonly number[],
  c: readonly number[],
): number {
  const u = minus(b, a);
  const v = minus(c, a);
  const p = cross(direction, v);
  const det = dot(u, p);
  if (Math.abs(det) < 1e-14) return Number.POSITIVE_INFINITY;
  const from = minus(origin, a);
  const x = dot(from, p) / det;
  if (x < 0 || x > 1) return Number.POSITIVE_INFINITY;
  const q = cross(from, u);
  const y = dot(direction, q) / det;
  if (y < 0 || x + y > 1) return Number.POSITIVE_INFINITY;
  const t = dot(v, q) / det;
  return t >= 0 ? t : Number.POSITIVE_INFINITY;
}

type Three = readonly [number, number, number];
const minus = (a: readonly number[], b: readonly number[]): Three => [
  (a[0] ?? 0) - (b[0] ?? 0),
  (a[1] ?? 0) - (b[1] ?? 0),
  (a[2] ?? 0) - (b[2] ?? 0),
];
const cross = (a: Three, b: Three): Three => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Three, b: Three): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
