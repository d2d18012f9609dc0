/** The geometry of one open model: read once, storey by storey, with the ids and places of the whole view. */
import type { MeshBatch, MeshGroup, Meshing } from "@holdpoint/core/geometry";
import { elementId } from "@holdpoint/core/types";
import type { NotDrawn, View3d } from "@holdpoint/elements";
import type { OpenModel } from "../../core.js";

type Place = readonly [number, number, number];

/** Shapes that a model may have before their numbers meet those of the next. */
const SHAPES = 2 ** 22;

interface Around {
  /** Where the view has its origin, in metres from a file's zero: that of the model that was begun first. */
  origin(own: Place): Place;
  took(batch: MeshBatch): void;
  changed(): void;
  /** Nothing more comes of it by itself. */
  ended(): void;
}

export class MeshedModel {
  readonly batches: MeshBatch[] = [];
  failed: NotDrawn[] = [];
  state: View3d["state"] = "reading";
  message = "";
  total = 0;
  /** Metres in the file's unit of length. */
  unit = 1;
  begun = false;
  #shift: Place = [0, 0, 0];
  #meshing: Meshing | null = null;
  readonly #asked = new Set<number>();

  /** `n` counts the models of the view. */
  constructor(
    readonly model: OpenModel,
    private readonly n: number,
    private readonly around: Around,
  ) {}

  get done(): number {
    return this.#asked.size;
  }

  /** Reads what is left; ids are express ids. */
  async begin(groups: MeshGroup[], order: (number | null)[]): Promise<void> {
    const { file } = this.model;
    this.begun = true;
    const left = groups.map(({ storey, ids }) => ({
      storey,
      ids: ids.filter((id) => !this.#asked.has(id)),
    }));
    this.state = this.#asked.size > 0 ? "drawing" : "reading";
    this.total = groups.reduce((sum, { ids }) => sum + ids.length, 0);
    const { mesh } = await import("@holdpoint/core/geometry");
    if (!this.begun) return;
    // Shapes of a run that was stopped keep their numbers.
    const before = this.n * SHAPES + this.batches.reduce((sum, one) => sum + one.shapes.length, 0);
    this.#meshing = mesh(file, left, {
      begun: (origin, unit) => {
        const [x, y, z] = this.around.origin(origin);
        this.#shift = [origin[0] - x, origin[1] - y, origin[2] - z];
        this.unit = unit;
        this.#goes("drawing");
      },
      batch: (batch) => this.#take(batch, before),
      done: () => this.#end("done"),
      failed: (message) => {
        this.message = message;
        this.#end("failed");
      },
    });
    this.#meshing.order(order);
  }

  order(storeys: (number | null)[]): void {
    if (this.state === "drawing") this.#meshing?.order(storeys);
  }

  stop(): void {
    this.#meshing?.cancel();
    this.state = "stopped";
  }

  cancel(): void {
    this.#meshing?.cancel();
    this.begun = false;
  }

  #take(batch: MeshBatch, before: number): void {
    const { place } = this.model;
    for (const id of batch.done) this.#asked.add(id);
    for (const shape of batch.shapes) shape.shape += before;
    if (before > 0) batch.parts = batch.parts.map((part) => part + before);
    if (place > 0) {
      batch.ids = Float64Array.from(batch.ids, (id) => elementId(place, id));
      batch.failed = batch.failed.map((one) => ({ ...one, id: elementId(place, one.id) }));
    }
    if (this.#shift.some((one) => one !== 0))
      batch.places = batch.places.map((at, i) => at + (this.#shift[i % 3] ?? 0));
    this.failed = [...this.failed, ...batch.failed];
    if (batch.parts.length > 0) {
      this.batches.push(batch);
      this.around.took(batch);
    }
    this.around.changed();
  }

  #goes(state: View3d["state"]): void {
    this.state = state;
    this.around.changed();
  }

  #end(state: View3d["state"]): void {
    this.#goes(state);
    this.around.ended();
  }
}
