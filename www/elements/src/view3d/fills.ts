/**
 * The triangles of all parts in one material: a shape lies on the GPU once a chunk, each place is an instance of it,
 * and a chunk is one draw call.
 */
import {
  BatchedMesh,
  BufferAttribute,
  BufferGeometry,
  type Group,
  type Material,
  Matrix4,
  Vector4,
} from "three";
import type { Part, Shape } from "./parts.js";

/** Vertices of the first chunk; each further one has room for twice as many, up to the most. */
const FIRST_VERTICES = 16_384;
const MOST_VERTICES = 262_144;
/** Vertices to an instance, and indices to a vertex, that a chunk has room for. */
const VERTICES_PER_INSTANCE = 8;
const INDICES_PER_VERTEX = 4;

interface Chunk {
  mesh: BatchedMesh;
  vertices: number;
  indices: number;
  instances: number;
  /** The geometry of each shape that lies here. */
  known: Map<Shape, number>;
}

/** Where a part lies. */
interface Slot {
  chunk: Chunk;
  instance: number;
}

export class Fills {
  readonly #chunks: Chunk[] = [];
  readonly #slots = new Map<Part, Slot>();
  readonly #matrix = new Matrix4();
  readonly #rgba = new Vector4();

  constructor(
    private readonly group: Group,
    private readonly material: Material,
    private readonly sorted: boolean,
  ) {}

  /** Draws the part in that colour; what was never drawn here is put here first. */
  show(part: Part, [r, g, b, a]: readonly [number, number, number, number]): void {
    const { chunk, instance } = this.#slots.get(part) ?? this.#put(part);
    chunk.mesh.setColorAt(instance, this.#rgba.set(r, g, b, a));
    chunk.mesh.setVisibleAt(instance, true);
  }

  hide(part: Part): void {
    const slot = this.#slots.get(part);
    slot?.chunk.mesh.setVisibleAt(slot.instance, false);
  }

  dispose(): void {
    for (const { mesh } of this.#chunks) {
      mesh.removeFromParent();
      mesh.dispose();
    }
    this.material.dispose();
  }

  #put(part: Part): Slot {
    const chunk = this.#roomFor(part.shape);
    let geometry = chunk.known.get(part.shape);
    if (geometry === undefined) {
      geometry = chunk.mesh.addGeometry(geometryOf(part.shape));
      chunk.known.set(part.shape, geometry);
      chunk.vertices -= part.shape.positions.length / 3;
      chunk.indices -= part.shape.indices.length;
    }
    const instance = chunk.mesh.addInstance(geometry);
    chunk.instances -= 1;
    chunk.mesh.setMatrixAt(instance, this.#matrix.makeTranslation(...part.at));
    const slot = { chunk, instance };
    this.#slots.set(part, slot);
    return slot;
  }

  #roomFor(shape: Shape): Chunk {
    const vertices = shape.positions.length / 3;
    const indices = shape.indices.length;
    const fits = (one: Chunk): boolean =>
      one.instances > 0 &&
      (one.known.has(shape) || (one.vertices >= vertices && one.indices >= indices));
    const known = this.#chunks.find((one) => one.known.has(shape) && fits(one));
    if (known) return known;
    const last = this.#chunks.at(-1);
    return last && fits(last) ? last : this.#chunk(vertices, indices);
  }

  #chunk(vertices: number, indices: number): Chunk {
    const room = Math.min(MOST_VERTICES, FIRST_VERTICES * 2 ** this.#chunks.length);
    const most = {
      vertices: Math.max(room, vertices),
      indices: Math.max(room * INDICES_PER_VERTEX, indices),
      instances: room / VERTICES_PER_INSTANCE,
    };
    const mesh = new BatchedMesh(most.instances, most.vertices, most.indices, this.material);
    const chunk: Chunk = { ...most, mesh, known: new Map() };
    chunk.mesh.sortObjects = this.sorted;
    this.group.add(chunk.mesh);
    this.#chunks.push(chunk);
    return chunk;
  }
}

function geometryOf({ positions, indices }: Shape): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}
