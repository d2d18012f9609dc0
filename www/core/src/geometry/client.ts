/**
 * The page's side of the geometry's Web Worker.
 *
 * A worker that is lost with an element, or says nothing for long, is followed by a fresh one that leaves the element
 * out; what was drawn stays.
 */

import type {
  GeometryRequest,
  GeometryResponse,
  MeshBatch,
  MeshFault,
  MeshGroup,
} from "./protocol.ts";
import { Queue } from "./queue.ts";

/** A worker that has begun and says nothing for so long is at an element that does not end. */
const SILENT_MS = 20_000;
/** Fresh workers for one file; then the rest is not drawn. */
const MAX_RESTARTS = 8;
/** Bytes of shapes that a tab is given to hold: beyond that the rest is not drawn. */
const MAX_BYTES = 600_000_000;

export interface MeshEvents {
  /** Metres from the file's zero to its geometry's origin, and in its unit of length. */
  begun(origin: [number, number, number], unit: number): void;
  /** Numbers of shapes go on over all batches. */
  batch(batch: MeshBatch): void;
  /** Everything was asked for. */
  done(): void;
  /** Nothing can be drawn: the module did not start or the file cannot be read. */
  failed(message: string): void;
}

export interface Meshing {
  /** These storeys come first, in this order. */
  order(storeys: (number | null)[]): void;
  /** Ends it; nothing is said any more. */
  cancel(): void;
}

/** Begins to mesh a file. */
export function mesh(file: Blob, groups: MeshGroup[], events: MeshEvents): Meshing {
  const run = new Run(file, groups, events);
  run.start(false);
  return run;
}

class Run implements Meshing {
  #worker: Worker | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #restarts = 0;
  /** Shapes of the workers before this one: their numbers go on. */
  #before = 0;
  #shapes = 0;
  #bytes = 0;
  #careful = false;
  #begun = false;
  #order: (number | null)[] = [];
  readonly #done = new Set<number>();

  constructor(
    private readonly file: Blob,
    private readonly groups: MeshGroup[],
    private readonly events: MeshEvents,
  ) {}

  start(careful: boolean): void {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    this.#careful = careful;
    this.#before += this.#shapes;
    this.#shapes = 0;
    worker.onmessage = ({ data }: MessageEvent<GeometryResponse>) => this.#take(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end();
      this.events.failed(event.message || "Its worker did not start.");
    };
    this.#ask({ type: "begin", file: this.file, groups: this.#left(), careful });
  }

  order(storeys: (number | null)[]): void {
    this.#order = storeys;
    this.#ask({ type: "order", storeys });
  }

  cancel(): void {
    this.#end();
  }

  #ask(request: GeometryRequest): void {
    this.#worker?.postMessage(request);
  }

  #left(): MeshGroup[] {
    const queue = new Queue(this.groups);
    queue.order(this.#order);
    return queue.without(this.#done);
  }

  #take(data: GeometryResponse): void {
    this.#listen();
    if (data.type === "begun") {
      if (!this.#begun) this.events.begun(data.origin, data.unit);
      this.#begun = true;
    } else if (data.type === "batch") this.#batch(data.batch);
    else if (data.type === "lost") this.#without(data.id, "LOST");
    else if (data.type === "done") {
      this.#end();
      this.events.done();
    } else {
      this.#end();
      this.events.failed(data.message);
    }
  }

  #batch(batch: MeshBatch): void {
    for (const id of batch.done) this.#done.add(id);
    for (const shape of batch.shapes) {
      shape.shape += this.#before;
      this.#bytes += shape.positions.byteLength + shape.indices.byteLength;
    }
    if (this.#before > 0) batch.parts = batch.parts.map((part) => part + this.#before);
    this.#shapes += batch.shapes.length;
    this.events.batch(batch);
    if (this.#bytes > MAX_BYTES) this.#rest("LARGE");
  }

  /** The first that is left is the one that does not end, once each has a message of its own. */
  #silent(): void {
    const stuck = this.#left().find((group) => group.ids.length > 0)?.ids[0];
    if (stuck === undefined) return;
    if (this.#careful) this.#without(stuck, "SLOW");
    else this.#again(true);
  }

  #without(id: number, why: string): void {
    this.#done.add(id);
    this.events.batch(nothing([{ id, why }]));
    this.#again(false);
  }

  #again(careful: boolean): void {
    this.#end();
    this.#restarts += 1;
    if (this.#restarts > MAX_RESTARTS) this.#rest("LOST");
    else this.start(careful);
  }

  /** What is left is not drawn. */
  #rest(why: string): void {
    this.#end();
    const ids = this.#left().flatMap((group) => group.ids);
    this.events.batch(nothing(ids.map((id) => ({ id, why }))));
    this.events.done();
  }

  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#silent(), SILENT_MS);
  }

  #end(): void {
    clearTimeout(this.#silence);
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/** A batch that only says what failed. */
const nothing = (failed: MeshFault[]): MeshBatch => ({
  shapes: [],
  ids: new Uint32Array(),
  parts: new Uint32Array(),
  places: new Float64Array(),
  colours: new Float32Array(),
  failed,
  done: failed.map((one) => one.id),
});
