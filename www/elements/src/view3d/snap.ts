/** Points that are measured between: a pick that snaps to a corner or an edge of what it hit. */
import type { Hit, Part } from "./parts.js";
import type { Spot } from "./scene.js";

type Three = [number, number, number];

/** A point of an element. */
export interface Point {
  at: Three;
  id: number;
  kind: "corner" | "edge" | "face";
}

/** Pixels within which a pick takes the corner, or the edge. */
const CORNER_PX = 14;
const EDGE_PX = 9;

/** `spot` says where a place is drawn; `from` is where the pointer is. */
export function snapped(hit: Hit, from: Spot, spot: (place: Three) => Spot | null): Point {
  const { id } = hit.part;
  const near = (place: Three | undefined, px: number): place is Three => {
    const at = place && spot(place);
    return at !== undefined && at !== null && Math.hypot(at[0] - from[0], at[1] - from[1]) <= px;
  };
  const lines = linesOf(hit.part);
  const corner = nearest(lines.flat(), hit.point);
  if (near(corner, CORNER_PX)) return { at: corner, id, kind: "corner" };
  const edge = nearest(
    lines.map(([a, b]) => foot(hit.point, a, b)),
    hit.point,
  );
  if (near(edge, EDGE_PX)) return { at: edge, id, kind: "edge" };
  return { at: hit.point, id, kind: "face" };
}

/** The edges of a part, in metres from the view's origin. */
function linesOf({ shape: { edges, positions }, at }: Part): [Three, Three][] {
  const place = (vertex: number): Three =>
    [0, 1, 2].map((k) => (positions[vertex * 3 + k] ?? 0) + (at[k] ?? 0)) as Three;
  return Array.from({ length: edges.length / 2 }, (_, i) => [
    place(edges[i * 2] ?? 0),
    place(edges[i * 2 + 1] ?? 0),
  ]);
}

function nearest(places: readonly Three[], to: Three): Three | undefined {
  const far = (place: Three): number => dot(minus(place, to), minus(place, to));
  return places.reduce<Three | undefined>(
    (best, one) => (best && far(best) <= far(one) ? best : one),
    undefined,
  );
}

/** The point of a line that is nearest to another point. */
function foot(point: Three, a: Three, b: Three): Three {
  const along = minus(b, a);
  const square = dot(along, along);
  const share = square > 0 ? dot(minus(point, a), along) / square : 0;
  const within = Math.max(0, Math.min(1, share));
  return a.map((x, k) => x + (along[k] ?? 0) * within) as Three;
}

const minus = (a: Three, b: Three): Three => a.map((x, k) => x - (b[k] ?? 0)) as Three;
const dot = (a: Three, b: Three): number => a.reduce((sum, x, k) => sum + x * (b[k] ?? 0), 0);
