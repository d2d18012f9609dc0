/** The lines of a shape: edges between faces that meet at an angle, and edges that only one face has. */

/** Cosine of the angle between two faces from which their edge is drawn: 25°. */
const SHARP = Math.cos((25 * Math.PI) / 180);
/** Vertices nearer than this are one, in metres. */
const SAME_M = 1e-4;
/** Shapes with more triangles than this are drawn without lines: they are curved or terrain. */
const MAX_TRIANGLES = 20_000;

interface Side {
  from: number;
  to: number;
  normal: readonly [number, number, number];
  drawn: boolean;
  paired: boolean;
}

/** Two vertices a line. */
export function edgesOf(positions: Float32Array, indices: Uint32Array): Uint32Array {
  if (indices.length / 3 > MAX_TRIANGLES) return new Uint32Array();
  const places = welded(positions);
  const sides = new Map<string, Side>();
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [indices[i] ?? 0, indices[i + 1] ?? 0, indices[i + 2] ?? 0] as const;
    const normal = normalOf(positions, corners);
    if (!normal) continue;
    for (let k = 0; k < 3; k += 1) {
      const from = corners[k] ?? 0;
      const to = corners[(k + 1) % 3] ?? 0;
      const [a, b] = [places[from] ?? 0, places[to] ?? 0];
      if (a === b) continue;
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      const other = sides.get(key);
      if (!other) sides.set(key, { from, to, normal, drawn: false, paired: false });
      else {
        other.paired = true;
        other.drawn ||= dot(other.normal, normal) < SHARP;
      }
    }
  }
  const lines: number[] = [];
  for (const side of sides.values()) if (side.drawn || !side.paired) lines.push(side.from, side.to);
  return Uint32Array.from(lines);
}

/** For each vertex the first one that stands at its place. */
function welded(positions: Float32Array): Uint32Array {
  const first = new Map<string, number>();
  const places = new Uint32Array(positions.length / 3);
  for (let i = 0; i < places.length; i += 1) {
    const key = [0, 1, 2].map((k) => Math.round((positions[i * 3 + k] ?? 0) / SAME_M)).join(" ");
    const known = first.get(key);
    places[i] = known ?? i;
    if (known === undefined) first.set(key, i);
  }
  return places;
}

function normalOf(
  positions: Float32Array,
  [a, b, c]: readonly [number, number, number],
): readonly [number, number, number] | null {
  const at = (vertex: number, axis: number): number => positions[vertex * 3 + axis] ?? 0;
  const u = [0, 1, 2].map((k) => at(b, k) - at(a, k)) as [number, number, number];
  const v = [0, 1, 2].map((k) => at(c, k) - at(a, k)) as [number, number, number];
  const normal: [number, number, number] = [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const length = Math.hypot(...normal);
  return length > 0 ? [normal[0] / length, normal[1] / length, normal[2] / length] : null;
}

const dot = (a: readonly [number, number, number], b: readonly [number, number, number]): number =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
