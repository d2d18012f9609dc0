/** What passes between the page and the geometry's Web Worker. */

/** Elements that are meshed one after the other: those of a storey, or what stands in none. */
export interface MeshGroup {
  /** The storey's express id; null for what stands in none. */
  storey: number | null;
  ids: number[];
}

export type GeometryRequest =
  | {
      type: "begin";
      file: Blob;
      groups: MeshGroup[];
      /** One message an element, so that it shows which one does not end. */
      careful: boolean;
    }
  /** The storeys of what is not meshed yet, in their new order; others keep theirs behind them. */
  | { type: "order"; storeys: (number | null)[] };

/** Triangles that several elements may share. */
export interface MeshShape {
  /** Its number, from 0 in the order in which shapes come. */
  shape: number;
  /** Metres, Z up, around the shape's first vertex. */
  positions: Float32Array;
  /** Three vertices a triangle. */
  indices: Uint32Array;
  /** Two vertices a line: where faces meet at an angle, and where one ends. */
  edges: Uint32Array;
}

/** Some elements: one entry a part in the arrays that lie side by side. */
export interface MeshBatch {
  shapes: MeshShape[];
  /** The element of each part; ids of the page are larger than express ids. */
  ids: Uint32Array | Float64Array;
  /** The shape of each part. */
  parts: Uint32Array;
  /** Metres from the origin of the file's geometry: x, y, z of each part. */
  places: Float64Array;
  /** Red, green, blue and opacity of each part, 0 to 1; opacity -1 where the file gives no colour. */
  colours: Float32Array;
  /** Elements that have a body and are not drawn, or not as the file says. */
  failed: MeshFault[];
  /** Elements that were asked for, whether or not they have a body. */
  done: number[];
}

export interface MeshFault {
  id: number;
  /** Why, in words of the library; `UNCUT`, `LOST` (ended the module) and `SLOW` are ours. */
  why: string;
}

export type GeometryResponse =
  | { type: "begun"; origin: [number, number, number]; unit: number }
  | { type: "batch"; batch: MeshBatch }
  /** An element ended the module: a fresh worker goes on without it. */
  | { type: "lost"; id: number }
  | { type: "done" }
  /** Nothing could be begun. */
  | { type: "failed"; message: string };
