/**
 * Where the nodes and edges of a graph are drawn: top down, edges in right angles. Pure; UI.md §12 "Graph".
 *
 * A node that was put somewhere by hand stays there; the others stand where the layout has them. Edges that lead on go
 * down from their source into the top of their target; edges that lead back go up along the left side.
 */
import dagre from "@dagrejs/dagre";
import type { Graph, GraphEdge, Point } from "@holdpoint/core/crew";

export const NODE = { width: 176, height: 48 };
const GAP = { rank: 34, node: 48, narrow: 20, edge: 28, lane: 9 };
/** An edge that leads back leaves and enters so far from the middle, where those that lead on do. */
const SIDE = 24;
const ZERO: Point = { x: 0, y: 0 };
/** Between the outermost node and the lane of an edge that leads back, and between two such lanes. */
const LANE = { first: 34, next: 18, label: 44 };
const RADIUS = 7;
/** Space that a character of a label takes, and what is around it. */
const LABEL = { char: 6.6, pad: 14, height: 20 };
/** What is longer is cut; the step says all of it. */
export const LABEL_WIDTH = 200;
const labelWidth = (text: string): number =>
  Math.min(text.length * LABEL.char, LABEL_WIDTH) + LABEL.pad;
/** To which side the nodes of a row are pushed: of both the one with more straight ways is taken. */
const SIDES = ["DR", "DL"] as const;
/** Of more nodes than this one side is tried: each try takes as long as the first. */
const MANY = 120;
/**
 * The way that is taken where nothing else holds is rather the straight one; every choice of a node stands right below
 * it, and what comes after may be further down.
 */
const WEIGHT = { default: 8, choice: 2, other: 1 };
/** Below this an edge is as good as straight. */
const STRAIGHT = 10;

export interface PlacedNode extends Point {
  id: string;
}

export interface PlacedEdge {
  /** Its place in the list of edges. */
  n: number;
  edge: GraphEdge;
  /** The line, the head of the arrow, and the stroke across a default branch. */
  line: string;
  tip: string;
  slash: string;
  label: { at: Point; text: string; isDefault: boolean } | null;
}

export interface Layout {
  nodes: Map<string, PlacedNode>;
  edges: PlacedEdge[];
  box: { left: number; top: number; right: number; bottom: number };
}

export interface LayoutOptions {
  width: number;
  /** Upper left corners of nodes that were put somewhere. */
  fixed: ReadonlyMap<string, Point>;
}

/** Whether two graphs mean the same edge. */
export const sameEdge = (a: GraphEdge, b: GraphEdge): boolean =>
  a.from === b.from && a.to === b.to && a.label === b.label;

/** The automatic layout of one graph. While only texts and places differ it is not made again: moving a node is quick. */
export class Arranging {
  #key = "";
  #drawn: Arranged | null = null;

  of(graph: Graph, edges: readonly Led[], width: number): Arranged {
    const led = edges.map(({ edge: { from, to, label, isDefault } }) => [
      from,
      to,
      label,
      isDefault,
    ]);
    const key = JSON.stringify([width, graph.entryNodeId, graph.nodes.map(({ id }) => id), led]);
    if (!this.#drawn || key !== this.#key) this.#drawn = arranged(graph, edges, width);
    this.#key = key;
    return this.#drawn;
  }
}

/** An edge and its place in the list. */
interface Led {
  edge: GraphEdge;
  n: number;
}

export function layout(
  graph: Graph,
  { width, fixed }: LayoutOptions,
  arranging = new Arranging(),
): Layout {
  const ids = new Set(graph.nodes.map((node) => node.id));
  const edges = graph.edges
    .map((edge, n) => ({ edge, n }))
    .filter(({ edge }) => ids.has(edge.from) && ids.has(edge.to));
  const drawn = arranging.of(graph, edges, width);
  const nodes = new Map(
    [...ids].map((id) => [id, { id, ...(fixed.get(id) ?? drawn.at(id)) }] as const),
  );
  const several = severalOf(graph.edges);
  const ways = edges.flatMap(({ n }) => drawn.way(n));
  const left = Math.min(0, ...[...nodes.values(), ...ways].map(({ x }) => x));
  const lanes = new Lanes(left);
  const placed = edges.map(({ edge, n }): PlacedEdge => {
    const [from, to] = [nodes.get(edge.from), nodes.get(edge.to)];
    const named = several.has(edge.from);
    const ends = { from: from ?? ZERO, to: to ?? ZERO, width };
    const back = ends.to.y < ends.from.y + NODE.height;
    const way = back
      ? backward(ends, lanes.of(ends, named ? edge.label : ""), [...nodes.values()])
      : forward(ends, fixed.has(edge.from) || fixed.has(edge.to) ? null : drawn.way(n), named);
    return {
      n,
      edge,
      line: rounded(way.points),
      tip: tip(way.points),
      slash: named && edge.isDefault ? slash(way.points) : "",
      label: named ? { at: way.label, text: edge.label, isDefault: edge.isDefault === true } : null,
    };
  });
  return { nodes, edges: placed, box: boxOf([...nodes.values()], ways, lanes.outermost, width) };
}

/** Nodes with several exits: only theirs have labels. */
function severalOf(edges: readonly GraphEdge[]): Set<string> {
  const count = new Map<string, number>();
  for (const { from } of edges) count.set(from, (count.get(from) ?? 0) + 1);
  return new Set([...count].filter(([, n]) => n > 1).map(([id]) => id));
}

/** The layout of all nodes, and the points through which an edge goes. */
interface Arranged {
  at(id: string): Point;
  way(n: number): Point[];
}

function arranged(graph: Graph, edges: readonly Led[], width: number): Arranged {
  const start = graph.nodes.find((node) => node.id === graph.entryNodeId);
  const ordered = start ? [start, ...graph.nodes.filter((node) => node !== start)] : graph.nodes;
  const ids = ordered.map((node) => node.id);
  // What leads back has a lane of its own, and must not pull the ranks apart.
  const back = backEdges(ids, edges);
  const down = edges.filter(({ n }) => !back.has(n));
  const several = severalOf(graph.edges);
  const tried = ids.length > MANY ? SIDES.slice(0, 1) : SIDES;
  const ways = tried.map((side) => laidOut(ids, down, several, width, side));
  const best = ways.reduce((one, other) => (other.straight > one.straight ? other : one));
  const { x: dx = 0, y = 0 } = best.at(ids[0] ?? "");
  const dy = y - NODE.height / 2;
  // Edges that lead back have their lanes at the left: branches stand rather at the right.
  const along = ({ edge, n }: Led): number => {
    const way = best.way(edge, n);
    const middle = way[Math.floor(way.length / 2)] ?? best.at(edge.to);
    return Math.sign((middle.x ?? 0) - (best.at(edge.from).x ?? 0));
  };
  const choices = down.filter(({ edge }) => several.has(edge.from) && !edge.isDefault);
  const side = choices.reduce((sum, one) => sum + along(one), 0) < 0 ? -1 : 1;
  const ledBy = new Map(down.map((one) => [one.n, one.edge]));
  return {
    at: (id) => {
      const { x = 0, y = 0 } = best.at(id);
      return { x: side * (x - dx) - width / 2, y: y - dy - NODE.height / 2 };
    },
    way: (n) => {
      const edge = ledBy.get(n);
      const points = edge ? best.way(edge, n) : [];
      return points.map(({ x, y }) => ({ x: side * (x - dx), y: y - dy }));
    },
  };
}

interface Laid {
  at(id: string): Partial<Point>;
  way(edge: GraphEdge, n: number): Point[];
  /** How many ways lead straight on, those without a choice and defaults first of all. */
  straight: number;
}

function laidOut(
  ids: readonly string[],
  edges: readonly Led[],
  several: ReadonlySet<string>,
  width: number,
  align: "DL" | "DR",
): Laid {
  const g = new dagre.graphlib.Graph({ multigraph: true });
  const nodesep = width < NODE.width ? GAP.narrow : GAP.node;
  g.setGraph({ rankdir: "TB", align, ranksep: GAP.rank, nodesep, edgesep: GAP.edge });
  for (const id of ids) g.setNode(id, { width, height: NODE.height });
  const weigh = ({ isDefault, from }: GraphEdge): number => {
    if (isDefault) return WEIGHT.default;
    return several.has(from) ? WEIGHT.choice : WEIGHT.other;
  };
  for (const { edge, n } of edges) {
    const label = several.has(edge.from)
      ? { width: labelWidth(edge.label), height: LABEL.height, labelpos: "c" }
      : { width: 0, height: 0 };
    g.setEdge(edge.from, edge.to, { ...label, weight: weigh(edge) }, String(n));
  }
  dagre.layout(g);
  const straight = edges
    .filter(({ edge }) => near(g.node(edge.from)?.x ?? 0, g.node(edge.to)?.x ?? 0))
    .reduce((sum, { edge }) => sum + weigh(edge), 0);
  return {
    at: (id) => g.node(id) ?? {},
    way: ({ from, to }, n) => g.edge(from, to, String(n))?.points ?? [],
    straight,
  };
}

/** Edges that lead back to a node on the way to their source, seen from the start. */
function backEdges(order: readonly string[], edges: readonly Led[]): Set<number> {
  const out = new Set<number>();
  const state = new Map<string, "open" | "done">();
  const leaving = grouped(edges, ({ edge }) => edge.from);
  for (const root of order) {
    if (state.has(root)) continue;
    state.set(root, "open");
    // Without recursion: a graph may be a thousand nodes long.
    const stack = [{ id: root, next: 0 }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const one = leaving.get(top.id)?.[top.next];
      top.next += 1;
      if (!one) {
        state.set(top.id, "done");
        stack.pop();
      } else if (state.get(one.edge.to) === "open") out.add(one.n);
      else if (!state.has(one.edge.to)) {
        state.set(one.edge.to, "open");
        stack.push({ id: one.edge.to, next: 0 });
      }
    }
  }
  return out;
}

function grouped<T>(list: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const out = new Map<string, T[]>();
  for (const one of list) {
    const group = out.get(key(one));
    if (group) group.push(one);
    else out.set(key(one), [one]);
  }
  return out;
}

interface Ends {
  from: Point;
  to: Point;
  width: number;
}
interface Way {
  points: Point[];
  label: Point;
}

/** Down, across where it has to, and down into the top of its target. */
function forward({ from, to, width }: Ends, way: Point[] | null, named: boolean): Way {
  const a = { x: from.x + width / 2, y: from.y + NODE.height };
  const b = { x: to.x + width / 2, y: to.y };
  const gap = Math.min((b.y - a.y) / 2, GAP.rank / 2);
  const middle = way && way.length > 2 ? (way[Math.floor(way.length / 2)] ?? b) : null;
  const across = middle && !near(middle.x, b.x) && !near(middle.x, a.x) ? middle.x : null;
  // Of several exits each comes down above its target, so that its label has room.
  const lane = across ?? (near(middle?.x ?? b.x, a.x) && !named ? a.x : b.x);
  const points = [
    a,
    { x: a.x, y: a.y + gap },
    { x: lane, y: a.y + gap },
    { x: lane, y: b.y - gap },
    { x: b.x, y: b.y - gap },
    b,
  ];
  const y = across === null ? labelY(a, b, gap) : (a.y + b.y) / 2;
  return { points: tidy(points), label: { x: lane, y } };
}

const labelY = (a: Point, b: Point, gap: number): number => Math.max(a.y + gap, b.y - gap - 4);
const near = (a: number, b: number): boolean => Math.abs(a - b) < STRAIGHT;

/** Out to the left, up, and into the left side of its target; below and above a row in which something is in the way. */
function backward({ from, to, width }: Ends, lane: number, all: readonly Point[]): Way {
  const stands = (at: Point): boolean =>
    all.some(({ x, y }) => x < at.x && x + width > lane && Math.abs(y - at.y) < NODE.height);
  const self = from.x === to.x && from.y === to.y;
  const [out, into] = self ? [0.75, 0.25] : [0.5, 0.5];
  const aside = width / 2 - SIDE;
  const a = stands(from)
    ? [
        { x: from.x + aside, y: from.y + NODE.height },
        { x: from.x + aside, y: from.y + NODE.height + GAP.lane },
      ]
    : [{ x: from.x, y: from.y + NODE.height * out }];
  const b = stands(to)
    ? [
        { x: to.x + aside, y: to.y - GAP.lane },
        { x: to.x + aside, y: to.y },
      ]
    : [{ x: to.x, y: to.y + NODE.height * into }];
  const [low, high] = [a.at(-1)?.y ?? 0, b[0]?.y ?? 0];
  const points = [...a, { x: lane, y: low }, { x: lane, y: high }, ...b];
  return { points: tidy(points), label: { x: lane, y: (low + high) / 2 } };
}

/** Without points that stand on each other or on the line between their neighbours. */
function tidy(points: readonly Point[]): Point[] {
  const apart = points.filter((at, n) => {
    const was = points[n - 1];
    return !was || Math.abs(at.x - was.x) + Math.abs(at.y - was.y) > 0.5;
  });
  return apart.filter((at, n) => {
    const [was, next] = [apart[n - 1], apart[n + 1]];
    if (!was || !next) return true;
    return !((was.x === at.x && at.x === next.x) || (was.y === at.y && at.y === next.y));
  });
}

/** A line of right angles with round corners. */
function rounded(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const parts = [`M${at(first)}`];
  for (const [n, corner] of rest.entries()) {
    const was = points[n] ?? first;
    const next = rest[n + 1];
    const r = next ? Math.min(RADIUS, length(was, corner) / 2, length(corner, next) / 2) : 0;
    parts.push(`L${at(toward(corner, was, r))}`);
    if (next) parts.push(`Q${at(corner)} ${at(toward(corner, next, r))}`);
  }
  return parts.join("");
}

const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
const round = (n: number): number => Math.round(n * 10) / 10;
const length = (a: Point, b: Point): number => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
const toward = (from: Point, to: Point, by: number): Point => ({
  x: from.x + Math.sign(to.x - from.x) * by,
  y: from.y + Math.sign(to.y - from.y) * by,
});

/** The head of the arrow: 4 to each side, 6 back. */
function tip(points: readonly Point[]): string {
  const end = points.at(-1) ?? { x: 0, y: 0 };
  const was = points.at(-2) ?? { x: end.x, y: end.y - 1 };
  const back = toward(end, was, 6);
  const [sx, sy] = was.x === end.x ? [4, 0] : [0, 4];
  return `M${at({ x: back.x - sx, y: back.y - sy })}L${at(end)}L${at({ x: back.x + sx, y: back.y + sy })}`;
}

/** A stroke across the line, right after its source. */
function slash(points: readonly Point[]): string {
  const [start, next] = points;
  if (!start || !next) return "";
  const { x, y } = toward(start, next, 8);
  return `M${at({ x: x - 5, y: y + 3 })}L${at({ x: x + 5, y: y - 3 })}`;
}

/** Where edges that lead back go up: one that another leaves free is taken again. */
class Lanes {
  /** From the innermost on: where it is, the room of a label right of it, and what of it is taken. */
  readonly #all: { x: number; room: number; taken: [number, number][] }[] = [];

  constructor(private readonly left: number) {}

  get outermost(): number {
    return this.#all.at(-1)?.x ?? this.left;
  }

  /** The lane of an edge; its label, which stands in its middle, covers no node and no other lane. */
  of({ from, to }: Ends, label: string): number {
    const half = label ? labelWidth(label) / 2 + GAP.edge / 2 : 0;
    const span: [number, number] = [to.y - GAP.lane, from.y + NODE.height + GAP.lane];
    const apart = ([low, high]: [number, number]): boolean => high < span[0] || low > span[1];
    const free = this.#all.find(({ room, taken }) => room >= half && taken.every(apart));
    if (free) {
      free.taken.push(span);
      return free.x;
    }
    const room = Math.max(this.#all.length ? LANE.next : LANE.first, half);
    const x = this.outermost - room;
    this.#all.push({ x, room, taken: [span] });
    return x;
  }
}

/** `lane`: the outermost one; there is room for half of a label beside it. */
function boxOf(
  nodes: readonly Point[],
  ways: readonly Point[],
  lane: number,
  width: number,
): Layout["box"] {
  const outmost = Math.min(0, ...[...nodes, ...ways].map(({ x }) => x));
  return {
    left: lane < outmost ? lane - LANE.label : outmost,
    top: Math.min(...nodes.map((node) => node.y), 0) - 24,
    right: Math.max(width, ...nodes.map((node) => node.x + width), ...ways.map(({ x }) => x)),
    bottom: Math.max(...nodes.map((node) => node.y + NODE.height), NODE.height),
  };
}
