/** Room for a node among the others: none is put down on another. Pure. */
import type { Point } from "@holdpoint/core/crew";
import { NODE } from "./graph-layout.js";

/** Between two nodes, at least. */
const GAP = 12;
/** Beside so many neighbours a free place is looked for. */
const NEAR = 12;

/** The free place that is nearest to where a node was put; that place itself where nothing is there. */
export function apart(at: Point, others: readonly Point[], width: number): Point {
  const [w, h] = [width + GAP, NODE.height + GAP];
  const free = (one: Point): boolean =>
    others.every(({ x, y }) => Math.abs(x - one.x) >= w || Math.abs(y - one.y) >= h);
  if (free(at)) return at;
  const far = (one: Point): number => (one.x - at.x) ** 2 + (one.y - at.y) ** 2;
  const near = [...others].sort((a, b) => far(a) - far(b)).slice(0, NEAR);
  const beside = (own: number, sizes: readonly number[], size: number): number[] => [
    own,
    ...sizes.flatMap((one) => [one - size, one + size]),
  ];
  const xs = beside(
    at.x,
    near.map(({ x }) => x),
    w,
  );
  const ys = beside(
    at.y,
    near.map(({ y }) => y),
    h,
  );
  const places = xs.flatMap((x) => ys.map((y) => ({ x, y })));
  const rightmost = { x: Math.max(...others.map(({ x }) => x)) + w, y: at.y };
  return places.sort((a, b) => far(a) - far(b)).find(free) ?? rightmost;
}
