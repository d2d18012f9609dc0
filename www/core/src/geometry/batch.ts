/** Elements on their way to the page: collected until a message is worth it, and never more than it may carry. */
import { edgesOf } from "./edges.ts";
import type { GeometryResponse, MeshBatch, MeshFault, MeshShape } from "./protocol.ts";

/** What one call of the module gives. */
export interface Meshed {
  shapes: { shape: number; positions: Float32Array; indices: Uint32Array }[];
  parts: Uint32Array;
  places: Float64Array;
  colours: Float32Array;
  uncut: boolean;
}

/** Bytes from which a message is sent: the page takes it in within a frame. */
const FULL_BYTES = 256_000;
/** Elements from which a message is sent. */
const FULL_ELEMENTS = 400;

export class Batch {
  #shapes: MeshShape[] = [];
  #ids: number[] = [];
  #parts: number[] = [];
  #places: number[] = [];
  #colours: number[] = [];
  #failed: MeshFault[] = [];
  #done: number[] = [];
  #bytes = 0;

  get full(): boolean {
    return this.#bytes >= FULL_BYTES || this.#done.length >= FULL_ELEMENTS;
  }

  get empty(): boolean {
    return this.#done.length === 0;
  }

  add(id: number, { shapes, parts, places, colours, uncut }: Meshed): void {
    for (const { shape, positions, indices } of shapes) {
      const edges = edgesOf(positions, indices);
      this.#shapes.push({ shape, positions, indices, edges });
      this.#bytes += positions.byteLength + indices.byteLength + edges.byteLength;
    }
    this.#ids.push(...Array.from(parts, () => id));
    this.#parts.push(...parts);
    this.#places.push(...places);
    this.#colours.push(...colours);
    this.#done.push(id);
    if (uncut) this.#failed.push({ id, why: "UNCUT" });
  }

  fail(id: number, why: string): void {
    this.#done.push(id);
    this.#failed.push({ id, why });
  }

  /** The message, and what moves with it instead of being copied. */
  take(): [GeometryResponse, Transferable[]] {
    const batch: MeshBatch = {
      shapes: this.#shapes,
      ids: Uint32Array.from(this.#ids),
      parts: Uint32Array.from(this.#parts),
      places: Float64Array.from(this.#places),
      colours: Float32Array.from(this.#colours),
      failed: this.#failed,
      done: this.#done,
    };
    const moved = batch.shapes.flatMap((shape) => [
      shape.positions.buffer,
      shape.indices.buffer,
      shape.edges.buffer,
    ]);
    return [
      { type: "batch", batch },
      [...moved, batch.ids.buffer, batch.parts.buffer, batch.places.buffer, batch.colours.buffer],
    ];
  }
}
