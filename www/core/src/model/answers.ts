/**
 * What the model's worker answers: structure and rows from the module's handle in blocks, and every value once somebody
 * asks for what needs all of them.
 */

import type { FileBytes, ModelHandle } from "../../wasm/model/model.js";
import type { ModelFacts, ModelRow, OpenProgress } from "../types.ts";
import { type ColumnBlock, columnBlock, MOST, paged, putRows, type RowBlock } from "./blocks.ts";
import { find } from "./find.ts";
import { type ModelQuestion, NOT_OPEN, NOT_READ } from "./protocol.ts";
import { readValues } from "./reading.ts";
import type { ValueBlock, Values } from "./values.ts";

/** The module, once it runs. */
export interface ModelModule {
  FileBytes: typeof FileBytes;
  ModelHandle: typeof ModelHandle;
  memory: WebAssembly.Memory;
}

/** Bytes of a file that are read at once. */
const PIECE = 8 << 20;

export class Answers {
  #model: ModelHandle | undefined;
  /** Every value; read again after a change. */
  #values: Promise<Values> | undefined;

  constructor(private readonly module: ModelModule) {}

  async open(
    file: Blob,
    name: string,
    progress: (progress: OpenProgress) => void,
  ): Promise<ModelFacts> {
    const total = file.size;
    progress({ stage: "header", read: 0, total });
    const bytes = await this.#held(file);
    // It is reckoned in another thread while the file is read in this one, and begins with a copy.
    const hash = crypto.subtle.digest("SHA-256", this.#at(bytes.place(), total));
    this.#model = new this.module.ModelHandle(bytes, name, (read: number) =>
      progress({ stage: read < total ? "elements" : "storeys", read, total }),
    );
    return { ...this.#model.overview(), model_id: shortened(await hash) };
  }

  async answer(question: Exclude<ModelQuestion, { method: "open" }>): Promise<unknown> {
    const model = this.#model;
    if (!model) throw NOT_OPEN;
    switch (question.method) {
      case "rows":
        return model.rows(question.from, most(question, MOST.rows));
      case "tree":
        return model.tree(question.from, most(question, MOST.lines));
      case "column":
        return this.#column(model, question);
      case "details":
        return model.details(new Uint32Array(question.ids.slice(0, MOST.details)));
      case "preferred":
        return model.preferred(question.names);
      case "named":
        return model.named(question.name);
      case "units":
        return model.units();
      case "choices":
        return (await this.#everyValue(model)).choices();
      case "find":
        return find(await this.#everyValue(model), question.query);
      case "apply":
        model.apply(question.edits);
        this.#values = undefined;
        return model.overview();
    }
  }

  /** A column of sets is read by itself; one of attributes needs every value. */
  async #column(
    model: ModelHandle,
    question: ModelQuestion & { method: "column" },
  ): Promise<ColumnBlock> {
    const { set, name, from } = question;
    const to = most(question, MOST.cells);
    if (set !== "") return model.column(set, name, from, to);
    const values = await this.#everyValue(model);
    return columnBlock(values.column(set, name), from, to);
  }

  /** The bytes of a file in the memory of the module. */
  async #held(file: Blob): Promise<FileBytes> {
    let bytes: FileBytes;
    try {
      bytes = new this.module.FileBytes(file.size);
    } catch {
      throw NOT_READ;
    }
    for (let from = 0; from < file.size; from += PIECE) {
      const piece = new Uint8Array(await file.slice(from, from + PIECE).arrayBuffer());
      this.#at(bytes.place() + from, piece.length).set(piece);
    }
    return bytes;
  }

  #at(place: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.module.memory.buffer as ArrayBuffer, place, length);
  }

  /** Values that were being read while the model changed are of no use. */
  async #everyValue(model: ModelHandle): Promise<Values> {
    for (;;) {
      this.#values ??= read(model);
      const reading = this.#values;
      const values = await reading;
      if (this.#values === reading) return values;
    }
  }
}

/** Where a block ends; no message is larger, whatever is asked for. */
const most = ({ from, to }: { from: number; to: number }, rows: number): number =>
  Math.min(to, from + rows);

async function read(model: ModelHandle): Promise<Values> {
  const rows: ModelRow[] = [];
  await paged<RowBlock>(
    MOST.rows,
    async (from, to) => model.rows(from, to),
    (block) => putRows(block, rows),
  );
  return readValues({
    rows: () => rows,
    values: (from, to): ValueBlock => {
      const { text, ...places } = model.values(from, to);
      return { ...JSON.parse(text), ...places };
    },
  });
}

/** The first 16 hex of a hash. */
const shortened = (hash: ArrayBuffer): string =>
  Array.from(new Uint8Array(hash, 0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
